"""The referee of every points game: Pig, Ten Thousand, Farkle, Hog and whatever rules a user writes.

A turn opens with the choice to roll, and each roll that is no bust with the choice of a play *and* of what follows it,
stop or roll, so that choices and dice alternate. Every value comes from a solution: a choice is worth what `advise`
says, the fall of the dice what the best choice after it is worth.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, Literal

from jeopardice.errors import PositionError
from jeopardice.game import Mode, PointsGame
from jeopardice.moments import Option, TurnView
from jeopardice.solution import AloneSolution, DuelSolution
from jeopardice.strategy import Moment
from jeopardice.turn_table import checked_rolls
from jeopardice.tutor.referee import Choice, Measure, dice_words, found, plain

CHANCE_MARKS = (0.005, 0.02, 0.05)
TURN_MARKS = (0.05, 0.2, 0.5)
ROUNDING = 1e-10
MOST_COUNTED = 10**9


@dataclass(frozen=True)
class PointsSpot:
    """The standings, who has the dice, and the turn so far; `turn` and `rolls_made` count the whole game.

    `roll` is the roll to be played, made in `mode` with `at_risk` at risk before it. `rolling` says that the dice fall
    next. `rolls` are those of this turn.
    """

    standings: tuple[int, ...]
    seat: int = 0
    at_risk: int = 0
    mode: Mode = None
    roll: Any = None
    rolling: bool = False
    rolls: int = 0
    turn: int = 0
    rolls_made: int = 0


@dataclass(frozen=True, eq=False)
class PointsReferee:
    """Knows a race alone or for two by its solution."""

    solution: AloneSolution | DuelSolution
    _view: Callable[..., TurnView] = field(init=False, repr=False)
    _choices: Callable[[PointsSpot], tuple[Choice, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.solution, AloneSolution | DuelSolution):
            raise TypeError(f"one plays a race, alone or for two: solve(Race(...)), got {self.solution!r}")
        object.__setattr__(self, "_view", lru_cache(maxsize=512)(self._replayed))
        object.__setattr__(self, "_choices", lru_cache(maxsize=2048)(self._valued_choices))

    @property
    def goal(self) -> Any:
        """The race that is played."""
        return self.solution.goal

    @property
    def players(self) -> int:
        """One or two."""
        return self.solution.goal.players

    @property
    def target(self) -> int:
        """The points that end the race."""
        return int(self.solution.goal.target or 0)

    @property
    def measure(self) -> Measure:
        """Win chance, or expected margin; alone turns, rolls or the chance to be there in time."""
        goal = self.solution.goal
        if goal.players == 2:
            if goal.payoff == "win":
                return Measure("win chance", *CHANCE_MARKS)
            inaccuracy, mistake, blunder = (mark * self.target for mark in CHANCE_MARKS)
            return Measure("points", inaccuracy, mistake, blunder)
        if goal.within is not None:
            return Measure("chance", *CHANCE_MARKS)
        inaccuracy, mistake, blunder = (mark * (1 if goal.cost == "turns" else 3) for mark in TURN_MARKS)
        return Measure(goal.cost, inaccuracy, mistake, blunder, prefers_less=True)

    @property
    def counts(self) -> Literal["points", "spaces"]:
        """Points."""
        return "points"

    @property
    def tie(self) -> float:
        """Far above what solvers leave (their certified bounds lie near 1e-12), far below what a player can notice."""
        return 0.0 if self.solution.is_exact else ROUNDING

    def game(self, seat: int) -> PointsGame:
        """The rules a seat plays by."""
        goal = self.solution.goal
        rules: PointsGame = goal.opponent if seat and goal.opponent is not None else goal.game
        return rules

    def start(self) -> PointsSpot:
        """Nobody has points and seat 0 has the dice."""
        return self._opened(PointsSpot((0,) * self.players))

    def seat(self, spot: PointsSpot) -> int:
        """Who has the dice; once the race is over, who had them last."""
        return spot.seat

    def is_over(self, spot: PointsSpot) -> bool:
        """Whether a standing has reached the target, or the turns allowed are used up."""
        within = self.solution.goal.within
        return self.winner(spot) is not None or (within is not None and spot.turn >= within)

    def winner(self, spot: PointsSpot) -> int | None:
        """The seat whose standing has reached the target."""
        return next((seat for seat, points in enumerate(spot.standings) if points >= self.target), None)

    def rolls(self, spot: PointsSpot) -> Mapping[Any, int]:
        """The rolls of the mode, if the dice fall next."""
        return checked_rolls(self.game(spot.seat), spot.mode) if spot.rolling else {}

    def choices(self, spot: PointsSpot) -> tuple[Choice, ...]:
        """Every play with what can follow it, most points first."""
        return () if spot.rolling or self.is_over(spot) else self._choices(spot)

    def after_roll(self, spot: PointsSpot, roll: Any) -> tuple[PointsSpot, bool]:
        """A roll to be played; or a bust, and the turn passes."""
        fallen = replace(spot, rolls_made=spot.rolls_made + 1)
        if not self.game(spot.seat).plays(spot.mode, roll):
            return self._passed(fallen, spot.standings), True
        return replace(fallen, roll=roll, rolling=False, rolls=spot.rolls + 1), False

    def after_choice(self, spot: PointsSpot, choice: Choice) -> PointsSpot:
        """A stop banks and passes the dice (an overshoot of an exact finish banks nothing); else the dice fall."""
        if not choice.stops:
            return replace(spot, at_risk=choice.points, mode=choice.mode, roll=None, rolling=True)
        banked = spot.standings[spot.seat] + choice.points
        if self.solution.goal.finish == "exact" and banked > self.target:
            banked = spot.standings[spot.seat]
        standings = tuple(banked if seat == spot.seat else points for seat, points in enumerate(spot.standings))
        return self._passed(spot, standings)

    def value(self, spot: PointsSpot) -> Any:
        """From the solution; at the end from the standings."""
        if self.is_over(spot):
            return self._outcome(spot)
        if not spot.rolling:
            return self.running(spot, next(c.value for c in self.choices(spot) if c.rank == 0))
        view = self.view(spot)
        return self.running(spot, view.shown(view.roll_worth(view.units(spot.at_risk), view.mode_index(spot.mode))))

    def running(self, spot: PointsSpot, value: Any) -> Any:
        """For seat 0 what it leaves the other; alone with the turns or rolls made so far."""
        if isinstance(self.solution, DuelSolution):
            return value if spot.seat == 0 else self.solution.total - value
        if self.solution.goal.within is not None:
            return value
        return value + self._spent(spot)

    def position(self, spot: PointsSpot) -> dict[str, Any]:
        """Every part of the spot, rolls and modes as JSON writes them."""
        return {part.name: plain(getattr(spot, part.name)) for part in fields(spot)}

    def spot_at(self, position: Mapping[str, Any]) -> PointsSpot:
        """Read a position back; parts left out are those of a turn that begins."""
        known = {part.name for part in fields(PointsSpot)}
        if unknown := set(position) - known:
            raise PositionError(f"a position has {', '.join(sorted(known))}; {sorted(unknown)[0]!r} is none of them")
        counts = {name: position.get(name, 0) for name in ("seat", "at_risk", "rolls", "turn", "rolls_made")}
        standings = position.get("standings", (0,) * self.players)
        if not isinstance(standings, list | tuple) or len(standings) != self.players:
            raise PositionError(f"standings has {self.players} scores, got {standings!r}")
        for name, count in (*counts.items(), *(("a standing", points) for points in standings)):
            if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= MOST_COUNTED:
                raise PositionError(f"{name} is a whole number from 0 to {MOST_COUNTED}, got {count!r}")
        if counts["seat"] >= self.players:
            raise PositionError(f"seat lies below {self.players}, got seat={counts['seat']!r}")
        game, mode = self.game(counts["seat"]), position.get("mode")
        view = self._view(tuple(standings), counts["seat"], counts["turn"])
        to_go = self.target - standings[counts["seat"]]
        if view.units(counts["at_risk"]) * view.table.unit >= to_go:
            raise PositionError(
                f"at_risk lies below {to_go}, which would reach the target, got at_risk={counts['at_risk']!r}"
            )
        mode = game.opening if mode is None else found(mode, view.table.modes, "mode")
        roll = position.get("roll")
        if roll is not None:
            roll = found(roll, checked_rolls(game, mode), "roll")
        rolling = bool(position.get("rolling", False))
        if rolling and roll is not None:
            raise PositionError(
                f"either the dice fall next or a roll is to be played, got rolling=True and roll={roll!r}"
            )
        spot = PointsSpot(tuple(standings), mode=mode, roll=roll, rolling=rolling, **counts)
        if not rolling:
            self.choices(spot)
        return spot

    def scores(self, spot: PointsSpot, names: Sequence[str]) -> str:
        """Name everybody's standing: you: 42, optimal: 57."""
        return ", ".join(f"{name}: {points}" for name, points in zip(names, spot.standings, strict=True))

    def picture(self, spot: PointsSpot, names: Sequence[str]) -> list[str]:
        """None: the scores say it all."""
        return []

    def brief(self, spot: PointsSpot) -> str:
        """Write the spot shortly as who has the dice sees it: 42:57 +14 and the dice."""
        theirs = f":{spot.standings[1 - spot.seat]}" if self.players == 2 else ""
        at_risk = f" +{spot.at_risk}" if spot.at_risk or spot.roll else ""
        return f"{spot.standings[spot.seat]}{theirs}{at_risk}{' ' + dice_words(spot.roll, '') if spot.roll else ''}"

    def describe(self, spot: PointsSpot) -> str:
        """Say what is at risk and what was rolled; nothing at the beginning of a turn."""
        rolled = f"rolled {dice_words(spot.roll)}" if spot.roll else ""
        points = {choice.points for choice in self.choices(spot)}
        if len(points) == 1 and max(points):
            return f"{rolled}{', ' if rolled else 'have '}{max(points)} at risk"
        return f"{rolled}{f', {spot.at_risk} at risk before' if spot.at_risk else ''}"

    def moment(self, spot: PointsSpot) -> Moment:
        """The moment that a strategy sees: before the roll that is to be played."""
        theirs = spot.standings[1 - spot.seat] if self.players == 2 else 0
        rolls = spot.rolls - (spot.roll is not None)
        return Moment(spot.at_risk, spot.mode, rolls, spot.standings[spot.seat], theirs, self.target)

    def view(self, spot: PointsSpot) -> TurnView:
        """The turn in progress, ready for questions about its moments."""
        return self._view(spot.standings, spot.seat, spot.turn)

    def _replayed(self, standings: tuple[int, ...], seat: int, turn: int) -> TurnView:
        if isinstance(self.solution, DuelSolution):
            return self.solution.view(standings[seat], standings[1 - seat], seat=seat)
        within = self.solution.goal.within
        return self.solution.view(standings[0], turns_left=None if within is None else within - turn)

    def _valued_choices(self, spot: PointsSpot) -> tuple[Choice, ...]:
        options = self.view(spot).advise(spot.at_risk, spot.mode, spot.roll).options
        ranked = {
            _words(option, options, spot, self.game(spot.seat)): rank
            for rank, option in reversed(list(enumerate(options)))
        }
        choices = [
            Choice(words, o.value, rank, o.stops, o.points, o.mode, o.kept)
            for words, rank in ranked.items()
            for o in (options[rank],)
        ]
        return tuple(sorted(choices, key=_neutrally))

    def _opened(self, spot: PointsSpot) -> PointsSpot:
        """Return the spot a turn begins at; where nothing can fall but one roll (Hog), it has fallen."""
        if self.is_over(spot):
            return spot
        game = self.game(spot.seat)
        opened = replace(spot, mode=game.opening)
        rolls = checked_rolls(game, game.opening)
        if len(rolls) == 1 and self.solution.goal.cost == "turns":
            return replace(opened, roll=next(iter(rolls)))
        return opened

    def _passed(self, spot: PointsSpot, standings: tuple[int, ...]) -> PointsSpot:
        after = PointsSpot(standings, spot.seat, turn=spot.turn + 1, rolls_made=spot.rolls_made)
        return after if self.is_over(after) else self._opened(replace(after, seat=(spot.seat + 1) % self.players))

    def _spent(self, spot: PointsSpot) -> int:
        return spot.turn if self.solution.goal.cost == "turns" else spot.rolls_made

    def _outcome(self, spot: PointsSpot) -> int:
        winner, goal = self.winner(spot), self.solution.goal
        if self.players == 1:
            return int(winner == 0) if goal.within is not None else self._spent(spot)
        if goal.payoff == "win":
            return int(winner == 0)
        return self.target - spot.standings[1] if winner == 0 else spot.standings[0] - self.target


def _words(option: Option, options: tuple[Option, ...], spot: PointsSpot, game: PointsGame) -> str:
    """Return words that tell the option from all others; the plays of a user's game may have no dice to name."""
    alike = [o for o in options if o.play == option.play and (o.points, o.mode) != (option.points, option.mode)]
    if not alike:
        return option.play
    gained = option.points - spot.at_risk
    take = f"take {gained}" if any(o.points != option.points for o in alike) else ""
    if option.stops:
        return f"{take} and stop"
    named = getattr(game, "roll_words", None)
    roll = named(option.mode) if named else f"roll in mode {option.mode}"
    many_modes = any(o.mode != option.mode for o in alike)
    return ", ".join(part for part in (take, roll if many_modes else "roll") if part)


def _neutrally(choice: Choice) -> tuple[Any, ...]:
    """Sort most points first, stop before roll, by the number of dice: an order that gives nothing away."""
    return (-choice.points, choice.kept, not choice.stops, plain(choice.mode) if isinstance(choice.mode, int) else 0)
