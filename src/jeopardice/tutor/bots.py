"""Opponents of choosable strength: the optimum, rules of thumb, and one that errs as much as you like.

A bot sees the session and names its choice. The optimum takes the best choice (where nothing is solved the one with the
best estimate, and then it is called look-ahead), rules of thumb are the strategies of `strategy.py` and
`board_strategy.py`, and the erring bot takes a choice with chance proportional to exp(value / temperature): at a small
temperature only close decisions go wrong, at a large one everything does.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import exp
from re import ASCII, fullmatch
from typing import TYPE_CHECKING, Protocol

from jeopardice.board_strategy import BoardStrategy, glenn_aloi, roll_times, rule_of
from jeopardice.games.cant_stop import CantStop
from jeopardice.strategy import RollTimes, StopAt, Strategy
from jeopardice.tutor.cant_stop_race import BoardRuleBot
from jeopardice.tutor.points import PointsReferee, PointsSpot
from jeopardice.tutor.referee import Choice, Referee

if TYPE_CHECKING:
    from jeopardice.tutor.session import Session

FRIEND, OPTIMAL, LOOK_AHEAD = "friend", "optimal", "look-ahead"
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
    """Plays the best choice, always; where values are estimates it is called look-ahead, for that is what it does."""

    name: str = OPTIMAL

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
            raise ValueError(
                f"the temperature lies above 0, got {self.temperature!r}; for no errors take optimal or look-ahead"
            )

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


def best_name(referee: Referee) -> str:
    """Return what the best opponent there is may be called: optimal, or look-ahead where values are estimates."""
    return LOOK_AHEAD if referee.measure.is_estimate else OPTIMAL


def opponents(referee: Referee) -> tuple[str, ...]:
    """Return the names of the opponents that fit the game; any number may stand in a name that has one."""
    game = referee.goal.game
    if isinstance(game, CantStop):
        rules = ("rule-of-28", *(("glenn-aloi",) if game.sides == 6 else ()), "roll-4-times")
    else:
        rules = ("stop-at-20", "strict-stop-at-20", "roll-5-times")
    return (best_name(referee), FRIEND, *STRENGTHS, *rules, "errs-0.05")


def bot_named(name: str, referee: Referee, *, seed: int | str = 0) -> Bot | None:
    """Return the opponent of a name, None for a friend at the same keyboard; refuse one that does not fit the game.

    Names: optimal, or look-ahead where nothing is solved; friend; club, casual, beginner (they err more and more); errs-T
    with a temperature T in what the goal counts, such as errs-0.05 in win chance. In points games stop-at-N,
    strict-stop-at-N, roll-N-times; on boards rule-of-N, glenn-aloi, roll-N-times.
    """
    if name == FRIEND:
        return None
    if name == best_name(referee):
        return BestBot(name)
    if name == OPTIMAL:
        raise ValueError(
            f"this board is not solved for two, so nobody here plays it best, got {name!r}; take {LOOK_AHEAD}"
        )
    if name in STRENGTHS:
        return ErringBot(STRENGTHS[name] * referee.measure.mistake, seed, name)
    head, number = _parts(name)
    if head == "errs-" and number is not None:
        return ErringBot(number, seed, name)
    if head == "roll--times" and number == 0:
        raise ValueError(f"a turn has at least one roll, got {name!r}; ask for roll-1-times or more")
    bot = _board_bot(name, referee.goal.game) if isinstance(referee.goal.game, CantStop) else _points_bot(head, number)
    if bot is None:
        known = ", ".join(opponents(referee))
        raise ValueError(f"an opponent is one of {known} (any number for these), got {name!r}")
    return bot


def _parts(name: str) -> tuple[str, float | None]:
    """Return a name without its number, and the number.

    >>> _parts("roll-5-times"), _parts("errs-0.05"), _parts("stop-at-x")
    (('roll--times', 5.0), ('errs-', 0.05), ('stop-at-x', None))
    """
    found = fullmatch(r"([a-z-]+-)(\d{1,12}|\d{0,12}\.\d{1,12}|\de-\d{1,2})(-times)?", name, ASCII)
    return (f"{found[1]}{found[3] or ''}", float(found[2])) if found else (name, None)


def _points_bot(head: str, number: float | None) -> Bot | None:
    if number is None or number != int(number):
        return None
    if head in ("stop-at-", "strict-stop-at-"):
        return RuleBot(StopAt(int(number), strict=head.startswith("strict")))
    if head == "roll--times":
        return RuleBot(RollTimes(int(number)))
    return None


def _board_bot(name: str, game: CantStop) -> Bot | None:
    """Return the rule of thumb of a name; asked for once, so that a board it does not know is refused here."""
    head, number = _parts(name)
    rules: dict[str, Callable[[CantStop], BoardStrategy]] = {"glenn-aloi": glenn_aloi}
    if number is not None and number == int(number):
        rules |= {
            "rule-of-": partial(rule_of, threshold=int(number)),
            "roll--times": partial(roll_times, rolls=int(number)),
        }
    if head not in rules:
        return None
    rules[head](game)
    return BoardRuleBot(name, rules[head])
