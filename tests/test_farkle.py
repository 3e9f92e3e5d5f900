"""Farkle: its scoring against an independent search, its tables and values against published ones."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jeopardice import Race, RulesError, TenThousand, Turn, solve
from jeopardice.games.farkle import Farkle, kept_points, of_a_kind
from jeopardice.games.house_goals import house_goal
from jeopardice.games.named_rules import sets_of
from jeopardice.points.solution.standings import replayed
from jeopardice.points.tables import TurnTable, lay_out

points = st.integers(0, 30).map(lambda fifties: 50 * fifties)
rule_sets = st.builds(
    Farkle,
    dice=st.integers(1, 6),
    one=points,
    five=points,
    three_ones=points,
    three=st.sampled_from([0, 50, 100]),
    more_of_a_kind=st.sampled_from(["none", "flat", "doubling", "linear"]),
    flat=st.lists(points, max_size=3).map(tuple),
    straight=points,
    short_straights=st.tuples(points, points),
    three_pairs=points,
    four_and_pair=st.booleans(),
    two_triplets=points,
    full_house=st.sampled_from([0, 250]),
    nothing=st.sampled_from([0, 500]),
    take=st.sampled_from(["any", "all if hot", "all"]),
)
faces = st.integers(1, 6)


def best_cover(game: Farkle, dice: list[int]) -> int | None:
    """Return the most points of splitting all these dice into combinations: the first die goes with some others."""
    if not dice:
        return 0
    first, rest = dice[0], dice[1:]
    totals = []
    for size in range(len(dice)):
        for chosen in combinations(range(len(rest)), size):
            worth = combination(game, sorted([first, *(rest[i] for i in chosen)]))
            if worth:
                others = best_cover(game, [die for i, die in enumerate(rest) if i not in chosen])
                if others is not None:
                    totals.append(worth + others)
    return max(totals, default=None)


def combination(game: Farkle, dice: list[int]) -> int:
    """Return the points of dice as one combination, written from the rules: by the counts of equal faces."""
    counts = sorted(Counter(dice).values())
    worth = [0]
    if len(dice) == 1:
        worth.append({1: game.one, 5: game.five}.get(dice[0], 0))
    if len(counts) == 1 and len(dice) >= 3:
        triple = game.three_ones if dice[0] == 1 else dice[0] * game.three
        extra = len(dice) - 3
        flat = [0, 0, 0, *game.flat, 0, 0, 0, 0]
        ways = {
            "none": 0 if extra else triple,
            "flat": flat[len(dice) - 1] if extra else triple,
            "doubling": triple * 2**extra,
            "linear": triple * (1 + extra),
        }
        worth.append(ways[game.more_of_a_kind])
    if dice == [1, 2, 3, 4, 5, 6]:
        worth.append(game.straight)
    if dice == [1, 2, 3, 4, 5]:
        worth.append(game.short_straights[0])
    if dice == [2, 3, 4, 5, 6]:
        worth.append(game.short_straights[1])
    if counts == [2, 2, 2] or (counts == [2, 4] and game.four_and_pair):
        worth.append(game.three_pairs)
    if counts == [3, 3]:
        worth.append(game.two_triplets)
    if counts == [2, 3] and game.full_house:
        triple_face = Counter(dice).most_common(1)[0][0]
        worth.append((game.three_ones if triple_face == 1 else triple_face * game.three) + game.full_house)
    return max(worth)


@settings(deadline=None, max_examples=100)
@given(rule_sets, st.data())
def test_kept_dice_score_their_best_exact_cover(game: Farkle, data: st.DataObject) -> None:
    dice = sorted(data.draw(st.lists(faces, min_size=1, max_size=game.dice)))
    assert kept_points(game).get(tuple(dice)) == best_cover(game, dice)


@settings(deadline=None, max_examples=100)
@given(rule_sets, st.data())
def test_plays_are_the_selections_that_a_search_over_all_subsets_finds(game: Farkle, data: st.DataObject) -> None:
    mode = data.draw(st.integers(1, game.dice))
    roll = tuple(sorted(data.draw(st.lists(faces, min_size=mode, max_size=mode))))
    found = set()
    for keeps in product([False, True], repeat=mode):
        kept = [die for die, keep in zip(roll, keeps, strict=True) if keep]
        worth = best_cover(game, kept)
        if kept and worth is not None:
            found.add((len(kept), worth))
    if game.take == "all" or (game.take == "all if hot" and max(found, default=(0, 0))[0] == mode):
        found = {max(found)} if found else set()
    expected = {(worth, mode - count or game.dice) for count, worth in found}
    if not expected and game.nothing and mode == game.dice:
        expected = {(game.nothing, game.dice)}
    plays = game.plays(mode, roll)
    assert {(play.points, play.mode) for play in plays} == expected
    assert len(plays) == len(expected)
    assert [play.points for play in plays] == sorted((play.points for play in plays), reverse=True)
    for play in plays:
        assert play.points > 0
        assert Counter(play.kept) <= Counter(roll)


@settings(deadline=None, max_examples=25)
@given(rule_sets)
def test_every_rule_set_lays_out_or_says_in_one_line_why_not(game: Farkle) -> None:
    if not kept_points(game) and not game.nothing:
        with pytest.raises(RulesError, match="nothing is ever banked"):
            lay_out(game)
    else:
        table = lay_out(game)
        assert table.total_weight == tuple(6**dice for dice in table.modes)  # type: ignore[operator]


def test_bust_chances_by_dice_rolled() -> None:
    table = lay_out(Farkle.named("basic"))
    chances = {m: Fraction(b, w) for m, b, w in zip(table.modes, table.bust_weight, table.total_weight, strict=True)}
    printed = ["2/3", "4/9", "5/18", "17/108", "25/324", "5/162"]
    assert chances == {dice: Fraction(chance) for dice, chance in enumerate(printed, start=1)}


@pytest.mark.parametrize(("name", "bust"), [("common", "5/216"), ("cardgames_io", "5/216"), ("zilch", "0")])
def test_bust_chance_of_six_dice_with_straight_and_three_pairs(name: str, bust: str) -> None:
    table = lay_out(Farkle.named(name))
    assert Fraction(table.bust_weight[table.opening], table.total_weight[table.opening]) == Fraction(bust)


def test_rolls_merge_into_the_known_number_of_groups() -> None:
    """Six to one dice under the rules of cardgames.io: 124, 60, 30, 13, 5, 2 distinct sets of plays."""
    table = lay_out(Farkle.named("cardgames_io"))
    groups = dict(zip(table.modes, map(len, table.groups), strict=True))
    assert [groups[dice] for dice in (6, 5, 4, 3, 2, 1)] == [124, 60, 30, 13, 5, 2]


def offered(table: TurnTable) -> dict[object, dict[tuple[tuple[int, object], ...], int]]:
    """Return the groups of each mode, with the modes named instead of numbered."""
    return {
        mode: {tuple((points * table.unit, table.modes[to]) for points, to in sorted(g)): w for g, w in groups.items()}
        for mode, groups in zip(table.modes, table.groups, strict=True)
    }


def test_the_paper_s_rules_are_ten_thousand() -> None:
    named = Farkle.named("crocce_mordecki")
    for drop_dominated in (True, False):
        ours, theirs = (lay_out(game, drop_dominated=drop_dominated) for game in (named, TenThousand()))
        assert offered(ours) == offered(theirs)
    assert solve(Turn(named), exact=True).value == solve(Turn(TenThousand()), exact=True).value
    assert (
        solve(Race(named, target=1000), exact=True).value == solve(Race(TenThousand(), target=1000), exact=True).value
    )


def best_long_run(game: Farkle, bank_from: int, penalty: int) -> float:
    """Return the most points per turn in the long run when each third bust in a row costs a penalty.

    The standing is the number of busts so far, 0, 1 or 2. With gain g and relative worth h (h(0) = 0),
    h(k) = best mean of the turn, a bust being worth h(k + 1), or -penalty after two, minus g: g is found by bisection.
    Points at risk are cut off at 30,000, which nobody reaches.
    """
    table = lay_out(game)
    bank = np.minimum(np.arange(601 + table.max_points, dtype=np.float64), 600)
    stop = np.where(bank >= bank_from // table.unit, bank, -np.inf)

    def turn(bust: float) -> float:
        rows = replayed(table, bank, stop, 600, bust / table.unit)
        return float(rows[0][table.opening][0]) * table.unit

    low, high = 500.0, 700.0
    while high - low > 1e-6:
        gain = (low + high) / 2
        worth = -float(penalty)
        for _ in range(3):
            worth = turn(worth) - gain
        low, high = (gain, high) if worth > 0 else (low, gain)
    return low


def test_zilch_s_most_points_per_turn() -> None:
    """M. Busche, 2010: 620.855 points a turn with a penalty of 500 at the third bust."""
    assert round(best_long_run(Farkle.named("zilch"), 300, 500), 3) == 620.855


def test_zilch_without_four_and_a_pair() -> None:
    """M. Busche: 611.794 where four of a kind and a pair are not three pairs."""
    assert round(best_long_run(replace(Farkle.named("zilch"), four_and_pair=False), 300, 500), 3) == 611.794


@pytest.mark.slow
def test_first_player_s_chance_at_cardgames_io() -> None:
    """domsleee/farkle: 53.3 % for two players to 10,000."""
    assert round(100 * solve(house_goal("cardgames_io")).value, 1) == 53.3


def test_one_die_left_wants_more_points_than_two() -> None:
    """Hot dice: stopping points are not monotone in the dice left."""
    solution = solve(Turn(Farkle.named("cardgames_io")))

    def stops_from(dice: int) -> int:
        return next(t for t in range(50, 3000, 50) if solution.advise(at_risk=t, dice=dice).best.stops)

    assert stops_from(1) > stops_from(2)


def test_dice_loaded_alike_keep_their_number_as_the_mode() -> None:
    loaded = Farkle(dice=2, weights=(2, 1, 1, 1, 1, 0))
    assert loaded.rolls(2)[1, 1] == 4
    assert loaded.rolls(2)[1, 2] == 4
    assert (6, 6) not in loaded.rolls(2)
    assert Farkle(weights=(3, 3, 3, 3, 3, 3)) == Farkle()
    assert Farkle(weights=((1, 0, 0, 0, 0, 0),) * 6) == Farkle(weights=(1, 0, 0, 0, 0, 0))


def test_dice_that_differ_make_the_mode_which_dice_are_left() -> None:
    fair, loaded = (1,) * 6, (5, 1, 1, 1, 1, 1)
    game = Farkle(dice=3, weights=(fair, loaded, fair))
    assert game.opening == (0, 0, 1)
    assert sum(game.rolls(game.opening).values()) == 6 * 6 * 10
    plays = game.plays((0, 0, 1), ((0, 1), (0, 3), (1, 1)))
    assert {(play.points, play.mode) for play in plays} == {(200, (0,)), (100, (0, 1)), (100, (0, 0))}


def test_dice_with_proportional_weights_are_equal_dice() -> None:
    assert Farkle(dice=4, weights=((1,) * 6, (2,) * 6, (1,) * 6, (2,) * 6)) == Farkle(dice=4)


def test_a_better_die_makes_a_better_turn() -> None:
    fair = (1,) * 6
    better = solve(Turn(Farkle(dice=3, weights=(fair, fair, (2, 1, 1, 1, 1, 1))))).value
    assert better > solve(Turn(Farkle(dice=3))).value


def test_rules_of_a_kind() -> None:
    assert [of_a_kind(Farkle(more_of_a_kind="linear"), 1, n) for n in (3, 4, 5, 6)] == [1000, 2000, 3000, 4000]
    assert [of_a_kind(Farkle(), 2, n) for n in (3, 4, 5, 6)] == [200, 1000, 2000, 3000]
    assert kept_points(Farkle())[1, 1, 1, 1] == 1100


def test_must_take_everything_leaves_one_play() -> None:
    game = Farkle(take="all")
    assert [(p.points, p.mode) for p in game.plays(3, (1, 5, 6))] == [(150, 1)]


def test_named_rules_and_their_goals() -> None:
    for name in sets_of("farkle"):
        goal = house_goal(name)
        assert goal.game == Farkle.named(name)
        assert goal.players == 2
    zilch = house_goal("zilch", players=3)
    assert (zilch.bank_from, zilch.busts, zilch.penalty, zilch.players) == (300, 3, 500, 3)
    assert house_goal("kingdom_come", target=2000, players=1).target == 2000
    assert house_goal("zilch", bank_from=0, busts=0, penalty=0).house == Race(Farkle(), 100).house
    with pytest.raises(RulesError, match="'farkel'; choose one of crocce_mordecki, basic, zilch"):
        Farkle.named("farkel")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"dice": 0}, "1 to 12 dice, got dice=0"),
        ({"one": -50}, "one is a whole number of points from 0, got one=-50"),
        ({"three_ones": 0.5}, "three_ones=0.5"),
        ({"flat": 1000}, "flat lists some whole numbers"),
        ({"short_straights": (500,)}, "short_straights lists 2"),
        ({"more_of_a_kind": "triple"}, "'none', 'flat', 'doubling', 'linear', got more_of_a_kind='triple'"),
        ({"four_and_pair": 1}, "True or False"),
        ({"take": "some"}, "take is one of"),
        ({"weights": (1, 1, 1)}, "six whole numbers"),
        ({"weights": (0,) * 6}, "not all 0"),
        ({"dice": 2, "weights": ((1,) * 6,) * 3}, "each of the 2 dice"),
    ],
)
def test_rules_that_cannot_be_are_refused_in_one_line(rules: dict[str, object], message: str) -> None:
    with pytest.raises(RulesError, match=message) as error:
        Farkle(**rules)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)
