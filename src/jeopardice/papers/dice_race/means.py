"""Sections 1, 3 and 8 of the dice-race paper, and equation (1): thresholds and the mean number of turns."""

from functools import cache

import numpy as np

from jeopardice.analysis.asymptotics import excess_range, runs
from jeopardice.analysis.die_laws import as_float, stretched_law
from jeopardice.analysis.off_thresholds import off_thresholds
from jeopardice.analysis.race_laws import mean_turns, turn_steps
from jeopardice.analysis.thresholds import StretchGain, best_rules, continued, stretch_gains, turns_with
from jeopardice.games.pig import Pig
from jeopardice.papers.claims import Claim, compared
from jeopardice.papers.dice_race.races import (
    DIE,
    PATTERN,
    TARGET,
    FixedRace,
    best_mean,
    decided,
    laws,
    optimum,
    printed,
    races,
    thresholds,
)
from jeopardice.papers.dice_race.turns import words
from jeopardice.rules.goal import Race
from jeopardice.solver import solve
from jeopardice.types import Floats


def section_1() -> list[Claim]:
    """What is minimised."""
    fewest = float(solve(Race(Pig(), 100, cost="rolls")).value)
    note = (
        "section 3 minimises rounds; the fewest tosses would be threshold 1 in every turn (section 5): to 100 points "
        f"{fewest:.4f} tosses on average, in one roll per turn"
    )
    return [Claim("what the single player minimises", "number of tosses", "number of rounds", "misprint", note)]


def equation_1() -> list[Claim]:
    """The mean of C(n): E(n) satisfies its own equation, and no threshold does better."""
    race = races().best
    table, mean = races().table, race.mean
    rest = [abs(1 + table[race.choice[n]] @ _before(mean, n, table.shape[1]) - mean[n]) for n in range(1, TARGET + 1)]
    ours = f"largest residual {max(rest):.1e} for n = 1..{TARGET}"
    return [Claim("E(n) = 1 + Σ P(k̄, i) E(n - i)", "holds", ours, "agrees" if max(rest) < 1e-11 else "differs")]


def _before(mean: Floats, n: int, width: int) -> Floats:
    """Return mean[n], mean[n - 1], ... with 0 past the target."""
    row = np.zeros(width)
    least = max(0, n - width + 1)
    row[: n - least + 1] = mean[least : n + 1][::-1]
    return row


def section_3() -> list[Claim]:
    """The best thresholds, their pattern, and the constants K₁ and K₂."""
    shown, best = printed()["mean"], thresholds().thresholds
    ours = best[1:36].tolist()
    listed = ", ".join(map(str, shown["thresholds"]))
    one_turn = int(np.flatnonzero(best < np.arange(TARGET + 1))[1]) - 1  # n = 2 has threshold 1, which is threshold 2
    return [
        words("k̄(1..35)", listed, ", ".join(map(str, ours))),
        words("n with several best thresholds", shown["not_unique"], ", ".join(map(str, _not_unique()))),
        words(
            "one round is tried", shown["one_turn_up_to"], f"n = {one_turn}",
            misprint=f"n is meant: k̄({one_turn}) = {best[one_turn]}, k̄({one_turn + 1}) = {best[one_turn + 1]}",
        ),
        *_pattern(),
        _constant_1(),
        _constant_2(),
    ]  # fmt: skip


def _not_unique() -> list[int]:
    mean = thresholds().mean
    places = []
    for n in range(1, 36):
        turns = [turns_with(law, mean, n) for law in laws()]
        if sum(t < min(turns) + 1e-9 for t in turns) > 1:
            places.append(n)
    return places


def _pattern() -> list[Claim]:
    """Runs of k̄ = 20 and 21, decided with proofs."""
    shown, stretches = printed()["mean"], runs(decided().choice, 230)
    lengths = {k: sorted({run.length for run in stretches if run.choice == k - 1}) for k in (20, 21)}
    odd = next(run for run in stretches if run.choice == 20 and run.length != 10)
    pairs = [run.start for run in stretches if run.choice == 19]
    period = (pairs[-1] - pairs[0]) / (len(pairs) - 1)
    note = (
        f"k̄ = 21 for the {odd.length} values n = {odd.start}..{odd.start + odd.length - 1}, decided by proof; see "
        "docs/open-problems.md"
    )
    return [
        words("successive n with k̄ = 20", shown["run_of_20"], " or ".join(map(str, lengths[20])), misprint=note),
        words("successive n with k̄ = 21", shown["run_of_21"], " or ".join(map(str, lengths[21])), misprint=note),
        words("period of k̄", shown["period"], f"{period:.4f}", misprint=f"on average over n = 231..6000; {note}"),
    ]


