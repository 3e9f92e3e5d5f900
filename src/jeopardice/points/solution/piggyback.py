"""A race for two with piggyback, solved, and asked about any position, any offer and any moment of its turns."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import ClassVar, Self

from jeopardice.errors import PositionError
from jeopardice.kernels import Progress
from jeopardice.points.match import PointsMatch, PointsSpot, TurnPlay, match_of, place_of
from jeopardice.points.piggyback import (
    PiggybackTables,
    PiggybackValues,
    certify_piggyback,
    piggyback_tables,
    solve_piggyback,
)
from jeopardice.points.piggyback_rational import ExactPiggyback, solve_exactly
from jeopardice.points.solution.best_play import best_play
from jeopardice.points.solution.standings import (
    ALMOST_ALWAYS_BUSTS,
    certificate_of,
    check_records,
    replay_error,
    save_points,
    score_in_units,
)
from jeopardice.points.tables import TurnTable
from jeopardice.points.view import TurnView, points_to_units
from jeopardice.points.words import WORDS
from jeopardice.rules.game import Mode
from jeopardice.rules.goal import Race
from jeopardice.rules.text import named_among
from jeopardice.solution import Advice, Certificate, Option
from jeopardice.types import Given, JsonObject, Keywords, MatchRoll, Number, Real

LARGE_WEIGHTS = "the weights of these rolls are too large to be exact in floats"


@dataclass(frozen=True, eq=False)
class PiggybackSolution:
    """A race for two with piggyback; values are those of the player to move: the chance to win, or the margin.

    A position may have an offer: the points that the other has just banked and the mode of the dice left.
    """

    goal: Race
    race: PiggybackTables = field(repr=False)
    solved: PiggybackValues | ExactPiggyback = field(repr=False)
    certificate: Certificate | None = field(default=None, repr=False)

    ignores_opponent: ClassVar[bool] = False
    ignores_score: ClassVar[bool] = False
    strategy = best_play

    @property
    def is_exact(self) -> bool:
        """Whether values are fractions."""
        return isinstance(self.solved, ExactPiggyback)

    @property
    def turn(self) -> TurnTable:
        """The table of the turns, the same for both seats."""
        return self.race.table.turn

    @property
    def tables(self) -> tuple[TurnTable, TurnTable]:
        """The tables of both seats' turns: one and the same."""
        return self.turn, self.turn

    @property
    def targets(self) -> tuple[int, int]:
        """Both seats' targets, in their units."""
        return self.race.table.scores, self.race.table.scores

    @property
    def coin_toss(self) -> Number:
        """The first seat's value if a coin decides who begins."""
        return Fraction(self.total, 2) if self.is_exact else self.total / 2

    @property
    def total(self) -> int:
        """What both players' values add up to in every position."""
        return self.goal.ending.total

    @property
    def value(self) -> Number:
        """What the first player can expect from the start."""
        return self.solved.begun(0, 0)

    @property
    def values(self) -> tuple[Number, ...]:
        """What both players can expect from the start, in the order of play."""
        return self.value, self.total - self.value

    @property
    def match(self) -> PointsMatch:
        """The game as a tree of spots."""
        return match_of(self.goal)

    def at(self, mine: int, theirs: int, *, offer: Given = None, seat: int = 0, **records: Given) -> Number:
        """Return the value for the player about to begin a turn, with these scores and perhaps an offer."""
        check_records(records)
        own, other = self._scores(mine, theirs, seat)
        begun = self.solved.begun(own, other)
        return begun if offer is None else max(begun, self.solved.taken(own, other, *self._offer(offer, other)))

    @property
    def error_bound(self) -> float | None:
        """A certified bound of the error of all values; made on first use. None where nothing is proved."""
        return self.certify().certificate.bound  # type: ignore[union-attr]

    def certify(self, progress: Progress | None = None, threads: int | None = None) -> Self:
        """Make the certificate: a pass with directed rounding, about as long as solving took."""
        if self.certificate is None:
            made = Certificate(0.0)
            if isinstance(self.solved, PiggybackValues):
                made = Certificate(None, LARGE_WEIGHTS)
                if not self.turn.has_rounded_weights:
                    bound = certify_piggyback(self.solved, threads=threads, progress=progress)
                    made = certificate_of(bound, float(self.race.prize.max()), ALMOST_ALWAYS_BUSTS)
            object.__setattr__(self, "certificate", made)
        return self

    def advise(
        self, *, mine: int = 0, theirs: int = 0, at_risk: int = 0, roll: MatchRoll = None, offer: Given = None, seat: int = 0,
        my_opened: bool | None = None, their_opened: bool | None = None, **mode: Mode,
    ) -> Advice:  # fmt: skip
        """Return every option of the player who has the dice; `offer=(points, mode)` may be taken over at the beginning."""
        view = self.view(mine, theirs, seat=seat)
        if offer is None:
            return view.advise_at(at_risk, roll, mode)
        if at_risk or roll is not None or any(word is not None for word in mode.values()):
            raise PositionError(
                f"an offer is taken at the beginning of a turn; leave out at_risk, roll and dice, got offer={offer!r}"
            )
        own, other = self._scores(mine, theirs, seat)
        units, left = self._offer(offer, other)
        points, name = units * self.race.table.unit, self.turn.modes[left]
        begin = TurnPlay(False, 0, 0, self.goal.game.opening)
        plays = (begin, TurnPlay(False, points, points, name, takes_over=True))
        worths = (self.solved.begun(own, other), self.solved.taken(own, other, units, left))
        options = [
            Option(word, worth, False, play.points, play.mode, match_play=play)
            for word, play, worth in zip(WORDS.plays(self.goal.game, plays), plays, worths, strict=True)
        ]
        options.sort(key=lambda option: -option.value)
        return Advice(tuple(options), view.bound)

    def rows(self) -> Iterator[JsonObject]:
        """Yield every position with its value."""
        n, unit = self.race.table.scores, self.race.table.unit
        for own in range(n):
            for other in range(n):
                yield {"mine": own * unit, "theirs": other * unit, "value": self.solved.begun(own, other)}

    def blocks(self) -> JsonObject:
        """Return what is saved."""
        assert isinstance(self.solved, PiggybackValues)
        return {"worth": self.solved.worth, "rolled": self.solved.rolled}

    def save(self, path: str | Path) -> Path:
        """Write the solution to a directory; `jeopardice.load` reads it again."""
        certificate = self.certify().certificate or Certificate(None)
        blocks = {} if self.is_exact else self.blocks()
        return save_points(self.goal, self.value, certificate, (self.turn,), blocks, path)

    def view_at(self, spot: PointsSpot) -> TurnView:
        """Return the turn in progress at a spot."""
        return self.view(**place_of(spot))

    def view(self, mine: int = 0, theirs: int = 0, *, seat: int = 0, **records: Given) -> TurnView:
        """Return the turn that begins at a position, ready for questions about its moments, also of a turn taken over."""
        own, other = self._scores(mine, theirs, seat)
        table, turn = self.race.table, self.turn
        goal, rows, ended = table.scores - own, self.solved.rows(own, other), len(turn.modes)
        last = len(rows) - 1

        def stop(t: int, mode: int) -> Real:
            if t >= goal:
                return rows[goal][ended][0]
            left = turn.opening if mode == ended else mode
            begun = self.solved.begun(other, own + t)
            return self.total - (max(begun, self.solved.taken(other, own + t, t, left)) if t else begun)

        reach = max(goal, other)
        least = int(table.least_bank[table.bank_to[0] if own else 0])
        bust = self.total - self.solved.begun(other, own)
        return TurnView(
            self.goal.game, turn, lambda t, mode: rows[min(t, last)][mode][0], lambda t: stop(t, turn.opening), bust,
            goal, least, 0, lambda worth: worth if self.is_exact else float(worth), False, lambda: self._bound(goal),
            0, reach, lambda t, mode: rows[min(t, last)][mode][1], stop,
        )  # fmt: skip

    def _bound(self, rows: int) -> float | None:
        bound = self.error_bound
        if bound is None or self.is_exact:
            return bound
        return bound + replay_error(self.turn, rows, float(self.race.prize.max()))

    def _scores(self, mine: Given, theirs: Given, seat: Given) -> tuple[int, int]:
        if seat not in (0, 1):
            raise PositionError(f"seat is 0 (plays first) or 1, got seat={seat!r}")
        (theirs,) = theirs if isinstance(theirs, tuple | list) and len(theirs) == 1 else (theirs,)
        table = self.race.table
        return score_in_units(mine, table, "mine"), score_in_units(theirs, table, "theirs")

    def _offer(self, offer: Given, theirs: int) -> tuple[int, int]:
        """Return an offer as units and the number of the mode."""
        modes, unit = self.turn.modes, self.race.table.unit
        if not isinstance(offer, tuple | list):
            offer = (offer, modes[0] if len(modes) == 1 else None)
        if len(offer) != 2 or offer[1] is None:
            raise PositionError(f"offer is (points, dice left), got offer={offer!r}")
        units, mode = points_to_units(offer[0], unit, "offer"), named_among(offer[1], modes, "offer's mode")
        if not 1 <= units <= theirs:
            raise PositionError(
                f"an offer was banked by the other, so it lies between {unit} and theirs={theirs * unit}, got {offer[0]!r}"
            )
        return units, modes.index(mode)


def solve_with_piggyback(
    goal: Race, exactly: bool, threads: int | None, progress: Progress | None
) -> PiggybackSolution:
    """Solve a race for two with piggyback, in fractions if `exactly`."""
    race = piggyback_tables(goal)
    if exactly:
        return PiggybackSolution(goal, race, solve_exactly(race, progress))
    return PiggybackSolution(goal, race, solve_piggyback(race, threads=threads, progress=progress))


def stored_piggyback(
    goal: Race, race: PiggybackTables, blocks: Keywords, certificate: Certificate
) -> PiggybackSolution:
    """Return the solution that was saved."""
    return PiggybackSolution(goal, race, PiggybackValues(race, blocks["worth"], blocks["rolled"]), certificate)
