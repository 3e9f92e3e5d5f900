"""A game of your own in twenty lines: Pig with a die that grows, which no table of faces can say.

The first roll of a turn is made with a four-sided die, and every roll that scores changes it for the next larger one,
up to twelve sides; a 1 loses the points of the turn. The mode is the place of the die in the row.

    python examples/growing_pig.py
"""

from dataclasses import dataclass

from jeopardice import Play, Race, Turn, roll_dice, solve


@dataclass(frozen=True)
class GrowingPig:
    """A turn begins with the first die of `row`; a roll that scores goes on with the next, the last is kept."""

    row: tuple[int, ...] = (4, 6, 8, 10, 12)
    opening = 0

    def rolls(self, mode):
        """One die of the row."""
        return roll_dice(1, self.row[mode])

    def plays(self, mode, roll):
        """A bust, or the pips and the next die."""
        (pips,) = roll
        return [] if pips == 1 else [Play(pips, min(mode + 1, len(self.row) - 1))]


if __name__ == "__main__":
    game = GrowingPig()
    print("best mean score of a turn:", solve(Turn(game), exact=True).value)
    print("fewest turns to 100:", solve(Race(game, target=100)).value)
    print("chance of the first of two players:", solve(Race(game, target=100, players=2)).value)
