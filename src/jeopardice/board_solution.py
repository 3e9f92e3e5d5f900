"""A solved board of Can't Stop, asked the same questions as any other solution.

Values are expected turns, the turn in progress counted, so that the value of the start is the value of the game. Boards are
given as {column: spaces climbed}, markers as {column: space they stand on}, both counted from the bottom.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from jeopardice.dice import Roll
from jeopardice.errors import PositionError
from jeopardice.goal import Race
from jeopardice.kernels import Progress
from jeopardice.moments import Advice, Option
from jeopardice.solvers.cant_stop import certify_cant_stop, error_bound, solve_cant_stop
from jeopardice.solvers.cant_stop_turn import MomentWorth, TurnReplay
from jeopardice.solvers.cant_stop_values import BoardValues
from jeopardice.store import goal_as_json, write_blocks


@dataclass(frozen=True, eq=False)
class BoardSolution:
    """Can't Stop alone: the fewest expected turns from every board."""

    goal: Race
    values: BoardValues = field(repr=False)

    @property
    def value(self) -> float:
        """The fewest expected turns from the empty board."""
        return self.values.start

    @cached_property
    def error_bound(self) -> float:
        """A certified bound of the error of every board's value (see `solvers/cant_stop.py`)."""
        return self.certify()

    def certify(self, progress: Progress | None = None) -> float:
        """Compute the bound, reporting progress: about as long as solving took. `error_bound` keeps it."""
        bound = error_bound(self.values, certify_cant_stop(self.values, progress=progress))
        self.__dict__["error_bound"] = bound
        return bound

    def at(self, mine: Mapping[int, int] | None = None) -> float:
        """Return the expected turns from a board."""
        return self.turns.value(dict(mine or {}))

    def advise(
        self,
        *,
        mine: Mapping[int, int] | None = None,
        markers: Mapping[int, int] | None = None,
        roll: Roll | None = None,
    ) -> Advice:
        """Return every option: stop or roll on with these markers, or each play of `roll` and what follows it best."""
        board, placed = dict(mine or {}), dict(markers or {})
        if roll is None:
            options = self._stop_or_roll(self.turns.moment(board, placed), placed)
        else:
            options = [
                Option(
                    self._words(play.markers, placed, play.worth),
                    1 + play.worth.best,
                    play.worth.should_stop,
                    0,
                    tuple(sorted(play.markers.items())),
                )
                for play in self.turns.plays(board, placed, roll)
            ]
        if not options:
            raise PositionError(f"the roll {roll!r} is a bust: the turn is over and there is nothing to choose")
        return Advice(tuple(sorted(options, key=lambda o: (o.value, not o.stops))), lambda: self.error_bound)

    @cached_property
    def turns(self) -> TurnReplay:
        """The replayed turns, ready for questions about any moment."""
        return TurnReplay(self.values)

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        about = {"goal": goal_as_json(self.goal), "goal_repr": repr(self.goal)}
        about |= {"value": self.value, "error_bound": self.error_bound}
        return write_blocks(path, about, {"boards": self.values.table})

    def _stop_or_roll(self, worth: MomentWorth, markers: Mapping[int, int]) -> list[Option]:
        roll = Option("roll", 1 + worth.roll, False, 0, tuple(sorted(markers.items())))
        return [Option("stop", 1 + worth.stop, True, 0), roll] if markers else [roll]

    def _words(self, after: Mapping[int, int], before: Mapping[int, int], worth: MomentWorth) -> str:
        climbed = [f"{column} to {space}" for column, space in sorted(after.items()) if before.get(column) != space]
        return f"climb {' and '.join(climbed)}, then {'stop' if worth.should_stop else 'roll'}"


def solve_board(
    goal: Race, *, threads: int | None = None, progress: Progress | None = None, checkpoint: str | Path | None = None
) -> BoardSolution:
    """Solve Can't Stop alone."""
    if goal.target is not None:
        raise ValueError(f"Can't Stop is won with columns, not points: set columns_to_win, not target={goal.target!r}")
    for name, usual in (("players", 1), ("finish", "reach"), ("cost", "turns"), ("within", None), ("bank_from", 0)):
        if getattr(goal, name) != usual:
            raise ValueError(
                f"{name}={getattr(goal, name)!r} is for points games; Can't Stop is solved alone, for the fewest turns"
            )
    return BoardSolution(goal, solve_cant_stop(goal.game, threads=threads, progress=progress, checkpoint=checkpoint))