def near_1000(race: FixedRace) -> tuple[float, float]:
    """Return the range of E(n) - n/m over the last 22 values of n."""
    window = race.excess[TARGET - 21 :]
    return float(window.min()), float(window.max())


def _constant_1() -> Claim:
    low, high = printed()["mean"]["constant_1"]
    (proven,) = excess_range(decided())
    value = float(proven.ball)
    seen = near_1000(races().best)
    note = f"near n = 1000 E(n) - n/m lies in {seen[0]:.6f} .. {seen[1]:.6f}; ours is proven to {float(proven.ball.rad()):.0e}"
    verdict = "agrees" if float(low) < value < float(high) else "differs"
    return Claim("K₁ (open problem 2)", f"{low} < K₁ < {high}", f"{value:.16f}", verdict, note)  # type: ignore[arg-type]


def _constant_2() -> Claim:
    low, high = printed()["mean"]["constant_2"]
    seen = near_1000(races().strategy_3)
    rules = best_rules(races().table, TARGET)
    phases = [continued(rules, keep, np.roll(PATTERN, shift)) for keep in (53, 54, 55) for shift in range(22)]
    means = [mean_turns(turn_steps(races().table, choice)) for choice in phases]
    lowest = min(float(mean[TARGET - 21 :].min()) for mean in map(_excess, means))
    note = (
        f"the printed recipe (20 first) gives {seen[0]:.6f} .. {seen[1]:.6f} near n = 1000; no phase of the pattern after "
        f"n = 53, 54 or 55 comes below {lowest:.5f}"
    )
    is_inside = float(low) < seen[0] and seen[1] < float(high)
    ours = f"{seen[0]:.5f} .. {seen[1]:.5f}"
    return Claim("K₂ (Strategy 3)", f"{low} < K₂ < {high}", ours, "agrees" if is_inside else "unclear", note)


def _excess(mean: Floats) -> Floats:
    excess: Floats = mean - np.arange(len(mean)) / best_mean()
    return excess


@cache
def strategy_6(most: int = 30) -> dict[int, StretchGain]:
    """Return where Strategy 6 gains over the best threshold for n up to 1000, with its best C."""
    gains = {n: stretch_gains(DIE, thresholds(), n, most)[0] for n in range(1, TARGET + 1)}
    return {n: best for n, best in gains.items() if best.gain > 1e-9}


def section_8() -> list[Claim]:
    """Strategy 6 at n = 53 and 75, and the true optimum there; Strategy 7."""
    shown, best = printed()["stretch"], thresholds()
    at = {n: {one.stretch: one.gain for one in stretch_gains(DIE, best, n, 12)} for n in (53, 75)}
    top = {n: min(c for c, gain in at[n].items() if gain == max(at[n].values())) for n in (53, 75)}
    off = off_thresholds(optimum())
    means = {(k, c): stretched_law(DIE, k, c).mean for k in range(14, 27) for c in range(1, 9)}
    k, c = max(means, key=lambda pair: means[pair])
    wrong = (
        f"C = 1 and 2 (one law) gain {at[75][1]:.6f}, C = 5 loses {-at[75][5]:.6f}; all strategies gain {off[1].gain:.6f}: stop at "
        "18-20, roll at 21-23, stop from 24 on, which is no Strategy 6"
    )
    return [
        words("k at n = 53", shown["threshold_53"], best.thresholds[53]),
        words("C at n = 53", shown["stretch_53"], top[53]),
        words("k at n = 75", shown["threshold_75"], best.thresholds[75]),
        words("C at n = 75", shown["stretch_75"], top[75], misprint=wrong),
        words("best play leaves thresholds, n to 1000", shown["gain_at"], ", ".join(str(one.to_go) for one in off)),
        words("k of Strategy 7", shown["best_threshold"], k),
        words("C of Strategy 7", shown["best_stretch"], c),
        compared("Ḡ(20)", shown["mean"], as_float(means[20, 1])),
        compared("J̄(20) - Ḡ(20)", shown["loss"], as_float(laws()[19].mean - means[20, 1])),
    ]


def section_8_to_1000() -> list[Claim]:
    """The conjecture of Haigh and Roters that Strategy 6 pays at 53 and 75 only, every C up to 30."""
    shown = printed()["stretch"]
    what = f"n up to {shown['checked_to']} where Strategy 6 is better"
    return [words(what, shown["gain_at"], ", ".join(map(str, strategy_6())))]
