"""Hog where both players choose at the same time: how many dice, how often, and a picture of it.

Run: python examples/simultaneous_hog.py [picture.png]
"""

import sys
from pathlib import Path

import numpy as np

from jeopardice.games.hog import Hog
from jeopardice.solvers.simultaneous import SimultaneousSolution, solve_one_turn, solve_simultaneous


def table(solution: SimultaneousSolution, step: int = 20) -> str:
    """Return values and mixtures on a coarse grid of scores."""
    scores = [*range(0, solution.target, step), solution.target - 1]
    lines = []
    for mine in scores:
        for theirs in scores:
            mixture = ", ".join(f"{dice} dice {weight:.1%}" for dice, weight in solution.mixture(mine, theirs).items())
            lines.append(f"{mine:3d} : {theirs:<3d}  {solution.value_at(mine, theirs):.6f}  {mixture}")
    return "\n".join(lines)


def draw(solution: SimultaneousSolution, path: Path) -> None:
    """Draw the mean number of dice by score, and in how many ways the best mixture plays."""
    import matplotlib.pyplot as plt

    dice = np.array(solution.choices, dtype=np.float64)
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
    shades = left.imshow(solution.weights @ dice, origin="lower")
    figure.colorbar(shades, ax=left, label="dice rolled, on average")
    ways = right.imshow((solution.weights > 0).sum(axis=2), origin="lower", cmap="magma")
    figure.colorbar(ways, ax=right, label="numbers of dice in the mixture")
    for axes in (left, right):
        axes.set_xlabel("their score")
        axes.set_ylabel("my score")
    figure.savefig(path, dpi=150)


def main() -> None:
    """Solve, print and, if asked, draw."""
    mixture, _ = solve_one_turn(Hog())
    print("one turn only:", ", ".join(f"{dice} dice {weight:.2%}" for dice, weight in mixture.items()))
    solution = solve_simultaneous(Hog(), 100)
    print(f"to 100, values certain within {solution.error_bound:.1e}")
    print(table(solution))
    if len(sys.argv) > 1:
        draw(solution, Path(sys.argv[1]))


if __name__ == "__main__":
    main()
