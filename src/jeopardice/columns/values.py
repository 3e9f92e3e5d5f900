"""The values of all boards of Can't Stop, half of them stored.

A board and its mirror image are worth the same, so the kernel stores one of each row of boards and its image: a table of
rows, in order of the steps that remain, and last a row of zeros for the boards already won. Boards are looked up by the
steps that *remain* in each column; rules that the kernel does not cover have one plain array instead.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.columns.classes import kernel_board
from jeopardice.errors import PositionError
from jeopardice.games.cant_stop import CantStop, Standing
from jeopardice.kernels import kernels

Table = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class BoardValues:
    """Expected turns by steps that remain: `values[game.lengths]` is the start, `values.full()` one axis per column."""

    game: CantStop
    table: Table

    @cached_property
    def layout(self) -> Any:
        """Where boards stand in the table; None where it is one plain array."""
        return kernel_board(self.game) if self.table.ndim == 2 else None

    def __getitem__(self, remaining: tuple[int, ...]) -> float:
        lengths = self.game.lengths
        if len(remaining) != len(lengths) or not all(0 <= r <= n for r, n in zip(remaining, lengths, strict=True)):
            raise PositionError(
                f"a board is looked up by the steps that remain, {len(lengths)} numbers from 0 up to {lengths!r}, "
                f"got {tuple(remaining)!r}"
            )
        if self.layout is None:
            return float(self.table.reshape([length + 1 for length in self.game.lengths])[remaining])
        return float(self.table[self.layout.cell(list(remaining))])

    def at(self, standing: Standing) -> float:
        """Return the value of a standing: the spaces climbed, column by column."""
        return self[tuple(length - space for length, space in zip(self.game.lengths, standing, strict=True))]

    def replay(self) -> Any:
        """Return the kernel's replay of turns; None for rules outside the kernel."""
        return None if self.layout is None else kernels.CantStopReplay(self.layout, self.table)

    @property
    def start(self) -> float:
        """Expected turns of the whole game."""
        return self[self.game.lengths]

    def full(self) -> Table:
        """Return all boards as an array with one axis per column; more than twice the memory of the table."""
        shape = [length + 1 for length in self.game.lengths]
        if self.layout is None:
            return self.table.reshape(shape)
        places = np.array(self.layout.places)
        order = storage_order(self.game)
        fast = [shape[axis] for axis in order[-3:]]
        blocks = self.table[np.where(places < 0, ~places, places)].reshape(-1, *fast)
        blocks[places < 0] = blocks[places < 0].swapaxes(1, 2)
        return blocks.reshape([shape[axis] for axis in order]).transpose(np.argsort(order))

    @staticmethod
    def of_array(game: CantStop, values: Table) -> "BoardValues":
        """Store an array with one axis per column that is the same seen in the mirror."""
        layout = kernel_board(game)
        table = np.zeros((layout.rows + 1, layout.row_size), values.dtype)
        places = np.array(layout.places)
        straight = np.flatnonzero((places >= 0) & (places < layout.rows))
        blocks = np.ascontiguousarray(values.transpose(storage_order(game))).reshape(-1, layout.row_size)
        table[places[straight]] = blocks[straight]
        return BoardValues(game, table)


def storage_order(game: CantStop) -> list[int]:
    """Return the columns as axes, slowest first: from the outside in, so that the centre is fastest."""
    middle = len(game.columns) // 2
    return [side for out in range(middle, 0, -1) for side in (middle - out, middle + out)] + [middle]
