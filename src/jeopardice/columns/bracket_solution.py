"""A bracketed board of Can't Stop alone, asked the same questions as a solved one.

The upper table is a strategy: play as if its numbers were values, and the expected turns are at most the number of the
board. So advice shows each option's upper value and prefers the lowest; how much lower the true value can be is its error
bound. On boards outside the exact part that is look-ahead to the end of the turn with the bounds as leaf values, and the
advice says so.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import product
from math import inf, nextafter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from jeopardice.columns.bracket import Bracket, Limits, Round, narrowed
from jeopardice.columns.cells import Grid, blocks_of
from jeopardice.columns.checkpoint import checkpoint_directory
from jeopardice.columns.match import CantStopMatch
from jeopardice.columns.round_parts import RoundParts
from jeopardice.columns.solution import ROUNDING, TURN_MARKS, advice
from jeopardice.columns.turn import moments
from jeopardice.dice import Roll
from jeopardice.errors import StaleSolution
from jeopardice.games.cant_stop import CantStop, Markers, Standing
from jeopardice.kernels import Progress, kernels
from jeopardice.rules.goal import Race
from jeopardice.solution import Advice, Certificate, Measure
from jeopardice.store import about_goal, read_blocks, write_blocks
from jeopardice.types import Array, JsonObject, Keywords

if TYPE_CHECKING:
    from jeopardice.columns.strategy import BestBoardPlay

NARROW = 1e-3
"""Bounds closer than this, in turns, rank plays as values do."""


@dataclass(frozen=True, eq=False)
class CellValues:
    """One table over the cells of a grid, by remaining steps; turns are replayed from it."""

    grid: Grid
    table: NDArray[np.floating] = field(repr=False)

    @property
    def game(self) -> CantStop:
        """The rules."""
        return self.grid.game

    def __getitem__(self, remaining: tuple[int, ...]) -> float:
        cell = self.grid.cell(remaining)
        return 0.0 if cell < 0 else float(self.table[cell])

    def replay(self) -> Any:
        """Return the kernel's replay of turns."""
        return kernels.CellReplay(self.grid.layout, self.table)


@dataclass(frozen=True, eq=False)
class BracketSolution:
    """Can't Stop alone between two bounds: `lower` <= fewest expected turns <= `upper`, certified."""

    goal: Race
    bracket: Bracket = field(repr=False)

    @property
    def lower(self) -> float:
        """The fewest expected turns of the game are at least this."""
        return self.bracket.start[0]

    @property
    def upper(self) -> float:
        """The strategy that `advise` gives takes at most this many turns on average."""
        return self.bracket.start[1]

    @property
    def value(self) -> float:
        """The middle of the bracket."""
        return (self.lower + self.upper) / 2

    @property
    def values(self) -> tuple[float, ...]:
        """The value, for the only player."""
        return (self.value,)

    @property
    def error_bound(self) -> float:
        """Half the width of the bracket, rounded up."""
        return nextafter(max(self.upper - self.value, self.value - self.lower), inf)

    @property
    def certificate(self) -> Certificate:
        """A bracket is certified as it is made."""
        return Certificate(self.error_bound)

    def certify(self, progress: Progress | None = None, threads: int | None = None) -> Self:
        """Return the solution: its bounds are proven already."""
        return self

    def strategy(self, seat: int = 0) -> "BestBoardPlay":
        """Play by the upper bounds, as a strategy like any other."""
        from jeopardice.columns.strategy import NEAR_BEST, BestBoardPlay

        return BestBoardPlay(self, NEAR_BEST)

    def bounds(self, mine: Mapping[int, int] | None = None) -> tuple[float, float]:
        """Return the certified bounds of the expected turns from a board."""
        return self.bracket.at(self._remaining(mine or {}))

    def at(self, mine: Mapping[int, int] | None = None) -> float:
        """Return the middle of the bounds of a board."""
        return sum(self.bounds(mine)) / 2

    def advise(
        self,
        *,
        mine: Mapping[int, int] | None = None,
        markers: Mapping[int, int] | None = None,
        roll: Roll | None = None,
    ) -> Advice:
        """Return every option with the turns it takes at most; it can take fewer by the advice's error bound."""
        note = "values are upper bounds, kept by the strategy shown"
        if not self.bracket.grid.is_exact(self._remaining(mine or {})):
            note = "this board is outside the exact part: look-ahead to the end of the turn, with bounds as leaf values"
        shown = advice(self, (mine or {},), markers, roll, lambda: gap, note)
        standing = self.goal.game.standing(mine or {})
        below = ((option, self._least(standing, option.match_play.markers)) for option in shown.options)
        gap = max(option.value - (stop if option.stops else rolled) for option, (stop, rolled) in below)
        return shown

    @property
    def match(self) -> CantStopMatch:
        """The game as a tree of spots."""
        return CantStopMatch(self.goal.game)

    @property
    def measure(self) -> Measure:
        """Turns; fewer are better. Upper bounds rank plays like an estimate where the bracket is wide."""
        return Measure("turns", *TURN_MARKS, prefers_less=True, is_estimate=self.bracket.width > NARROW)

    @property
    def tie(self) -> float:
        """Far below what a player can notice."""
        return ROUNDING

    def moment(self, standings: tuple[Standing, ...], seat: int, markers: Markers) -> tuple[float, float]:
        """Return how many turns stopping and rolling take at most, the turn in progress included."""
        return self._most(standings[seat], markers)

    @cached_property
    def _most(self) -> Callable[[Standing, Markers], tuple[float, float]]:
        return moments(CellValues(self.bracket.grid, self.bracket.upper_table))

    @cached_property
    def _least(self) -> Callable[[Standing, Markers], tuple[float, float]]:
        return moments(CellValues(self.bracket.grid, self.bracket.lower_table))

    def _remaining(self, mine: Mapping[int, int]) -> tuple[int, ...]:
        game = self.goal.game
        return tuple(length - space for length, space in zip(game.lengths, game.standing(mine), strict=True))

    def rows(self) -> Iterator[JsonObject]:
        """Yield one board of every cell, as spaces climbed column by column, with the bounds of the whole cell."""
        grid, lengths = self.bracket.grid, self.goal.game.lengths
        blocks = blocks_of(self.goal.game)
        for block in np.flatnonzero(blocks.is_real):
            steps = [
                [v for v in range(1, length) if int(grid.cuts[block, c]) >> v & 1] if blocks.is_free[block, c]
                else [0 if int(blocks.closed[block]) >> c & 1 else length]
                for c, length in enumerate(lengths)
            ]  # fmt: skip
            for remaining in product(*steps):
                lower, upper = self.bracket.at(remaining)
                climbed = (length - left for length, left in zip(lengths, remaining, strict=True))
                board = dict(zip(map(str, self.goal.game.columns), climbed, strict=True))
                yield board | {"lower": lower, "upper": upper}

    def blocks(self) -> dict[str, Array]:
        """Return the cuts of the cells and the tables of their bounds."""
        cuts = self.bracket.grid.cuts
        small = cuts.astype(np.uint16) if cuts.max() < 1 << 16 else cuts  # up to 15 spaces take a quarter of the bytes
        return {"cuts": small, "lower": self.bracket.lower_table, "upper": self.bracket.upper_table}

    def save(self, path: str | Path) -> Path:
        """Write the bracket to a directory; `jeopardice.load` reads it again."""
        about = about_goal(self.goal) | {"lower": self.lower, "upper": self.upper, "started": self.bracket.started}
        about |= {"rounds": [asdict(each) for each in self.bracket.rounds]}
        return write_blocks(path, about, self.blocks())


