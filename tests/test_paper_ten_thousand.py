"""The Ten Thousand paper's own algorithms: they agree with each other and with the print, but for its misprints.

Journal: J. Appl. Prob. 53 (2016), 91-105. The preprint numbers its tables otherwise (in brackets where both are meant).
"""

from fractions import Fraction
from itertools import pairwise

import pytest
from flint import arb

from jeopardice.papers import ten_thousand as paper
from jeopardice.papers.ten_thousand import Configuration, State, value
from jeopardice.papers.ten_thousand.algorithms import Iterated, Solved
from jeopardice.papers.ten_thousand.pig import applied
from jeopardice.papers.ten_thousand.tables import column_states

ALL_STATES = tuple(paper.all_states())
POSSIBLE = tuple(x for x in ALL_STATES if x.tau >= x.configuration.score)
CHAINED = {  # Table 7 with moves that may follow one another, to twelve decimals
    (): "5.576326278248",
    ("m5",): "5.856594405691",
    ("m5", "m1"): "5.872018918466",
    ("m5", "m1", "m55"): "5.872018918466",
}
PIG = paper.pig_values()


@pytest.fixture(scope="module")
def solved() -> Solved:
    return paper.algorithm_4_1()


@pytest.fixture(scope="module")
def iterated() -> Iterated:
    return paper.iteration()


@pytest.fixture(scope="module")
def appendix() -> Solved:
    return paper.appendix_algorithm()


# The rules


def test_score_follows_the_formula_of_section_2_1() -> None:
    for i in paper.configurations():
        assert i.score == i.f + 2 * i.o + 14 * (i.o >= 3) + 7 * (i.f >= 3) + 2 * i.t


def test_frequencies_count_every_roll_once() -> None:
    assert [sum(paper.frequencies(n).values()) for n in range(1, 6)] == [6**n for n in range(1, 6)]
    assert len(paper.configurations()) == 44


def test_a_move_lowers_score_and_dice_and_keeps_the_chips_of_earlier_rolls() -> None:
    for x in ALL_STATES:
        for _, y in paper.moves(x):
            assert 0 < y.configuration.combinations < x.configuration.combinations
            assert y.tau - y.configuration.score == x.tau - x.configuration.score
            assert y.n + y.configuration.dice == x.n + x.configuration.dice


# The algorithms


def test_values_satisfy_the_dynamic_programming_equation(solved: Solved) -> None:
    """Equation (3.9), with V_r summed again in `Fraction`."""
    for x in ALL_STATES:
        moved = [value(*y) for _, y in paper.moves(x)]
        assert solved.values[x] == max([Fraction(x.tau), paper.roll_value(x.tau, x.n), *moved])
    assert solved.start == paper.roll_value(0, 5)


def test_algorithm_4_1_is_the_limit_of_the_iteration_from_zero(solved: Solved, iterated: Iterated) -> None:
    assert iterated.solved.values == solved.values
    assert iterated.solved.start == solved.start
    assert iterated.is_monotone
    assert list(iterated.starts) == sorted(iterated.starts)
    assert iterated.starts[0] == 0 < iterated.starts[1] < solved.start


def test_appendix_algorithm_agrees_on_every_state_that_is_worth_what_it_shows(solved: Solved, appendix: Solved) -> None:
    """It walks down to τ = 0, so nine states with τ < s(i), which no turn can reach, may move to "0 chips"."""
    assert appendix.start == solved.start
    assert all(appendix.values[x] == solved.values[x] for x in POSSIBLE)
    assert all(appendix.actions[x] == solved.actions[x] for x in POSSIBLE)
    different = {x for x in ALL_STATES if appendix.values[x] != solved.values[x]}
    assert len(different) == 9
    assert different.isdisjoint(POSSIBLE) and different.isdisjoint(paper.reachable_states())


def test_appendix_equations_hold(solved: Solved) -> None:
    """Equations (E0) to (E1t) of the preprint, for all states with τ ≥ s(i); t ranges over 2, 3, 4, 6."""

    def v(tau: int, i: tuple[int, int, int], n: int) -> Fraction:
        return value(tau, i, n)

    def v0(tau: int, n: int) -> Fraction:
        return max(Fraction(tau), paper.roll_value(tau, n))

    for tau, i, n in POSSIBLE:
        t = i.t
        step = {  # what each configuration is compared with besides V0
            (2, 0, 0): lambda tau, n: [v0(tau - 1, n + 1)],
            (1, 1, 0): lambda tau, n: [v0(tau - 1, n + 1)],
            (0, 2, 0): lambda tau, n: [v0(tau - 2, n + 1)],
            (2, 1, 0): lambda tau, n: [v(tau - 1, (2, 0, 0), n + 1)],
            (1, 2, 0): lambda tau, n: [v(tau - 1, (0, 2, 0), n + 1)],
            (3, 0, 0): lambda tau, n: [v(tau - 8, (2, 0, 0), n + 1)],
            (0, 3, 0): lambda tau, n: [v(tau - 16, (0, 2, 0), n + 1)],
            (2, 2, 0): lambda tau, n: [v(tau - 1, (1, 2, 0), 2)],
            (1, 3, 0): lambda tau, n: [v(tau - 1, (0, 3, 0), 2)],
            (4, 0, 0): lambda tau, n: [v(tau - 1, (3, 0, 0), 2)],
            (3, 1, 0): lambda tau, n: [v(tau - 2, (3, 0, 0), 2), v(tau - 8, (2, 1, 0), 2)],
            (0, 4, 0): lambda tau, n: [v(tau - 2, (0, 3, 0), 2)],
            (1, 0, t): lambda tau, n, t=t: [v0(tau - 1, 2), v0(tau - 2 * t, 4)],
            (0, 1, t): lambda tau, n, t=t: [v0(tau - 2, 2), v0(tau - 2 * t, 4)],
        }
        rivals = step[i](tau, n) if n < 5 and i.combinations > 1 else []
        assert solved.values[tau, i, n] == max([v0(tau, n), *rivals])


