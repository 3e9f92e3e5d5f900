"""One sitting at the keyboard: ask, play, warn, and report.

Everything works by typed lines, so it also works from a pipe. The end of the input or Ctrl-C ends the game politely,
with the report of what was played.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import wrap

from jeopardice.cli.keyboard import Keyboard, Quit, keys_of, named_option, show_options
from jeopardice.rules.text import counted
from jeopardice.solution import Option
from jeopardice.tutor import Bot, Exercise, Grade, Report, Session, advance, grade, mistakes, report
from jeopardice.tutor.report_words import report_lines
from jeopardice.tutor.session import Step
from jeopardice.tutor.words import WIDTH, capital, hint_lines, title_lines, turn_lines


@dataclass
class Sitting:
    """A game between persons and bots; `session` is where it stands."""

    keyboard: Keyboard
    session: Session
    bots: Sequence[Bot | None]
    tutor: bool = False
    hints: bool = False
    names: tuple[str, ...] = field(init=False)
    _pictured: list[str] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        people = [seat for seat, bot in enumerate(self.bots) if bot is None]
        self.names = tuple(
            bot.name if bot is not None else "you" if len(people) == 1 else f"player {seat + 1}"
            for seat, bot in enumerate(self.bots)
        )

    @property
    def person(self) -> int:
        """The seat whose side the report takes: the person's, or the first."""
        return next((seat for seat, bot in enumerate(self.bots) if bot is None), 0)

    def play(self) -> Report:
        """Play to the end, or until the player quits; return the report."""
        keyboard = self.keyboard
        keyboard.say(*title_lines(self.session.judge, self.names), self.session.words.keys, "")
        try:
            self._go_on(self.session)
            while self.session.phase != "over":
                self._choose()
            self._announce()
            self._retry()
        except (Quit, KeyboardInterrupt):
            if self.session.phase != "over":
                keyboard.say("", "Game left unfinished.")
        return report(self.session)

    def show_report(self, result: Report, *, full: bool) -> None:
        """Write the report, and how to get the same dice again."""
        self.keyboard.say("", *report_lines(self.session, result, self.names, seat=self.person, full=full))
        self.keyboard.say(f"The same dice again: --seed {self.session.seed}")

    def _go_on(self, session: Session) -> None:
        """Let the dice fall and the others play, and tell what they did."""
        before = len(session.steps)
        self.session = advance(session, self.bots)
        steps = list(self.session.steps[before:])
        # a roll that awaits a person's choice is shown with the choices
        if steps and steps[-1].option is None and self.session.phase == "choose" and self._is_shown(steps[-1]):
            steps.pop()
        self.keyboard.say(*turn_lines(self.session.judge, steps, self.names))

    def _is_shown(self, step: Step) -> bool:
        """Whether a roll is told by the words of the moment that follows it."""
        moment = self.session.words.moment(self.session.match, self.session.spot)
        return bool(moment) and not step.bust and step.seat == self.session.seat

    def _choose(self) -> None:
        session, keyboard = self.session, self.keyboard
        self._show()
        while True:
            typed = keyboard.ask(f"{self.names[session.seat]} > ")
            key = typed.lower()
            if key in ("q", "quit"):
                raise Quit
            if key in ("u", "undo"):
                self._undo()
                return
            if key in ("h", "hint"):
                keyboard.say(*hint_lines(session))
            elif key in ("?", "help"):
                keyboard.say(session.words.keys)
            elif (option := named_option(session, typed)) is None:
                keyboard.say(f"Type {keys_of(session, typed)}; h for a hint, ? for help. That was {typed!r}.")
            elif self._is_sure(option):
                self._go_on(session.choose(option))
                return

    def _show(self) -> None:
        session, words = self.session, self.session.words
        moment = words.moment(session.match, session.spot)
        if len(session.options) == 1 or not moment:
            chance = session.judge.measure.words(session.values[self.person])
            scores = capital(words.scores(session.match, session.spot, self.names))
            self.keyboard.say("", *wrap(f"{scores}. {capital(self._value_words())}: {chance}", WIDTH))
        self._draw()
        if moment:
            self.keyboard.say(f"{capital(self.names[session.seat])} {moment}.")
        if self.hints and len(session.options) > 1:
            self.keyboard.say(*hint_lines(session))
        show_options(self.keyboard, session)

    def _draw(self) -> None:
        """Write the board or the card, where there is one, if it has changed since it was last written."""
        picture = self.session.words.picture(self.session.match, self.session.spot, self.names)
        if picture != self._pictured:
            self.keyboard.say(*picture)
            self._pictured = picture

    def _value_words(self) -> str:
        measure = self.session.judge.measure
        whose = "your" if self.names[self.person] == "you" else f"{self.names[self.person]}'s"
        if measure.is_chance:
            return f"{whose} {'chance to win' if measure.name == 'win chance' else measure.name}"
        return f"{whose} expected margin" if len(self.names) > 1 else "expected in all"

    def _is_sure(self, option: Option) -> bool:
        measure, loss = self.session.judge.measure, self.session.loss(option)
        if not self.tutor or measure.mark(loss) is None:
            return True
        if self.keyboard.agrees(f"That loses {measure.loss_words(loss)}. Sure?"):
            return True
        self.keyboard.say("Then choose again; h shows what is best.")
        return False

    def _undo(self) -> None:
        people = [seat for seat, bot in enumerate(self.bots) if bot is None]
        back = self.session.undo_choice(people)
        if back is self.session or len(back.steps) == len(self.session.steps):
            self.keyboard.say("There is nothing to undo.")
            return
        self.keyboard.say("Undone; the dice stay the same.")
        self._go_on(back)

    def _announce(self) -> None:
        session = self.session
        scores = session.words.scores(session.match, session.spot, self.names)
        winners = [self.names[seat] for seat in session.winners]
        if len(self.names) == 1:
            measure = session.judge.measure
            ended = "Done" if winners else "Not there in time"
            spent = f" with {counted(round(session.value), measure.name[:-1])}" if measure.prefers_less else ""
            self.keyboard.say("", f"{ended}{spent}: {scores}.")
        elif not winners:
            self.keyboard.say("", f"Nobody wins: a draw. {capital(scores)}.")
        else:
            verb = "win" if len(winners) > 1 or winners == ["you"] else "wins"
            self.keyboard.say("", f"{capital(' and '.join(winners))} {verb}! {capital(scores)}.")
        self._draw()

    def _retry(self) -> None:
        """Offer the marked choices again, before the report tells what was best."""
        exercises = mistakes(self.session, [self.person]) if self.names[self.person] == "you" else []
        if not exercises or self.keyboard.to_stderr:
            return
        judged = "may have cost" if self.session.judge.measure.is_estimate else "cost"
        count = counted(len(exercises), "choice")
        if not self.keyboard.agrees(f"{count} {judged} you something. Try again before the answers are shown?"):
            return
        practise(self.keyboard, exercises)


