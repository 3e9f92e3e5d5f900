"""Can't Stop as a tree of spots, for one player or several: rules only, no values, no words.

A turn opens with the choice to roll. After each roll that is not a bust the player chooses a play *and* what follows it,
stop or roll, so that choices and dice alternate. The rules themselves are those of the game (`games/cant_stop.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction

from jeopardice.dice import Roll
from jeopardice.errors import PositionError
from jeopardice.games.cant_stop import CantStop, Markers, Standing
from jeopardice.rules.game import fields_of
from jeopardice.rules.goal import next_seat
from jeopardice.rules.reading import count_from, parts_among
from jeopardice.rules.text import plain
from jeopardice.types import Json, MatchRoll, Number


@dataclass(frozen=True)
class ColumnsPlay:
    """The columns climbed (one that climbs two spaces twice), the markers afterwards, then stop or roll.

    `spaces` counts what a bust would lose from here, or the stop banks.
    """

    stops: bool
    markers: Markers = ()
    moved: tuple[int, ...] = ()
    spaces: int = 0


@dataclass(frozen=True)
class ColumnsSpot:
    """Everybody's spaces climbed, who has the dice, the markers of the turn so far, and a roll to be played.

    `rolling`: the dice fall next. `rolls` are those of this turn; `turn` and `rolls_made` count the whole game.
    """

    standings: tuple[Standing, ...]
    seat: int = 0
    markers: Markers = ()
    roll: Roll | None = None
    rolling: bool = False
    rolls: int = 0
    turn: int = 0
    rolls_made: int = 0

    @property
    def standing(self) -> Standing:
        """The spaces climbed by the player who has the dice."""
        return self.standings[self.seat]


SHOWN_ONLY = {"standings", "at_risk"}
"""Parts of a position that are written for people and not read back."""


@dataclass(frozen=True)
class CantStopMatch:
    """A game of Can't Stop.

    >>> match = CantStopMatch(CantStop(), players=2)
    >>> (roll,) = match.plays(match.start())
    >>> spot = match.after_roll(match.after_play(match.start(), roll), (1, 3, 3, 4))
    >>> [(play.moved, play.stops) for play in match.plays(spot)]
    [((4, 7), True), ((4, 7), False), ((5, 6), True), ((5, 6), False)]
    """

    rules: CantStop
    players: int = 1

    def start(self) -> ColumnsSpot:
        """Empty boards, and seat 0 has the dice."""
        return ColumnsSpot((self.rules.opening,) * self.players)

    def seat(self, spot: ColumnsSpot) -> int:
        """Who has the dice; once the game is won, the winner."""
        return spot.seat

    def game(self, spot: ColumnsSpot) -> CantStop:
        """The game of the player who has the dice."""
        return self.rules

    def turn(self, spot: ColumnsSpot) -> int:
        """How many turns have been completed."""
        return spot.turn

    def rolls(self, spot: ColumnsSpot) -> Mapping[Roll, int]:
        """All dice, if they fall next."""
        return self.rules.rolls() if spot.rolling else {}

    def plays(self, spot: ColumnsSpot) -> tuple[ColumnsPlay, ...]:
        """Every play, each with a stop and with a roll; as a turn begins only the roll."""
        if spot.rolling or self.is_over(spot):
            return ()
        plays = [spot.markers] if spot.roll is None else self._climbs(spot, spot.roll)
        return tuple(
            self.play(spot, markers, stops=stops)
            for markers in plays
            for stops in (True, False)
            if (stops and markers) or (not stops and not self.rules.is_won(spot.standing, markers))
        )

    def play(self, spot: ColumnsSpot, markers: Markers, *, stops: bool) -> ColumnsPlay:
        """Return the play that leaves the markers there."""
        before, standing = dict(spot.markers), spot.standing
        moved = [c for c, space in markers for _ in range(space - before.get(c, standing[c - 2]))]
        return ColumnsPlay(stops, markers, tuple(moved), spaces_at_risk(standing, markers))

    def is_bust(self, spot: ColumnsSpot, roll: Roll) -> bool:
        """Whether a roll moves nothing."""
        return not self._climbs(spot, roll)

    def after_roll(self, spot: ColumnsSpot, roll: Roll) -> ColumnsSpot:
        """A roll to be played; or a bust: the markers come off and the dice pass on."""
        fallen = replace(spot, rolls=spot.rolls + 1, rolls_made=spot.rolls_made + 1)
        if self.is_bust(spot, roll):
            return self._passed(fallen, spot.standing)
        return replace(fallen, roll=roll, rolling=False)

    def after_play(self, spot: ColumnsSpot, play: ColumnsPlay) -> ColumnsSpot:
        """A stop banks the markers and passes the dice on; else the dice fall."""
        if not play.stops:
            return replace(spot, markers=play.markers, roll=None, rolling=True)
        return self._passed(spot, self.rules.bank(spot.standing, play.markers))

    def is_over(self, spot: ColumnsSpot) -> bool:
        """Whether somebody has completed enough columns, or nobody can any more."""
        return self.winner(spot) is not None or self.rules.is_drawn(spot.standings)

    def winner(self, spot: ColumnsSpot) -> int | None:
        """The seat with enough columns; nobody in a drawn game."""
        return next((seat for seat, standing in enumerate(spot.standings) if self.rules.is_won(standing)), None)

    def returns(self, spot: ColumnsSpot) -> tuple[Number, ...]:
        """Alone the turns it took; else 1 to the winner, and a draw shared."""
        if self.players == 1:
            return (spot.turn,)
        winner = self.winner(spot)
        if winner is None:
            return (Fraction(1, self.players),) * self.players
        return tuple(int(seat == winner) for seat in range(self.players))

    def to_json(self, spot: ColumnsSpot) -> Json:
        """Every part of the spot; for people also the columns completed (`standings`) and the spaces at risk."""
        parts = {name: plain(part) for name, part in fields_of(spot).items()}
        climbed = parts.pop("standings")
        boards = {"standing": climbed[0]} if self.players == 1 else {"boards": climbed}
        done = [len(self.rules.completed(standing)) for standing in spot.standings]
        return boards | parts | {"standings": done, "at_risk": spaces_at_risk(spot.standing, spot.markers)}

    def from_json(self, position: Json) -> ColumnsSpot:
        """Read a position back; parts left out are those of a turn that begins."""
        boards = "standing" if self.players == 1 else "boards"
        known = {part.name for part in fields(ColumnsSpot)} | {boards} | SHOWN_ONLY
        position = parts_among(position, known)
        counts = {name: count_from(name, position.get(name, 0)) for name in ("seat", "rolls", "turn", "rolls_made")}
        if counts["seat"] >= self.players:
            raise PositionError(f"seat lies below {self.players}, got seat={counts['seat']!r}")
        standings = self._standings_from(position.get(boards))
        spot = replace(ColumnsSpot(standings, rolling=bool(position.get("rolling", False))), **counts)  # type: ignore[arg-type]
        try:
            placed = {int(column): int(space) for column, space in position.get("markers") or ()}
        except (TypeError, ValueError):
            raise PositionError(f"markers is a list of [column, space], got markers={position['markers']!r}") from None
        return self.checked(replace(spot, markers=self.rules.placed(spot.standing, placed)), position.get("roll"))

    def checked(self, spot: ColumnsSpot, roll: MatchRoll = None, *, may_be_drawn: bool = False) -> ColumnsSpot:
        """Return the spot with a roll to be played, if there is one, after checking that it can occur."""
        rules = self.rules
        done = [rules.completed(standing) for standing in spot.standings]
        twice = {c for seat, columns in enumerate(done) for c in columns & rules.closed_to(seat, spot.standings)}
        if twice:
            raise PositionError(f"column {min(twice)} is completed by both, but the first to complete it closes it")
        if self.winner(spot) is not None:
            raise PositionError(
                f"the game is won here: somebody has completed {rules.columns_to_win} columns; ask earlier"
            )
        if rules.is_drawn(spot.standings) and not may_be_drawn:
            raise PositionError("nobody can win any more here: the game is drawn, and there is nothing to choose")
        closed = {column for column, _ in spot.markers} & rules.closed_to(spot.seat, spot.standings)
        if closed:
            raise PositionError(f"column {min(closed)} is closed by another player, so no marker can stand in it")
        if roll is None:
            return spot
        if spot.rolling:
            raise PositionError(f"either the dice fall next or a roll is to be played, got both (roll={roll!r})")
        if rules.is_won(spot.standing, spot.markers):
            raise PositionError("the game is over here: enough columns are completed; ask about an earlier moment")
        spot = replace(spot, roll=rules.roll(roll))
        if not self._climbs(spot, rules.roll(roll)):
            raise PositionError(f"the roll {roll!r} is a bust: the turn is over and there is nothing to choose")
        return spot

    def _climbs(self, spot: ColumnsSpot, roll: Roll) -> list[Markers]:
        closed = self.rules.closed_to(spot.seat, spot.standings)
        return self.rules.plays(spot.standing, spot.markers, roll, closed)

    def _passed(self, spot: ColumnsSpot, standing: Standing) -> ColumnsSpot:
        """Return the spot after a turn: the next seat's, or the winner's."""
        standings = (*spot.standings[: spot.seat], standing, *spot.standings[spot.seat + 1 :])
        seat = spot.seat if self.rules.is_won(standing) else next_seat(spot.seat, self.players)
        return ColumnsSpot(standings, seat, turn=spot.turn + 1, rolls_made=spot.rolls_made)

    def _standings_from(self, boards: Json) -> tuple[Standing, ...]:
        given: Sequence[Json] = (
            [boards] if self.players == 1 and boards is not None else boards or [None] * self.players
        )
        columns = self.rules.columns
        try:
            climbed = [
                {} if board is None else dict(zip(columns, board, strict=True))
                for _, board in zip(range(self.players), given, strict=True)
            ]
        except (TypeError, ValueError):
            raise PositionError(
                f"a board lists the spaces climbed in each of {len(columns)} columns, one board for each player, "
                f"got {boards!r}"
            ) from None
        return tuple(map(self.rules.standing, climbed))


def spaces_at_risk(standing: Standing, markers: Markers) -> int:
    """Return how many spaces a bust would lose.

    >>> spaces_at_risk((0, 1, 0), ((2, 1), (3, 3)))
    3
    """
    return sum(space - standing[column - 2] for column, space in markers)
