"""Yahtzee in numbers: the boxes filled, the sum of the upper boxes, the dice; plays by the dice set aside or the box."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement

from jeopardice.card.match import DICE, ROLLS, CardMatch, CardSpot
from jeopardice.games.yahtzee import UPPER
from jeopardice.rules.coding import Coding, Part, dice_parts

FACES = range(1, 7)


def card_coding(match: CardMatch) -> Coding:
    """Return a game of Yahtzee in numbers; a play is named by (dice set aside, box)."""
    rules = match.rules
    sets = [dice for size in range(DICE + 1) for dice in combinations_with_replacement(FACES, size)]
    names = (*((dice, None) for dice in sets), *(((), box) for box in rules.boxes))
    parts = [Part(f"filled_{box.replace(' ', '_')}", 0, 1) for box in rules.boxes]
    parts += [Part("upper_sum", 0, rules.upper_goal), Part("jokers_bring_a_bonus", 0, 1)]
    parts += [*dice_parts(FACES, DICE), Part("rolls_left", 0, ROLLS)]

    def read(spot: CardSpot, seat: int) -> Sequence[int]:
        card, dice = dict(spot.card), Counter(spot.dice or spot.aside)
        upper = sum(points for box, points in spot.card if box in UPPER)
        has_bonus = rules.joker != "none" and card.get("yahtzee", 0) > 0
        filled = [int(box in card) for box in rules.boxes]
        return [*filled, upper, int(has_bonus), *(dice[face] for face in FACES), spot.rolls_left]

    return Coding(match, names, lambda play: (play.aside, play.box), tuple(parts), read)
