"""What the commands say about Yahtzee: games played by strategies, and how their scores are distributed.

The exact distribution of a whole game is out of reach, so scores are simulated and labelled as simulated; the mean of best
play is exact, and every strategy plays with the same dice.
"""

import time
from typing import Any

import click

from jeopardice.cli.goals import Asked
from jeopardice.cli.output import goal_fields, number, print_json, progress_bar, table
from jeopardice.cli.solutions import solution_for
from jeopardice.types import Number

GAMES = 1_000
BIN = 25
"""Scores are counted in steps of this many points."""


def played_cards(asked: Asked, name: str, games: int | None, seed: int, stored: str | None) -> Any:
    """Return games played by a strategy."""
    from jeopardice.card.strategy import card_strategy, simulate_cards

    solution = solution_for(asked, stored) if name == "optimal" else None
    strategy = card_strategy(name, asked.race, solution)
    with progress_bar(f"playing by {name}") as progress:
        return simulate_cards(
            asked.race, strategy, games=GAMES if games is None else games, seed=seed, progress=progress
        )


def simulate_card(asked: Asked, games: int | None, seed: int, stored: str | None, as_json: bool) -> None:
    """Play games of Yahtzee and show the mean score."""
    if len(asked.words) > 1:
        raise click.UsageError(f"Yahtzee is played alone: one strategy is needed, got {' '.join(asked.words)}")
    _show(asked, asked.words or ("optimal",), games, seed, stored, as_json)


def compare_cards(asked: Asked, games: int | None, seed: int, as_json: bool) -> None:
    """Play games of Yahtzee by several strategies with the same dice."""
    _show(asked, asked.words or ("optimal", "greedy"), games, seed, None, as_json)


def analyse_card(
    asked: Asked, name: str | None, games: int | None, seed: int, stored: str | None, as_json: bool
) -> None:
    """Show how scores are distributed under a strategy, and what each box brings."""
    played = played_cards(asked, name or "optimal", games, seed, stored)
    mean, scores = played.mean_score, dict(sorted(played.scores.items()))
    how = f"simulated, {played.games:,} games, seed {seed}"
    if as_json:
        result = {"strategy": name or "optimal", "how": how, "value": mean.mean, "standard_error": mean.standard_error}
        print_json(
            {**result, "scores": {str(k): v for k, v in scores.items()}, "boxes": played.boxes, **goal_fields(asked)}
        )
        return
    table(
        f"yahtzee under {name or 'optimal'}: {how}",
        ["", "value"],
        [["mean score", number(mean.mean, 3)], ["standard error", number(mean.standard_error, 3)]],
    )
    table("mean points by box", ["box", "points"], [[box, number(points, 3)] for box, points in played.boxes.items()])
    bins: dict[int, int] = {}
    for score, count in scores.items():
        bins[score // BIN] = bins.get(score // BIN, 0) + count
    rows = [[f"{BIN * b} to {BIN * b + BIN - 1}", number(n / played.games, 4)] for b, n in sorted(bins.items())]
    table("distribution of the score", ["points", "share of games"], rows)


def plot_card(asked: Asked, path: str) -> Number:
    """Draw how much each box is worth: the loss of a game that begins with as little there as possible."""
    from jeopardice.card.match import possible_points
    from jeopardice.figures import new_figure, save_figure
    from jeopardice.figures.bars import Bars, draw_bars

    solution, boxes = solution_for(asked, None), asked.goal.game.boxes
    least = {box: min(possible_points(box)) for box in boxes}
    losses = (
        [solution.value - points - solution.at({box: points}) for box, points in least.items()]
        if len(boxes) > 1
        else [solution.value]
    )
    figure = new_figure(8, 4.5)
    draw_bars(figure, [Bars("points lost if this box holds as little as possible", "box", "points", boxes, losses)])
    save_figure(figure, path)
    value: Number = solution.value
    return value


def _show(
    asked: Asked, names: tuple[str, ...], games: int | None, seed: int, stored: str | None, as_json: bool
) -> None:
    from jeopardice.card.strategy import check_name

    for name in names:
        check_name(name)
    started = time.perf_counter()
    means = {name: played_cards(asked, name, games, seed, stored).mean_score for name in names}
    took, many = time.perf_counter() - started, GAMES if games is None else games
    if as_json:
        first = next(iter(means.values()))
        estimates = {name: {"mean": e.mean, "standard_error": e.standard_error} for name, e in means.items()}
        result = {"value": first.mean, "standard_error": first.standard_error, "estimates": estimates}
        print_json({**result, "strategies": names, "games": many, "seed": seed, "seconds": took, **goal_fields(asked)})
        return
    rows = [[name, f"{e.mean:.3f}", f"{e.standard_error:.3f}"] for name, e in means.items()]
    note = f"{many:,} games each in {took:.1f} s, seed {seed}; simulated"
    table("mean score", ["strategy", "points", "standard error"], rows, note=note)
