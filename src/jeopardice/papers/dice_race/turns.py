"""Sections 2 and 5 of the dice-race paper: one turn, its points and rolls, checked in rationals."""

from math import sqrt

import numpy as np

from jeopardice.analysis.die_laws import as_float, joint_moments, points_and_rolls, rolls_law
from jeopardice.analysis.race_laws import mean_and_variance_rolls, roll_tables
from jeopardice.papers.claims import Claim, compared
from jeopardice.papers.dice_race.races import DIE, laws, printed

_TEN_DIGITS = "right up to the rounding of a calculation with ten digits; ours is a rational, rounded once"


def words(what: str, printed_words: str, ours: object, *, misprint: str = "", unclear: str = "") -> Claim:
    """Return the claim about something printed that is no decimal number: equal or not."""
    if str(ours) == printed_words:
        return Claim(what, printed_words, str(ours), "agrees")
    verdict = "misprint" if misprint else "unclear" if unclear else "differs"
    return Claim(what, printed_words, str(ours), verdict, misprint or unclear)  # type: ignore[arg-type]


def section_2_1() -> list[Claim]:
    """One turn by a threshold: the best mean and its variances."""
    shown, means = printed()["turn"], [law.mean for law in laws()]
    best = [k for k, mean in enumerate(means, 1) if mean == max(means)]
    return [
        words("best threshold of one turn", shown["best_thresholds"], " or ".join(map(str, best))),
        words("J̄(20), exactly", shown["mean_fraction"], means[19]),
        compared("J̄(20)", shown["mean"], as_float(means[19])),
        compared("V_J(20)", shown["variance_20"], as_float(laws()[19].variance)),
        compared("V_J(21)", shown["variance_21"], as_float(laws()[20].variance)),
    ]


def section_2_2() -> list[Claim]:
    """The number of rolls of a turn."""
    shown = printed()["turn"]
    at_20, at_21 = (joint_moments(points_and_rolls(DIE, k)) for k in (20, 21))
    rolls_limit = DIE.total / DIE.bust
    return [
        compared("R̄(20)", shown["mean_rolls_20"], at_20.mean_rolls, misprint=_TEN_DIGITS),
        compared("R̄(21)", shown["mean_rolls_21"], at_21.mean_rolls, misprint=_TEN_DIGITS),
        compared("limit of R̄(k)", shown["mean_rolls_limit"], rolls_limit),
        compared("V_R(20)", shown["variance_rolls_20"], at_20.variance_rolls),
        _printed_recurrence(),
    ]


def _printed_recurrence() -> Claim:
    """With P_R(k, l) for l > 1 from k > 6 on only, as printed, the law for k = 4 does not sum to 1."""
    joint = points_and_rolls(DIE, 4)
    one = as_float(sum(chance for (_, rolls), chance in joint.items() if rolls == 1))
    note = f"as printed P_R(4, ·) sums to {one:.6f}; the sum over i < k is needed for k = 2..6, too"
    return Claim("recurrence of P_R(k, ℓ), ℓ > 1", "for k > 6", "for k > 1", "misprint", note)


def section_2_3() -> list[Claim]:
    """Points and rolls of a turn together."""
    joint = joint_moments(points_and_rolls(DIE, 20))
    return [compared("C(20)", printed()["turn"]["correlation"], joint.correlation, misprint=_TEN_DIGITS)]


def section_2_4() -> list[Claim]:
    """A fixed number of rolls."""
    shown, means = printed()["turn"], [rolls_law(DIE, rolls).mean for rolls in range(1, 15)]
    best = [rolls for rolls, mean in enumerate(means, 1) if mean == max(means)]
    return [
        words("best number of rolls", shown["best_roll_counts"], " or ".join(map(str, best))),
        words("J̃(5), exactly", shown["fixed_mean_fraction"], means[4]),
        compared("J̃(5)", shown["fixed_mean"], as_float(means[4])),
    ]


def section_5() -> list[Claim]:
    """The total number of rolls: fewest with threshold 1, and how it varies with threshold 20."""
    shown = printed()["rolls"]
    turns = [joint_moments(points_and_rolls(DIE, k)) for k in range(1, 31)]
    per_point = [turn.mean_rolls / turn.mean_points for turn in turns]
    best = per_point.index(min(per_point)) + 1
    return [
        words("constant threshold with the fewest rolls", shown["best_threshold"], best),
        compared("rolls per point there", shown["rolls_per_point"], min(per_point)),
        _sign_of_the_correlation(),
    ]


def _sign_of_the_correlation() -> Claim:
    """Var(T_R) per point, exactly, beside what the printed representation gives with +C and with -C."""
    joint = points_and_rolls(DIE, 20)
    turn = joint_moments(joint)
    _, variance = mean_and_variance_rolls(roll_tables([joint]), np.zeros(3001, dtype=np.int64))
    exact = (variance[3000] - variance[2000]) / 1000
    slope = turn.mean_rolls / turn.mean_points
    apart = turn.variance_rolls + slope**2 * turn.variance_points
    tied = 2 * slope * turn.correlation * sqrt(turn.variance_rolls * turn.variance_points)
    plus, minus = (apart + tied) / turn.mean_points, (apart - tied) / turn.mean_points
    note = (
        f"Var(T_R) grows by {exact:.5f} per point; -C(20) gives {minus:.5f}, +C(20) gives {plus:.5f}: "
        "many points in a turn mean few turns"
    )
    is_minus = abs(minus - exact) < 1e-3 < abs(plus - exact)
    ours = f"-{turn.correlation:.10f}"
    return Claim(
        "correlation of Z₁ and Z₂", printed()["rolls"]["correlation"], ours, "misprint" if is_minus else "differs", note
    )