def test_value_is_the_exact_fraction(solved: Solved) -> None:
    numerator, denominator = solved.start.as_integer_ratio()
    assert numerator == 121641015674847448340982258132218446206307
    assert denominator == 20715365083774675788592339525763025862656


# Theorem and lemmas


def test_threshold_of_five_dice_is_56_and_covers_fewer_dice() -> None:
    assert [paper.stop_bound(n) for n in range(1, 6)] == [
        Fraction(3, 4),
        Fraction(9, 4),
        Fraction(25, 4),
        Fraction(1221, 68),
        Fraction(2793, 50),
    ]
    assert paper.threshold() == 56
    assert max(paper.stop_bound(n) for n in range(1, 6)) < 56


def test_lemma_4_1(solved: Solved) -> None:
    """Below 56 the value is at most 56, and above τ with five dice; from 56 on it is τ."""
    assert all(x.tau <= solved.values[x] <= 56 for x in ALL_STATES)
    assert all(solved.values[x] > x.tau for x in ALL_STATES if x.n == 5)
    for tau in range(56, 90):
        for i in paper.configurations(4):
            n = 5 - i.dice
            assert paper.best_actions(tau, i, n) == ("s",) and value(tau, i, n) == tau


def test_value_rises_with_the_chips_at_risk(solved: Solved) -> None:
    """Inequality (10) of the preprint."""
    assert all(solved.values[x] < value(x.tau + 1, x.configuration, x.n) for x in ALL_STATES)


def test_only_four_moves_are_ever_best_and_nothing_ties() -> None:
    best = {x: paper.best_actions(*x) for x in ALL_STATES}
    assert all(len(actions) == 1 for actions in best.values())
    assert {actions[0] for actions in best.values()} == {"s", "r", "m5", "m1", "m55", "m51"}
    assert all(paper.solved().actions[x] == best[x][0] for x in ALL_STATES)


def test_a_best_played_turn_lasts_16_rolls_at_most_well_within_57() -> None:
    assert paper.longest_turn() == 16


def test_states_with_fewest_chips_at_five_dice_cannot_occur() -> None:
    """Tables 5 and 6 print some cells that no turn reaches, as five dice come back with 5 chips at least."""
    with_five = {x.tau for x in paper.reachable_states() if x.n == 5}
    assert with_five == set(range(5, 56))


# The print


@pytest.mark.parametrize(("version", "figures"), [("journal", 2669), ("preprint", 2668)])
def test_every_printed_figure_agrees_but_for_the_misprints(version: str, figures: int) -> None:
    """Tables 1, 2, 4, 5, 6, 7 (preprint 1, 3, 5, 6, 4), their captions, and the figures in the text."""
    compared = paper.comparison(version)
    assert len(compared) == figures
    few, five, restricted = (
        ("Table 5", "Table 6", "Table 7") if version == "journal" else ("Table 6", "Table 6", "Table 4")
    )
    expected = {
        (few, "τ=3, n=2, [2, 0, 0] [1, 1, 0], action", "r", "m5"),
        (few, "τ=4, n=2, [2, 0, 0] [1, 1, 0], action", "r", "m5"),
        (few, "τ=3, n=2, [1, 0, 0], action (caption)", "s", "r"),
        (five, "τ=0, n=5, all i", "5.8721", "5.8720"),
        (restricted, "3 actions, value", "5.8012180037", "5.8011800370"),
    }
    if version == "preprint":
        expected.add(("text", "Section 5.2: growth rate", "1.0646", "1.0461"))
    assert {cell[1:5] for cell in compared if cell.verdict == "misprint"} == expected
    padded = [cell for cell in compared if cell.verdict == "padded"]
    assert len(padded) == (12 if version == "journal" else 0)
    assert all(cell.table == "Table 6" for cell in padded)


