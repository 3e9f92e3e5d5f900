"""The rolls of Can't Stop merged into classes, as the board kernel reads them.

A class is a set of plays that several rolls offer alike. Which plays a roll offers depends only on the columns out of
play, the marked columns and the markers at the top, never on how far the other markers are. So the rules are asked once
for each pairing and each way its two columns can stand, and the classes of every situation follow by arithmetic.

A play is named by a number, the place of its value among those that a moment leads to (C columns, numbered from 0):

    3 markers a<b<c   0..2 a step of one marker, 3 ab, 4 ac, 5 bc, 6..8 a double step
    2 markers a<b     0 a, 1 b, 2 ab, 3 aa, 4 bb; with d a new column: 5+4d d, 6+4d dd, 7+4d ad, 8+4d bd
    1 marker a        0 a, 1 aa; 2+3d d, 3+3d dd, 4+3d ad; 2+3C+pair(d,e) de
    no marker         2d d, 2d+1 dd; 2C+pair(d,e) de            pair(d,e) = e(e-1)/2 + d for d < e
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jeopardice.games.cant_stop import CantStop, pairings
from jeopardice.kernels import kernels
from jeopardice.types import Array, Ints

OUT, MARKED, FREE = range(3)
"""How a column stands: out of play (or its marker is at the top), marked, without a marker."""

SETS_AT_ONCE = 16
"""Sets of closed columns whose situations are worked out together: enough for NumPy, small enough for the memory."""


class _Situations(NamedTuple):
    """Moments with the same number of markers: how each column stands, and which marker stands in it (-1: none)."""

    markers: int
    stands: Ints
    marker_in: Ints


@lru_cache(maxsize=16)
def kernel_board(game: CantStop) -> kernels.CantStopBoard:
    """Return the layout of a game's boards, ready for the kernel."""
    return kernels.CantStopBoard(kernel_game(game))


@lru_cache(maxsize=16)
def kernel_game(game: CantStop) -> kernels.CantStopGame:
    """Return a game's classes of rolls, ready for the kernels."""
    closed_sets = [mask for mask in range(1 << len(game.columns)) if mask.bit_count() < game.columns_to_win]
    parts = [_classes(game, situations) for situations in _situations(game, closed_sets)]
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return kernels.CantStopGame(
        lengths=game.lengths, columns_to_win=game.columns_to_win, total=game.sides**game.dice,
        closed_sets=closed_sets, **joined,
    )  # fmt: skip


def _situations(game: CantStop, closed_sets: list[int]) -> Iterator[_Situations]:
    """Yield all situations, in the order in which the kernel numbers them."""
    columns = range(len(game.columns))
    yield _marked(game, [(a, b, c) for c in columns for b in range(c) for a in range(b)], [0])
    fewer: tuple[list[tuple[int, ...]], ...] = (
        [(a, b) for b in columns for a in range(b)],
        [(a,) for a in columns],
        [()],
    )
    for marked in fewer:
        for first in range(0, len(closed_sets), SETS_AT_ONCE):
            yield _marked(game, marked, closed_sets[first : first + SETS_AT_ONCE])


def _marked(game: CantStop, marked: Sequence[tuple[int, ...]], closed_sets: list[int]) -> _Situations:
    """Return the situations with markers in these columns, any of them at the top; where that cannot be, all are out."""
    markers = len(marked[0])
    tops = [list(at_top) for at_top in product((0, 1), repeat=markers)]
    tops.sort(key=lambda at_top: at_top[::-1])  # the first marker is the lowest bit
    count = len(closed_sets) * len(marked) * len(tops)
    stands, marker_in = np.full((count, len(game.columns)), FREE), np.full((count, len(game.columns)), -1)
    for number, (closed, columns, at_top) in enumerate(product(closed_sets, marked, tops)):
        out = {c for c in range(len(game.columns)) if closed >> c & 1}
        full = out | {c for c, top in zip(columns, at_top, strict=True) if top}
        if out & set(columns) or len(full) >= game.columns_to_win:
            stands[number] = OUT
            continue
        marker_in[number, list(columns)] = range(markers)
        stands[number, list(columns)] = MARKED
        stands[number, list(full)] = OUT
    return _Situations(markers, stands, marker_in)


