"""Train a small agent on Pig for two and draw its distance from perfect play: python examples/learn_pig.py [picture.svg]

The agent keeps a table of win chances, one for each (spot, play), and plays against itself. After each play it moves the entry
towards what the next spot promises (Q-learning). Now and then its exploitability is computed exactly: what an opponent who
knows the table would win above one half.
"""

import sys
from random import Random

from jeopardice import Pig, Race, exploitability, loss_per_decision
from jeopardice.family import family_of


class Learner:
    """A table of win chances, filled by playing against itself."""

    def __init__(self, goal, *, explore=0.3, seed=1):
        self.coding = family_of(goal.game).coding(goal)
        self.match, self.dice, self.explore = self.coding.match, Random(seed), explore
        self.chance, self.visits = {}, {}

    def entry(self, spot, play):
        """Return the key of a play at a spot, as the player who chooses sees it."""
        return (*self.coding.observe(spot, self.match.seat(spot)), self.coding.number(play))

    def best(self, spot):
        """Return the play with the highest entry; this is the policy that is measured."""
        return max(self.match.plays(spot), key=lambda play: self.chance.get(self.entry(spot, play), 0.5))

    def play_games(self, count):
        """Play against itself and learn from every play."""
        for _ in range(count):
            spot = self.match.start()
            while not self.match.is_over(spot):
                plays = self.match.plays(spot)
                play = self.dice.choice(plays) if self.dice.random() < self.explore else self.best(spot)
                after = self.match.after_play(spot, play)
                while rolls := self.match.rolls(after):
                    after = self.match.after_roll(after, self.dice.choices(list(rolls), list(rolls.values()))[0])
                self.learn(self.entry(spot, play), self.promise(after, self.match.seat(spot)))
                spot = after

    def promise(self, spot, seat):
        """Return the chance that a spot promises to a seat."""
        if self.match.is_over(spot):
            return float(self.match.returns(spot)[seat])
        chance = self.chance.get(self.entry(spot, self.best(spot)), 0.5)
        return chance if self.match.seat(spot) == seat else 1 - chance

    def learn(self, entry, promise):
        """Move an entry towards a promise, by less the more often it was visited."""
        times = self.visits[entry] = self.visits.get(entry, 0) + 1
        before = self.chance.get(entry, 0.5)
        self.chance[entry] = before + (promise - before) / times**0.7


def train(goal, rounds, games_per_round):
    """Return how many games were played and how far the agent was from perfect play, round by round."""
    learner, history = Learner(goal), []
    for number in range(rounds + 1):
        history.append(
            (number * games_per_round, exploitability(goal, learner.best), loss_per_decision(goal, learner.best))
        )
        learner.play_games(games_per_round)
    return history


def main():
    """Train, print a table, and draw it if a file is named."""
    history = train(Race(Pig(), target=12, players=2), rounds=8, games_per_round=1000)
    print("games  exploitability  loss per decision")
    for games, exploited, lost in history:
        print(f"{games:5}  {exploited:14.5f}  {lost:17.5f}")
    if len(sys.argv) > 1:
        from jeopardice.figures import new_figure, save_figure

        figure = new_figure(6, 4)
        axes = figure.subplots()
        axes.plot([row[0] for row in history], [row[1] for row in history], marker="o", label="exploitability")
        axes.plot([row[0] for row in history], [row[2] for row in history], marker="o", label="loss per decision")
        axes.set_xlabel("games played against itself")
        axes.set_ylabel("win chance given away")
        axes.legend()
        save_figure(figure, sys.argv[1])


if __name__ == "__main__":
    main()
