"""The family of column games: Can't Stop alone, for the fewest turns, and for two, for the chance to win.

This is what commands, web and tutor ask; each answer has its own module.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from jeopardice.columns.alone import Task, solve_cant_stop
from jeopardice.columns.bracket_solution import BracketSolution, load_bracket, solve_bracket
from jeopardice.columns.coding import columns_coding
from jeopardice.columns.duel import DuelBoards, DuelValues, duel_bytes, duel_seconds, pair_count, solve_board_duel
from jeopardice.columns.estimate import EstimatedDuel, is_estimated
from jeopardice.columns.judge import ColumnsJudge
from jeopardice.columns.match import CantStopMatch, ColumnsPlay, ColumnsSpot
from jeopardice.columns.ready import is_bounded, ready_bracket
from jeopardice.columns.rows import Workers
from jeopardice.columns.solution import BoardDuelSolution, BoardSolution
from jeopardice.columns.strategy import STRATEGIES, BoardMoment, BoardStrategy, board_strategy
from jeopardice.columns.values import BoardValues, Table
from jeopardice.columns.words import WORDS
from jeopardice.columns.work import estimate, table_shape
from jeopardice.engine.work import Work
from jeopardice.errors import StaleSolution, TooLargeError
from jeopardice.family import How
from jeopardice.games.cant_stop import CantStop
from jeopardice.kernels import thread_count
from jeopardice.rules.coding import Coding
from jeopardice.rules.game import changed_fields
from jeopardice.rules.goal import Goal, Race, race_of
from jeopardice.solution import Certificate
from jeopardice.types import Array, Blocks, Keywords

ColumnsSolution = BoardSolution | BoardDuelSolution | BracketSolution


class ColumnsFamily:
    """What the family answers."""

    shape = "columns"
    words = WORDS

    def check(self, goal: Goal) -> None:
        """Refuse goals other than a race, and rules of points games: boards are won with columns."""
        if not isinstance(goal, Race):
            raise TypeError("Can't Stop is a race: ask for Race(CantStop(...)), on the command line for alone or duel")
        if goal.target is not None:
            raise ValueError(
                f"Can't Stop is won with columns, not points: set columns_to_win, not target={goal.target!r}"
            )
        if goal.players > 2:
            raise ValueError(f"Can't Stop is solved for one or two players, got players={goal.players}")
        for name, given in changed_fields(goal).items():
            if name not in ("game", "target", "players"):
                raise ValueError(f"{name}={given!r} is for points games; leave it out for Can't Stop")

    def work(self, goal: Goal, threads: int | None = None) -> Work:
        """Estimate the boards alone from a timed sample, the pairs of boards for two from their counts."""
        if goal.players == 2:
            seconds = duel_seconds(goal.game) / thread_count(threads)
            return Work(pair_count(goal.game), seconds, duel_bytes(goal.game))
        cost = estimate(goal.game, threads=threads)
        return Work(cost.boards, cost.seconds, cost.memory_bytes)

    def match(self, goal: Goal) -> CantStopMatch:
        """Return the game as a tree of spots."""
        return CantStopMatch(goal.game, goal.players)

    def coding(self, goal: Goal) -> Coding:
        """Return the game in numbers."""
        return columns_coding(self.match(goal))

    def solve(self, goal: Goal, how: How) -> ColumnsSolution:
        """Solve a board alone, or a small one for two."""
        race = race_of(goal)
        self.check(race)
        options = dict(how.options)
        if how.exact:
            raise TooLargeError("exact fractions are for points games; leave out exact for a certified float")
        if goal.players == 2:
            if how.checkpoint is not None or options:
                raise ValueError(
                    "checkpoint, cluster, dtype and started are for Can't Stop alone; boards for two are small: leave "
                    "them out"
                )
            return BoardDuelSolution(race, solve_board_duel(goal.game, threads=how.threads, progress=how.progress))
        if (started := options.pop("started", None)) is not None:
            if options:
                raise ValueError(f"bounds take no other options; leave out {' and '.join(options)}")
            return solve_bracket(race, started, threads=how.threads, progress=how.progress, checkpoint=how.checkpoint)
        if (cluster := options.pop("cluster", None)) is not None:
            options["workers"] = partial(ray_workers, cluster, how.threads)
        boards = solve_cant_stop(
            goal.game, threads=how.threads, progress=how.progress, checkpoint=how.checkpoint, **options
        )
        return BoardSolution(
            race, boards, checkpoint=None if how.checkpoint is None else Path(how.checkpoint).resolve()
        )

    def load(self, goal: Goal, blocks: Blocks, about: Keywords) -> ColumnsSolution:
        """Return the solution that was saved, with its certificate."""
        if "cuts" in blocks:
            return load_bracket(race_of(goal), blocks, about, str(about["where"]))
        bound = about["error_bound"]
        certificate = Certificate(bound) if isinstance(bound, float) and bound >= 0 else None
        if goal.players == 2:
            boards = DuelBoards(goal.game)
            positions = _shaped(blocks["positions"], (len(boards.boards),) * 2, about)
            return BoardDuelSolution(race_of(goal), DuelValues(boards, positions), certificate)
        table = _shaped(blocks["boards"], table_shape(goal.game), about)
        return BoardSolution(race_of(goal), BoardValues(goal.game, table), certificate)

    def judge(self, solution: Any) -> ColumnsJudge:
        """Return the judge that knows a solution's values."""
        return ColumnsJudge(solution)

    def judge_to_play(self, goal: Goal, how: How) -> ColumnsJudge:
        """Solve the board; take a bracket of a large one, or an estimate where it is played by two."""
        race = race_of(goal)
        self.check(race)
        if is_estimated(race):
            return ColumnsJudge(EstimatedDuel(race))
        if is_bounded(race):
            return ColumnsJudge(ready_bracket(race, threads=how.threads, progress=how.progress))
        return ColumnsJudge(self.solve(goal, how))

    def judge_at_once(self, goal: Goal) -> ColumnsJudge | None:
        """Return a judge that estimates, for two players."""
        return ColumnsJudge(EstimatedDuel(race_of(goal))) if goal.players == 2 else None

    def strategies(self, goal: Goal) -> dict[str, str]:
        """Return the names of the strategies that fit a goal."""
        return {name: about for name, about in STRATEGIES.items() if name != "glenn-aloi" or goal.game.sides == 6}

    def strategy(self, goal: Goal, name: str, seat: int = 0) -> BoardStrategy:
        """Return the strategy of a name."""
        return board_strategy(name, race_of(goal), lambda: self.solve(goal, How()))

    def play_of(self, strategy: BoardStrategy, match: CantStopMatch, spot: ColumnsSpot) -> ColumnsPlay:
        """Return the strategy's play of the roll, then stop or roll."""
        plays = match.plays(spot)
        if spot.roll is None or len(plays) == 1:
            return plays[0]
        moment = BoardMoment(match.rules, spot.standings, spot.seat, spot.markers, spot.rolls - 1)
        markers = strategy.chosen(moment, [play.markers for play in plays if play.stops])[0]
        won = match.rules.is_won(spot.standing, markers)
        stops = won or strategy.stop_chance(moment.after(markers)) > 0
        return match.play(spot, markers, stops=stops)

    def habits(self, goal: Goal) -> Sequence[BoardStrategy]:
        """Return none: no rule of thumb here is one that people follow without counting."""
        return ()


def ray_workers(address: str, threads: int | None, game: CantStop, table: Table, task: Task) -> Workers:
    """Return the workers of a Ray cluster."""
    from jeopardice.columns.cluster import RayWorkers

    return RayWorkers(address, game, table, task, threads)


def _shaped(block: Array, shape: tuple[int, ...], about: Keywords) -> Array:
    if block.shape != shape or block.dtype not in ("float64", "float32"):
        raise StaleSolution(f"{about['where']} holds numbers for another board; solve and save again")
    return block


FAMILY = ColumnsFamily()
