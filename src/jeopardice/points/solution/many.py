"""A race of several players, solved, and asked about any position and any moment of its turns.

Best play for three and more is an equilibrium: no player gains by another strategy while the others keep theirs. The
error bound says both how much a player could gain at most, and how far the values are from those of this play.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from jeopardice.errors import PositionError, RulesError, StaleSolution, TooLargeError
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
from jeopardice.points.match import PointsMatch, PointsSpot, match_of, place_of
from jeopardice.points.race_table import RaceTable
from jeopardice.points.solution.best_play import best_play
from jeopardice.points.solution.standings import (
    ALMOST_ALWAYS_BUSTS,
    certificate_of,
    check_records,
    record_number,
    replay_error,
    save_points,
    score_in_units,
)
from jeopardice.points.swept_many import prove_many, sweep_many
from jeopardice.points.tables import TurnTable
from jeopardice.points.view import TurnView, mode_of
from jeopardice.rules.game import Mode, as_whole
from jeopardice.rules.goal import Race
from jeopardice.solution import Advice, Certificate, Option
from jeopardice.types import Given, JsonObject, MatchRoll

MAY_WAIT = "bounds under penalties prove nothing where almost every turn is a bust, or where a player may wait for ever"
UNSETTLED = "no equilibrium was found at {count:,} positions; where players wait for each other there may be none"


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

    ignores_opponent: ClassVar[bool] = False
    ignores_score: ClassVar[bool] = False
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
    def tables(self) -> tuple[TurnTable, ...]:
        """The tables of every seat's turns."""
        return tuple(table.turn for table in self.many.tables)

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
            if self.many.busts_stay:
                gain, error = certify_many(self.many, self.solved, threads=threads, progress=progress)
            else:
                gain, error = prove_many(self.many, self.solved, threads=threads, progress=progress), 0.0
            reason = ALMOST_ALWAYS_BUSTS if self.many.busts_stay else MAY_WAIT
            if unsettled := len(self.solved.unsettled):
                reason = UNSETTLED.format(count=unsettled)
            object.__setattr__(self, "gain", gain)
            object.__setattr__(self, "certificate", certificate_of(gain + error, 1.0, reason))
        return self

    def at(self, mine: int = 0, theirs: Given = None, *, seat: int = 0, **records: Given) -> float:
        """Return the chance of the player in `seat`, about to begin a turn; `theirs` in the order of play."""
        return self.values_at(mine, theirs, seat=seat, **records)[0]

    def values_at(self, mine: int = 0, theirs: Given = None, *, seat: int = 0, **records: Given) -> tuple[float, ...]:
        """Return everybody's chances when the player in `seat` begins a turn, in the order of play from there."""
        check_records(records)
        if self._has_finished(theirs, seat):
            turn = self.turn(mine, theirs, seat=seat, **records)
            return tuple(turn.rolled(0, turn.table.opening).tolist())
        standings = self._standings(mine, theirs, seat, records)
        return tuple(self._worth(seat)[standings].tolist())

    def advise(
        self, *, mine: int = 0, theirs: Given = None, at_risk: int = 0, roll: MatchRoll = None, seat: int = 0,
        my_busts: Given = None, their_busts: Given = None, my_opened: Given = None, their_opened: Given = None, **mode: Mode,
    ) -> Advice:  # fmt: skip
        """Return every option of the player in `seat` who has the dice; where play is mixed, with shares."""
        records = {
            "my_busts": my_busts, "their_busts": their_busts, "my_opened": my_opened, "their_opened": their_opened
        }  # fmt: skip
        view = self.view(mine, theirs, seat=seat, **records)
        advice = view.advise_at(at_risk, roll, mode)
        moment = (view.units(at_risk), view.mode_index(mode_of(self.goal.games[seat], roll, mode)), roll is not None)
        options = self.with_shares(view, advice.options, moment, mine, theirs, seat=seat, **records)
        mixed = any(option.share is not None for option in options)
        return replace(advice, options=options, note=MIXED_NOTE if mixed else "")

    def with_shares(
        self, view: TurnView, options: tuple[Option, ...], moment: tuple[int, int, bool], mine: int, theirs: Given, *,
        seat: int = 0, **records: Given,
    ) -> tuple[Option, ...]:  # fmt: skip
        """Return options, those that best play takes first; with shares, if play is mixed between them.

        The moment is (units at risk, number of the mode, whether a roll has fallen there).
        """
        ended = len(view.table.modes)
        order = sorted(options, key=lambda option: (-option.points, not option.stops))
        candidates = [
            (o.stops, view.units(o.points), ended if o.stops else view.table.modes.index(o.mode)) for o in order
        ]
        shares = self.turn(mine, theirs, seat=seat, **records).shares(candidates, *moment)
        share_of = {id(option): share for option, share in zip(order, shares, strict=True)}
        mixed = sum(share > 0 for share in shares) > 1
        ranked = sorted(options, key=lambda option: -share_of[id(option)])
        return tuple(replace(option, share=share_of[id(option)] if mixed else None) for option in ranked)

    def view_at(self, spot: PointsSpot) -> TurnView:
        """Return the turn in progress at a spot."""
        return self.view(**place_of(spot))

    def view(self, mine: int = 0, theirs: Given = None, *, seat: int = 0, **records: Given) -> TurnView:
        """Return the turn that begins at a position, ready for questions about the chances of the player to move."""
        turn, table = self.turn(mine, theirs, seat=seat, **records), self.many.tables[seat]
        own = self._place(mine, records.get("my_busts"), records.get("my_opened"), seat)
        goal, least = table.scores - own // len(table.records), int(table.least_bank[own % len(table.records)])
        ends_past = self.goal.ends_past
        if self._has_finished(theirs, seat) and self._is_last(theirs, seat):  # nobody is left to beat a new best score
            best = max(self._final_scores(theirs, seat))
            goal, least, ends_past = best + 1 - own // len(table.records), min(goal, least), 0
        reach = len(turn.plans[0][2]) - 1 - table.turn.max_points
        return TurnView(
            self.goal.games[seat], table.turn, turn.own, lambda t: float(turn.stopped(t)[0]), float(turn.bust[0]), goal,
            least, 0, lambda worth: worth, False, lambda: self._bound_of_options(table, reach), ends_past, reach,
        )  # fmt: skip

    def turn(self, mine: int = 0, theirs: Given = None, *, seat: int = 0, **records: Given) -> ManyTurn:
        """Return the turn that begins at a position, ready for questions about everybody's chances."""
        turn: ManyTurn
        if self._has_finished(theirs, seat):
            own = self._place(mine, records.get("my_busts"), records.get("my_opened"), seat)
            own //= len(self.many.tables[seat].records)
            turn = self._last_turn(seat, own, self._final_scores(theirs, seat))
        else:
            turn = self._turn(seat, self._standings(mine, theirs, seat, records))
        return turn

    def _has_finished(self, theirs: Given, seat: int) -> bool:
        """Whether somebody has reached the target, so that this is the last round."""
        if not self.goal.last_round or not isinstance(theirs, tuple | list):
            return False
        return any(as_whole(score) is not None and score >= int(self.goal.target or 0) for score in theirs)

    def _is_last(self, theirs: Given, seat: int) -> bool:
        """Whether nobody plays after this player: the next one in the order of play has reached the target first."""
        return bool(theirs[0] >= int(self.goal.target or 0))

    def _final_scores(self, theirs: Given, seat: int) -> tuple[int, ...]:
        """Return the others' scores in a last round, in units from the lowest; the finisher is the first at the target."""
        self._check_others(theirs, seat)
        table = self.many.tables[seat]
        return tuple(score_in_units(score, table, "theirs", past_target=True) for score in theirs)

    @cached_property
    def _last_turn(self) -> Any:
        return lru_cache(maxsize=512)(self._replayed_last)

    def _replayed_last(self, seat: int, own: int, others: tuple[int, ...]) -> ManyTurn:
        """Return the turn of a follower in a last round, everybody's chances in the order of play."""
        table, after = self.many.tables[seat], self.many.last_round
        assert after is not None
        later = next(j for j, score in enumerate(others) if score >= table.scores)
        best, players = max(others), len(others) + 1
        holders = [j for j in range(later, len(others)) if others[j] == best]
        held_by = {"first": holders[:1], "share": holders, "last": holders[-1:]}[self.goal.ties]
        top = min(best, table.scores + after.beyond)
        ahead = tuple(score - others[later - 1] for score in others[: max(0, later - 1)])
        behind = top - others[later - 1] if later else 0
        turn = after.turn(seat, top - own, behind, ahead, len(held_by))

        def everybody(chances: Any) -> Any:
            """Share out the holders' chances."""
            wide = np.zeros((*chances.shape[:-1], players))
            wide[..., : later + 1] = chances[..., : later + 1]
            for j in held_by:
                wide[..., j + 1] = chances[..., later + 1] / len(held_by)
            return wide

        bust = everybody(turn.bust)
        # with an own bank past the best score the earlier holders have nothing left to share
        past = np.concatenate([everybody(turn.leaves), np.tile(everybody(turn.leaves[-1]), (table.turn.max_points, 1))])
        leaves = np.concatenate([np.tile(bust, (top - own, 1)), past])
        rows = np.concatenate([everybody(turn.rows[..., :-2]), turn.rows[..., -2:]], axis=-1)
        lost_from = top - own + 1 if table.must_hit else None
        return ManyTurn(table.turn, leaves, bust, ((after.ties, 1.0, rows),), TIE, lost_from)

    @cached_property
    def _turn(self) -> Any:
        return lru_cache(maxsize=512)(self._replayed)

    def _replayed(self, seat: int, standings: tuple[int, ...]) -> ManyTurn:
        table, players = self.many.tables[seat], self.many.players
        own, record = divmod(standings[0], len(table.records))
        goal = table.scores - own
        after = self._worth((seat + 1) % players)[standings[1:]]
        banked = after[own * len(table.records) + int(table.bank_to[record]) :: len(table.records)]
        beyond = self.many.beyond + (self.goal.ends_past or 0)
        ended = [self._finished(seat, table.scores + t, standings[1:]) for t in range(beyond + 1)]
        leaves = np.concatenate(
            [np.roll(banked[:goal], 1, axis=1), ended, np.tile(ended[-1], (table.turn.max_points, 1))]
        )
        share = self._shares.get((seat if not self.many.symmetric else 0, self._position(seat, standings)))
        weights = {TIES[self.indifferent]: 1.0} if share is None else {CAUTIOUS: share, BOLD: 1 - share}
        cut = min(goal + beyond, goal + beyond if table.turn.height is None else table.turn.height + 1)
        plans = []
        for ties, weight in weights.items():
            rows = np.zeros((cut + table.turn.max_points + 1, len(table.turn.modes) + 1, players + 2))
            kernels.replay_many(self._kernel, seat=seat, standings=np.array(standings, np.int32), ties=ties, rows=rows)
            plans.append((ties, weight, rows))
        lost_from = goal + 1 if table.must_hit else None
        bust = int(table.bust_score[record, own]) * len(table.records) + int(table.bust_to[record])
        least = min(int(table.least_bank[record]), goal)
        return ManyTurn(table.turn, leaves, np.roll(after[bust], 1), tuple(plans), TIE, lost_from, least)

    def _finished(self, seat: int, best: int, others: tuple[int, ...]) -> Any:
        """Return everybody's chances once a player has banked at or past the target."""
        if self.many.last_round is None:
            return np.eye(self.many.players)[0]
        tables = [self.many.tables[(seat + j) % self.many.players] for j in range(1, self.many.players)]
        scores = tuple(place // len(table.records) for place, table in zip(others, tables, strict=True))
        return self.many.last_round.finished(seat, best, scores)

    @property
    def mixed(self) -> list[MixedPosition]:
        """The positions where best play is mixed."""
        return [
            MixedPosition(seat, *self._scores(seat, number), share)
            for seat, number, share in self.solved.mixed
            if 0 < share < 1
        ]

    def others(self, threads: int | None = None, progress: Progress | None = None) -> OtherEquilibria:
        """Look for other equilibria: at every cycle given what follows it, and of the whole race from other beginnings."""
        if not self.many.busts_stay:
            raise RulesError("other equilibria are looked for in races without penalties; leave out busts and penalty")
        found = other_equilibria(self.many, self.solved, threads=threads, progress=progress)
        apart = 0.0
        for start in (1, 2):
            again = replace(self, solved=solve_many(self.many, start=start, threads=threads), certificate=None)
            apart = max(apart, *(abs(a - b) for a, b in zip(self.values, again.values, strict=True)))
        return OtherEquilibria(len(found), max((row[2] for row in found), default=0.0), apart)

    def rows(self) -> Iterator[JsonObject]:
        """Yield every position with everybody's chances: `value` is the player's to move, then in the order of play."""
        players = self.many.players
        for seat in self.many.seats:
            tables = [self.many.tables[(seat + j) % players] for j in range(players)]
            for places in product(*(np.flatnonzero(table.reached.reshape(-1)).tolist() for table in tables)):
                row: JsonObject = {} if self.many.symmetric else {"seat": seat}
                for j, (place, table) in enumerate(zip(places, tables, strict=True)):
                    score, record = divmod(place, len(table.records))
                    row["mine" if j == 0 else f"theirs_{j}"] = (score + table.lowest) * table.unit
                    row |= {
                        f"my_{name}" if j == 0 else f"{name}_{j}": answer
                        for name, answer in zip(("opened", "busts"), table.records[record], strict=True)
                        if len({r[name == "busts"] for r in table.records}) > 1
                    }
                values = self._worth(seat)[places].tolist()
                yield row | {"value" if j == 0 else f"value_{j}": value for j, value in enumerate(values)}

    def blocks(self) -> JsonObject:
        """Return what is saved."""
        blocks = {f"worth_{seat}": worth for seat, worth in enumerate(self.solved.worths)}
        mixed = np.array(self.solved.mixed, np.float64).reshape(-1, 3)
        return blocks | {"mixed": mixed}

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
        scores = [(int(p) // len(t.records) + t.lowest) * t.unit for p, t in zip(places, tables, strict=True)]
        return scores[0], tuple(scores[1:])

    def _bound_of_options(self, table: RaceTable, rows: int) -> float | None:
        bound = self.error_bound
        return None if bound is None else bound + replay_error(table.turn, rows, 1.0)

    def _standings(self, mine: Given, theirs: Given, seat: int, records: JsonObject) -> tuple[int, ...]:
        points = (mine, *self._check_others(theirs, seat))
        busts, opened = (self._of_all(records, name) for name in ("busts", "opened"))
        places = []
        for j, standing in enumerate(zip(points, busts, opened, strict=True)):
            places.append(self._place(*standing, (seat + j) % self.many.players, "theirs" if j else "mine"))
        return tuple(places)

    def _of_all(self, records: JsonObject, name: str) -> tuple[Any, ...]:
        """Return what the records of all players say, the player to move first; one answer may stand for all others."""
        theirs, others = records.get(f"their_{name}"), self.many.players - 1
        answers = tuple(theirs) if isinstance(theirs, tuple | list) else (theirs,) * others
        if len(answers) != others:
            raise PositionError(f"their_{name} has {others} answers, in the order of play, got {theirs!r}")
        return (records.get(f"my_{name}"), *answers)

    def _place(self, points: Given, busts: Given, has_opened: Given, seat: int, name: str = "mine") -> int:
        """Return the standing of a seat."""
        table = self.many.tables[seat]
        score = score_in_units(points, table, name)
        whose = "my" if name == "mine" else "their"
        return score * len(table.records) + record_number(table, score, busts, has_opened, whose)

    def _check_others(self, theirs: Given, seat: int) -> tuple[Any, ...]:
        """Return the scores of the other players, or say how many there are."""
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
        return others


MIXED_NOTE = "best play is mixed here: draw one of the options by their shares"


def solve_for_many(
    goal: Race, tables: tuple[RaceTable, ...], exactly: bool, threads: int | None, progress: Progress | None
) -> ManySolution:
    """Solve a race of several."""
    if exactly:
        raise TooLargeError("exact fractions are for one or two players; leave out exact for a certified float")
    check_many(goal, tables)
    many = ManyTables(tables, goal.indifferent, ending=goal.ending)
    find = solve_many if many.busts_stay else sweep_many
    return ManySolution(goal, many, find(many, threads=threads, progress=progress))


def stored_many(goal: Race, tables: tuple[RaceTable, ...], blocks: Any, certificate: Certificate) -> ManySolution:
    """Return the solution that was saved."""
    many = ManyTables(tables, goal.indifferent, ending=goal.ending)
    worths = tuple(blocks[f"worth_{seat}"] for seat in many.seats)
    if any(worth.shape != many.shape(seat) for seat, worth in enumerate(worths)):
        raise StaleSolution("the saved values are those of another race; solve and save again")
    mixed = [(int(seat), int(position), float(share)) for seat, position, share in blocks["mixed"]]
    return ManySolution(goal, many, ManyValues(worths, mixed), certificate)
