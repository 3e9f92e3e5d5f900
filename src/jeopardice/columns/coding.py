"""Can't Stop in numbers: the spaces climbed in every column, the markers, the dice; plays by the columns they climb."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from jeopardice.columns.match import CantStopMatch, ColumnsSpot
from jeopardice.games.cant_stop import pairings
from jeopardice.rules.coding import Coding, Part, dice_parts, owners, rotated


def columns_coding(match: CantStopMatch) -> Coding:
    """Return a game of Can't Stop in numbers; a play is named by (stops, columns climbed)."""
    rules = match.rules
    sums = {pairs for roll in rules.rolls() for pairs in pairings(roll)}
    moved = {part for pairs in sums for size in range(len(pairs) + 1) for part in combinations(pairs, size)}
    names = tuple((stops, climbed) for stops in (True, False) for climbed in sorted(moved | {()}))
    faces = range(1, rules.sides + 1)
    parts = [
        Part(f"{who}_column_{column}", 0, rules.length(column))
        for who in owners(match.players)
        for column in rules.columns
    ]
    parts += [Part(f"marker_in_{column}", 0, rules.length(column)) for column in rules.columns]
    parts += dice_parts(faces, rules.dice)
    parts += [Part("seats_until_i_play", 0, match.players - 1)] if match.players > 1 else []

    def read(spot: ColumnsSpot, seat: int) -> Sequence[int]:
        fallen, markers = Counter(spot.roll or ()), dict(spot.markers)
        numbers = [space for standing in rotated(spot.standings, seat) for space in standing]
        numbers += [markers.get(column, 0) for column in rules.columns]
        numbers += [fallen[face] for face in faces]
        return numbers + ([(spot.seat - seat) % match.players] if match.players > 1 else [])

    return Coding(match, names, lambda play: (play.stops, play.moved), tuple(parts), read, match.players == 1)
