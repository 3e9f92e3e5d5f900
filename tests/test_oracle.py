"""Random mixtures of every rule, asked through the public names only, against a solver written from the rules alone."""

import random
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

import pytest

from jeopardice import Pig, Play, Race, solve
from tests.oracle import Oracle

MOST_POSITIONS = {1: 400, 2: 120, 3: 60}


@dataclass(frozen=True)
class Written:
    """A game written out: offers[mode] has (weight, ((points, mode), ...)); `stops` says where one may stop."""

    offers: tuple
    stops: tuple = ()
    opening = 0

    def rolls(self, mode):
        return {number: weight for number, (weight, _) in enumerate(self.offers[mode])}

    def plays(self, mode, roll):
        return [Play(points, to) for points, to in self.offers[mode][roll][1]]

    def may_stop(self, mode):
        return not self.stops or self.stops[mode]


def random_game(draw, unit):
    """Up to three modes, with plays that end the turn, plays of 0 points, dead modes, and modes where one must roll."""
    count, offers = draw.randint(1, 3), []
    for mode in range(count):
        rolls = []
        for _ in range(draw.randint(0 if mode else 1, 3)):
            plays = []
            for _ in range(draw.randint(1, 3)):
                kind = draw.random()
                if kind < 0.25:
                    plays.append((draw.randint(0, 4) * unit, None))
                elif kind < 0.35 and mode + 1 < count:
                    plays.append((0, draw.randint(mode + 1, count - 1)))
                else:
                    plays.append((draw.randint(1, 4) * unit, draw.randrange(count)))
            rolls.append((draw.choice([1, 1, 2, 3, 5]), tuple(dict.fromkeys(plays))))
        offers.append((*rolls, (draw.choice([1, 2, 3, 5]), ())))
    stops = tuple(draw.random() < 0.6 for _ in range(count)) if draw.random() < 0.25 else ()
    return Written(tuple(offers), stops if any(stops) else ())


def random_race(draw, players):
    """Return the games of the seats, a target and rules, in any mixture that one number of players allows."""
    units = [draw.choice([1, 1, 2, 5, 50])] * players
    if players > 1 and draw.random() < 0.25:
        units = [draw.choice([1, 2, 3, 5]) for _ in range(players)]
    games = [random_game(draw, units[0])] * players
    if draw.random() < 0.3 or len(set(units)) > 1:
        games = [random_game(draw, unit) for unit in units]
    unit, rules = units[0], {}
    target = draw.randint(1, {1: 10, 2: 6, 3: 3}[players]) * max(units) + (draw.random() < 0.1)
    if draw.random() < 0.35:
        rules["bank_from"] = draw.randint(1, 4) * unit
    if draw.random() < 0.35:
        rules["open_from"] = draw.randint(1, 5) * unit
    if players < 3 and draw.random() < 0.35:
        rules |= {"busts": draw.randint(1, 3), "penalty": draw.choice(["all", unit, 2 * unit, 3 * unit])}
        rules["floor"] = draw.choice([0, 0, -unit, -3 * unit])
    if draw.random() < 0.3:
        rules["finish"] = "exact"
    if players > 1 and draw.random() < 0.35:
        rules |= {"last_round": True, "ties": draw.choice(["first", "share", "last"])}
    if players == 2 and "last_round" not in rules and draw.random() < 0.25:
        rules["payoff"] = "margin"
    if players == 2 and draw.random() < 0.1:
        rules["piggyback"] = True
    if players == 1 and draw.random() < 0.5:
        rules |= draw.choice([{"within": draw.randint(1, 4)}, {"cost": "rolls"}])
    return games, target, rules


def goal_of(games, target, rules):
    others = {"opponents": tuple(games[1:])} if len(games) > 2 else {"opponent": games[-1]}
    same = all(game == games[0] for game in games)
    return Race(games[0], target, players=len(games), **rules, **({} if same else others))


