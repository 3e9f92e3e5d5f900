"""A game as lines of text, at most 80 columns wide: for the terminal, or for anybody who prints."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from textwrap import wrap

from jeopardice.family import Words
from jeopardice.games import idea_of
from jeopardice.rules.game import game_name
from jeopardice.rules.match import Match
from jeopardice.solution import Judge, Measure, Option
from jeopardice.tutor.session import Session, Step, words_of

WIDTH = 78
TIE = "\xa0"
"""Between words that no line is broken at."""
ESTIMATED = "This game is not solved: chances and grades are estimates, by looking one roll ahead."
BOUNDED = "This game is not solved: grades compare proven upper bounds on the turns that plays take."

Verb = Callable[[str], str]


def title_lines(judge: Judge, names: Sequence[str]) -> list[str]:
    """Return what is played, by whom and what for; and the idea of the game where its module states it."""
    game, target = judge.goal.game, judge.goal.target
    who = " against ".join(names) if len(names) > 1 else f"alone, for the {_aim(judge.measure)}"
    played = f"{game_name(game)}{f' to {target}' if target else ''}: {who}"
    return [*wrap(idea_of(game), WIDTH), played, *_warning(judge.measure)]


def _warning(measure: Measure) -> list[str]:
    if not measure.is_estimate:
        return []
    return list(wrap(BOUNDED if measure.prefers_less else ESTIMATED, WIDTH))


def _aim(measure: Measure) -> str:
    if measure.prefers_less:
        return f"fewest {measure.name}"
    return f"best {measure.name}" if measure.is_chance else f"most {measure.name}"


def turn_lines(judge: Judge, steps: Sequence[Step], names: Sequence[str]) -> list[str]:
    """Return what happened, one paragraph for each turn: optimal rolls 4, 3, 6 and stops."""
    lines: list[str] = []
    for seat, turn in _turns(judge.match, steps):
        verb = _verbs(names[seat])
        parts = [part for step in turn for part in _step_words(judge.match, words_of(judge), step, verb)]
        if not parts:
            continue
        story = wrap(f"{capital(names[seat])} {_joined(parts, verb)}.", WIDTH, subsequent_indent="    ")
        lines += [line.replace(TIE, " ") for line in story]
    return lines


def _step_words(match: Match, words: Words, step: Step, verb: Verb) -> list[str]:
    """Return a roll or a choice in words; nothing for a choice that the next roll shows."""
    game = match.game(step.spot)
    if step.option is None:
        dice = words.roll(game, step.roll).replace(" ", TIE)
        return [f"{verb('roll')} {dice or '-'}{': bust' if step.bust else ''}"]
    return [_unbroken(verb, deed) for deed in words.deeds(game, step.option.match_play)]


def _unbroken(verb: Verb, deed: str) -> str:
    """Return a deed with its verb in the right person, and the dice it names held together."""
    first, _, rest = deed.partition(" ")
    numbers = rest.split(" ")
    held = "".join(
        f"{word}{'' if n == len(numbers) - 1 else TIE if word.isdigit() and numbers[n + 1].isdigit() else ' '}"
        for n, word in enumerate(numbers)
    )
    return f"{verb(first)} {held}".rstrip()


def choice_lines(session: Session, *, columns: bool = False) -> list[str]:
    """Return the options, numbered, with what each banks or puts at risk; many short ones side by side."""
    options, game = session.options, session.match.game(session.spot)
    if not columns:
        wide = max(len(option.play) for option in options)
        rows = [(option, session.words.stake(game, option.match_play)) for option in options]
        return [f"  {n:2}  {option.play.ljust(wide)}   {stake}".rstrip() for n, (option, stake) in enumerate(rows, 1)]
    cells = [f"{number:2} {option.play}" for number, option in enumerate(options, 1)]
    width = max(map(len, cells)) + 2
    across = max(1, (WIDTH - 2) // width)
    return [
        "  " + "".join(cell.ljust(width) for cell in cells[at : at + across]).rstrip()
        for at in range(0, len(cells), across)
    ]


def hint_lines(session: Session) -> list[str]:
    """Return the options best first, with what each is worth and loses."""
    measure = session.judge.measure
    width = max(len(option.play) for option in session.options)
    return [
        f"  {option.play.ljust(width)}  {measure.words(option.value):>12}  {_judged(session, rank, option)}"
        for rank, option in enumerate(session.ranked)
    ]


def _judged(session: Session, rank: int, option: Option) -> str:
    measure, loss = session.judge.measure, session.loss(option)
    if rank == 0:
        return f"best{' by estimate' if measure.is_estimate else ''}"
    return "as good" if loss <= session.judge.tie else f"loses {measure.loss_words(loss)}"


def _turns(match: Match, steps: Sequence[Step]) -> Iterator[tuple[int, list[Step]]]:
    """Yield the steps turn by turn, so that two turns of one player alone stay apart."""
    for _, turn in groupby(steps, key=lambda step: (match.turn(step.spot), step.seat)):
        made = list(turn)
        yield made[0].seat, made


def _joined(parts: list[str], verb: Verb) -> str:
    """Join rolls that follow each other as a list: rolls 4, 3, 6 and stops with 13."""
    rolls = f"{verb('roll')} "
    short = [
        part.removeprefix(rolls) if n and parts[n - 1].startswith(rolls) and part.startswith(rolls) else part
        for n, part in enumerate(parts)
    ]
    if len(short) > 1 and short[-1].startswith(verb("stop")):
        return f"{', '.join(short[:-1])} and {short[-1]}"
    return ", ".join(short)


def _verbs(name: str) -> Verb:
    return lambda verb: verb if name == "you" else f"{verb}s"


def capital(words: str) -> str:
    """Return a sentence with its first letter capital, the others as they are."""
    return words[:1].upper() + words[1:]
