"""A game in progress: immutable, so that undoing is going back to an earlier value, and replayable from plain data.

A session is a referee, a seed and the steps made. A step is either a play that somebody chose or a roll that fell, and
notes what the game was worth to seat 0 before and after; the report only adds these up. The dice belong to the seed:
the n-th roll of a game is decided by (seed, n) alone, so undoing a play never buys better dice. Dice rolled on a real
table can be given instead.
"""

import random
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from jeopardice.errors import PositionError
from jeopardice.tutor.bots import Bot
from jeopardice.tutor.referee import Choice, Referee, Spot, found, plain

FORMAT = 1
MOST_STEPS = 20_000

Phase = Literal["choose", "roll", "over"]
Event = dict[str, Any]
"""{"seat": 0, "play": "roll"} or {"seat": 0, "roll": [4], "bust": False}: all that a replay needs."""


@dataclass(frozen=True)
class Step:
    """What happened at `spot`: a choice out of `choices`, or a roll; `before` and `after` are values for seat 0."""

    spot: Spot
    seat: int
    before: Any
    after: Any
    choice: Choice | None = None
    choices: tuple[Choice, ...] = ()
    roll: Any = None
    bust: bool = False

    @property
    def event(self) -> Event:
        """The step as plain data."""
        if self.choice is not None:
            return {"seat": self.seat, "play": self.choice.play}
        return {"seat": self.seat, "roll": plain(self.roll), "bust": self.bust}

    @property
    def is_forced(self) -> bool:
        """Whether there was nothing to decide."""
        return len(self.choices) == 1

    @property
    def best(self) -> Choice:
        """The best of the choices."""
        return next(choice for choice in self.choices if choice.rank == 0)

    @property
    def loss(self) -> Any:
        """What the choice gave away, to the player who made it; 0 for the best choice."""
        return 0 if self.choice is None else abs(self.best.value - self.choice.value)


