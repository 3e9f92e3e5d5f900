"""Best play distilled into a few whole numbers, and what that costs.

For each number of integers the best rule of thumb is searched for: the dice left are split into neighbouring groups with a
threshold each, in every way; thresholds are moved one by one as long as that helps. One turn is evaluated exactly by
walking it down from the highest threshold,

    worth(t, mode) = t where the rule stops, else the mean of worth over the rolls, each played as the rule plays it,

and in the long run, where every n-th bust in a row costs a penalty, a turn that busts with chance b is worth
mean - penalty * b^n (1 - b) / (1 - b^n): busts in a row are a chain that begins again after a bank and after a penalty.

For two the loss is what the best answer to the rule wins above an equal share, a coin deciding who begins: nobody, however
well they play, wins more from it. There the numbers are searched for in a shorter race, where the ends weigh more, and
the rules that are best are then measured in the race itself.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np

from jeopardice.analysis.distance import exploitability
from jeopardice.errors import RulesError
from jeopardice.kernels import Progress
from jeopardice.points.race import check_pairs
from jeopardice.points.race_table import race_tables
from jeopardice.points.tables import TurnTable, lay_out
from jeopardice.points.thumb import RollSo, Thumb, dice_left, thumb_words
from jeopardice.rules.goal import Goal, Race, Rate, Simultaneous, Turn, race_of
from jeopardice.solver import solve
from jeopardice.types import Array, JsonObject

MORE_ROWS = 40
"""Where hot dice must be rolled a turn goes on past every threshold: it is followed for this many of the largest plays."""

SHORT_UNITS = {True: 120, False: 60}
"""Numbers for two are searched for in a race of at most this many units: with one mode, and with more."""

BEGINS = {True: 2, False: 1}
"""For two, each number that looks at the scores is settled from this many beginnings: with one mode, and with more."""

NEAR = 3
"""For two, numbers of dice as far as this from the best of one turn are tried."""

STEPS = (1, -1, 2, -2, 5, -5)
GAIN = 1e-7
"""Numbers are raised only for more than this share of the worth."""

HIGHEST = 8
"""No threshold is higher than this many best turns: who comes so far may as well stop."""

CATCH_UPS = (4, 6, 8, 12, 16)
RACES = (4, 8, 12, 14, 16, 20)
"""The chances tried for the numbers that look at the scores; a race begins this many quarters of a best turn away."""

DIE_TENTHS = (4, 6, 12, 16, 22, 26, 32, 42, 52)
"""What a die left is counted as, in tenths of a unit of points."""

MOST_FOR_TWO = 3
"""Rules for two begin with at most this many numbers by the dice left."""


@dataclass(frozen=True)
class ThumbRow:
    """A rule, how many numbers it has, what it is worth and what it loses against best play."""

    integers: int
    rule: "Thumb | RollSo"
    words: str
    value: float
    loss: float


def best_thumbs(
    goal: Goal, *, most: int = 6, threads: int | None = None, progress: Progress | None = None
) -> list[ThumbRow]:
    """Return for each number of integers the best rule found; rules that a shorter one matches are left out.

    >>> from jeopardice import Pig
    >>> [(row.words, round(row.loss, 6)) for row in best_thumbs(Turn(Pig()))]
    [('Stop at 20', 0.0)]
    """
    if isinstance(goal, Simultaneous):
        raise RulesError("a rule of thumb is for players who take turns")
    if isinstance(goal, Race) and (goal.players != 2 or goal.opponent is not None or goal.payoff != "win"):
        raise RulesError("a rule of thumb for a race is for two players with equal games who want to win")
    if isinstance(goal, Race):
        check_pairs(race_tables(goal))
    table = lay_out(goal.game, drop_dominated=False)
    search = _Search(goal, table, threads, progress)
    rows = sorted(search.rows(most), key=lambda row: (row.integers, row.loss))
    kept: list[ThumbRow] = []
    for row in rows:
        if not kept or row.loss < kept[-1].loss * (1 - 1e-9) - 1e-12:
            kept = [other for other in kept if other.integers < row.integers] + [row]
    return kept


class _Search:
    def __init__(
        self, goal: Turn | Rate | Race, table: TurnTable, threads: int | None, progress: Progress | None
    ) -> None:
        self.goal, self.table, self.threads = goal, table, threads
        self.progress, self.done, self.total = progress, 0, 1
        self.turn = goal if isinstance(goal, Turn | Rate) else Turn(goal.game, goal.bank_from)
        self.solution = solve(self.turn, threads=threads)
        self.best = float(self.solution.value)
        self.highest = max(1, round(HIGHEST * self.best / table.unit)) * table.unit
        self.walk = TurnWalk(table)
        self.known: dict[Thumb | RollSo, float] = {}
        self.cells = sorted({dice_left(mode) for mode in table.modes})

    def rows(self, most: int) -> Iterator[ThumbRow]:
        """Yield rules of a turn with up to this many numbers; for two, those and what the scores add."""
        if self.walk.opens_with_choice:
            counts = [mode for mode in self.table.modes if isinstance(mode, int)]
            if isinstance(self.goal, Race):
                best = max(counts, key=lambda dice: self.value(RollSo(dice)))
                counts = [dice for dice in counts if abs(dice - best) <= NEAR]
            self.total = len(counts)
            for dice in counts:
                yield self._row(RollSo(dice), f"Roll {dice} {'die' if dice == 1 else 'dice'}")
            return
        for rule in self._for_two(most) if isinstance(self.goal, Race) else self._for_a_turn(most):
            yield self._row(rule, thumb_words(rule, self.cells))

    def _row(self, rule: "Thumb | RollSo", words: str) -> ThumbRow:
        self._step()
        if isinstance(self.goal, Race):
            loss = exploitability(self.goal, rule, threads=self.threads)
            return ThumbRow(rule.integers, rule, words, 0.5 - loss, loss)
        value = self.value(rule)
        return ThumbRow(rule.integers, rule, words, value, max(0.0, self.best - value))

    def _step(self) -> None:
        self.done += 1
        if self.progress is not None:
            self.progress(min(self.done, self.total), self.total)

    def value(self, rule: "Thumb | RollSo") -> float:
        """Return what a turn under the rule is worth, in points."""
        if rule not in self.known:
            self.known[rule] = self._value(rule)
        return self.known[rule]

    def _value(self, rule: "Thumb | RollSo") -> float:
        mean, bust = self.walk.worth(rule, self.turn.bank_from)
        penalty, busts = getattr(self.turn, "penalty", 0), getattr(self.turn, "busts", 0)
        often = (
            1 / busts if busts and bust > 1 - 1e-12 else bust**busts * (1 - bust) / (1 - bust**busts) if busts else 0.0
        )
        return mean - penalty * often

    def _for_a_turn(self, most: int) -> list[Thumb]:
        """Return the best thresholds for every number of groups, with all points taken or with dice counted as points."""
        whole = self._settled(Thumb(self._spread(self.cells), unit=self.table.unit))
        chosen = [self._settled(replace(whole, die_worth=points)) for points in self._die_worths()]
        plays = {0, max(chosen, key=self.value).die_worth} if chosen else {0}
        splits = [split for groups in range(1, min(most, len(self.cells)) + 1) for split in self._splits(groups)]
        self.total = len(splits) * len(plays) + most
        found: dict[tuple[int, int], Thumb] = {}
        for die_worth in sorted(plays):
            for split in splits:
                rule = self._settled(Thumb(self._spread(split, whole), die_worth=die_worth, unit=self.table.unit))
                key = (len(split), die_worth)
                if key not in found or self.value(rule) > self.value(found[key]):
                    found[key] = rule
                self._step()
        return [rule for rule in found.values() if rule.integers <= most]

    def _die_worths(self) -> list[int]:
        """Return what a die left may be counted as: between the shares of a unit at which a choice changes."""
        unit = self.table.unit
        return [] if len(self.cells) == 1 else [tenths * unit // 10 for tenths in DIE_TENTHS if tenths * unit >= 10]

    def _splits(self, groups: int) -> list[tuple[int, ...]]:
        """Return the largest number of dice left of every group, for all ways to split them."""
        return [(*cuts, self.cells[-1]) for cuts in combinations(self.cells[:-1], groups - 1)]

    def _spread(self, split: Sequence[int], whole: Thumb | None = None) -> tuple[tuple[int, int], ...]:
        """Return thresholds for groups to begin with: those of the rule with one for each number of dice."""
        return tuple((most, self._first_stop(most) if whole is None else whole.threshold(most)) for most in split)

    def _first_stop(self, left: int) -> int:
        """Return from which points on best play stops with this many dice left; the least where dice differ."""
        view, unit = self.solution.view(), self.table.unit
        numbers = [number for number, mode in enumerate(self.table.modes) if dice_left(mode) == left]
        return next(
            (t * unit for t in range(1, self.highest // unit) if any(view.stops(t, number) for number in numbers)),
            self.highest,
        )

    def _settled(
        self, rule: Thumb, value: Callable[[Thumb], float] | None = None, steps: Sequence[int] = STEPS
    ) -> Thumb:
        """Move one number after the other as long as that helps; of equal ones the lower is kept."""
        worth = value or self.value
        best, moved = worth(rule), True
        while moved:
            moved = False
            names = [name for name in ("catch_up", "race") if getattr(rule, name)]
            for place, step in product((*range(len(rule.stop_at)), *names), steps):
                other = _moved(rule, place, step, self.highest)
                if other is not None and worth(other) > best + GAIN * abs(best) * (step > 0):
                    rule, best, moved = other, worth(other), True
        return rule

    def _for_two(self, most: int) -> list[Thumb]:
        """Return rules of a turn, settled again for a race, then with the numbers that look at the scores."""
        begin: dict[int, Thumb] = {}
        for rule in self._for_a_turn(min(most, MOST_FOR_TWO)):
            if rule.integers not in begin or self.value(rule) > self.value(begin[rule.integers]):
                begin[rule.integers] = rule
        unit, target = self.table.unit, int(self.goal.target or 0)
        best_turn = -(-int(self.best) // unit) * unit
        short = replace(race_of(self.goal), target=min(target, SHORT_UNITS[len(self.cells) == 1] * unit))
        worths: dict[Thumb, float] = {}

        def worth(rule: Thumb) -> float:
            if rule not in worths:
                self._step()
                worths[rule] = -exploitability(short, rule, threads=self.threads)
            return worths[rule]

        self.done, self.total = 0, 60 * len(begin)
        races = tuple(share * best_turn // 4 // unit * unit for share in RACES)
        found: dict[int, Thumb] = {}
        for plain in begin.values():
            rule = plain
            tried = [plain]
            for name, values in (("race", races), ("catch_up", CATCH_UPS), ("race", races)):
                others = sorted((_with(rule, name, number) for number in values if number), key=worth)[
                    -BEGINS[len(self.cells) == 1] :
                ]
                rule = max([rule, *(self._settled(other, worth, steps=(1, -1)) for other in others)], key=worth)
                tried += [rule, replace(rule, catch_up=0)]
            for other in tried:
                if other.integers <= most and (
                    other.integers not in found or worth(other) > worth(found[other.integers])
                ):
                    found[other.integers] = other
        return list(found.values())


def _moved(rule: Thumb, place: int | str, steps: int, highest: int) -> Thumb | None:
    """Return the rule with one of its numbers moved: a threshold by its place, another by its name; None if too far."""
    if isinstance(place, str):
        number = getattr(rule, place) + steps * (1 if place == "catch_up" else rule.unit)
        return _with(rule, place, number) if number > 0 else None
    stop_at = list(rule.stop_at)
    most, points = stop_at[place]
    stop_at[place] = (most, points + steps * rule.unit)
    return replace(rule, stop_at=tuple(stop_at)) if rule.unit <= stop_at[place][1] <= highest else None


def _with(rule: Thumb, name: str, number: int) -> Thumb:
    changed: JsonObject = {name: number}
    return replace(rule, **changed)


class TurnWalk:
    """One turn under a rule of thumb, walked down: its mean score in points and its chance to bust."""

    def __init__(self, table: TurnTable) -> None:
        self.table = table
        plays = [play for groups in table.groups for choices in groups for play in choices]
        self.opens_with_choice = any(points == 0 and to < len(table.modes) for points, to in plays)
        self._entries: dict[int, tuple[Array, Array, Array]] = {}

    def worth(self, rule: "Thumb | RollSo", bank_from: int = 0) -> tuple[float, float]:
        """Return the mean score of a turn in points, and the chance that it busts."""
        if isinstance(rule, RollSo):
            return self._rolled_once(rule.dice)
        table, unit = self.table, self.table.unit
        points, shares, lost = self._entry(rule)
        count = len(table.modes)
        least = max(1, -(-bank_from // unit))
        stop_from = np.array([max(least, -(-rule.threshold(mode) // unit)) for mode in table.modes])
        may_stop = np.array(table.may_stop, bool)
        top = int(stop_from.max()) + (0 if may_stop.all() else MORE_ROWS * table.max_points)
        worth = np.zeros((top + table.max_points + 1, count + 1, 2))  # mean score, chance to bust
        worth[:, :, 0] = np.arange(len(worth))[:, None]
        rolls = ~((np.arange(top)[:, None] >= stop_from) & may_stop)
        for t in range(top - 1, -1, -1):
            rolled = shares @ worth[t + points].reshape(-1, 2)
            rolled[:, 1] += lost
            worth[t, :count][rolls[t]] = rolled[rolls[t]]
        return float(worth[0, table.opening, 0]) * unit, float(worth[0, table.opening, 1])

    def _entry(self, rule: Thumb) -> tuple[Array, Array, Array]:
        """Return the points of the plays that the rule makes, shares[mode, (points, mode after)], and the bust chances."""
        if rule.die_worth not in self._entries:
            table = self.table
            named, count = [*table.modes, None], len(table.modes)
            known = sorted({points for groups in table.groups for choices in groups for points, _ in choices})
            shares = np.zeros((count, len(known), count + 1))
            for mode, groups in enumerate(table.groups):
                for choices, weight in groups.items():
                    points, to = choices[rule.pick([(p * table.unit, named[m]) for p, m in choices])]
                    shares[mode, known.index(points), to] += weight / table.total_weight[mode]
            lost = np.array([b / w for b, w in zip(table.bust_weight, table.total_weight, strict=True)])
            self._entries[rule.die_worth] = (np.array(known), shares.reshape(count, -1), lost)
        return self._entries[rule.die_worth]

    def _rolled_once(self, dice: int) -> tuple[float, float]:
        """Return the mean and the bust chance of one roll of this many dice that banks at once."""
        table = self.table
        mode = table.modes.index(dice)
        total = table.total_weight[mode]
        mean = sum(weight * choices[0][0] for choices, weight in table.groups[mode].items()) / total
        return float(mean) * table.unit, table.bust_weight[mode] / total