def practise(keyboard: Keyboard, exercises: Sequence[Exercise]) -> list[Grade]:
    """Ask for a choice in each exercise and grade it; return the grades given before the input ended."""
    grades: list[Grade] = []
    try:
        for number, exercise in enumerate(exercises, 1):
            session = exercise.session
            _ask(keyboard, session, f"{number} of {len(exercises)}")
            while (option := named_option(session, typed := keyboard.ask("you > "))) is None:
                if typed.lower() in ("q", "quit"):
                    raise Quit
                keyboard.say(f"Type {keys_of(session, typed)}, or q to quit. That was {typed!r}.")
            grades.append(grade(exercise, option.play))
            keyboard.say(*wrap(grades[-1].words, WIDTH), *wrap(grades[-1].why, WIDTH))
            if grades[-1].habit:
                keyboard.say(*wrap(f"A habit that errs here: {grades[-1].habit}.", WIDTH))
    except (Quit, KeyboardInterrupt):
        pass
    if not grades:
        keyboard.say("", "Nothing was answered. Type r, s or a number after each question.")
        return grades
    best = sum(given.is_best for given in grades)
    keyboard.say("", f"{best} of {len(grades)} best, {sum(given.score for given in grades):.1f} points.")
    return grades


def _ask(keyboard: Keyboard, session: Session, place: str) -> None:
    """Write a position and its options."""
    match, spot, words = session.match, session.spot, session.words
    names = ["they" if match.players == 2 else f"player {seat + 1}" for seat in range(match.players)]
    names[session.seat] = "you"
    moment = words.moment(match, spot)
    question = f"{place}. {capital(words.scores(match, spot, names))}. {f'You {moment}.' if moment else ''}"
    keyboard.say("", *wrap(question, WIDTH), *words.picture(match, spot, names))
    show_options(keyboard, session)
