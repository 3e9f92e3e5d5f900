"""Win chances of Can't Stop for two on boards too large to solve: estimates, and a turn judged one roll ahead.

Nobody has solved the official board for two. A position is judged by how much of the columns still needed is left to the
player who has the dice (m) and to the other (t):

    left   = sum of the smallest remaining shares of columns, as many as are missing; closed columns do not help,
    chance = 1 / (1 + exp(-z)),    z = RATIO * ln((t + LEAST) / (m + LEAST)) + TEMPO / (m + t + LEAST).

So a lead counts for more towards the end, and so does having the dice. The three numbers are fitted to played games, see
docs/cant-stop.md for how well they hold. A turn is judged by looking one roll ahead: roll on where stopping after one more
roll is worth more than stopping now. It is not best play.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from math import exp
from typing import Any

from jeopardice.columns.board_turn import TurnWriter
from jeopardice.columns.duel import DRAW, duel_seconds
from jeopardice.columns.match import CantStopMatch
from jeopardice.games.cant_stop import CantStop, Markers, Standing
from jeopardice.rules.goal import Race, next_seat
from jeopardice.solution import Measure

RATIO, TEMPO, LEAST = 2.041, 0.987, 0.212
MARKS = (0.02, 0.05, 0.12)
"""Estimates are off by more than close calls, so marks begin later than where values are exact."""

SPREAD = 0.08
"""Nine of ten estimates are no farther than this from the share that rollouts win, see docs/cant-stop.md."""

QUICK_SECONDS = 30.0
"""Boards for two that take no longer, on one core, are solved before a game; others are estimated."""

Standings = tuple[Standing, ...]


def is_estimated(goal: Race) -> bool:
    """Is this a board for two that takes too long to be solved before a game?"""
    return goal.players == 2 and duel_seconds(goal.game) > QUICK_SECONDS


@dataclass(frozen=True, eq=False)
class EstimatedDuel:
    """Estimated win chances of all moments of a game for two."""

    goal: Race
    _ahead: Any = field(init=False, repr=False)
    _left: Any = field(init=False, repr=False)
    _writer: TurnWriter = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ahead", lru_cache(maxsize=4096)(self._one_roll_ahead))
        object.__setattr__(self, "_left", lru_cache(maxsize=65_536)(self._shares_left))
        object.__setattr__(self, "_writer", TurnWriter(self.goal.game))

    @property
    def match(self) -> CantStopMatch:
        """The game as a tree of spots."""
        return CantStopMatch(self.goal.game, players=2)

    @property
    def measure(self) -> Measure:
        """Estimated win chance."""
        return Measure("estimated win chance", *MARKS, is_estimate=True, spread=SPREAD)

    @property
    def tie(self) -> float:
        """Rounding only: estimates have no certified bound."""
        return 1e-12

    def moment(self, standings: Standings, seat: int, markers: Markers) -> tuple[float, float]:
        """Return the chance to win after stopping and after rolling once more."""
        if not markers:
            return 0.0, self.chance(standings, seat)
        return self._stopped(standings, seat, markers), self._ahead(standings, seat, markers)

    def chance(self, standings: Standings, seat: int) -> float:
        """Return the estimated chance of the player in `seat`, about to begin a turn."""
        game: CantStop = self.goal.game
        if game.is_drawn(standings):
            return DRAW
        mine, theirs = self.left(standings, seat), self.left(standings, next_seat(seat, 2))
        odds: float = ((theirs + LEAST) / (mine + LEAST)) ** RATIO * exp(TEMPO / (mine + theirs + LEAST))
        return odds / (1 + odds)

    def left(self, standings: Standings, seat: int) -> float:
        """Return the smallest shares of columns that complete what is missing; columns closed to the player do not help."""
        return float(self._left(standings[seat], self.goal.game.closed_to(seat, standings)))

    def _one_roll_ahead(self, standings: Standings, seat: int, markers: Markers) -> float:
        """The chance if one rolls once more and then stops, the play chosen best."""
        game, mine, writer = self.goal.game, standings[seat], self._writer
        offers = writer.offers(mine, markers, game.closed_to(seat, standings))
        plays = {climb for _, choice in offers for climb in choice}
        stopped = {climb: self._stopped(standings, seat, writer.after(mine, markers, climb)) for climb in plays}
        total = game.sides**game.dice
        moves = sum(weight * max(stopped[climb] for climb in choice) for weight, choice in offers)
        busts = total - sum(weight for weight, _ in offers)
        return float((moves + busts * (1 - self.chance(standings, next_seat(seat, 2)))) / total)

    def _stopped(self, standings: Standings, seat: int, markers: Markers) -> float:
        game: CantStop = self.goal.game
        mine = game.bank(standings[seat], markers)
        if game.is_won(mine):
            return 1.0
        return 1 - self.chance((*standings[:seat], mine, *standings[seat + 1 :]), next_seat(seat, 2))

    def _shares_left(self, mine: Standing, closed: frozenset[int]) -> float:
        game: CantStop = self.goal.game
        missing = game.columns_to_win - len(game.completed(mine))
        shares = [
            1 - space / length
            for column, space, length in zip(game.columns, mine, game.lengths, strict=True)
            if space < length and column not in closed
        ]
        return sum(sorted(shares)[:missing])
