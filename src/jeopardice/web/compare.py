"""Strategies against each other, by name. Only names that stand for themselves: nothing a request says is opened or run."""

import re

from jeopardice.analysis.head_to_head import compare
from jeopardice.errors import RulesError
from jeopardice.points.named_strategies import named_strategy, strategy_names
from jeopardice.points.strategy import BestPlay
from jeopardice.rules.goal import Goal
from jeopardice.types import JsonObject
from jeopardice.web.limits import Limits, check_goal
from jeopardice.web.shelf import Shelved

PATTERN = re.compile(r"(strict-)?stop-at-(?P<points>\d{1,9})|roll-(?P<rolls>\d{1,9})-times?", re.ASCII)


def check_names(names: list[str], limits: Limits, goal: Goal) -> None:
    """Refuse names that are no plain strategies, and more work than a request may ask for."""
    target = int(goal.target or 0)
    for name in names:
        if name in strategy_names():
            continue
        parts = PATTERN.fullmatch(name)
        if parts is None:
            known = ", ".join((*strategy_names(), "stop-at-N", "strict-stop-at-N", "roll-N-times"))
            raise RulesError(f"a strategy is one of {known}, got {name!r}")
        if parts["rolls"]:
            limits.check("strategy_rolls", int(parts["rolls"]))
        elif int(parts["points"]) > target:
            raise RulesError(f"{name} stops beyond the target, {target:,}; choose a number up to that")
    limits.check("answer_steps", check_goal(limits, goal) * len(names) ** 2)


def compared(shelved: Shelved, names: tuple[str, ...], threads: int) -> JsonObject:
    """Return the value of each strategy (row) against each other (column): playing first, and by coin toss."""
    goal = shelved.solution.goal
    strategies = [
        BestPlay(shelved.solution, "optimal") if name == "optimal" else named_strategy(name, goal) for name in names
    ]
    result = compare(goal, strategies, threads=threads)
    return {
        "kind": "chance" if goal.payoff == "win" else "margin",
        "names": list(names),
        "first": result.first.tolist(),
        "even": result.even.tolist(),
    }
