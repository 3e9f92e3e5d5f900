"""How a solution is shown to people: the value first, then the strategy."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from jeopardice.cli.goals import Asked
from jeopardice.cli.output import number, say, table
from jeopardice.cli.seats import show_several
from jeopardice.family import counted, shape_of
from jeopardice.rules.game import changed_fields, dice_differ, mode_word
from jeopardice.rules.goal import Goal, Race
from jeopardice.rules.text import brief, dice_words, kind_of, mode_words, option_name, value_words
from jeopardice.types import Game, JsonObject

if TYPE_CHECKING:
    from jeopardice.analysis.turn_strategy import RollingPoints
    from jeopardice.card.solution import CardSolution
    from jeopardice.columns.solution import BoardDuelSolution, BoardSolution
    from jeopardice.points.simultaneous_solution import MixedSolution
    from jeopardice.points.solution import AloneSolution, DuelSolution, TurnSolution
    from jeopardice.points.view import TurnView
    from jeopardice.solution import Solution


def value_name(goal: Goal) -> str:
    """Return what the value of a goal is, in words."""
    if not isinstance(goal, Race):
        return {
            "turn": "mean score of a turn",
            "rate": "points a turn in the long run",
            "simultaneous": "chance to win from the start",
        }[kind_of(goal)]
    if goal.within is not None:
        return f"best chance to finish within {goal.within} turns"
    what = counted(goal)
    return {"chance": "chance that the first player wins", "margin": "expected margin of the first player"}.get(
        what, f"expected {what}"
    )


def show_solution(asked: Asked, solution: Any, seconds: float, full_table: bool, row: int | None = None) -> None:
    """Print the value, its bound, and the strategy; `row` is the score whose mixtures are wanted (simultaneous)."""
    goal = asked.goal
    say(brief(goal))
    say(f"{value_name(goal)}: {number(solution.value, 12)}{bound_words(solution)}   ({seconds:.3g} s)")
    if isinstance(solution.value, Fraction):
        click.echo(f"exactly {short_fraction(solution.value)}")
    shown: dict[tuple[str, str], Any] = {
        ("columns", "alone"): lambda: _show_board(solution),
        ("columns", "duel"): lambda: _show_board_duel(solution),
        ("card", "alone"): lambda: _show_card(solution),
        ("points", "turn"): lambda: _show_turn(solution, full_table),
        ("points", "alone"): lambda: _show_alone(solution, full_table),
        ("points", "duel"): lambda: _show_duel(solution, full_table),
        ("points", "simultaneous"): lambda: _show_mixtures(solution, row),
    }
    if kind_of(goal) == "race":
        show_several(solution, full_table)
        return
    shown.get((shape_of(goal.game), asked.kind), lambda: None)()


def kinds_line(game: Game) -> str:
    """Return which letter stands for which die, where dice differ; else nothing.

    >>> from jeopardice import Dice, Farkle
    >>> kinds_line(Farkle(dice=Dice.read("2x fair, lucky")))
    'dice: a is fair, b is lucky'
    """
    if not dice_differ(game):
        return ""
    dice = game.dice
    return f"dice: {', '.join(f'{mode_words((kind,))} is {dice.words((kind,))}' for kind in range(len(dice.kinds)))}"


def bound_words(solution: "Solution") -> str:
    """Return the certified bound as one reads it."""
    bound = solution.error_bound
    if bound is None:
        return " (not certified)"
    return "" if bound == 0 else f" ± {bound:.1e} (certified)"


def short_fraction(value: Fraction) -> str:
    """Return a fraction, with the middle digits left out where it would fill a screen."""
    text = str(value)
    if len(text) <= 200:
        return text
    return (
        f"a fraction of {len(str(value.numerator))} over {len(str(value.denominator))} digits (all of them with --json)"
    )


def _show_turn(solution: "TurnSolution", full_table: bool) -> None:
    from jeopardice.analysis.turn_strategy import give_backs, rolling_points

    view = solution.view()
    if _opens_with_choice(view):
        _show_choice(view)
        return
    limit = solution.edge.threshold
    say(
        f"bust chance {number(solution.bust_chance, 6)}; from {solution.threshold} points at risk on, stop whatever comes"
    )
    word = "dice" if kinds_line(solution.goal.game) else mode_word(solution.goal.game)
    rows = [[mode_words(r.mode), _rolling_words(r)] for r in rolling_points(view, limit + 1)]
    if len(rows) == 1:
        click.echo(f"strategy: keep rolling with {rows[0][1]} points at risk")
    else:
        table("strategy: when to roll", [f"{word} left", "with points at risk"], rows)
    if kinds := kinds_line(solution.goal.game):
        say(kinds)
    given = give_backs(view, limit)
    if given:
        rows = [
            [
                f"{mode_words(g.mode)} {word}: {dice_words(g.roll)}",
                f"{dice_words(g.kept)} (+{g.points})",
                mode_words(g.leaves),
                _range(g.first, g.last),
            ]
            for g in given
        ]
        note = "After every other roll: set aside all that scores."
        table(
            "when to give dice back",
            ["roll of", "set aside only", f"{word} left", "with points at risk"],
            rows,
            note=note,
        )
    if full_table:
        _show_moments(view, limit, given)


def _show_choice(view: "TurnView") -> None:
    """Print what each choice is worth, in a game whose turn opens with one (Hog)."""
    advice, modes = view.advise_at(0, None, {}), view.table
    say(f"best: {' or '.join(o.play for o in advice.ties)}")
    rows = []
    for option in advice.options:
        mode = view.mode_index(option.mode)
        bust = modes.bust_weight[mode] / modes.total_weight[mode]
        rows.append([option.play, number(float(option.value), 8), number(bust, 6)])
    table("value of each choice", ["choice", "mean score", "bust chance"], rows)


def _opens_with_choice(view: "TurnView") -> bool:
    from jeopardice.points.view import choosing_roll

    return choosing_roll(view.game, view.game.opening) is not None


def _rolling_title(view: "TurnView") -> str:
    """Return what the words of `_stop_words` mean."""
    if _opens_with_choice(view):
        return "best choice"
    word = mode_word(view.game)
    mode = view.game.opening
    which = f" {mode} {word}" if word != "mode" else f" in mode {mode}"
    return f"roll{which if len(view.table.modes) > 1 else ''} again with these points at risk"


def _show_moments(view: "TurnView", limit: int, given: list[Any]) -> None:
    """Print the worth of every moment: stop or roll by mode, and after the rolls of which dice are given back."""
    unit, modes = view.table.unit, sorted(view.table.modes, key=repr, reverse=True)
    rows = []
    for t in range(limit + 1):
        row = [str(t * unit)]
        for mode in modes:
            index = view.mode_index(mode)
            stops = view.stops(t, index)
            row.append(f"{float(view.shown(view.worth(t, index))):.4f} {'s' if stops else 'r'}")
        rows.append(row)
    table("value of each moment (s: stop, r: roll)", ["at risk", *map(str, modes)], rows)
    rolls = list(dict.fromkeys((g.mode, g.roll) for g in given))
    if not rolls:
        return
    rows = []
    for t in range(limit):
        for mode, roll in rolls:
            advice = view.advise(t * unit, mode, roll)
            best = max(advice.options, key=lambda o: o.points)
            if advice.best.points < best.points:
                rows.append(
                    [
                        f"{mode_words(mode)}: {dice_words(roll)}",
                        str(t * unit),
                        f"{float(advice.value):.4f}",
                        advice.best.play,
                    ]
                )
    table("value after a roll of which dice are given back", ["roll of", "at risk before", "value", "best"], rows)


def _show_board(solution: "BoardSolution") -> None:
    """Print what completing each column first is worth: not always a gain."""
    game = solution.goal.game
    rows = []
    for column in game.columns:
        done = solution.at({column: game.length(column)}) if game.columns_to_win > 1 else 0.0
        rows.append([str(column), str(game.length(column)), number(done, 8), number(done - solution.value, 8)])
    note = f"Ask for any position with: jeopardice advise {_board_words(solution.goal)} --mine {game.sides + 1}:1"
    table("with only this column completed", ["column", "spaces", "turns to come", "change"], rows, note=note)


def _board_words(goal: Goal) -> str:
    """Return the goal as one types it: the game, and the rules that differ from the usual ones."""
    rules = changed_fields(goal.game)
    words = [f"{option_name(name)} {value_words(value)}" for name, value in rules.items()]
    return " ".join(["cant-stop", *(["duel"] if goal.players == 2 else []), *words])


def _show_card(solution: "CardSolution") -> None:
    """Print what each box is worth: how much a game loses that begins with as little there as can be."""
    from jeopardice.card.match import possible_points

    boxes = solution.goal.game.boxes
    if len(boxes) == 1:
        return
    rows = []
    for box in boxes:
        least = min(possible_points(box))
        left = solution.at({box: least})
        rows.append([f"{box} with {least}", number(left, 6), number(solution.value - least - left, 6)])
    note = "Ask for any card with: jeopardice advise yahtzee --card ones:3,twos:6 --roll 1,1,5,5,6 --rolls-left 1"
    table("with only this box filled, as badly as can be", ["box", "points to come", "loss"], rows, note=note)


def mixture_fields(solution: "MixedSolution", row: int | None) -> list[JsonObject]:
    """Return values and mixtures on a grid of scores, or for one score of mine against every score of theirs."""
    target = int(solution.goal.target or 0)
    grid = sorted({*range(0, target, max(1, target // 5)), target - 1})
    pairs = [(i, j) for i in grid for j in grid] if row is None else [(row, j) for j in range(target)]
    return [
        {
            "mine": mine,
            "theirs": theirs,
            "value": solution.at(mine, theirs),
            "mixture": {str(choice): chance for choice, chance in solution.mixture(mine, theirs).items()},
        }
        for mine, theirs in pairs
    ]


def _show_mixtures(solution: "MixedSolution", row: int | None) -> None:
    """Print the chance to win and the best mixture by score."""
    rows = []
    for found in mixture_fields(solution, row):
        mixed = [
            choice if chance == 1 else f"{choice}: {chance:.1%}"
            for choice, chance in sorted(found["mixture"].items(), key=lambda entry: -entry[1])
        ]
        rows.append([f"{found['mine']} : {found['theirs']}", number(found["value"], 6), ", ".join(mixed)])
    note = "Any score against all of theirs with --mine N; the whole picture with: jeopardice plot ... simultaneous"
    table("best mixtures", ["mine : theirs", "chance to win", "choices"], rows, note="" if row is not None else note)


def _show_board_duel(solution: "BoardDuelSolution") -> None:
    """Print what having one column completed is worth, to the player to move, by whose it is."""
    game = solution.goal.game
    click.echo(f"if a coin decides who begins: {number(solution.coin_toss, 12)}")
    rows = []
    for column in game.columns if game.columns_to_win > 1 else ():
        done = {column: game.length(column)}
        rows.append([str(column), number(solution.at(done, {}), 8), number(solution.at({}, done), 8)])
    words, middle = _board_words(solution.goal), game.sides + 1
    note = f"Ask for any position with: jeopardice advise {words} --mine {middle}:1 --theirs {middle - 1}:1"
    table(
        "chance of the player to move with only this column completed",
        ["column", "by that player", "by the opponent"],
        rows,
        note=note,
    )


def _show_alone(solution: "AloneSolution", full_table: bool) -> None:
    unit, target = solution.table.unit, solution.target
    step = 1 if full_table else max(1, target // 20)
    rows = []
    for mine in range(0, target, step):
        points = mine * unit
        rows.append([str(points), number(solution.at(points), 8), _stop_words(solution.view(points), target - mine)])
    word = "chance" if solution.goal.within else f"{solution.goal.cost} to come"
    table(
        "by standing",
        ["standing", word, _rolling_title(solution.view(0))],
        rows,
        note="" if full_table else "Every standing with --table.",
    )


def _show_duel(solution: "DuelSolution", full_table: bool) -> None:
    click.echo(f"if a coin decides who begins: {number(solution.coin_toss, 12)}")
    unit, targets = solution.tables[0].unit, solution.targets
    step = max(1, targets[0] // 8)
    other = max(1, targets[1] // 4)
    theirs = range(0, targets[1], other)
    rows = []
    for i in range(0, targets[0], step):
        row = [str(i * unit)]
        for j in theirs:
            row.append(f"{float(solution.at(i * unit, j * solution.tables[1].unit)):.4f}")
        rows.append(row)
    table("value for the player to move", ["mine \\ theirs", *(str(j * solution.tables[1].unit) for j in theirs)], rows)
    rows = []
    for i in range(0, targets[0], step):
        row = [str(i * unit)]
        for j in theirs:
            row.append(_stop_words(solution.view(i * unit, j * solution.tables[1].unit), targets[0] - i))
        rows.append(row)
    table(
        _rolling_title(solution.view(0, 0)),
        ["mine \\ theirs", *(str(j * solution.tables[1].unit) for j in theirs)],
        rows,
    )


def _stop_words(view: "TurnView", limit: int) -> str:
    from jeopardice.analysis.turn_strategy import rolling_points

    opening = view.table.modes[view.table.opening]
    if _opens_with_choice(view):
        return str(view.advise_at(0, None, {}).best.play)
    (points,) = rolling_points(view, limit, modes=[opening])
    return _rolling_words(points)


def _rolling_words(points: "RollingPoints") -> str:
    if not points.runs:
        return "stop at once"
    runs = [
        _range(0 if n == 0 and points.runs_from_start else first, last) for n, (first, last) in enumerate(points.runs)
    ]
    return ", ".join(runs)


def _range(first: int, last: int) -> str:
    if first == last:
        return f"{first} only"
    return f"up to {last}" if first == 0 else f"{first} to {last}"
