"""Hog: the rules, alone, in turns and at the same time."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jeopardice import Race, Simultaneous, Turn, load, solve
from jeopardice.cli import main
from jeopardice.errors import PositionError, RulesError
from jeopardice.games.hog import Hog
from jeopardice.games.pig import Pig
from jeopardice.graphs.stochastic import END, StochasticGame
from jeopardice.graphs.strategy_iteration import solve_stochastic_game
from jeopardice.points.simulate import SimulatedTurns, simulate
from jeopardice.points.simultaneous import (
    SimultaneousSolution,
    solve_one_turn,
    solve_simultaneous,
    turn_laws,
)
from jeopardice.points.strategy import BestPlay
from jeopardice.rules.game import PointsGame
from jeopardice.rules.goal import BothReach


def test_the_law_of_three_dice_by_counting_all_falls() -> None:
    counts: dict[int, int] = {}
    for dice in product(range(1, 7), repeat=3):
        points = 0 if 1 in dice else sum(dice)
        counts[points] = counts.get(points, 0) + 1
    assert turn_laws(Hog())[3] == {points: Fraction(count, 216) for points, count in counts.items()}


def test_with_a_one_the_berkeley_rules_leave_a_point() -> None:
    law = turn_laws(Hog(dice_limit=10, on_one="one point"))[1]
    assert law == {1: Fraction(1, 6)} | {pips: Fraction(1, 6) for pips in range(2, 7)}


def test_five_or_six_dice_earn_most_in_a_turn() -> None:
    """The mean of n dice is 4n·(5/6)^n: 5 and 6 tie at 8.0376."""
    means = {n: sum(points * chance for points, chance in law.items()) for n, law in turn_laws(Hog()).items()}
    assert means == {n: 4 * n * Fraction(5, 6) ** n for n in range(1, 31)}
    assert means[5] == means[6] == max(means.values())


def fewest_turns(laws: dict[Any, dict[int, Fraction]], target: int) -> float:
    """Turns to go from each distance, by the equation E(d) = 1 + sum of chances·E(d − points), solved for E(d)."""
    turns = [0.0]
    for d in range(1, target + 1):
        options = []
        for law in laws.values():
            later = sum(float(chance) * turns[max(0, d - points)] for points, chance in law.items() if points)
            options.append((1 + later) / (1 - float(law.get(0, 0))))
        turns.append(min(options))
    return turns[target]


def test_alone_to_100() -> None:
    """Tijms 2007: 13.039 turns at best, 13.623 with five dice always."""
    laws = turn_laws(Hog())
    assert fewest_turns(laws, 100) == pytest.approx(13.039, abs=5e-4)
    assert fewest_turns({5: laws[5]}, 100) == pytest.approx(13.623, abs=5e-4)
    assert solve(Race(Hog(), 100)).value == pytest.approx(fewest_turns(laws, 100), abs=1e-11)


def in_turns(game: Hog, target: int) -> StochasticGame:
    """Hog for two in turns, written out: (player, score of one, score of two)."""
    laws = turn_laws(game)

    def chances(position: tuple[int, int, int], one: Any, two: Any) -> dict[Any, float]:
        player, *scores = position
        result: dict[Any, float] = {}
        for points, chance in laws[one if player == 1 else two].items():
            after = list(scores)
            after[player - 1] += points
            to = END if after[player - 1] >= target else (3 - player, *after)
            result[to] = result.get(to, 0.0) + float(chance)
        return result

    return StochasticGame.from_rules(
        [(1, 0, 0)],
        row_plays=lambda position: list(laws) if position[0] == 1 else ["wait"],
        column_plays=lambda position: list(laws) if position[0] == 2 else ["wait"],
        payoff=lambda position, one, two: chances(position, one, two).get(END, 0.0) * (position[0] == 1),
        chances=chances,
    )


@pytest.mark.parametrize("game", [Hog(dice_limit=4), Hog(dice_limit=4, on_one="one point")])
def test_in_turns_written_out_agrees_with_the_engine(game: Hog) -> None:
    target = 14
    engine = solve(Race(game, target, players=2)).worths[0]
    solution = solve_stochastic_game(in_turns(game, target))
    for position in solution.game.positions:
        player, mine, theirs = position  # type: ignore[misc]
        expected = engine[mine, theirs] if player == 1 else 1 - engine[theirs, mine]
        assert solution.value_at(position) == pytest.approx(expected, abs=1e-13)


def at_once(game: PointsGame, target: int, both_reach: BothReach) -> StochasticGame:
    """The race where both choose at the same time, as a general stochastic game."""
    laws = turn_laws(game)

    def outcome(mine: int, theirs: int) -> float | None:
        if mine < target and theirs < target:
            return None
        if mine >= target and theirs >= target:
            return 0.5 if both_reach == "share" else 0.5 + 0.5 * float(np.sign(mine - theirs))
        return float(mine >= target)

    def falls(position: tuple[int, int], one: Any, two: Any) -> list[tuple[int, int, float]]:
        return [
            (position[0] + x, position[1] + y, float(p * q)) for x, p in laws[one].items() for y, q in laws[two].items()
        ]

    def chances(position: tuple[int, int], one: Any, two: Any) -> dict[Any, float]:
        result: dict[Any, float] = {}
        for mine, theirs, chance in falls(position, one, two):
            to = (mine, theirs) if outcome(mine, theirs) is None else END
            result[to] = result.get(to, 0.0) + chance
        return result

    return StochasticGame.from_rules(
        [(0, 0)],
        row_plays=lambda position: list(laws),
        column_plays=lambda position: list(laws),
        payoff=lambda position, one, two: sum(
            chance * (outcome(mine, theirs) or 0.0) for mine, theirs, chance in falls(position, one, two)
        ),
        chances=chances,
    )


@pytest.mark.parametrize("both_reach", ["higher", "share"])
@pytest.mark.parametrize("game", [Hog(dice_limit=3), Hog(dice_limit=3, on_one="one point")])
def test_at_the_same_time_two_solvers_agree(game: Hog, both_reach: BothReach) -> None:
    target = 8
    general = solve_stochastic_game(at_once(game, target, both_reach))
    quick = solve_simultaneous(game, target, both_reach=both_reach)
    for position in general.game.positions:
        mine, theirs = position  # type: ignore[misc]
        assert general.value_at(position) == pytest.approx(quick.value_at(mine, theirs), abs=1e-12)
    assert quick.error_bound < 1e-12 and general.error_bound < 1e-11


@pytest.fixture(scope="module")
def to_100() -> SimultaneousSolution:
    return solve_simultaneous(Hog(dice_limit=20), 100)


def test_at_the_same_time_to_100_satisfies_the_equation(to_100: SimultaneousSolution) -> None:
    """The mixture of the row guarantees the value against every number of dice, position by position."""
    laws = turn_laws(Hog(dice_limit=20))

    def worth(mine: int, theirs: int) -> float:
        if mine >= 100 and theirs >= 100:
            return 0.5 + 0.5 * float(np.sign(mine - theirs))
        if mine >= 100 or theirs >= 100:
            return float(mine >= 100)
        return to_100.value_at(mine, theirs)

    for mine, theirs in ((99, 99), (80, 95), (95, 80), (40, 70), (0, 0)):
        row = to_100.mixture(mine, theirs)
        for two in (1, 2, 5, 8, 20):
            gets = sum(
                weight * float(p) * float(q) * worth(mine + x, theirs + y)
                for one, weight in row.items()
                for x, p in laws[one].items()
                for y, q in laws[two].items()
            )
            assert gets >= to_100.value_at(mine, theirs) - 1e-12


def test_at_the_same_time_the_game_is_fair_and_sometimes_mixed(to_100: SimultaneousSolution) -> None:
    assert to_100.values + to_100.values.T == pytest.approx(np.ones((100, 100)), abs=1e-15)
    assert to_100.value == 0.5
    assert to_100.error_bound < 1e-11
    assert ((to_100.weights > 0).sum(axis=2) > 1).any()
    assert to_100.weights.sum(axis=2) == pytest.approx(np.ones((100, 100)))
    assert set(to_100.mixture(99, 99)) == {2, 3, 5}


def test_one_turn_at_the_same_time_is_the_end_of_the_race() -> None:
    """At 99:99 the player who scores more wins and a turn without points for both is played again, so the mixtures agree."""
    mixture, game = solve_one_turn(Hog(dice_limit=20))
    assert game.value == pytest.approx(0.5)
    race = solve_simultaneous(Hog(dice_limit=20), 1)
    assert mixture == pytest.approx(race.mixture(0, 0), abs=1e-9)


def test_one_turn_of_pig_at_the_same_time() -> None:
    """Choices "stop from h on": the best mixture wins at least half against each of them."""

    def law_of_stopping(at: int) -> dict[int, Fraction]:
        at_risk, law = {0: Fraction(1)}, dict[int, Fraction]()
        for points in range(at):
            chance = at_risk.get(points, Fraction(0))
            law[0] = law.get(0, Fraction(0)) + chance / 6
            for pips in range(2, 7):
                into = law if points + pips >= at else at_risk
                into[points + pips] = into.get(points + pips, Fraction(0)) + chance / 6
        return law

    laws = {at: law_of_stopping(at) for at in range(1, 40)}
    assert all(sum(law.values()) == 1 for law in laws.values())
    mixture, game = solve_one_turn(laws)
    assert game.lower <= 0.5 <= game.upper and game.upper - game.lower < 1e-13
    for other in laws.values():
        wins = sum(
            weight * float(p * q) * (0.5 + 0.5 * float(np.sign(x - y)))
            for at, weight in mixture.items()
            for x, p in laws[at].items()  # type: ignore[index]
            for y, q in other.items()
        )
        assert wins >= 0.5 - 1e-12


def test_what_cannot_be_played_is_refused() -> None:
    for wrong in ({"dice_limit": 0}, {"sides": 1}, {"on_one": "all"}):
        with pytest.raises(RulesError):
            Hog(**wrong)  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="opens with a roll"):
        solve_simultaneous(Pig(), 10)
    with pytest.raises(RulesError, match="some chance to score"):
        solve_simultaneous({"never": {0: Fraction(1)}}, 10)
    with pytest.raises(PositionError, match="between 0 and 4"):
        solve_simultaneous(Hog(dice_limit=2), 5).value_at(5, 0)
    with pytest.raises(ValueError, match="both_reach"):
        solve_simultaneous(Hog(), 5, both_reach="first")  # type: ignore[arg-type]


def test_simultaneous_is_a_goal_like_any_other(tmp_path: Path) -> None:
    goal = Simultaneous(Hog(dice_limit=8), target=30)
    solution: Any = solve(goal)
    assert solution.goal == goal and solution.value == 0.5 and solution.error_bound < 1e-10
    again: Any = load(solution.save(tmp_path / "hog"))
    assert again.goal == goal and again.at(20, 28) == solution.at(20, 28)
    assert again.mixture(20, 28) == solution.mixture(20, 28) and again.advise(mine=20) == solution.advise(mine=20)
    assert Simultaneous(Hog()).target == 100


@pytest.mark.parametrize("both_reach", ["higher", "share"])
def test_mixed_choices_are_worth_the_value_and_no_other_is_worth_more(both_reach: BothReach) -> None:
    solution: Any = solve(Simultaneous(Hog(dice_limit=8), target=25, both_reach=both_reach))
    mixed = 0
    for mine, theirs in product(range(0, 25, 3), range(0, 25, 4)):
        advice, value = solution.advise(mine=mine, theirs=theirs), solution.at(mine, theirs)
        chances = solution.mixture(mine, theirs)
        assert sum(chances.values()) == pytest.approx(1)
        assert {option.mode for option in advice.options} == set(range(1, 9))
        for option in advice.options:
            assert option.value <= value + 1e-11
            assert option.mode not in chances or option.value == pytest.approx(value, abs=1e-11)
        mixed += len(chances) > 1
    assert mixed > 5 or both_reach == "share"


def test_progress_of_simultaneous_play_rises() -> None:
    seen: list[tuple[int, int]] = []
    solve(Simultaneous(Hog(dice_limit=3), target=12), progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen) and seen[0][0] == 0 and seen[-1][0] < seen[-1][1] == 78


def test_simultaneous_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rules = ["hog", "simultaneous", "--dice-limit", "6", "--target", "20"]
    solution: Any = solve(Simultaneous(Hog(dice_limit=6), target=20))
    assert main(["solve", *rules, "--mine", "15", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["value"] == 0.5 and [p["theirs"] for p in found["positions"]] == list(range(20))
    assert found["positions"][18]["value"] == solution.at(15, 18)
    assert {int(dice): chance for dice, chance in found["positions"][18]["mixture"].items()} == solution.mixture(15, 18)
    assert main(["solve", *rules]) == 0
    assert "19 : 19" in capsys.readouterr().out
    assert main(["advise", *rules, "--mine", "15", "--theirs", "18", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == pytest.approx(solution.at(15, 18), abs=1e-12)
    picture = tmp_path / "mixture.png"
    assert main(["plot", *rules, "--theirs", "0,10,19", "--out", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 20_000
    assert main(["export", *rules, "--out", str(tmp_path / "hog.csv")]) == 0
    header, first = (tmp_path / "hog.csv").read_text().splitlines()[:2]
    assert header == "mine,theirs,value," + ",".join(f"chance_of_{n}" for n in range(1, 7)) and first.startswith(
        "0,0,0.5"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["solve", "pig", "simultaneous"], "opens with a roll"),
        (["solve", "hog", "simultaneous", "--within", "3"], "--within belongs to a race in turns"),
        (["solve", "hog", "simultaneous", "--opponent", "hog"], "--opponent belongs to a race in turns"),
        (
            ["solve", "hog", "simultaneous", "--both-reach", "first"],
            "--both-reach is one of higher, share, got 'first'",
        ),
        (["solve", "hog", "simultaneous", "--exact"], "leave out exact"),
        (["solve", "hog", "duel", "--both-reach", "share"], "belongs to simultaneous"),
        (["solve", "hog", "duel", "--mine", "3"], "--mine belongs to simultaneous"),
        (["solve", "hog", "simultaneous", "--target", "10", "--mine", "10"], "between 0 and 9"),
        (["plot", "hog", "simultaneous", "--target", "10", "--theirs", "10"], "between 0 and 9"),
        (["compare", "hog", "simultaneous"], "after the game comes duel, alone or race, got 'simultaneous'"),
    ],
)
def test_what_simultaneous_play_has_not_is_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert main(words) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


def test_goals_that_a_simultaneous_race_has_not() -> None:
    with pytest.raises(TypeError, match="a game answers opening"):
        solve(Simultaneous("no game", 10))
    with pytest.raises(ValueError, match="least 1"):
        Simultaneous(Hog(), target=0)
    assert Race(Hog(), players=2) != Simultaneous(Hog())


def test_advice_says_how_many_dice_to_roll() -> None:
    """The best numbers of dice for one turn are 5 and 6, with the same mean 8.0375."""
    advice = solve(Turn(Hog())).advise()
    assert {option.play for option in advice.ties} == {"roll 5 dice", "roll 6 dice"}
    assert len(advice.options) == 30 and advice.options[-1].play == "roll 30 dice"


def test_many_dice_can_be_simulated() -> None:
    """With 30 dice some sums are rarer than 1 in 2**64."""
    played = simulate(Turn(Hog()), BestPlay(solve(Turn(Hog()))), games=20_000, seed=1)
    assert isinstance(played, SimulatedTurns) and played.mean_score.is_near(8.0375514403)
