"""A race in which both choose at the same time, as a tree of spots.

A round is both choices, seat 0's first and hidden from seat 1, then both rolls, then both scores move.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from jeopardice.errors import PositionError
from jeopardice.points.match import TurnPlay
from jeopardice.points.tables import checked_plays, checked_rolls
from jeopardice.rules.game import Mode, PointsGame, as_whole
from jeopardice.rules.goal import Simultaneous
from jeopardice.rules.house import House, Record
from jeopardice.rules.reading import entries_of, parts_among
from jeopardice.rules.text import plain
from jeopardice.types import Json, MatchRoll, Number

HIDDEN = object()
"""The choice of seat 0 in a position that does not tell it."""


@dataclass(frozen=True)
class RoundSpot:
    """Both scores, the choices made in this round and the points rolled with them, in the order of seats."""

    standings: tuple[int, int] = (0, 0)
    chosen: tuple[Mode, ...] = ()
    rolled: tuple[int, ...] = ()
    turn: int = 0
    rolls_made: int = 0

    at_risk = 0
    roll = None
    offer = None
    mode: ClassVar[Mode] = None
    records = (Record(), Record())

    @property
    def seat(self) -> int:
        """Who chooses, or whose dice fall."""
        return len(self.rolled) if len(self.chosen) == 2 else len(self.chosen)


@dataclass(frozen=True)
class SimultaneousMatch:
    """A race for two where nobody is first."""

    goal: Simultaneous
    players: int = 2
    house: ClassVar[House] = House()

    @property
    def rules(self) -> PointsGame:
        """The game that both play."""
        game: PointsGame = self.goal.game
        return game

    @property
    def target(self) -> int:
        """The score that ends the race."""
        return int(self.goal.target or 0)

    def start(self) -> RoundSpot:
        """Nobody has points."""
        return RoundSpot()

    def seat(self, spot: RoundSpot) -> int:
        """Who chooses, or whose dice fall."""
        return min(spot.seat, 1)

    def game(self, spot: RoundSpot) -> PointsGame:
        """The game that both play."""
        return self.rules

    def turn(self, spot: RoundSpot) -> int:
        """How many rounds have been completed, counted for both seats."""
        return 2 * spot.turn

    def rolls(self, spot: RoundSpot) -> Mapping[MatchRoll, int]:
        """The rolls of the dice that were chosen, once both have chosen."""
        return checked_rolls(self.rules, spot.chosen[spot.seat]) if len(spot.chosen) == 2 else {}

    def plays(self, spot: RoundSpot) -> tuple[TurnPlay, ...]:
        """The choices a turn opens with."""
        if len(spot.chosen) == 2 or self.is_over(spot):
            return ()
        return tuple(TurnPlay(False, 0, 0, mode) for mode in self.choices)

    @cached_property
    def choices(self) -> tuple[Mode, ...]:
        """The modes that a turn opens with."""
        (roll,) = checked_rolls(self.rules, self.rules.opening)
        return tuple(play.mode for play in checked_plays(self.rules, self.rules.opening, roll))

    def is_bust(self, spot: RoundSpot, roll: MatchRoll) -> bool:
        """Whether a roll scores nothing."""
        return self.points(spot, roll) == 0

    def points(self, spot: RoundSpot, roll: MatchRoll) -> int:
        """The points that a roll scores."""
        plays = checked_plays(self.rules, spot.chosen[spot.seat], roll)
        return plays[0].points if plays else 0

    def after_roll(self, spot: RoundSpot, roll: MatchRoll) -> RoundSpot:
        """The other dice fall next; or both scores move and the next round begins."""
        rolled = (*spot.rolled, self.points(spot, roll))
        fallen = replace(spot, rolled=rolled, rolls_made=spot.rolls_made + 1)
        if len(rolled) < 2:
            return fallen
        first, second = (score + points for score, points in zip(spot.standings, rolled, strict=True))
        return RoundSpot((first, second), turn=spot.turn + 1, rolls_made=fallen.rolls_made)

    def after_play(self, spot: RoundSpot, play: TurnPlay) -> RoundSpot:
        """The other player chooses, not knowing; or the dice fall."""
        if HIDDEN in spot.chosen:
            raise PositionError("this position does not tell the first player's choice, so it cannot be played on")
        return replace(spot, chosen=(*spot.chosen, play.mode))

    def is_over(self, spot: RoundSpot) -> bool:
        """Whether somebody has reached the target."""
        return max(spot.standings) >= self.target

    def returns(self, spot: RoundSpot) -> tuple[Number, ...]:
        """One who alone reached the target wins; both share, or the higher score wins."""
        first, second = self.winner_share(*spot.standings), self.winner_share(*reversed(spot.standings))
        return first, second

    def winner_share(self, mine: int, theirs: int) -> float:
        """The share of a win with these scores, once the race is over."""
        if mine >= self.target and theirs >= self.target:
            equal = self.goal.both_reach == "share" or mine == theirs
            return 0.5 if equal else float(mine > theirs)
        return float(mine >= self.target)

    def to_json(self, spot: RoundSpot) -> Json:
        """The scores and whose choice or roll it is; choices stay hidden until both are made."""
        parts = {"standings": list(spot.standings), "seat": self.seat(spot), "turn": spot.turn}
        parts |= {"rolls_made": spot.rolls_made, "rolling": len(spot.chosen) == 2}
        if len(spot.chosen) == 2:
            parts |= {"chosen": plain(spot.chosen), "rolled": list(spot.rolled)}
        return parts | {"at_risk": 0, "mode": plain(self.rules.opening), "roll": None}

    def from_json(self, position: Json) -> RoundSpot:
        """Read a position back; seat 1's choice knows nothing of seat 0's."""
        known = {"standings", "seat", "turn", "rolls_made", "rolling", "chosen", "rolled", "at_risk", "mode", "roll"}
        position = parts_among(position, known)
        scores, counts = position.get("standings", [0, 0]), {n: position.get(n, 0) for n in ("turn", "rolls_made")}
        wholes = [*(entries_of(scores) or ()), *counts.values()]
        if len(wholes) != 4 or any((as_whole(number) or 0) != number or number < 0 for number in wholes):
            raise PositionError(f"standings has 2 scores from 0, turn and rolls_made are counts, got {position!r}")
        chosen, rolled = position.get("chosen", []), position.get("rolled", [])
        modes = {str(plain(mode)): mode for mode in self.choices}
        made, fell = entries_of(chosen), entries_of(rolled)
        is_known = made is not None and len(made) in (0, 2) and all(str(choice) in modes for choice in made)
        if not is_known or fell is None or len(fell) > len(chosen) // 2:
            raise PositionError(f"chosen has both choices, and rolled at most one number of points, got {position!r}")
        choices = tuple(modes[str(choice)] for choice in chosen) or ((HIDDEN,) if position.get("seat", 0) == 1 else ())
        spot = RoundSpot((int(scores[0]), int(scores[1])), choices, tuple(map(int, rolled)), **counts)
        if self.is_over(spot):
            raise PositionError("the game is over at this position, so there is nothing to play")
        return spot