def oracle_of(games, target, rules):
    rules = dict(rules)
    must_hit, counts_rolls = rules.pop("finish", "reach") == "exact", rules.pop("cost", "turns") == "rolls"
    most = max(play[0] for game in games for mode in game.offers for _, plays in mode for play in plays)
    return Oracle(
        games,
        target,
        must_hit=must_hit,
        counts_rolls=counts_rolls,
        beyond=20 * most,
        most=MOST_POSITIONS[len(games)],
        **rules,
    )


def keywords(oracle, position):
    """Return a position as the public questions take it."""
    seat, standings, finisher, offer = position
    others = standings[1:]
    words = {"mine": standings[0][0]}
    many = tuple if oracle.players > 2 else next
    if others:
        words |= {"theirs": many(iter([s[0] for s in others])), "seat": seat}
    if oracle.busts:
        words["my_busts"] = standings[0][2]
        words |= {"their_busts": many(iter([s[2] for s in others]))} if others else {}
    if oracle.open_from > oracle.bank_from:
        words["my_opened"] = standings[0][1]
        words |= {"their_opened": many(iter([s[1] for s in others]))} if others else {}
    if oracle.within is not None:
        words["turns_left"] = finisher
    return words | ({} if offer is None else {"offer": offer})


def solved_if_possible(goal, **options):
    """Return the solution, or None where it is refused, in one line."""
    try:
        return solve(goal, **options)
    except ValueError as refusal:
        if "\n" in str(refusal):
            raise
        return None


class Examination:
    """One race: the float solution, the exact one where there is one, and the truth."""

    def __init__(self, games, target, rules):
        self.oracle, self.floats, self.exact = oracle_of(games, target, rules), None, None
        if not self.oracle.is_complete:
            return
        self.floats = solved_if_possible(goal_of(games, target, rules))
        if self.floats is not None and len(games) < 3:
            self.exact = solved_if_possible(goal_of(games, target, rules), exact=True)
        self.costs = len(games) == 1 and "within" not in rules

    def settle(self):
        """Whether the truth is found soon, and is the only one."""
        oracle = self.oracle
        if self.floats is None or not oracle.solve(sweeps=300):
            return False
        return oracle.players < 3 or not oracle.is_torn()

    def range_at(self, position):
        """Return between which numbers the value of a position lies."""
        low = self.oracle.begun(position)
        if self.oracle.players > 2:
            return low[0], low[0]
        return low, self.oracle.begun(position, True) if self.oracle.players == 2 else low

    def compare(self, value, exact, low, high, bound):
        """The float lies in the range, the fraction too, and they are as near to each other as was certified."""
        slack = 1e-8 * max(1.0, abs(low)) + (bound or 0.0)
        assert low - slack <= value <= high + slack
        if exact is not None and isfinite(exact):
            assert isinstance(exact, Fraction | int)
            assert low - slack <= exact <= high + slack
            assert bound is None or abs(Fraction(value) - exact) <= Fraction(bound)

    def ask(self, draw, positions=4, moments=5):
        """Ask for values and advice at some positions and moments."""
        oracle, floats, exact = self.oracle, self.floats, self.exact
        self.compare(floats.value, exact and exact.value, *self.range_at(oracle.start), floats.error_bound)
        if oracle.players > 2:
            assert floats.values == pytest.approx(oracle.begun(oracle.start), abs=1e-9)
        for position in draw.sample(oracle.positions, min(positions, len(oracle.positions))):
            words = keywords(oracle, position)
            low, high = self.range_at(position)
            self.compare(floats.at(**words), exact and exact.at(**words), low, high, floats.error_bound)
            words.pop("offer", None)
            turn, places = oracle.turn(position)[:2]
            open_moments = [m for m, place in places.items() if m[1] is not None and turn[place][1] is not None]
            for points, mode in draw.sample(open_moments, min(moments, len(open_moments))):
                rolls = [roll for roll in oracle.game(position).rolls(mode) if oracle.game(position).plays(mode, roll)]
                if points <= 2 * oracle.target:
                    self.ask_moment(position, words, points, mode, draw.choice([None, *rolls]))

    def ask_moment(self, position, words, points, mode, roll):
        """Every option that may be taken is shown, best first, with its value; one that has won may be left out."""
        oracle, asked = self.oracle, {**words, "at_risk": points, "mode": mode, "roll": roll}
        advice = self.floats.advise(**asked)
        options = {(o.stops, o.points, o.mode): o.value for o in advice.options}
        low = oracle.options(position, points, mode, roll)
        high = oracle.options(position, points, mode, roll, True) if oracle.players == 2 else low
        is_last = position[2] == 1 and oracle.players > 1
        best_score = max((s[0] for s in position[1][1:]), default=0)
        won = {o for o in low if is_last and not o[0] and position[1][0][0] + o[1] > best_score}
        assert set(low) - won <= set(options) <= set(low)
        exact = {}
        if self.exact is not None:
            exact = {(o.stops, o.points, o.mode): o.value for o in self.exact.advise(**asked).options}
            assert set(exact) == set(options)
        for option, value in options.items():
            truth = (low[option][0],) * 2 if oracle.players > 2 else (low[option], high[option])
            if abs(truth[0]) < 1e6:
                self.compare(value, exact.get(option), *truth, advice.error_bound)
        best = min(options.values()) if self.costs else max(options.values())
        assert advice.best.value == pytest.approx(best, abs=1e-9, rel=1e-9) or not isfinite(best)


