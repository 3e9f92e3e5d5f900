"""A solved board of Can't Stop, alone or for two, asked the same questions as any other solution.

Alone values are expected turns, the turn in progress counted, so that the value of the start is the value of the game;
for two they are the chance to win of whoever has the dice. Boards are
given as {column: spaces climbed}, markers as {column: space they stand on}, both counted from the bottom.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from jeopardice.dice import Roll
from jeopardice.errors import PositionError
from jeopardice.games.cant_stop import Markers, Standing
from jeopardice.goal import Race
from jeopardice.kernels import Progress
from jeopardice.moments import Advice, Option
from jeopardice.solvers.board_duel import DuelValues, duel_bounds, solve_board_duel, walk_rounding
from jeopardice.solvers.cant_stop import certify_cant_stop, error_bound, solve_cant_stop
from jeopardice.solvers.cant_stop_turn import TurnReplay
from jeopardice.solvers.cant_stop_values import BoardValues
from jeopardice.store import goal_as_json, write_blocks


@dataclass(frozen=True, eq=False)
class BoardSolution:
    """Can't Stop alone: the fewest expected turns from every board."""

    goal: Race
    values: BoardValues = field(repr=False)
    checkpoint: Path | None = field(default=None, repr=False)

    @property
    def value(self) -> float:
        """The fewest expected turns from the empty board."""
        return self.values.start

    @cached_property
    def error_bound(self) -> float:
        """A certified bound of the error of every board's value (see `solvers/cant_stop.py`)."""
        return self.certify()

    def certify(self, progress: Progress | None = None, threads: int | None = None) -> float:
        """Compute the bound, reporting progress: about as long as solving took. `error_bound` keeps it."""
        missed = certify_cant_stop(self.values, threads=threads, progress=progress, checkpoint=self.checkpoint)
        bound = error_bound(self.values, missed)
        self.__dict__["error_bound"] = bound
        return bound

    def at(self, mine: Mapping[int, int] | None = None) -> float:
        """Return the expected turns from a board."""
        return self.turns.value(mine or {})

    def advise(
        self,
        *,
        mine: Mapping[int, int] | None = None,
        markers: Mapping[int, int] | None = None,
        roll: Roll | None = None,
    ) -> Advice:
        """Return every option: stop or roll on with these markers, or each play of `roll` and what follows it best."""
        worths = self.worths(mine or {}, {}, markers or {}, roll)
        return _advice(worths, dict(markers or {}), roll, lambda: self.error_bound + self._rounding, prefers_less=True)

    @cached_property
    def _rounding(self) -> float:
        """What replaying a turn can add to the error of a moment: each roll adds up its classes, each sum rounded."""
        game = self.goal.game
        return float(sum(game.lengths) * (len(game.rolls()) + 4) * 2.0**-53 * (1.0 + float(self.values.table.max())))

    def worths(
        self, mine: Mapping[int, int], theirs: Mapping[int, int], markers: Mapping[int, int], roll: Roll | None
    ) -> list["BoardWorth"]:
        """Return what stopping and rolling are worth with these markers, or after each play of `roll`."""
        if theirs:
            raise PositionError(f"alone there is nobody else on the board, got theirs={dict(theirs)!r}")
        if self.goal.game.is_won(self.goal.game.standing(mine)):
            raise PositionError(f"the game is won with {dict(mine)!r}; ask about an earlier board")
        if roll is None:
            found = [(dict(markers), self.turns.moment(mine, markers))]
        else:
            found = [(play.markers, play.worth) for play in self.turns.plays(mine, markers, roll)]
        game, standing = self.goal.game, self.goal.game.standing(mine)
        return [
            BoardWorth(
                after,
                1 + worth.stop if after else None,
                None if game.is_won(standing, game.placed(standing, after)) else 1 + worth.roll,
            )
            for after, worth in found
        ]

    @cached_property
    def turns(self) -> TurnReplay:
        """The replayed turns, ready for questions about any moment."""
        return TurnReplay(self.values)

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        about = {"goal": goal_as_json(self.goal), "goal_repr": repr(self.goal)}
        about |= {"value": self.value, "error_bound": self.error_bound}
        return write_blocks(path, about, {"boards": self.values.table})


@dataclass(frozen=True)
class BoardWorth:
    """Markers, and what the goal counts if one stops with them (None: nothing to stop with) or rolls (None: it is won)."""

    markers: dict[int, int]
    stop: float | None
    roll: float | None


