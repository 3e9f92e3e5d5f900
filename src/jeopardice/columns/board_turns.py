"""The turns of many boards of Can't Stop at once, as arrays for the pair kernel.

`board_turn` writes out one turn by the rules, moment by moment. All turns together are the same walk, done for a whole
generation of moments at a time: those with the same number of spaces taken, of every turn. Moments with the same pattern
(see `TurnWriter`) are offered the same climbs, and a climb adds the same number to the code of each of them, a
mixed-radix number of the spaces taken. So the rules are asked once for each pattern and the rest is arithmetic on arrays.

Cost: about 250 bytes and five microseconds for each moment, and as much again for those of the turns at hand.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jeopardice.columns.board_turn import Offers, TurnWriter
from jeopardice.games.cant_stop import CantStop, Standing
from jeopardice.types import Array, Ints

WON, OPENING = -1, -2
"""What stands in place of the board after a stop: the game is won; there is nothing to bank."""

TURNS_AT_ONCE = 4000


def mixed_radix(game: CantStop) -> Ints:
    """Return what a space in each column adds to a code."""
    return np.cumprod([1, *(length + 1 for length in game.lengths[:-1])])


def written_turns(
    writer: TurnWriter, standings: list[Standing], closed: list[frozenset[int]], number_of: Ints
) -> dict[str, Array]:
    """Write out the turns that begin at `standings[t]` with the columns `closed[t]` out of play.

    The moments of turn t begin at `first_moment[t]`, each after those it leads to; `bank` is the board that a stop leads
    to, as `number_of[code]` numbers them; the rolls come in groups of the same choice, as `board_duel.hpp` reads them.
    """
    some = [slice(at, at + TURNS_AT_ONCE) for at in range(0, len(standings), TURNS_AT_ONCE)]
    parts = [_Turns(writer, standings[each], closed[each]).arrays(number_of) for each in some]
    joined = {}
    for name in list(parts[0]):
        arrays = [part.pop(name) for part in parts]
        if name.startswith("first"):
            ends = np.cumsum([0, *(array[-1] for array in arrays)])
            arrays = [arrays[0][:1], *(array[1:] + end for array, end in zip(arrays, ends[:-1], strict=True))]
        joined[name] = np.concatenate(arrays)
    return joined


@dataclass(eq=False)
class _Turns:
    """Some of the turns."""

    writer: TurnWriter
    standings: list[Standing]
    closed: list[frozenset[int]]

    def __post_init__(self) -> None:
        self.place = mixed_radix(self.game)
        self.patterns = _Patterns(self.place)
        self.start = np.array(self.standings, np.int64)
        is_open = [[column not in closed for column in self.game.columns] for closed in self.closed]
        self.room = np.where(is_open, self.lengths - self.start, 0)
        self.completed = (self.start == self.lengths).sum(axis=1)

    @property
    def game(self) -> CantStop:
        """The rules."""
        return self.writer.game

    @cached_property
    def lengths(self) -> Ints:
        """Spaces by column."""
        return np.array(self.game.lengths, np.int64)

    @cached_property
    def codes(self) -> int:
        """How many codes there are: a moment's key is turn * codes + code."""
        return int(np.prod(self.lengths + 1))

    def arrays(self, number_of: Ints) -> dict[str, Array]:
        """Write them out, as `written_turns` says."""
        keys, spaces, pattern = self._moments()
        turn, code = np.divmod(keys, self.codes)
        order = np.lexsort((code, -spaces, turn))
        keys, turn, code, pattern = keys[order], turn[order], code[order], pattern[order]
        first_moment = np.searchsorted(turn, np.arange(len(self.standings) + 1))
        offered = self.patterns.arrays()
        group_of, first_group = _spread(offered["first_group"], pattern)
        play_of, first_play = _spread(offered["first_play"], group_of)
        moment_of_play = np.repeat(np.repeat(np.arange(len(keys)), np.diff(first_group)), np.diff(first_play))
        by_key = np.argsort(keys)
        leads_to = by_key[np.searchsorted(keys[by_key], keys[moment_of_play] + offered["climb"][play_of])]
        bank = number_of[code + (self.start @ self.place)[turn]].astype(np.int32)
        bank[pattern == self.patterns.won] = WON
        bank[code == 0] = OPENING
        total = self.game.sides**self.game.dice
        return {
            "first_moment": first_moment,
            "bank": bank,
            "first_group": first_group,
            "weight": offered["weight"][group_of] / total,
            "first_play": first_play,
            "play_to": (leads_to - first_moment[turn[moment_of_play]]).astype(np.int32),
            "bust": 1.0 - offered["weight_of_all"][pattern] / total,
        }

    def _moments(self) -> tuple[Ints, Ints, Ints]:
        """Return every moment's key, the spaces taken and the number of its pattern, by spaces taken."""
        ahead: dict[int, list[Ints]] = {0: [np.arange(len(self.standings)) * self.codes]}
        found: list[tuple[Ints, Ints, Ints]] = []
        while ahead:
            spaces = min(ahead)
            keys = np.unique(np.concatenate(ahead.pop(spaces)))
            pattern = self._patterns_at(keys)
            found.append((keys, np.full(len(keys), spaces), pattern))
            order = np.argsort(pattern, kind="stable")
            starts = np.flatnonzero(np.diff(pattern[order], prepend=-1))
            for alike in np.split(order, starts[1:]):
                for steps, climb in self.patterns.climbs[pattern[alike[0]]]:
                    ahead.setdefault(spaces + steps, []).append(keys[alike] + climb)
        return tuple(map(np.concatenate, zip(*found, strict=True)))  # type: ignore[return-value]

    def _patterns_at(self, keys: Ints) -> Ints:
        """Return the number of each moment's pattern; rules are asked where one is seen for the first time."""
        turn, code = np.divmod(keys, self.codes)
        taken = code[:, None] // self.place % (self.lengths + 1)
        left = self.room[turn] - taken
        is_marked = taken > 0
        may_place = is_marked.sum(axis=1) < self.game.markers
        reach = np.where(is_marked | may_place[:, None], np.minimum(left, self.game.dice // 2), 0)
        is_won = self.completed[turn] + (is_marked & (left == 0)).sum(axis=1) >= self.game.columns_to_win
        base = 2 * (self.game.dice // 2 + 1)
        shape = (2 * reach + is_marked) @ base ** np.arange(len(self.lengths))
        shape[is_won] = -1
        seen, first, pattern = np.unique(shape, return_index=True, return_inverse=True)
        numbers = []
        for each, moment in zip(seen.tolist(), first, strict=True):
            if each not in self.patterns.number:
                standing = self.standings[turn[moment]]
                markers = tuple(
                    (column, standing[at] + int(taken[moment, at]))
                    for at, column in enumerate(self.game.columns)
                    if taken[moment, at]
                )
                self.patterns.add(each, self.writer.offers(standing, markers, self.closed[turn[moment]]))
            numbers.append(self.patterns.number[each])
        return np.array(numbers, np.int64)[pattern.reshape(-1)]


class _Patterns:
    """What is offered at the moments of each pattern, numbered as they are met; the first is a game already won."""

    won = 0

    def __init__(self, place: Ints) -> None:
        self.place = place.tolist()
        self.number: dict[int, int] = {}
        self.offers: list[Offers] = []
        self.climbs: list[set[tuple[int, int]]] = []
        self.add(-1, ())

    def add(self, shape: int, offers: Offers) -> None:
        """Keep the offers, and the distinct climbs among them as (spaces, what they add to a code)."""
        self.number[shape] = len(self.offers)
        self.offers.append(offers)
        self.climbs.append({self._climb(climb) for _, choice in offers for climb in choice})

    def _climb(self, climb: Any) -> tuple[int, int]:
        return sum(spaces for _, spaces in climb), sum(spaces * self.place[column - 2] for column, spaces in climb)

    def arrays(self) -> dict[str, Array]:
        """Return groups and plays of all patterns, one after the other."""
        groups = [group for offers in self.offers for group in offers]
        return {
            "first_group": np.cumsum([0, *map(len, self.offers)]),
            "weight": np.array([weight for weight, _ in groups]),
            "weight_of_all": np.array([sum(weight for weight, _ in offers) for offers in self.offers]),
            "first_play": np.cumsum([0, *(len(choice) for _, choice in groups)]),
            "climb": np.array([self._climb(climb)[1] for _, choice in groups for climb in choice], np.int64),
        }


def _spread(first: Ints, chosen: Ints) -> tuple[Ints, Ints]:
    """Return the members of the chosen lists one after the other, and where each list begins; `first` bounds all lists."""
    counts = np.diff(first)[chosen]
    begins = np.concatenate([[0], np.cumsum(counts)])
    return np.repeat(first[chosen] - begins[:-1], counts) + np.arange(begins[-1]), begins
