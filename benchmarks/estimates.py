"""Chances before a race is solved: how far the estimates are from the solved chances, and how long they take.

    python benchmarks/estimates.py [pig hog cardgames_io ...]

Positions are all that a race can come to, as a turn begins.
"""

import argparse
import time

import numpy as np

from jeopardice import Hog, Pig, Race, house_goal, solve
from jeopardice.points.estimated import estimated_race

NAMES = ("pig", "hog", "big_pig", "greed", "kingdom_come", "cinq_mille", "basic", "cardgames_io", "playmonster")


def goal_of(name):
    """Return the race for two of a name."""
    own = {"pig": Pig(), "hog": Hog()}
    return Race(own[name], 100, players=2) if name in own else house_goal(name, players=2)


def main():
    """Print a line for each game."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("names", nargs="*", default=NAMES)
    options.add_argument("--positions", type=int, default=2000)
    chosen = options.parse_args()
    for name in chosen.names:
        goal = goal_of(name)
        begun = time.perf_counter()
        estimate = estimated_race(goal)
        first, begun = time.perf_counter() - begun, time.perf_counter()
        solution = solve(goal)
        second = time.perf_counter() - begun
        table, dice = estimate.tables[0], np.random.default_rng(1)
        reached = np.argwhere(table.reached)
        off = []
        for own, other in reached[dice.integers(len(reached), size=(chosen.positions, 2))]:
            scores = tuple(int(s + table.lowest) * table.unit for s in (own[0], other[0]))
            records = (table.records[own[1]], table.records[other[1]])
            view = estimate.view(scores, records, 0)
            said = {f"{who}_{what}": getattr(record, field) for who, record in zip(("my", "their"), records, strict=True)
                    for what, field in (("busts", "busts"), ("opened", "has_opened"))}  # fmt: skip
            off.append(view.roll_worth(0, view.table.opening) - solution.at(*scores, **said))
        size = np.abs(off)
        print(f"{name}: off by {size.mean():.4f} on average, nine of ten by {np.quantile(size, 0.9):.4f}, at most "
              f"{size.max():.3f}; {first:.2f} s instead of {second:.1f} s", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