@dataclass(frozen=True, eq=False)
class BoardDuelSolution:
    """Can't Stop for two: the chance to win of whoever has the dice; a drawn game counts as half a win."""

    goal: Race
    values: DuelValues = field(repr=False)

    @property
    def value(self) -> float:
        """The chance to win of the player who begins."""
        return self.at()

    @property
    def coin_toss(self) -> float:
        """The chance of either player if a coin decides who begins: the rules are the same for both."""
        return 0.5

    @property
    def total(self) -> int:
        """What both players' values add up to in every position."""
        return 1

    @cached_property
    def error_bound(self) -> float:
        """A certified bound of the error of every position's value (see `solvers/board_duel.py`)."""
        return self.certify()

    def certify(self, progress: Progress | None = None, threads: int | None = None) -> float:
        """Compute the bound, reporting progress: about as long as solving took. `error_bound` keeps it."""
        bound = float(duel_bounds(self.values, threads=threads, progress=progress).max())
        vars(self.values.boards).pop("tables", None)  # all turns written out: nothing needs them any more
        self.__dict__["error_bound"] = bound
        return bound

    def at(self, mine: Mapping[int, int] | None = None, theirs: Mapping[int, int] | None = None) -> float:
        """Return the chance to win of the player about to begin a turn."""
        return self.values.at(*self._standings(mine or {}, theirs or {}))

    def is_drawn(self, mine: Mapping[int, int], theirs: Mapping[int, int]) -> bool:
        """Can nobody win any more?"""
        return self.values.boards.is_drawn(*self._standings(mine, theirs))

    def advise(
        self,
        *,
        mine: Mapping[int, int] | None = None,
        theirs: Mapping[int, int] | None = None,
        markers: Mapping[int, int] | None = None,
        roll: Roll | None = None,
    ) -> Advice:
        """Return every option: stop or roll on with these markers, or each play of `roll` and what follows it best."""
        worths = self.worths(mine or {}, theirs or {}, markers or {}, roll)
        bound = lambda: self.error_bound + walk_rounding(self.values.boards)  # noqa: E731
        return _advice(worths, dict(markers or {}), roll, bound, prefers_less=False)

    def worths(
        self, mine: Mapping[int, int], theirs: Mapping[int, int], markers: Mapping[int, int], roll: Roll | None
    ) -> list[BoardWorth]:
        """Return what stopping and rolling are worth with these markers, or after each play of `roll`."""
        game, boards = self.goal.game, self.values.boards
        own, others = self._standings(mine, theirs)
        if boards.is_drawn(own, others):
            raise PositionError("nobody can win any more here: the game is drawn, and there is nothing to choose")
        own, placed = boards.lowered(own, boards.closed_by(others)), game.placed(own, markers)
        turn = self._turn(own, others)
        if placed not in turn:
            raise PositionError(f"no turn from here leaves the markers on {dict(markers)!r}; ask about another moment")
        after = [placed]
        if roll is not None:
            roll = game.roll(roll)
            if game.is_won(own, placed):
                raise PositionError("the game is over here: enough columns are completed; ask about an earlier moment")
            after = game.plays(own, placed, roll, boards.closed_by(others))
        return [
            BoardWorth(dict(at), turn[at][0] if at else None, None if game.is_won(own, at) else turn[at][1])
            for at in after
        ]

    @cached_property
    def _turn(self) -> Callable[[Standing, Standing], dict[Markers, tuple[float, float]]]:
        return lru_cache(maxsize=64)(self.values.turn)

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        about = {"goal": goal_as_json(self.goal), "goal_repr": repr(self.goal)}
        about |= {"value": self.value, "error_bound": self.error_bound}
        return write_blocks(path, about, {"positions": self.values.table})

    def _standings(self, mine: Mapping[int, int], theirs: Mapping[int, int]) -> tuple[Standing, Standing]:
        game, boards = self.goal.game, self.values.boards
        own, others = game.standing(mine), game.standing(theirs)
        for name, standing in (("mine", own), ("theirs", others)):
            if game.is_won(standing):
                raise PositionError(f"{name} has completed {game.columns_to_win} columns: that game is over")
        if both := boards.closed_by(own) & boards.closed_by(others):
            raise PositionError(f"column {min(both)} is completed by both, but the first to complete it closes it")
        return own, others


def _advice(
    worths: list[BoardWorth],
    before: dict[int, int],
    roll: Roll | None,
    bound: Callable[[], float],
    *,
    prefers_less: bool,
) -> Advice:
    sign = 1 if prefers_less else -1
    options = []
    for worth in worths:
        follow = [("stop", worth.stop), ("roll", worth.roll)]
        known = [(word, value) for word, value in follow if value is not None]
        if roll is not None:
            known = [min(known, key=lambda option: sign * option[1])]
        for word, value in known:
            play = word if roll is None else f"{climb_words(worth.markers, before)}, then {word}"
            options.append(Option(play, value, word == "stop", 0, tuple(sorted(worth.markers.items()))))
    if not options:
        raise PositionError(f"the roll {roll!r} is a bust: the turn is over and there is nothing to choose")
    return Advice(tuple(sorted(options, key=lambda o: (sign * o.value, not o.stops))), bound)


def climb_words(after: Mapping[int, int], before: Mapping[int, int]) -> str:
    """Return a play in words: which markers now stand where.

    >>> climb_words({6: 1, 7: 2}, {7: 1})
    'climb 6 to 1 and 7 to 2'
    """
    climbed = [f"{column} to {space}" for column, space in sorted(after.items()) if before.get(column) != space]
    return f"climb {' and '.join(climbed)}"


def solve_board(
    goal: Race,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
    dtype: str = "float64",
) -> BoardSolution:
    """Solve Can't Stop alone."""
    check_board_goal(goal)
    values = solve_cant_stop(goal.game, threads=threads, progress=progress, checkpoint=checkpoint, dtype=dtype)
    return BoardSolution(goal, values, None if checkpoint is None else Path(checkpoint).resolve())


def solve_board_for_two(
    goal: Race, *, threads: int | None = None, progress: Progress | None = None
) -> BoardDuelSolution:
    """Solve Can't Stop for two, on a small board."""
    check_board_goal(goal)
    return BoardDuelSolution(goal, solve_board_duel(goal.game, threads=threads, progress=progress))


def check_board_goal(goal: Any) -> Race:
    """Return the goal, or refuse one that boards do not have: they are won with columns; what counts is turns, or the win."""
    if not isinstance(goal, Race):
        raise TypeError("Can't Stop is a race: ask for Race(CantStop(...)), on the command line for alone or duel")
    if goal.target is not None:
        raise ValueError(f"Can't Stop is won with columns, not points: set columns_to_win, not target={goal.target!r}")
    usual_rules = {
        "finish": "reach",
        "cost": "turns",
        "payoff": "win",
        "within": None,
        "opponent": None,
        "bank_from": 0,
    }
    for name, usual in usual_rules.items():
        if getattr(goal, name) != usual:
            raise ValueError(f"{name}={getattr(goal, name)!r} is for points games; leave it out for Can't Stop")
    return goal
