"""Given strategies under any rules between turns, exactly: the match is written out spot by spot and solved.

Plans (`points/plan.py`) know scores alone. Where a record, a last round or an offer matters too, the strategies are asked
at every spot of the match, and what remains is one sparse linear system. This is slower, and for small targets.
"""

from collections.abc import Sequence

from jeopardice.analysis.policy import Policy, policy_of
from jeopardice.analysis.spot_graph import write_out
from jeopardice.errors import RulesError
from jeopardice.family import family_of
from jeopardice.kernels import Progress
from jeopardice.points.strategy import BestPlay, StopAt, Strategy, rolls_remembered
from jeopardice.rules.goal import Race
from jeopardice.types import MatchPlay, Spot


def written_out_values(
    goal: Race, strategies: Sequence[Strategy | None], *, progress: Progress | None = None
) -> tuple[tuple[float, ...], float]:
    """Return what every seat gets under given strategies, and a proven bound of the errors.

    None plays its best response to the others.
    """
    family = family_of(goal.game)
    match = family.match(goal)
    policies: list[Policy | None] = []
    for seat, strategy in enumerate(strategies):
        is_best = isinstance(strategy, BestPlay) and strategy.solution.goal == goal
        given = strategy.solution if is_best and isinstance(strategy, BestPlay) else strategy
        policies.append(None if given is None else policy_of(goal, given, seat=seat))
    free = [seat for seat, policy in enumerate(policies) if policy is None]
    if free and (goal.last_round or goal.ending.must_hit):
        raise RulesError(
            "a best response that may roll on for any lead, or may wait for ever, is not computed; name a strategy for every "
            "seat, or leave out last_round and finish=exact"
        )
    graph = write_out(match, policies, counted=max(map(rolls_remembered, strategies)), progress=progress)
    if not free:
        choice = graph.first_choice()
    else:
        careful = StopAt(1)

        def first(spot: Spot) -> MatchPlay:
            return family.play_of(careful, match, spot)

        choice = graph.best_choice(free[0], first)
    values = [graph.values(seat, choice) for seat in range(goal.players)]
    bound = max(graph.error_bound(seat, choice, worth) for seat, worth in enumerate(values))
    return tuple(float(worth[0]) for worth in values), bound
