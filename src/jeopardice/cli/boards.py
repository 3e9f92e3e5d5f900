"""What the commands say about Can't Stop: distributions, simulated games, and how long a solve will take."""

import time
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import click

from jeopardice.cli.goals import Asked
from jeopardice.cli.output import duration, goal_fields, number, print_json, progress_bar, table
from jeopardice.cli.solutions import solution_for
from jeopardice.family import shape_of
from jeopardice.types import JsonObject, Number

LONG_SECONDS = 2.0
SOLVED_BOARDS = 500_000
"""Boards that are solved on the way to another answer: a few seconds."""
SIMULATED_GAMES = {True: 1_000_000, False: 2_000}
"""Games simulated for an analysis: many where the kernel knows the strategy, few where Python asks it move by move."""


def is_board(asked: Asked) -> bool:
    """Is this Can't Stop?"""
    return shape_of(asked.goal.game) == "columns"


def checked_goal(asked: Asked) -> Any:
    """Return the goal, or refuse one that boards do not have."""
    from jeopardice.family import family_of

    family_of(asked.goal.game).check(asked.goal)
    return asked.goal


def refuse_stored(stored: str | None) -> None:
    """Refuse --solution where the strategies of points games are solved again: that takes no time."""
    if stored is not None:
        raise click.UsageError("--solution is for cant-stop here; points games are solved at once: leave it out")


def say_estimate(asked: Asked, threads: int | None = None, dtype: str = "float64") -> None:
    """Say on stderr what a long solve will take, before it begins; refuse here what cannot be solved."""
    from jeopardice.columns.duel import check_duel_size, duel_bytes, duel_seconds, pair_count
    from jeopardice.columns.graph import board_count, check_writable_out
    from jeopardice.columns.work import check_space, estimate, uses_kernel
    from jeopardice.kernels import thread_count

    game = checked_goal(asked).game
    if asked.goal.players == 2:
        check_duel_size(game)
        seconds = duel_seconds(game) / thread_count(threads)
        words = f"{pair_count(game):,} pairs of boards, about {duration(seconds)}, {duel_bytes(game) / 1e6:,.0f} MB of memory"
    elif not uses_kernel(game):
        check_writable_out(game)
        seconds = estimate(game).seconds
        words = f"{board_count(game):,} boards, each turn written out from the rules, up to {duration(seconds)}"
    elif board_count(game) < SOLVED_BOARDS:
        return
    else:
        check_space(game, dtype, threads=thread_count(threads))
        expected = estimate(game, threads=thread_count(threads), dtype=dtype)
        seconds = expected.seconds
        words = (
            f"{expected.boards:,} boards, about {duration(seconds)} on {expected.threads} threads and nearly as long "
        )
        words += f"for the certificate, {expected.memory_bytes / 1e6:,.0f} MB of memory"
    if seconds > LONG_SECONDS:
        click.echo(f"jeopardice: {words}", err=True)


def show_plan(asked: Asked, dtype: str, as_json: bool) -> None:
    """Show what a run takes: boards, bytes, tasks, the longest chain of tasks, hours of one core."""
    from jeopardice.columns.work import plan_of

    if not is_board(asked) or asked.kind != "alone":
        raise click.UsageError(f"--plan is for cant-stop alone, got {asked.game} {asked.kind}; leave it out")
    plan = plan_of(checked_goal(asked).game, dtype=dtype)
    if as_json:
        print_json({**plan._asdict(), **goal_fields(asked)})
        return
    rows = [
        ["boards", f"{plan.boards:,}"],
        ["memory of each worker", f"{plan.memory_bytes / 1e6:,.0f} MB"],
        ["disk for a checkpoint", f"{plan.disk_bytes / 1e6:,.0f} MB"],
        ["tasks (rows of boards)", f"{plan.tasks:,}"],
        ["longest chain of tasks", f"{plan.longest_chain:,}"],
        ["hours of one core", f"{plan.core_hours:,.3g}"],
    ]
    table(
        f"plan for {asked.goal.game}", ["", ""], rows, note="hours from a timed sample; the certificate takes as long"
    )


def say_interrupted(asked: Asked, checkpoint: str | None) -> None:
    """Say on stderr what is left of an interrupted solve."""
    from jeopardice.columns.work import uses_kernel

    if checkpoint and (Path(checkpoint) / "manifest.json").exists():
        said = f"saved in {checkpoint}, the same command goes on from there"
    elif checkpoint:
        said = "before there was anything to save"
    elif asked.kind == "alone" and uses_kernel(asked.goal.game):
        said = "nothing saved; with --checkpoint DIR a long run can be resumed"
    else:
        said = "nothing saved"
    click.echo(f"\njeopardice: stopped, {said}", err=True)


