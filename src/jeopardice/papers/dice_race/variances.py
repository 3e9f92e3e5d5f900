"""Sections 4 and 6 of the dice-race paper, equations (2) and (3): variance and law of the number of turns."""

from itertools import pairwise
from math import pi, sqrt
from typing import NamedTuple

import numpy as np

from jeopardice.analysis.asymptotics import residue_chain, variance_slope
from jeopardice.analysis.edgeworth import first_player_chance, first_player_constant, first_player_estimate
from jeopardice.analysis.race_laws import mean_turns, turn_moments, turn_steps, variance_turns
from jeopardice.papers.claims import Claim, Verdict, compared
from jeopardice.papers.dice_race.means import near_1000
from jeopardice.papers.dice_race.races import PATTERN, TARGET, decided, mixed_rates, printed, races, variance_per_point


def equation_2() -> list[Claim]:
    """The second moment D(n) = V(n) + E(n)²."""
    race = races().best
    steps, mean = race.steps, race.mean
    second = race.variance + mean**2
    later = second[steps.to] + 2 * mean[steps.to] + 1
    right = (steps.chance * later).sum(axis=1) + steps.bust * (1 + 2 * mean + second)
    rest = float(np.abs(right - second)[1:].max() / second.max())
    ours = f"largest relative residual {rest:.1e} for n = 1..{TARGET}"
    return [Claim("D(n) = Σ P [1 + 2E + D]", "holds", ours, "agrees" if rest < 1e-12 else "differs")]


def section_4_1() -> list[Claim]:
    """Two averages of variances, and how they fit."""
    shown, n = printed()["variance"], np.arange(TARGET + 1)
    weighted, plain = mixed_rates()
    far = slice(600, None)
    rests = [(races().best.variance - rate * n)[far] for rate in (weighted, plain)]
    amplitude = float(np.ptp(rests[0])) / 2
    note = f"V(n) - n s₁² lies in {rests[0].min():.2f} .. {rests[0].max():.2f} for n ≥ 600, mean {rests[0].mean():.2f}"
    better = abs(rests[1].mean()) < abs(rests[0].mean())
    fit = f"mean of V(n) - n s² is {rests[0].mean():.2f} with s₁², {rests[1].mean():.2f} with s₂²"
    return [
        compared("s₁²", shown["rate_weighted"], weighted),
        compared(
            "s₂²", shown["rate_plain"], plain,
            misprint="last digit: the printed V_J and m give 0.2133421844 in ten digits as well",
        ),
        Claim("amplitude of V(n) - n s₁²", shown["amplitude"], f"{amplitude:.2f}", _if(round(amplitude) == 2), note),
        Claim("which average fits better", "s₂²", "s₂²" if better else "s₁²", _if(better), fit),
    ]  # fmt: skip


def _if(holds: bool) -> Verdict:
    return "agrees" if holds else "differs"


def section_4_2() -> list[Claim]:
    """The Markov chain of residues for the pattern 12/10, and the variance rate of the race itself."""
    shown, chain = printed()["variance"], residue_chain(races().table, PATTERN)
    note = f"rests on the pattern of open problem 1, which does not hold; V(n) of the race grows by {variance_rate():.6f} per point"
    return [
        compared("p_I", shown["share_21"], chain.stationary[12:].sum()),
        compared("p_II", shown["share_20"], chain.stationary[:12].sum()),
        compared(
            "s² of the pattern 12/10", shown["rate_chain"], chain.variance_rate,
            misprint="last digits; section 4.4 prints 0.2112800055..., which is right",
        ),
        compared("s² as the variance rate of the race", shown["rate_chain"], variance_rate(), misprint=note, digits=7),
    ]  # fmt: skip


def variance_rate() -> float:
    """Return the growth of V(n) per point over n = 1000..6000, by whole pairs of 16 runs (355 points)."""
    steps = turn_steps(races().table, decided().choice)
    return variance_slope(variance_turns(steps, mean_turns(steps)), 1000, 355)


def section_4_3() -> list[Claim]:
    """Strategy 4: the constant K₃, the order of the constants, and the waves that fade."""
    low, high = printed()["variance"]["constant_3"]
    ranges = [near_1000(race) for race in (races().best, races().strategy_3, races().strategy_4)]
    middle = sum(ranges[2]) / 2
    n = np.arange(TARGET + 1)
    rest = races().strategy_4.variance - n * variance_per_point(20)
    early, late = np.ptp(rest[251:400]), np.ptp(rest[900:])
    is_ordered = all(one[1] < other[0] for one, other in pairwise(ranges))
    return [
        Claim(
            "K₃ (Strategy 4)", f"{low} < K₃ < {high}", f"{ranges[2][0]:.5f} .. {ranges[2][1]:.5f}",
            _if(float(low) < middle < float(high)), "range near n = 1000; its middle lies within, its ends 5e-5 outside",
        ),
        Claim("order of the constants", "K₁ < K₂ < K₃", "K₁ < K₂ < K₃" if is_ordered else "another", _if(is_ordered)),
        Claim(
            "V(n) - nṼ(20)/m³ for Strategy 4", "damped oscillations", f"range {early:.2f}, later {late:.2f}",
            _if(bool(late < early / 5)), "n = 251..400, and 900..1000",
        ),
    ]  # fmt: skip


