"""How long the points games take: python benchmarks/points.py (best of several; put the figures in docs/performance.md)."""

import time
from collections.abc import Callable

from jeopardice import Pig, Race, TenThousand, Turn, solve
from jeopardice.points.tables import _laid_out


def best_of(times: int, run: Callable[[], object]) -> float:
    """Return the least seconds that a fresh call took."""
    least = float("inf")
    for _ in range(times):
        started = time.perf_counter()
        run()
        least = min(least, time.perf_counter() - started)
    return least


CASES: list[tuple[str, int, Callable[[], object]]] = [
    ("table of TenThousand()", 10, lambda: _laid_out(TenThousand(), True).arrays),
    ("Turn(TenThousand())", 50, lambda: solve(Turn(TenThousand())).value),
    ("Turn(TenThousand()), exact", 5, lambda: solve(Turn(TenThousand()), exact=True).value),
    ("Race(Pig(), 100)", 50, lambda: solve(Race(Pig(), 100)).value),
    ("Race(Pig(), 1000)", 20, lambda: solve(Race(Pig(), 1000)).value),
    ("Race(Pig(), 100_000)", 3, lambda: solve(Race(Pig(), 100_000)).value),
    ("Race(TenThousand(), 10_000)", 5, lambda: solve(Race(TenThousand(), 10_000)).value),
    ("Race(Pig(), 100, players=2)", 10, lambda: solve(Race(Pig(), 100, players=2)).value),
    ("Race(Pig(), 200, players=2)", 5, lambda: solve(Race(Pig(), 200, players=2)).value),
    ("Race(Pig(), 1000, players=2)", 2, lambda: solve(Race(Pig(), 1000, players=2)).value),
    ("Race(TenThousand(), 10_000, players=2)", 2, lambda: solve(Race(TenThousand(), 10_000, players=2)).value),
]

if __name__ == "__main__":
    for name, times, run in CASES:
        print(f"{name:42} {best_of(times, run) * 1000:10.3f} ms")
