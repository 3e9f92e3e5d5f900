"""The family of card games: Yahtzee, where rolls fill the boxes of a score card."""
