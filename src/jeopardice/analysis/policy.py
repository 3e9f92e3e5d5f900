"""Policies: anything that says how often each play is made at a spot, in every family alike.

A policy may be given as a solution (best play), a strategy of the family, the name of one, `random`, or a function of a
spot that returns a play or a dict of plays with their chances. `policy_of` makes one form of all of them.
"""

from collections.abc import Callable, Mapping
from math import isclose
from random import Random
from typing import Any

from jeopardice.family import How, family_of
from jeopardice.rules.goal import Goal
from jeopardice.rules.match import Match
from jeopardice.solution import Judge
from jeopardice.types import MatchPlay, Spot

Chances = Mapping[MatchPlay, float]
Policy = Callable[[Spot], Chances]
"""From a spot where somebody chooses to the chance of each play; plays left out are never made."""

RANDOM = "random"
OPTIMAL = "optimal"


def policy_of(goal: Goal, given: Any, *, seat: int = 0) -> Policy:
    """Return the policy that is meant; `seat` matters only where seats play different games.

    >>> from jeopardice import Pig, Race, StopAt
    >>> goal = Race(Pig(), 10, players=2)
    >>> spot = family_of(goal.game).match(goal).from_json({"standings": [0, 0], "at_risk": 4, "roll": [3]})
    >>> [play.stops for play in policy_of(goal, StopAt(6))(spot)]
    [True]
    >>> sorted(policy_of(goal, "random")(spot).values())
    [0.5, 0.5]
    """
    family = family_of(goal.game)
    match = family.match(goal)
    if isinstance(given, str) and given == RANDOM:
        return lambda spot: dict.fromkeys(match.plays(spot), 1 / len(match.plays(spot)))
    if isinstance(given, str) and given == OPTIMAL:
        return best_play_of(family.judge_to_play(goal, How()))
    if hasattr(given, "advise"):
        return best_play_of(family.judge(given))
    strategy = family.strategy(goal, given, seat) if isinstance(given, str) else given
    if hasattr(strategy, "name") and any(hasattr(strategy, answer) for answer in ("stops", "chosen", "play")):
        return lambda spot: {family.play_of(strategy, match, spot): 1.0}
    if not callable(strategy):
        raise TypeError(f"a policy is a solution, a strategy, its name or a function of a spot, got {given!r}")
    return lambda spot: checked(strategy(spot), match, spot)


def best_play_of(judge: Judge) -> Policy:
    """Return best play as a policy; where best play is mixed, the mixture."""

    def policy(spot: Spot) -> Chances:
        options = judge.options_at(spot)
        shares = {option.match_play: option.share for option in options if option.share}
        return shares or {options[0].match_play: 1.0}

    return policy


def checked(given: Any, match: Match, spot: Spot) -> Chances:
    """Return what a function said as chances, or say what is wrong with it."""
    chances = given if isinstance(given, Mapping) else {given: 1.0}
    plays = match.plays(spot)
    for play in chances:
        if play not in plays:
            raise ValueError(f"a policy returns one of match.plays(spot), or a dict of them; got {play!r} at {spot!r}")
    if any(not chance >= 0 for chance in chances.values()) or not isclose(sum(chances.values()), 1, abs_tol=1e-9):
        raise ValueError(f"the chances of a policy are at least 0 and sum to 1, got {dict(chances)!r}")
    return chances


def drawn(chances: Mapping[Any, float], dice: Random) -> Any:
    """Return one of the keys, by its chance or weight."""
    if len(chances) == 1:
        return next(iter(chances))
    return dice.choices(list(chances), [float(chance) for chance in chances.values()])[0]
