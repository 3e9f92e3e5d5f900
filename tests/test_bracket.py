"""Brackets of Can't Stop: bounds of every board, checked against solved boards and straight from the rules."""

import itertools
import json
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jeopardice
from jeopardice import CantStop, Race, solve
from jeopardice.cli import main
from jeopardice.columns import bracket as bracket_module
from jeopardice.columns.alone import solve_cant_stop
from jeopardice.columns.bracket import Bracket, Limits, Round, certified_tables, looseness_of, narrowed, next_grid
from jeopardice.columns.bracket_solution import solve_bracket
from jeopardice.columns.cells import (
    Grid,
    _closed,
    all_cuts,
    bit_counts,
    block_work,
    blocks_of,
    has_all_cuts,
    is_nested,
    level_grid,
    refined,
    started_grid,
)
from jeopardice.columns.round_parts import RoundParts
from jeopardice.errors import StaleSolution
from jeopardice.kernels import kernels, watched

SMALL = [CantStop(2, 1), CantStop(2, 3), CantStop(3, 1), CantStop(3, 2), CantStop(3, 1, columns_to_win=2)]


def boards(game: CantStop) -> list[tuple[int, ...]]:
    """Every board that is not won, by the steps that remain."""
    every = itertools.product(*(range(length + 1) for length in game.lengths))
    return [board for board in every if board.count(0) < game.columns_to_win]


def random_grid(game: CantStop, seed: int) -> Grid:
    """Cuts at random, with what a grid needs to be one."""
    random = np.random.default_rng(seed)
    is_free = blocks_of(game).is_free
    chosen = random.integers(0, 2**62, is_free.shape, dtype=np.uint64) & random.integers(
        0, 2**62, is_free.shape, dtype=np.uint64
    )
    chosen &= all_cuts(game)
    chosen[random.random(len(chosen)) < 0.5] = 0
    return Grid(game, _closed(game, chosen))


def values_at(grid: Grid, table: np.ndarray, every: list[tuple[int, ...]]) -> np.ndarray:
    return np.array([table[grid.cell(board)] for board in every])


# -------------------------------------------------------------------------------------------- every board


@pytest.mark.parametrize("game", SMALL, ids=str)
@pytest.mark.parametrize("started", [0, 1, 3])
def test_bounds_hold_on_every_board(game: CantStop, started: int) -> None:
    grid = started_grid(game, min(started, len(game.lengths)), 2)
    lower, upper = certified_tables(grid)
    solved, every = solve_cant_stop(game), boards(game)
    true = np.array([solved[board] for board in every])
    assert (values_at(grid, lower, every) <= true + 1e-12).all()
    assert (values_at(grid, upper, every) >= true - 1e-12).all()


