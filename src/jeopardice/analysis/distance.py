"""How far a policy is from perfect play: what a best response wins from it, and what its decisions cost.

**Exploitability** is what a player who knows the policy gains: for two and more players, the mean over the seats of what the
best response from that seat wins above an equal share while all others follow the policy; alone, how much worse the policy
does than the best. It is 0 for best play and for nothing else that loses.

**Loss per decision** looks at the decisions instead: against best play of all others, the loss of each play compared with
the best one there, summed over a game and divided by the number of decisions in a game (spots that offer at least two
plays), averaged over the seats. The losses of a game sum to exactly what the policy gives away.

Both are exact where the game is small enough to be written out spot by spot. In plain races for two, strategies of points
games go through the compiled passes, whatever the target.
"""

from random import Random
from typing import Any

import numpy as np

from jeopardice.analysis.head_to_head import exploitability as exploitability_of_plan
from jeopardice.analysis.policy import OPTIMAL, Policy, best_play_of, drawn, policy_of
from jeopardice.analysis.spot_graph import write_out
from jeopardice.engine.tally import Estimate
from jeopardice.errors import RulesError
from jeopardice.family import How, family_of
from jeopardice.points.strategy import Strategy, rolls_remembered
from jeopardice.rules.goal import Goal, Race, Simultaneous
from jeopardice.solution import Judge
from jeopardice.types import Spot


def exploitability(goal: Goal, policy: Any, *, threads: int | None = None) -> float:
    """Return how much a best response wins from a policy, in what the goal counts; 0 for best play.

    `policy` is a strategy, its name, a solution, or a function of a spot that returns a play or a dict of plays with their
    chances.

    >>> from jeopardice import Pig, Race, StopAt
    >>> round(exploitability(Race(Pig(), 100, players=2), StopAt(20)), 4)
    0.0549
    >>> round(exploitability(Race(Pig(), 50), StopAt(20)), 4)              # alone: turns lost
    0.3568
    """
    strategy = family_of(goal.game).strategy(goal, policy) if isinstance(policy, str) and policy != "random" else policy
    if isinstance(strategy, Strategy) and isinstance(goal, Race) and _is_plain_duel(goal):
        return exploitability_of_plan(goal, strategy, threads=threads)
    if goal.ending.last_round:
        raise RulesError(
            "the best response in a race with a last round may keep rolling for any lead, so it is not computed; "
            "leave out last_round"
        )
    judge = family_of(goal.game).judge_to_play(goal, How(threads=threads))
    _check_solved(judge)
    match = judge.match
    follows = [policy_of(goal, strategy, seat=seat) for seat in range(match.players)]
    counted = rolls_remembered(strategy)
    if match.players == 1:
        graph = write_out(match, follows, counted=counted)
        value = float(graph.values(0, graph.first_choice())[0])
        best = float(judge.values_at(match.start())[0])
        return max(0.0, value - best if judge.measure.prefers_less else best - value)
    # both seats of a simultaneous race are alike, and seat 1 must not see what seat 0 chose
    seats = (0,) if isinstance(goal, Simultaneous) else range(match.players)
    won = []
    for seat in seats:
        others: list[Policy | None] = [None if each == seat else follows[each] for each in range(match.players)]
        graph = write_out(match, others, counted=counted)
        won.append(float(graph.best_reply(seat, lambda spot: judge.options_at(spot)[0].match_play)[0]))
    total = float(goal.ending.payoff == "win")
    return max(0.0, sum(won) / len(won) - total / match.players)


def _is_plain_duel(goal: Race) -> bool:
    return goal.players == 2 and goal.opponent is None and not goal.opponents and goal.is_plain


def loss_per_decision(goal: Goal, policy: Any, *, games: int | None = None, seed: int = 0) -> float | Estimate:
    """Return what a decision of a policy loses on average, all others playing best; 0 for best play.

    It is exact. With `games` it is estimated from this many games instead, for games too large to be written out.

    >>> from jeopardice import Pig, Race, StopAt
    >>> round(loss_per_decision(Race(Pig(), 20), StopAt(10)), 5)
    0.11362
    """
    judge = family_of(goal.game).judge_to_play(goal, How())
    _check_solved(judge)
    match, best = judge.match, best_play_of(judge)
    followed = best if isinstance(policy, str) and policy == OPTIMAL else None
    follows = [followed or policy_of(goal, policy, seat=seat) for seat in range(match.players)]
    if games is not None:
        return _estimated(judge, follows, games, seed)
    lost = decisions = 0.0
    for seat in range(match.players):
        others = [follows[each] if each == seat else best for each in range(match.players)]
        graph = write_out(match, others, counted=rolls_remembered(policy))
        met = graph.visits(graph.first_choice())
        for at in np.flatnonzero(met > 0).tolist():
            spot = graph.spots[at]
            if match.seat(spot) == seat and len(match.plays(spot)) > 1:
                decisions += met[at]
                lost += met[at] * _loss(judge, spot, follows[seat])
    return float(lost / decisions) if decisions else 0.0


def _loss(judge: Judge, spot: Spot, policy: Policy) -> float:
    options = judge.options_at(spot)
    value_of = {option.match_play: float(option.value) for option in options}
    best = float(options[0].value)
    return sum(chance * abs(best - value_of[play]) for play, chance in policy(spot).items())


def _estimated(judge: Judge, follows: list[Policy], games: int, seed: int) -> Estimate:
    """Return the loss per decision over games with random dice; a ratio of two means, its error by the usual formula."""
    if games < 2:
        raise ValueError(f"an estimate with its error needs at least two games, got games={games!r}")
    match, best = judge.match, best_play_of(judge)
    counts = np.zeros((2, games))
    for number in range(games):
        dice, seat, spot = Random(f"{seed}/{number}"), number % match.players, match.start()
        while not match.is_over(spot):
            if rolls := match.rolls(spot):
                spot = match.after_roll(spot, drawn(rolls, dice))
                continue
            policy = follows[seat] if match.seat(spot) == seat else best
            if match.seat(spot) == seat and len(match.plays(spot)) > 1:
                counts[:, number] += _loss(judge, spot, policy), 1
            spot = match.after_play(spot, drawn(policy(spot), dice))
    lost, decisions = counts
    ratio = float(lost.sum() / max(1.0, decisions.sum()))
    spread = float(np.std(lost - ratio * decisions, ddof=1) / np.sqrt(games) / max(decisions.mean(), 1e-300))
    return Estimate(ratio, spread)


def _check_solved(judge: Judge) -> None:
    if judge.measure.is_estimate:
        raise ValueError(
            "this game is too large to be solved here, so there is no perfect play to compare with; choose a smaller board"
        )
