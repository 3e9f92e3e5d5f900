"""Points games in numbers: scores, records, the points at risk, the mode and the roll; plays by what they set aside.

A play is named by (stops, takes over, dice set aside, mode); where a roll offers several plays that agree in these, the
points gained are part of the name.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

from jeopardice.points.match import PointsMatch, PointsSpot, TurnPlay
from jeopardice.points.simultaneous_match import RoundSpot, SimultaneousMatch
from jeopardice.points.tables import checked_plays, checked_rolls, lay_out
from jeopardice.points.turn import edge_of_turn
from jeopardice.rules.coding import Coding, Part, dice_parts, owners, rotated
from jeopardice.rules.game import Mode, Play, PointsGame
from jeopardice.types import MatchRoll


def points_coding(match: PointsMatch) -> Coding:
    """Return a race or a turn in numbers."""
    games = tuple(dict.fromkeys(match.games))
    modes = tuple(dict.fromkeys(mode for game in games for mode in lay_out(game, drop_dominated=False).modes))
    offers = [
        (roll, plays)
        for game in games
        for mode in lay_out(game, drop_dominated=False).modes
        for roll in checked_rolls(game, mode)
        if (plays := checked_plays(game, mode, roll))
    ]
    rolls = tuple(dict.fromkeys(roll for roll, _ in offers))
    gains_matter = any(len({(p.kept, p.mode) for p in plays}) < len(plays) for _, plays in offers)

    def name_of(play: TurnPlay) -> Hashable:
        name = (play.stops, play.takes_over, play.aside, play.mode)
        return (*name, play.gained) if gains_matter else name

    openings = [TurnPlay(False, 0, 0, mode) for mode in modes] + [TurnPlay(True, 0)]
    if match.piggyback:
        openings += [TurnPlay(False, 0, 0, mode, takes_over=True) for mode in modes]
    followed = openings + [each for _, offered in offers for play in offered for each in _followed(play)]
    names = tuple(sorted({name_of(play) for play in followed}, key=lambda name: (not name[0], repr(name))))  # type: ignore[index]
    records = match.house.records()
    highest = 2 * match.target if match.target is not None else most_points(games)
    lowest = 0 if match.house.floor == 0 else match.house.floor if match.house.floor is not None else -highest
    whose, faces = owners(match.players), _faces(rolls)
    parts = [Part(f"{who}_score", lowest, highest) for who in whose]
    if len(records) > 1:
        parts += [Part(f"{who}_record", 0, len(records) - 1) for who in whose]
    parts += [Part("at_risk", 0, highest)] + [Part("mode", 0, len(modes) - 1)] * (len(modes) > 1)
    parts += [Part("roll", 0, len(rolls))] if faces is None else dice_parts(faces, max(map(len, rolls)))
    parts += [Part("seats_until_i_play", 0, match.players - 1)] if match.players > 1 else []
    parts += [Part("seats_until_finisher", 0, match.players)] if match.ending.last_round else []
    parts += [Part("offered", 0, highest), Part("offered_mode", 0, len(modes))] if match.piggyback else []
    parts += [Part("turns_left", 0, match.within)] if match.within is not None else []

    def read(spot: PointsSpot, seat: int) -> Sequence[int]:
        numbers = list(rotated(spot.standings, seat))
        if len(records) > 1:
            numbers += [records.index(record) for record in rotated(spot.records, seat)]
        numbers += [spot.at_risk] + [_place(spot.mode, modes)] * (len(modes) > 1)
        if faces is None:
            numbers.append(_place(spot.roll, rolls) + 1 if spot.roll is not None else 0)
        else:
            fallen = Counter(spot.roll or ())
            numbers += [fallen[face] for face in faces]
        if match.players > 1:
            numbers.append((spot.seat - seat) % match.players)
        if match.ending.last_round:
            numbers.append(0 if spot.finisher is None else 1 + (spot.finisher - seat) % match.players)
        if match.piggyback:
            offered = spot.offer or (0, None)
            numbers += [offered[0], 1 + _place(offered[1], modes) if spot.offer else 0]
        if match.within is not None:
            numbers.append(match.within - spot.turn)
        return numbers

    costs = match.target is not None and match.players == 1 and match.within is None
    return Coding(match, names, name_of, tuple(parts), read, costs)


def simultaneous_coding(match: SimultaneousMatch) -> Coding:
    """Return a race in which both choose at the same time in numbers; the choice of seat 0 stays hidden."""
    high = 2 * match.target

    def read(spot: RoundSpot, seat: int) -> Sequence[int]:
        return [*rotated(spot.standings, seat), (match.seat(spot) - seat) % 2]

    parts = (Part("my_score", 0, high), Part("their_score", 0, high), Part("seats_until_i_play", 0, 1))
    return Coding(match, match.choices, lambda play: play.mode, parts, read)


def most_points(games: Sequence[PointsGame]) -> int:
    """Return more points than a sensible turn puts at risk: where no race sets a bound."""
    tables = [lay_out(game) for game in games]
    return max(table.unit * (4 * edge_of_turn(table).threshold + table.max_points) for table in tables)


def _followed(play: Play) -> list[TurnPlay]:
    """Return what a play of a roll can be followed by."""
    stop = TurnPlay(True, play.points, play.points, None, play.kept)
    return [stop] if play.mode is None else [stop, TurnPlay(False, play.points, play.points, play.mode, play.kept)]


def _faces(rolls: Sequence[MatchRoll]) -> list[Any] | None:
    """Return the faces of the dice, if rolls are dice with numbers."""
    if all(isinstance(roll, tuple) and all(isinstance(face, int) for face in roll) for roll in rolls):
        return sorted({face for roll in rolls for face in roll})
    return None


def _place(thing: Mode, things: Sequence[Mode]) -> int:
    return things.index(thing) if thing in things else 0
