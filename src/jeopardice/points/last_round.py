"""The last round of a race of several: what the turns after the first bank at or past the target come to.

The followers have one turn each, in order, and the highest score wins; scores that fall short count for nothing. So a
follower's turn depends on the best score so far, on how many hold it (if ties share), and on the scores of the followers
still to come, and of all these only the differences matter. With r followers left,

    chances[r][d, a_1, ..., a_{r-1}] = the chances of these followers, and of the holders together

where d is how far the last of them is behind the best score and a_j how far the j-th is ahead of the last. A bank that
falls short leads to chances[r - 1] with the same best score, as a bust does; one that goes e units past it to
chances[r - 1] with d + e and one holder, the follower. For given later followers one walk of a turn answers for every
score of the follower. The turn of the player who finishes is followed `beyond` units past the target: from there on the
others' chance to catch up is negligible.

Cost for n players and s scores: (s + beyond) (2 s)^(n - 3) walks for each n > 2. Memory: (s + beyond) (2 s)^(n - 2) numbers
for every player.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jeopardice.kernels import kernels
from jeopardice.kernels.stopping import check_wanted
from jeopardice.points.race import NEGLIGIBLE, catch_up
from jeopardice.points.race_table import RaceTable
from jeopardice.rules.ending import Ending

Chances = NDArray[np.float64]


class FollowerTurn(NamedTuple):
    """A follower's turn: rows [at risk, mode, player and gain and leave], chances after a bust, and after banks past the best."""

    rows: Chances
    bust: Chances
    leaves: Chances
    gain: float
    error: float


@dataclass(frozen=True, eq=False)
class LastRound:
    """The tables of a last round: chances[r, first of r followers, holders][units behind, units ahead ..., player].

    Where all seats are alike the first follower counts as seat 0. Players are the followers in the order of play, then the
    holders of the best score together. `gain` is what a follower can gain at most by other play, `error` how far chances
    are from those of this play.
    """

    tables: tuple[RaceTable, ...]
    ending: Ending
    ties: int
    tie: float
    beyond: int
    chances: dict[tuple[int, int, int], Chances] = field(default_factory=dict, repr=False)
    gain: float = 0.0
    error: float = 0.0

    @property
    def scores(self) -> int:
        """How many scores lie below the target."""
        return self.tables[0].scores

    @property
    def first(self) -> int:
        """How far past the best score a bank must be to count."""
        return 1 if self.ending.ties == "first" else 0

    def seat(self, seat: int) -> int:
        """The number of a seat in the tables."""
        return 0 if all(table is self.tables[0] for table in self.tables) else seat % len(self.tables)

    def holders(self, holders: int) -> int:
        """The number of holders as far as it matters: only shared wins count them."""
        return holders if self.ending.ties == "share" else 1

    def finish(self, seat: int) -> Chances:
        """Return everybody's chances once a seat has banked at or past the target, the finisher first."""
        followers = len(self.tables) - 1
        return np.ascontiguousarray(np.roll(self.chances[followers, self.seat(seat + 1), 1], 1, axis=-1))

    def finished(self, seat: int, best: int, others: tuple[int, ...]) -> Chances:
        """Return everybody's chances after a bank that reached `best`, the finisher first; scores from the lowest."""
        best = min(best, self.scores + self.beyond)
        ahead = tuple(score - others[-1] + self.scores - 1 for score in others[:-1])
        cell = (best - others[-1] - 1, *ahead)
        chances: Chances = np.roll(self.chances[len(others), self.seat(seat + 1), 1][cell], 1)
        return chances

    def turn(self, seat: int, depth: int, behind: int, ahead: tuple[int, ...], holders: int) -> FollowerTurn:
        """Return the turn of a follower `depth` units behind; `behind` and `ahead` place those still to come."""
        later, after, ends = len(ahead) + (behind > 0), self.seat(seat + 1), self.scores + self.beyond
        reach = 0 if self.ending.must_hit else min(self.beyond, ends - behind) if later else 1
        place = tuple(a + self.scores - 1 for a in ahead)

        def left(holders: int) -> Chances:
            if not later:
                return np.ones((reach + 1, 1))
            cells: tuple[Any, ...] = (slice(behind - 1, behind + reach), *place)
            part: Chances = self.chances[later, after, holders][cells]
            return part

        short, past = left(holders)[0], left(1)
        leaves = np.zeros((reach + 1, later + 2))
        leaves[:, 0], leaves[:, 1:-1] = past[:, -1], past[:, :-1]
        if self.ending.ties == "share":
            tied = left(holders + 1)[0]
            leaves[0] = [tied[-1] / (holders + 1), *tied[:-1], tied[-1] * holders / (holders + 1)]
        table = self.tables[self.seat(seat)]
        rows = np.zeros((depth + reach + table.turn.max_points + 1, len(table.turn.modes) + 1, later + 4))
        gain, error = kernels.last_turn(
            table.kernel, depth=depth, first=self.first, leaves=leaves, tie=self.tie, ties=self.ties, rows=rows
        )
        if self.first:
            leaves[0] = [0.0, *short]
        return FollowerTurn(rows, np.array([0.0, *short]), leaves, gain, error)


