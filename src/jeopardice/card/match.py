"""Yahtzee as a tree of spots: roll, set dice aside and roll the others, write the dice into a box; alone.

A turn opens with the choice to roll all dice. After each roll but the last the player sets dice aside and rolls the
others; all dice set aside, or the last roll made, they are written into a free box. The game is over when the card is full.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from jeopardice.dice import Roll, roll_dice
from jeopardice.errors import PositionError
from jeopardice.games.yahtzee import UPPER, Yahtzee
from jeopardice.rules.game import as_whole, fields_of
from jeopardice.rules.reading import count_from, entries_of, parts_among
from jeopardice.rules.text import plain
from jeopardice.types import Json, Number

DICE, ROLLS = 5, 3
MOST_COUNTED = 10**6


@dataclass(frozen=True)
class CardPlay:
    """Dice to set aside before the others are rolled; or the box that the dice are written into, with its points."""

    aside: Roll = ()
    box: str | None = None
    points: int = 0


@dataclass(frozen=True)
class CardSpot:
    """The boxes filled, the bonus points for jokers so far, and the turn: dice to be used, or set aside before a roll."""

    card: tuple[tuple[str, int], ...] = ()
    bonus: int = 0
    dice: Roll | None = None
    aside: Roll = ()
    rolls_left: int = ROLLS
    rolling: bool = False
    turn: int = 0
    rolls_made: int = 0


@dataclass(frozen=True)
class CardMatch:
    """A game of Yahtzee alone.

    >>> match = CardMatch(Yahtzee(boxes=("chance",)))
    >>> spot = match.after_roll(match.after_play(match.start(), CardPlay()), (2, 3, 4, 5, 6))
    >>> len(match.plays(spot))
    32
    >>> match.plays(match.after_play(spot, CardPlay((2, 3, 4, 5, 6))))
    (CardPlay(aside=(), box='chance', points=20),)
    """

    rules: Yahtzee
    players: int = 1

    def start(self) -> CardSpot:
        """An empty card."""
        return CardSpot()

    def seat(self, spot: CardSpot) -> int:
        """The only player."""
        return 0

    def game(self, spot: CardSpot) -> Yahtzee:
        """The rules."""
        return self.rules

    def turn(self, spot: CardSpot) -> int:
        """How many boxes have been filled since the game began."""
        return spot.turn

    def rolls(self, spot: CardSpot) -> Mapping[Roll, int]:
        """The rolls of the dice that are not set aside, if they fall next."""
        return roll_dice(DICE - len(spot.aside)) if spot.rolling else {}

    def plays(self, spot: CardSpot) -> tuple[CardPlay, ...]:
        """The sets of dice to set aside while rolls are left, all of them first; then the boxes, in the card's order."""
        if spot.rolling or self.is_over(spot):
            return ()
        if spot.dice is None:
            return (CardPlay(),)
        if spot.rolls_left:
            return tuple(map(CardPlay, parts_of(spot.dice)))
        points = self.rules.options(self.free(spot), spot.dice)
        return tuple(CardPlay((), box, points[box]) for box in points)

    def is_bust(self, spot: CardSpot, roll: Roll) -> bool:
        """Never: every roll can be written somewhere."""
        return False

    def after_roll(self, spot: CardSpot, roll: Roll) -> CardSpot:
        """All dice on the table, to be used."""
        dice = tuple(sorted((*spot.aside, *roll)))
        return replace(
            spot, dice=dice, aside=(), rolls_left=spot.rolls_left - 1, rolling=False, rolls_made=spot.rolls_made + 1
        )

    def after_play(self, spot: CardSpot, play: CardPlay) -> CardSpot:
        """The dice fall; or all are set aside and written next; or a box is filled and the next turn begins."""
        if play.box is None:
            if len(play.aside) == DICE:
                return replace(spot, rolls_left=0)
            return replace(spot, dice=None, aside=play.aside, rolling=True)
        assert spot.dice is not None
        holds_yahtzee = dict(spot.card).get("yahtzee", 0) > 0
        is_bonus = holds_yahtzee and self.rules.is_joker(self.free(spot), spot.dice)
        written = dict(spot.card) | {play.box: play.points}
        card = tuple((box, written[box]) for box in self.rules.boxes if box in written)
        bonus = spot.bonus + (self.rules.joker_bonus if is_bonus else 0)
        return CardSpot(card, bonus, turn=spot.turn + 1, rolls_made=spot.rolls_made)

    def is_over(self, spot: CardSpot) -> bool:
        """Whether every box is filled."""
        return len(spot.card) == len(self.rules.boxes)

    def returns(self, spot: CardSpot) -> tuple[Number, ...]:
        """The points of the card, bonuses included."""
        upper = sum(points for box, points in spot.card if box in UPPER)
        return (self.written(spot) + (self.rules.upper_bonus if upper >= self.rules.upper_goal else 0),)

    def written(self, spot: CardSpot) -> int:
        """The points on the card so far, the bonus for jokers included and that of the upper boxes not."""
        return spot.bonus + sum(points for _, points in spot.card)

    def free(self, spot: CardSpot) -> frozenset[str]:
        """The boxes that are not filled."""
        return frozenset(self.rules.boxes) - dict(spot.card).keys()

    def to_json(self, spot: CardSpot) -> Json:
        """Every part of the spot, and for people the free boxes and the points written so far."""
        parts = {name: plain(part) for name, part in fields_of(spot).items()}
        card = dict(spot.card)
        free = [box for box in self.rules.boxes if box not in card]
        return parts | {"card": card, "free": free, "seat": 0, "standings": [self.written(spot)]}

    def from_json(self, position: Json) -> CardSpot:
        """Read a position back; parts left out are those of a turn that begins."""
        known = [part.name for part in fields(CardSpot)] + ["free", "seat", "standings"]
        position = parts_among(position, known)
        bonus, turn, rolls_made = (
            count_from(name, position.get(name, 0), most=MOST_COUNTED) for name in ("bonus", "turn", "rolls_made")
        )
        card = self._card_from(position.get("card", {}))
        dice, aside = _dice_from("dice", position.get("dice")), _dice_from("aside", position.get("aside")) or ()
        rolls_left = count_from("rolls_left", position.get("rolls_left", ROLLS if dice is None else 0))
        spot = replace(
            CardSpot(card, bonus, turn=turn, rolls_made=rolls_made), dice=dice, aside=aside, rolls_left=rolls_left
        )
        if dice is not None and (len(dice) != DICE or aside or rolls_left >= ROLLS):
            raise PositionError(f"dice are {DICE} faces with fewer than {ROLLS} rolls left, got {dict(position)!r}")
        if len(aside) >= DICE or (dice is None and not ((rolls_left == ROLLS and not aside) or 0 < rolls_left < ROLLS)):
            raise PositionError(f"before a roll fewer than {DICE} dice are set aside, got {dict(position)!r}")
        if self.is_over(spot):
            raise PositionError("a card with a free box is needed; this one is full, and the game is over")
        return replace(spot, rolling=bool(position.get("rolling", False)) or (dice is None and rolls_left < ROLLS))

    def _card_from(self, card: Json) -> tuple[tuple[str, int], ...]:
        if not isinstance(card, Mapping):
            raise PositionError(f"card maps boxes to the points written there, got {card!r}")
        for box, points in card.items():
            if box not in self.rules.boxes:
                raise PositionError(f"boxes of this card are {', '.join(self.rules.boxes)}, got {box!r}")
            if as_whole(points) not in possible_points(box):
                raise PositionError(
                    f"{box} cannot hold {points!r} points; it holds one of {sorted(possible_points(box))}"
                )
        return tuple((box, int(card[box])) for box in self.rules.boxes if box in card)


@lru_cache(maxsize=4096)
def parts_of(dice: Roll) -> tuple[Roll, ...]:
    """Return every set of dice that can be set aside of a roll, all of them first.

    >>> parts_of((1, 1, 2))
    ((1, 1, 2), (1, 1), (1, 2), (1,), (2,), ())
    """
    sets = {tuple(die for i, die in enumerate(dice) if bits >> i & 1) for bits in range(2 ** len(dice))}
    return tuple(sorted(sets, key=lambda part: (-len(part), part)))


@lru_cache(maxsize=64)
def possible_points(box: str) -> frozenset[int]:
    """Return the numbers of points that can be written in a box."""
    rules = Yahtzee()
    return frozenset(rules.score(box, dice, joker=joker) for dice in roll_dice(DICE) for joker in (False, True))


def _dice_from(name: str, faces: Json) -> Roll | None:
    if faces is None:
        return None
    given = entries_of(faces)
    if given is None or any(as_whole(face) not in range(1, 7) for face in given):
        raise PositionError(f"{name} are faces from 1 to 6, got {name}={faces!r}")
    return tuple(sorted(map(int, given)))
