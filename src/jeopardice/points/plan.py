"""Plans: strategies written out as tables, the one form in which the kernels and the simulation follow them.

A plan holds for every pair of standings some rows, one for each number of units at risk: which modes stop, and which
play is made of a roll that offers several. From its last row on it always stops. Pairs of standings where a strategy
does the same share their rows, so a threshold costs a few kilobytes, best play of Pig to 200 about a megabyte.

Thresholds are filled in directly, best play is decided by one compiled walk per pair of standings, anything else is
asked moment by moment, along the moments it can come to.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.errors import RulesError
from jeopardice.kernels import kernels, thread_count
from jeopardice.kernels.stopping import check_wanted
from jeopardice.points.race import run_pass
from jeopardice.points.race_table import target_in_units
from jeopardice.points.solution import AloneSolution, DuelSolution
from jeopardice.points.strategy import (
    BestPlay,
    Endgame,
    Moment,
    Strategy,
    ThresholdStrategy,
    is_blind_to_opponent,
    rolls_remembered,
)
from jeopardice.points.tables import Choices, TurnTable, lay_out
from jeopardice.points.thumb import Thumb
from jeopardice.rules.game import Mode, Play, PointsGame
from jeopardice.rules.goal import Goal, Race, Turn, next_seat
from jeopardice.types import Game, JsonObject, MatchRoll

MOST_ROWS = 100_000
"""A turn that goes on past this many units at risk never ends."""

Rows = tuple[NDArray[np.uint8], NDArray[np.uint8]]
"""The rows of one plan: stop[at risk, mode] and chosen[at risk, choice]."""


@dataclass(frozen=True, eq=False)
class Plan:
    """A strategy as tables: `plan_of[mine, theirs]` names the rows from `first_row[plan]` on, in units."""

    table: TurnTable
    plan_of: NDArray[np.int32]
    first_row: NDArray[np.int64]
    stop: NDArray[np.uint8]
    chosen: NDArray[np.uint8]

    @cached_property
    def kernel(self) -> kernels.Plan:
        """The plan as the compiled passes hold it."""
        return kernels.Plan(
            self.table.kernel, choices=self.chosen.shape[1], tallest=int(np.diff(self.first_row).max(initial=0)),
            choice=choice_of_group(self.table), plan_of=self.plan_of, first_row=self.first_row, stop=self.stop,
            chosen=self.chosen,
        )  # fmt: skip

    def rows_at(self, mine: int, theirs: int) -> Rows:
        """Return the rows for standings in units."""
        plan = int(self.plan_of[mine, theirs])
        rows = slice(self.first_row[plan], self.first_row[plan + 1])
        return self.stop[rows], self.chosen[rows]


@dataclass(frozen=True)
class CountingRolls:
    """A game whose mode also counts the rolls of the turn, up to `most`: for strategies that look at them."""

    game: Game
    most: int

    @property
    def opening(self) -> Mode:
        """The game's own opening, before the first roll."""
        return (self.game.opening, 0)

    def rolls(self, mode: tuple[Mode, int]) -> Mapping[MatchRoll, int]:
        """The game's own rolls."""
        rolls: Mapping[MatchRoll, int] = self.game.rolls(mode[0])
        return rolls

    def plays(self, mode: tuple[Mode, int], roll: MatchRoll) -> list[Play]:
        """The game's own plays, one roll later."""
        count = min(mode[1] + 1, self.most)
        return [
            Play(play.points, None if play.mode is None else (play.mode, count), play.kept)
            for play in self.game.plays(mode[0], roll)
        ]


def choice_of_group(table: TurnTable) -> NDArray[np.int32]:
    """Return for each group its number among those that offer several plays, -1 for one play."""
    several = np.diff(table.arrays["first_play"]) > 1
    return np.where(several, np.cumsum(several) - 1, -1).astype(np.int32)


@lru_cache(maxsize=64)
def _groups(table: TurnTable) -> tuple[int, list[list[tuple[Choices, int]]], int]:
    """Return the number of modes, each mode's groups with their choice numbers, and how many choices there are."""
    choice = choice_of_group(table).tolist()
    first = table.arrays["first_group"].tolist()
    groups = [list(zip(g, choice[at:], strict=False)) for g, at in zip(table.groups, first, strict=False)]
    return len(table.modes), groups, max(choice, default=-1) + 1


