"""Answers as JSON: each function asks one thing of a solution and says it in plain numbers.

Numbers that are not finite become null. Pictures are thinned out to `MOST_CELLS` per axis, so an answer stays small.
"""

import json
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.analysis.law_of_turns import law_of_turns
from jeopardice.analysis.rest_of_turn import next_rolls, rest_of_turn
from jeopardice.analysis.turn_arrays import TurnArrays
from jeopardice.errors import PositionError
from jeopardice.family import counted, family_of, shape_of
from jeopardice.points.solution import ManySolution
from jeopardice.points.tables import TurnTable
from jeopardice.points.view import TurnView, choosing_roll
from jeopardice.rules.game import Mode, Play, dice_differ, mode_word
from jeopardice.rules.goal import Turn
from jeopardice.rules.text import mode_words, plain
from jeopardice.solution import Advice, Option
from jeopardice.tutor.why import Facts, NextRoll, reason
from jeopardice.types import Game, Given, Json, JsonObject, MatchRoll, Number
from jeopardice.web.boards import board_facts, estimated_advice
from jeopardice.web.shelf import PICTURED, Shelved

MOST_CELLS = 250
MOST_SURFACE = 50
MOST_EVERY = 2000
"""The most cells of an axis where every cell is wanted: beyond, `export` on the command line writes them."""
TIE = 1e-11


def to_json(answer: Json) -> bytes:
    """Return an answer as bytes."""
    return json.dumps(answer, separators=(",", ":"), allow_nan=False).encode()


def read_mode(game: Game, table: TurnTable, text: str | None, roll: MatchRoll) -> Mode:
    """Return the mode that a request names; nothing: what the roll shows, or the opening."""
    if text:
        for mode in table.modes:
            if text in (str(mode), mode_words(mode)):
                return mode
        known = ", ".join(map(mode_words, sorted(table.modes, key=str)))
        raise PositionError(f"{mode_word(game)} is one of {known}, got {text!r}")
    if roll is not None and mode_word(game) == "dice" and len(roll) in table.modes:
        return len(roll)
    if roll is not None and dice_differ(game):
        return tuple(kind for kind, _ in roll)
    opening: Mode = game.opening
    return opening


def read_roll(text: str | None, game: Game = None) -> MatchRoll:
    """Return a roll written as 1,5,6 or 1 5 6 or 156; where dice differ as 1a,5b."""
    if not text:
        return None
    if dice_differ(game):
        return _read_kinds_of_dice(text, game)
    words = text.replace(",", " ").split() if set(text) & set(", ") else list(text)
    if not all(word.isascii() and word.isdigit() and len(word) <= 6 for word in words):
        raise PositionError(f"a roll is written as its faces, like 1,5,6, got {text!r}")
    return tuple(map(int, words))


def _read_kinds_of_dice(text: str, game: Game) -> MatchRoll:
    roll = family_of(game).words.parse_roll(game, text)
    if not (isinstance(roll, tuple) and all(isinstance(die, tuple) for die in roll)):
        letters = ", ".join(
            f"{letter} for {name}" for letter, name in zip("abcdefgh", game.dice.kind_names, strict=False)
        )
        raise PositionError(f"a roll of these dice is written like 1a,5b, with {letters}; got {text!r}")
    return roll


def advise(
    shelved: Shelved, mine: int, theirs: int, at_risk: int, mode_text: str | None, roll: MatchRoll, why: bool
) -> JsonObject:
    """Return every option, best first; with `why` also what the next roll can bring and how the turn ends."""
    goal, turn = shelved.solution.goal, shelved.turns(mine, theirs)
    view = turn.view
    mode = read_mode(view.game, view.table, mode_text, roll)
    if roll is None:
        roll = choosing_roll(view.game, mode)
    advice = view.advise(at_risk, mode, roll)
    options = options_json(advice, view.prefers_less)
    answer = {
        "kind": counted(goal),
        "value": _number(advice.value),
        "best": options[0]["play"],
        "mine": mine,
        "theirs": theirs,
        "at_risk": at_risk,
        "mode": mode,
        "roll": None if roll is None else list(roll),
        "options": options,
        "error_bound": shelved.error_bound,
    }
    if why:
        rolling = next((option for option in advice.options if not option.stops), None)
        answer["why"] = None if rolling is None else why_json(turn, rolling)
        answer["reason"] = reason(_facts(shelved, turn.view, advice))
    return answer


