"""Games that are dice with an effect per face: what a rules file describes, and nothing but data.

Every throw shows some faces. A face adds its points, or busts, or ends the turn and banks; of several dice one bust
face is enough, otherwise their points add up. A combination names the faces of a whole throw and says what these do
instead: in Big Pig two 1s are 25 points. Pigs, coins, spinners and loaded dice are all dice of this sort.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Any, ClassVar, Literal, NamedTuple, get_args

from jeopardice.dice import roll_loaded
from jeopardice.errors import RulesError
from jeopardice.rules.game import Play, is_whole

Effect = Literal["score", "bust", "bank"]
Name = int | str
MOST_THROWS = 100_000


class Face(NamedTuple):
    """One face of the die: what it is called, how often it falls, and what it does."""

    face: Name
    weight: int = 1
    points: int = 0
    effect: Effect = "score"


class Combination(NamedTuple):
    """What the faces of a whole throw do together, in place of what each does."""

    faces: tuple[Name, ...]
    points: int = 0
    effect: Effect = "score"


@dataclass(frozen=True)
class FaceGame:
    """`dice` equal dice with these faces are thrown until one stops, busts or is stopped by a face that banks.

    A roll is the tuple of faces shown, least first; a single die of named faces shows just the name.

    >>> coin = FaceGame("Piglet", (Face("heads", points=1), Face("tails", effect="bust")), usual_target=10)
    >>> coin.rolls(mode=0)
    {'heads': 1, 'tails': 1}
    >>> coin.plays(mode=0, roll="heads")
    [Play(points=1, mode=0)]
    """

    name: str
    faces: tuple[Face, ...]
    dice: int = 1
    combinations: tuple[Combination, ...] = ()
    usual_target: int | None = None

    opening: ClassVar[int] = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "faces", tuple(Face(*face) for face in self.faces))
        object.__setattr__(self, "combinations", tuple(_in_order(Combination(*c)) for c in self.combinations))
        _check_numbers(self)
        _check_faces(self)
        _check_combinations(self)
        _check_throws(self)

    def rolls(self, mode: int) -> dict[Any, int]:
        """Every throw of the dice, whatever the mode."""
        return dict(_throws(self))

    def plays(self, mode: int, roll: Any) -> list[Play]:
        """What the throw does; a mode of None ends the turn."""
        points, effect = _meaning(self, roll if isinstance(roll, tuple) else (roll,))
        return [] if effect == "bust" else [Play(points, mode=None if effect == "bank" else 0)]


@lru_cache(maxsize=64)
def _throws(game: FaceGame) -> dict[Any, int]:
    faces = sorted(game.faces, key=lambda face: face.face)
    weights = roll_loaded([{place: face.weight for place, face in enumerate(faces)}] * game.dice)
    bare = game.dice == 1 and isinstance(faces[0].face, str)
    named = {tuple(faces[place].face for place in roll): weight for roll, weight in weights.items()}
    return {throw[0] if bare else throw: weight for throw, weight in named.items()}


def _meaning(game: FaceGame, throw: tuple[Name, ...]) -> tuple[int, Effect]:
    for combination in game.combinations:
        if combination.faces == throw:
            return combination.points, combination.effect
    shown = [face for name in throw for face in game.faces if face.face == name]
    effects = {face.effect for face in shown}
    effect: Effect = "bust" if "bust" in effects else "bank" if "bank" in effects else "score"
    return sum(face.points for face in shown), effect


def _in_order(combination: Combination) -> Combination:
    faces = combination.faces
    if not isinstance(faces, tuple | list) or {type(face) for face in faces} not in ({int}, {str}):
        raise RulesError(f"faces of a combination lists the faces of a whole throw, got faces={faces!r}")
    return combination._replace(faces=tuple(sorted(faces)))


def _check_numbers(game: FaceGame) -> None:
    if not isinstance(game.name, str) or not game.name:
        raise RulesError(f"name is what the game is called, got name={game.name!r}")
    if not is_whole(game.dice, 1):
        raise RulesError(f"dice is a whole number from 1, got dice={game.dice!r}")
    if game.usual_target is not None and not is_whole(game.usual_target, 1):
        raise RulesError(f"target is a whole number from 1, got target={game.usual_target!r}")
    if not game.faces:
        raise RulesError("faces lists at least two faces of the die, got none")
    throws = comb(len(game.faces) + game.dice - 1, game.dice)
    if throws > MOST_THROWS:
        raise RulesError(
            f"dice={game.dice} of {len(game.faces)} faces fall in {throws} ways, the most is {MOST_THROWS}"
        )


def _check_faces(game: FaceGame) -> None:
    for face in game.faces:
        if type(face.face) is not type(game.faces[0].face) or not (is_whole(face.face) or isinstance(face.face, str)):
            raise RulesError(f"face is a name or a whole number, all of one sort, got face={face.face!r}")
        if not is_whole(face.weight):
            raise RulesError(f"weight of face {face.face!r} is a whole number from 0, got weight={face.weight!r}")
        _check_effect(f"face {face.face!r}", face.points, face.effect)
    names = [face.face for face in game.faces]
    if twice := [name for name in names if names.count(name) > 1]:
        raise RulesError(f"face {twice[0]!r} is listed twice; add up its weights in one entry")
    if not any(face.weight for face in game.faces):
        raise RulesError("weight is 0 for every face, so no throw can fall; give some face a weight above 0")


def _check_combinations(game: FaceGame) -> None:
    names = {face.face for face in game.faces}
    for combination in game.combinations:
        listed = list(combination.faces)
        if len(listed) != game.dice or not set(listed) <= names:
            raise RulesError(f"faces of a combination are the {game.dice} faces of a throw, got faces={listed!r}")
        if sum(other.faces == combination.faces for other in game.combinations) > 1:
            raise RulesError(f"the combination faces={listed!r} is listed twice; keep one")
        _check_effect(f"combination {listed!r}", combination.points, combination.effect)


def _check_effect(what: str, points: object, effect: object) -> None:
    if not is_whole(points):
        raise RulesError(f"points of {what} are a whole number from 0, got points={points!r}")
    if effect not in get_args(Effect):
        raise RulesError(f"effect of {what} is one of {', '.join(get_args(Effect))}, got effect={effect!r}")
    if effect == "bust" and points:
        raise RulesError(f"points of {what} are lost by its effect, a bust; leave out points={points!r}")


def _check_throws(game: FaceGame) -> None:
    """A game needs a throw that busts and one that scores; and a throw that does neither would change nothing."""
    meanings = [_meaning(game, roll if isinstance(roll, tuple) else (roll,)) for roll in _throws(game)]
    if not any(effect == "bust" for _, effect in meanings):
        raise RulesError("no roll busts, so nobody would ever stop; let one of the faces bust")
    if not any(points for points, effect in meanings if effect != "bust"):
        raise RulesError("no throw scores, so nothing is ever banked; give some face of faces points above 0")
    for roll, (points, effect) in zip(_throws(game), meanings, strict=True):
        if effect == "score" and not points:
            raise RulesError(f"the throw {roll!r} neither scores nor ends the turn; give it points, or an effect")
