"""What is wanted of a game: the most points of one turn, to win a race, the best rate, or a race at the same time.

A goal is a value: it checks itself, compares and prints completely, and knows nothing of how it is reached. The rules
between turns that it names are gathered in its `house` and its `ending`.
"""

from dataclasses import dataclass, fields
from typing import ClassVar, Literal, get_args

from jeopardice.rules.ending import Ending, Payoff, Ties
from jeopardice.rules.game import as_whole, default_target
from jeopardice.rules.house import House, Penalty
from jeopardice.types import Game

Finish = Literal["reach", "exact"]
Cost = Literal["turns", "rolls"]
BothReach = Literal["higher", "share"]
Indifferent = Literal["stop", "roll"]
MOST_PLAYERS = 8


def next_seat(seat: int, players: int) -> int:
    """Return the seat that has the dice after `seat`.

    >>> next_seat(0, 2), next_seat(2, 3)
    (1, 0)
    """
    return (seat + 1) % players


@dataclass(frozen=True)
class Turn:
    """One turn, for the most points on average; `bank_from` is the least one may bank (0: anything)."""

    game: Game
    bank_from: int = 0

    players: ClassVar[int] = 1
    target: ClassVar[int | None] = None
    ending: ClassVar[Ending] = Ending()

    def __post_init__(self) -> None:
        _set_whole(self, "bank_from", least=0)

    @property
    def games(self) -> tuple[Game, ...]:
        """The game of the only seat."""
        return (self.game,)

    @property
    def house(self) -> House:
        """The rules between turns."""
        return House(bank_from=self.bank_from)


@dataclass(frozen=True)
class Race:
    """Turn after turn until the target is reached.

    Alone (`players=1`) the fewest turns on average are wanted, or the fewest rolls (`cost="rolls"`), or the best chance
    to be there `within` this many turns. For two and more players it is the chance to win, or for two the expected margin
    (`payoff="margin"`: the winner gets the target minus the loser's score). `finish="exact"` makes an overshoot a bust.
    `opponent` gives the second of two seats a game of its own, `opponents` all seats but the first. `bank_from`,
    `open_from`, `busts`, `penalty` and `floor` are those of `House`, `last_round` and `ties` those of `Ending`. With
    `piggyback` the next player may take over the dice left and the points just banked, and roll on with them.

    `indifferent` is no rule of the game, but part of what best play of three and more is: whether a player to whom stop and
    roll are worth the same will "stop" or "roll". It may matter to the others.
    """

    game: Game
    target: int | None = None
    players: int = 1
    finish: Finish = "reach"
    payoff: Payoff = "win"
    cost: Cost = "turns"
    within: int | None = None
    opponent: Game = None
    bank_from: int = 0
    open_from: int = 0
    busts: int = 0
    penalty: Penalty = 0
    floor: int | None = 0
    last_round: bool = False
    ties: Ties = "first"
    opponents: tuple[Game, ...] = ()
    piggyback: bool = False
    indifferent: Indifferent = "stop"

    def __post_init__(self) -> None:
        if self.target is None:
            object.__setattr__(self, "target", default_target(self.game))
        if self.target is not None:
            _set_whole(self, "target", least=1)
        players = as_whole(self.players)
        if players is None or not 1 <= players <= MOST_PLAYERS:
            raise ValueError(f"a race is for 1 to {MOST_PLAYERS} players, got players={self.players!r}")
        object.__setattr__(self, "players", players)
        words = (("finish", Finish), ("payoff", Payoff), ("cost", Cost), ("ties", Ties), ("indifferent", Indifferent))
        for name, known in words:
            _check_word(self, name, get_args(known))
        for name in ("last_round", "piggyback"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} is True or False, got {name}={getattr(self, name)!r}")
        if self.within is not None:
            _set_whole(self, "within", least=1)
        for name in ("bank_from", "open_from", "busts"):
            _set_whole(self, name, least=0)
        if self.penalty != "all":
            _set_whole(self, "penalty", least=0)
        if self.floor is not None:
            floor = as_whole(self.floor)
            if floor is None:
                raise ValueError(f"floor is a whole number of 0 or less, or None, got floor={self.floor!r}")
            object.__setattr__(self, "floor", floor)
        _ = self.house, self.ending  # each checks itself
        self._check_players()

    def _check_players(self) -> None:
        """Refuse options that need another number of players, and options that contradict each other."""
        usual = {f.name: f.default for f in fields(self)}
        alone, two = self.players == 1, self.players == 2
        for names, holds, remedy in (
            (("payoff", "opponent", "piggyback"), two, "players=2"),
            (("last_round", "opponents"), not alone, "players=2 or more"),
            (("indifferent",), self.players > 2, "players=3 or more"),
            (("cost", "within"), alone, "players=1"),
        ):
            for name in names:
                if not holds and getattr(self, name) != usual[name]:
                    got = f"{name}={getattr(self, name)!r}"
                    raise ValueError(f"{got} needs {remedy}, got players={self.players}")
        if self.within is not None and self.cost != "turns":
            raise ValueError("within counts turns; leave cost='turns'")
        if self.ties != "first" and not self.last_round:
            raise ValueError(f"ties={self.ties!r} needs a last round, where scores can tie; set last_round=True")
        if self.payoff == "margin" and self.floor is None:
            raise ValueError(
                "payoff='margin' has no limit where scores may fall for ever; give a floor, such as floor=0"
            )
        if self.floor != 0 and not self.busts:
            raise ValueError(f"floor={self.floor!r} needs a penalty that lowers scores; set busts=3, penalty=500")
        if self.opponents:
            object.__setattr__(self, "opponents", tuple(self.opponents))
            if self.opponent is not None or len(self.opponents) != self.players - 1:
                raise ValueError(
                    f"opponents has one game for each of the other {self.players - 1} seats (and opponent is left out), "
                    f"got {len(self.opponents)}"
                )

    @property
    def games(self) -> tuple[Game, ...]:
        """The game of every seat, in the order of play."""
        if self.opponents:
            return (self.game, *self.opponents)
        if self.opponent is not None:
            return (self.game, self.opponent)
        return (self.game,) * self.players

    @property
    def house(self) -> House:
        """The rules between turns."""
        return House(self.bank_from, self.open_from, self.busts, self.penalty, self.floor)

    @property
    def is_plain(self) -> bool:
        """Whether plans cover the rules between turns: none but a minimum to bank."""
        return not (self.house.busts or self.house.open_from or self.last_round or self.piggyback)

    def alone(self, seat: int, cost: Cost = "turns") -> "Race":
        """The race that a seat would run alone: the same target, finish and minimum to bank."""
        return Race(self.games[seat], self.target, finish=self.finish, cost=cost, bank_from=self.bank_from)

    def one_turn(self, seat: int) -> Turn:
        """A turn of a seat on its own."""
        return Turn(self.games[seat], self.bank_from)

    @property
    def ends_past(self) -> int | None:
        """How far past the target a turn is over, in units; None if it may go on.

        With a last round one may roll on at the target. Where it must be hit, more is a bust, which may be worth more.
        """
        if not self.last_round:
            return 0
        return 1 if self.finish == "exact" else None

    @property
    def ending(self) -> Ending:
        """When the race is over, and what the end is worth."""
        return Ending(self.payoff, self.finish == "exact", self.last_round, self.ties)