def family_advice(shelved: Shelved, texts: dict[str, str]) -> JsonObject:
    """Return every option at a position given by texts, best first, for games other than those of points in turns."""
    goal = shelved.goal
    keywords = family_of(goal.game).words.parse_position(goal, texts)
    is_estimate, measure = shelved.is_estimate, shelved.judge.measure
    advice = estimated_advice(goal, keywords) if is_estimate else shelved.solution.advise(**keywords)
    options = options_json(advice, measure.prefers_less)
    value = {"kind": counted(goal), "value": _number(advice.value), "best": options[0]["play"]}
    facts = board_facts(shelved, advice, keywords)
    if isinstance(shelved.solution, ManySolution):
        view = shelved.turns(keywords.get("mine", 0), keywords.get("theirs", (0,) * (goal.players - 1))).view
        facts = _facts(shelved, view, advice)
    why = "" if facts is None else reason(facts)
    sure = {
        "is_estimate": is_estimate,
        "spread": measure.spread,
        "error_bound": shelved.error_bound,
        "note": advice.note,
    }
    return {**value, "position": texts, "options": options, **sure, "reason": why}


def options_json(advice: Advice, prefers_less: bool) -> list[JsonObject]:
    """Return the options with what each loses against the best."""
    sign = -1 if prefers_less else 1
    return [
        {
            "play": o.play,
            "value": _number(o.value),
            "loss": _number(max(0.0, sign * float(advice.value - o.value))),
            "tie": abs(float(advice.value - o.value)) <= TIE * max(1.0, abs(float(advice.value))),
            "stops": o.stops,
            "points": o.points,
            "mode": plain(o.mode),
            "kept": list(o.kept),
            "share": o.share,
        }
        for o in advice.options
    ]


def _facts(shelved: Shelved, view: TurnView, advice: Advice) -> Facts:
    """Return what a reason for the best option is made from."""

    def ahead(option: Option) -> NextRoll | None:
        if option.stops:
            return None
        rolls = next_rolls(view, option.points, option.mode)
        bust = sum(roll.chance for roll in rolls if roll.busts)

        def mean(busts: bool) -> float | None:
            chance = sum(roll.chance for roll in rolls if roll.busts == busts)
            return sum(r.chance * r.value for r in rolls if r.busts == busts) / chance if chance else None

        return NextRoll(bust, mean(True), mean(False))

    return Facts(
        shelved.judge.measure,
        shelved.goal.players,
        shelved.judge.tie,
        advice.options,
        stopped=lambda stop: float(stop.value),
        ahead=ahead,
        stake=lambda option: f"{'banks' if option.stops else 'risks'} {option.points}" if option.points else "",
    )


def why_json(turn: TurnArrays, rolling: Option) -> JsonObject:
    """Return what the next roll can bring and how the turn ends, if one rolls on."""
    rest = rest_of_turn(turn.view, rolling.points, rolling.mode)
    return {
        "play": rolling.play,
        "at_risk": rolling.points,
        "mode": rolling.mode,
        "value": _number(rolling.value),
        "next_rolls": [
            {
                "chance": r.chance,
                "points": r.points,
                "mode": r.mode,
                "value": _number(r.value),
                "stops": r.stops,
                "busts": r.busts,
            }
            for r in next_rolls(turn.view, rolling.points, rolling.mode)
        ],
        "bust_chance": rest.bust_chance,
        "banked": [[points, chance] for points, chance in sorted(rest.banked.items())],
    }


