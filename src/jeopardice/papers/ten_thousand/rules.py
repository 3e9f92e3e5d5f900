"""Sections 2 and 3 of the Ten Thousand paper: configurations, states and moves, generated from the rules.

A roll is summed up by its *configuration* [f, o, t]: f fives, o ones, and three of a kind t (2, 3, 4 or 6; 0 for none).
Points are counted in chips of 50. A *state* (τ, i, n) holds the chips at risk, the last configuration and the dice left
to roll. In the words of this package: τ is the points at risk, n the mode, a move m is a play that keeps less
than everything that scores.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

EACH = {5: 1, 1: 2}
"""Table 1: chips of a single die."""
THREE = {2: 4, 3: 6, 4: 8, 5: 10, 6: 12, 1: 20}
"""Table 1: chips of three of a kind."""
DICE = 5


class Configuration(NamedTuple):
    """What scores in a roll: `f` fives, `o` ones, three of `t`."""

    f: int
    o: int
    t: int

    @property
    def dice(self) -> int:
        """d(i), how many dice score."""
        return self.f + self.o + 3 * (self.t != 0)

    @property
    def combinations(self) -> int:
        """c(i), how many scoring combinations there are; three fives or three ones count as three."""
        return self.f + self.o + (self.t != 0)

    @property
    def score(self) -> int:
        """s(i) in chips, by Table 1."""
        single = sum(_of_a_kind(face, count) for face, count in ((5, self.f), (1, self.o)))
        return single + (THREE[self.t] if self.t else 0)

    def contains(self, other: "Configuration") -> bool:
        """Whether `other` is smaller in the sense of Definition 2.1: something of this, but not all of it."""
        part = other.f <= self.f and other.o <= self.o and other.t in (0, self.t)
        return part and other not in (self, NOTHING)


NOTHING = Configuration(0, 0, 0)
Action = str
STOP, ROLL = "s", "r"
MOVES: tuple[Action, ...] = (
    *("m5", "m1", "m55", "m51", "m11", "m551", "m511"),
    *("mt1", "mt2", "mt3", "mt4", "mt5", "mt6"),
)
"""Table 4 without s, r and w: what is given back; mt3 gives back three threes."""
ACTIONS: tuple[Action, ...] = (STOP, ROLL, *MOVES)


class State(NamedTuple):
    """A moment of the turn: `tau` chips at risk, the last `configuration`, `n` dice to roll."""

    tau: int
    configuration: Configuration
    n: int


class Row(NamedTuple):
    """A row of Table 2; `frequency[n - 1]` counts the rolls of n dice that show the configuration."""

    configuration: Configuration
    frequency: tuple[int, int, int, int, int]


def _of_a_kind(face: int, count: int) -> int:
    return (THREE[face] + (count - 3) * EACH[face]) if count >= 3 else count * EACH[face]


def configuration_of(roll: tuple[int, ...]) -> Configuration:
    """Return the configuration that a roll shows.

    >>> configuration_of((5, 1, 1, 3, 2))
    Configuration(f=1, o=2, t=0)
    """
    three = [face for face in (2, 3, 4, 6) if roll.count(face) >= 3]
    return Configuration(roll.count(5), roll.count(1), three[0] if three else 0)


@cache
def frequencies(n: int) -> dict[Configuration, int]:
    """Return f(n, ·): how many of the 6ⁿ rolls show each configuration, by counting them all."""
    return dict(Counter(configuration_of(roll) for roll in product(range(1, 7), repeat=n)))


@cache
def table_2() -> tuple[Row, ...]:
    """Return Table 2, generated: all configurations of up to five dice, in the order of the print."""

    def place(i: Configuration) -> tuple[int, bool, bool, int, int]:
        # Within a number of scoring dice the print lists what has no triple first, then most fives first.
        return i.dice, i.t != 0, i.o > 0 and i.t != 0 and i.f == 0, -i.f, i.t

    def count(i: Configuration, n: int) -> int:
        return frequencies(n).get(i, 0)

    shown = sorted(set().union(*(frequencies(n) for n in range(1, DICE + 1))), key=place)
    return tuple(Row(i, (count(i, 1), count(i, 2), count(i, 3), count(i, 4), count(i, 5))) for i in shown)


@cache
def configurations(most: int = DICE) -> tuple[Configuration, ...]:
    """Return 𝓘(m): the scoring configurations with at most `most` scoring dice."""
    return tuple(row.configuration for row in table_2() if 0 < row.configuration.dice <= most)


def after_roll(tau: int, n: int, shown: Configuration) -> State:
    """Return the state that follows when n dice show a scoring configuration: equation (3.1)."""
    left = n - shown.dice
    return State(tau + shown.score, shown, left or DICE)


def move_name(of: Configuration, to: Configuration) -> Action:
    """Return the action of Table 4 that gives back what `of` has more than `to`."""
    if of.t != to.t:
        return f"mt{of.t}"
    fives, ones = of.f - to.f, of.o - to.o
    if fives == 3 or ones == 3:
        return "mt5" if fives else "mt1"
    return "m" + "5" * fives + "1" * ones


@cache
def _parts(i: Configuration) -> tuple[tuple[Action, Configuration], ...]:
    return tuple((move_name(i, j), j) for j in configurations() if i.contains(j))


@cache
def _wholes(j: Configuration) -> tuple[tuple[Action, Configuration], ...]:
    return tuple((move_name(i, j), i) for i in configurations(DICE - 1) if i.contains(j))


def moves(state: State) -> Iterator[tuple[Action, State]]:
    """Yield the moves of a state with the smaller state each leads to (Definition 3.1)."""
    tau, i, n = state
    if n != DICE:
        for name, j in _parts(i):
            smaller = State(tau - i.score + j.score, j, n + i.dice - j.dice)
            if smaller.tau >= 1:
                yield name, smaller


def moves_into(state: State) -> Iterator[tuple[Action, State]]:
    """Yield the larger states from which a move leads to this one, with the name of the move."""
    tau, j, n = state
    if n != DICE:
        for name, i in _wholes(j):
            left = n + j.dice - i.dice
            if left >= 1:
                yield name, State(tau - j.score + i.score, i, left)


def states_with(n: int) -> tuple[Configuration, ...]:
    """Return the configurations that a state with n dice left may have: 𝓘(5 - n), all of 𝓘 for n = 5."""
    return configurations(DICE if n == DICE else DICE - n)