def section_4_4() -> list[Claim]:
    """The periodic part U(n), s² from it, and the best fit s₃²."""
    shown, chain = printed()["variance"], residue_chain(races().table, PATTERN)
    fit = wave_fit()
    note = (
        f"least squares of V(n) on n s² + U(n), n = {fit.start}..1000, in the best phase of U: {fit.rate:.4f}, rest {fit.rest:.2f} "
        f"(root mean square); 0.2137 leaves {fit.rest_printed:.2f}. 'Best' is not explained; V(n) grows by {variance_rate():.6f}"
    )
    return [
        compared("s² of the pattern 12/10", shown["rate_wave"], chain.variance_rate),
        Claim("ΣU(n)", "0", f"{abs(chain.wave.sum()):.0e}", _if(abs(chain.wave.sum()) < 1e-9)),
        compared("best fit s₃²", shown["rate_fit"], fit.rate, unclear=note, digits=4),
    ]


class WaveFit(NamedTuple):
    """n s² + U(n + phase) fitted to V(n) from `start` on: the rate, and what is left (root mean square)."""

    start: int
    phase: int
    rate: float
    rest: float
    rest_printed: float


def wave_fit(start: int = 780) -> WaveFit:
    """Return the best fit of the pattern's wave to V(n), over every phase, through the origin."""
    wave, n = residue_chain(races().table, PATTERN).wave, np.arange(start, TARGET + 1)
    variance = races().best.variance[start:]
    fixed = float(printed()["variance"]["rate_fit"])
    fits = []
    for phase in range(len(wave)):
        level = variance - wave[(n + phase) % len(wave)]
        rate = float(n @ level / (n @ n))
        rests = (float(np.sqrt(np.mean((level - slope * n) ** 2))) for slope in (rate, fixed))
        fits.append(WaveFit(start, phase, rate, *rests))
    return min(fits, key=lambda fit: fit.rest)


def equation_3() -> list[Claim]:
    """P_w two ways: summed over who is there first, and from the squares of the law."""
    law = races().best.law
    later = law[::-1].cumsum()[::-1]
    first = float(law @ later)
    squares = first_player_chance(law)
    return [
        Claim(
            "Σ Π(n, k) Σ Π(n, i) = ½[1 + Σ Π²]", "holds", f"{first:.12f} and {squares:.12f}",
            _if(abs(first - squares) < 1e-12),
        )
    ]  # fmt: skip


def section_6() -> list[Claim]:
    """The chance that the first of two independent racers wins, and open problem 3."""
    shown, law = printed()["first"], races().best.law
    pattern = residue_chain(races().table, PATTERN).variance_rate
    moments = turn_moments(law)
    by_pattern, true = first_player_constant(pattern), first_player_constant(variance_rate())
    estimate = (1 + by_pattern / sqrt(TARGET)) / 2
    from_pattern = (
        f"follows from s² = 0.21128 ({by_pattern:.6f}, the last digit rounded); the race itself, with {variance_rate():.6f}, "
        f"gives {true:.6f}"
    )
    chance_only = (
        f"right by chance: the true variance rate gives {(1 + true / sqrt(TARGET)) / 2:.7f}, with the kurtosis of the law "
        f"{first_player_estimate(moments):.7f}"
    )
    return [
        compared("P_w(1000)", shown["chance"], first_player_chance(law)),
        compared("constant of P_w", shown["constant"], true, misprint=from_pattern, digits=7),
        Claim(*_texts(compared("asymptotic P_w(1000)", shown["estimate"], estimate)), note=chance_only),
        Claim(
            "Π(1000, ·) against the normal curve (open problem 3)", "a slight discrepancy",
            f"skewness {moments.skewness:.5f}, excess kurtosis {moments.kurtosis:.5f}", "agrees",
            f"the Edgeworth terms remove 98 % of it; 1/(2√(πn)s) = {1 / (2 * sqrt(pi * TARGET * pattern)):.6f}",
        ),
    ]  # fmt: skip


def _texts(claim: Claim) -> tuple[str, str, str, Verdict]:
    return claim.what, claim.printed, claim.ours, claim.verdict