@dataclass(frozen=True)
class Session:
    """A game by a referee. Every method returns a new session and leaves this one as it is.

    >>> from jeopardice import Pig, Race, solve
    >>> from jeopardice.tutor import PointsReferee, Session
    >>> game = Session.new(PointsReferee(solve(Race(Pig(), target=100, players=2))), seed=3)
    >>> game = game.choose("roll").roll((4,))
    >>> game.phase, [choice.play for choice in game.choices]
    ('choose', ['stop', 'roll'])
    >>> game.events
    [{'seat': 0, 'play': 'roll'}, {'seat': 0, 'roll': [4], 'bust': False}]
    """

    referee: Referee
    seed: int | str
    spot: Spot
    steps: tuple[Step, ...] = ()
    rolls_made: int = 0

    @classmethod
    def new(
        cls, referee: Referee, *, seed: int | str | None = None, position: Mapping[str, Any] | None = None
    ) -> "Session":
        """Begin a game, from the start or from a position; without a seed the dice are new."""
        spot = referee.start() if position is None else referee.spot_at(position)
        return cls(referee, secrets.randbits(48) if seed is None else seed, spot)

    @classmethod
    def replay(
        cls,
        referee: Referee,
        events: Iterable[Mapping[str, Any]],
        *,
        seed: int | str | None = None,
        position: Mapping[str, Any] | None = None,
    ) -> "Session":
        """Play recorded events again; each must be possible where it stands."""
        session = cls.new(referee, seed=seed, position=position)
        for number, event in enumerate(events, 1):
            if not isinstance(event, Mapping) or ("play" in event) == ("roll" in event):
                raise PositionError(f"event {number} has either a play or a roll, got {event!r}")
            if event.get("roll", ()) is None:
                raise PositionError(f"event {number} names the roll that fell, got {event!r}")
            session = session.choose(event["play"]) if "play" in event else session.roll(event["roll"])
        return session

    @property
    def phase(self) -> Phase:
        """Whether somebody chooses, the dice fall, or the game is over."""
        if self.referee.is_over(self.spot):
            return "over"
        return "roll" if self.referee.rolls(self.spot) else "choose"

    @property
    def seat(self) -> int:
        """Who has the dice."""
        return self.referee.seat(self.spot)

    @cached_property
    def value(self) -> Any:
        """What the game is worth to seat 0 now, under best play from here on."""
        return self.steps[-1].after if self.steps else self.referee.value(self.spot)

    @property
    def initial(self) -> Any:
        """What it was worth when the session began."""
        return self.steps[0].before if self.steps else self.value

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """What can be chosen now, in an order that gives nothing away."""
        return tuple(self.referee.choices(self.spot))

    @property
    def hint(self) -> tuple[Choice, ...]:
        """The choices, best first."""
        return tuple(sorted(self.choices, key=lambda choice: choice.rank))

    @property
    def events(self) -> list[Event]:
        """Everything that happened, as plain data."""
        return [step.event for step in self.steps]

    def loss(self, choice: Choice) -> Any:
        """Return what a choice gives away here, to who makes it."""
        return abs(self.hint[0].value - choice.value)

    def choice(self, play: str) -> Choice:
        """Return the choice that these words name."""
        for choice in self.choices:
            if choice.play == play:
                return choice
        raise PositionError(f"{self._needed}, got the play {play!r}")

    def choose(self, play: str | Choice) -> "Session":
        """Make a play."""
        choice = self.choice(play.play if isinstance(play, Choice) else play)
        running = self.referee.running
        step = Step(
            self.spot,
            self.seat,
            running(self.spot, self.hint[0].value),
            running(self.spot, choice.value),
            choice,
            self.choices,
        )
        return replace(self, spot=self.referee.after_choice(self.spot, choice), steps=(*self.steps, step))

    def roll(self, given: Any = None) -> "Session":
        """Let the dice fall as the seed has it, or as they are given."""
        rolls = self.referee.rolls(self.spot)
        if not rolls:
            raise PositionError(f"{self._needed}, got a roll")
        roll = self._fallen(rolls) if given is None else found(given, rolls, "roll")
        after, bust = self.referee.after_roll(self.spot, roll)
        before = self.steps[-1].after if self.steps else self.referee.value(self.spot)
        step = Step(self.spot, self.seat, before, self.referee.value(after), roll=roll, bust=bust)
        return replace(self, spot=after, steps=(*self.steps, step), rolls_made=self.rolls_made + 1)

    def undo(self, steps: int = 1) -> "Session":
        """Go back by so many steps."""
        if not 0 <= steps <= len(self.steps):
            raise PositionError(f"{len(self.steps)} steps were made, so that many can be undone, got steps={steps!r}")
        if steps == 0:
            return self
        gone = self.steps[-steps:]
        rolled = sum(step.choice is None for step in gone)
        return replace(self, spot=gone[0].spot, steps=self.steps[:-steps], rolls_made=self.rolls_made - rolled)

    def undo_choice(self, seats: Sequence[int] = (0, 1)) -> "Session":
        """Go back to before the last real decision of one of these seats; without one, to the beginning."""
        for back, step in enumerate(reversed(self.steps), 1):
            if step.seat in seats and step.choice is not None and not step.is_forced:
                return self.undo(back)
        return self.undo(len(self.steps))

    def record(self) -> dict[str, Any]:
        """Return the game as plain data: `replay` takes its events and seed."""
        begun = self.steps[0].spot if self.steps else self.spot
        return {
            "format": FORMAT,
            "goal": repr(self.referee.goal),
            "seed": self.seed,
            "position": self.referee.position(begun),
            "events": self.events,
        }

    def snapshot(self, *, with_values: bool = False) -> dict[str, Any]:
        """Return all a page shows of this instant as plain data; what the choices are worth only if asked for."""
        return {
            "phase": self.phase,
            "seat": self.seat,
            "winner": self.referee.winner(self.spot) if self.phase == "over" else None,
            "position": self.referee.position(self.spot),
            "value": float(self.value),
            "measure": self.referee.measure.name,
            "choices": [c.as_json(with_value=with_values) for c in (self.hint if with_values else self.choices)],
            "steps": len(self.steps),
        }

    def _fallen(self, rolls: Mapping[Any, int]) -> Any:
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
        plays = "; ".join(choice.play for choice in self.choices)
        return f"the plays here are: {plays}"


def advance(session: Session, bots: Sequence[Bot | None], *, most_steps: int = MOST_STEPS) -> Session:
    """Go on until a person chooses or the game is over: dice fall, bots play, a stop without alternative is made.

    `bots` has one entry for each seat, None for a person. The steps made are the new ones in `steps`.
    """
    if len(bots) != session.referee.players:
        raise ValueError(f"there are {session.referee.players} seats, got {len(bots)} entries in bots")
    for _ in range(most_steps):
        phase = session.phase
        if phase == "over":
            return session
        bot = bots[session.seat]
        if phase == "roll":
            session = session.roll()
        elif bot is not None:
            session = session.choose(bot.choose(session))
        elif len(session.choices) == 1 and session.choices[0].stops:
            session = session.choose(session.choices[0])
        else:
            return session
    raise PositionError(f"no end after {most_steps} more steps: do these players ever bank? Else raise most_steps")