@dataclass(frozen=True)
class Rate:
    """Turn after turn without an end, for the most points per turn in the long run.

    A minimum to bank, and a penalty after `busts` busts in a row; scores have no floor, so every penalty counts.
    """

    game: Game
    bank_from: int = 0
    busts: int = 0
    penalty: int = 0

    players: ClassVar[int] = 1
    target: ClassVar[int | None] = None
    ending: ClassVar[Ending] = Ending()

    def __post_init__(self) -> None:
        for name in ("bank_from", "busts", "penalty"):
            _set_whole(self, name, least=0)
        _ = self.house

    @property
    def games(self) -> tuple[Game, ...]:
        """The game of the only seat."""
        return (self.game,)

    @property
    def house(self) -> House:
        """The rules between turns."""
        return House(bank_from=self.bank_from, busts=self.busts, penalty=self.penalty, floor=None)


@dataclass(frozen=True)
class Simultaneous:
    """A race for two where nobody is first: both choose at the same time, both roll, and both scores move.

    It is for games whose turn holds one choice, made before the dice are rolled, such as Hog. A player who alone reaches the
    target wins; if both do in the same turn, the higher score wins and equal ones share (`both_reach="higher"`), or they
    share whatever the scores (`"share"`).
    """

    game: Game
    target: int | None = None
    both_reach: BothReach = "higher"

    players: ClassVar[int] = 2
    house: ClassVar[House] = House()
    ending: ClassVar[Ending] = Ending()

    def __post_init__(self) -> None:
        if self.target is None:
            object.__setattr__(self, "target", default_target(self.game))
        if self.target is not None:
            _set_whole(self, "target", least=1)
        _check_word(self, "both_reach", get_args(BothReach))

    @property
    def games(self) -> tuple[Game, ...]:
        """The game of both seats."""
        return (self.game, self.game)


Goal = Turn | Race | Rate | Simultaneous
"""Each goal has a game, `games` (one per seat), `players`, a `target` (None: there is none), a `house` and an `ending`."""


def race_of(goal: Goal) -> Race:
    """Return a goal that can only be a race; any other is refused."""
    if not isinstance(goal, Race):
        raise TypeError(f"this needs a race, such as Race(game, players=2), got {goal!r}")
    return goal


def _set_whole(goal: object, name: str, *, least: int) -> None:
    """Make a field of a goal an int, whatever kind of whole number came, or say what was needed."""
    number = as_whole(given := getattr(goal, name))
    if number is None or number < least:
        raise ValueError(f"{name} is a whole number of at least {least}, got {name}={given!r}")
    object.__setattr__(goal, name, number)


def _check_word(goal: object, name: str, words: tuple[str, ...]) -> None:
    if (given := getattr(goal, name)) not in words:
        raise ValueError(f"{name} is {' or '.join(map(repr, words))}, got {name}={given!r}")
