"""Three ways to solve the turn, each as the paper has it, in rationals: they must agree exactly.

- `algorithm_4_1`: the journal's. It walks τ down from 55; each state that wants to roll also offers itself to
  the larger states from which a move leads to it.
- `appendix_algorithm`: the preprint's. States are gathered under the labels 0, 5, 1, 55, 51, by which moves can matter.
- `iteration`: W₀ = 0, Wₖ₊₁ = L Wₖ over all states; it rises to the smallest solution of V = L V.

All rest on one fact: from τ* = 56 on, stopping is best whatever the dice (`threshold`, `stop_bound`).
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil

from flint import fmpq

from .rules import (
    DICE,
    MOVES,
    NOTHING,
    ROLL,
    STOP,
    Action,
    Configuration,
    State,
    after_roll,
    configurations,
    frequencies,
    moves,
    moves_into,
    states_with,
)

LABELS = ("0", "5", "1", "55", "51")
_LABEL_OF = {
    Configuration(2, 0, 0): "5",
    Configuration(1, 1, 0): "5",
    Configuration(0, 2, 0): "1",
    Configuration(2, 1, 0): "55",
    Configuration(1, 2, 0): "51",
}


@dataclass(frozen=True)
class Solved:
    """V and A of every state below the threshold, and V of the start of the turn, in chips."""

    start: Fraction
    values: Mapping[State, Fraction]
    actions: Mapping[State, Action]


@cache
def stop_bound(n: int) -> Fraction:
    """Return Σ f(n,k) s(k) / f(n,0): from this τ on, stopping is as good as one more roll of n dice, then stopping."""
    gained = sum(count * shown.score for shown, count in frequencies(n).items())
    return Fraction(gained, frequencies(n)[NOTHING])


@cache
def threshold(n: int = DICE) -> int:
    """Return τ*(n), the least whole τ ≥ 1 that reaches `stop_bound`.

    >>> [threshold(n) for n in (1, 2, 3, 4, 5)]
    [1, 3, 7, 18, 56]
    """
    return max(1, ceil(stop_bound(n)))


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _rolled(tau: int, n: int, value_of: Callable[[State], fmpq]) -> fmpq:
    """Return V_r(τ, n) of equation (3.8)."""
    total = fmpq(0)
    for i, count in frequencies(n).items():
        if i != NOTHING:
            total += count * value_of(after_roll(tau, n, i))
    rolled: fmpq = total / 6**n
    return rolled


def all_states() -> Iterator[State]:
    """Yield every state below the threshold, larger τ first, in the order of Algorithm 4.1."""
    for tau in range(threshold() - 1, 0, -1):
        for n in range(DICE, 0, -1):
            for i in states_with(n):
                yield State(tau, i, n)


def algorithm_4_1(allowed: Collection[Action] = MOVES) -> Solved:
    """Solve the turn by Algorithm 4.1; line numbers are the paper's.

    With fewer moves `allowed` it solves the restricted games of section 5.1. A state offers itself to larger
    ones (line 14) before it could itself be improved by a move, so a move is followed by roll or stop, never by a move;
    `chained` gives the moves to allow if it were.
    """
    last = threshold() - 1
    values: dict[State, fmpq] = {}
    actions: dict[State, Action] = {}

    def value_of(state: State) -> fmpq:
        return values[state] if state.tau <= last else fmpq(state.tau)

    for tau in range(last, 0, -1):  # 1
        rolled = _rolled(tau, 5, value_of)
        for i in configurations():  # 2
            x = State(tau, i, 5)  # 3
            values[x], actions[x] = rolled, ROLL  # 4
        for n in range(4, 0, -1):  # 5
            rolled = _rolled(tau, n, value_of)
            for i in configurations(5 - n):  # 6
                x = State(tau, i, n)  # 7
                if rolled <= tau:  # 8
                    values[x], actions[x] = fmpq(tau), STOP  # 9
                else:
                    values[x], actions[x] = rolled, ROLL  # 11
                    # Larger states have more chips, so each y was visited before and has a value to improve.
                    for name, y in moves_into(x):  # 12
                        if y.tau <= last and name in allowed and values[y] < rolled:  # 13
                            values[y], actions[y] = rolled, name  # 14
    start = _rolled(0, 5, value_of)  # 15
    return Solved(_fraction(start), {x: _fraction(v) for x, v in values.items()}, actions)


def chained(allowed: Collection[Action]) -> frozenset[Action]:
    """Return the moves that come about when the allowed ones may follow one another.

    >>> sorted(chained(["m5", "m1"]))
    ['m1', 'm11', 'm5', 'm51', 'm511', 'm55', 'm551', 'mt1', 'mt5']
    """
    given_back = {name: {"mt5": "555", "mt1": "111"}.get(name, name.removeprefix("m")) for name in MOVES}
    name_of = {back: name for name, back in given_back.items()}
    reached = set(allowed)
    while True:
        sums = {"".join(sorted(given_back[a] + given_back[b], reverse=True)) for a in reached for b in allowed}
        more = {name_of[back] for back in sums if back in name_of} - reached
        if not more:
            return frozenset(reached)
        reached |= more


def appendix_algorithm() -> Solved:
    """Solve the turn by the algorithm that ends the preprint's appendix; line numbers are the preprint's.

    Lines 15 and 19 as printed write m55 and m51 where a single five is given back; this writes m5.
    """
    last = threshold() - 1
    best: dict[tuple[str, int, int], tuple[fmpq, Action]] = {}

    def label_of(i: Configuration, n: int) -> str:
        return "0" if n == DICE else _LABEL_OF.get(i, "0")

    def entry(label: str, tau: int, n: int) -> tuple[fmpq, Action]:
        return best[label, tau, n] if tau <= last else (fmpq(tau), STOP)

    def value_of(state: State) -> fmpq:
        return entry(label_of(state.configuration, state.n), state.tau, state.n)[0]

    def offer(label: str, tau: int, n: int, worth: fmpq, name: Action) -> None:
        if entry(label, tau, n)[0] < worth:
            best[label, tau, n] = worth, name

    for tau in range(last, -1, -1):  # 1
        best["0", tau, 5] = _rolled(tau, 5, value_of), ROLL  # 2
        for n in range(4, 0, -1):  # 3
            aux = _rolled(tau, n, value_of)  # 4
            for label in LABELS:  # 5
                best[label, tau, n] = (fmpq(tau), STOP) if aux <= tau else (aux, ROLL)  # 6-9
            if n >= 2:
                offer("5", tau + 1, n - 1, aux, "m5")  # 10-11
                offer("1", tau + 2, n - 1, aux, "m1")  # 12-13
            if 3 >= n >= 2:
                offer("55", tau + 1, n - 1, aux, "m5")  # 14-15
            if n >= 3:
                offer("55", tau + 2, n - 2, aux, "m55")  # 16-17
            if 3 >= n >= 2:
                offer("51", tau + 1, n - 1, aux, "m5")  # 18-19
            if n >= 3:
                offer("51", tau + 3, n - 2, aux, "m51")  # 20-21

    entries = {x: entry(label_of(x.configuration, x.n), x.tau, x.n) for x in all_states()}
    return Solved(
        _fraction(entry("0", 0, 5)[0]),
        {x: _fraction(worth) for x, (worth, _) in entries.items()},
        {x: name for x, (_, name) in entries.items()},
    )


@dataclass(frozen=True)
class Iterated:
    """The limit of the iteration, the starts W₁(ι), W₂(ι), … on the way, and whether no value ever fell."""

    solved: Solved
    starts: tuple[Fraction, ...]
    is_monotone: bool


def iteration(allowed: Collection[Action] = MOVES) -> Iterated:
    """Iterate Wₖ₊₁ = L Wₖ from W₀ = 0 until nothing changes, which happens after finitely many steps.

    One application of L is one action, so here moves chain: after m5 comes whatever is best. From the threshold on
    W₁ = W₂ = … = τ (Lemma 4.1), so only the finitely many states below it are kept.
    """
    last = threshold() - 1
    values = {x: fmpq(0) for x in all_states()}
    smaller = {x: [(name, y) for name, y in moves(x) if name in allowed] for x in values}
    outside = fmpq(0)
    starts: list[Fraction] = []
    is_monotone = True
    while True:

        def before(state: State, beyond: fmpq = outside, known: dict[State, fmpq] = values) -> fmpq:
            return known[state] if state.tau <= last else state.tau * beyond

        rolled = {(tau, n): _rolled(tau, n, before) for tau in range(last + 1) for n in range(1, DICE + 1)}
        after: dict[State, fmpq] = {}
        actions: dict[State, Action] = {}
        for x in values:
            best, chosen = fmpq(x.tau), STOP
            if rolled[x.tau, x.n] > best:
                best, chosen = rolled[x.tau, x.n], ROLL
            for name, y in smaller[x]:
                if values[y] > best:
                    best, chosen = values[y], name
            after[x], actions[x] = best, chosen
        starts.append(_fraction(rolled[0, DICE]))
        is_monotone = is_monotone and all(after[x] >= values[x] for x in values)
        if after == values and outside == 1:
            solved = Solved(starts[-1], {x: _fraction(v) for x, v in values.items()}, actions)
            return Iterated(solved, tuple(starts), is_monotone)
        values, outside = after, fmpq(1)
