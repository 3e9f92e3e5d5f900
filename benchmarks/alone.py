"""How fast races alone are solved, beside value iteration in NumPy: `python benchmarks/alone.py [--long]`.

Each line is the best and the median of several warm runs of `solve`, a fresh solution each time, its certified error bound,
and how long value iteration takes to come as near (largest change below 1e-12 in a sweep over all standings). The
iteration is written the plain way: a standing's turn is walked once per sweep, arrays over standings.
"""

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from jeopardice import Pig, Race, TenThousand, solve
from jeopardice.analysis.alone_report import alone_report


def timed(call: Callable[[], object], runs: int) -> tuple[float, float]:
    """Return the best and the median seconds of several runs after one to warm up."""
    call()
    seconds = []
    for _ in range(runs):
        started = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - started)
    return min(seconds), statistics.median(seconds)


def value_iteration(target: int, *, stop_below: float = 1e-12, most: int = 32) -> float:
    """Return the fewest expected turns of Pig to `target` by value iteration over all standings at once.

    A turn is rolled up to `most` points at risk, more than best play ever does but for the last 30 points to go.
    """
    turns = np.zeros(target + 1)
    while True:
        bust = turns + 1.0
        later = np.zeros((most + 7, target + 1))
        n = np.arange(target + 1)
        for at_risk in range(most + 6, -1, -1):
            stop = 1.0 + turns[np.maximum(n - at_risk, 0)]
            if at_risk > most:
                later[at_risk] = stop
                continue
            roll = (bust + later[at_risk + 2 : at_risk + 7].sum(axis=0)) / 6
            later[at_risk] = np.minimum(stop, roll) if at_risk else roll
            later[at_risk] = np.where(at_risk >= n, 1.0, later[at_risk])
        after = later[0]
        after[0] = 0.0
        if np.abs(after - turns).max() < stop_below:
            return float(after[target])
        turns = after


def main() -> None:
    """Print the table."""
    races = [
        (Race(Pig(), 100), 200),
        (Race(Pig(), 1000), 100),
        (Race(Pig(), 10_000), 20),
        (Race(TenThousand(), 10_000), 50),
        *([(Race(Pig(), 100_000), 3), (Race(TenThousand(), 1_000_000), 3)] if "--long" in sys.argv else []),
    ]
    print(f"{'race':34} {'best':>10} {'median':>10}   value")
    for goal, runs in races:
        best, median = timed(lambda goal=goal: solve(goal), runs)
        solution = solve(goal)
        name = f"{type(goal.game).__name__} to {goal.target:,}"
        bound = f"{solution.value:.10f} ± {solution.error_bound:.0e}"
        print(f"{name:34} {1e3 * best:7.3f} ms {1e3 * median:7.3f} ms   {bound}")
    for goal, strategy in ((Race(Pig(), 1000), "optimal"), (Race(TenThousand(), 10_000), "optimal")):
        best, median = timed(lambda goal=goal, strategy=strategy: alone_report(goal, strategy).moments, 5)
        name = f"law of turns, {type(goal.game).__name__} to {goal.target:,}"
        print(f"{name:34} {1e3 * best:7.1f} ms {1e3 * median:7.1f} ms   strategy written out, law, moments")
    for target in (100, 1000):
        best, median = timed(lambda target=target: value_iteration(target), 3 if target == 100 else 1)
        gap = value_iteration(target) - solve(Race(Pig(), target)).value
        name = f"value iteration, NumPy, {target:,}"
        print(f"{name:34} {1e3 * best:7.1f} ms {1e3 * median:7.1f} ms   off by {gap:.0e}")


if __name__ == "__main__":
    main()
