"""What is wanted of a game: the most points of one turn, or to win the race to a target, in turns or at the same time.

A goal is a value: it checks itself, compares and prints completely, and knows nothing of how it is reached.
"""

from dataclasses import dataclass
from typing import Any, Literal, get_args

from jeopardice.game import as_whole, default_target

Finish = Literal["reach", "exact"]
Payoff = Literal["win", "margin"]
Cost = Literal["turns", "rolls"]
BothReach = Literal["higher", "share"]


@dataclass(frozen=True)
class Turn:
    """One turn, for the most points on average; `bank_from` is the least one may bank (0: anything)."""

    game: Any
    bank_from: int = 0

    def __post_init__(self) -> None:
        _keep_whole(self, "bank_from", least=0)


@dataclass(frozen=True)
class Race:
    """Turn after turn until the target is reached.

    Alone (`players=1`) the fewest turns on average are wanted, or the fewest rolls (`cost="rolls"`), or the best chance
    to be there `within` so many turns. For two players it is the chance to win, or the expected margin
    (`payoff="margin"`: the winner gets the target minus the loser's score). `finish="exact"` makes an overshoot end
    the turn with nothing. `opponent` gives the second seat a game of its own; `bank_from` is the least one may bank.
    """

    game: Any
    target: int | None = None
    players: int = 1
    finish: Finish = "reach"
    payoff: Payoff = "win"
    cost: Cost = "turns"
    within: int | None = None
    opponent: Any = None
    bank_from: int = 0

    def __post_init__(self) -> None:
        if self.target is None:
            object.__setattr__(self, "target", default_target(self.game))
        if self.target is not None:
            _keep_whole(self, "target", least=1)
        if as_whole(self.players) not in (1, 2):
            raise ValueError(f"a race is for one or two players, got players={self.players!r}")
        object.__setattr__(self, "players", as_whole(self.players))
        for name, options in (("finish", Finish), ("payoff", Payoff), ("cost", Cost)):
            if getattr(self, name) not in get_args(options):
                wanted = " or ".join(map(repr, get_args(options)))
                raise ValueError(f"{name} is {wanted}, got {name}={getattr(self, name)!r}")
        if self.within is not None:
            _keep_whole(self, "within", least=1)
        _keep_whole(self, "bank_from", least=0)
        for name, usual in (("payoff", "win"), ("opponent", None)):
            if self.players == 1 and getattr(self, name) != usual:
                raise ValueError(f"{name}={getattr(self, name)!r} needs an opponent; set players=2")
        for name, usual in (("cost", "turns"), ("within", None)):
            if self.players == 2 and getattr(self, name) != usual:
                raise ValueError(f"{name}={getattr(self, name)!r} is for a race alone; set players=1")
        if self.within is not None and self.cost != "turns":
            raise ValueError("within counts turns; leave cost='turns'")


@dataclass(frozen=True)
class Simultaneous:
    """A race for two where nobody is first: both choose at the same time, both roll, and both scores move.

    It is for games whose turn holds one choice, made before the dice are rolled, such as Hog. Whoever alone reaches the
    target wins; if both do in the same turn, the higher score wins and equal ones share (`both_reach="higher"`), or they
    share whatever the scores (`"share"`).
    """

    game: Any
    target: int | None = None
    both_reach: BothReach = "higher"

    def __post_init__(self) -> None:
        if self.target is None:
            object.__setattr__(self, "target", default_target(self.game))
        if self.target is not None:
            _keep_whole(self, "target", least=1)
        if self.both_reach not in get_args(BothReach):
            raise ValueError(f"both_reach is 'higher' or 'share', got both_reach={self.both_reach!r}")


def _keep_whole(goal: object, name: str, *, least: int) -> None:
    """Make a field of a goal an int, whatever kind of whole number came, or say what was needed."""
    number = as_whole(given := getattr(goal, name))
    if number is None or number < least:
        raise ValueError(f"{name} is a whole number of at least {least}, got {name}={given!r}")
    object.__setattr__(goal, name, number)
