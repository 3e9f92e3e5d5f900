"""A whole game of a points game as a tree of spots: any number of seats, every house rule, every ending.

A turn opens with the choice to roll; after each roll that is not a bust the player chooses a play *and* what follows it,
stop or roll, so that choices and dice alternate. Everything comes from the game's turn, the goal's `house` and its
`ending`; nothing here knows a value.

Where the next player may take over the dice and the points just banked (`piggyback`), a turn opens with that choice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from math import gcd
from typing import Any

from jeopardice.errors import PositionError
from jeopardice.points.tables import checked_plays, checked_rolls, lay_out
from jeopardice.rules.ending import Ending
from jeopardice.rules.game import Mode, Play, PointsGame, as_whole, fields_of, may_stop_in
from jeopardice.rules.goal import Goal, Race, Turn, next_seat
from jeopardice.rules.house import House, Record
from jeopardice.rules.reading import count_from, entries_of, parts_among
from jeopardice.rules.text import named_among, plain
from jeopardice.types import Json, JsonObject, MatchRoll, Number

MOST_COUNTED = 10**9


@dataclass(frozen=True)
class TurnPlay:
    """What a player does at a moment: the dice set aside, then stop or roll.

    `points` are the points at risk afterwards, `gained` those of them that this play adds, `mode` is the mode rolled in
    next (None after a stop). `takes_over`: the dice and points of the player before are taken over.
    """

    stops: bool
    points: int
    gained: int = 0
    mode: Mode = None
    aside: tuple[Any, ...] = ()
    takes_over: bool = False


@dataclass(frozen=True)
class PointsSpot:
    """The standings, who has the dice, and the turn so far; `turn` and `rolls_made` count the whole game.

    `roll` is the roll to be played, made in `mode` with `at_risk` points at risk before it. `rolling`: the dice fall
    next. `rolls` are those of this turn. `finisher` is the seat that reached the target first, if a last round follows,
    `offer` the points and the mode that the player who is about to begin may take over.
    """

    standings: tuple[int, ...]
    records: tuple[Record, ...]
    seat: int = 0
    at_risk: int = 0
    mode: Mode = None
    roll: MatchRoll = None
    rolling: bool = False
    rolls: int = 0
    turn: int = 0
    rolls_made: int = 0
    finisher: int | None = None
    offer: tuple[int, Mode] | None = None


@dataclass(frozen=True)
class PointsMatch:
    """A race of points games, one game per seat; without a target, one turn for the most points.

    >>> from jeopardice import Pig
    >>> match = match_of(Race(Pig(), target=10, players=3))
    >>> spot = match.after_roll(match.after_play(match.start(), match.plays(match.start())[0]), (4,))
    >>> [(play.stops, play.points, play.mode) for play in match.plays(spot)]
    [(True, 4, None), (False, 4, 0)]
    >>> match.after_play(spot, match.plays(spot)[0]).standings
    (4, 0, 0)
    """

    games: tuple[PointsGame, ...]
    target: int | None
    house: House
    ending: Ending = field(default_factory=Ending)
    within: int | None = None
    counts_rolls: bool = False
    piggyback: bool = False

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.games)

    def start(self) -> PointsSpot:
        """Nobody has points and seat 0 has the dice."""
        return self._opened(PointsSpot((0,) * self.players, (self.house.opening,) * self.players))

    def seat(self, spot: PointsSpot) -> int:
        """Who has the dice; once the race is over, who reached the target first."""
        return spot.seat

    def game(self, spot: PointsSpot) -> PointsGame:
        """The game of the player who has the dice."""
        return self.games[spot.seat]

    def turn(self, spot: PointsSpot) -> int:
        """How many turns have been completed."""
        return spot.turn

    def rolls(self, spot: PointsSpot) -> Mapping[MatchRoll, int]:
        """The rolls of the mode, if the dice fall next."""
        return checked_rolls(self.games[spot.seat], spot.mode) if spot.rolling else {}

    def plays(self, spot: PointsSpot) -> tuple[TurnPlay, ...]:
        """Every play with what can follow it: most points first, stop before roll."""
        return () if spot.rolling or self.is_over(spot) else self._plays_at(spot)

    def is_bust(self, spot: PointsSpot, roll: MatchRoll) -> bool:
        """Whether a roll offers no play."""
        return not self.games[spot.seat].plays(spot.mode, roll)

    def after_roll(self, spot: PointsSpot, roll: MatchRoll) -> PointsSpot:
        """A roll to be played; or a bust, and the turn passes."""
        fallen = replace(spot, rolls=spot.rolls + 1, rolls_made=spot.rolls_made + 1)
        return self._busted(fallen) if self.is_bust(spot, roll) else replace(fallen, roll=roll, rolling=False)

    def after_play(self, spot: PointsSpot, play: TurnPlay) -> PointsSpot:
        """A stop banks and passes the dice; else the dice fall. To bank nothing, or to overshoot a target, is a bust."""
        if not play.stops:
            return replace(spot, at_risk=play.points, mode=play.mode, roll=None, rolling=True, offer=None)
        score = spot.standings[spot.seat] + play.points
        if play.points == 0 or (self.ending.must_hit and self._past(score) > 0):
            return self._busted(spot)
        record = self.house.after_bank(spot.records[spot.seat])
        first = spot.finisher is None and self._past(score) >= 0
        banked = replace(spot, finisher=spot.seat) if first else spot
        return self._passed(banked, score, record, play)

    def is_over(self, spot: PointsSpot) -> bool:
        """Whether the race is decided, the turns allowed are used up, or the one turn has been played."""
        if self.within is not None and spot.turn >= self.within:
            return True
        if spot.finisher is None:
            return False
        return not self.ending.last_round or spot.seat == spot.finisher

    def returns(self, spot: PointsSpot) -> tuple[Number, ...]:
        """What the ending gives each seat; alone the turns or rolls it took, whether it was in time, or the points."""
        if self.target is None:
            return spot.standings
        if self.players > 1:
            return self.ending.returns(self.target, spot.standings, self._finisher(spot))
        if self.within is not None:
            return (int(spot.finisher is not None),)
        return (self.spent(spot),)

    def spent(self, spot: PointsSpot) -> int:
        """The turns, or rolls, made so far."""
        return spot.rolls_made if self.counts_rolls else spot.turn

    def to_json(self, spot: PointsSpot) -> Json:
        """Every part of the spot, rolls and modes as JSON writes them; parts that the rules do not use are left out."""
        unused = {"records": len(self.house.records()) == 1, "finisher": not self.ending.last_round}
        unused["offer"] = not self.piggyback
        return {name: plain(part) for name, part in fields_of(spot).items() if not unused.get(name)}

    def from_json(self, position: Json) -> PointsSpot:
        """Read a position back; parts left out are those of a turn that begins."""
        known = [part.name for part in fields(PointsSpot)]
        position = parts_among(position, known)
        counts = {name: count_from(name, position.get(name, 0)) for name in ("seat", "rolls", "turn", "rolls_made")}
        if counts["seat"] >= self.players:
            raise PositionError(f"seat lies below {self.players}, got seat={counts['seat']!r}")
        game, mode, roll = self.games[counts["seat"]], position.get("mode"), position.get("roll")
        spot = PointsSpot(
            self._standings_from(position.get("standings")),
            self._records_from(position.get("records")),
            at_risk=count_from("at_risk", position.get("at_risk", 0)),
            mode=game.opening if mode is None else named_among(mode, lay_out(game).modes, "mode"),
            rolling=bool(position.get("rolling", False)),
            finisher=self._finisher_from(position.get("finisher")),
            offer=self._offer_from(position.get("offer"), game),
            **counts,
        )
        if roll is not None:
            spot = replace(spot, roll=named_among(roll, checked_rolls(game, spot.mode), "roll"))
        elif not position.keys() & {"rolling", "at_risk", "mode"}:
            spot = self._opened(spot)
        if spot.at_risk % (unit := lay_out(game).unit):
            raise PositionError(f"points here are multiples of {unit}, got at_risk={spot.at_risk!r}")
        self._check(spot)
        return spot

    @cached_property
    def _plays_at(self) -> Any:
        return lru_cache(maxsize=4096)(self._all_plays)

    def _all_plays(self, spot: PointsSpot) -> tuple[TurnPlay, ...]:
        game, before = self.games[spot.seat], spot.at_risk
        if spot.roll is None:
            moments = [Play(0, spot.mode)]
        else:
            moments = sorted(checked_plays(game, spot.mode, spot.roll), key=lambda play: -play.points)
        plays = [
            play
            for after in moments
            for play in self._endings(spot, before + after.points, after.points, after.mode, after.kept)
        ]
        if spot.offer is not None:
            points, mode = spot.offer
            plays.append(TurnPlay(False, points, points, mode, takes_over=True))
        return tuple(dict.fromkeys(sorted(plays, key=_neutrally)))

    def _endings(
        self, spot: PointsSpot, points: int, gained: int, mode: Mode, aside: tuple[Any, ...]
    ) -> list[TurnPlay]:
        """Return the stop and the roll that may follow a play."""
        if mode is None:
            return [TurnPlay(True, points, gained, None, aside)]
        plays = []
        if self.may_stop(spot, points, mode):
            plays.append(TurnPlay(True, points, gained, None, aside))
        if not plays or not self.must_stop(spot, points):
            plays.append(TurnPlay(False, points, gained, mode, aside))
        return plays

    def may_stop(self, spot: PointsSpot, points: int, mode: Mode) -> bool:
        """Whether the player who has the dice may stop with these points at risk, about to roll in `mode`."""
        if points < 1 or not may_stop_in(self.games[spot.seat], mode):
            return False
        least = self.house.least_bank(spot.records[spot.seat])
        return points >= least or self._past(spot.standings[spot.seat] + points) >= 0

    def must_stop(self, spot: PointsSpot, points: int) -> bool:
        """Whether nothing can be gained by rolling on: the race is won, or nobody is left to beat the highest score."""
        score = spot.standings[spot.seat] + points
        if (past := self._past(score)) >= 0 and (not self.ending.last_round or (self.ending.must_hit and past)):
            return True
        is_last = spot.finisher == next_seat(spot.seat, self.players)
        return is_last and score > max(_with(spot.standings, spot.seat, score - 1))

    def _past(self, score: int) -> int:
        """By how much a score is past the target; below 0 before it."""
        return -1 if self.target is None else score - self.target

    def _finisher(self, spot: PointsSpot) -> int:
        assert spot.finisher is not None
        return spot.finisher

    def _opened(self, spot: PointsSpot) -> PointsSpot:
        """Return the spot a turn begins at; where nothing can fall but one roll (Hog), it has fallen."""
        game = self.games[spot.seat]
        rolls = checked_rolls(game, game.opening)
        if len(rolls) == 1 and not self.counts_rolls and spot.offer is None:
            return replace(spot, mode=game.opening, roll=next(iter(rolls)))
        return replace(spot, mode=game.opening)

    def _busted(self, spot: PointsSpot) -> PointsSpot:
        record, cost = self.house.after_bust(spot.records[spot.seat])
        return self._passed(spot, self.house.score_after_loss(spot.standings[spot.seat], cost), record, None)

    def _passed(self, spot: PointsSpot, score: int, record: Record, banked: TurnPlay | None) -> PointsSpot:
        """Return the spot after a turn: the next seat's, or the last one of the race."""
        after = PointsSpot(
            _with(spot.standings, spot.seat, score),
            _with(spot.records, spot.seat, record),
            next_seat(spot.seat, self.players),
            turn=spot.turn + 1,
            rolls_made=spot.rolls_made,
            finisher=spot.finisher,
        )
        if self.is_over(after):
            return after if self.ending.last_round else replace(after, seat=spot.seat)
        if self.piggyback and banked is not None:
            after = replace(after, offer=(banked.points, self.mode_left(spot, banked)))
        return self._opened(after)

    def mode_left(self, spot: PointsSpot, play: TurnPlay) -> Mode:
        """Return the mode in which a player who stopped would have rolled on."""
        if spot.roll is None:
            return spot.mode
        for after in checked_plays(self.games[spot.seat], spot.mode, spot.roll):
            if (after.points, after.kept) == (play.gained, play.aside) and after.mode is not None:
                return after.mode
        return self.games[spot.seat].opening

    def _standings_from(self, scores: Json) -> tuple[int, ...]:
        if scores is None:
            return (0,) * self.players
        if entries_of(scores, self.players) is None:
            raise PositionError(f"standings has {self.players} scores, got {scores!r}")
        least = 0 if self.house.floor == 0 else -MOST_COUNTED if self.house.floor is None else self.house.floor
        standings = tuple(count_from("a standing", score, least) for score in scores)
        if not self.ending.last_round and any(self._past(score) >= 0 for score in standings):
            raise PositionError(f"a standing lies below the target {self.target}, got {scores!r}: that race is over")
        for seat, score in enumerate(standings):
            if score % (unit := self._unit(seat)):
                raise PositionError(f"scores here are multiples of {unit}, got {scores!r}")
        return standings

    def _unit(self, seat: int) -> int:
        """The greatest number that divides every score a seat can have."""
        penalty = self.house.penalty if isinstance(self.house.penalty, int) else 0
        return gcd(lay_out(self.games[seat]).unit, penalty, self.house.floor or 0)

    def _records_from(self, records: Json) -> tuple[Record, ...]:
        if records is None:
            return (self.house.opening,) * self.players
        known = self.house.records()
        if entries_of(records, self.players) is None:
            raise PositionError(f"records has {self.players} entries, one for each seat, got {records!r}")
        return tuple(named_among(record, known, "record") for record in records)

    def _finisher_from(self, finisher: Json) -> int | None:
        if finisher is None:
            return None
        if not self.ending.last_round or as_whole(finisher) not in range(self.players):
            raise PositionError(f"finisher is the seat that reached the target before a last round, got {finisher!r}")
        return int(finisher)

    def _offer_from(self, offer: Json, game: PointsGame) -> tuple[int, Mode] | None:
        if offer is None:
            return None
        if not self.piggyback or entries_of(offer, 2) is None:
            raise PositionError(f"offer is [points, mode] where piggyback is played, got {offer!r}")
        return count_from("the points offered", offer[0]), named_among(offer[1], lay_out(game).modes, "mode")

    def _check(self, spot: PointsSpot) -> None:
        """Refuse a spot that cannot occur, though each part of it can."""
        to_go = -self._past(spot.standings[spot.seat])
        might_have_stopped = spot.at_risk >= to_go and may_stop_in(self.games[spot.seat], spot.mode)
        if self.piggyback and spot.at_risk <= spot.standings[1 - spot.seat] and (spot.rolling or spot.roll is not None):
            might_have_stopped = False  # points taken over must be rolled with
        if self.target is not None and not self.ending.last_round and might_have_stopped:
            raise PositionError(
                f"at_risk lies below {to_go}, which would reach the target, got at_risk={spot.at_risk!r}"
            )
        if spot.rolling and spot.roll is not None:
            raise PositionError(
                f"either the dice fall next or a roll is to be played, got rolling=True and roll={spot.roll!r}"
            )
        if self.is_over(spot):
            raise PositionError("the game is over at this position, so there is nothing to play")
        if spot.roll is not None and self.is_bust(spot, spot.roll):
            raise PositionError(f"the roll {spot.roll!r} is a bust: the turn is over and there is nothing to choose")


