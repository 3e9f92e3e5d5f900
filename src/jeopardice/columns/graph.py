"""Can't Stop written out as an explicit game graph, straight from the rules.

Roll vertices are the moments of all turns: (standing, markers), at cost 1 where a turn begins. A roll leads to the
choice among its plays, each of which may be followed by a stop or by another roll; a bust leads back to where the turn
began. Slow and large, and for that reason plain: it is the other way to every number of the board kernel, and the way
for rules that the kernel does not cover (other numbers of dice or markers).
"""

from collections.abc import Iterable
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import TooLargeError
from jeopardice.games.cant_stop import CantStop, Markers, Standing
from jeopardice.graphs.graph import GameGraph, solve_game_graph

MOST_MOMENTS = 3_000_000

Moment = tuple[Standing, Markers]
Number = TypeVar("Number", int, float)
WON: Moment = ((), ())


def moment_bound(game: CantStop) -> int:
    """Return boards times placements of markers: more moments than there can be (the print's "total vertices")."""
    return board_count(game) * sum(elementary_sums(game.lengths, game.markers)[1:])


def board_count(game: CantStop) -> int:
    """Return how many standings are not yet won.

    >>> board_count(CantStop(sides=4, shortest=3))
    333069
    """
    # coefficients of the product over columns of (1 completed, length others), by number of completed columns
    by_completed = [1]
    for length in game.lengths:
        grown = [*(length * ways for ways in by_completed), 0]
        for completed, ways in enumerate(by_completed):
            grown[completed + 1] += ways
        by_completed = grown
    return sum(by_completed[: game.columns_to_win])


def elementary_sums(lengths: Iterable[Number], most: int) -> list[Number]:
    """Return e_0 to e_most: the sums of products over all sets of this many columns.

    >>> elementary_sums((1, 3, 1), 3)
    [1, 5, 7, 3]
    """
    sums: list[Any] = [1] + [0] * most
    for length in lengths:
        for size in range(most, 0, -1):
            sums[size] += length * sums[size - 1]
    return sums


def cant_stop_graph(game: CantStop, standings: Iterable[Standing] | None = None) -> GameGraph:
    """Write out every moment that can be reached from `standings` (if not given: from the opening)."""
    check_writable_out(game)
    every_roll = game.rolls()

    def rolls(moment: Moment) -> dict[tuple[Moment, ...], int]:
        standing, markers = moment
        if moment == WON:
            return {}
        weights: dict[tuple[Moment, ...], int] = {}
        for roll, weight in every_roll.items():
            plays = game.plays(standing, markers, roll)
            choice = tuple(sorted({step for play in plays for step in _steps(standing, play)})) or ((standing, ()),)
            weights[choice] = weights.get(choice, 0) + weight
        return weights

    def _steps(standing: Standing, markers: Markers) -> list[Moment]:
        if game.is_won(standing, markers):
            return [WON]
        return [(game.bank(standing, markers), ()), (standing, markers)]

    return GameGraph.explore(
        [(start, ()) for start in (standings or [game.opening])],
        rolls,
        moves=lambda choice: choice,
        cost=lambda moment: float(moment != WON and moment[1] == ()),
    )


def check_writable_out(game: CantStop) -> None:
    """Refuse a board with too many moments to write out."""
    if moment_bound(game) > MOST_MOMENTS:
        raise TooLargeError(
            f"{game} has up to {moment_bound(game):,} moments, too many to write out one by one (most: "
            f"{MOST_MOMENTS:,}); choose a smaller board, or one for the board kernel: up to six sides, four dice, three markers"
        )


def solve_by_graph(game: CantStop) -> NDArray[np.float64]:
    """Return the anchors' values by steps that remain, one axis per column; won boards are worth 0."""
    standings = (standing for standing in game.standings() if not game.is_won(standing))
    solved = solve_game_graph(cant_stop_graph(game, standings))
    values = np.zeros([length + 1 for length in game.lengths])
    for name, value in zip(solved.graph.roll_names, solved.roll_values, strict=True):
        standing, markers = cast(Moment, name)
        if name != WON and not markers:
            values[tuple(np.subtract(game.lengths, standing))] = value
    return values
