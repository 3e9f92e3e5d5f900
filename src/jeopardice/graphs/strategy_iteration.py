"""The value of a transient stochastic game: strategy iteration level by level, and a certificate at the end.

The operator U replaces each position's value by the value of its matrix game. Applying it over and over converges,
slowly. Strategy iteration jumps: take both players' best mixtures of those matrix games and let v be the exact worth
of playing them for ever, one sparse linear system. That is Newton's method on U v = v (Pollatschek and Avi-Itzhak)
and needs a handful of rounds, but it can circle; when the residual stops halving, the rest is done by Hoffman and
Karp's rule: keep the column player's mixture, let the row player answer it as well as possible, improve the column
player, and so on. That falls monotonically to the value.

The certificate trusts none of this. Let w(s) be the longest the two players together can make the game last on
average, which satisfies w ≥ 1 + P(a, b)·w for every pair of plays. If |U v − v| ≤ δ everywhere then v + δw is pushed
down by U and v − δw up, so

    v − δw ≤ true value ≤ v + δw,

and the mixtures found at v guarantee each player his side of it. δ includes the rounding of this pass and of the
stored chances.
"""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse import linalg

from jeopardice.engine.order import strong_components
from jeopardice.errors import PositionError
from jeopardice.graphs.matrix_game import EPSILON, solve_matrix_game
from jeopardice.graphs.stochastic import StochasticGame
from jeopardice.graphs.transience import check_transient, levels, position_graph
from jeopardice.types import Floats, Ints

MOST_ROUNDS = 1000


@dataclass(frozen=True, eq=False)
class StochasticSolution:
    """The values of all positions, how far they can be off, and an optimal stationary strategy for each player."""

    game: StochasticGame
    values: Floats
    error_bounds: Floats
    longest: Floats
    row_weight: Floats
    column_weight: Floats

    @property
    def value(self) -> float:
        """What the row player gets on average from the first position on."""
        return float(self.values[0])

    @property
    def error_bound(self) -> float:
        """A certified bound on the error of `value`."""
        return float(self.error_bounds[0])

    def value_at(self, position: Hashable) -> float:
        """Return the value of a position."""
        return float(self.values[self._index(position)])

    def row_mixture(self, position: Hashable) -> dict[Hashable, float]:
        """Return the row player's best mixture: plays with their chances, plays never used left out."""
        i = self._index(position)
        return _mixture(self.game.row_plays[i], self.row_weight, self.game.row_count, i)

    def column_mixture(self, position: Hashable) -> dict[Hashable, float]:
        """Return the column player's best mixture."""
        i = self._index(position)
        return _mixture(self.game.column_plays[i], self.column_weight, self.game.column_count, i)

    def _index(self, position: Hashable) -> int:
        try:
            return self.game.index[position]
        except KeyError:
            raise PositionError(
                f"a position of the game is needed, such as {self.game.positions[0]!r}, got {position!r}"
            ) from None


def _mixture(plays: tuple[Hashable, ...], weight: Floats, count: Ints, i: int) -> dict[Hashable, float]:
    first = int(count[:i].sum())
    return {play: float(w) for play, w in zip(plays, weight[first : first + len(plays)], strict=True) if w > 0}


def solve_stochastic_game(game: StochasticGame) -> StochasticSolution:
    """Return the value of a transient stochastic game, certified, with optimal strategies for both.

    A game that the players can keep going for ever is refused with a RulesError that names a trap set.
    """
    graph = position_graph(game)
    links = graph.indptr.astype(np.int64), graph.indices.astype(np.int64)
    component = strong_components(*links)
    check_transient(game, component)
    values, longest = np.zeros(len(game.positions)), np.zeros(len(game.positions))
    for level in levels(component, *links):
        block = _Block.cut(game, level)
        values[level] = _solve_block(block, game.payoff[block.pairs] + block.outer @ values)
        longest[level] = _best_reply(block.first, 1.0 + block.outer @ longest, block.inner)
    whole = _Block.cut(game, np.arange(len(game.positions)))
    return _certified(game, whole, values, longest)


