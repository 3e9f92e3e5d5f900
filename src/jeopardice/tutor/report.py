"""After the game: every decision with what it cost, and the result divided into luck and skill.

Let v be what the game is worth to seat 0 under best play from there on. A roll moves v by **luck**: the dice fell
better or worse than they do on average, so its mean is 0. A choice moves v by **skill**: from the worth of the best
choice to the worth of the one made, so it only ever costs who chooses. The steps form a chain, hence

    final - initial = sum of luck + sum of skill

exactly (in floats up to rounding; in Fractions to the last digit), for each roll and each choice of both players. In a
duel all four sums are seen from seat 0: the second player's blunder is a gain there.
"""

from dataclasses import dataclass
from typing import Any

from jeopardice.tutor.referee import Choice, Mark, Measure, plain
from jeopardice.tutor.session import Session, Step


@dataclass(frozen=True)
class Decision:
    """A choice out of several; values and loss are those of the player who chose, `skill` is seat 0's."""

    step: int
    seat: int
    position: dict[str, Any]
    chosen: Choice
    best: Choice
    choices: tuple[Choice, ...]
    loss: Any
    skill: Any
    mark: Mark | None
    is_best: bool


@dataclass(frozen=True)
class Fall:
    """A roll, and the luck of it for seat 0."""

    step: int
    seat: int
    position: dict[str, Any]
    roll: Any
    bust: bool
    before: Any
    after: Any
    luck: Any


@dataclass(frozen=True)
class Report:
    """`luck[seat]` and `skill[seat]` are sums over that player's rolls and choices, all for seat 0."""

    measure: Measure
    initial: Any
    final: Any
    is_over: bool
    winner: int | None
    decisions: tuple[Decision, ...]
    falls: tuple[Fall, ...]
    luck: tuple[Any, ...]
    skill: tuple[Any, ...]

    @property
    def remainder(self) -> Any:
        """Final - initial - luck - skill: 0, or in floats what rounding leaves."""
        return self.final - self.initial - sum(self.luck) - sum(self.skill)

    def loss(self, seat: int) -> Any:
        """Return what the decisions of a seat cost it in all."""
        return sum(decision.loss for decision in self.decisions if decision.seat == seat)

    def marks(self, seat: int) -> dict[str, int]:
        """Return how many inaccuracies, mistakes and blunders a seat made."""
        marks = [decision.mark for decision in self.decisions if decision.seat == seat]
        return {mark: marks.count(mark) for mark in ("inaccuracy", "mistake", "blunder")}

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data, Fractions as floats."""
        return {
            "measure": self.measure.name,
            "prefers_less": self.measure.prefers_less,
            "thresholds": self.measure.thresholds(),
            "initial": float(self.initial),
            "final": float(self.final),
            "is_over": self.is_over,
            "winner": self.winner,
            "luck": [float(luck) for luck in self.luck],
            "skill": [float(skill) for skill in self.skill],
            "loss": [float(self.loss(seat)) for seat in range(len(self.luck))],
            "marks": [self.marks(seat) for seat in range(len(self.luck))],
            "decisions": [_decision_json(decision) for decision in self.decisions],
            "rolls": [_fall_json(fall) for fall in self.falls],
        }


def report(session: Session) -> Report:
    """Return the report of a game, finished or not; an unfinished one ends at what it is worth now.

    >>> from jeopardice import Pig, Race, solve
    >>> from jeopardice.tutor import PointsReferee, Session
    >>> game = Session.new(PointsReferee(solve(Race(Pig(), target=100, players=2))))
    >>> for roll in (2, 3):
    ...     game = game.choose("roll").roll((roll,))
    >>> told = report(game.choose("stop"))
    >>> [(d.chosen.play, d.best.play, d.mark) for d in told.decisions]
    [('roll', 'roll', None), ('stop', 'roll', 'mistake')]
    """
    players = session.referee.players
    decisions, falls = [], []
    luck: list[Any] = [0] * players
    skill: list[Any] = [0] * players
    for number, step in enumerate(session.steps):
        if step.choice is None:
            falls.append(_fall(session, number, step))
            luck[step.seat] += falls[-1].luck
        else:
            skill[step.seat] += step.after - step.before
            if not step.is_forced:
                decisions.append(_decision(session, number, step, step.choice))
    return Report(
        session.referee.measure,
        session.initial,
        session.value,
        session.phase == "over",
        session.referee.winner(session.spot) if session.phase == "over" else None,
        tuple(decisions),
        tuple(falls),
        tuple(luck),
        tuple(skill),
    )


def _decision(session: Session, number: int, step: Step, chosen: Choice) -> Decision:
    is_best = bool(step.loss <= session.referee.tie)
    return Decision(
        number,
        step.seat,
        session.referee.position(step.spot),
        chosen,
        step.best,
        tuple(sorted(step.choices, key=lambda choice: choice.rank)),
        step.loss,
        step.after - step.before,
        None if is_best else session.referee.measure.mark(step.loss),
        is_best,
    )


def _fall(session: Session, number: int, step: Step) -> Fall:
    position = session.referee.position(step.spot)
    return Fall(number, step.seat, position, step.roll, step.bust, step.before, step.after, step.after - step.before)


def _decision_json(decision: Decision) -> dict[str, Any]:
    return {
        "step": decision.step,
        "seat": decision.seat,
        "position": decision.position,
        "chosen": decision.chosen.as_json(with_value=True),
        "best": decision.best.as_json(with_value=True),
        "loss": float(decision.loss),
        "skill": float(decision.skill),
        "mark": decision.mark,
        "is_best": decision.is_best,
        "choices": [choice.as_json(with_value=True) for choice in decision.choices],
    }


def _fall_json(fall: Fall) -> dict[str, Any]:
    shown = {
        "step": fall.step,
        "seat": fall.seat,
        "position": fall.position,
        "roll": plain(fall.roll),
        "bust": fall.bust,
    }
    return shown | {"before": float(fall.before), "after": float(fall.after), "luck": float(fall.luck)}
