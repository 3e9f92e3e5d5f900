from itertools import combinations, product

import pytest

from jeopardice.errors import PositionError, RulesError
from jeopardice.games.cant_stop import CantStop, pairings


def test_lengths_grow_by_two_to_the_middle():
    assert CantStop().lengths == (3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3)
    assert CantStop(sides=2, shortest=1).lengths == (1, 3, 1)


def test_the_appendix_example_roll_makes_4_and_7_or_5_and_6():
    """The cant-stop paper's appendix: 1-3-3-4."""
    assert pairings((1, 3, 3, 4)) == ((4, 7), (5, 6))


def test_both_sums_are_played_where_both_can_be():
    game = CantStop()
    assert game.plays(game.opening, ((6, 1), (8, 1)), (1, 3, 5, 5)) == [
        ((4, 1), (6, 1), (8, 1)),
        ((6, 1), (8, 1), (10, 1)),
        ((6, 2), (8, 2)),
    ]


def test_two_new_columns_compete_for_the_last_marker():
    game = CantStop()
    plays = game.plays(game.opening, ((2, 1), (12, 1)), (3, 3, 4, 4))
    assert set(plays) == {
        ((2, 1), (6, 1), (12, 1)),
        ((2, 1), (8, 1), (12, 1)),
        ((2, 1), (7, 2), (12, 1)),
    }


def test_a_double_advances_two_spaces_or_one_if_only_one_is_left():
    game = CantStop(sides=2, shortest=1)
    assert game.plays(game.opening, (), (1, 1, 1, 1)) == [((2, 1),)]
    assert game.plays((0, 0, 0), (), (1, 1, 2, 2)) == [((2, 1), (4, 1)), ((3, 2),)]
    assert ((3, 3),) in game.plays((0, 2, 0), (), (1, 1, 2, 2))


def test_a_completed_column_takes_no_more_before_or_during_the_turn():
    game = CantStop(sides=2, shortest=1)
    assert game.plays((1, 0, 0), (), (1, 1, 1, 1)) == []
    assert game.plays((0, 0, 0), ((2, 1),), (1, 1, 1, 1)) == []
    assert game.plays((1, 0, 0), (), (1, 1, 1, 2)) == [((3, 1),)]


def test_a_column_closed_from_outside_takes_none():
    game = CantStop(sides=2, shortest=1)
    assert game.plays((0, 0, 0), (), (1, 1, 1, 1), closed=frozenset({2})) == []


def test_a_roll_without_room_is_a_bust():
    game = CantStop()
    assert game.plays(game.opening, ((2, 1), (3, 1), (12, 1)), (4, 4, 4, 4)) == []


def test_winning_counts_banked_and_marked_columns():
    game = CantStop(sides=2, shortest=1)
    assert not game.is_won((1, 3, 0))
    assert game.is_won((1, 3, 0), ((4, 1),))
    assert CantStop(sides=2, shortest=1, columns_to_win=2).is_won((1, 0, 0), ((4, 1),))


def test_success_weights_of_all_165_triples_match_every_roll_tried_one_by_one():
    """Known counts: 6-7-8 succeed with 1192 of 1296 rolls, 2-3-12 with 568."""
    game = CantStop()
    assert game.success_weight(frozenset({6, 7, 8})) == 1192
    assert game.success_weight(frozenset({2, 3, 12})) == 568
    sums = [{a + b, c + d, a + c, b + d, a + d, b + c} for a, b, c, d in product(range(1, 7), repeat=4)]
    triples = list(combinations(game.columns, 3))
    assert len(triples) == 165
    for triple in triples:
        markers = tuple((column, 1) for column in triple)
        by_hand = sum(not made.isdisjoint(triple) for made in sums)
        by_plays = sum(w for roll, w in game.rolls().items() if game.plays(game.opening, markers, roll))
        assert game.success_weight(frozenset(triple)) == by_hand == by_plays


@pytest.mark.parametrize(
    ("dice", "roll", "expected"), [(2, (1, 3), ((4,),)), (3, (1, 1, 2), ((2,), (3,))), (6, (1,) * 6, ((2, 2, 2),))]
)
def test_other_numbers_of_dice_are_paired_too(dice, roll, expected):
    assert pairings(roll) == expected
    assert CantStop(dice=dice).plays(CantStop().opening, (), roll)


@pytest.mark.parametrize(
    ("field", "bad"),
    [("sides", 1), ("shortest", 0), ("columns_to_win", 12), ("markers", 0), ("dice", 1), ("sides", 2.5)],
)
def test_impossible_rules_are_refused_by_name(field, bad):
    with pytest.raises(RulesError, match=f"{field}={bad}"):
        CantStop(**{field: bad})


@pytest.mark.parametrize(
    ("climbed", "markers", "wrong"),
    [
        ({1: 1}, {}, "column 1"),
        ({2: 4}, {}, "got 4"),
        ({7: 3}, {7: 3}, "above what is climbed"),
        ({}, {2: 1, 3: 1, 4: 1, 5: 1}, "3 markers"),
    ],
)
def test_impossible_positions_are_refused(climbed, markers, wrong):
    game = CantStop()
    with pytest.raises(PositionError, match=wrong):
        game.placed(game.standing(climbed), markers)
