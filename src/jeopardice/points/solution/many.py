"""A race of several players, solved, and asked about any position and any moment of its turns.

Best play for three and more is an equilibrium: no player gains by another strategy while the others keep theirs. The
error bound says both how much a player could gain at most, and how far the values are from those of this play.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from jeopardice.errors import PositionError, StaleSolution, TooLargeError
from jeopardice.kernels import Progress, kernels
from jeopardice.points.many import (
    TIE,
    TIES,
    ManyTables,
    ManyValues,
    certify_many,
    check_many,
    other_equilibria,
    solve_many,
)
from jeopardice.points.many_turn import BOLD, CAUTIOUS, ManyTurn
from jeopardice.points.match import PointsMatch, match_of
from jeopardice.points.race_table import RaceTable
from jeopardice.points.solution.best_play import best_play
from jeopardice.points.solution.standings import (
    ALMOST_ALWAYS_BUSTS,
    certificate_of,
    record_number,
    replay_error,
    save_points,
    score_in_units,
)
from jeopardice.points.view import TurnView
from jeopardice.rules.goal import Race
from jeopardice.solution import Advice, Certificate, Option

UNSETTLED = "for {count} positions no equilibrium was found; solve with another rule for the indifferent"


class MixedPosition(NamedTuple):
    """A position where best play is mixed: `share` of the turns follow the cautious plan, which stops where both tie."""

    seat: int
    mine: int
    theirs: tuple[int, ...]
    share: float


class OtherEquilibria(NamedTuple):
    """Where the search found other equilibria: their number, how far apart chances are there, and at the start."""

    cycles: int
    apart: float
    apart_at_start: float


@dataclass(frozen=True, eq=False)
class ManySolution:
    """A race of several; values are chances to win, the player to move first and then in the order of play."""

    goal: Race
    many: ManyTables = field(repr=False)
    solved: ManyValues = field(repr=False)
    certificate: Certificate | None = field(default=None, repr=False)
    is_exact: bool = False
    gain: float | None = field(default=None, repr=False)

    strategy = best_play

    @property
    def value(self) -> float:
        """The chance of the first player to win."""
        return self.values[0]

    @property
    def values(self) -> tuple[float, ...]:
        """The chances of all players from the start, in the order of play."""
        return self.values_at()

    @property
    def match(self) -> PointsMatch:
        """The game as a tree of spots."""
        return match_of(self.goal)

    @property
    def total(self) -> int:
        """What all players' values add up to."""
        return self.goal.ending.total

    @property
    def indifferent(self) -> str:
        """What an indifferent player does: stop or roll."""
        return self.many.indifferent

    @property
    def error_bound(self) -> float | None:
        """What a player can gain at most by another strategy, plus the error of the values; made on first use."""
        return self.certify().certificate.bound  # type: ignore[union-attr]

    @property
    def deviation_gain(self) -> float | None:
        """What a player can gain at most by another strategy, at any position, while the others keep theirs."""
        bound = self.error_bound
        return bound if self.gain is None else self.gain

    def certify(self, progress: Progress | None = None, threads: int | None = None) -> Self:
        """Make the certificate: replay every position, and look for the best other turn."""
        if self.certificate is None:
            gain, error = certify_many(self.many, self.solved, threads=threads, progress=progress)
            reason = UNSETTLED.format(count=n) if (n := len(self.solved.unsettled)) else ALMOST_ALWAYS_BUSTS
            object.__setattr__(self, "gain", gain)
            object.__setattr__(self, "certificate", certificate_of(gain + error, 1.0, reason))
        return self

    def at(self, mine: int = 0, theirs: Any = None, *, seat: int = 0, **records: Any) -> float:
        """Return the chance of the player in `seat`, about to begin a turn; `theirs` in the order of play."""
        return self.values_at(mine, theirs, seat=seat, **records)[0]

    def values_at(self, mine: int = 0, theirs: Any = None, *, seat: int = 0, **records: Any) -> tuple[float, ...]:
        """Return everybody's chances when the player in `seat` begins a turn, in the order of play from there."""
        standings = self._standings(mine, theirs, seat, records)
        return tuple(self._worth(seat)[standings].tolist())

    def advise(
        self, *, mine: int = 0, theirs: Any = None, at_risk: int = 0, roll: Any = None, seat: int = 0,
        my_opened: Any = None, their_opened: Any = None, **mode: Any,
    ) -> Advice:  # fmt: skip
        """Return every option of the player in `seat` who has the dice; where play is mixed, with shares."""
        records = {"my_opened": my_opened, "their_opened": their_opened}
        view = self.view(mine, theirs, seat=seat, **records)
        advice = view.advise_at(at_risk, roll, mode)
        options = self.with_shares(view, advice.options, mine, theirs, seat=seat, **records)
        mixed = any(option.share is not None for option in options)
        return replace(advice, options=options, note=MIXED_NOTE if mixed else "")

    def with_shares(
        self, view: TurnView, options: tuple[Option, ...], mine: int, theirs: Any, *, seat: int = 0, **records: Any
    ) -> tuple[Option, ...]:
        """Return options of one moment, those that best play takes first; with shares, if play is mixed between them."""
        ended = len(view.table.modes)
        order = sorted(options, key=lambda option: (-option.points, not option.stops))
        candidates = [
            (o.stops, view.units(o.points), ended if o.stops else view.table.modes.index(o.mode)) for o in order
        ]
        shares = self.turn(mine, theirs, seat=seat, **records).shares(candidates)
        share_of = {id(option): share for option, share in zip(order, shares, strict=True)}
        mixed = sum(share > 0 for share in shares) > 1
        ranked = sorted(options, key=lambda option: -share_of[id(option)])
        return tuple(replace(option, share=share_of[id(option)] if mixed else None) for option in ranked)

    def view(self, mine: int = 0, theirs: Any = None, *, seat: int = 0, **records: Any) -> TurnView:
        """Return the turn that begins at a position, ready for questions about the chances of the player to move."""
        own = self._standings(mine, theirs, seat, records)[0]
        turn, table = self.turn(mine, theirs, seat=seat, **records), self.many.tables[seat]
        goal, least = table.scores - own // len(table.records), int(table.least_bank[own % len(table.records)])
        reach = len(turn.plans[0][2]) - 1 - table.turn.max_points
        return TurnView(
            self.goal.games[seat], table.turn, turn.own, lambda t: float(turn.stopped(t)[0]), float(turn.bust[0]), goal,
            least, 0, lambda worth: worth, False, lambda: self._bound_of_options(table, reach), True, reach,
        )  # fmt: skip

    def turn(self, mine: int = 0, theirs: Any = None, *, seat: int = 0, **records: Any) -> ManyTurn:
        """Return the turn that begins at a position, ready for questions about everybody's chances."""
        turn: ManyTurn = self._turn(seat, self._standings(mine, theirs, seat, records))
        return turn

    @cached_property
    def _turn(self) -> Any:
        return lru_cache(maxsize=512)(self._replayed)

    def _replayed(self, seat: int, standings: tuple[int, ...]) -> ManyTurn:
        table, players = self.many.tables[seat], self.many.players
        own, record = divmod(standings[0], len(table.records))
        goal = table.scores - own
        after = self._worth((seat + 1) % players)[standings[1:]]
        win = np.zeros(players)
        win[0] = 1.0
        banked = after[own * len(table.records) + int(table.bank_to[record]) :: len(table.records)]
        leaves = np.concatenate([np.roll(banked[:goal], 1, axis=1), np.tile(win, (table.turn.max_points + 1, 1))])
        share = self._shares.get((seat if not self.many.symmetric else 0, self._position(seat, standings)))
        weights = {TIES[self.indifferent]: 1.0} if share is None else {CAUTIOUS: share, BOLD: 1 - share}
        cut = min(goal, table.scores if table.turn.height is None else table.turn.height + 1)
        plans = []
        for ties, weight in weights.items():
            rows = np.zeros((cut + table.turn.max_points + 1, len(table.turn.modes) + 1, players + 2))
            kernels.replay_many(self._kernel, seat=seat, standings=np.array(standings, np.int32), ties=ties, rows=rows)
            plans.append((ties, weight, rows))
        lost_from = goal + 1 if table.must_hit else None
        return ManyTurn(table.turn, leaves, np.roll(after[standings[0]], 1), tuple(plans), TIE, lost_from)

    @property
    def mixed(self) -> list[MixedPosition]:
        """The positions where best play is mixed."""
        return [MixedPosition(seat, *self._scores(seat, number), share) for seat, number, share in self.solved.mixed]

    def others(self, threads: int | None = None, progress: Progress | None = None) -> OtherEquilibria:
        """Look for other equilibria: at every cycle given what follows it, and of the whole race from other beginnings."""
        found = other_equilibria(self.many, self.solved, threads=threads, progress=progress)
        apart = 0.0
        for start in (1, 2):
            again = replace(self, solved=solve_many(self.many, start=start, threads=threads), certificate=None)
            apart = max(apart, *(abs(a - b) for a, b in zip(self.values, again.values, strict=True)))
        return OtherEquilibria(len(found), max((row[2] for row in found), default=0.0), apart)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield every position with everybody's chances: `value` is the player's to move, then in the order of play."""
        players = self.many.players
        for seat in self.many.seats:
            tables = [self.many.tables[(seat + j) % players] for j in range(players)]
            for places in product(*(np.flatnonzero(table.reached.reshape(-1)).tolist() for table in tables)):
                row: dict[str, Any] = {} if self.many.symmetric else {"seat": seat}
                for j, (place, table) in enumerate(zip(places, tables, strict=True)):
                    score, record = divmod(place, len(table.records))
                    row["mine" if j == 0 else f"theirs_{j}"] = (score + table.lowest) * table.unit
                    if len(table.records) > 1:
                        row["my_opened" if j == 0 else f"opened_{j}"] = table.records[record].has_opened
                values = self._worth(seat)[places].tolist()
                yield row | {"value" if j == 0 else f"value_{j}": value for j, value in enumerate(values)}

    def blocks(self) -> dict[str, Any]:
        """Return what is saved."""
        blocks = {f"worth_{seat}": worth for seat, worth in enumerate(self.solved.worths)}
        mixed = np.array(self.solved.mixed, np.float64).reshape(-1, 3)
        return blocks | {"mixed": mixed, "ties": np.array([TIES[self.indifferent]], np.float64)}

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        certificate = self.certify().certificate or Certificate(None)
        turns = tuple(table.turn for table in self.many.tables)
        return save_points(self.goal, self.value, certificate, turns, self.blocks(), path)

    @cached_property
    def _kernel(self) -> Any:
        return self.many.kernel(self.solved.worths, self.solved.mixed)

    @cached_property
    def _shares(self) -> dict[tuple[int, int], float]:
        return {(seat, position): share for seat, position, share in self.solved.mixed}

    def _worth(self, seat: int) -> Any:
        return self.solved.worths[0 if self.many.symmetric else seat]

    def _position(self, seat: int, standings: tuple[int, ...]) -> int:
        return int(np.ravel_multi_index(standings, self.many.shape(seat)[:-1]))

    def _scores(self, seat: int, position: int) -> tuple[int, tuple[int, ...]]:
        places = np.unravel_index(position, self.many.shape(seat)[:-1])
        tables = [self.many.tables[(seat + j) % self.many.players] for j in range(self.many.players)]
        scores = [int(p) // len(t.records) * t.unit for p, t in zip(places, tables, strict=True)]
        return scores[0], tuple(scores[1:])

    def _bound_of_options(self, table: RaceTable, rows: int) -> float | None:
        bound = self.error_bound
        return None if bound is None else bound + replay_error(table.turn, rows, 1.0)

    def _standings(self, mine: Any, theirs: Any, seat: int, records: dict[str, Any]) -> tuple[int, ...]:
        players = self.many.players
        if seat not in range(players):
            raise PositionError(f"seat lies between 0 (plays first) and {players - 1}, got seat={seat!r}")
        if theirs is None:
            theirs = (0,) * (players - 1)
        others = tuple(theirs) if isinstance(theirs, tuple | list) else (theirs,)
        if len(others) != players - 1:
            raise PositionError(
                f"theirs has the scores of the other {players - 1} players, in the order of play, got theirs={theirs!r}"
            )
        opened = records.get("their_opened")
        theirs_opened = list(opened) if isinstance(opened, tuple | list) else [opened] * (players - 1)
        if len(theirs_opened) != players - 1:
            raise PositionError(f"their_opened has {players - 1} answers, in the order of play, got {opened!r}")
        places = []
        for j, (points, has_opened) in enumerate(
            zip((mine, *others), (records.get("my_opened"), *theirs_opened), strict=True)
        ):
            table, whose = self.many.tables[(seat + j) % players], "my" if j == 0 else "their"
            score = score_in_units(points, table, "mine" if j == 0 else "theirs")
            places.append(score * len(table.records) + record_number(table, score, None, has_opened, whose))
        return tuple(places)


MIXED_NOTE = "best play is mixed here: choose by the shares, once for the whole turn"


def solve_for_many(
    goal: Race, tables: tuple[RaceTable, ...], exactly: bool, indifferent: str, threads: int | None,
    progress: Progress | None,
) -> ManySolution:  # fmt: skip
    """Solve a race of several."""
    if indifferent not in ("stop", "roll"):
        raise ValueError(f"indifferent is 'stop' or 'roll', got indifferent={indifferent!r}")
    if exactly:
        raise TooLargeError("exact fractions are for one or two players; leave out exact for a certified float")
    check_many(goal, tables)
    many = ManyTables(tables, indifferent)
    return ManySolution(goal, many, solve_many(many, threads=threads, progress=progress))


def stored_many(goal: Race, tables: tuple[RaceTable, ...], blocks: Any, certificate: Certificate) -> ManySolution:
    """Return the solution that was saved."""
    ties = {code: name for name, code in TIES.items()}
    many = ManyTables(tables, ties[int(blocks["ties"][0])])
    worths = tuple(blocks[f"worth_{seat}"] for seat in many.seats)
    if any(worth.shape != many.shape(seat) for seat, worth in enumerate(worths)):
        raise StaleSolution("the saved values are those of another race; solve and save again")
    mixed = [(int(seat), int(position), float(share)) for seat, position, share in blocks["mixed"]]
    return ManySolution(goal, many, ManyValues(worths, mixed), certificate)
