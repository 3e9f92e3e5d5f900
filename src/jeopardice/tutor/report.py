"""After the game: every decision with what it cost, and the result divided into luck and skill.

Let v be what the game is worth to a seat under best play from there on. A roll moves v by **luck**: the dice fell better
or worse than they do on average, so its mean is 0. A choice moves v by **skill**: from the value of the best option to
the value of the one taken, so it only ever costs the player who chooses. The steps form a chain, hence

    final - initial = sum of luck + sum of skill

exactly (in floats up to rounding; in Fractions to the last digit), for every seat, over each roll and each choice of all
players: the second player's blunder is a gain of the first.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from jeopardice.rules.text import plain
from jeopardice.solution import Mark, Measure, Option
from jeopardice.tutor.session import Session, Step, option_json, options_json
from jeopardice.tutor.why import why
from jeopardice.types import JsonObject, MatchRoll, Number

Changes = tuple[Number, ...]
"""By how much something changed the value of each seat."""


@dataclass(frozen=True)
class Decision:
    """A choice out of several; `loss` is that of the player who chose, `skill` the change of every seat's value."""

    step: int
    seat: int
    position: JsonObject
    chosen: Option
    options: tuple[Option, ...]
    loss: Number
    skill: Changes
    mark: Mark | None
    is_best: bool

    @property
    def best(self) -> Option:
        """The best option."""
        return self.options[0]


@dataclass(frozen=True)
class Fall:
    """A roll, and the luck of it for every seat."""

    step: int
    seat: int
    position: JsonObject
    roll: MatchRoll
    bust: bool
    before: tuple[Number, ...]
    after: tuple[Number, ...]
    luck: Changes


@dataclass(frozen=True)
class Report:
    """`luck[who][seat]` and `skill[who][seat]` sum what the rolls and choices of `who` brought `seat`."""

    measure: Measure
    initial: tuple[Number, ...]
    final: tuple[Number, ...]
    is_over: bool
    winners: tuple[int, ...]
    decisions: tuple[Decision, ...]
    falls: tuple[Fall, ...]
    luck: tuple[Changes, ...]
    skill: tuple[Changes, ...]
    session: Session = field(repr=False)

    def luck_of(self, seat: int) -> Number:
        """Return all the luck of the game as a seat sees it."""
        return sum(luck[seat] for luck in self.luck)

    def skill_of(self, seat: int) -> Number:
        """Return what all choices brought a seat."""
        return sum(skill[seat] for skill in self.skill)

    def remainder(self, seat: int = 0) -> Number:
        """Return final - initial - luck - skill: 0, or in floats what rounding leaves."""
        return self.final[seat] - self.initial[seat] - self.luck_of(seat) - self.skill_of(seat)

    def loss(self, seat: int) -> Number:
        """Return what the decisions of a seat cost it in all."""
        return sum(decision.loss for decision in self.decisions if decision.seat == seat)

    def marks(self, seat: int) -> dict[str, int]:
        """Return how many inaccuracies, mistakes and blunders a seat made."""
        marks = [decision.mark for decision in self.decisions if decision.seat == seat]
        return {mark: marks.count(mark) for mark in ("inaccuracy", "mistake", "blunder")}

    def why(self, decision: Decision) -> str:
        """Return why the best play was better than the one chosen."""
        return why(self.session.undo(len(self.session.steps) - decision.step), decision.chosen)

    def as_json(self) -> JsonObject:
        """Return the report as plain data, Fractions as floats; `luck` and `skill` are those of each seat for seat 0."""
        players = range(len(self.luck))
        return {
            "measure": self.measure.name,
            "prefers_less": self.measure.prefers_less,
            "is_estimate": self.measure.is_estimate,
            "thresholds": self.measure.thresholds(),
            "initial": float(self.initial[0]),
            "final": float(self.final[0]),
            "is_over": self.is_over,
            "winner": self.winners[0] if len(self.winners) == 1 else None,
            "winners": list(self.winners),
            "luck": [float(luck[0]) for luck in self.luck],
            "skill": [float(skill[0]) for skill in self.skill],
            "luck_for_seats": [[float(luck[seat]) for seat in players] for luck in self.luck],
            "skill_for_seats": [[float(skill[seat]) for seat in players] for skill in self.skill],
            "loss": [float(self.loss(seat)) for seat in players],
            "marks": [self.marks(seat) for seat in players],
            "decisions": [
                _decision_json(decision) | {"why": self.why(decision) if decision.mark else ""}
                for decision in self.decisions
            ],
            "rolls": [_fall_json(fall) for fall in self.falls],
        }


def report(session: Session) -> Report:
    """Return the report of a game, finished or not; an unfinished one ends at what it is worth now.

    >>> from jeopardice import Pig, Race, solve
    >>> from jeopardice.tutor import Session, judge_of
    >>> game = Session.new(judge_of(solve(Race(Pig(), target=100, players=2))))
    >>> for roll in (2, 3):
    ...     game = game.choose("roll").roll((roll,))
    >>> [(d.chosen.play, d.best.play, d.mark) for d in report(game.choose("stop")).decisions]
    [('roll', 'roll', None), ('stop', 'roll', 'mistake')]
    """
    steps = list(enumerate(session.steps))
    return Report(
        session.judge.measure,
        session.initial,
        session.values,
        session.phase == "over",
        session.winners,
        tuple(_decision(session, n, step, step.option) for n, step in steps if step.option and not step.is_forced),
        tuple(_fall(session, n, step) for n, step in steps if step.option is None),
        _sums(session, Step.luck),
        _sums(session, Step.skill),
        session,
    )


def _sums(session: Session, part: Callable[[Step, int], Any]) -> tuple[Changes, ...]:
    """Return what one part of the steps that each seat made brought every seat."""
    seats = range(session.match.players)
    return tuple(
        tuple(sum(part(step, seat) for step in session.steps if step.seat == who) for seat in seats) for who in seats
    )


def _decision(session: Session, number: int, step: Step, chosen: Option) -> Decision:
    is_best = bool(step.loss <= session.judge.tie)
    mark = None if is_best else session.judge.measure.mark(step.loss)
    skill = tuple(step.skill(seat) for seat in range(len(step.before)))
    position = session.match.to_json(step.spot)
    return Decision(number, step.seat, position, chosen, step.options, step.loss, skill, mark, is_best)


def _fall(session: Session, number: int, step: Step) -> Fall:
    position = session.match.to_json(step.spot)
    return Fall(number, step.seat, position, step.roll, step.bust, step.before, step.after, _changes(step))


def _changes(step: Step) -> Changes:
    return tuple(step.change(seat) for seat in range(len(step.before)))


def _decision_json(decision: Decision) -> JsonObject:
    return {
        "step": decision.step,
        "seat": decision.seat,
        "position": decision.position,
        "chosen": option_json(decision.chosen, decision.options.index(decision.chosen)),
        "best": option_json(decision.best, 0),
        "loss": float(decision.loss),
        "skill": float(decision.skill[0]),
        "mark": decision.mark,
        "is_best": decision.is_best,
        "choices": options_json(decision.options, with_values=True),
    }


def _fall_json(fall: Fall) -> JsonObject:
    where = {"step": fall.step, "seat": fall.seat, "position": fall.position}
    fallen = {"roll": plain(fall.roll), "bust": fall.bust}
    values = {name: float(getattr(fall, name)[0]) for name in ("before", "after", "luck")}
    return where | fallen | values | {"luck_for_seats": [float(luck) for luck in fall.luck]}