def _classes(game: CantStop, situations: _Situations) -> dict[str, Array]:
    """Return the classes of each situation: those with one play first, then with two, and so on; and what busts."""
    rolls = game.rolls()
    every = sorted({sums for roll in rolls for sums in pairings(roll)})
    number = {sums: at for at, sums in enumerate(every)}
    offered = np.zeros((len(situations.stands), len(every) + 1, 2), np.uint8)  # the last one stands for no pairing
    offered[:, :-1] = _plays(game, situations, every)
    of_roll = np.array([([number[sums] for sums in pairings(roll)] + [len(every)] * 2)[:3] for roll in rolls])
    plays = np.sort(offered[:, of_roll].reshape(len(offered), len(rolls), 6), axis=2)
    plays[..., 1:][plays[..., 1:] == plays[..., :-1]] = 0  # the same play twice
    plays = np.sort(plays, axis=2)
    # the least play in the lowest byte, so that fewer plays come first; there are always two places free of six
    key = np.ascontiguousarray(np.pad(plays, ((0, 0), (0, 0), (0, 2)))).view("<u8")[..., 0]
    key = key >> (8 * (plays == 0).sum(axis=2)).astype(np.uint64)
    order = np.argsort(key, axis=1, kind="stable")
    key = np.take_along_axis(key, order, axis=1)
    first = np.flatnonzero(np.diff(key, axis=1, prepend=np.uint64(2**63)))
    weight = np.add.reduceat(np.array(list(rolls.values()))[order].ravel(), first).astype(np.float64)
    plays = np.take_along_axis(plays, order[..., None], axis=1).reshape(-1, 6)[first]
    situation, many = first // len(rolls), (plays > 0).sum(axis=1)
    busts = many == 0
    bust, count = np.zeros(len(offered)), np.zeros((len(offered), 7), np.int32)
    bust[situation[busts]] = weight[busts]
    np.add.at(count, (situation[~busts], many[~busts]), 1)
    return {"bust": bust, "count": count, "weight": weight[~busts], "play": plays[plays > 0].astype(np.uint16) - 1}


def _plays(game: CantStop, situations: _Situations, every: list[tuple[int, ...]]) -> NDArray[np.uint8]:
    """Return up to two plays of every pairing in each situation, numbered from 1; 0 where there are fewer."""
    markers, stands, marker_in = situations
    roomy = replace(game, shortest=game.dice)  # no column runs out of spaces
    kinds = np.zeros((len(every), 3, 3, 2), np.int64)
    for at, sums in enumerate(every):
        for how in product((OUT, MARKED, FREE), repeat=2):
            gains = _gains(roomy, markers, sums, how)
            kinds[at, how[0], how[1], : len(gains)] = [KINDS[gain] for gain in gains]
    s, t = np.array(every).T - 2
    kind = kinds[np.arange(len(every)), stands[:, s], stands[:, t]]
    columns = np.arange(stands.shape[1])
    fresh_step = {2: 5 + 4 * columns, 1: 2 + 3 * columns, 0: 2 * columns}.get(markers, columns)
    step = np.where(marker_in >= 0, marker_in, fresh_step)
    double = np.where(marker_in >= 0, {3: 6, 2: 3}.get(markers, 1) + marker_in, fresh_step + 1)
    both = _both(markers, marker_in, s, t)
    numbers = np.stack([np.full_like(both, -1), step[:, s], step[:, t], both, double[:, s]], axis=-1)
    return (1 + np.take_along_axis(numbers, kind, axis=2)).astype(np.uint8)


def _both(markers: int, marker_in: Ints, s: Ints, t: Ints) -> Ints:
    """Return the number of the play that takes a step in both columns, s < t."""
    at_s, at_t, columns = marker_in[:, s], marker_in[:, t], marker_in.shape[1]
    fresh, other = np.where(at_s < 0, s, t), np.where(at_s < 0, at_t, at_s)
    both_marked = 2 + at_s + at_t if markers == 3 else 2
    one_fresh = 7 + 4 * fresh + other if markers == 2 else 4 + 3 * fresh
    both_fresh = (2 + 3 * columns if markers == 1 else 2 * columns) + t * (t - 1) // 2 + s
    return np.where((at_s >= 0) & (at_t >= 0), both_marked, np.where((at_s < 0) & (at_t < 0), both_fresh, one_fresh))


KINDS = {(1, 0): 1, (0, 1): 2, (1, 1): 3, (2, 0): 4}
"""What a play gains in the two columns of its pairing; a double step is in one column, named first."""


@lru_cache(maxsize=100_000)
def _gains(roomy: CantStop, markers: int, sums: tuple[int, int], how: tuple[int, int]) -> list[tuple[int, int]]:
    """Ask the rules what a pairing can gain in its columns, if they stand so and `markers` markers are placed."""
    out = sorted({column for column, stands in zip(sums, how, strict=True) if stands == OUT})
    marked = sorted({column for column, stands in zip(sums, how, strict=True) if stands == MARKED})
    elsewhere = [column for column in roomy.columns if column not in sums]
    others = [*elsewhere, *out][: max(0, markers - len(marked))]  # a marker of a column that is out is at its top
    if len(marked) + len(others) != markers:
        return []  # such a situation does not occur
    placed = {column: roomy.length(column) if column in out else 1 for column in (*marked, *others)}
    ends = map(dict, roomy.climbs(roomy.opening, tuple(sorted(placed.items())), sums, frozenset(out)))
    gains = [tuple(after.get(column, 0) - placed.get(column, 0) for column in sums) for after in ends]
    return [(first, second if sums[0] != sums[1] else 0) for first, second in gains]
