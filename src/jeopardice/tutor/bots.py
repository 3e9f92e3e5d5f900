"""Opponents of choosable strength: the optimum, rules of thumb, and one that errs as much as you like.

A bot sees the session and returns one of its options. The optimum takes the best one (where values are estimates it is
called look-ahead), rules of thumb are the strategies of the game's family, and the erring bot takes an option with chance
proportional to exp(-loss / temperature): at a small temperature only close decisions go wrong, at a large one everything.
"""

import random
from dataclasses import dataclass
from math import exp
from re import ASCII, fullmatch
from typing import TYPE_CHECKING, Any, Protocol

from jeopardice.errors import UnknownName
from jeopardice.family import family_of
from jeopardice.solution import Judge, Option

if TYPE_CHECKING:
    from jeopardice.tutor.session import Session

FRIEND, OPTIMAL, LOOK_AHEAD = "friend", "optimal", "look-ahead"
STRENGTHS = {"club": 0.25, "casual": 1.0, "beginner": 4.0}
"""Named strengths of the erring bot: its temperature in units of the loss that is marked as a mistake.

Against the optimum they win about 49, 39 and 22 of 100 games, in Pig as in Ten Thousand."""


class Bot(Protocol):
    """Chooses for a seat."""

    @property
    def name(self) -> str:
        """A short name, as the command line takes it."""
        ...

    def choose(self, session: "Session") -> Option:
        """Return one of the session's options."""
        ...


@dataclass(frozen=True)
class BestBot:
    """Plays the best option, always; where best play is mixed, each as often as the mixture says."""

    name: str = OPTIMAL
    seed: int | str = 0

    def choose(self, session: "Session") -> Option:
        """The best of the options."""
        shares = [option.share or 0.0 for option in session.ranked]
        if not any(shares):
            return session.ranked[0]
        return _dice(self.seed, session).choices(session.ranked, shares)[0]


@dataclass(frozen=True)
class RuleBot:
    """Plays a strategy of the game's family."""

    strategy: Any

    @property
    def name(self) -> str:
        """The strategy's name."""
        return str(self.strategy.name)

    def choose(self, session: "Session") -> Option:
        """The option with the strategy's play."""
        family = family_of(session.judge.goal.game)
        play = family.play_of(self.strategy, session.match, session.spot)
        return next(option for option in session.options if option.match_play == play)


@dataclass(frozen=True)
class ErringBot:
    """Plays an option with chance proportional to exp(-loss / temperature); the same seed errs the same way again."""

    temperature: float
    seed: int | str = 0
    name: str = "errs"

    def __post_init__(self) -> None:
        if not self.temperature > 0:
            raise ValueError(
                f"the temperature lies above 0, got {self.temperature!r}; for no errors take optimal or look-ahead"
            )

    def choose(self, session: "Session") -> Option:
        """Draw by the number of steps made, so that undoing changes nothing."""
        weights = [exp(-float(session.loss(option)) / self.temperature) for option in session.options]
        return _dice(self.seed, session).choices(session.options, weights)[0]


def best_name(judge: Judge) -> str:
    """Return the name of the best opponent: optimal, or look-ahead where values are estimates."""
    return LOOK_AHEAD if judge.measure.is_estimate else OPTIMAL


def opponents(judge: Judge) -> tuple[str, ...]:
    """Return the names of the opponents that fit the game; any number may stand in a name that has one."""
    rules = [name for name in family_of(judge.goal.game).strategies(judge.goal) if name != OPTIMAL]
    return (best_name(judge), FRIEND, *STRENGTHS, *rules, "errs-0.05")


def bot_named(name: str, judge: Judge, *, seat: int = 1, seed: int | str = 0) -> Bot | None:
    """Return the opponent of a name for a seat, None for a friend at the same keyboard; refuse one that does not fit.

    Names: optimal, or look-ahead where the game is not solved; friend; club, casual, beginner (they err more and more);
    errs-T with a temperature T in what the goal counts, such as errs-0.05 in win chance; and the strategies of the game,
    such as stop-at-20 or roll-5-times.
    """
    if name == FRIEND:
        return None
    if name == best_name(judge):
        return BestBot(name, seed)
    if name == OPTIMAL:
        raise ValueError(f"this game is not solved, so there is no best play for it, got {name!r}; take {LOOK_AHEAD}")
    if name in STRENGTHS:
        return ErringBot(STRENGTHS[name] * judge.measure.mistake, seed, name)
    if errs := fullmatch(r"errs-(\d{1,12}|\d{0,12}\.\d{1,12}|\de-\d{1,2})", name, ASCII):
        return ErringBot(float(errs[1]), seed, name)
    try:
        return RuleBot(family_of(judge.goal.game).strategy(judge.goal, name, seat))
    except UnknownName:
        known = ", ".join(opponents(judge))
        raise UnknownName(f"an opponent is one of {known} (any number for these), got {name!r}") from None


def _dice(seed: int | str, session: "Session") -> random.Random:
    return random.Random(f"{seed}/{session.seed}/{len(session.steps)}")
