"""The judge of a game: by a solution, or as the game's family finds one to play with."""

from jeopardice.family import How, family_of
from jeopardice.rules.goal import Goal
from jeopardice.solution import Judge, Progress, Solution


def judge_of(solution: Solution) -> Judge:
    """Return the judge that knows the values of a solution."""
    return family_of(solution.goal.game).judge(solution)


def judge_to_play(goal: Goal, *, progress: Progress | None = None, threads: int | None = None) -> Judge:
    """Return the judge of a goal, solved first; games that are not solved quickly may get one that estimates."""
    family = family_of(goal.game)
    family.check(goal)
    return family.judge_to_play(goal, How(threads=threads, progress=progress))
