"""The games in other libraries: each library's own checker passes for every kind of goal, and best play gets its value."""

import warnings
from dataclasses import dataclass
from random import Random
from typing import ClassVar

import numpy as np
import pytest

from jeopardice import CantStop, Farkle, Hog, Pig, Play, Race, Simultaneous, TenThousand, Turn, Yahtzee, solve
from jeopardice.adapters.referee import Referee
from jeopardice.family import family_of


@dataclass(frozen=True)
class Spinner:
    """Rolls with names, and two plays that differ only in their points."""

    opening: ClassVar[str] = "new"

    def rolls(self, mode):
        return {"left": 2, "right": 3, "stuck": 1}

    def plays(self, mode, roll):
        return {"left": [Play(1, "new"), Play(2, "old")], "right": [Play(3, "old"), Play(1, "old")], "stuck": []}[roll]


GOALS = {
    "turn": Turn(TenThousand()),
    "alone": Race(Pig(), 20),
    "rolls": Race(Pig(), 20, cost="rolls"),
    "within": Race(Pig(), 20, within=4),
    "duel": Race(Pig(), 20, players=2),
    "margin": Race(Pig(sides=4), 12, players=2, payoff="margin"),
    "exact finish": Race(Hog(dice_limit=3), 12, players=2, finish="exact"),
    "unequal": Race(Pig(), 15, players=2, opponent=Pig(sides=8)),
    "three": Race(Pig(), 15, players=3),
    "house": Race(
        Farkle(), 2000, players=2, open_from=500, busts=3, penalty=500, floor=None, last_round=True, ties="share"
    ),
    "piggyback": Race(Pig(), 15, players=2, piggyback=True),
    "dice taken over": Race(TenThousand(), 500, players=2, piggyback=True),
    "last round of three": Race(Pig(), 12, players=3, last_round=True, ties="share"),
    "four": Race(Pig(sides=4), 8, players=4),
    "own game": Race(Spinner(), 9, players=2),
    "simultaneous": Simultaneous(Hog(dice_limit=4), 12),
    "columns alone": Race(CantStop(2, 2)),
    "columns duel": Race(CantStop(2, 1), players=2),
    "official board": Race(CantStop(), players=2),
    "card": Race(Yahtzee(boxes=("ones", "yahtzee", "chance"))),
}
goals = pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS)


@goals
def test_numbers_of_plays_and_spots_are_in_their_bounds_and_all_different(goal):
    referee = Referee(goal)
    coding, match, dice = referee.coding, referee.match, Random(5)
    assert len(set(coding.names)) == len(coding.names)
    for _ in range(6):
        spot, seen = match.start(), 0
        while not match.is_over(spot) and seen < 80:
            spot, seen = referee.fall(spot, dice), seen + 1
            if match.is_over(spot):
                break
            plays = match.plays(spot)
            numbers = coding.plays(spot)
            assert sorted(numbers.values(), key=plays.index) == list(plays)
            assert [number for number, can in enumerate(coding.mask(spot)) if can] == sorted(numbers)
            for seat in range(match.players):
                row = coding.observe(spot, seat)
                assert all(part.low <= number <= part.high for part, number in zip(coding.parts, row, strict=True))
            spot = match.after_play(spot, dice.choice(plays))


@goals
def test_what_a_seat_sees_decides_which_plays_there_are(goal):
    """Two spots that look the same to the player who chooses have the same plays; and the dice are seen rightly."""
    referee, dice = Referee(goal), Random(11)
    coding, match, plays_of = referee.coding, referee.match, {}
    for _ in range(30):
        spot = match.start()
        for _ in range(60):
            spot = referee.fall(spot, dice)
            if match.is_over(spot):
                break
            seen = tuple(coding.observe(spot, match.seat(spot)))
            assert plays_of.setdefault((match.seat(spot), seen), tuple(coding.plays(spot))) == tuple(coding.plays(spot))
            spot = match.after_play(spot, dice.choice(match.plays(spot)))


