from fractions import Fraction
from itertools import product

import pytest

from jeopardice import roll_dice, roll_loaded


@pytest.mark.parametrize(("count", "sides"), [(1, 2), (1, 6), (2, 6), (3, 4), (4, 3), (5, 6)])
def test_weights_count_the_ways_dice_fall(count, sides):
    counted = {}
    for faces in product(range(1, sides + 1), repeat=count):
        roll = tuple(sorted(faces))
        counted[roll] = counted.get(roll, 0) + 1
    assert roll_dice(count, sides) == counted


def test_loaded_dice_that_differ_are_counted_like_the_product_of_their_faces():
    rolls = roll_loaded([{1: 1, 6: 5}, {1: 2, 2: 1}])
    assert rolls == {(1, 1): 2, (1, 2): 1, (1, 6): 10, (2, 6): 5}
    assert sum(rolls.values()) == 6 * 3


def test_a_face_of_weight_zero_never_falls():
    assert roll_loaded([{1: 0, 2: 3}, {1: 0, 2: 3}]) == {(2, 2): 9}


def test_the_chance_of_three_of_a_kind_with_three_dice():
    rolls = roll_dice(3)
    triples = sum(weight for roll, weight in rolls.items() if len(set(roll)) == 1)
    assert Fraction(triples, sum(rolls.values())) == Fraction(1, 36)


@pytest.mark.parametrize(("count", "sides", "said"), [(0, 6, "count=0"), (-1, 6, "count=-1"), (1, 0, "sides=0")])
def test_impossible_dice_are_refused_in_one_line(count, sides, said):
    with pytest.raises(ValueError, match=said) as refused:
        roll_dice(count, sides)
    assert "\n" not in str(refused.value)