def last_round(tables: tuple[RaceTable, ...], ending: Ending, ties: int, tie: float) -> LastRound:
    """Return the tables of a last round, from its last turn back to its first."""
    players, beyond = len(tables), horizon(tables, ending)
    made = LastRound(tables, ending, ties, tie, beyond)
    scores, seats = made.scores, sorted({made.seat(seat) for seat in range(players)})
    gain = error = 4 * players * NEGLIGIBLE
    for r in range(1, players):
        worst_gain = worst_error = 0.0
        for seat, holders in product(seats, range(1, 1 + made.holders(players - r))):
            chances = np.zeros((scores + beyond, *[2 * scores - 1] * (r - 1), r + 1))
            made.chances[r, seat, holders] = chances
            for more, off in _fill(made, chances, r, seat, holders):
                worst_gain, worst_error = max(worst_gain, more), max(worst_error, off)
        gain, error = gain + worst_gain, error + worst_error
    return LastRound(tables, ending, ties, tie, beyond, made.chances, gain, error)


def _fill(made: LastRound, chances: Chances, r: int, seat: int, holders: int) -> Iterator[tuple[float, float]]:
    """Fill one table, and yield every turn's gain and error; a turn answers for every score of the first follower."""
    scores, ends = made.scores, made.scores + made.beyond
    mode = made.tables[made.seat(seat)].turn.opening
    if r == 1:
        turn = made.turn(seat, ends, 0, (), holders)
        chances[:] = _opening(turn, ends, mode)[1:]
        yield turn.gain, turn.error
        return
    for behind in range(1, ends + 1):
        check_wanted()
        span = range(1 - scores, min(scores, behind))
        for ahead in product(span, repeat=r - 2):
            turn = made.turn(seat, behind + scores - 1, behind, ahead, holders)
            by_depth = _opening(turn, behind + scores - 1, mode)
            own = np.arange(span.start, span.stop)
            place = tuple(a + scores - 1 for a in ahead)
            cells: tuple[Any, ...] = (behind - 1, own + scores - 1, *place)
            chances[cells] = by_depth[behind - own]
            yield turn.gain, turn.error


def _opening(turn: FollowerTurn, depth: int, mode: int) -> Chances:
    """Return everybody's chances as the turn opens, by the units behind."""
    opening = turn.rows[depth::-1, mode]
    chances: Chances = opening[:, :-2] + (1 - opening[:, -1:]) * turn.bust
    return chances


def horizon(tables: tuple[RaceTable, ...], ending: Ending) -> int:
    """Return how far past the target a turn is followed: beyond, nobody has more than a negligible chance to catch up."""
    if ending.must_hit:
        return 0
    chances = [catch_up(tables[seat - 1], tables[seat], ending).chance for seat in range(len(tables))]
    return max(int(np.argmax(chance <= NEGLIGIBLE)) if chance[-1] <= NEGLIGIBLE else len(chance) for chance in chances)


def round_bytes(tables: tuple[RaceTable, ...], ending: Ending) -> int:
    """Return the memory of the tables."""
    players, scores = len(tables), tables[0].scores
    seats = 1 if all(table is tables[0] for table in tables) else players
    cells: int = (scores + horizon(tables, ending)) * (2 * scores - 1) ** (players - 2)
    return 8 * cells * players * seats * 2