def place_of(spot: PointsSpot) -> JsonObject:
    """Return where the turn in progress began, as the keywords of `advise`; several others are tuples in the order of play."""
    players = len(spot.standings)
    seats = [(spot.seat + j) % players for j in range(players)]
    records = [spot.records[seat] for seat in seats]
    place: JsonObject = {
        "mine": spot.standings[spot.seat],
        "my_busts": records[0].busts,
        "my_opened": records[0].has_opened,
    }
    if players > 1:
        others = {
            "theirs": tuple(spot.standings[seat] for seat in seats[1:]),
            "their_busts": tuple(record.busts for record in records[1:]),
            "their_opened": tuple(record.has_opened for record in records[1:]),
        }
        place |= others if players > 2 else {name: entries[0] for name, entries in others.items()}
    return place | {"seat": spot.seat}


def match_of(goal: Goal) -> PointsMatch:
    """Return the match of a goal: a race, or one turn for the most points."""
    if isinstance(goal, Turn):
        return PointsMatch((goal.game,), None, goal.house, within=1)
    if not isinstance(goal, Race):
        raise PositionError(f"a game is played to an end, so it needs a race or one turn, got {goal!r}")
    if goal.target is None:
        raise ValueError(f"a race needs a target, and {goal.game!r} names no usual one; say target=...")
    return PointsMatch(
        goal.games, goal.target, goal.house, goal.ending, goal.within, goal.cost == "rolls", goal.piggyback
    )


def _neutrally(play: TurnPlay) -> tuple[Any, ...]:
    """Sort most points first, stop before roll, by the number of dice: an order that gives nothing away."""
    return (play.takes_over, -play.points, play.aside, not play.stops, play.mode if isinstance(play.mode, int) else 0)


def _with(entries: Sequence[Any], seat: int, entry: Any) -> tuple[Any, ...]:
    return (*entries[:seat], entry, *entries[seat + 1 :])
