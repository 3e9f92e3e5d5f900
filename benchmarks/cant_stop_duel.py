"""Can't Stop for two on the official board: how well estimated win chances hold, and who beats whom.

    python benchmarks/cant_stop_duel.py [--games 40000] [--fit]

Positions are one of each game, any turn as likely as the others, so they are independent. The reliability curve puts
them into ten classes by the estimate and shows the mean estimate and the share of games won. The earliest
estimate was 1 / (1 + exp(-2.2 (t - m) - 0.15)). With --fit the three numbers of the estimate are fitted to other games
than those shown. How far single estimates are off is measured by games played on from a few positions. The table has the
share of games that the row's strategy wins against the column's, mean of both seats.
"""

import argparse
from itertools import combinations

import numpy as np

from jeopardice import CantStop, Race
from jeopardice.columns.estimate import LEAST, RATIO, TEMPO, EstimatedDuel
from jeopardice.columns.simulate import rollout_chance, seen_positions, simulate_boards
from jeopardice.columns.strategy import LookAhead, glenn_aloi, roll_times, rule_of

GAME = CantStop()
GOAL = Race(GAME, players=2)
LENGTHS = np.array(GAME.lengths)


def shares_left(mine, theirs):
    """Return the smallest shares of columns that complete what is missing, for many positions."""
    is_open = (mine < LENGTHS) & (theirs < LENGTHS)
    shares = np.sort(np.where(is_open, 1 - mine / LENGTHS, np.inf), axis=1)
    missing = GAME.columns_to_win - (mine == LENGTHS).sum(axis=1)
    wanted = np.arange(len(LENGTHS)) < missing[:, None]
    return np.where(wanted & np.isfinite(shares), shares, 0.0).sum(axis=1)


def chances(numbers, mine, theirs):
    """Return the estimated chances of the players about to roll."""
    ratio, tempo, least = numbers
    z = ratio * np.log((theirs + least) / (mine + least)) + tempo / (mine + theirs + least)
    return 1 / (1 + np.exp(-z))


def fitted(mine, theirs, won):
    """Return the three numbers that make these results most likely."""
    from scipy.optimize import minimize

    def surprise(point):
        chance = np.clip(chances((point[0], point[1], np.exp(point[2])), mine, theirs), 1e-9, 1 - 1e-9)
        return -np.mean(won * np.log(chance) + (1 - won) * np.log(1 - chance))

    point = minimize(surprise, (RATIO, TEMPO, np.log(LEAST)), method="Nelder-Mead").x
    return point[0], point[1], np.exp(point[2])


def curve(name, estimate, won):
    """Print the Brier score and the reliability curve of an estimate."""
    print(f"{name}: Brier score {np.mean((estimate - won) ** 2):.4f}")
    classes = np.minimum((estimate * 10).astype(int), 9)
    for number in range(10):
        part = classes == number
        if part.any():
            print(f"    said {estimate[part].mean():6.1%}   won {won[part].mean():6.1%}   {part.sum():7,} positions")


def spread(ahead, numbers, positions=160, games=600):
    """Print how far estimates are from the share of games won from the same position."""
    mine, theirs, _ = seen_positions(GOAL, ahead, ahead, games=positions, seed=5)
    estimate = chances(numbers, shares_left(mine, theirs), shares_left(theirs, mine))
    rows = [tuple(tuple(map(int, row)) for row in pair) for pair in zip(mine, theirs, strict=True)]
    won = [rollout_chance(GOAL, ahead, row, games=games, seed=6 + number) for number, row in enumerate(rows)]
    off = estimate - np.array([one.mean for one in won])
    noise = np.mean([one.standard_error**2 for one in won])
    print(
        f"off by {np.sqrt(np.mean(off**2) - noise):.3f} (root mean square), nine of ten by {np.quantile(abs(off), 0.9):.3f}"
    )


def main():
    """Print the curves and the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--games", type=int, default=40_000)
    options.add_argument("--fit", action="store_true", help="fit the estimate to other games")
    chosen = options.parse_args()
    ahead = LookAhead(EstimatedDuel(GOAL))
    numbers = (RATIO, TEMPO, LEAST)
    for name, other in (("look-ahead against itself", ahead), ("Rule of 28 against itself", None)):
        pair = (ahead, other) if other else (rule_of(GAME), rule_of(GAME))
        mine, theirs, won = seen_positions(GOAL, *pair, games=chosen.games, seed=1)
        left, right = shares_left(mine, theirs), shares_left(theirs, mine)
        curve(f"{name}, the estimate in use", chances(numbers, left, right), won)
        curve(f"{name}, the earliest estimate", 1 / (1 + np.exp(-2.2 * (right - left) - 0.15)), won)
        if chosen.fit and other:
            mine, theirs, results = seen_positions(GOAL, *pair, games=chosen.games, seed=2)
            found = fitted(shares_left(mine, theirs), shares_left(theirs, mine), results)
            curve(f"{name}, fitted {np.round(found, 3)}", chances(found, left, right), won)
    spread(ahead, numbers)
    players = [ahead, glenn_aloi(GAME), rule_of(GAME), roll_times(GAME, 4)]
    for one, two in combinations(players, 2):
        first = simulate_boards(GOAL, one, two, games=chosen.games, seed=3).wins
        second = simulate_boards(GOAL, two, one, games=chosen.games, seed=4)
        lost = second.turns[1].sum() / chosen.games
        error = (first.mean * (1 - first.mean) + lost * (1 - lost)) ** 0.5 / (2 * chosen.games**0.5)
        print(f"{one.name} against {two.name}: {(first.mean + lost) / 2:.4f} ± {error:.4f}  (first {first.mean:.4f})")


if __name__ == "__main__":
    main()