@dataclass(frozen=True, eq=False)
class _Block:
    """Some positions with their pairs: moves that stay among them (`inner`, numbered locally) and others (`outer`)."""

    pairs: Ints
    first: Ints  # first[i]: the first pair of the block's position i
    row_count: Ints
    column_count: Ints
    row_of: Ints  # row_of[pair]: the row play it belongs to, numbered through the block
    column_of: Ints
    inner: sparse.csr_array
    outer: sparse.csr_array

    @classmethod
    def cut(cls, game: StochasticGame, positions: Ints) -> "_Block":
        rows, columns = game.row_count[positions], game.column_count[positions]
        size = rows * columns
        first = np.concatenate([[0], np.cumsum(size)])
        within = np.arange(first[-1]) - np.repeat(first[:-1], size)
        pairs = np.repeat(game.first_pair[positions], size) + within
        width = np.repeat(columns, size)
        row_of = np.repeat(np.cumsum(rows) - rows, size) + within // width
        column_of = np.repeat(np.cumsum(columns) - columns, size) + within % width
        moves = game.moves[pairs]
        local = np.full(len(game.positions), -1, dtype=np.int64)
        local[positions] = np.arange(len(positions))
        inside = local[moves.indices] >= 0
        split = np.concatenate([[0], np.cumsum(inside)])[moves.indptr]
        inner = sparse.csr_array(
            (moves.data[inside], local[moves.indices[inside]], split), shape=(len(pairs), len(positions))
        )
        outer = sparse.csr_array(
            (moves.data[~inside], moves.indices[~inside], moves.indptr - split), shape=(len(pairs), len(game.positions))
        )
        return cls(pairs, first, rows, columns, row_of, column_of, inner, outer)


@dataclass(frozen=True, eq=False)
class _Choice:
    """What the operator U finds: the matrix games' values between proved bounds, and both players' mixtures."""

    values: Floats
    lower: Floats
    upper: Floats
    row_weight: Floats
    column_weight: Floats


def _choose(block: _Block, worth: Floats) -> _Choice:
    """Solve the matrix game of every position, given each pair's worth: all at once where only one can choose."""
    row_weight, column_weight = np.zeros(int(block.row_count.sum())), np.zeros(int(block.column_count.sum()))
    first_row = np.cumsum(block.row_count) - block.row_count
    first_column = np.cumsum(block.column_count) - block.column_count
    sign = np.where(block.column_count == 1, 1.0, -1.0)
    best = _first_best(block.first, worth * np.repeat(sign, np.diff(block.first)))
    values = worth[best]
    lower, upper = values.copy(), values.copy()
    row_weight[block.row_of[best]] = 1.0
    column_weight[block.column_of[best]] = 1.0
    for i in np.flatnonzero((block.row_count > 1) & (block.column_count > 1)):
        m, n = block.row_count[i], block.column_count[i]
        solution = solve_matrix_game(worth[block.first[i] : block.first[i + 1]].reshape(m, n))
        values[i], lower[i], upper[i] = solution.value, solution.lower, solution.upper
        row_weight[first_row[i] : first_row[i] + m] = solution.row
        column_weight[first_column[i] : first_column[i] + n] = solution.column
    return _Choice(values, lower, upper, row_weight, column_weight)


def _first_best(first: Ints, worth: Floats) -> Ints:
    """Return the index of the first greatest entry in each run of `worth`."""
    size = np.diff(first)
    candidates = np.flatnonzero(worth == np.repeat(np.maximum.reduceat(worth, first[:-1]), size))
    owner = np.repeat(np.arange(len(size)), size)[candidates]
    return np.asarray(candidates[np.concatenate([[True], owner[1:] != owner[:-1]])])


def _worth_for_ever(average: sparse.csr_array, base: Floats, inner: sparse.csr_array) -> Floats:
    """Solve v = average·(base + inner·v): the worth when every pair is played as `average` weighs it."""
    system = (sparse.eye_array(average.shape[0], format="csr") - average @ inner).tocsc()
    return np.asarray(linalg.splu(system).solve(average @ base))


