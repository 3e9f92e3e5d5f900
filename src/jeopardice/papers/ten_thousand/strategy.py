"""What Algorithm 4.1 finds, asked state by state: values, best actions, what can occur, how long a turn lasts."""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from .algorithms import Solved, algorithm_4_1, threshold
from .rules import DICE, NOTHING, ROLL, STOP, Action, Configuration, State, after_roll, frequencies, moves, states_with


@cache
def solved() -> Solved:
    """Return the solution by Algorithm 4.1, computed once."""
    return algorithm_4_1()


def value(tau: int, configuration: Iterable[int], n: int) -> Fraction:
    """Return V(τ, i, n) in chips; `configuration` is (f, o, t).

    >>> float(value(3, (1, 0, 0), 2))
    3.172609074973105
    """
    return _value(checked_state(tau, configuration, n))


def checked_state(tau: int, configuration: Iterable[int], n: int) -> State:
    """Return the state, or say why there is none."""
    i = Configuration(*configuration)
    if tau < 1 or n not in range(1, DICE + 1) or i not in states_with(n):
        raise ValueError(
            "a state needs tau >= 1, n from 1 to 5 and a scoring configuration of at most 5 - n dice (any for n = 5), "
            f"got tau={tau!r}, configuration={tuple(i)!r}, n={n!r}"
        )
    return State(tau, i, n)


def _value(state: State) -> Fraction:
    return solved().values[state] if state.tau < threshold() else Fraction(state.tau)


@cache
def roll_value(tau: int, n: int) -> Fraction:
    """Return V_r(τ, n): the worth of rolling n dice with τ chips at risk and playing on as well as possible.

    >>> roll_value(0, 5) == solved().start
    True
    """
    scoring = [(count, after_roll(tau, n, i)) for i, count in frequencies(n).items() if i != NOTHING]
    return Fraction(sum(count * _value(state) for count, state in scoring), 6**n)


def action_values(tau: int, configuration: Iterable[int], n: int) -> dict[Action, Fraction]:
    """Return the worth of every action of a state; a move counts as followed by roll or stop, whichever is better."""
    state = checked_state(tau, configuration, n)
    worth = {STOP: Fraction(tau), ROLL: roll_value(tau, n)}
    return worth | {name: max(Fraction(y.tau), roll_value(y.tau, y.n)) for name, y in moves(state)}


def best_actions(tau: int, configuration: Iterable[int], n: int) -> tuple[Action, ...]:
    """Return every action that attains V(τ, i, n): more than one in a tie.

    >>> best_actions(3, (2, 0, 0), 2)
    ('m5',)
    """
    worth = action_values(tau, configuration, n)
    return tuple(name for name in worth if worth[name] == max(worth.values()))


@cache
def reachable_states() -> frozenset[State]:
    """Return the states below the threshold that some way of playing can reach from the start of the turn."""
    reached: set[State] = set()
    waiting = [after_roll(0, DICE, i) for i in frequencies(DICE) if i != NOTHING]
    while waiting:
        x = waiting.pop()
        if x.tau < threshold() and x not in reached:
            reached.add(x)
            waiting += [after_roll(x.tau, x.n, i) for i in frequencies(x.n) if i != NOTHING]
            waiting += [y for _, y in moves(x)]
    return frozenset(reached)


def longest_turn() -> int:
    """Return the most rolls that a turn under the optimal strategy can last; the paper bounds it by 57."""

    @cache
    def rolls_from(state: State) -> int:
        action = STOP if state.tau >= threshold() else solved().actions[state]
        if action == STOP:
            return 0
        if action == ROLL:
            return most_from(state.tau, state.n)
        return rolls_from(dict(moves(state))[action])

    @cache
    def most_from(tau: int, n: int) -> int:
        return 1 + max(rolls_from(after_roll(tau, n, i)) for i in frequencies(n) if i != NOTHING)

    return most_from(0, DICE)
