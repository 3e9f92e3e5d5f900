"""Hog where both players choose at the same time: how many dice, how often, and a picture of it.

Run: python examples/simultaneous_hog.py [picture.png]
"""

import sys

from jeopardice import Hog, Simultaneous, solve
from jeopardice.figures import new_figure, save_figure
from jeopardice.figures.mixture import draw_mixtures
from jeopardice.points.simultaneous import solve_one_turn


def main() -> None:
    """Solve, print and, if asked, draw."""
    mixture, _ = solve_one_turn(Hog())
    print("one turn only:", ", ".join(f"{dice} dice {weight:.2%}" for dice, weight in mixture.items()))
    solution = solve(Simultaneous(Hog()))
    print(f"to 100, values certain within {solution.error_bound:.1e}")
    scores = [*range(0, 100, 20), 99]
    for mine, theirs in ((i, j) for i in scores for j in scores):
        mixture = ", ".join(f"{dice} dice {weight:.1%}" for dice, weight in solution.mixture(mine, theirs).items())
        print(f"{mine:3d} : {theirs:<3d}  {solution.at(mine, theirs):.6f}  {mixture}")
    if len(sys.argv) > 1:
        figure = new_figure(11, 9.6)
        draw_mixtures(figure, solution, [50, 80, 90, 99])
        save_figure(figure, sys.argv[1])


if __name__ == "__main__":
    main()
