"""Every kernel against its plain Python twin, on random tables."""

import ast
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import jeopardice.kernels
from jeopardice.kernels import kernels
from jeopardice.points.rational import Leaves, walk
from jeopardice.points.solution.standings import replayed
from jeopardice.points.tables import lay_out
from tests.conftest import listed_games

worths = st.floats(-5, 5, allow_nan=False).map(lambda x: round(x, 3))


@given(
    listed_games(),
    st.lists(worths, min_size=1, max_size=12),
    worths,
    worths,
    st.booleans(),
    st.integers(0, 4),
    worths.map(abs),
)
def test_the_walk_of_a_turn_is_its_twin_moment_by_moment(game, bank, top, x, exact, bank_from, roll_cost):
    table = lay_out(game, drop_dominated=False)
    goal = len(bank)
    worth = np.array([*bank, *[top] * (table.max_points + 1)])
    stop = np.where((np.arange(len(worth)) >= bank_from) | (np.arange(len(worth)) >= goal), worth, -np.inf)
    lost = goal + 1 if exact else None
    rows = replayed(table, worth, stop, goal, x, bust_from=lost, roll_cost=roll_cost)
    twin = walk(table, Leaves(worth.__getitem__, x, goal, bank_from, goal, lost, roll_cost), float)
    for t, row in enumerate(twin[: len(bank)]):
        for mode, (value, slope) in enumerate(row):
            assert abs(rows[t, mode, 0] - value) < 1e-12
            if mode < len(table.modes):
                assert 0 <= rows[t, mode, 1] <= 1 + 1e-12
                assert abs(rows[t, mode, 1] - float(slope)) < 1e-9 or near_tie(rows, t)


def near_tie(rows, t):
    """Slopes may differ where two options are equal up to rounding."""
    return len(np.unique(rows[t:, :, 0].round(9))) < rows[t:, :, 0].size


def test_the_stub_that_mypy_reads_is_of_these_kernels():
    """The build makes it from the library; a kernel that it does not know would be unchecked."""
    stub = Path(kernels.__file__).parent / "_kernels.pyi"
    if not stub.exists():
        stub = Path(jeopardice.kernels.__file__).parent / "_kernels.pyi"
    named = {node.name for node in ast.parse(stub.read_text()).body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    assert named == {name for name in dir(kernels) if not name.startswith("_")}
