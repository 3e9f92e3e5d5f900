"""Yahtzee: the rules by hand, short games against rationals, the whole game against published values."""

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from jeopardice import Race, Simultaneous, Turn, load, solve
from jeopardice.card.yahtzee import FULL_SETS, SETS, YahtzeeSolution, solve_yahtzee
from jeopardice.cli import main
from jeopardice.dice import roll_dice
from jeopardice.errors import PositionError, RulesError
from jeopardice.games.yahtzee import BOXES, LOWER, UPPER, Joker, Yahtzee

Roll = tuple[int, ...]


@pytest.fixture(scope="module")
def official() -> YahtzeeSolution:
    return solve_yahtzee(Yahtzee())


@pytest.mark.parametrize(
    ("box", "roll", "points"),
    [
        ("fours", (1, 4, 4, 4, 6), 12),
        ("ones", (2, 3, 4, 5, 6), 0),
        ("three of a kind", (2, 2, 2, 5, 6), 17),
        ("three of a kind", (2, 2, 3, 5, 6), 0),
        ("four of a kind", (2, 2, 2, 2, 6), 14),
        ("four of a kind", (2, 2, 2, 5, 6), 0),
        ("full house", (2, 2, 5, 5, 5), 25),
        ("full house", (2, 2, 5, 5, 6), 0),
        ("full house", (5, 5, 5, 5, 5), 0),
        ("small straight", (1, 2, 3, 4, 6), 30),
        ("small straight", (3, 3, 4, 5, 6), 30),
        ("small straight", (1, 2, 3, 5, 6), 0),
        ("large straight", (2, 3, 4, 5, 6), 40),
        ("large straight", (1, 2, 3, 4, 6), 0),
        ("yahtzee", (6, 6, 6, 6, 6), 50),
        ("yahtzee", (5, 6, 6, 6, 6), 0),
        ("chance", (1, 2, 2, 5, 6), 16),
    ],
)
def test_points_of_a_box(box: str, roll: Roll, points: int) -> None:
    assert Yahtzee().score(box, roll) == points


def test_where_a_joker_may_go() -> None:
    fives = (5, 5, 5, 5, 5)
    free = frozenset({"fives", "ones", "full house"})
    assert Yahtzee("forced").options(free, fives) == {"fives": 25}
    assert Yahtzee("free").options(free, fives) == {"ones": 0, "fives": 25, "full house": 0}
    assert Yahtzee("none").options(free, fives) == {"ones": 0, "fives": 25, "full house": 0}
    free = frozenset({"ones", "full house", "chance"})
    assert Yahtzee("forced").options(free, fives) == {"full house": 25, "chance": 25}
    assert Yahtzee("free").options(free, fives) == {"ones": 0, "full house": 25, "chance": 25}
    assert Yahtzee("forced").options(frozenset({"ones", "twos"}), fives) == {"ones": 0, "twos": 0}
    with_yahtzee = frozenset({"yahtzee", "large straight"})
    assert Yahtzee("forced").options(with_yahtzee, fives) == {"large straight": 0, "yahtzee": 50}


def test_a_turn_has_252_rolls_and_462_sets_to_keep() -> None:
    assert (len(FULL_SETS), len(SETS)) == (252, 462)
    assert sum(roll_dice(5).values()) == 6**5


def brute_force(game: Yahtzee) -> Callable[[frozenset[str], int, int], Fraction]:
    """V(free boxes, upper total, flag) in rationals: all rolls of all numbers of dice, all ways to keep."""
    rolls = {n: [(roll, Fraction(w, 6**n)) for roll, w in (roll_dice(n) if n else {(): 1}).items()] for n in range(6)}

    @cache
    def parts(roll: Roll) -> list[Roll]:
        return sorted({tuple(d for i, d in enumerate(roll) if bits >> i & 1) for bits in range(32)})

    @cache
    def value(free: frozenset[str], total: int, flag: int) -> Fraction:
        if not free:
            return Fraction(game.upper_bonus if total >= game.upper_goal else 0)
        worth: dict[Roll, Fraction] = {}
        for roll, _ in rolls[5]:
            options = []
            for box, points in game.options(free, roll).items():
                extra = game.joker_bonus if flag and game.is_joker(free, roll) else 0
                raised = int(flag or (box == "yahtzee" and points == 50 and game.joker != "none"))
                after = min(game.upper_goal, total + points * (box in UPPER))
                options.append(points + extra + value(free - {box}, after, raised))
            worth[roll] = max(options)
        for _ in range(2):
            kept = {
                part: sum((p * worth[tuple(sorted(part + more))] for more, p in rolls[5 - len(part)]), Fraction(0))
                for part in SETS
            }
            worth = {roll: max(kept[part] for part in parts(roll)) for roll in worth}
        return sum((p * worth[roll] for roll, p in rolls[5]), Fraction(0))

    return value


