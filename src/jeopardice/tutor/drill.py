"""Positions to practise: those near indifference, and those where a habit costs much.

Exercises come from games played out by bots that err, so that they look like real games and wander off best play as
people do. *Close* exercises are decisions whose second best option is nearly as good as the best; *habit* exercises are
those where a common habit (stop at 20; play each turn for the most points) gives away a marked loss. `mistakes` makes
exercises of one's own game. An exercise never tells its answer; `grade` does.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from jeopardice.errors import PositionError
from jeopardice.family import family_of
from jeopardice.solution import Judge, Mark, Measure, Option, distance
from jeopardice.tutor.bots import BestBot, Bot, ErringBot, RuleBot
from jeopardice.tutor.report import report
from jeopardice.tutor.session import Session, Step, advance, option_json, options_json
from jeopardice.tutor.why import why
from jeopardice.types import JsonObject, Keywords, Number, Spot

Kind = Literal["close", "habit", "mistake"]
MOST_GAMES = 40
"""Games played out in search of exercises before giving up."""


@dataclass(frozen=True)
class Exercise:
    """A decision to be made. `habit` names a habit and what it plays here; told after grading."""

    judge: Judge
    spot: Spot
    kind: Kind
    habit: str | None = None

    @property
    def session(self) -> Session:
        """A game that begins here."""
        return Session(self.judge, 0, self.spot)

    def as_json(self) -> JsonObject:
        """Return the question as plain data, without the answer."""
        return {
            "kind": self.kind,
            "seat": self.session.seat,
            "position": self.judge.match.to_json(self.spot),
            "choices": options_json(self.session.options, with_values=False),
        }


@dataclass(frozen=True)
class Grade:
    """The answer to an answer: the option chosen, its loss and mark, and every option best first.

    `score` is 1 for the best option and falls to 0 as the loss grows to a blunder.
    """

    chosen: Option
    options: tuple[Option, ...]
    loss: Number
    mark: Mark | None
    is_best: bool
    score: float
    habit: str | None
    words: str
    why: str

    @property
    def best(self) -> Option:
        """The best option."""
        return self.options[0]

    def as_json(self) -> JsonObject:
        """Return the grade as plain data."""
        return {
            "chosen": option_json(self.chosen, self.options.index(self.chosen)),
            "best": option_json(self.best, 0),
            "choices": options_json(self.options, with_values=True),
            "loss": float(self.loss),
            "mark": self.mark,
            "is_best": self.is_best,
            "score": self.score,
            "habit": self.habit,
            "words": self.words,
            "why": self.why,
        }


def drill(
    judge: Judge, *, count: int = 10, kind: Literal["close", "habit", "mixed"] = "mixed", seed: int | str = 0,
    habits: Sequence[Any] | None = None, most_games: int = MOST_GAMES,
) -> list[Exercise]:  # fmt: skip
    """Return up to `count` exercises; the same seed gives the same ones.

    `habits` are strategies whose errors are looked for; None: those of the game's family. Games without any have close
    exercises only. Fewer come back if `most_games` games do not hold as many.
    """
    if count < 1:
        raise ValueError(f"a drill has at least one exercise, got count={count!r}")
    if kind not in ("close", "habit", "mixed"):
        raise ValueError(f"kind is close, habit or mixed, got kind={kind!r}")
    bots = _habits(judge, habits) if kind != "close" else ()
    wanted = {"close": count if not bots else count // 2 if kind == "mixed" else 0}
    wanted["habit"] = count - wanted["close"]
    pools: dict[str, dict[Spot, Exercise]] = {"close": {}, "habit": {}}
    for session, step in _decisions(judge, seed, most_games):
        exercise = _exercise(judge, session, step, bots)
        if exercise is not None:
            pools[exercise.kind][exercise.spot] = exercise
        if all(len(pools[name]) >= 3 * many for name, many in wanted.items()):
            break
    pick = random.Random(f"{seed}/pick")
    exercises = []
    for name, many in wanted.items():
        pool = list(pools[name].values())
        exercises += pick.sample(pool, min(many, len(pool)))
    pick.shuffle(exercises)
    return exercises


def mistakes(session: Session, seats: Sequence[int] = (0,)) -> list[Exercise]:
    """Return the marked decisions of these seats as exercises, to be tried again before the answer is shown."""
    marked = [d for d in report(session).decisions if d.mark is not None and d.seat in seats]
    return [Exercise(session.judge, session.steps[d.step].spot, "mistake") for d in marked]


def exercise_at(judge: Judge, position: Keywords, kind: Kind = "close") -> Exercise:
    """Return the exercise that plain data names: the position of `Exercise.as_json`."""
    if kind not in get_args(Kind):
        raise ValueError(f"kind is one of {', '.join(get_args(Kind))}, got kind={kind!r}")
    exercise = Exercise(judge, judge.match.from_json(position), kind)
    if len(exercise.session.options) < 2:
        raise PositionError(f"there is nothing to choose at {dict(position)!r}; an exercise needs two plays")
    if kind != "habit":
        return exercise
    return _habit_exercise(judge, exercise.session, _habits(judge, None)) or exercise


def grade(exercise: Exercise, play: str) -> Grade:
    """Return how good a play is, with everything the exercise did not tell."""
    session, measure = exercise.session, exercise.judge.measure
    chosen = session.option(play)
    loss = session.loss(chosen)
    is_best = bool(loss <= exercise.judge.tie)
    mark = None if is_best else measure.mark(loss)
    score = 1.0 if is_best else max(0.0, 1.0 - float(loss) / measure.blunder)
    words = _best_words(session, chosen) if is_best else _loss_words(session, chosen, loss, mark)
    return Grade(chosen, session.ranked, loss, mark, is_best, score, exercise.habit, words, why(session, chosen))


def _habits(judge: Judge, habits: Sequence[Any] | None) -> tuple[Bot, ...]:
    return tuple(map(RuleBot, family_of(judge.goal.game).habits(judge.goal) if habits is None else habits))


def _decisions(judge: Judge, seed: int | str, most_games: int) -> Iterator[tuple[Session, Step]]:
    """Yield the real decisions of games between bots, each with the session just before it."""
    mistake = judge.measure.mistake
    for game in range(most_games):
        begun = Session.new(judge, seed=f"{seed}/{game}")
        bots = [ErringBot(mistake, seat) if (game + seat) % 2 else BestBot() for seat in range(judge.match.players)]
        played = advance(begun, bots)
        for number, step in enumerate(played.steps):
            if step.option is not None and not step.is_forced:
                yield played.undo(len(played.steps) - number), step


def _exercise(judge: Judge, session: Session, step: Step, bots: Sequence[Bot]) -> Exercise | None:
    """Return the exercise a decision makes, if any: a habit's marked error, or a best option that is only just best."""
    if made := _habit_exercise(judge, session, bots):
        return made
    is_close = judge.tie < second_loss(session) <= judge.measure.inaccuracy
    return Exercise(judge, step.spot, "close") if is_close else None


