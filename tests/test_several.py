"""Given strategies at races of three and more, and these races on the command line."""

import json

import pytest

from jeopardice import Pig, Race, TenThousand, solve
from jeopardice.analysis.several import all_seatings, seat_chances, simulate_seats
from jeopardice.points.named_strategies import at_seat, strategies_by_name
from jeopardice.points.strategy import BestPlay, Rule, StopAt


def chances_by_hand(target, stops, start=0):
    """Pig for several, each stopping at a number of points: from the rules, sweeping all positions until nothing moves."""
    players = len(stops)
    values = {}

    def law(score, stop):
        """What a turn banks: {points: chance}, 0 for a bust."""
        found, waiting = {}, [(0, 1.0)]
        for t, chance in waiting:
            if t and (t >= stop or score + t >= target):
                found[t] = found.get(t, 0) + chance
                continue
            found[0] = found.get(0, 0) + chance / 6
            waiting += [(t + face, chance / 6) for face in range(2, 7)]
        return found

    laws = {(score, stop): law(score, stop) for score in range(target) for stop in set(stops)}
    win = [tuple(float(s == seat) for s in range(players)) for seat in range(players)]
    known = [((0,) * players, 0)]
    for _ in range(60):
        for scores, seat in list(known):
            mean = [0.0] * players
            for points, chance in laws[scores[seat], stops[seat]].items():
                total = scores[seat] + points
                after = ((*scores[:seat], total, *scores[seat + 1 :]), (seat + 1) % players)
                if total < target and after not in values:
                    values[after] = (1 / players,) * players
                    known.append(after)
                following = win[seat] if total >= target else values[after]
                mean = [m + chance * f for m, f in zip(mean, following, strict=True)]
            values[scores, seat] = tuple(mean)
        known.sort(key=lambda place: -sum(place[0]))
    return values[(0,) * players, start]


@pytest.mark.parametrize("stops", [(4, 6, 5), (10, 3, 4)])
def test_chances_of_given_strategies_are_those_of_the_rules(stops):
    result = seat_chances(Race(Pig(), 10, players=3), *(StopAt(stop) for stop in stops))
    assert result.values == pytest.approx(chances_by_hand(10, stops), abs=1e-12)
    assert result.error_bound < 1e-11


@pytest.mark.parametrize(("game", "target", "players"), [(Pig(), 25, 3), (Pig(), 10, 4), (TenThousand(), 800, 3)])
def test_best_play_followed_by_everybody_gives_its_own_values(game, target, players):
    goal = Race(game, target, players=players)
    solution = solve(goal)
    best = [BestPlay(solution, seat=seat) for seat in range(players)]
    result = seat_chances(goal, *best)
    assert result.values == pytest.approx(solution.values, abs=result.error_bound + solution.error_bound)


def test_nobody_gains_by_a_best_reply_to_best_play_and_everybody_does_to_others():
    goal = Race(Pig(), 25, players=3)
    solution = solve(goal)
    best = [BestPlay(solution, seat=seat) for seat in range(3)]
    for seat in range(3):
        reply = seat_chances(goal, *(None if s == seat else strategy for s, strategy in enumerate(best)))
        assert reply.values[seat] == pytest.approx(solution.values[seat], abs=1e-11)
    rules = [StopAt(8)] * 3
    played = seat_chances(goal, *rules).values
    reply = seat_chances(goal, None, *rules[1:]).values
    assert reply[0] > played[0] + 0.01


def test_mixed_play_is_followed_too():
    goal = Race(Pig(), 62, players=3)
    solution = solve(goal)
    assert solution.mixed
    best = [BestPlay(solution, seat=seat) for seat in range(3)]
    assert seat_chances(goal, *best).values == pytest.approx(solution.values, abs=1e-11)


def test_unequal_seats_and_records():
    goal = Race(Pig(), 14, players=3, opponents=(Pig(sides=8), Pig()), open_from=5)
    solution = solve(goal)
    best = [BestPlay(solution, seat=seat) for seat in range(3)]
    assert seat_chances(goal, *best).values == pytest.approx(solution.values, abs=1e-11)
    played = simulate_seats(goal, StopAt(6), StopAt(6), StopAt(6), games=2000, seed=3)
    exact = seat_chances(goal, StopAt(6), StopAt(6), StopAt(6)).values
    assert all(estimate.is_near(value) for estimate, value in zip(played.wins, exact, strict=True))


