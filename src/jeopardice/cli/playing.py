"""One sitting at the keyboard: ask, play, warn, and report.

Everything works by typed lines, so it also works from a pipe. The end of the input or Ctrl-C ends the game politely,
with the report of what was played.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

from jeopardice.cli.keyboard import Keyboard, Quit, help_words, keys_of, named_choice, show_choices
from jeopardice.tutor import Bot, Choice, Exercise, Grade, Report, Session, advance, grade, mistakes, report
from jeopardice.tutor.board_picture import WIDTH
from jeopardice.tutor.referee import counted
from jeopardice.tutor.report_words import report_lines
from jeopardice.tutor.words import capital, hint_lines, title_lines, turn_lines


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
        referee = self.session.referee
        keyboard.say(*title_lines(referee, self.names), help_words(referee), "")
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

    def show_report(self, told: Report, *, full: bool) -> None:
        """Write the report, and how to get the same dice again."""
        self.keyboard.say("", *report_lines(self.session, told, self.names, seat=self.person, full=full))
        self.keyboard.say(f"The same dice again: --seed {self.session.seed}")

    def _go_on(self, session: Session) -> None:
        """Let the dice fall and the others play, and tell what they did."""
        before = len(session.steps)
        self.session = advance(session, self.bots)
        steps = list(self.session.steps[before:])
        # a roll that awaits a person's choice is shown with the choices
        if steps and steps[-1].choice is None and not steps[-1].bust and self.session.phase == "choose":
            steps.pop()
        self.keyboard.say(*turn_lines(self.session.referee, steps, self.names))

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
                keyboard.say(help_words(session.referee))
            elif (choice := named_choice(session.choices, typed, session.referee)) is None:
                keys = keys_of(session.choices, typed, session.referee)
                keyboard.say(f"Type {keys}; h for a hint, ? for help. That was {typed!r}.")
            elif self._is_sure(choice):
                self._go_on(session.choose(choice))
                return

    def _show(self) -> None:
        session, referee = self.session, self.session.referee
        described = referee.describe(session.spot)
        if len(session.choices) == 1 or not described:
            chance = referee.measure.words(self._seen(session.value))
            scores = capital(referee.scores(session.spot, self.names))
            self.keyboard.say("", *wrap(f"{scores}. {capital(self._worth_word())}: {chance}", WIDTH))
        self._draw()
        if described:
            self.keyboard.say(f"{capital(self.names[session.seat])} {described}.")
        if self.hints and len(session.choices) > 1:
            self.keyboard.say(*hint_lines(session))
        show_choices(self.keyboard, session.choices, referee)

    def _draw(self) -> None:
        """Write the board, where there is one, if it has changed since it was last written."""
        picture = self.session.referee.picture(self.session.spot, self.names)
        if picture != self._pictured:
            self.keyboard.say(*picture)
            self._pictured = picture

    def _worth_word(self) -> str:
        measure = self.session.referee.measure
        whose = "your" if self.names[self.person] == "you" else f"{self.names[self.person]}'s"
        if measure.prefers_less:
            return "expected in all"
        if not measure.is_chance:
            return f"{whose} expected margin"
        return f"{whose} {'chance to win' if measure.name == 'win chance' else measure.name}"

    def _seen(self, value: Any) -> Any:
        return value if self.person == 0 else (1 if self.session.referee.measure.is_chance else 0) - value

    def _is_sure(self, choice: Choice) -> bool:
        measure, loss = self.session.referee.measure, self.session.loss(choice)
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
        winner = session.referee.winner(session.spot)
        scores = session.referee.scores(session.spot, self.names)
        if session.referee.players == 2 and winner is None:
            self.keyboard.say("", f"Nobody can win any more: a draw. {capital(scores)}.")
        elif session.referee.players == 2:
            name = self.names[winner or 0]
            self.keyboard.say("", f"{'You win' if name == 'you' else f'{capital(name)} wins'}! {capital(scores)}.")
        else:
            ended = "Done" if winner == 0 else "Not there in time"
            measure = session.referee.measure
            spent = f" with {counted(round(session.value), measure.name[:-1])}" if measure.prefers_less else ""
            self.keyboard.say("", f"{ended}{spent}: {scores}.")
        self._draw()

    def _retry(self) -> None:
        """Offer the marked choices again, before the report tells what was best."""
        exercises = mistakes(self.session, [self.person]) if self.names[self.person] == "you" else []
        if not exercises or self.keyboard.to_stderr:
            return
        judged = "may have cost" if self.session.referee.measure.is_estimate else "cost"
        count = counted(len(exercises), "choice")
        if not self.keyboard.agrees(f"{count} {judged} you something. Try again before you are told?"):
            return
        practise(self.keyboard, exercises)


def practise(keyboard: Keyboard, exercises: Sequence[Exercise]) -> list[Grade]:
    """Ask for a choice in each exercise and grade it; return the grades given before the input ended."""
    grades: list[Grade] = []
    try:
        for number, exercise in enumerate(exercises, 1):
            referee, choices = exercise.referee, exercise.choices
            names = ["you"] if referee.players == 1 else ["they", "they"]
            names[referee.seat(exercise.spot)] = "you"
            scores, described = referee.scores(exercise.spot, names), referee.describe(exercise.spot)
            asked = f"{number} of {len(exercises)}. {capital(scores)}. {f'You {described}.' if described else ''}"
            keyboard.say("", *wrap(asked, WIDTH), *referee.picture(exercise.spot, names))
            show_choices(keyboard, choices, referee)
            while (choice := named_choice(choices, typed := keyboard.ask("you > "), referee)) is None:
                if typed.lower() in ("q", "quit"):
                    raise Quit
                keyboard.say(f"Type {keys_of(choices, typed, referee)}, or q to quit. That was {typed!r}.")
            grades.append(grade(exercise, choice.play))
            keyboard.say(*wrap(grades[-1].words, WIDTH))
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
