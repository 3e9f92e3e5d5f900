"""A game as lines of text, at most 80 columns wide: what the terminal shows, and anybody may print."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from sys import modules
from textwrap import wrap
from typing import Any

from jeopardice.game import game_name
from jeopardice.games.faces import FaceGame
from jeopardice.tutor.board_picture import WIDTH, reached_words
from jeopardice.tutor.referee import Choice, Referee, counted, dice_words
from jeopardice.tutor.session import Session, Step

TIE = "\xa0"
"""Between the dice of a roll while lines are broken, so that none is broken there."""
ESTIMATED = "This board is not solved for two: chances and grades are estimates, by looking one roll ahead."


def title_lines(referee: Referee, names: Sequence[str]) -> list[str]:
    """Return what is played, by whom and what for; and the idea of the game where its module states it."""
    game = type(referee.goal.game)
    target = getattr(referee.goal, "target", None)
    who = " against ".join(names) if len(names) > 1 else f"alone, for the {_aim(referee)}"
    idea = (getattr(modules.get(game.__module__), "__doc__", None) or "").partition("\n")[0]
    told = idea if game.__module__.startswith("jeopardice.games") and game is not FaceGame else ""
    played = f"{game_name(referee.goal.game)}{f' to {target}' if target else ''}: {who}"
    return [*wrap(told, WIDTH), played, *(wrap(ESTIMATED, WIDTH) if referee.measure.is_estimate else ())]


def _aim(referee: Referee) -> str:
    measure = referee.measure
    return f"fewest {measure.name}" if measure.prefers_less else f"best {measure.name}"


def turn_lines(referee: Referee, steps: Sequence[Step], names: Sequence[str]) -> list[str]:
    """Return what happened, one paragraph for each turn: optimal rolls 4, 3, 6 and stops."""
    lines: list[str] = []
    for seat, turn in _turns(steps):
        verb = _verbs(names[seat])
        parts = [told for step in turn if (told := _step_words(referee, step, verb))]
        story = wrap(f"{capital(names[seat])} {_joined(parts, verb)}.", WIDTH, subsequent_indent="    ")
        lines += [line.replace(TIE, " ") for line in story]
    return lines


def _step_words(referee: Referee, step: Step, verb: Any) -> str:
    """Return a roll or a choice in words; nothing for a choice that the next roll shows."""
    choice = step.choice
    if choice is None:
        return f"{verb('roll')} {dice_words(step.roll, TIE) or '-'}{': bust' if step.bust else ''}"
    used = f"{verb('move')} {choice.moved.replace(' ', TIE)}" if choice.moved else ""
    used = f"{verb('keep')} {dice_words(choice.kept, TIE)}" if choice.kept else used
    if not choice.stops:
        return used
    if referee.counts == "points":
        banked = f"with {choice.points}"
    else:
        banked = f"with {counted(choice.points, 'space')}: {reached_words(referee.goal.game, choice.mode)}"
    return f"{f'{used} and ' if used else ''}{verb('stop')} {banked}"


def choice_lines(choices: Sequence[Choice], *, columns: bool = False, counts: str = "points") -> list[str]:
    """Return the choices, numbered, with what each banks or puts at risk; many short ones side by side."""
    if not columns:
        wide = max(len(choice.play) for choice in choices)
        many = [str(c.points) if counts == "points" else counted(c.points, counts[:-1]) for c in choices]
        tails = [
            f"{'banks' if c.stops else 'risks'} {n}" if c.points else "" for c, n in zip(choices, many, strict=True)
        ]
        rows = enumerate(zip(choices, tails, strict=True), 1)
        return [f"  {number:2}  {choice.play.ljust(wide)}   {tail}".rstrip() for number, (choice, tail) in rows]
    cells = [f"{number:2} {choice.play}" for number, choice in enumerate(choices, 1)]
    width = max(map(len, cells)) + 2
    across = max(1, (WIDTH - 2) // width)
    return [
        "  " + "".join(cell.ljust(width) for cell in cells[at : at + across]).rstrip()
        for at in range(0, len(cells), across)
    ]


def hint_lines(session: Session) -> list[str]:
    """Return the choices best first, with what each is worth and loses."""
    measure = session.referee.measure
    width = max(len(choice.play) for choice in session.choices)
    lines = []
    for choice in session.hint:
        loss = session.loss(choice)
        tail = (
            f"best{' by estimate' if measure.is_estimate else ''}"
            if choice.rank == 0
            else "as good"
            if loss <= session.referee.tie
            else f"loses {measure.loss_words(loss)}"
        )
        lines.append(f"  {choice.play.ljust(width)}  {measure.words(choice.value):>12}  {tail}")
    return lines


def _turns(steps: Sequence[Step]) -> Iterator[tuple[int, list[Step]]]:
    """Yield the steps turn by turn; a stop or a bust ends one, so that two turns of one player alone stay apart."""
    number = 0
    keyed = []
    for step in steps:
        keyed.append((number, step))
        number += step.bust or (step.choice is not None and step.choice.stops)
    for _, turn in groupby(keyed, key=lambda pair: pair[0]):
        made = [step for _, step in turn]
        yield made[0].seat, made


def _joined(parts: list[str], verb: Any) -> str:
    """Join rolls that follow each other as a list: rolls 4, 3, 6 and stops with 13."""
    rolls = f"{verb('roll')} "
    short = [
        part.removeprefix(rolls) if n and parts[n - 1].startswith(rolls) and part.startswith(rolls) else part
        for n, part in enumerate(parts)
    ]
    if len(short) > 1 and short[-1].startswith(verb("stop")):
        return f"{', '.join(short[:-1])} and {short[-1]}"
    return ", ".join(short)


def _verbs(name: str) -> Any:
    return lambda verb: verb if name == "you" else f"{verb}s"


def capital(words: str) -> str:
    """Return a sentence with its first letter capital, the others as they are."""
    return words[:1].upper() + words[1:]
