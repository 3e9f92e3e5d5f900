"""Positions to practise: those near indifference, and those where a habit costs much.

Exercises come from games played out by bots that err, so that they look like real games and wander off best play as
people do. *Close* exercises are decisions whose second best choice is nearly as good as the best; *habit* exercises are
those where a common habit (stop at 20; play each turn for the most points) gives away a marked loss. `mistakes` makes
exercises of one's own game. An exercise never tells its answer; `grade` does.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

from jeopardice.analysis.turn_law import turn_law
from jeopardice.errors import PositionError
from jeopardice.game import PointsGame
from jeopardice.goal import Turn
from jeopardice.solution import TurnSolution, solve_points
from jeopardice.strategy import BestPlay, StopAt, Strategy
from jeopardice.turn_table import TurnTable
from jeopardice.tutor.bots import BestBot, Bot, ErringBot, RuleBot
from jeopardice.tutor.points import PointsReferee
from jeopardice.tutor.referee import Choice, Mark, Referee, Spot
from jeopardice.tutor.report import report
from jeopardice.tutor.session import Session, Step, advance

Kind = Literal["close", "habit", "mistake"]
MOST_GAMES = 40
"""Games played out in search of exercises before giving what was found."""


@dataclass(frozen=True)
class Exercise:
    """A decision to be made. `habit` names a habit and what it plays here; told after grading."""

    referee: Referee
    spot: Spot
    kind: Kind
    habit: str | None = None

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What can be chosen, in an order that gives nothing away."""
        return tuple(self.referee.choices(self.spot))

    def as_json(self) -> dict[str, Any]:
        """Return the question as plain data, without the answer."""
        return {
            "kind": self.kind,
            "seat": self.referee.seat(self.spot),
            "position": self.referee.position(self.spot),
            "choices": [choice.as_json(with_value=False) for choice in self.choices],
        }


@dataclass(frozen=True)
class Grade:
    """The answer to an answer: what was chosen, what was best, the loss and its mark, and every choice best first.

    `score` is 1 for the best choice and falls to 0 as the loss grows to a blunder.
    """

    chosen: Choice
    best: Choice
    choices: tuple[Choice, ...]
    loss: Any
    mark: Mark | None
    is_best: bool
    score: float
    habit: str | None
    words: str

    def as_json(self) -> dict[str, Any]:
        """Return the grade as plain data."""
        return {
            "chosen": self.chosen.as_json(with_value=True),
            "best": self.best.as_json(with_value=True),
            "choices": [choice.as_json(with_value=True) for choice in self.choices],
            "loss": float(self.loss),
            "mark": self.mark,
            "is_best": self.is_best,
            "score": self.score,
            "habit": self.habit,
            "words": self.words,
        }


