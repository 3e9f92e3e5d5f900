from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import given

from jeopardice import Pig, Play, RulesError, TenThousand
from jeopardice.points.tables import lay_out
from tests.conftest import Listed, listed_games


def test_pig_is_five_groups_of_one_play_and_a_bust():
    table = lay_out(Pig())
    assert table.groups == ({((face, 0),): 1 for face in range(2, 7)},)
    assert table.bust_weight == (1,)


def test_ten_thousand_counts_in_chips_and_busts_as_table_2_prints():
    """Frequencies f(n, 0) of Table 2: 4, 16, 60, 204, 600."""
    table = lay_out(TenThousand())
    assert table.unit == 50
    assert {mode: table.bust_weight[i] for i, mode in enumerate(table.modes)} == {1: 4, 2: 16, 3: 60, 4: 204, 5: 600}


@given(listed_games())
def test_weights_are_kept_and_dominated_plays_are_dropped(game):
    table, full = lay_out(game), lay_out(game, drop_dominated=False)
    assert table.total_weight == full.total_weight
    for groups in table.groups:
        for choices in groups:
            assert len({mode for _, mode in choices}) == len(choices)
    for full_groups, groups in zip(full.groups, table.groups, strict=True):
        best = {tuple(sorted({m: p for p, m in sorted(c)}.items())) for c in full_groups}
        assert best == {tuple(sorted((m, p) for p, m in c)) for c in groups}


@given(listed_games())
def test_the_nodes_of_a_table_are_the_plays_of_its_groups(game):
    table = lay_out(game, drop_dominated=False)
    row, arrays = len(table.modes) + 1, table.arrays
    plays = {0: frozenset()}
    for mode in reversed(range(len(table.modes))):
        for node in range(arrays["first_node"][mode], arrays["first_node"][mode + 1]):
            more = int(arrays["more"][node])
            plays[node] = plays[arrays["base"][node]] | ({divmod(more, row)} if more >= 0 else plays[~more])
    groups = [frozenset(choices) for g in table.groups for choices in g]
    assert [plays[node] for node in arrays["group_node"]] == groups


def test_a_play_without_points_leads_to_a_later_mode():
    table = lay_out(Listed((((1, ((0, 1),)), (1, ())), ((1, ((2, 0),)), (1, ())))))
    assert table.modes == (0, 1)


@dataclass(frozen=True)
class Broken:
    weight: object = 1
    points: object = 1
    empty: bool = False

    opening: ClassVar[int] = 0

    def rolls(self, mode):
        return {} if self.empty else {"a": self.weight, "b": 1}

    def plays(self, mode, roll):
        return [Play(self.points, 0)] if roll == "a" else []


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (Broken(weight=-1), "-1"),
        (Broken(weight=0.5), "0.5"),
        (Broken(points=-3), "points=-3"),
        (Broken(points=0), "scores a point"),
        (Broken(empty=True), "no roll that can fall"),
        (Listed((((1, ((0, 1),)), (1, ())), ((1, ((0, 0), (1, 0))), (1, ())))), "for ever"),
    ],
)
def test_rules_that_no_game_can_have_are_refused_in_one_line(game, said):
    with pytest.raises(RulesError, match=said) as refused:
        lay_out(game)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Pig(sides=1), "sides=1"),
        (lambda: Pig(bust=(7,)), "bust="),
        (lambda: Pig(sides=2, bust=(1, 2)), "always bust"),
        (lambda: TenThousand(dice=0), "dice=0"),
        (lambda: TenThousand(resign=("7",)), "'7'"),
        (lambda: TenThousand(resign=("22",)), "'22'"),
    ],
)
def test_impossible_rules_of_built_in_games_are_refused(make, said):
    with pytest.raises(RulesError, match=said):
        make()