@goals
def test_gymnasium_checks_it(goal):
    gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make(
        "jeopardice.adapters.gymnasium:jeopardice/Goal-v0", goal=goal, opponent="random", render_mode="ansi"
    )
    check_env(env.unwrapped)
    observation, about = env.unwrapped.reset(seed=3)
    illegal = int(np.argmin(about["action_mask"]))
    if not about["action_mask"][illegal]:
        again, reward, terminated, truncated, after = env.unwrapped.step(illegal)
        assert (reward, terminated, truncated, after["illegal_action"]) == (-1, False, False, True)
        assert (again == observation).all()


@goals
def test_pettingzoo_checks_it(goal, capsys):
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    from pettingzoo.test import api_test, seed_test

    from jeopardice.adapters.pettingzoo import PettingZooEnv, pettingzoo_env

    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # its advice on shapes of observations does not fit its own classic games either
        api_test(pettingzoo_env(goal), num_cycles=60, verbose_progress=False)
        seed_test(lambda: pettingzoo_env(goal), num_cycles=20)
    env = PettingZooEnv(goal)
    env.reset(seed=1)
    mask = env.observe(env.agent_selection)["action_mask"]
    if not mask.all():
        with pytest.raises(ValueError, match="action_mask is 1"):
            env.step(int(np.argmin(mask)))


@goals
def test_openspiel_checks_it(goal):
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    from jeopardice.adapters.openspiel import OpenSpielGame

    pyspiel.random_sim_test(OpenSpielGame(goal, horizon=60), num_sims=1, serialize=False, verbose=False)


def test_openspiel_reads_a_goal_from_text_and_writes_states():
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    pytest.importorskip("jeopardice.adapters.openspiel")  # registers the game
    game = pyspiel.load_game("jeopardice(game=pig,goal=duel,options=sides:8/bust:1+2/target:12)")
    assert game.goal == Race(Pig(sides=8, bust=(1, 2)), 12, players=2)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    with pytest.raises(Exception, match="name:value"):
        pyspiel.load_game("jeopardice(options=twelve)")


def test_expectimax_on_the_openspiel_game_is_the_solved_value():
    """A game without loops, played out by OpenSpiel's states alone: chances and returns give our value."""
    pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    from jeopardice.adapters.openspiel import OpenSpielGame

    goal = Race(Pig(sides=3), 6, within=2)
    known = {}

    def value(state):
        if state.is_terminal():
            return state.returns()[0]
        key = state.spot
        if key not in known:
            if state.is_chance_node():
                known[key] = sum(chance * value(state.child(roll)) for roll, chance in state.chance_outcomes())
            else:
                known[key] = max(value(state.child(action)) for action in state.legal_actions())
        return known[key]

    assert value(OpenSpielGame(goal).new_initial_state()) == pytest.approx(solve(goal).value, abs=1e-12)


@pytest.mark.parametrize("name", ["alone", "duel", "simultaneous", "columns duel", "card"])
def test_best_play_gets_the_solved_value(name):
    """By chance within 4 standard errors: games in the Gymnasium environment, both seats best."""
    pytest.importorskip("gymnasium", reason="gymnasium is not installed")
    from jeopardice.adapters.gymnasium import GymnasiumEnv

    goal = GOALS[name]
    solution = solve(goal)
    env = GymnasiumEnv(goal, solution=solution)
    returns = []
    for number in range(300):
        env.reset(seed=number)
        total, over = 0.0, False
        while not over:
            _, reward, over, _, _ = env.step(env.best_action())
            total += reward
        returns.append(total)
    value = -solution.value if env.coding.prefers_less else solution.value
    error = np.std(returns) / np.sqrt(len(returns))
    assert abs(np.mean(returns) - value) <= 4 * error


def test_opponents_are_policies_in_any_form():
    pytest.importorskip("gymnasium", reason="gymnasium is not installed")
    from jeopardice.adapters.gymnasium import GymnasiumEnv

    goal = Race(Pig(), 15, players=3)
    match = family_of(goal.game).match(goal)
    env = GymnasiumEnv(goal, seat=1, opponent=("stop-at-8", lambda spot: match.plays(spot)[0]))
    env.reset(seed=2)
    assert match.seat(env.spot) == 1
    with pytest.raises(ValueError, match="seat lies below 3"):
        GymnasiumEnv(goal, seat=3)
    with pytest.raises(ValueError, match="returns one of"):
        GymnasiumEnv(Race(Pig(), 15, players=2), seat=1, opponent=lambda spot: "stop").reset(seed=1)
