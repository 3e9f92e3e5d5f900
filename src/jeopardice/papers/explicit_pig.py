"""Pig for two written out position by position, as in section 3 of "Optimal minimax strategy in a dice game".

A position is (player, score of player one, score of player two, points at risk): the paper's (j, α, β, τ). Payments
go from player two to player one. Three variants: `reach` (first to the target wins 1), `exact` (the target must be
hit, more loses the turn), `margin` (the winner gets what the loser still lacks). This is the slow, plain way, kept as
a check on the fast engine.

**On transience.** The paper allows no stop with nothing at risk and no roll when stopping wins, and so proves that
`reach` ends. For `exact` (section 4.1) it says that the formulation is similar and leaves it there. But with a die
whose 1 busts, a player one point short can never finish: no face is worth one point. Both players may stop there, and
then nobody can end the game: a trap set, condition (3) of the definition fails and Theorem 2.1 does not apply as
stated. (With payments only for a win of player one, an endless game would even count as lost for him and won for
player two.) Our convention, `stuck="draw"`: when neither player can finish any more, the game is over and drawn,
worth 1/2 (margin: 0). With `stuck="barred"` a player may not stop on a score from which the target is out of reach;
it never pays to do so, and the values agree. `stuck="endless"` is the model as printed, which the solver refuses.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from jeopardice.graphs.stochastic import END, StochasticGame

Position = tuple[int, int, int, int]


def explicit_pig(
    target: int,
    variant: Literal["reach", "exact", "margin"] = "reach",
    *,
    faces: Mapping[int, int] | None = None,
    stuck: Literal["draw", "barred", "endless"] = "draw",
    stop_with_nothing: bool = False,
) -> StochasticGame:
    """Return Pig to `target` as an explicit stochastic game; the first position is player one's first roll.

    `faces` maps points to whole-number weights, 0 points being the bust: by default a die whose 1 busts; Piglet is
    {0: 1, 1: 1}. `stop_with_nothing` allows what the paper rules out, and makes a game that never need end.
    """
    law = dict(faces or {0: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1})
    total = sum(law.values())
    scoring = [points for points in law if points > 0]
    finishable = {0}  # what can still be lacking to the target when it must be hit exactly
    for lacking in range(1, target + 1):
        if any(lacking - points in finishable for points in scoring):
            finishable.add(lacking)
    exact = variant == "exact"

    def dead(score: int) -> bool:
        return exact and target - score not in finishable

    def plays(position: Position) -> list[str]:
        player, *scores, at_risk = position
        after = scores[player - 1] + at_risk
        if _over(position):
            return ["stop"]
        if at_risk == 0:
            return ["roll", "stop"] if stop_with_nothing else ["roll"]
        return ["roll"] if stuck == "barred" and dead(after) else ["stop", "roll"]

    def _over(position: Position) -> bool:
        player, *scores, at_risk = position
        return scores[player - 1] + at_risk >= target

    def _drawn(position: Position) -> bool:
        return stuck == "draw" and dead(position[1]) and dead(position[2])

    def payoff(position: Position, one: str, two: str) -> float:
        player, mine, theirs, _ = position
        if _drawn(position):
            return 0.5
        if not _over(position):
            return 0.0
        if variant == "margin":
            return float(target - theirs if player == 1 else mine - target)
        return 1.0 if player == 1 else 0.0

    def chances(position: Position, one: str, two: str) -> dict[object, float]:
        player, mine, theirs, at_risk = position
        if _over(position) or _drawn(position):
            return {END: 1.0}
        other = 3 - player
        if (one if player == 1 else two) == "stop":
            return {(2, mine + at_risk, theirs, 0) if player == 1 else (1, mine, theirs + at_risk, 0): 1.0}
        weights: dict[object, int] = {}
        for points, weight in law.items():
            after = (mine if player == 1 else theirs) + at_risk + points
            lost = points == 0 or (exact and after > target)
            to = (other, mine, theirs, 0) if lost else (player, mine, theirs, at_risk + points)
            weights[to] = weights.get(to, 0) + weight
        return {to: float(Fraction(weight, total)) for to, weight in weights.items()}

    return StochasticGame.from_rules(
        [(1, 0, 0, 0)],
        row_plays=lambda position: plays(position) if position[0] == 1 and not _drawn(position) else ["wait"],
        column_plays=lambda position: plays(position) if position[0] == 2 and not _drawn(position) else ["wait"],
        payoff=payoff,
        chances=chances,
    )