def examine(seed, players):
    """Return whether there was anything to compare: a race that is solved, small, and settled by the oracle."""
    draw = random.Random(seed)
    games, target, rules = random_race(draw, players)
    examination = Examination(games, target, rules)
    if not examination.settle():
        return False
    examination.ask(draw)
    return True


@pytest.mark.parametrize(("players", "seeds", "least"), [(1, 60, 35), (2, 40, 12), (3, 25, 4)])
def test_random_mixtures_of_rules_agree_with_the_oracle(players, seeds, least):
    assert sum(examine(seed, players) for seed in range(seeds)) >= least


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 2, 3])
def test_many_random_mixtures_of_rules_agree_with_the_oracle(players):
    assert sum(examine(seed, players) for seed in range(1000, 2500)) >= 200


def test_a_bust_may_be_worth_more_than_to_land_on_the_target():
    """With a last round that a tie wins last, to land gives the other one turn; a bust may be better, so one may roll on."""
    offers = (
        ((3, ((0, None), (1, 2), (1, None))), (1, ((3, 1), (4, 1), (0, 1))), (3, ((4, 1),)), (1, ())),
        ((1, ()),),
        ((1, ((4, 0),)), (2, ((3, 1), (4, 2), (1, 0))), (1, ())),
    )
    rules = {"busts": 2, "penalty": 2, "floor": -1, "finish": "exact", "last_round": True, "ties": "last"}
    examination = Examination([Written(offers)] * 2, 4, rules)
    assert examination.settle()
    assert examination.floats.value == pytest.approx(0.37530493722, abs=1e-10)
    assert examination.floats.error_bound < 1e-12
    examination.ask(random.Random(0), positions=20)


def test_exact_advice_before_the_first_bank():
    solution = solve(Race(Pig(sides=3), 8, players=2, open_from=4), exact=True)
    best = solution.advise(at_risk=3).best
    assert (best.play, isinstance(best.value, Fraction)) == ("roll", True)


def test_the_last_turn_of_an_exact_solution_is_exact():
    solution = solve(Race(Pig(sides=3), 6, players=2, last_round=True, ties="share", open_from=5), exact=True)
    assert isinstance(solution.at(4, 7), Fraction)
    assert {option.play for option in solution.advise(mine=0, theirs=7, at_risk=4).options} == {"roll"}


def test_points_far_past_the_target_where_dice_must_be_rolled_on():
    game = Written((((1, ((4, 1),)), (1, ())), ((1, ((4, 0), (4, 1))), (1, ()))), (True, False))
    options = solve(Race(game, 4)).advise(at_risk=40, mode=1, roll=0).options
    assert (options[0].stops, options[0].value) == (True, 1.0)
