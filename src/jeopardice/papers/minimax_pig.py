"""Crocce & Mordecki, "Optimal minimax strategy in a dice game" (2009): what it says about Pig to 200, checked exactly.

The paper's letters: α my score, β the opponent's, τ the points at risk. Its figures show where to roll (grey) and where
to stop (black); its observations about them are checked here at every one of the 3 980 000 moments of each variant:
`reach` (section 3), `exact` (4.1: the target must be hit) and `margin` (4.2: the winner gets what the loser lacks).
"""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from jeopardice.analysis.decision_maps import all_roll_gains
from jeopardice.analysis.head_to_head import exploitability, head_to_head
from jeopardice.games.pig import Pig
from jeopardice.points.solution import AloneSolution, DuelSolution
from jeopardice.points.strategy import BestPlay
from jeopardice.rules.goal import Race
from jeopardice.solver import solve
from jeopardice.types import JsonObject

Variant = Literal["reach", "exact", "margin"]
Verdict = Literal["true", "roughly true", "false"]
TARGET = 200


@dataclass(frozen=True)
class Claim:
    """An observation of the paper, whether it holds, and what we found."""

    name: str
    section: str
    says: str
    verdict: Verdict
    evidence: str


def printed() -> JsonObject:
    """Return what the paper prints."""
    return tomllib.loads((files("jeopardice.papers") / "data" / "minimax_pig.toml").read_text("utf-8"))


def race(variant: Variant = "reach") -> Race:
    """Return the race of a variant."""
    if variant == "exact":
        return Race(Pig(), TARGET, players=2, finish="exact")
    return Race(Pig(), TARGET, players=2, payoff="margin" if variant == "margin" else "win")


@lru_cache(maxsize=3)
def solution(variant: Variant = "reach") -> DuelSolution:
    """Return a variant, solved."""
    solution = solve(race(variant))
    assert isinstance(solution, DuelSolution)
    return solution


@lru_cache(maxsize=3)
def gains(variant: Variant = "reach") -> NDArray[np.float64]:
    """Return roll minus stop by [α, β, τ]; nan where there is nothing to decide."""
    return all_roll_gains(solution(variant))


def first_stops(variant: Variant = "reach") -> NDArray[np.int64]:
    """Return by [α, β] the least τ at which one stops; what is missing to the target if one never does."""
    stops = ~(gains(variant) > 0)
    stops[:, :, 0] = False
    first_stop: NDArray[np.int64] = np.where(np.isnan(gains(variant)), False, stops).argmax(axis=2)
    to_go = TARGET - np.arange(TARGET)[:, None]
    return np.where(first_stop > 0, first_stop, to_go)


def claims() -> list[Claim]:
    """Return every observation of sections 3 and 4 with our verdict (about ten seconds)."""
    claims = []
    for name, claim in printed()["claims"].items():
        verdict, evidence = _CHECKS[name]()
        claims.append(Claim(name, claim["section"], claim["says"], verdict, evidence))
    return claims