def strategies_named(asked: Asked, names: tuple[str, ...], stored: str | None) -> tuple[list[Any], list[str]]:
    """Return one strategy per seat: the named ones, or best play where it is at hand, or the best rule known."""
    from jeopardice.columns.duel import duel_seconds
    from jeopardice.columns.graph import board_count
    from jeopardice.columns.strategy import best_known

    goal = checked_goal(asked)
    seats = goal.players
    is_small = board_count(goal.game) <= SOLVED_BOARDS if seats == 1 else duel_seconds(goal.game) < 5
    named = names or ("optimal" if stored or is_small else best_known(goal.game).name,) * seats
    if len(named) != seats:
        raise click.UsageError(f"one strategy per player: {seats} needed, got {' '.join(named)}")
    if stored is not None and "optimal" not in named:
        raise click.UsageError(f"--solution is for the strategy optimal, got {' '.join(named)}; leave one of them out")
    strategies = _made(asked, named, stored)
    return [strategies[name] for name in named], [strategies[name].name for name in named]


def _made(asked: Asked, names: tuple[str, ...], stored: str | None) -> dict[str, Any]:
    """Return strategies by name; best play is made last, so a name that does not exist is refused before the work."""
    from jeopardice.columns.strategy import board_strategy

    goal, best = checked_goal(asked), partial(solution_for, asked, stored)
    return {name: board_strategy(name, goal, best) for name in sorted(names, key="optimal".__eq__)}


def simulate_board(
    asked: Asked, games: int | None, seed: int, threads: int | None, stored: str | None, as_json: bool
) -> None:
    """Play games of Can't Stop and show what came of them."""
    from jeopardice.columns.simulate import compiled_habits, simulate_boards

    strategies, names = strategies_named(asked, asked.words, stored)
    if games is None:
        games = SIMULATED_GAMES[bool(compiled_habits(strategies))]
    started = time.perf_counter()
    with progress_bar("playing") as progress:
        played = simulate_boards(asked.race, *strategies, games=games, seed=seed, threads=threads, progress=progress)
    took = time.perf_counter() - started
    _check_played(played, games)
    estimates = {"mean turns": played.mean_turns, "mean busts": played.mean_busts}
    if asked.kind == "duel":
        estimates = {f"chance that {names[0]} wins, playing first": played.wins} | estimates
    columns = [str(column) for column in asked.goal.game.columns]
    won = dict(zip(columns, (played.won / games).tolist(), strict=True))
    chosen = dict(zip(columns, (played.chosen / games).tolist(), strict=True))
    if as_json:
        value = next(iter(estimates.values()))
        means = {name: {"mean": e.mean, "standard_error": e.standard_error} for name, e in estimates.items()}
        result = {"value": value.mean, "standard_error": value.standard_error, "estimates": means, "strategies": names}
        result |= {
            "won": won,
            "chosen": chosen,
            "drawn": played.drawn,
            "rolls": played.rolls,
            "games": games,
            "seed": seed,
            "seconds": took,
        }
        print_json({**result, **goal_fields(asked)})
        return
    rows = [[name, f"{e.mean:.6f}", f"{e.standard_error:.6f}"] for name, e in estimates.items()]
    note = f"{games:,} games in {took:.1f} s, seed {seed}; {played.drawn:,} without a winner"
    table(f"{asked.game} {asked.kind}: {' against '.join(names)}", ["", "mean", "standard error"], rows, note=note)
    _show_columns(won, chosen)


def compare_boards(asked: Asked, games: int | None, seed: int, as_json: bool) -> None:
    """Play every pair of strategies of Can't Stop against each other, both seats, and show the share of wins."""
    from jeopardice.columns.simulate import compiled_habits, simulate_boards

    names = asked.words or ("rule-of-28", "roll-4-times")
    made = _made(asked, names, None)
    pairs = [(made[first], made[second]) for first, second in product(names, repeat=2)]
    started = time.perf_counter()
    wins, errors, many = [], [], 0
    with progress_bar("playing", unit="pairs") as progress:
        for done, strategies in enumerate(pairs):
            usual = SIMULATED_GAMES[bool(compiled_habits(strategies))] // 5
            many = usual if games is None else games
            played = simulate_boards(asked.race, *strategies, games=many, seed=seed)
            _check_played(played, many)
            wins.append(played.wins.mean)
            errors.append(played.wins.standard_error)
            if progress is not None:
                progress(done + 1, len(pairs))
    size = len(names)
    first = [wins[row * size : (row + 1) * size] for row in range(size)]
    took = time.perf_counter() - started
    if as_json:
        result = {"strategies": names, "how": "simulated", "first": first, "standard_error": max(errors)}
        print_json({**result, "games": many, "seed": seed, "seconds": took, **goal_fields(asked)})
        return
    rows = [[name, *(f"{value:.4f}" for value in row)] for name, row in zip(names, first, strict=True)]
    note = f"simulated: {many:,} games a pair, standard error at most {max(errors):.4f}, seed {seed}, {took:.1f} s"
    table("share of wins of the row's strategy playing first against the column's", ["", *names], rows, note=note)


