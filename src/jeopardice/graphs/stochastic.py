"""Stochastic games: positions where both players choose at once, chance answers, and payments add up until the end.

The model of Crocce and Mordecki's "Optimal minimax strategy in a dice game", section 2. In each position the row
player has some plays and the column player has some; the pair chosen fixes a payment from column to row and the
chances of the next position (their states s, actions a and b, payments r, transitions P). What is not a position is
`END`, their final state s_f: nothing is paid there and nobody leaves it. A game that surely ends whatever the two do,
alone or together, is *transient*, and Theorem 2.1 says that it has a value: the only solution of

    v(s) = value of the matrix game [ r(s, a, b) + sum over s' of P(s, a, b, s')·v(s') ]  =: (U v)(s).

A game in turns is the special case where in every position one of the two has a single play, "wait". This file holds
the game, laid out flat: every position owns a run of *pairs* (row play, column play), row by row, and a pair owns its
payment and a sparse row of chances. `strategy_iteration.py` solves it.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from jeopardice.errors import RulesError
from jeopardice.types import Floats, Ints, Vertex

END: Final = "the end"
"""Where a transition leads when the game is over."""

MOST_POSITIONS = 5_000_000


@dataclass(frozen=True, eq=False)
class StochasticGame:
    """A zero-sum stochastic game for a row player, who collects, and a column player, who pays.

    Build one with `from_rules` or `from_arrays`; a transition to `END` ends the game. `first_pair[i]` is the first pair of
    position i; `payoff[pair]` what the row player gets; `moves[pair]` the chances of the next positions; `end_chance[pair]`
    the chance that the game is over.
    """

    END: ClassVar[str] = END
    positions: tuple[Hashable, ...]
    row_plays: tuple[tuple[Hashable, ...], ...]
    column_plays: tuple[tuple[Hashable, ...], ...]
    payoff: Floats
    moves: Any  # scipy.sparse.csr_array, pairs × positions
    end_chance: Floats
    row_count: Ints = field(init=False)
    column_count: Ints = field(init=False)
    first_pair: Ints = field(init=False)
    index: Mapping[Hashable, int] = field(init=False)

    def __post_init__(self) -> None:
        rows = np.array([len(plays) for plays in self.row_plays], dtype=np.int64)
        columns = np.array([len(plays) for plays in self.column_plays], dtype=np.int64)
        first = np.concatenate([[0], np.cumsum(rows * columns)])
        for name, value in (("row_count", rows), ("column_count", columns), ("first_pair", first)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "index", {position: i for i, position in enumerate(self.positions)})
        self._check()

    @classmethod
    def from_rules(
        cls,
        starts: Iterable[Hashable],
        row_plays: Callable[[Vertex], Sequence[Hashable]],
        column_plays: Callable[[Vertex], Sequence[Hashable]],
        payoff: Callable[[Vertex, Vertex, Vertex], float],
        chances: Callable[[Vertex, Vertex, Vertex], Mapping[Vertex, float]],
    ) -> "StochasticGame":
        """Lay out every position that can be reached from `starts`, asking the rules given as functions.

        `row_plays(position)` and `column_plays(position)` list what each may do (one play, such as "wait", where
        there is no choice); `payoff(position, row, column)` is what the row player gets at once; `chances(position,
        row, column)` maps the next positions, and `END`, to their chances.

        >>> rules = dict(row_plays=lambda s: ["wait"], column_plays=lambda s: ["wait"])
        >>> rules |= dict(payoff=lambda s, a, b: 1.0, chances=lambda s, a, b: {0: 0.5, END: 0.5})
        >>> game = StochasticGame.from_rules([0], **rules)
        >>> game.positions, game.end_chance.tolist()
        ((0,), [0.5])
        """
        positions = list(dict.fromkeys(starts))
        index: dict[Hashable, int] = {position: i for i, position in enumerate(positions)}
        rows: list[tuple[Hashable, ...]] = []
        columns: list[tuple[Hashable, ...]] = []
        payments: list[float] = []
        end_chance: list[float] = []
        first_entry, towards, weights = [0], list[int](), list[float]()
        for position in positions:  # grows while it is walked
            rows.append(tuple(row_plays(position)))
            columns.append(tuple(column_plays(position)))
            for row in rows[-1]:
                for column in columns[-1]:
                    payments.append(float(payoff(position, row, column)))
                    over = 0.0
                    for after, chance in chances(position, row, column).items():
                        if after == END:
                            over += float(chance)
                            continue
                        if after not in index:
                            index[after] = len(positions)
                            positions.append(after)
                        towards.append(index[after])
                        weights.append(float(chance))
                    end_chance.append(over)
                    first_entry.append(len(towards))
            if len(positions) > MOST_POSITIONS:
                raise RulesError(
                    f"more than {MOST_POSITIONS} positions can be reached: bound the game, or use a solver of its own"
                )
        shape = (len(payments), len(positions))
        moves = sparse.csr_array(
            (np.array(weights), np.array(towards, dtype=np.int64), np.array(first_entry)), shape=shape
        )
        return cls(tuple(positions), tuple(rows), tuple(columns), np.array(payments), moves, np.array(end_chance))

    @classmethod
    def from_arrays(cls, payoffs: Sequence[ArrayLike], chances: Sequence[ArrayLike]) -> "StochasticGame":
        """Take, for each position i, a payment matrix [row, column] and chances [row, column, next position].

        What the chances lack to 1 is the chance that the game ends there; less than 1e-12 is taken as rounding, not
        as an end.

        >>> StochasticGame.from_arrays([[[1.0, 0.0]]], [[[[0.5], [0.0]]]]).end_chance.tolist()
        [0.5, 1.0]
        """
        payments = [np.asarray(payoff, dtype=np.float64) for payoff in payoffs]
        moves = [np.asarray(chance, dtype=np.float64) for chance in chances]
        n = len(payments)
        for i, (payment, move) in enumerate(zip(payments, moves, strict=True)):
            if payment.ndim != 2 or move.shape != (*payment.shape, n):
                needed = f"payments [row, column] and chances [row, column, {n}]"
                raise RulesError(f"position {i} needs {needed}, got shapes {payment.shape!r} and {move.shape!r}")
        flat = np.concatenate([move.reshape(-1, n) for move in moves]) if n else np.zeros((0, 0))
        over = 1.0 - flat.sum(axis=1)
        over[np.abs(over) < 1e-12] = 0.0
        rows = tuple(tuple(range(payment.shape[0])) for payment in payments)
        columns = tuple(tuple(range(payment.shape[1])) for payment in payments)
        payment = np.concatenate([payment.ravel() for payment in payments]) if n else np.zeros(0)
        return cls(tuple(range(n)), rows, columns, payment, sparse.csr_array(flat), over)

    def _check(self) -> None:
        """Refuse what is no game, naming the position."""
        if not self.positions:
            raise RulesError("a stochastic game needs at least one position to start from, got none")
        for i in np.flatnonzero((self.row_count == 0) | (self.column_count == 0)):
            plays = f"{self.row_plays[i]!r} and {self.column_plays[i]!r}"
            raise RulesError(f"both players need a play at {self.positions[i]!r} (say 'wait'), got {plays}")
        total = np.asarray(self.moves.sum(axis=1)).ravel() + self.end_chance
        low = np.full(len(total), 0.0)
        if self.moves.nnz:
            np.minimum.at(low, np.repeat(np.arange(len(total)), np.diff(self.moves.indptr)), self.moves.data)
        wrong = (np.abs(total - 1.0) > 1e-9) | (low < 0) | (self.end_chance < 0) | ~np.isfinite(total)
        for pair in np.flatnonzero(wrong):
            got = f"a sum of {float(total[pair])!r} at {self.describe(int(pair))}"
            raise RulesError(f"chances must be 0 or more and add up to 1, got {got}")
        for pair in np.flatnonzero(~np.isfinite(self.payoff)):
            raise RulesError(f"payments must be finite, got {float(self.payoff[pair])!r} at {self.describe(int(pair))}")

    def describe(self, pair: int) -> str:
        """Name a pair in words: its position and the two plays."""
        i = int(np.searchsorted(self.first_pair, pair, side="right")) - 1
        row, column = divmod(pair - int(self.first_pair[i]), int(self.column_count[i]))
        return f"{self.positions[i]!r} with plays {self.row_plays[i][row]!r} and {self.column_plays[i][column]!r}"

    @property
    def owner(self) -> Ints:
        """The position each pair belongs to."""
        return np.repeat(np.arange(len(self.positions)), np.diff(self.first_pair))