@settings(deadline=None, max_examples=25)
@given(
    sides=st.integers(2, 3),
    shortest=st.integers(1, 3),
    columns_to_win=st.integers(1, 5),
    seed=st.integers(0, 10**6),
)
def test_random_grids_bound_random_boards(sides: int, shortest: int, columns_to_win: int, seed: int) -> None:
    game = CantStop(sides, shortest, columns_to_win=min(columns_to_win, 2 * sides - 1))
    grid = random_grid(game, seed)
    lower, upper = certified_tables(grid)
    solved = solve_cant_stop(game)
    every = boards(game)[:: 1 + len(boards(game)) // 2000]
    true = np.array([solved[board] for board in every])
    assert (values_at(grid, lower, every) <= true * (1 + 1e-12)).all()
    assert (values_at(grid, upper, every) >= true * (1 - 1e-12)).all()


def test_the_exact_grid_is_the_solved_board() -> None:
    game = CantStop(3, 2)
    grid = started_grid(game, 5)
    lower, upper = certified_tables(grid)
    assert float((upper - lower).max()) < 1e-10
    assert all(grid.is_exact(board) for board in boards(game))


# -------------------------------------------------------------------------------------------- from the rules


def best_turn(game: CantStop, board: tuple[int, ...], worth: "dict[tuple[int, ...], Fraction]") -> Fraction:
    """What the best turn from a board is worth if boards are worth `worth`, from the rules, in fractions."""
    standing = tuple(length - left for length, left in zip(game.lengths, board, strict=True))
    total = game.sides**4

    @cache
    def rolled(markers: tuple[tuple[int, int], ...]) -> Fraction:
        value = Fraction(0)
        for roll, weight in game.rolls().items():
            plays = game.plays(standing, markers, roll)
            value += weight * min((settled(after) for after in plays), default=worth[board])
        return value / total

    def settled(markers: tuple[tuple[int, int], ...]) -> Fraction:
        if game.is_won(standing, markers):
            return Fraction(0)
        banked = game.bank(standing, markers)
        left = tuple(length - space for length, space in zip(game.lengths, banked, strict=True))
        return min(worth[left], rolled(markers))

    return 1 + rolled(())


@pytest.mark.parametrize(("game", "seed"), [(CantStop(2, 1), 1), (CantStop(2, 3), 2), (CantStop(3, 1), 3)], ids=str)
def test_certificates_hold_in_fractions(game: CantStop, seed: int) -> None:
    """Tables have u <= Tu below and u >= Tu above on every board: the whole proof needs nothing else."""
    grid = random_grid(game, seed)
    every = boards(game)
    for sign, table in zip((1, -1), certified_tables(grid), strict=True):
        worth = {board: Fraction(float(table[grid.cell(board)])) for board in every}
        for board in every[:: 1 + len(every) // 40]:
            assert sign * worth[board] <= sign * best_turn(game, board, worth)


def cell_equation(game: CantStop, low: tuple[int, ...], high: tuple[int, ...], upper: bool, stops, x: float) -> float:
    """1 + R(x) of one cell: the turn written out in steps that remain, new markers entering anywhere in the cell."""
    pick = max if upper else min

    def entered(markers: dict[int, int], sums: tuple[int, ...]) -> float | None:
        """The worth of playing sums one after the other; None if nothing moves."""

        def go(now: dict[int, int], rest: tuple[int, ...], steps: dict[int, int]) -> float | None:
            if not rest:
                return place(now, sorted(steps.items()))
            column, *others = rest
            in_play = column in now or column in steps
            left = (now[column] if column in now else high[column]) - steps.get(column, 0)
            can = (in_play or len(set(now) | set(steps)) < 3) and left > 0
            return go(now, tuple(others), {**steps, column: steps.get(column, 0) + 1} if can else steps)

        return go(markers, sums, {})

    def place(now: dict[int, int], steps: list[tuple[int, int]]) -> float | None:
        if not steps:
            return None
        places = []
        for column, count in steps:
            begins = [now[column]] if column in now else range(low[column], high[column] + 1)
            places.append([(column, max(0, begin - count)) for begin in begins])
        return pick(settled(tuple(sorted({**now, **dict(chosen)}.items()))) for chosen in itertools.product(*places))

    closed = low.count(0)

    @cache
    def settled(markers: tuple[tuple[int, int], ...]) -> float:
        if closed + sum(left == 0 for _, left in markers) >= game.columns_to_win:
            return 0.0
        return min(stops(dict(markers)), rolled(markers))

    @cache
    def rolled(markers: tuple[tuple[int, int], ...]) -> float:
        value = 0.0
        for roll, weight in game.rolls().items():
            first, *rest = roll
            worths = []
            for other in range(3):
                pair = (first + rest[other] - 2, sum(rest) - rest[other] - 2)
                worths += [entered(dict(markers), order) for order in itertools.permutations(pair)]
            value += weight * min((worth for worth in worths if worth is not None), default=x)
        return value / game.sides**4

    return 1 + rolled(())


@pytest.mark.parametrize("upper", [False, True])
def test_cells_solve_their_equation(upper: bool) -> None:
    game = CantStop(2, 4)
    grid = started_grid(game, 0, 2)
    table = certified_tables(grid)[upper]
    intervals = {
        length: [(v, min(v + 1, length - 1)) for v in range(1, length, 2)] + [(0, 0), (length, length)]
        for length in game.lengths
    }
    cells = [
        cell for cell in itertools.product(*(intervals[length] for length in game.lengths)) if cell.count((0, 0)) < 3
    ]
    for cell in cells[::3]:
        low, high = zip(*cell, strict=True)
        own = grid.cell(low)

        def stops(markers: dict[int, int], low: tuple[int, ...] = low, own: int = own) -> float:
            board = tuple(markers.get(column, left) for column, left in enumerate(low))
            there = grid.cell(board)
            return float("inf") if there == own else float(table[there])

        assert cell_equation(game, low, high, upper, stops, table[own]) == pytest.approx(table[own], abs=1e-9)


# -------------------------------------------------------------------------------------------- the check


def checked(grid: Grid, table: np.ndarray, upper: bool) -> int:
    blocks = len(grid.layout.order)
    tally = watched(lambda **watch: kernels.work_cells(grid.layout, table, upper, 0.0, 0, blocks, True, 1, **watch), 1)
    return int(tally.broken)


def test_the_check_finds_a_cell_that_is_no_bound() -> None:
    grid = started_grid(CantStop(3, 2), 2)
    lower, upper = certified_tables(grid)
    assert checked(grid, lower, False) == checked(grid, upper, True) == 0
    for table, is_upper, by in ((lower, False, 1e-9), (upper, True, -1e-9)):
        wrong = table.copy()
        wrong[len(wrong) // 2] += by
        assert checked(grid, wrong, is_upper) > 0
    assert checked(grid, upper, False) > 0


def test_a_grid_whose_cells_are_torn_apart_by_a_stop_is_refused() -> None:
    game = CantStop(3, 2)
    cuts = started_grid(game, 2).cuts.copy()
    cuts[blocks_of(game).started == 0b11111] = all_cuts(game)
    with pytest.raises(ArithmeticError, match="missing in a block that leads to it"):
        certified_tables(Grid(game, cuts))


def test_float32_tables_are_bounds_too(monkeypatch: pytest.MonkeyPatch) -> None:
    game = CantStop(3, 3)
    monkeypatch.setattr(bracket_module, "MUCH_WORK", 0.0)
    bracket = narrowed(game, 2)
    solved, every = solve_cant_stop(game), boards(game)
    true = np.array([solved[board] for board in every])
    assert bracket.lower_table.dtype == np.float32
    assert (values_at(bracket.grid, bracket.lower_table, every) <= true).all()
    assert (values_at(bracket.grid, bracket.upper_table, every) >= true).all()
    assert len(looseness_of(bracket).gain) > 0


def test_threads_and_instruction_sets_give_the_same_bits() -> None:
    grid = started_grid(CantStop(3, 3), 2)
    one, two = certified_tables(grid, threads=1), certified_tables(grid, threads=2)
    assert all((a == b).all() for a, b in zip(one, two, strict=True))
    plain = np.full(grid.cells, np.inf)
    for first, last in bracket_module.pieces(grid.layout):
        watched(
            lambda first=first, last=last, **watch: kernels.work_cells(
                grid.layout, plain, False, bracket_module.CLOSE, first, last, False, 1, plain=True, **watch
            ),
            1,
        )
    assert (plain == one[0]).all()


# -------------------------------------------------------------------------------------------- known boards


def test_refining_narrows_the_bracket_around_the_value() -> None:
    game = CantStop(3, 3)
    value = solve(Race(game)).value
    rounds = narrowed(game, 1, Limits(width=1e-6)).rounds
    assert rounds[-1].upper - rounds[-1].lower <= 1e-6
    assert all(each.lower <= value <= each.upper for each in rounds)
    assert all(before.upper >= after.upper - 1e-9 for before, after in itertools.pairwise(rounds))


def test_a_finer_grid_has_all_cuts_of_the_coarser_one_and_keeps_to_its_work() -> None:
    bracket = narrowed(CantStop(3, 3), 1)
    finer = refined(bracket.grid, looseness_of(bracket), 1.5 * bracket.grid.work)
    assert (finer.cuts & bracket.grid.cuts == bracket.grid.cuts)[blocks_of(finer.game).is_free].all()
    assert bracket.grid.cells < finer.cells
    assert finer.work <= 1.5 * bracket.grid.work


def test_levels_are_nested_and_finer_for_more_work() -> None:
    game = CantStop(4, 2)
    works = (0.0, 4e6, 7e6, 1e7, np.inf)
    grids = [started_grid(game, 2, outside_work=work) for work in works]
    assert all(is_nested(grid) for grid in grids)
    assert all(
        has_all_cuts(finer, coarser) and finer.cells > coarser.cells for coarser, finer in itertools.pairwise(grids)
    )
    is_outside = bit_counts(blocks_of(game).started) > 2
    for grid, work in list(zip(grids, works, strict=True))[1:]:
        assert block_work(game, grid.cuts)[is_outside].sum() / 2 <= work


@pytest.mark.parametrize("levels", [(6, 5), (6, 5, 4, 3, 2, 3), (5, 5, 5, 5, 5, 5, 5)], ids=str)
def test_levels_that_rise_or_are_too_many_are_refused(levels: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="levels are 6 numbers that do not rise"):
        level_grid(CantStop(3, 2), levels)


def test_a_round_takes_the_finest_levels_first() -> None:
    game = CantStop(3, 3)
    coarse = started_grid(game, 2, outside_work=0.0)
    bracket = Bracket(coarse, 2, *certified_tables(coarse), rounds=(Round(0.0, 9.0, coarse.cells, 1.0),))
    finer = next_grid(bracket, Limits(width=0.01), None, 1)
    assert finer is not None
    assert (finer.cuts == level_grid(game, (6, 6, 6, 5, 5, 5)).cuts)[blocks_of(game).is_free].all()


@pytest.mark.parametrize(
    ("game", "started", "value", "width"),
    [
        (CantStop(4, 3), 3, 2.699876112043, 1e-3),
        pytest.param(CantStop(4, 3), 6, 2.699876112043, 1e-9, marks=pytest.mark.slow),
        pytest.param(CantStop(5, 1), 6, 2.790540957770, 1e-9, marks=pytest.mark.slow),
        pytest.param(CantStop(5, 2), 4, 3.395559, 0.02, marks=pytest.mark.slow),
        pytest.param(CantStop(5, 2), 6, 3.395559, 1e-4, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_brackets_of_solved_boards(game: CantStop, started: int, value: float, width: float) -> None:
    """Values as certified by the full solve (docs/cant-stop.md)."""
    solution = solve(Race(game), started=started)
    assert solution.lower <= value + 1e-12 and value - 1e-6 <= solution.upper
    assert solution.upper - solution.lower <= width
    assert abs(solution.value - value) <= solution.error_bound + 1e-6


# -------------------------------------------------------------------------------------------- on disk


class InterruptedRun(Exception):
    """Stands for Ctrl-C."""


def test_an_interrupted_round_resumes_to_the_same_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    goal = Race(CantStop(3, 3))
    whole = solve_bracket(goal, 2)
    saves = []
    save = RoundParts.save

    def failing(self: RoundParts, *piece: object) -> None:
        save(self, *piece)  # type: ignore[arg-type]
        saves.append(piece)
        if len(saves) == 7:
            raise InterruptedRun

    monkeypatch.setattr(RoundParts, "save", failing)
    with pytest.raises(InterruptedRun):
        solve_bracket(goal, 2, checkpoint=tmp_path)
    pieces = sorted((tmp_path / "round").glob("lower-*.piece"))
    pieces[0].write_bytes(pieces[0].read_bytes()[:-40] + bytes(40))
    resumed = solve_bracket(goal, 2, checkpoint=tmp_path)
    again = 2 * 2 * len(bracket_module.pieces(whole.bracket.grid.layout)) + 1
    assert len(saves) == again
    assert (resumed.bracket.lower_table == whole.bracket.lower_table).all()
    assert (resumed.bracket.upper_table == whole.bracket.upper_table).all()
    assert solve_bracket(goal, 2, checkpoint=tmp_path).bracket.rounds == resumed.bracket.rounds


def test_a_checkpoint_of_another_question_is_refused(tmp_path: Path) -> None:
    solve_bracket(Race(CantStop(2, 2)), 1, checkpoint=tmp_path)
    with pytest.raises(StaleSolution, match="1 started columns"):
        solve_bracket(Race(CantStop(2, 2)), 2, checkpoint=tmp_path)
    with RoundParts(tmp_path / "round", CantStop(2, 2)), pytest.raises(StaleSolution, match="another run"):
        solve_bracket(Race(CantStop(2, 2)), 1, checkpoint=tmp_path)


def test_time_that_runs_out_leaves_the_last_bracket(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count(step=100)
    monkeypatch.setattr(bracket_module.time, "monotonic", lambda: float(next(ticks)))
    bracket = narrowed(CantStop(3, 2), 1, Limits(seconds=50.0))
    assert len(bracket.rounds) == 1
    assert bracket.start[0] < bracket.start[1]


# -------------------------------------------------------------------------------------------- the strategy


def test_a_saved_strategy_advises_and_says_where_it_is_exact(tmp_path: Path) -> None:
    goal = Race(CantStop(3, 2))
    solution, solved = solve(goal, started=2), solve(goal)
    solution.save(tmp_path / "saved")
    loaded = jeopardice.load(tmp_path / "saved", goal)
    assert (loaded.lower, loaded.upper) == (solution.lower, solution.upper)
    for mine, markers, roll in (
        ({}, {}, (1, 1, 2, 3)),
        ({4: 1}, {3: 1}, None),
        ({2: 1, 3: 1, 4: 2, 5: 1}, {6: 1}, None),
    ):
        advice, true = (
            loaded.advise(mine=mine, markers=markers, roll=roll),
            solved.advise(mine=mine, markers=markers, roll=roll),
        )
        best = {option.play: option.value for option in true.options}
        assert all(-1e-9 <= option.value - best[option.play] <= advice.error_bound + 1e-9 for option in advice.options)
        assert ("outside the exact part" in advice.note) == (len(mine) > 2)


def test_the_strategy_takes_no_more_turns_than_its_bound() -> None:
    """Its exact value, by the rules: turns are played by the upper table, busts lead back, boards come in order."""
    game = CantStop(2, 4)
    solution = solve(Race(game), started=0)
    total = game.sides**4
    worth: dict[tuple[int, ...], float] = {}

    def turn(standing: tuple[int, ...], markers: tuple[tuple[int, int], ...]) -> tuple[float, float]:
        """The chance to bust, and the turns that follow otherwise, if one rolls here."""
        bust, after = 0.0, 0.0
        mine = dict(zip(game.columns, standing, strict=True))
        for roll, weight in game.rolls().items():
            plays = game.plays(standing, markers, roll)
            if not plays:
                bust += weight / total
                continue
            best = solution.advise(mine=mine, markers=dict(markers), roll=roll).best
            chosen = tuple(best.mode)
            if game.is_won(standing, chosen):
                continue
            if best.stops:
                after += weight / total * value(game.bank(standing, chosen))
            else:
                more_bust, more = known_turn(standing, chosen)
                bust, after = bust + weight / total * more_bust, after + weight / total * more
        return bust, after

    known_turn = cache(turn)

    def value(standing: tuple[int, ...]) -> float:
        if standing not in worth:
            bust, after = known_turn(standing, ())
            worth[standing] = (1 + after) / (1 - bust)
        return worth[standing]

    assert solve(Race(game)).value - 1e-9 <= value(game.opening) <= solution.upper
    for standing, turns in worth.items():
        assert turns <= solution.bounds(dict(zip(game.columns, standing, strict=True)))[1] + 1e-9


# -------------------------------------------------------------------------------------------- the command


def test_the_command_prints_bounds_as_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["bound", "cant-stop", "--sides", "3", "--shortest", "2", "--started", "2", "--width", "1e-7"]
    assert main([*words, "--json", "--save", str(tmp_path / "saved"), "--checkpoint", str(tmp_path / "run")]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["lower"] <= solve(Race(CantStop(3, 2))).value <= printed["upper"] <= printed["lower"] + 1e-7
    assert main(["advise", "cant-stop", "--sides", "3", "--shortest", "2", "--solution", str(tmp_path / "saved")]) == 0
    assert "roll" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["pig"], "bounds are for cant-stop"),
        (["cant-stop", "--sides", "3", "--started", "9"], "from 0 to 5"),
        (["cant-stop", "--sides", "3", "--width", "0"], "above 0"),
        (["cant-stop", "--dice", "5"], "four dice"),
    ],
)
def test_a_mistake_is_one_line(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bound", *words]) == 2
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1


def test_bounds_are_refused_where_there_are_none() -> None:
    with pytest.raises(ValueError, match="started"):
        solve(Race(jeopardice.Pig(), 20), started=2)
    with pytest.raises(ValueError, match="started"):
        solve(Race(CantStop(2, 1), players=2), started=1)