def plan_of(strategy: Strategy, goal: Race | Turn, seat: int = 0) -> Plan:
    """Return the plan of a strategy for a seat of a race, or for a turn on its own."""
    if must_roll_on(goal):
        raise RulesError(
            "a plan stops from some points on, but in this game dice must be rolled on (hot_dice='must'); play its races move by "
            "move (jeopardice simulate), and ask for the distribution of a turn (jeopardice analyse)"
        )
    game: PointsGame = goal.game
    if isinstance(goal, Race) and seat and goal.opponent is not None:
        game = goal.opponent
    counted = rolls_remembered(strategy)
    table = lay_out(CountingRolls(game, counted) if counted else game, drop_dominated=False)
    least = goal.house.least_units(table.unit)
    if isinstance(goal, Turn):
        return _together(table, [_asked(strategy, table, least, counted)], np.zeros((1, 1), np.int32))
    if isinstance(strategy, BestPlay) and isinstance(strategy.solution, DuelSolution):
        _check_seat(strategy, strategy.solution.goal, goal, seat)
        return _with_endgame(_of_duel(strategy.solution, strategy.seat), strategy.endgame)
    if isinstance(strategy, BestPlay) and isinstance(strategy.solution, AloneSolution):
        _check_same(strategy.name, strategy.solution.goal.target, goal.target)
        if strategy.solution.goal.within is None:
            return _of_alone(strategy.solution, _standings(goal, next_seat(seat, 2))[0] if goal.players == 2 else 1)
    return _of_moments(strategy, goal, seat, table, least, counted)


def must_roll_on(goal: Goal) -> bool:
    """Whether there are modes in which one may not stop."""
    return not all(all(lay_out(game, drop_dominated=False).may_stop) for game in goal.games)