def solution_json(shelved: Shelved) -> JsonObject:
    """Return the value of a goal and what is certified of it."""
    solution, goal = shelved.solution, shelved.goal
    answer: JsonObject = {
        "goal": repr(goal),
        "kind": counted(goal),
        "is_estimate": shelved.is_estimate,
        "value": _number(shelved.value),
        "error_bound": shelved.error_bound,
        "target": goal.target,
        "unit": 1,
        "modes": [],
        "mode_word": getattr(goal.game, "mode_word", None),
    }
    if shape_of(goal.game) == "columns":
        return answer | {"lengths": list(goal.game.lengths)}
    if shape_of(goal.game) == "card":
        return answer | {"boxes": list(goal.game.boxes)}
    if isinstance(solution, PICTURED):
        table = _table(shelved)
        answer |= {"unit": table.unit, "modes": sorted(table.modes, key=str)}
        if dice_differ(goal.game):  # dice that differ: what is left of them, by the letters of their kinds
            modes = sorted(
                (mode for mode in table.modes if isinstance(mode, tuple)), key=lambda mode: (-len(mode), mode)
            )
            names = {mode_words(mode): goal.game.dice.words(mode) for mode in modes}
            answer |= {"mode_names": names, "kind_names": list(goal.game.dice.kind_names)}
    if hasattr(solution, "coin_toss"):
        answer["coin_toss"] = _number(solution.coin_toss)
    if hasattr(solution, "threshold"):
        answer["threshold"] = solution.threshold
    return answer


