"""A game and its report as lines of text, at most 80 columns wide: what the terminal shows, and anybody may print."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from sys import modules
from textwrap import wrap
from typing import Any

from jeopardice.game import game_name
from jeopardice.games.faces import FaceGame
from jeopardice.tutor.referee import Choice, Referee, dice_words
from jeopardice.tutor.report import Decision, Fall, Report
from jeopardice.tutor.session import Session, Step

WIDTH = 78
SIGNS: dict[str | None, str] = {None: "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def title_lines(referee: Referee, names: Sequence[str]) -> list[str]:
    """Return what is played, by whom and what for; and the idea of the game where its module states it."""
    game = type(referee.goal.game)
    target = getattr(referee.goal, "target", None)
    who = " against ".join(names) if len(names) > 1 else f"alone, for the {_aim(referee)}"
    idea = (getattr(modules.get(game.__module__), "__doc__", None) or "").partition("\n")[0]
    told = idea if game.__module__.startswith("jeopardice.games") and game is not FaceGame else ""
    return [*wrap(told, WIDTH), f"{game_name(referee.goal.game)}{f' to {target}' if target else ''}: {who}"]


def _aim(referee: Referee) -> str:
    measure = referee.measure
    return f"fewest {measure.name}" if measure.prefers_less else f"best {measure.name}"


def turn_lines(referee: Referee, steps: Sequence[Step], names: Sequence[str]) -> list[str]:
    """Return what happened, one paragraph for each turn: optimal rolls 4, 3, 6 and stops."""
    lines: list[str] = []
    for seat, turn in _turns(steps):
        verb = _verbs(names[seat])
        parts = []
        for step in turn:
            if step.choice is None:
                parts.append(f"{verb('roll')} {dice_words(step.roll) or '-'}{': bust' if step.bust else ''}")
            elif step.choice.stops:
                keeps = f"{verb('keep')} {dice_words(step.choice.kept)} and " if step.choice.kept else ""
                parts.append(f"{keeps}{verb('stop')} with {step.choice.points}")
            elif step.choice.kept:
                parts.append(f"{verb('keep')} {dice_words(step.choice.kept)}")
        lines += wrap(f"{capital(names[seat])} {_joined(parts, verb)}.", WIDTH, subsequent_indent="    ")
    return lines


def choice_lines(choices: Sequence[Choice], *, columns: bool = False) -> list[str]:
    """Return the choices, numbered, with what each banks or puts at risk; many short ones side by side."""
    if not columns:
        wide = max(len(choice.play) for choice in choices)
        tails = [f"{'banks' if c.stops else 'risks'} {c.points}" if c.points else "" for c in choices]
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
            "best"
            if choice.rank == 0
            else "as good"
            if loss <= session.referee.tie
            else f"loses {measure.loss_words(loss)}"
        )
        lines.append(f"  {choice.play.ljust(width)}  {measure.words(choice.value):>12}  {tail}")
    return lines


def report_lines(
    session: Session, told: Report, names: Sequence[str], *, seat: int = 0, full: bool = False
) -> list[str]:
    """Return the report as `seat` sees it: its decisions one a line, then luck and skill of everybody.

    Only choices that were not the best are listed, all of them if `full`.
    """
    seats = range(len(names)) if names[seat] != "you" else (seat,)
    lines = []
    for who in seats:
        lines += [*_decision_lines(session, told, who, names[who], full), ""]
    return lines + _luck_lines(session, told, names, seat)


def _decision_lines(session: Session, told: Report, seat: int, name: str, full: bool) -> list[str]:
    measure = told.measure
    made = [decision for decision in told.decisions if decision.seat == seat]
    if not made:
        return [f"{capital(_possessive(name))} decisions: none."]
    shown = [decision for decision in made if full or not decision.is_best]
    best = sum(decision.is_best for decision in made)
    counts = {mark: count for mark, count in told.marks(seat).items() if count}
    marks = "".join(f", {count} {_plural(mark, count)} ({SIGNS[mark]})" for mark, count in counts.items())
    lost = f"lost {measure.loss_words(told.loss(seat))} in all"
    lines = wrap(f"{capital(_possessive(name))} decisions: {best} of {len(made)} best{marks}; {lost}.", WIDTH)
    if shown:
        lines.append(f"{'turn':>4}  {'position':<23}{'played':<13}{'worth':>6}  {'best':<13}{'worth':>6}{'loss':>7}")
    return lines + [_decision_line(session, decision) for decision in shown]


def _decision_line(session: Session, decision: Decision) -> str:
    step = session.steps[decision.step]
    measure = session.referee.measure
    turn = decision.position.get("turn", 0) // session.referee.players + 1
    mine, best = (_short(measure.is_chance, choice.value) for choice in (decision.chosen, decision.best))
    loss = "-" if decision.is_best else f"{float(decision.loss) * (100 if measure.is_chance else 1):.2f}"
    return (
        f"{turn:>4}  {session.referee.brief(step.spot)[:22]:<23}{decision.chosen.brief[:12]:<13}{mine:>6}  "
        f"{decision.best.brief[:12]:<13}{best:>6}{loss:>7} {SIGNS[decision.mark]}"
    ).rstrip()


def _luck_lines(session: Session, told: Report, names: Sequence[str], seat: int) -> list[str]:
    measure = told.measure
    sign = -1 if seat else 1
    unit = f"points of {measure.name}" if measure.is_chance else measure.name
    unit = unit.replace(measure.name, f"{_possessive(names[seat])} {measure.name}") if len(names) > 1 else unit
    lines = [
        f"Luck and skill in {unit}{' (fewer is better)' if measure.prefers_less else ''}:",
        f"  {'':<20}{'luck':>9}{'skill':>9}",
    ]
    for who, name in enumerate(names):
        luck, skill = (measure.difference(sign * part[who]) for part in (told.luck, told.skill))
        lines.append(f"  {name:<20}{luck:>9}{skill:>9}")
    initial, final = (_seen(told, value, seat) for value in (told.initial, told.final))
    now = "end" if told.is_over else "now"
    lines.append(
        f"  start {measure.words(initial)}, {now} {measure.words(final)}: {measure.difference(final - initial)} = "
        f"luck {measure.difference(sign * sum(told.luck))}, skill {measure.difference(sign * sum(told.skill))}"
    )
    for word, fall in _extremes(told, seat):
        rolled = f"{names[fall.seat]} rolled {dice_words(fall.roll)}{' (bust)' if fall.bust else ''}"
        where = session.referee.brief(session.steps[fall.step].spot)
        lines.append(f"  {word}: {rolled} at {where}, {measure.difference(sign * fall.luck)}")
    return lines


def _extremes(told: Report, seat: int) -> Iterator[tuple[str, Fall]]:
    """Yield the luckiest and the unluckiest roll as `seat` sees it."""
    if told.falls:
        sign = (-1 if seat else 1) * (-1 if told.measure.prefers_less else 1)
        ordered = sorted(told.falls, key=lambda fall: sign * fall.luck)
        yield "luckiest roll", ordered[-1]
        yield "unluckiest roll", ordered[0]


def _seen(told: Report, value: Any, seat: int) -> Any:
    """Return a value of seat 0 as `seat` sees it."""
    return value if seat == 0 else (1 if told.measure.is_chance else 0) - value


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


def _possessive(name: str) -> str:
    return "your" if name == "you" else f"{name}'s"


def _short(is_chance: bool, value: Any) -> str:
    return f"{100 * float(value):.1f}%" if is_chance else f"{float(value):.2f}"


def _plural(mark: str, count: int) -> str:
    return mark if count == 1 else mark[:-1] + "ies" if mark.endswith("y") else f"{mark}s"