def test_table_5_misprint_action_with_two_dice_is_m5() -> None:
    """The printed 3.447 and 4.123 are the worth of giving back a five; rolling two dice is worth less."""
    for tau, shown in ((3, "3.447"), (4, "4.123")):
        worth = paper.action_values(tau, (2, 0, 0), 2)
        assert worth["m5"] == value(tau, (2, 0, 0), 2) == paper.roll_value(tau - 1, 3) > max(worth["r"], worth["s"])
        assert f"{float(worth['m5']):.3f}" == shown
    assert paper.action_values(4, (2, 0, 0), 2)["r"] < 4


def test_table_5_misprint_three_fives_in_turn_roll_on_with_two_dice(solved: Solved) -> None:
    """The caption has stop for every other state with two dice; three fives rolled one by one are worth more than 3."""
    x = State(3, Configuration(1, 0, 0), 2)
    before = (State(1, Configuration(1, 0, 0), 4), State(2, Configuration(1, 0, 0), 3))
    assert [solved.actions[y] for y in before] == ["r", "r"]
    assert solved.actions[x] == "r"
    assert solved.values[x] == paper.roll_value(3, 2) > 3
    assert f"{float(solved.values[x]):.4f}" == "3.1726"
    with_one_die = [y for y in paper.reachable_states() if y.n == 1]
    assert all(solved.actions[y] == "s" for y in with_one_die)


def test_table_6_misprint_first_value_rounds_to_5_8720(solved: Solved) -> None:
    assert Fraction("5.87195") < solved.start < Fraction("5.87205")
    assert round(solved.start, 10) == Fraction("5.8720189185")


def test_table_7_misprint_row_of_three_actions() -> None:
    """The printed 5.8012180037 is 5.801180037 with a 2 slipped in."""
    exact = paper.algorithm_4_1(("m5",)).start
    assert round(exact, 9) == Fraction("5.801180037")
    assert "5.801" + "2" + "180037" == "5.8012180037"


def test_table_7_with_chained_moves_has_other_values() -> None:
    """Where m5 may follow m5, two rows change, and m5 and m1 are enough for the value of the full game."""
    for allowed, shown in CHAINED.items():
        assert round(paper.algorithm_4_1(paper.chained(allowed)).start, 12) == Fraction(shown)
    assert paper.algorithm_4_1(paper.chained(("m5", "m1"))).start == paper.solved().start
    # The iteration takes one action at a time, so in it moves follow one another by themselves.
    assert paper.chained(("m5",)) == {"m5", "m55", "mt5"}
    assert paper.iteration(("m5",)).solved.values == paper.algorithm_4_1(("m5", "m55", "mt5")).values


def test_table_5_values_of_move_columns_stand_in_the_column_they_move_to(solved: Solved) -> None:
    """As the caption says."""
    table = paper.printed()["journal"]["few"]
    shown = {x: figure for tau, row in table["rows"] for column, figure in zip(table["columns"], row, strict=True)
             for x in (column_states(column, table, tau) if tau else ()) if figure != "–"}  # fmt: skip
    moved = {x: dict(paper.moves(x))[solved.actions[x]] for x in shown if solved.actions[x].startswith("m")}
    assert len(moved) > 30
    assert all(shown[y] == shown[x] for x, y in moved.items())


def test_a_state_that_does_not_exist_is_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match=r"a state needs tau >= 1.*got tau=3, configuration=\(3, 0, 0\), n=4"):
        value(3, (3, 0, 0), 4)


# Section 5.2, Pig


def test_pig_value_and_threshold() -> None:
    assert paper.pig_threshold() == 20
    assert PIG[0] == Fraction(492303203, 60466176)
    assert all(PIG[tau] > tau for tau in range(20))


def test_pig_value_is_reached_from_zero_so_it_is_the_smallest_solution() -> None:
    steps = paper.pig_iteration()
    assert steps[-1] == PIG
    assert all(a <= b for one, next_one in pairwise(steps) for a, b in zip(one, next_one, strict=True))
    assert all(applied(tau, Fraction) == tau for tau in range(20, 200))


def test_preprint_misprint_growth_rate_is_1_0461_not_1_0646() -> None:
    def excess(rate: str) -> Fraction:
        return sum(Fraction(rate) ** power for power in range(2, 7)) - 6

    assert excess("1.04605") < 0 < excess("1.04615")
    assert excess("1.06455") > Fraction(2, 5)
    rate = paper.growth_rate(60)
    assert sum(rate**power for power in range(2, 7)).contains(arb(6))
    assert arb("1.04610393") < rate < arb("1.04610394")


def test_pig_equation_has_other_solutions_all_above_the_value() -> None:
    """c·λ^τ solves (5.1) for every c from this one on: it is at least τ, and its six-step mean is itself."""
    other = paper.other_solution()
    value_of = [*PIG, *map(Fraction, range(20, 400))]
    assert other.touches == 22
    for tau, smallest in enumerate(value_of):
        assert tau == other.touches or other(tau) > arb(smallest.numerator) / smallest.denominator
        assert (sum(other(tau + pip) for pip in range(2, 7)) / 6 - other(tau)).contains(0)
    # Beyond, λ^τ/τ only rises: λ > (τ + 1)/τ from τ = 22 on.
    assert other.rate > arb(23) / 22
