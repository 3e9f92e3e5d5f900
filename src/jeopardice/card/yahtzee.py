"""Yahtzee alone, solved: the acyclic game from which the paper on one-player Can't Stop starts (its Algorithm 1).

What matters of a card is which boxes are filled, the upper total (63 and more are the same) and whether the Yahtzee
box holds 50: 536,320 cards with a free box can occur. Every turn fills a box, so cards are solved from full to empty,
each by replaying the one small graph of a turn: 252 rolls, 462 sets of dice to keep (see `scorecard.hpp`). This file
lays the rules out as that table, runs the kernel, and replays a single turn in NumPy, the kernel's twin, for advice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.card.match import DICE, ROLLS, CardPlay, parts_of, possible_points
from jeopardice.card.words import play_words
from jeopardice.dice import Roll, roll_dice
from jeopardice.errors import PositionError
from jeopardice.games.yahtzee import UPPER, Yahtzee
from jeopardice.kernels import Progress, kernels, thread_count, watched
from jeopardice.solution import Advice, Option
from jeopardice.types import JsonObject

FACES = 6
MOST_COUNTED = FACES * DICE
MOST_IN_UPPER = {box: face * DICE for face, box in enumerate(UPPER, 1)}
LANES = 8  # the kernel reads totals in runs of eight

SETS: tuple[Roll, ...] = tuple(
    s for n in range(DICE + 1) for s in combinations_with_replacement(range(1, FACES + 1), n)
)
SET_INDEX = {dice: i for i, dice in enumerate(SETS)}
OPEN_SETS = sum(len(dice) < DICE for dice in SETS)
FULL_SETS = SETS[OPEN_SETS:]
ADD = np.array(
    [[SET_INDEX[tuple(sorted((*dice, face)))] for face in range(1, FACES + 1)] for dice in SETS[:OPEN_SETS]], np.int32
)
BY_SIZE = tuple(np.array([i for i, dice in enumerate(SETS) if len(dice) == size]) for size in range(DICE))
"""The sets with dice left to roll, by the number of dice in them."""


@dataclass(frozen=True, eq=False)
class YahtzeeSolution:
    """The value of every card: [boxes filled as bits, whether the Yahtzee box holds 50, upper total]."""

    game: Yahtzee
    values: NDArray[np.float64]

    @property
    def value(self) -> float:
        """The most points a game brings on average."""
        return float(self.values[0, 0, 0])

    @cached_property
    def error_bound(self) -> float:
        """A bound on the error of every value.

        Averages and maxima never enlarge an error, so it only adds up. The first roll of a turn sums 252 products of a
        rounded chance in blocks of 16 (two roundings and 16 + 16 sums of the largest value), each other roll six values,
        times a rounded 1/6 (eight roundings), and each turn adds points twice.
        """
        unit = float(np.finfo(np.float64).eps) / 2
        roundings = (2 + 16 + 16) + (ROLLS - 1) * (FACES + 2) + 2
        return 1.01 * len(self.game.boxes) * roundings * unit * float(np.abs(self.values).max())

    @cached_property
    def cards(self) -> int:
        """The number of cards with a free box that can occur."""
        totals = _reachable_totals(self.game)
        boxes = len(self.game.boxes)
        flag = _flag_box(self.game)
        return sum(
            int(totals[filled].sum()) * (2 if flag >= 0 and filled >> flag & 1 else 1) for filled in range(2**boxes - 1)
        )

    def rows(self) -> list[list[Any]]:
        """Return every card that can occur: boxes filled (bits, the first box lowest), flag, upper total, value."""
        totals, flag_box = _reachable_totals(self.game), _flag_box(self.game)
        return [
            [filled, flag, int(total), float(self.values[filled, flag, total])]
            for filled in range(2 ** len(self.game.boxes) - 1)
            for flag in ((0, 1) if flag_box >= 0 and filled >> flag_box & 1 else (0,))
            for total in np.flatnonzero(totals[filled])
        ]

    def at(self, card: Mapping[str, int] | None = None) -> float:
        """Return the points still to come, on average, with this card at the beginning of a turn."""
        return float(self.values[self.state(card or {})])

    def advise(self, *, card: Mapping[str, int] | None = None, roll: Roll, rolls_left: int = 0) -> Advice:
        """Return what can be done with `roll`, best first: dice to set aside while rolls are left, else a box to fill.

        `card` maps the boxes already filled to the points written there. Values count the points still to come, bonuses
        included. An option names its dice in `kept`, or its box in `mode` and its points in `points`.
        """
        filled, flag, total = self.state(card or {})
        dice = tuple(sorted(roll))
        if dice not in SET_INDEX or len(dice) != DICE:
            raise PositionError(f"a roll is {DICE} dice from 1 to {FACES}, got roll={roll!r}")
        if rolls_left not in range(ROLLS):
            raise PositionError(f"rolls_left lies between 0 and {ROLLS - 1}, got rolls_left={rolls_left!r}")
        if rolls_left == 0:
            points = self.game.options(self._free(filled), dice)
            options = [
                _option(CardPlay((), box, points[box]), worth)
                for box, worth in self.boxes(filled, flag, total, dice).items()
            ]
        else:
            worth = self.turn(filled, flag, total)[ROLLS - rolls_left]
            options = [_option(CardPlay(part), float(worth[SET_INDEX[part]])) for part in parts_of(dice)]
        return Advice(tuple(sorted(options, key=lambda option: -option.value)), bound=lambda: self.error_bound)

    def turn(self, filled: int, flag: int, total: int) -> list[NDArray[np.float64]]:
        """Return the worth of every set of dice before the first, second and third roll, and of full sets after it.

        Entry t, below 3, holds the worth of keeping a set and then making roll t + 1; entry 3 only the full sets'.
        """
        worth = np.zeros(len(SETS))
        worth[OPEN_SETS:] = self._full_sets(filled, flag, total)
        stages = [worth]
        for _ in range(ROLLS):
            worth = stages[0].copy()
            if len(stages) > 1:
                for sets in BY_SIZE:
                    np.maximum.at(worth, ADD[sets], worth[sets, None])
            for sets in reversed(BY_SIZE):
                worth[sets] = worth[ADD[sets]].sum(axis=1) / FACES
            stages.insert(0, worth)
        return stages

    def _full_sets(self, filled: int, flag: int, total: int) -> NDArray[np.float64]:
        """Return the worth of writing each full set in its best box; five equal dice may be jokers, one by one."""
        best = np.full(len(FULL_SETS), -np.inf)
        for number, (box, points) in enumerate(_points_of(self.game).items()):
            if not filled >> number & 1:
                raised = np.where((number == _flag_box(self.game)) & (points > 0), 1, flag)
                counted = np.minimum(self.game.upper_goal, total + (points if box in UPPER else 0))
                np.maximum(best, points + self.values[filled | 1 << number, raised, counted], out=best)
        for i in EQUAL_SETS:
            best[i] = max(self.boxes(filled, flag, total, FULL_SETS[i]).values())
        return best

    def boxes(self, filled: int, flag: int, total: int, dice: Roll) -> dict[str, float]:
        """Return what writing the dice in each box that may take them is worth."""
        game = self.game
        free = self._free(filled)
        bonus = game.joker_bonus if flag and game.is_joker(free, dice) else 0
        worth = {}
        for box, points in game.options(free, dice).items():
            after = filled | 1 << game.boxes.index(box)
            raised = flag | int(game.boxes.index(box) == _flag_box(game) and points > 0)
            counted = min(game.upper_goal, total + (points if box in UPPER else 0))
            worth[box] = points + bonus + float(self.values[after, raised, counted])
        return worth

    def _free(self, filled: int) -> frozenset[str]:
        return frozenset(box for i, box in enumerate(self.game.boxes) if not filled >> i & 1)

    def state(self, card: Mapping[str, int]) -> tuple[int, int, int]:
        """Return the boxes filled as bits, whether the Yahtzee box holds 50, and the upper total, of a card."""
        boxes = self.game.boxes
        for box, points in card.items():
            if box not in boxes:
                raise PositionError(f"boxes of this card are {', '.join(boxes)}, got {box!r}")
            if points not in possible_points(box):
                raise PositionError(
                    f"{box} cannot hold {points!r} points; it holds one of {sorted(possible_points(box))}"
                )
        if len(card) == len(boxes):
            raise PositionError("a card with a free box is needed; this one is full, and the game is over")
        filled = sum(1 << boxes.index(box) for box in card)
        flag = int(_flag_box(self.game) >= 0 and card.get("yahtzee", 0) > 0)
        return filled, flag, min(self.game.upper_goal, sum(card[box] for box in card if box in UPPER))


def solve_yahtzee(
    game: Yahtzee | None = None, *, threads: int | None = None, progress: Progress | None = None
) -> YahtzeeSolution:
    """Return the value of every card of Yahtzee alone."""
    game = game or Yahtzee()
    boxes = len(game.boxes)
    values = np.zeros((2**boxes, 2, game.upper_goal + 1 + MOST_COUNTED + LANES))
    values[-1, :, game.upper_goal :] = game.upper_bonus
    call = partial(kernels.solve_scorecards, boxes=boxes, values=values, threads=thread_count(threads), **_table(game))
    watched(call, 2**boxes - 1, progress)
    return YahtzeeSolution(game, values)


def _table(game: Yahtzee) -> JsonObject:
    """Lay the rules out as the kernel reads them."""
    boxes, totals = game.boxes, _reachable_totals(game)
    still = np.array([MOST_IN_UPPER.get(box, 0) for box in boxes])
    to_come = (1 - _bits(len(boxes))) @ still
    points = [[[game.score(box, dice, joker=joker) for dice in FULL_SETS] for box in boxes] for joker in (False, True)]
    weights = roll_dice(DICE)
    return {
        "turn_rolls": ROLLS,
        "goal": game.upper_goal,
        "flag_box": _flag_box(game),
        "special_bonus": float(game.joker_bonus),
        "add": ADD,
        "first_roll": np.array([weights[dice] / FACES**DICE for dice in FULL_SETS]),
        "points": np.array(points, np.int32),
        "counted": np.array([box in UPPER for box in boxes], np.uint8),
        **_jokers(game),
        "least_total": np.maximum(0, game.upper_goal - to_come - 1).astype(np.int32),
        "most_total": (totals.shape[1] - 1 - totals[:, ::-1].argmax(axis=1)).astype(np.int32),
    }


def _jokers(game: Yahtzee) -> JsonObject:
    """Return where five equal dice may go, and whether they count in full, card by card."""
    cards, flag = 2 ** len(game.boxes), _flag_box(game)
    jokers = [(i, dice[0]) for i, dice in enumerate(FULL_SETS) if len(set(dice)) == 1 and flag >= 0]
    special_boxes = np.tile(((cards - 1) ^ np.arange(cards)).astype(np.int32), (len(jokers), 1))
    special_full = np.zeros((len(jokers), cards), np.uint8)
    bit = {box: 1 << number for number, box in enumerate(game.boxes)}
    for filled in range(cards) if jokers else ():
        if filled >> flag & 1:
            free = frozenset(box for box in game.boxes if not filled & bit[box])
            for k, (_, face) in enumerate(jokers):
                special_boxes[k, filled] = sum(bit[box] for box in game.joker_boxes(free, face))
                special_full[k, filled] = UPPER[face - 1] not in free
    return {
        "special_set": np.array([i for i, _ in jokers], np.int32),
        "special_boxes": special_boxes,
        "special_full": special_full,
    }


def _bits(count: int) -> NDArray[np.int64]:
    """Return all numbers of this many bits, bit by bit, the lowest first."""
    return np.arange(2**count)[:, None] >> np.arange(count) & 1


def _flag_box(game: Yahtzee) -> int:
    """The box whose points raise the flag: Yahtzee's, where later jokers bring a bonus."""
    return game.boxes.index("yahtzee") if game.joker != "none" and "yahtzee" in game.boxes else -1


def _reachable_totals(game: Yahtzee) -> NDArray[np.bool_]:
    """Tell which upper totals can be on a card: [boxes filled, total]."""
    goal = game.upper_goal
    reachable = np.zeros((2 ** len(game.boxes), goal + 1), np.bool_)
    reachable[0, 0] = True
    for filled in range(1, 2 ** len(game.boxes)):
        last = filled.bit_length() - 1
        before = reachable[filled & ~(1 << last)]
        if game.boxes[last] not in UPPER:
            reachable[filled] = before
            continue
        for points in possible_points(game.boxes[last]):
            totals = np.minimum(np.flatnonzero(before) + points, goal)
            reachable[filled, totals] = True
    return reachable


EQUAL_SETS = tuple(i for i, dice in enumerate(FULL_SETS) if len(set(dice)) == 1)


@lru_cache(maxsize=16)
def _points_of(game: Yahtzee) -> dict[str, NDArray[np.int64]]:
    """Return the points of every full set in each box, jokers aside."""
    return {box: np.array([game.score(box, dice) for dice in FULL_SETS]) for box in game.boxes}


def _option(play: CardPlay, value: float) -> Option:
    stops = play.box is not None
    return Option(play_words(play), value, stops, play.points, play.box, play.aside, match_play=play)