def test_simulation_agrees_with_the_exact_chances():
    goal = Race(Pig(), 20, players=4)
    strategies = strategies_by_name(("optimal", "stop-at-8", "roll-2-times", "optimal"), goal)
    exact = seat_chances(goal, *strategies).values
    played = simulate_seats(goal, *strategies, games=600, seed=5)
    assert all(estimate.is_near(value) for estimate, value in zip(played.wins, exact, strict=True))
    assert (
        simulate_seats(goal, *strategies, games=20, seed=5).won
        == simulate_seats(goal, *strategies, games=20, seed=5).won
    )


def test_every_order_of_seats():
    goal = Race(Pig(), 12, players=3)
    strategies = [StopAt(4), StopAt(6), StopAt(12)]
    seatings = dict(all_seatings(goal, strategies))
    assert len(seatings) == 6
    assert seatings[2, 0, 1] == seat_chances(goal, StopAt(12), StopAt(4), StopAt(6)).values


def test_refusals():
    goal = Race(Pig(), 12, players=3)
    nosy = Rule("nosy", lambda moment: moment.at_risk > max(moment.theirs))
    with pytest.raises(ValueError, match="ignores_opponent"):
        seat_chances(goal, nosy, StopAt(3), StopAt(3))
    other = BestPlay(solve(Race(Pig(), 10, players=3)))
    with pytest.raises(ValueError, match="another race"):
        seat_chances(goal, other, StopAt(3), StopAt(3))
    assert at_seat(StopAt(3), 2) == StopAt(3)


def test_commands(typed):
    race = "pig race --players 3 --target 14"
    code, out, _ = typed(f"solve {race} --json --indifferent roll", [])
    answer = json.loads(out)
    assert code == 0 and sum(answer["values"]) == pytest.approx(1)
    assert {"deviation_gain", "mixed", "indifferent"} <= answer.keys()
    code, out, _ = typed(f"solve {race} --others", [])
    assert code == 0 and "no other equilibrium" in " ".join(out.split())
    code, out, _ = typed(f"solve {race} --others --json", [])
    assert code == 0 and json.loads(out)["others"]["cycles"] == 0
    code, out, _ = typed(f"advise {race} --mine 3 --theirs 9,4 --at-risk 5 --json", [])
    assert code == 0 and len(json.loads(out)["options"]) == 2
    code, out, _ = typed(f"advise {race} --mine 3 --theirs 9,4 --at-risk 5 --indifferent roll --json", [])
    assert code == 0 and "indifferent='roll'" in json.loads(out)["goal"]
    code, out, _ = typed(f"compare {race} optimal stop-at-4 stop-at-6 --exploit --json", [])
    compared = json.loads(out)
    assert code == 0 and len(compared["seatings"]) == 6 and sum(compared["even"]) == pytest.approx(1)
    assert all(best >= value - 1e-12 for best, value in zip(compared["best_replies"], compared["values"], strict=True))
    code, out, _ = typed(f"simulate {race} --games 50 --json", [])
    assert code == 0 and sum(json.loads(out)["values"]) == pytest.approx(1)
    code, out, _ = typed(f"play {race} --seed 2 --opponent stop-at-4,optimal --json", ["r", "s", "q"])
    assert code == 0 and len(json.loads(out)["players"]) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("compare pig race --players 3 optimal stop-at-20", "one strategy for each of the 3 seats"),
        ("solve pig race --players 3 --indifferent fold", "stop, roll"),
        ("solve pig race --players 5 --target 100", "GB of memory"),
        ("solve pig duel --others", "--players 3"),
        ("advise pig race --players 3 --target 9 --theirs 4", "other 2 players"),
    ],
)
def test_mistakes_are_one_line(typed, arguments, words):
    code, _, err = typed(arguments, [])
    assert code == 2 and words in err and len(err.strip().splitlines()) == 1
