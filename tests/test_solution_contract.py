"""Every solution answers the questions of `Solution`, whatever the game and the goal."""

import pytest

from jeopardice import CantStop, Hog, Pig, Race, Rate, Simultaneous, TenThousand, Turn, Yahtzee, solve
from jeopardice.errors import RulesError
from jeopardice.solution import Solution

SMALL = CantStop(sides=3, shortest=2)
GOALS = {
    "turn": (Turn(Pig()), {}),
    "alone": (Race(Pig(), 20), {}),
    "duel": (Race(Pig(), 20, players=2), {}),
    "several": (Race(Pig(), 10, players=3), {}),
    "piggyback": (Race(TenThousand(), 1000, players=2, piggyback=True), {}),
    "rate": (Rate(Pig()), {}),
    "at the same time": (Simultaneous(Hog(dice_limit=2), 10), {}),
    "board": (Race(SMALL), {}),
    "two boards": (Race(SMALL, players=2), {}),
    "bracket": (Race(SMALL), {"started": 1}),
    "card": (Race(Yahtzee()), {}),
}
QUESTIONS = [name for name in dir(Solution) if not name.startswith("_")]
NO_STRATEGY = ("rate", "at the same time")


@pytest.fixture(scope="module")
def solved():
    return {name: solve(goal, **how) for name, (goal, how) in GOALS.items()}


@pytest.mark.parametrize("name", GOALS)
def test_a_solution_answers_every_question(solved, name):
    solution = solved[name]
    missing = [
        question for question in QUESTIONS if not hasattr(type(solution), question) and question not in vars(solution)
    ]
    assert not missing
    assert solution.value == solution.values[0] and len(solution.values) == solution.goal.players
    assert solution.certify() is solution and solution.certificate is not None
    assert solution.certificate.bound == solution.error_bound
    first = dict(next(iter(solution.rows())))
    assert first and all(name.isidentifier() or name.isdigit() for name in first)
    assert isinstance(solution.blocks(), dict) and callable(solution.at)
    assert solution.advise().best == solution.advise().options[0]


@pytest.mark.parametrize("name", [name for name in GOALS if name not in NO_STRATEGY])
def test_every_seat_has_a_best_strategy(solved, name):
    solution = solved[name]
    for seat in range(solution.goal.players):
        assert solution.strategy(seat).name


@pytest.mark.parametrize("name", NO_STRATEGY)
def test_best_play_that_is_no_plain_strategy_is_refused_in_one_line(solved, name):
    with pytest.raises(RulesError, match=r"best play .* advise"):
        solved[name].strategy()


def test_the_bounds_of_a_bracket_hold_for_every_board_in_its_rows(solved):
    """Rows name one board of every cell; the solved board lies between the bounds."""
    values = {tuple(row.values())[:-1]: row["value"] for row in solved["board"].rows()}
    rows = list(solved["bracket"].rows())
    for row in rows:
        *board, lower, upper = row.values()
        assert lower <= values[tuple(board)] + 1e-12 and values[tuple(board)] <= upper + 1e-12
    assert len(rows) < len(values)
    assert any(row["upper"] - row["lower"] > 1e-6 for row in rows)
