"""Opponents of choosable strength: the optimum, rules of thumb, and one that errs as much as you like.

A bot sees the session and names its choice. The optimum takes the best choice, rules of thumb are the strategies of
`strategy.py`, and the erring bot takes a choice with chance proportional to exp(value / temperature): at a small
temperature only close decisions go wrong, at a large one everything does.
"""

import random
from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Protocol

from jeopardice.board_strategy import glenn_aloi
from jeopardice.strategy import RollTimes, StopAt, Strategy
from jeopardice.tutor.cant_stop_race import RuleOf28
from jeopardice.tutor.points import PointsReferee, PointsSpot
from jeopardice.tutor.referee import Choice, Referee

if TYPE_CHECKING:
    from jeopardice.tutor.session import Session

FRIEND = "friend"
STRENGTHS = {"club": 0.25, "casual": 1.0, "beginner": 4.0}
"""Named strengths of the erring bot: its temperature in units of what is marked as a mistake.

Against the optimum they win about 49, 39 and 22 of 100 games, in Pig as in Ten Thousand."""


class Bot(Protocol):
    """Whoever chooses for a seat."""

    @property
    def name(self) -> str:
        """A short name, as the command line takes it."""
        ...

    def choose(self, session: "Session") -> Choice:
        """Return one of the session's choices."""
        ...


@dataclass(frozen=True)
class BestBot:
    """Plays the best choice, always."""

    name: str = "optimal"

    def choose(self, session: "Session") -> Choice:
        """The first of the hint."""
        return session.hint[0]


@dataclass(frozen=True)
class RuleBot:
    """Plays a strategy of a points game."""

    strategy: Strategy

    @property
    def name(self) -> str:
        """The strategy's name."""
        return self.strategy.name

    def choose(self, session: "Session") -> Choice:
        """The strategy's play of the roll, then what it says about stopping."""
        if not isinstance(session.referee, PointsReferee):
            raise TypeError(
                f"the strategy {self.name} is for points games; let another bot play {session.referee.goal!r}"
            )
        return ruled_choice(self.strategy, session.referee, session.spot, session.choices)


@dataclass(frozen=True)
class ErringBot:
    """Plays a choice with chance proportional to exp(value / temperature); the same seed errs the same way again."""

    temperature: float
    seed: int | str = 0
    name: str = "errs"

    def __post_init__(self) -> None:
        if not self.temperature > 0:
            raise ValueError(f"the temperature lies above 0, got {self.temperature!r}; for no errors choose optimal")

    def choose(self, session: "Session") -> Choice:
        """Draw by the number of steps made, so that undoing changes nothing."""
        weights = [exp(-float(session.loss(choice)) / self.temperature) for choice in session.choices]
        dice = random.Random(f"{self.seed}/{session.seed}/{len(session.steps)}")
        return dice.choices(session.choices, weights)[0]


def ruled_choice(strategy: Strategy, referee: PointsReferee, spot: PointsSpot, choices: tuple[Choice, ...]) -> Choice:
    """Return the choice that a strategy makes at a spot of a points game."""
    if len(choices) == 1:
        return choices[0]
    moment = referee.moment(spot)
    if spot.roll is not None:
        plays = sorted(referee.game(spot.seat).plays(spot.mode, spot.roll), key=lambda play: -play.points)
        play = strategy.choose(moment, plays)
        points = spot.at_risk + play.points
        alike = [
            c for c in choices if c.points == points and (c.mode == play.mode or (c.stops and c.kept == play.kept))
        ]
        rolled = moment.__class__(points, play.mode, spot.rolls, moment.mine, moment.theirs, moment.target)
    else:
        alike, rolled = list(choices), moment
    stops = [choice for choice in alike if choice.stops]
    goes_on = [choice for choice in alike if not choice.stops]
    if not goes_on or (stops and strategy.stops(rolled)):
        return stops[0]
    return goes_on[0]


def bot_named(name: str, referee: Referee, *, seed: int | str = 0) -> Bot | None:
    """Return the opponent of a name, None for a friend at the same keyboard.

    Names: optimal; friend; stop-at-N, strict-stop-at-N, roll-N-times; club, casual, beginner (they err more and more);
    errs-T with a temperature T in what the goal counts, such as errs-0.05 in win chance.
    """
    if name == FRIEND:
        return None
    if name == "optimal":
        return BestBot()
    if name == "rule-of-28":
        return RuleOf28()
    if name == "glenn-aloi":
        return RuleOf28(name, glenn_aloi)
    if name in STRENGTHS:
        return ErringBot(STRENGTHS[name] * referee.measure.mistake, seed, name)
    head, _, tail = name.rpartition("-")
    try:
        if head == "errs":
            return ErringBot(float(tail), seed, name)
        if head in ("stop-at", "strict-stop-at"):
            return RuleBot(StopAt(int(tail), strict=head.startswith("strict")))
        if name.startswith("roll-") and name.endswith("-times"):
            return RuleBot(RollTimes(int(name.removeprefix("roll-").removesuffix("-times"))))
    except ValueError:
        pass
    known = ", ".join(("optimal", FRIEND, *STRENGTHS, "stop-at-20", "strict-stop-at-20", "roll-5-times", "errs-0.05"))
    raise ValueError(f"an opponent is one of {known} (any number for these), got {name!r}")
