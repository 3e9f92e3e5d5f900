"""How far a policy is from perfect play: by hand, by the compiled passes, by equations, and by played games."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeopardice import (
    CantStop,
    Hog,
    Pig,
    Race,
    Rule,
    Simultaneous,
    StopAt,
    Turn,
    Yahtzee,
    exploitability,
    loss_per_decision,
    solve,
)
from jeopardice.analysis.policy import policy_of
from jeopardice.analysis.spot_graph import write_out
from jeopardice.errors import RulesError, TooLargeError
from jeopardice.family import family_of
from jeopardice.points.strategy import RollTimes
from tests.conftest import Coin, Listed, listed_games


def as_function(goal, strategy):
    """A strategy as a plain function of spots: not recognised, so the game is written out."""
    policy = policy_of(goal, strategy)
    return lambda spot: policy(spot)


def test_a_race_alone_by_hand():
    """Piglet to 3: banking every 1 takes 2 turns for each point, 6 in all, and is best. To roll until 3 takes 8 turns of
    which 1/2 come to a choice with 1 at risk and 1/4 to one with 2: 6 choices that lose 2 turns in all.
    """
    goal, never = Race(Coin(), 3), Rule("never", lambda moment: False)
    assert solve(goal).value == pytest.approx(6)
    assert exploitability(goal, never) == pytest.approx(2)
    assert loss_per_decision(goal, never) == pytest.approx(1 / 3)
    assert exploitability(goal, StopAt(1)) == pytest.approx(0, abs=1e-12)


def test_a_best_reply_by_hand():
    """Piglet to 2 against a player who stops at 1, both seats' values in fractions.

    mine[i, j] is the win chance of the best response with i against j, about to roll; theirs[i, j] when the other is.
    """
    zero = Fraction(0)
    mine = {(i, j): zero for i in (0, 1) for j in (0, 1)}
    theirs = dict(mine)
    for _ in range(200):
        for i, j in mine:
            theirs[i, j] = ((0 if j else mine[i, 1]) + mine[i, j]) / 2
            lost = theirs[i, j]
            stop, roll = (theirs[1, j] if i == 0 else 1), (1 + lost) / 2
            mine[i, j] = ((max(stop, roll) if i == 0 else 1) + lost) / 2
        mine = {at: Fraction(round(value * 10**18), 10**18) for at, value in mine.items()}
    expected = float(mine[0, 0] + theirs[0, 0]) / 2 - 0.5
    goal = Race(Coin(), 2, players=2)
    assert exploitability(goal, StopAt(1)) == pytest.approx(expected, abs=1e-12)
    assert exploitability(goal, as_function(goal, StopAt(1))) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=10)
@given(listed_games(modes=2, most_points=3), st.integers(3, 6), st.integers(1, 5), st.sampled_from(["win", "margin"]))
def test_written_out_spot_by_spot_or_compiled(game, target, threshold, payoff):
    goal = Race(game, target, players=2, payoff=payoff)
    compiled = exploitability(goal, StopAt(threshold))
    assert exploitability(goal, as_function(goal, StopAt(threshold))) == pytest.approx(compiled, abs=1e-9)


def test_strategies_that_count_rolls():
    goal = Race(Pig(sides=3), 8, players=2)
    policies = [policy_of(goal, RollTimes(2))] * 2
    graph = write_out(family_of(goal.game).match(goal), policies, counted=2)
    from jeopardice import head_to_head

    value = head_to_head(goal, RollTimes(2), RollTimes(2)).value
    assert graph.values(0, graph.first_choice())[0] == pytest.approx(value, abs=1e-12)


BEST = {
    "turn": Turn(Pig()),
    "alone": Race(Pig(), 12, cost="rolls"),
    "within": Race(Pig(), 12, within=3),
    "exact finish": Race(Pig(sides=4), 8, players=2, finish="exact"),
    "house": Race(Pig(sides=4), 7, players=2, open_from=3, busts=2, penalty=2),
    "unequal": Race(Pig(sides=4), 7, players=2, opponent=Pig(sides=3)),
    "columns alone": Race(CantStop(2, 1)),
    "columns duel": Race(CantStop(2, 1), players=2),
    "card": Race(Yahtzee(boxes=("yahtzee",))),
    "simultaneous": Simultaneous(Hog(dice_limit=3), 7),
}


@pytest.mark.parametrize("goal", BEST.values(), ids=BEST)
def test_best_play_loses_nothing_and_random_play_something(goal):
    """The reply is found spot by spot from the rules, so this also checks the solver."""
    best = as_function(goal, solve(goal))
    assert exploitability(goal, best) == pytest.approx(0, abs=1e-9)
    assert loss_per_decision(goal, best) == pytest.approx(0, abs=1e-9)
    if not isinstance(goal, Turn):  # random play of a turn has no longest turn
        assert loss_per_decision(goal, "random") > 1e-3


@pytest.mark.parametrize("name", ["alone", "columns duel", "house"])
def test_losses_of_a_game_sum_to_what_the_policy_gives_away(name):
    """Against best play of the other seat; the values come from one linear system, the losses from the judge."""
    goal = BEST[name]
    family = family_of(goal.game)
    solution = solve(goal)
    judge, match = family.judge(solution), family.match(goal)
    random, best = policy_of(goal, "random"), policy_of(goal, solution)
    graph = write_out(match, [random, best][: match.players])
    choice = graph.first_choice()
    met, lost = graph.visits(choice), 0.0
    for times, spot in zip(met, graph.spots, strict=True):
        plays = match.plays(spot)
        if plays and match.seat(spot) == 0:
            options = judge.options_at(spot)
            lost += times * sum(abs(float(options[0].value) - float(option.value)) for option in options) / len(options)
    value = float(graph.values(0, choice)[0])
    assert lost == pytest.approx(abs(float(solution.value) - value), abs=1e-9)


def test_an_estimate_agrees_with_the_exact_loss():
    goal = Race(Pig(), 15, players=2)
    estimate = loss_per_decision(goal, StopAt(6), games=400, seed=3)
    assert estimate.is_near(loss_per_decision(goal, StopAt(6)))


def test_mixtures_are_policies():
    """A player who tosses a coin between two plays loses the mean of what both lose, at a single decision."""
    goal = Race(Coin(), 2, within=1)
    match = family_of(goal.game).match(goal)
    stop, roll = (exploitability(goal, lambda spot, n=n: match.plays(spot)[n % len(match.plays(spot))]) for n in (0, 1))
    mixed = exploitability(goal, lambda spot: dict.fromkeys(match.plays(spot), 1 / len(match.plays(spot))))
    assert mixed == pytest.approx((stop + roll) / 2) and stop > roll == 0


def test_a_policy_that_never_ends_the_game():
    """To hit 2 exactly one must stop at 1 twice; rolling on from 1 adds 2 and overshoots, so it never finishes."""
    stuck = Listed((((1, ((1, 1),)), (1, ())), ((1, ((2, 1),)), (1, ()))))
    goal = Race(stuck, 2, finish="exact")
    with pytest.raises(RulesError, match="never ends the game"):
        exploitability(goal, lambda spot: family_of(stuck).match(goal).plays(spot)[-1])


def test_what_cannot_be_answered_is_refused_in_one_line():
    alone = Race(Coin(), 3)
    with pytest.raises(ValueError, match="sum to 1"):
        exploitability(alone, lambda spot: dict.fromkeys(family_of(alone.game).match(alone).plays(spot), 0.7))
    with pytest.raises(TypeError, match="a policy is"):
        exploitability(alone, 17)
    with pytest.raises(RulesError, match="last round"):
        exploitability(Race(Coin(), 3, players=2, last_round=True), StopAt(1))
    with pytest.raises(ValueError, match="too large to be solved"):
        exploitability(Race(CantStop(), players=2), "rule-of-28")
    with pytest.raises(ValueError, match="at least two games"):
        loss_per_decision(alone, StopAt(1), games=1)
    assert issubclass(TooLargeError, ValueError)