def turn_chances(own: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
    """Return by [α, β] the chance to hit the target in one turn: the best possible, or rolling where `own` says."""
    best = np.zeros((TARGET, TARGET))
    for alpha in range(TARGET):
        hit = np.zeros((TARGET + 7, TARGET))
        hit[TARGET] = 1.0
        for score in reversed(range(alpha, TARGET)):
            rolled = hit[score + 2 : score + 7].sum(axis=0) / 6
            at_risk = score - alpha
            hit[score] = rolled if own is None or at_risk == 0 else np.where(own[alpha, :, at_risk], rolled, 0.0)
        best[alpha] = hit[alpha]
    return best


def roll_share(variant: Variant, score: int) -> float:
    """Return the share of moments with α + τ = score at which one rolls."""
    return float(np.mean([gains(variant)[score - tau, :, tau] > 0 for tau in range(1, score + 1)]))


def most_at_risk_rolled(variant: Variant, score: int) -> NDArray[np.int64]:
    """Return by β the most points at risk with which one rolls where α + τ = score; 0 if one never does."""
    rolls = np.array([gains(variant)[score - tau, :, tau] > 0 for tau in range(1, score + 1)])
    taus = np.arange(1, score + 1)[:, None]
    most: NDArray[np.int64] = np.where(rolls, taus, 0).max(axis=0)
    return most


def _states() -> tuple[Verdict, str]:
    count = int((~np.isnan(gains())).sum())
    return "true", f"{count} for each player"


def _half() -> tuple[Verdict, str]:
    above = exploitability(race(), BestPlay(solution()))
    return "true", f"the best answer to it wins half of the games, a coin deciding who begins (within {abs(above):.0e})"


def _threshold() -> tuple[Verdict, str]:
    stops = first_stops()
    start, low = int(stops[0, 0]), stops[:50, :50]
    near = np.mean(abs(low - 20) <= 1)
    lead = np.subtract.outer(np.arange(50), np.arange(50))[low == 20]
    return "roughly true", (
        f"at 0:0 one still rolls at 20 and stops from {start} (rolling gains {gains()[0, 0, 20]:.2e}); with both "
        f"scores below 50 the threshold runs from {low.min()} to {low.max()}; it is 20 at {int((low == 20).sum())} of "
        f"the 2500 pairs, all with a lead of {lead.min()} to {lead.max()} points, and 19 to 21 at {near:.0%}"
    )


def _riskier() -> tuple[Verdict, str]:
    rolls = np.where(np.isnan(gains()), 0, gains() > 0).astype(np.int8)
    change = np.diff(rolls, axis=1)
    more, fewer = int((change == 1).sum()), int((change == -1).sum())
    thresholds = np.diff(first_stops(), axis=1)
    return "roughly true", (
        f"one more point for the opponent turns stop into roll at {more} moments and roll into stop at {fewer}; the "
        f"threshold rises {int((thresholds > 0).sum())} times and falls {int((thresholds < 0).sum())} times"
    )


def _always_roll() -> tuple[Verdict, str]:
    stops = [int((gains()[:, beta] <= 0).sum()) for beta in range(TARGET)]
    least = next(beta for beta in range(TARGET) if not any(stops[beta:]))
    return "true" if least == 187 else "false", (
        f"the least such score is {least}; at {least - 1} one stops at {stops[least - 1]} moments, and the smallest "
        f"gain of rolling from {least} on is {np.nanmin(gains()[:, least:]):.2e}, far above the error bound"
    )


def _haigh_roters() -> tuple[Verdict, str]:
    alone = solve(Race(Pig(), TARGET))
    assert isinstance(alone, AloneSolution)
    best, fewest = BestPlay(solution()), BestPlay(alone, "fewest-turns")
    first = head_to_head(race(), best, fewest).value
    second = 1 - head_to_head(race(), fewest, best).value
    even = (first + second) / 2
    return "true" if round(100 * even) == 52 else "false", (
        f"playing first {first:.6f}, second {second:.6f}, by coin toss {even:.6f}"
    )


def _exact_threshold() -> tuple[Verdict, str]:
    stops = first_stops("exact")
    low = stops[:50, :50]
    return "true", (
        f"at 0:0 one rolls at 20 and stops from {stops[0, 0]}; with both scores below 50 the threshold runs from "
        f"{low.min()} to {low.max()}, below 100 from {stops[:100, :100].min()} to {stops[:100, :100].max()}"
    )


def _exact_calmer() -> tuple[Verdict, str]:
    shares = {
        variant: [float(np.mean(g[~np.isnan(g)] > 0)) for g in np.moveaxis(gains(variant), 1, 0)]
        for variant in ("reach", "exact")
    }
    peak = int(np.argmax(shares["exact"]))
    return "true", (
        f"no opponent's score makes one roll everywhere: rolling takes at most {shares['exact'][peak]:.1%} of the "
        f"moments (β = {peak}), against 100 % from β = 187 on in the classical game"
    )


def _exact_sixth() -> tuple[Verdict, str]:
    best, own = turn_chances(), turn_chances(gains("exact") > 0)
    above = [alpha for alpha in range(TARGET) if best[alpha, 0] > 1 / 6 + 1e-12]
    return "false", (
        f"one roll wins with chance at most 1/6, a turn with more: 55/216 = {best[194, 0]:.6f} from 194, and above 1/6 "
        f"from {', '.join(map(str, above))}; best play itself exceeds 1/6 at {int((own > 1 / 6 + 1e-12).sum())} "
        "pairs of scores"
    )


def _exact_194() -> tuple[Verdict, str]:
    shares = {score: roll_share("exact", score) for score in (192, 193, 194, 195)}
    most = {score: most_at_risk_rolled("exact", score) for score in (193, 194)}
    chance = turn_chances()[:, 0]
    return "false", (
        f"the zone lies at 193: there one rolls with up to {most[193][0]} points at risk against β = 0 and "
        f"{most[193][198]} against 198, at 194 never with more than {most[194].max()} (share of moments: "
        + ", ".join(f"{score}: {share:.1%}" for score, share in shares.items())
        + f"). 194 is the best score to stop on (the next turn wins with chance {chance[194]:.4f}), 193 a poor one "
        f"({chance[193]:.4f})"
    )


def _exact_ends() -> tuple[Verdict, str]:
    worth = solution("exact")
    stops = sum(int((gains("exact")[199 - tau, :, tau] <= 0).sum()) for tau in range(1, TARGET))
    return "false", (
        "no face scores one point, so from 199 a player never finishes, and from 199:199 nobody: condition (3) fails "
        f"for strategies that stop there. Counted as a draw, the value is {worth.value:.12f}, and best play stops at "
        f"199 at {stops} moments"
    )


def _margin_close() -> tuple[Verdict, str]:
    most, classical = most_at_risk_rolled("margin", 199), most_at_risk_rolled("reach", 199)
    calm = [beta for beta in range(TARGET) if most[beta] <= 25]
    return "roughly true", (
        f"one point short one rolls with up to {most[0]} points at risk against β = 0 (classical game: "
        f"{classical[0]}), {most[100]} against 100, {most[180]} against 180; only from β = {min(calm)} on the zone "
        f"shrinks to at most 25 points, {most[199]} at β = 199"
    )


_CHECKS: dict[str, Callable[[], tuple[Verdict, str]]] = {
    "states": _states,
    "half": _half,
    "threshold": _threshold,
    "riskier": _riskier,
    "always_roll": _always_roll,
    "haigh_roters": _haigh_roters,
    "exact_threshold": _exact_threshold,
    "exact_calmer": _exact_calmer,
    "exact_sixth": _exact_sixth,
    "exact_194": _exact_194,
    "exact_ends": _exact_ends,
    "margin_close": _margin_close,
}