def drill(
    referee: Referee, *, count: int = 10, kind: Literal["close", "habit", "mixed"] = "mixed", seed: int | str = 0,
    habits: Sequence[Strategy] | None = None, most_games: int = MOST_GAMES,
) -> list[Exercise]:  # fmt: skip
    """Return up to `count` exercises; the same seed gives the same ones.

    `habits` are strategies whose errors are looked for; a points game's usual ones if None (see `usual_habits`). Games
    without any have close exercises only. Fewer come back if `most_games` games do not hold as many.
    """
    if count < 1:
        raise ValueError(f"a drill has at least one exercise, got count={count!r}")
    if kind not in ("close", "habit", "mixed"):
        raise ValueError(f"kind is close, habit or mixed, got kind={kind!r}")
    bots = _habits(referee, habits) if kind != "close" else ()
    wanted = {"close": count if not bots else count // 2 if kind == "mixed" else 0}
    wanted["habit"] = count - wanted["close"]
    found: dict[str, dict[Spot, Exercise]] = {"close": {}, "habit": {}}
    for session, step in _decisions(referee, seed, most_games):
        exercise = _exercise(referee, session, step, bots)
        if exercise is not None:
            found[exercise.kind][exercise.spot] = exercise
        if all(len(found[name]) >= 3 * many for name, many in wanted.items()):
            break
    pick = random.Random(f"{seed}/pick")
    exercises = []
    for name, many in wanted.items():
        pool = list(found[name].values())
        exercises += pick.sample(pool, min(many, len(pool)))
    pick.shuffle(exercises)
    return exercises


def mistakes(session: Session, seats: Sequence[int] = (0,)) -> list[Exercise]:
    """Return the marked decisions of these seats as exercises, to be tried again before being told."""
    marked = [d for d in report(session).decisions if d.mark is not None and d.seat in seats]
    return [Exercise(session.referee, session.steps[d.step].spot, "mistake") for d in marked]


def exercise_at(referee: Referee, position: Mapping[str, Any], kind: Kind = "close") -> Exercise:
    """Return the exercise that plain data names: the position of `Exercise.as_json`."""
    if kind not in get_args(Kind):
        raise ValueError(f"kind is one of {', '.join(get_args(Kind))}, got kind={kind!r}")
    exercise = Exercise(referee, referee.spot_at(position), kind)
    if len(exercise.choices) < 2:
        raise PositionError(f"there is nothing to choose at {dict(position)!r}; an exercise needs two plays")
    session = Session(referee, 0, exercise.spot)
    return (_habit_exercise(referee, session, _habits(referee, None)) or exercise) if kind == "habit" else exercise


def grade(exercise: Exercise, play: str) -> Grade:
    """Return how good a play is, with everything the exercise kept to itself."""
    session, measure = Session(exercise.referee, 0, exercise.spot), exercise.referee.measure
    chosen, best = session.choice(play), session.hint[0]
    loss = session.loss(chosen)
    is_best = bool(loss <= exercise.referee.tie)
    mark = None if is_best else measure.mark(loss)
    score = 1.0 if is_best else max(0.0, 1.0 - float(loss) / measure.blunder)
    words = _told(exercise, chosen, best, loss, mark, is_best)
    return Grade(chosen, best, session.hint, loss, mark, is_best, score, exercise.habit, words)


def usual_habits(referee: PointsReferee) -> tuple[Strategy, ...]:
    """Return what people do in a points game, whatever the standings.

    They play each turn for the most points; and if they stop by a number, it is the number that is best on its own
    while taking all points there are (Pig: 20 for both). It is looked for in sections, as the mean rises with the
    number and then falls.
    """
    game = referee.goal.game
    turn = solve_points(Turn(game))
    assert isinstance(turn, TurnSolution)
    habits: list[Strategy] = [BestPlay(turn, "most points a turn")]
    if _one_can_go_on(turn.table):
        habits.append(_best_number(game, turn))
    return tuple(habits)


def _one_can_go_on(table: TurnTable) -> bool:
    """Whether points can be at risk before a roll; where each roll banks (Hog), nobody stops by a number."""
    plays = (play for groups in table.groups for choices in groups for play in choices)
    return any(points and mode < len(table.modes) for points, mode in plays)


def _best_number(game: PointsGame, turn: TurnSolution) -> StopAt:
    unit, law = turn.table.unit, partial(turn_law, game, exact=False)
    least, most = 1, max(1, turn.threshold // unit)
    while most - least > 2:
        third = (most - least) // 3
        lower, upper = least + third, most - third
        if law(StopAt(lower * unit)).mean < law(StopAt(upper * unit)).mean:
            least = lower + 1
        else:
            most = upper
    best = max(range(least, most + 1), key=lambda units: law(StopAt(units * unit)).mean)
    return StopAt(best * unit)


def _habits(referee: Referee, habits: Sequence[Strategy] | None) -> tuple[Bot, ...]:
    if habits is None:
        habits = usual_habits(referee) if isinstance(referee, PointsReferee) else ()
    return tuple(RuleBot(habit) for habit in habits)


def _decisions(referee: Referee, seed: int | str, most_games: int) -> Iterator[tuple[Session, Step]]:
    """Yield the real decisions of games between bots, each with the session just before it."""
    mistake = referee.measure.mistake
    for game in range(most_games):
        begun = Session.new(referee, seed=f"{seed}/{game}")
        bots = [ErringBot(mistake, seat) if (game + seat) % 2 else BestBot() for seat in range(referee.players)]
        played = advance(begun, bots)
        for number, step in enumerate(played.steps):
            if step.choice is not None and not step.is_forced:
                yield played.undo(len(played.steps) - number), step


def _exercise(referee: Referee, session: Session, step: Step, bots: Sequence[Bot]) -> Exercise | None:
    """Return the exercise a decision makes, if any: a habit's marked error, or a best choice that is only just best."""
    if made := _habit_exercise(referee, session, bots):
        return made
    losses = sorted(session.loss(choice) for choice in step.choices if not _is_pointless(choice, step.choices))
    is_close = len(losses) > 1 and referee.tie < losses[1] <= referee.measure.inaccuracy
    return Exercise(referee, step.spot, "close") if is_close else None


def _is_pointless(choice: Choice, choices: Sequence[Choice]) -> bool:
    """Whether another choice does the same with more points: nobody needs to practise leaving points behind."""
    return any(o.stops == choice.stops and o.mode == choice.mode and o.points > choice.points for o in choices)


def _habit_exercise(referee: Referee, session: Session, bots: Sequence[Bot]) -> Exercise | None:
    if isinstance(referee, PointsReferee) and referee.game(session.seat) != referee.goal.game:
        return None  # habits are those of the first seat's game
    for bot in bots:
        habitual = bot.choose(session)
        if session.loss(habitual) >= referee.measure.inaccuracy:
            return Exercise(referee, session.spot, "habit", f"{bot.name}: {habitual.play}")
    return None


def _told(exercise: Exercise, chosen: Choice, best: Choice, loss: Any, mark: Mark | None, is_best: bool) -> str:
    measure = exercise.referee.measure
    judged = " by estimate" if measure.is_estimate else ""
    if is_best:
        others = [choice for choice in exercise.choices if choice.play != chosen.play]
        second = min(others, key=lambda choice: (_is_pointless(choice, exercise.choices), choice.rank))
        ahead = abs(chosen.value - second.value)
        tail = (
            f" ({second.play} would lose {measure.loss_words(ahead)})" if ahead > exercise.referee.tie else " (a tie)"
        )
        return f"Best{judged}: {chosen.play}, {measure.words(chosen.value)}{tail}."
    kind = {None: "Close", "inaccuracy": "An inaccuracy", "mistake": "A mistake", "blunder": "A blunder"}[mark]
    return (
        f"{kind}{judged}: {chosen.play} is worth {measure.words(chosen.value)}, {best.play} {measure.words(best.value)}; "
        f"that loses {measure.loss_words(loss)}."
    )