def roll_stop_map(shelved: Shelved, theirs: Given, mode_text: str | None, every: bool = False) -> JsonObject:
    """Return by how much rolling beats stopping: rows by points at risk, columns by standing (one turn: by mode).

    Large maps are thinned out, unless `every` cell is wanted.
    """
    most = MOST_EVERY if every else MOST_CELLS
    solution = shelved.solution
    goal, table = solution.goal, _table(shelved)
    mode = read_mode(goal.game, table, mode_text, None)
    if isinstance(goal, Turn):
        turn = shelved.turns(0, 0)
        gain = np.where(_may_stop(turn)[:, None], turn.shown(turn.roll) - turn.shown(turn.bank)[:, None], np.nan)
        rows = _thinned(turn.rows, most)
        return {
            "kind": "points", "x_name": "mode", "x": list(table.modes), "y": [t * table.unit for t in rows],
            "gain": _grid(gain[rows]), "theirs": None, "mode": None,
        }  # fmt: skip
    target = -(-goal.target // table.unit)
    index = table.modes.index(mode)
    standings, rows = _thinned(target, most), _thinned(target, most)
    gains = np.full((len(rows), len(standings)), np.nan)
    for column, i in enumerate(standings):
        turn = shelved.turns(i * table.unit, theirs)
        kept = [t for t in rows if t < turn.rows]
        sign = -1 if turn.view.prefers_less else 1
        gain = sign * (turn.shown(turn.roll[:, index]) - turn.shown(turn.bank))
        gain[~_may_stop(turn)] = np.nan
        gains[: len(kept), column] = gain[kept]
    return {
        "kind": counted(goal), "x_name": "mine", "x": [i * table.unit for i in standings],
        "y": [t * table.unit for t in rows], "gain": _grid(gains), "theirs": theirs, "mode": mode,
    }  # fmt: skip


def choices_map(shelved: Shelved) -> JsonObject:
    """Return the best mode to roll in at the start of a turn, by both standings, where that is all there is to choose."""
    solution = shelved.solution
    game, table = solution.goal.game, _table(shelved)
    roll = choosing_roll(game, game.opening)
    if roll is None:
        raise PositionError("in this game a turn does not open with a choice of dice; ask for the map of roll or stop")
    targets = getattr(solution, "targets", None) or (solution.target, 1)
    mine, theirs = (_thinned(target, MOST_SURFACE) for target in targets)
    plays = game.plays(game.opening, roll)

    def best_mode(i: int, j: int) -> Mode:
        view = shelved.turns(i * table.unit, j * table.unit).view
        best: Play = max(plays, key=lambda play: view.worth(view.units(play.points), view.mode_index(play.mode)))
        return best.mode

    best = [[best_mode(i, j) for i in mine] for j in theirs]
    return {"mine": [i * table.unit for i in mine], "theirs": [j * table.unit for j in theirs], "best": best}


def surface(shelved: Shelved, of: str, mode_text: str | None, every: bool = False) -> JsonObject:
    """Return, by both standings, the value (`of="value"`) or the points at risk that part rolling from stopping.

    Of the latter there are two: `height` is the least points at risk at which one stops, `again` the points from which on
    one rolls for the target all the same (null where there are none).
    """
    solution = shelved.solution
    if not hasattr(solution, "worths"):
        raise PositionError("a surface over both standings needs a race for two; ask for goal=duel")
    table = _table(shelved)
    index = table.modes.index(read_mode(solution.goal.game, table, mode_text, None))
    mine, theirs = (_thinned(target, MOST_EVERY if every else MOST_SURFACE) for target in solution.targets)
    again: Any = None
    if of == "value":
        heights: Any = solution.worths[0][np.ix_(mine, theirs)]
    else:
        heights, again = np.full((2, len(mine), len(theirs)), np.nan)
        for a, i in enumerate(mine):
            for b, j in enumerate(theirs):
                turn = shelved.turns.__wrapped__(i * table.unit, j * table.unit)
                stops = np.flatnonzero(turn.stops[:, index])
                heights[a, b] = (stops[0] if len(stops) else turn.rows) * table.unit
                if len(stops) and stops[-1] < turn.rows - 1:
                    again[a, b] = (stops[-1] + 1) * table.unit
    return {
        "of": of, "kind": counted(solution.goal) if of == "value" else "points",
        "mine": [i * table.unit for i in mine], "theirs": [j * table.unit for j in theirs], "height": _grid(heights),
        "again": None if again is None else _grid(again),
    }  # fmt: skip


def curves(shelved: Shelved, theirs: list[int]) -> JsonObject:
    """Return the value at the beginning of a turn by standing: one curve; with others one for each of `theirs`, which all have."""
    solution = shelved.solution
    table = _table(shelved)
    if isinstance(solution.goal, Turn):
        turn = shelved.turns(0, 0)
        rows = _thinned(turn.rows)
        return {
            "kind": "points", "x_name": "at_risk", "x": [t * table.unit for t in rows],
            "curves": [
                {"name": f"{mode_word(solution.goal.game)} {mode}", "y": _list(turn.shown(turn.worth[rows, m]))}
                for m, mode in enumerate(table.modes)
            ],
        }  # fmt: skip
    others = solution.goal.players - 1
    standings = _thinned(-(-solution.goal.target // table.unit))
    found = [
        {
            "name": f"theirs {other}" if others else counted(solution.goal),
            "y": [
                _number(solution.at(i * table.unit, (other,) * others) if others else solution.at(i * table.unit))
                for i in standings
            ],
        }
        for other in (theirs if others else [0])
    ]
    return {
        "kind": counted(solution.goal),
        "x_name": "mine",
        "x": [i * table.unit for i in standings],
        "curves": found,
    }


def laws(shelved: Shelved, alone: Shelved | None, mine: int, theirs: Given) -> JsonObject:
    """Return the law of the score of the next turn, and of the number of turns a race alone takes, under best play."""
    turn = shelved.turns(mine, theirs)
    table = turn.view.table
    rest = rest_of_turn(turn.view, 0, table.modes[table.opening])
    return {
        "mine": mine,
        "theirs": theirs,
        "bust_chance": rest.bust_chance,
        "banked": [[points, chance] for points, chance in sorted(rest.banked.items())],
        "turns": None if alone is None else law_of_turns(alone.solution, mine),
    }


def _may_stop(turn: TurnArrays) -> NDArray[np.bool_]:
    return np.array([turn.view.may_stop(t) for t in range(turn.rows)], np.bool_)


def _table(shelved: Shelved) -> TurnTable:
    shelved.check_shape("points", "this picture is for games of points in turns")
    table: TurnTable = shelved.solution.tables[0]
    return table


def _thinned(size: int, most: int = MOST_CELLS) -> list[int]:
    return list(range(0, size, -(-size // most)))


def _number(value: Number) -> float | None:
    number = float(value)
    return number if isfinite(number) else None


def _list(values: NDArray[np.float64]) -> list[float | None]:
    return [round(v, 10) if isfinite(v) else None for v in values.tolist()]


def _grid(values: NDArray[np.float64]) -> list[list[float | None]]:
    return [_list(row) for row in values]