def plot_board(asked: Asked, path: str) -> Number:
    """Draw what completing each column is worth, and alone how many turns best play takes; return the value."""
    from jeopardice.columns.law import board_law
    from jeopardice.columns.strategy import BestBoardPlay
    from jeopardice.figures import new_figure, save_figure
    from jeopardice.figures.bars import Bars, draw_bars

    solution, game = solution_for(asked, None), asked.goal.game
    labels = [str(column) for column in game.columns]
    done = [solution.at({column: game.length(column)}) for column in game.columns] if game.columns_to_win > 1 else []
    height = "expected turns" if asked.kind == "alone" else "chance to win"
    panels = [Bars("with only this column completed", "column", height, labels, done)] if done else []
    if asked.kind == "alone":
        with progress_bar("counting turns"):
            turns = {n: float(p) for n, p in board_law(game, BestBoardPlay(solution)).turns.items() if p >= 5e-4}
        panels.append(
            Bars("turns that best play takes", "turns", "chance", list(map(str, turns)), list(turns.values()))
        )
    figure = new_figure(8, 3.2 * len(panels))
    draw_bars(figure, panels)
    save_figure(figure, path)
    value: Number = solution.value
    return value


def analyse_board(
    asked: Asked, name: str | None, games: int | None, seed: int, full_table: bool, stored: str | None, as_json: bool
) -> None:
    """Show the law of a game alone: exactly where that is feasible, else simulated and labelled so."""
    from jeopardice.columns.law import board_law
    from jeopardice.errors import TooLargeError

    if asked.kind != "alone":
        raise click.UsageError(
            "distributions of cant-stop are for the game alone; for two: jeopardice simulate cant-stop duel"
        )
    (strategy,), _ = strategies_named(asked, (name,) if name else (), stored)
    try:
        if games is not None:
            raise TooLargeError("simulated games were asked for")
        law = board_law(asked.goal.game, strategy)
        figures: JsonObject = {"mean turns": law.mean_turns, "variance of the turns": law.variance_turns}
        figures |= {"mean busts": law.mean_busts, "mean rolls": law.mean_rolls}
        turns, won, chosen, how = dict(law.turns), dict(law.won), dict(law.chosen), "exact"
    except TooLargeError:
        figures, turns, won, chosen, how = _simulated(asked, strategy, games, seed)
    by_column: Callable[[Any], JsonObject] = lambda counts: {str(column): value for column, value in counts.items()}  # noqa: E731
    if as_json:
        result = {"strategy": strategy.name, "how": how, "value": figures["mean turns"], **figures}
        result |= {"turns": by_column(turns), "won": by_column(won), "chosen": by_column(chosen)}
        print_json({**result, "bust_chances": _sets(asked), **goal_fields(asked)})
        return
    rows = [[name, number(value, 8)] for name, value in figures.items()]
    table(f"cant-stop alone under {strategy.name}: {how}", ["", "value"], rows)
    shown = [[str(n), number(chance, 8)] for n, chance in turns.items() if chance >= 5e-9]
    table("distribution of the number of turns", ["turns", "chance"], shown[:60])
    _show_columns(by_column(won), by_column(chosen))
    sets = [[name, f"{chance:.6f}"] for name, chance in _sets(asked).items()]
    few = full_table or len(sets) <= 24
    note = "" if few else f"All {len(sets)} sets with --table."
    table(
        "bust chance with all markers in",
        ["columns", "chance"],
        sets if few else [*sets[:10], ["...", ""], *sets[-10:]],
        note=note,
    )


def _check_played(played: Any, games: int) -> None:
    from jeopardice.columns.simulate import MOST_TURNS

    if played.drawn == games:
        raise click.UsageError(
            f"none of the {games:,} games was won within {MOST_TURNS:,} turns; choose another strategy or a shorter board"
        )


def _simulated(asked: Asked, strategy: Any, games: int | None, seed: int) -> tuple[Any, ...]:
    from jeopardice.columns.simulate import compiled_habits, simulate_boards

    if games is None:
        games = SIMULATED_GAMES[bool(compiled_habits((strategy,)))]
    with progress_bar("playing") as progress:
        played = simulate_boards(asked.race, strategy, games=games, seed=seed, progress=progress)
    _check_played(played, games)
    mean = played.mean_turns
    figures = {"mean turns": mean.mean, "standard error": mean.standard_error}
    figures |= {"variance of the turns": mean.standard_error**2 * games, "mean busts": played.mean_busts.mean}
    figures |= {"mean rolls": played.rolls / games}
    columns = asked.goal.game.columns
    won, chosen = (dict(zip(columns, (part / games).tolist(), strict=True)) for part in (played.won, played.chosen))
    return figures, played.law_of_turns, won, chosen, f"simulated, {games:,} games, seed {seed}"


def _sets(asked: Asked) -> dict[str, float]:
    from jeopardice.columns.column_sets import bust_chances

    return {"-".join(map(str, columns)): float(chance) for columns, chance in bust_chances(asked.goal.game).items()}


def _show_columns(won: dict[str, float], chosen: dict[str, float]) -> None:
    rows = [[column, f"{won[column]:.4f}", f"{chosen[column]:.4f}"] for column in won]
    table("by column", ["column", "completed by the winner", "plays a game"], rows)