@pytest.mark.parametrize(
    ("joker", "boxes", "goal"),
    [
        ("forced", ("sixes", "full house", "yahtzee"), 18),
        ("free", ("twos", "large straight", "yahtzee"), 4),
        ("none", ("sixes", "small straight", "yahtzee"), 18),
        ("forced", ("fives", "chance"), 10),
    ],
)
def test_a_short_game_against_rationals(joker: Joker, boxes: tuple[str, ...], goal: int) -> None:
    game = Yahtzee(joker, boxes=boxes, upper_goal=goal)
    solution = solve_yahtzee(game, threads=1)
    exact = brute_force(game)(frozenset(game.boxes), 0, 0)
    assert abs(Fraction(solution.value) - exact) <= Fraction(solution.error_bound)
    assert solution.error_bound < 1e-11


def test_official_rules(official: YahtzeeSolution) -> None:
    """Woodward 2003 and Glenn 2006 print 254.59 for forced jokers."""
    assert official.value == pytest.approx(254.5877287, abs=5e-8)
    assert official.cards == 536_320
    assert official.error_bound < 1e-10


@pytest.mark.slow
@pytest.mark.parametrize(("joker", "value"), [("free", 254.5896095), ("none", 245.8707745)])
def test_other_jokers(joker: Joker, value: float) -> None:
    assert solve_yahtzee(Yahtzee(joker)).value == pytest.approx(value, abs=5e-8)


def test_the_turn_replayed_in_numpy_gives_the_kernels_values(official: YahtzeeSolution) -> None:
    full = len(BOXES)
    rng = np.random.default_rng(3)
    for filled, flag, total in [(0, 0, 0), (1 << BOXES.index("yahtzee"), 1, 0), *_random_cards(rng, full, 6)]:
        assert official.turn(filled, flag, total)[0][0] == pytest.approx(
            official.values[filled, flag, total], abs=1e-11
        )


def _random_cards(rng: np.random.Generator, boxes: int, count: int) -> list[tuple[int, int, int]]:
    """Cards as play makes them: some boxes filled with the points of random rolls."""
    cards = []
    for _ in range(count):
        filled = int(rng.integers(0, 2**boxes - 1))
        counts = rng.integers(0, 6, size=6)
        total = min(63, sum((i + 1) * int(counts[i]) for i in range(6) if filled >> i & 1))
        cards.append((filled, int(filled >> BOXES.index("yahtzee") & 1), total))
    return cards


def test_any_number_of_threads_gives_the_same_bits() -> None:
    game = Yahtzee(boxes=("ones", "twos", "sixes", "chance", "yahtzee", "full house"), upper_goal=20)
    assert np.array_equal(solve_yahtzee(game, threads=1).values, solve_yahtzee(game, threads=3).values)


def test_advice_lists_everything_best_first(official: YahtzeeSolution) -> None:
    advice = official.advise(roll=(6, 6, 2, 6, 6), rolls_left=2)
    assert advice.best.kept == (6, 6, 6, 6) and advice.best.play == "set aside 6 6 6 6, roll 1 die"
    assert len(advice.options) == 10
    values = [option.value for option in advice.options]
    assert values == sorted(values, reverse=True)
    last = official.advise(roll=(6, 6, 6, 6, 6))
    assert (last.best.mode, last.best.points) == ("yahtzee", 50) and len(last.options) == 13
    best_of_roll = official.advise(roll=(1, 2, 3, 4, 6), rolls_left=1).options[0].value
    assert best_of_roll >= official.advise(roll=(1, 2, 3, 4, 6)).options[0].value


def test_advice_before_the_first_roll_averages_to_the_value(official: YahtzeeSolution) -> None:
    """The mean over all first rolls of the best thing to keep is the value of the card."""
    card = {"yahtzee": 50, "ones": 3, "chance": 22}
    filled, flag, total = official.state(card)
    kept = official.turn(filled, flag, total)[1]
    mean = 0.0
    for roll, weight in roll_dice(5).items():
        parts = {tuple(d for i, d in enumerate(roll) if bits >> i & 1) for bits in range(32)}
        mean += weight / 6**5 * max(kept[SETS.index(part)] for part in parts)
    assert mean == pytest.approx(official.values[filled, flag, total], abs=1e-10)
    best = official.advise(card=card, roll=(4, 4, 4, 4, 4), rolls_left=0)
    assert [option.play for option in best.options] == ["write 20 in fours"]  # a joker, forced
    assert best.options[0].value > 116