def _of_moments(strategy: Strategy, goal: Race, seat: int, table: TurnTable, least: int, counted: int) -> Plan:
    """Return the plan of a strategy that is asked at every pair of standings; equal ones share their rows."""
    (target, unit), (others, other_unit) = _standings(goal, seat), _standings(goal, next_seat(seat, 2))
    end, seen = int(goal.target or 0), others if goal.players == 2 else 1
    plans: list[Rows]
    exact, alone = goal.finish == "exact", is_blind_to_opponent(strategy)
    by_threshold = isinstance(strategy, ThresholdStrategy)
    if isinstance(strategy, Thumb):
        return _of_thumb(strategy, table, least, (target, unit), (seen, other_unit), end)
    if bool(getattr(strategy, "ignores_score", False)):
        stop, chosen = _asked(strategy, table, least, counted, target, exact, (0, 0, end))
        heights = np.minimum(len(stop), target - np.arange(target))
        plans = [(stop[:height], chosen[:height]) for height in heights]
        return _together(table, plans, np.repeat(np.arange(target, dtype=np.int32)[:, None], seen, axis=1))
    number: dict[Hashable, int] = {}
    plans = []
    which = np.zeros((target, seen), np.int32)
    for i, j in np.ndindex(len(which), 1 if alone else which.shape[1]):
        check_wanted()
        key: Hashable = (i, j)
        rows: Callable[[], Rows]
        if by_threshold and isinstance(strategy, ThresholdStrategy):
            height = -(-strategy.threshold(i * unit, j * other_unit, end) // unit)
            height = max(min(height, target - i) if exact else height, min(least, target - i))
            key, rows = height, partial(_threshold_rows, table, height)
        else:
            place = (i * unit, j * other_unit, end)
            rows = partial(_asked, strategy, table, least, counted, target - i, exact, place)
        if key not in number:
            number[key] = len(plans)
            plans.append(rows())
        which[i, slice(None) if alone else j] = number[key]
    return _together(table, plans, which)


def _of_thumb(
    rule: Thumb, table: TurnTable, least: int, mine: tuple[int, int], theirs: tuple[int, int], end: int
) -> Plan:
    """Return the plan of a rule of thumb: once both scores are known it is one threshold per mode, and fixed plays."""
    _, groups, choices = _groups(table)
    picks = np.zeros(choices, np.uint8)
    for offers, choice in (entry for mode in groups for entry in mode):
        if choice >= 0:
            picks[choice] = rule.pick([(points * table.unit, [*table.modes, None][to]) for points, to in offers])
    (target, unit), (seen, other_unit) = mine, theirs
    number: dict[Hashable, int] = {}
    found: list[Rows] = []
    which = np.zeros((target, seen), np.int32)
    for i, j in np.ndindex(target, seen):
        settled = rule.at(i * unit, j * other_unit, end)
        if (i, settled.stop_at) not in number:
            from_units = [max(least, -(-settled.threshold(mode) // unit)) for mode in table.modes]
            height = min(max(from_units), target - i)
            stop = np.arange(height)[:, None] >= np.array(from_units)[None, :]
            number[i, settled.stop_at] = len(found)
            found.append((stop.astype(np.uint8), np.repeat(picks[None, :], height, axis=0)))
        which[i, j] = number[i, settled.stop_at]
    return _together(table, found, which)


def _threshold_rows(table: TurnTable, height: int) -> Rows:
    choices = _groups(table)[2]
    return np.zeros((height, len(table.modes)), np.uint8), np.zeros((height, choices), np.uint8)


def _asked(
    strategy: Strategy,
    table: TurnTable,
    least: int,
    counted: int,
    goal: int | None = None,
    exact: bool = False,
    place: tuple[int, int, int | None] = (0, 0, None),
) -> Rows:
    """Return the rows of one turn by asking the strategy at every moment it can come to."""
    modes, groups, choices_in_all = _groups(table)
    reached: dict[int, set[int]] = {0: {table.opening}}
    stops: list[list[int]] = []
    picks: list[list[int]] = []
    height = t = 0
    while t <= max(reached) and not (exact and goal is not None and t >= goal):
        if t > MOST_ROWS:
            raise RulesError(f"{strategy.name} still rolls with {t * table.unit} points at risk; a strategy must stop")
        check_wanted()
        stops.append([1] * modes)
        picks.append([0] * choices_in_all)
        here = reached.get(t)
        if not here:
            t += 1
            continue
        for mode in range(modes):  # a play without points leads to a later mode of this row
            if mode not in here:
                continue
            moment = moment_of(table, t, mode, counted, place)
            may_stop = t >= least or (goal is not None and t >= goal)
            if may_stop and strategy.stops(moment):
                continue
            stops[t][mode] = 0
            height = t + 1
            for choices, choice in groups[mode]:
                pick = 0
                if choice >= 0:
                    pick = picks[t][choice] = _picked(strategy, table, choices, moment, counted)
                points, to = choices[pick]
                if to < modes:
                    reached.setdefault(t + points, set()).add(to)
        t += 1
    return np.array(stops[:height], np.uint8), np.array(picks[:height], np.uint8).reshape(height, -1)


def moment_of(table: TurnTable, t: int, mode: int, counted: int, place: tuple[int, int, int | None]) -> Moment:
    """Return the moment as strategies see it; the table counts rolls in its modes if `counted` is above 0."""
    name = table.modes[mode]
    rolls = 0
    if counted and isinstance(name, tuple):
        name, rolls = name
    return Moment(t * table.unit, name, rolls, *place)


def _picked(
    strategy: Strategy, table: TurnTable, choices: Sequence[tuple[int, int]], moment: Moment, counted: int
) -> int:
    modes = [*(mode[0] for mode in table.modes), None] if counted else [*table.modes, None]  # type: ignore[index]
    plays = [Play(points * table.unit, modes[to]) for points, to in choices]
    chosen = strategy.choose(moment, plays)
    if chosen not in plays:
        raise ValueError(f"{strategy.name} chose {chosen!r}, which is not offered; the plays are {plays!r}")
    return plays.index(chosen)


def _of_duel(solution: DuelSolution, seat: int) -> Plan:
    """Return best play for a seat of a solved duel, over the plays that it was solved with."""
    table = solution.tables[seat]
    target, others = solution.targets[seat], solution.targets[next_seat(seat, 2)]
    rules: JsonObject = {
        "least_bank": solution.goal.house.least_units(table.unit),
        "exact": solution.goal.finish == "exact",
    }
    tables = (table, solution.tables[next_seat(seat, 2)])
    nothing = np.zeros(1)
    seats = [
        kernels.PlanSeat(
            turn.kernel, target=size, prize=solution.prizes[s], worth=np.ascontiguousarray(solution.worths[s], float),
            alive=solution.duel.tables[s].alive.astype(np.uint8),
            bound=nothing, **rules,
        )
        for turn, size, s in zip(tables, (target, others), (seat, next_seat(seat, 2)), strict=True)
    ]  # fmt: skip
    choice = choice_of_group(table)
    call = partial(
        kernels.plan_of_duel, *seats, choice=choice, choices=int(choice.max(initial=-1)) + 1, sum=float(solution.total),
        threads=thread_count(None),
    )  # fmt: skip
    steps = target**2 * others * len(table.arrays["offset"]) // 2
    rows: Any = run_pass(call, steps=steps, total=target, progress=None)
    return _laid(table, rows, np.arange(target * others, dtype=np.int32).reshape(target, others))


def _with_endgame(plan: Plan, endgame: Endgame | None) -> Plan:
    """Return the plan that goes over to the race alone where only that is left."""
    if endgame is None:
        return plan
    alone = _of_alone(endgame.alone, plan.plan_of.shape[1])
    return Plan(
        plan.table,
        np.where(endgame.applies, alone.plan_of + np.int32(len(plan.first_row) - 1), plan.plan_of),
        np.concatenate([plan.first_row, plan.first_row[-1] + alone.first_row[1:]]),
        np.concatenate([plan.stop, alone.stop]),
        np.concatenate([plan.chosen, alone.chosen]),
    )


def _of_alone(solution: AloneSolution, others: int) -> Plan:
    """Return best play for the fewest turns or rolls; it does not look at the opponent."""
    table = solution.table
    choice = choice_of_group(table)
    goal, target = solution.goal, solution.target
    rows = kernels.plan_of_alone(
        table.kernel, target=target, least_bank=goal.house.least_units(table.unit), exact=goal.finish == "exact",
        roll_cost=float(goal.cost == "rolls"), worth=np.ascontiguousarray(solution.worth, float), choice=choice,
        choices=int(choice.max(initial=-1)) + 1, done=np.zeros(1, np.int64), cancelled=np.zeros(1, np.int32),
    )  # fmt: skip
    which = np.repeat(np.arange(target, dtype=np.int32)[:, None], others, axis=1)
    return _laid(table, rows, which)


def _laid(table: TurnTable, rows: Any, which: NDArray[np.int32]) -> Plan:
    heights, stop, chosen = rows
    first_row = np.concatenate(([0], np.cumsum(heights, dtype=np.int64)))
    total = int(first_row[-1])
    return Plan(table, which, first_row, stop.reshape(total, -1), chosen.reshape(total, len(chosen) // max(total, 1)))


def _together(table: TurnTable, plans: list[Rows], which: NDArray[np.int32]) -> Plan:
    first_row = np.cumsum([0, *(len(stop) for stop, _ in plans)], dtype=np.int64)
    return Plan(table, which, first_row, np.concatenate([s for s, _ in plans]), np.concatenate([c for _, c in plans]))


def _standings(goal: Race, seat: int) -> tuple[int, int]:
    """Return how many standings a seat can have, and their unit in points."""
    game = goal.opponent if seat and goal.opponent is not None else goal.game
    unit = lay_out(game, drop_dominated=False).unit
    return target_in_units(goal, unit), unit


def _check_seat(strategy: BestPlay, solved: Race, goal: Race, seat: int) -> None:
    _check_same(strategy.name, solved.target, goal.target)
    if goal.players != 2:
        raise ValueError(f"{strategy.name} looks at an opponent, so it needs a race for two; set players=2")
    if goal.opponent is not None and strategy.seat != seat:
        raise ValueError(f"{strategy.name} is best play of seat {strategy.seat}, not of seat {seat}; say seat={seat}")


def _check_same(name: str, solved: int | None, target: int | None) -> None:
    if solved != target:
        raise ValueError(f"{name} was solved for a race to {solved}, not to {target}; solve it for this target")