def second_loss(session: Session) -> Number:
    """Return what the second best play loses, plays left out that only leave points behind; 0 where there is none."""
    options = session.ranked
    losses = sorted(session.loss(option) for option in options if not _is_pointless(option, options))
    return losses[1] if len(losses) > 1 else 0


def _is_pointless(option: Option, options: Sequence[Option]) -> bool:
    """Whether another option does the same with more points: nobody needs to practise leaving points behind."""
    return any(o.stops == option.stops and o.mode == option.mode and o.points > option.points for o in options)


def _habit_exercise(judge: Judge, session: Session, bots: Sequence[Bot]) -> Exercise | None:
    if judge.match.game(session.spot) != judge.goal.game:
        return None  # habits are those of the first seat's game
    for bot in bots:
        habitual = bot.choose(session)
        if session.loss(habitual) >= judge.measure.inaccuracy:
            return Exercise(judge, session.spot, "habit", f"{bot.name}: {habitual.play}")
    return None


def _best_words(session: Session, chosen: Option) -> str:
    measure, others = session.judge.measure, [option for option in session.ranked if option != chosen]
    second = min(others, key=lambda option: _is_pointless(option, session.ranked))
    ahead = distance(chosen.value, second.value)
    is_tie = ahead <= session.judge.tie
    tail = "a tie" if is_tie else f"{second.play} would lose {measure.loss_words(ahead)}"
    return f"Best{_judged(measure)}: {chosen.play}, {measure.words(chosen.value)} ({tail})."


def _loss_words(session: Session, chosen: Option, loss: Number, mark: Mark | None) -> str:
    measure, best = session.judge.measure, session.ranked[0]
    kind = {None: "Close", "inaccuracy": "An inaccuracy", "mistake": "A mistake", "blunder": "A blunder"}[mark]
    return (
        f"{kind}{_judged(measure)}: {chosen.play} is worth {measure.words(chosen.value)}, "
        f"{best.play} {measure.words(best.value)}; that loses {measure.loss_words(loss)}."
    )


def _judged(measure: Measure) -> str:
    return " by estimate" if measure.is_estimate else ""