def _solve_block(block: _Block, base: Floats) -> Floats:
    """Return the values of a block whose pairs are worth base + inner·v."""
    n = len(block.first) - 1
    if block.inner.nnz == 0:
        return _choose(block, base).values
    best, best_residual, misses, stale = np.zeros(n), np.inf, 0, 0
    v = best
    for _ in range(MOST_ROUNDS):
        choice = _choose(block, base + block.inner @ v)
        residual = float(np.abs(choice.values - v).max())
        scale = float(np.abs(v).max())
        misses += residual > best_residual / 2
        stale = 0 if residual < 0.999 * best_residual else stale + 1
        if residual < best_residual:
            best, best_residual = v, residual
        # rounding can keep the residual above the first mark; the certificate then says by how much
        if residual <= 2 * EPSILON * scale or (misses > 2 and best_residual <= 1e-13 * scale) or stale > 20:
            break
        if misses < 3:
            weight = choice.row_weight[block.row_of] * choice.column_weight[block.column_of]
            v = _worth_for_ever(_averaging(block.first, weight), base, block.inner)
        else:
            v = _answer(block, choice, base)
    return best


def _answer(block: _Block, choice: _Choice, base: Floats) -> Floats:
    """Return the worth of the row player's best response to the column player's mixtures."""
    first_row = np.concatenate([[0], np.cumsum(block.row_count)])
    pairs_of_row = np.searchsorted(block.row_of, np.arange(first_row[-1] + 1))
    average = _averaging(pairs_of_row, choice.column_weight[block.column_of])
    return _best_reply(first_row, average @ base, average @ block.inner)


def _best_reply(first: Ints, base: Floats, inner: sparse.csr_array) -> Floats:
    """Return the most a single player gets who chooses among plays worth base + inner·v: policy iteration."""
    if inner.nnz == 0:
        return np.asarray(np.maximum.reduceat(base, first[:-1]))
    chosen = first[:-1].copy()
    v = np.zeros(len(chosen))
    for _ in range(MOST_ROUNDS):
        v = _worth_for_ever(_selection(chosen, len(base)), base, inner)
        worth = base + inner @ v
        better = _first_best(first, worth)
        # a change within rounding is no improvement; taking it could circle
        switch = worth[better] > worth[chosen] + 16 * EPSILON * np.abs(worth[chosen])
        if not switch.any():
            break
        chosen[switch] = better[switch]
    return v


def _averaging(first: Ints, weight: Floats) -> sparse.csr_array:
    used = weight != 0
    starts = np.concatenate([[0], np.cumsum(used)])[first]
    shape = (len(first) - 1, len(weight))
    return sparse.csr_array((weight[used], np.flatnonzero(used), starts), shape=shape)


def _selection(chosen: Ints, pairs: int) -> sparse.csr_array:
    n = len(chosen)
    return sparse.csr_array((np.ones(n), chosen, np.arange(n + 1)), shape=(n, pairs))


def _certified(game: StochasticGame, whole: _Block, values: Floats, longest: Floats) -> StochasticSolution:
    """Bound the error by the residual of the equations times the longest the game can last."""
    unit = EPSILON / 2
    worth = game.payoff + game.moves @ values
    choice = _choose(whole, worth)
    # a pair's worth sums k chances and a payment, each chance stored with relative error `unit`
    terms = np.diff(game.moves.indptr) + 3
    slack = np.maximum.reduceat(
        terms * unit * (np.abs(game.payoff) + game.moves @ np.abs(values)) * 1.01, game.first_pair[:-1]
    )
    residual = float((np.maximum(choice.upper - values, values - choice.lower) + slack).max())
    lasting = np.maximum.reduceat((game.moves @ longest) * (1 + terms * unit), game.first_pair[:-1])
    pace = float((longest - lasting).min()) - 4 * unit * float(
        longest.max()
    )  # at least how fast `longest` falls; 1 but for rounding
    bounds = residual / pace * longest * 1.01 if pace > 0 else np.full(len(values), np.inf)
    return StochasticSolution(game, values, bounds, longest, choice.row_weight, choice.column_weight)