def test_what_cannot_be_on_a_card_is_refused(official: YahtzeeSolution) -> None:
    with pytest.raises(PositionError, match="got 'sevens'"):
        official.advise(card={"sevens": 7}, roll=(1, 1, 1, 1, 1))
    with pytest.raises(PositionError, match="twos cannot hold 5 points"):
        official.advise(card={"twos": 5}, roll=(1, 1, 1, 1, 1))
    with pytest.raises(PositionError, match="a roll is 5 dice"):
        official.advise(roll=(1, 1, 1, 1))
    with pytest.raises(PositionError, match="rolls_left"):
        official.advise(roll=(1, 1, 1, 1, 1), rolls_left=3)
    with pytest.raises(PositionError, match="this one is full"):
        official.advise(card=dict.fromkeys(BOXES, 0) | {"chance": 5}, roll=(1, 1, 1, 1, 1))
    with pytest.raises(RulesError, match="joker is"):
        Yahtzee("wild")  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="boxes are some of"):
        Yahtzee(boxes=("sevens",))


def test_lower_and_upper_make_the_card() -> None:
    assert len(UPPER) == 6 and len(LOWER) == 7


SHORT = ("ones", "full house", "yahtzee", "chance")


def test_a_race_alone_is_solved_like_any_other(tmp_path: Path) -> None:
    goal = Race(Yahtzee(boxes=SHORT, upper_goal=3))
    solution = solve(goal)
    plain = solve_yahtzee(goal.game)
    assert solution.goal == goal and solution.value == plain.value and solution.error_bound == plain.error_bound
    card = {"ones": 3, "yahtzee": 50}
    advice = solution.advise(card=card, roll=(2, 2, 3, 3, 3), rolls_left=1)
    assert advice.best.play == "set aside 2 2 3 3 3"
    assert solution.advise(card=card).options[0].value == solution.at(card)  # type: ignore[attr-defined]
    again = load(solution.save(tmp_path / "short"))
    assert again.goal == goal and again.value == solution.value
    assert again.advise(card=card, roll=(2, 2, 3, 3, 3), rolls_left=1) == advice


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        (Turn(Yahtzee()), "ask for Race"),
        (Simultaneous(Yahtzee(), 50), "ask for Race"),
        (Race(Yahtzee(), players=2), "players=2"),
        (Race(Yahtzee(), target=100), "target=100"),
        (Race(Yahtzee(), within=3), "within=3"),
    ],
)
def test_goals_that_yahtzee_does_not_know(goal: object, said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        solve(goal)


def test_the_command_line_solves_and_advises(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rules = ["yahtzee", "--boxes", ",".join(SHORT)]
    assert main(["solve", *rules, "--json"]) == 0
    solved = json.loads(capsys.readouterr().out)
    value = solve_yahtzee(Yahtzee(boxes=SHORT)).value
    assert solved["value"] == value and solved["kind"] == "alone"
    assert main(["solve", *rules]) == 0
    shown = capsys.readouterr().out
    assert "expected points" in shown and "chance with 5" in shown
    words = ["--card", "full-house:25,ones:3", "--roll", "6,6,6,1,6", "--rolls-left", "1", "--json"]
    assert main(["advise", *rules, *words]) == 0
    advice = json.loads(capsys.readouterr().out)
    assert advice["best"] == "set aside 6 6 6 6, roll 1 die" and len(advice["options"]) == 10
    assert main(["export", *rules, "--out", str(tmp_path / "cards.csv")]) == 0
    lines = (tmp_path / "cards.csv").read_text().splitlines()
    assert lines[0].split(",")[-1] == "value" and float(lines[1].split(",")[-1]) == value
    assert len(lines) == 1 + solve_yahtzee(Yahtzee(boxes=SHORT)).cards
    capsys.readouterr()
    for wrong in (["--card", "ones"], ["--card", "aces:1"], ["--mine", "3"], ["--rolls-left", "3"]):
        assert main(["advise", *rules, "--roll", "1,1,1,1,1", *wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("words", [["compare", "yahtzee", "duel"], ["simulate", "yahtzee", "turn"]])
def test_commands_that_yahtzee_does_not_know_say_so(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "Yahtzee" in error
