"""`solve` and `load`: one function for every goal, answered by the family of the goal's game."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from jeopardice.errors import StaleSolution
from jeopardice.family import How, family_of
from jeopardice.kernels import Progress, thread_count
from jeopardice.rules.goal import Goal, Indifferent, race_of
from jeopardice.store import goal_from_json, goal_words, read_blocks
from jeopardice.types import JsonObject


def solve(
    goal: Goal,
    *,
    exact: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
    dtype: str = "float64",
    started: int | None = None,
    cluster: str | None = None,
    indifferent: Indifferent | None = None,
) -> Any:
    """Return the solution of a goal: its value, the best play at every moment, and the value of every other play.

    `exact` gives Fractions instead of certified floats, where that can finish; `threads` defaults to all available cores,
    the result is bit-for-bit the same for any number; `progress(done, total)` is called now and then; `checkpoint` names a
    directory from which a long run of Can't Stop resumes, and `dtype="float32"` halves the memory of one.

    `cluster` hands the boards of Can't Stop alone to a Ray cluster: "local" or its address.

    `indifferent` replaces the field of the race with this name: whether, among three and more, a player to whom stop and roll
    are worth the same will "stop" (the default) or "roll"; it may matter to the others.

    With `started`, Can't Stop alone is bracketed: only boards with at most this many started columns are solved, and the value
    lies between the solution's `lower` and `upper`.

    >>> from jeopardice import Pig, Turn
    >>> solve(Turn(Pig()), exact=True).value
    Fraction(492303203, 60466176)
    """
    if not isinstance(goal, Goal):
        raise TypeError(f"solve takes a goal such as Turn(Pig()) or Race(Pig(), target=100), got {goal!r}")
    thread_count(threads)
    if indifferent is not None:
        goal = replace(race_of(goal), indifferent=indifferent)
    family = family_of(goal.game)
    family.check(goal)
    options: JsonObject = {} if dtype == "float64" else {"dtype": dtype}
    optional = (("started", started), ("cluster", cluster))
    options |= {name: given for name, given in optional if given is not None}
    return family.solve(goal, How(exact, threads, progress, None if checkpoint is None else str(checkpoint), options))


def load(path: str | Path, goal: Goal | None = None) -> Any:
    """Return the solution stored in a directory, every digest checked.

    `goal` is needed for a game of one's own; otherwise it checks that the directory holds a solution of that goal.
    """
    about, blocks = read_blocks(path)
    if goal is None:
        goal = goal_from_json(about.get("goal"), str(path))
    elif goal_words(goal) != about.get("goal_repr"):
        raise StaleSolution(f"{path} was solved for {about.get('goal_repr')}, not for {goal!r}; solve it again")
    try:
        return family_of(goal.game).load(goal, blocks, {**about, "where": str(path)})
    except (AttributeError, KeyError):
        raise StaleSolution(f"{path} does not hold all parts of a solution; solve and save again") from None
