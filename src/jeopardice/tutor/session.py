"""A game in progress: immutable, so that undoing is going back to an earlier value, and replayable from plain data.

A session is a judge (which knows the match and its values), a seed and the steps made. A step is either a play that
somebody chose or a roll that fell, and notes the values of all seats before and after; the report only adds these up. The
dice belong to the seed: the n-th roll of a game is decided by (seed, n) alone, so undoing a play never buys better dice.
Dice rolled on a real table can be given instead.
"""

import random
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from jeopardice.errors import PositionError
from jeopardice.family import Words, family_of
from jeopardice.kernels.stopping import check_wanted
from jeopardice.rules.match import Match
from jeopardice.rules.text import named_among, plain
from jeopardice.solution import Judge, Option, distance
from jeopardice.tutor.bots import Bot
from jeopardice.types import JsonObject, Keywords, MatchRoll, Number, Spot

FORMAT = 1
MOST_STEPS = 20_000

Phase = Literal["choose", "roll", "over"]
Event = JsonObject
"""{"seat": 0, "play": "roll"} or {"seat": 0, "roll": [4], "bust": False}: all that a replay needs."""


@dataclass(frozen=True)
class Step:
    """What happened at `spot`: an option was chosen out of `options`, best first, or the dice fell.

    `before` and `after` are the values of all seats.
    """

    spot: Spot
    seat: int
    before: tuple[Number, ...]
    after: tuple[Number, ...]
    option: Option | None = None
    options: tuple[Option, ...] = ()
    roll: MatchRoll = None
    bust: bool = False

    @property
    def event(self) -> Event:
        """The step as plain data."""
        if self.option is not None:
            return {"seat": self.seat, "play": self.option.play}
        return {"seat": self.seat, "roll": plain(self.roll), "bust": self.bust}

    @property
    def is_forced(self) -> bool:
        """Whether there was nothing to decide."""
        return len(self.options) == 1

    @property
    def loss(self) -> Number:
        """What the choice gave away, to the player who made it; 0 for the best option."""
        return 0 if self.option is None else distance(self.options[0].value, self.option.value)

    def change(self, seat: int) -> Number:
        """Return by how much the step changed a seat's value."""
        return self.after[seat] - self.before[seat]

    def skill(self, seat: int) -> Number:
        """Return what a choice changed: all of it, or where best play is mixed the loss, as the rest is a lucky guess."""
        if self.option is None:
            return 0
        if self.option.share is None:
            return self.change(seat)
        return -self.loss if seat == self.seat else self.loss / (len(self.after) - 1)

    def luck(self, seat: int) -> Number:
        """Return what the dice, or a guess, changed."""
        return self.change(seat) - self.skill(seat)


