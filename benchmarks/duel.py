"""Pig for two: ours beside value iteration over all moments, written with NumPy.

    python benchmarks/duel.py [--baseline-target 100] [--long]

The baseline sweeps every moment (mine, theirs, at risk) until nothing changes by more than 1e-12, vectorised over the
opponent's score; it is what the minimax paper does, written as fast as NumPy allows without changing the method.
"""

import argparse
import time

from value_iteration import with_numpy

from jeopardice import Pig, Race, TenThousand, solve
from jeopardice.analysis.head_to_head import best_response, head_to_head
from jeopardice.points.simulate import simulate
from jeopardice.points.strategy import BestPlay, StopAt


def best_of(times, call):
    """Return the least time of several calls, and the last result."""
    least, result = float("inf"), None
    for _ in range(times):
        started = time.perf_counter()
        result = call()
        least = min(least, time.perf_counter() - started)
    return least, result


def main():
    """Print a table of times."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--baseline-target", type=int, default=100)
    options.add_argument("--long", action="store_true", help="also Pig to 1000")
    chosen = options.parse_args()
    races = [
        (Pig(), 100, 20),
        (Pig(), 200, 10),
        *([(Pig(), 1000, 2)] if chosen.long else []),
        (TenThousand(), 10_000, 3),
    ]
    for game, target, times in races:
        race = Race(game, target, players=2)
        seconds, solution = best_of(times, lambda race=race: solve(race))
        print(f"solve {type(game).__name__} to {target}: {1e3 * seconds:9.1f} ms   value {solution.value:.12f}")
    seconds, value = best_of(1, lambda: with_numpy(chosen.baseline_target))
    ours, solution = best_of(10, lambda: solve(Race(Pig(), chosen.baseline_target, players=2)))
    print(
        f"NumPy value iteration to {chosen.baseline_target}: {1e3 * seconds:.0f} ms, value {value:.12f}; "
        f"ours {1e3 * ours:.1f} ms, {seconds / ours:.0f} times faster"
    )
    race = Race(Pig(), 100, players=2)
    best = BestPlay(solve(race))
    print(
        f"match, best play against stop at 20: {1e3 * best_of(5, lambda: head_to_head(race, best, StopAt(20)))[0]:.0f} ms"
    )
    print(f"best response to stop at 20:         {1e3 * best_of(5, lambda: best_response(race, StopAt(20)))[0]:.0f} ms")
    seconds, _ = best_of(3, lambda: simulate(race, best, StopAt(20), games=1_000_000))
    print(f"simulation, Pig to 100:              {1 / seconds:.2f} million games a second")


if __name__ == "__main__":
    main()