def load_bracket(goal: Race, blocks: Keywords, about: Keywords, where: str) -> BracketSolution:
    """Return the bracket of stored blocks."""
    cuts = blocks["cuts"]
    if cuts.shape != blocks_of(goal.game).is_free.shape or cuts.dtype not in (np.uint64, np.uint16):
        raise StaleSolution(f"{where} holds bounds for another board; bound it and save again")
    grid = Grid(goal.game, np.ascontiguousarray(cuts, np.uint64))
    tables = blocks["lower"], blocks["upper"]
    if any(table.shape != (grid.cells,) or table.dtype not in (np.float64, np.float32) for table in tables):
        raise StaleSolution(f"{where} holds bounds for another board; bound it and save again")
    rounds = tuple(Round(**each) for each in about["rounds"])
    return BracketSolution(goal, Bracket(grid, about["started"], *tables, rounds))


def solve_bracket(
    goal: Race,
    started: int,
    limits: Limits | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
) -> BracketSolution:
    """Bracket Can't Stop alone, going on from a checkpoint directory if it has one."""
    game: CantStop = goal.game
    if checkpoint is None:
        return BracketSolution(goal, narrowed(game, started, limits, threads=threads, progress=progress))
    place = checkpoint_directory(checkpoint)
    with RoundParts(place / "round", game) as parts:
        found = _found(goal, started, place / "bracket")
        bracket = narrowed(
            game,
            started,
            limits,
            threads=threads,
            progress=progress,
            parts=parts,
            found=found,
            keep=lambda bracket: _keep(BracketSolution(goal, bracket), place / "bracket"),
        )
    return BracketSolution(goal, bracket)


def _keep(solution: BracketSolution, place: Path) -> None:
    solution.save(place)


def _found(goal: Race, started: int, place: Path) -> Bracket | None:
    """Return the bracket that an earlier run left, if it is for the same question."""
    if not place.exists():
        return None
    about, blocks = read_blocks(place)
    if about.get("goal_repr") != repr(goal) or about.get("started") != started:
        raise StaleSolution(
            f"{place.parent} belongs to {about.get('goal_repr')} with {about.get('started')} started columns; "
            "choose another directory"
        )
    return load_bracket(goal, blocks, about, str(place)).bracket