@dataclass(frozen=True)
class Session:
    """A game by a judge. Every method returns a new session and leaves this one as it is.

    >>> from jeopardice import Pig, Race, solve
    >>> from jeopardice.tutor import Session, judge_of
    >>> game = Session.new(judge_of(solve(Race(Pig(), target=100, players=2))), seed=3)
    >>> game = game.choose("roll").roll((4,))
    >>> game.phase, [option.play for option in game.options]
    ('choose', ['stop', 'roll'])
    >>> game.events
    [{'seat': 0, 'play': 'roll'}, {'seat': 0, 'roll': [4], 'bust': False}]
    """

    judge: Judge
    seed: int | str
    spot: Spot
    steps: tuple[Step, ...] = ()
    rolls_made: int = 0

    @classmethod
    def new(cls, judge: Judge, *, seed: int | str | None = None, position: Keywords | None = None) -> "Session":
        """Begin a game, from the start or from a position; without a seed the dice are new."""
        spot = judge.match.start() if position is None else judge.match.from_json(position)
        session = cls(judge, secrets.randbits(48) if seed is None else seed, spot)
        _ = session.values  # refuses a position that the judge does not know
        return session

    @classmethod
    def replay(
        cls,
        judge: Judge,
        events: Iterable[Keywords],
        *,
        seed: int | str | None = None,
        position: Keywords | None = None,
    ) -> "Session":
        """Play recorded events again; each must be possible where it stands."""
        session = cls.new(judge, seed=seed, position=position)
        for number, event in enumerate(events, 1):
            if not isinstance(event, Mapping) or ("play" in event) == ("roll" in event):
                raise PositionError(f"event {number} has either a play or a roll, got {event!r}")
            if event.get("roll", ()) is None:
                raise PositionError(f"event {number} names the roll that fell, got {event!r}")
            session = session.choose(event["play"]) if "play" in event else session.roll(event["roll"])
        return session

    @property
    def match(self) -> Match:
        """The rules that are played."""
        return self.judge.match

    @property
    def words(self) -> Words:
        """The words of the game."""
        return words_of(self.judge)

    @property
    def phase(self) -> Phase:
        """Whether somebody chooses, the dice fall, or the game is over."""
        if self.match.is_over(self.spot):
            return "over"
        return "roll" if self.match.rolls(self.spot) else "choose"

    @property
    def seat(self) -> int:
        """Who has the dice."""
        return self.match.seat(self.spot)

    @cached_property
    def values(self) -> tuple[Number, ...]:
        """What the game is worth to every seat now, under best play from here on."""
        return self.steps[-1].after if self.steps else self.judge.values_at(self.spot)

    @property
    def value(self) -> Number:
        """What the game is worth to seat 0 now."""
        return self.values[0]

    @property
    def initial(self) -> tuple[Number, ...]:
        """The values when the session began."""
        return self.steps[0].before if self.steps else self.values

    @cached_property
    def ranked(self) -> tuple[Option, ...]:
        """The options, best first."""
        return self.judge.options_at(self.spot) if self.phase == "choose" else ()

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """What can be chosen now, in an order that gives nothing away."""
        of_play = {option.match_play: option for option in self.ranked}
        return tuple(of_play[play] for play in self.match.plays(self.spot))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won, once the game is over: several share a win, nobody wins a draw or comes too late."""
        if self.phase != "over":
            return ()
        returns = self.match.returns(self.spot)
        if len(returns) == 1:
            return (0,) if not self.judge.measure.is_chance or returns[0] else ()
        return () if len(set(returns)) == 1 else tuple(s for s, got in enumerate(returns) if got == max(returns))

    @property
    def events(self) -> list[Event]:
        """Everything that happened, as plain data."""
        return [step.event for step in self.steps]

    def loss(self, option: Option) -> Number:
        """Return what an option gives away here, to the player who takes it."""
        return distance(self.ranked[0].value, option.value)

    def option(self, play: str) -> Option:
        """Return the option that these words name."""
        for option in self.options:
            if option.play == play:
                return option
        raise PositionError(f"{self._needed}, got the play {play!r}")

    def choose(self, play: str | Option) -> "Session":
        """Make a play."""
        option = self.option(play.play if isinstance(play, Option) else play)
        after = self.match.after_play(self.spot, option.match_play)
        is_best = option == self.ranked[0] and option.share is None
        values = self.values if is_best else self.judge.values_at(after)
        step = Step(self.spot, self.seat, self.values, values, option, self.ranked)
        return replace(self, spot=after, steps=(*self.steps, step))

    def roll(self, given: MatchRoll = None) -> "Session":
        """Let the dice fall as the seed has it, or as they are given."""
        rolls = self.match.rolls(self.spot)
        if not rolls:
            raise PositionError(f"{self._needed}, got a roll")
        roll = self._fallen(rolls) if given is None else named_among(given, rolls, "roll")
        after, bust = self.match.after_roll(self.spot, roll), self.match.is_bust(self.spot, roll)
        step = Step(self.spot, self.seat, self.values, self.judge.values_at(after), roll=roll, bust=bust)
        return replace(self, spot=after, steps=(*self.steps, step), rolls_made=self.rolls_made + 1)

    def undo(self, steps: int = 1) -> "Session":
        """Go back by a number of steps."""
        if not 0 <= steps <= len(self.steps):
            raise PositionError(
                f"{len(self.steps)} steps were made, so at most that many can be undone, got steps={steps!r}"
            )
        if steps == 0:
            return self
        undone = self.steps[-steps:]
        rolled = sum(step.option is None for step in undone)
        return replace(self, spot=undone[0].spot, steps=self.steps[:-steps], rolls_made=self.rolls_made - rolled)

    def undo_choice(self, seats: Sequence[int] | None = None) -> "Session":
        """Go back to before the last real decision of one of these seats (None: any); without one, to the beginning."""
        for back, step in enumerate(reversed(self.steps), 1):
            if (seats is None or step.seat in seats) and step.option is not None and not step.is_forced:
                return self.undo(back)
        return self.undo(len(self.steps))

    def record(self) -> JsonObject:
        """Return the game as plain data: `replay` takes its events and seed."""
        begun = self.steps[0].spot if self.steps else self.spot
        return {
            "format": FORMAT,
            "goal": repr(self.judge.goal),
            "seed": self.seed,
            "position": self.match.to_json(begun),
            "events": self.events,
        }

    def snapshot(self, *, with_values: bool = False) -> JsonObject:
        """Return all a page shows of this instant as plain data; values of options only if asked for."""
        winners = self.winners
        return {
            "phase": self.phase,
            "seat": self.seat,
            "winner": winners[0] if len(winners) == 1 else None,
            "winners": list(winners),
            "position": self.match.to_json(self.spot),
            "value": float(self.value),
            "values": [float(value) for value in self.values],
            "measure": self.judge.measure.name,
            "choices": options_json(self.ranked if with_values else self.options, with_values=with_values),
            "steps": len(self.steps),
        }

    def _fallen(self, rolls: Mapping[MatchRoll, int]) -> MatchRoll:
        left = random.Random(f"{self.seed}/{self.rolls_made}").randrange(sum(rolls.values()))
        for roll, weight in rolls.items():
            left -= weight
            if left < 0:
                return roll
        raise AssertionError("weights add up to their sum")

    @property
    def _needed(self) -> str:
        if self.phase == "over":
            return "the game is over"
        if self.phase == "roll":
            return "the dice fall next"
        plays = "; ".join(option.play for option in self.options)
        return f"the plays here are: {plays}"


def words_of(judge: Judge) -> Words:
    """Return the words of the game that a judge knows."""
    return family_of(judge.goal.game).words


def option_json(option: Option, rank: int | None = None) -> JsonObject:
    """Return an option as plain data; its value and rank only where a player may see them."""
    parts = {"play": option.play, "stops": option.stops, "points": option.points, "mode": plain(option.mode)}
    parts["kept"] = list(option.kept)
    return parts | ({} if rank is None else {"value": float(option.value), "rank": rank})


def options_json(options: Sequence[Option], *, with_values: bool) -> list[JsonObject]:
    """Return options as plain data; with values they come best first."""
    return [option_json(option, rank if with_values else None) for rank, option in enumerate(options)]


def advance(session: Session, bots: Sequence[Bot | None], *, most_steps: int = MOST_STEPS) -> Session:
    """Go on until a person chooses or the game is over: dice fall, bots play, a stop without alternative is made.

    `bots` has one entry for each seat, None for a person. The steps made are the new ones in `steps`.
    """
    if len(bots) != session.match.players:
        raise ValueError(f"there are {session.match.players} seats, got {len(bots)} entries in bots")
    for _ in range(most_steps):
        check_wanted()
        phase = session.phase
        if phase == "over":
            return session
        bot = bots[session.seat]
        if phase == "roll":
            session = session.roll()
        elif bot is not None:
            session = session.choose(bot.choose(session))
        elif len(session.options) == 1 and session.options[0].stops:
            session = session.choose(session.options[0])
        else:
            return session
    raise PositionError(
        f"the game has not ended after {most_steps} more steps; check that these players ever bank, or raise most_steps"
    )
