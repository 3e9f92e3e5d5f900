"""The report of a game as lines of text, at most 80 columns wide: what every choice cost, then luck and skill."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap

from jeopardice.solution import Option
from jeopardice.tutor.report import Decision, Fall, Report
from jeopardice.tutor.session import Session
from jeopardice.tutor.words import WIDTH, capital
from jeopardice.types import Number

SIGNS: dict[str | None, str] = {None: "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}
ROOM = 47
"""What a row of the table has for the position and two plays; a cell that needs more goes on below."""


def report_lines(
    session: Session, result: Report, names: Sequence[str], *, seat: int = 0, full: bool = False
) -> list[str]:
    """Return the report as `seat` sees it: its decisions one a line, then luck and skill of everybody.

    Only choices that were not the best are listed, all of them if `full`.
    """
    seats = range(len(names)) if names[seat] != "you" else (seat,)
    lines: list[str] = []
    for who in seats:
        lines += [*_decision_lines(session, result, who, names[who], full), ""]
    return lines + _luck_lines(session, result, names, seat)


def _decision_lines(session: Session, result: Report, seat: int, name: str, full: bool) -> list[str]:
    measure = result.measure
    made = [decision for decision in result.decisions if decision.seat == seat]
    if not made:
        return [f"{capital(_possessive(name))} decisions: none."]
    listed = [decision for decision in made if full or not decision.is_best]
    best = sum(decision.is_best for decision in made)
    counts = {mark: count for mark, count in result.marks(seat).items() if count}
    marks = "".join(f", {count} {_plural(mark, count)} ({SIGNS[mark]})" for mark, count in counts.items())
    lost = f"lost {measure.loss_words(result.loss(seat))} in all"
    judged = "best by estimate" if measure.is_estimate else "best"
    lines = wrap(f"{capital(_possessive(name))} decisions: {best} of {len(made)} {judged}{marks}; {lost}.", WIDTH)
    if not listed:
        return lines
    plays = max(len(_short_play(session, d, option)) for d in listed for option in (d.chosen, d.best))
    wide = max(len("played"), min(plays, ROOM // 3))
    widths = (ROOM - 2 * wide, wide, wide)
    lines.append(_row("turn", ("position", "played", "best"), ("worth", "worth"), "loss", widths))
    for decision in listed:
        lines += _decision_rows(session, decision, widths)
    return [*lines, *((session.words.notation,) if session.words.notation else ())]


def _row(turn: str, cells: Sequence[str], worths: Sequence[str], end: str, widths: Sequence[int]) -> str:
    position, played, best = map(str.ljust, cells, widths)
    return f"{turn:>4}  {position} {played}{worths[0]:>7}  {best}{worths[1]:>7}{end:>7}".rstrip()


def _decision_rows(session: Session, decision: Decision, widths: Sequence[int]) -> list[str]:
    """Return a decision, whole: what does not fit into a cell goes on in a row below."""
    step = session.steps[decision.step]
    measure = session.judge.measure
    turn = session.match.turn(step.spot) // session.match.players + 1
    mine, best = (_short(measure.is_chance, option.value) for option in (decision.chosen, decision.best))
    loss = "-" if decision.is_best else f"{float(decision.loss) * (100 if measure.is_chance else 1):.2f}"
    plays = [_short_play(session, decision, option) for option in (decision.chosen, decision.best)]
    cells = (session.words.short_spot(session.match, step.spot), *plays)
    rows = [*zip_longest(*map(wrap, cells, widths), fillvalue="")]
    first = _row(str(turn), rows[0], (mine, best), loss, widths)
    below = [_row("", row, ("", ""), "", widths) for row in rows[1:]]
    return [f"{first} {SIGNS[decision.mark]}".rstrip(), *below]


def _luck_lines(session: Session, result: Report, names: Sequence[str], seat: int) -> list[str]:
    measure = result.measure
    unit = f"points of {measure.name}" if measure.is_chance else measure.name
    unit = unit.replace(measure.name, f"{_possessive(names[seat])} {measure.name}") if len(names) > 1 else unit
    lines = [
        f"Luck and skill in {unit}{' (fewer is better)' if measure.prefers_less else ''}:",
        f"  {'':<20}{'luck':>9}{'skill':>9}",
    ]
    for who, name in enumerate(names):
        luck, skill = (measure.difference(part[who][seat]) for part in (result.luck, result.skill))
        lines.append(f"  {name:<20}{luck:>9}{skill:>9}")
    initial, final = result.initial[seat], result.final[seat]
    now = "end" if result.is_over else "now"
    lines.append(
        f"  start {measure.words(initial)}, {now} {measure.words(final)}: {measure.difference(final - initial)} = "
        f"luck {measure.difference(result.luck_of(seat))}, skill {measure.difference(result.skill_of(seat))}"
    )
    for word, fall in _extremes(result, seat):
        spot = session.steps[fall.step].spot
        dice = session.words.roll(session.match.game(spot), fall.roll)
        where = session.words.short_spot(session.match, spot)
        rolled = f"{names[fall.seat]} rolled {dice}{' (bust)' if fall.bust else ''}"
        line = f"{word}: {rolled} at {where}, {measure.difference(fall.luck[seat])}"
        lines += wrap(line, WIDTH, initial_indent="  ", subsequent_indent="      ")
    return lines


def _extremes(result: Report, seat: int) -> Iterator[tuple[str, Fall]]:
    """Yield the luckiest and the unluckiest roll as `seat` sees it."""
    if result.falls:
        sign = -1 if result.measure.prefers_less else 1
        ordered = sorted(result.falls, key=lambda fall: sign * fall.luck[seat])
        yield "luckiest roll", ordered[-1]
        yield "unluckiest roll", ordered[0]


def _short_play(session: Session, decision: Decision, option: Option) -> str:
    game = session.match.game(session.steps[decision.step].spot)
    return session.words.short_play(game, option.match_play)


def _possessive(name: str) -> str:
    return "your" if name == "you" else f"{name}'s"


def _short(is_chance: bool, value: Number) -> str:
    return f"{100 * float(value):.1f}%" if is_chance else f"{float(value):.2f}"


def _plural(mark: str, count: int) -> str:
    return mark if count == 1 else mark[:-1] + "ies" if mark.endswith("y") else f"{mark}s"
