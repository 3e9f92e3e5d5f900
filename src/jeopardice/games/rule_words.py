"""The rules as people call them: a title and a group for every field, and words for its choices.

Fields that are not listed here keep their own name, so a new rule is shown before it has a title.
"""

from typing import NamedTuple


class Wording(NamedTuple):
    """What a field is called, the group it stands in, and what its choices mean."""

    title: str
    group: str
    choices: tuple[tuple[str, str], ...] = ()


DICE, SINGLE, KIND, COMBINATION, TURN = (
    "The dice",
    "Single dice",
    "Three and more of a kind",
    "Whole rolls",
    "During a turn",
)

WORDS: dict[str, dict[str, Wording]] = {
    "pig": {
        "sides": Wording("Sides of the die", DICE),
        "bust": Wording("Faces that lose the turn", DICE),
        "dice": Wording("Dice that fall together", DICE),
    },
    "ten-thousand": {
        "dice": Wording("Dice rolled at first", DICE),
        "resign": Wording("Scoring dice that may be given back to the roll", TURN),
    },
    "farkle": {
        "dice": Wording("Dice rolled at first", DICE),
        "one": Wording("A single 1", SINGLE),
        "five": Wording("A single 5", SINGLE),
        "three_ones": Wording("Three 1s", KIND),
        "three": Wording("Three of another face, times the face", KIND),
        "more_of_a_kind": Wording(
            "Four and more of a kind",
            KIND,
            (
                ("none", "nothing extra"),
                ("flat", "fixed points"),
                ("doubling", "doubled for each further die"),
                ("linear", "the triple once more for each further die"),
            ),
        ),
        "flat": Wording("Points of 4, 5 and 6 of a kind, if fixed", KIND),
        "straight": Wording("1-2-3-4-5-6", COMBINATION),
        "short_straights": Wording("1-2-3-4-5 and 2-3-4-5-6", COMBINATION),
        "three_pairs": Wording("Three pairs", COMBINATION),
        "four_and_pair": Wording("Four of a kind and a pair are three pairs", COMBINATION),
        "two_triplets": Wording("Two triplets", COMBINATION),
        "full_house": Wording("Three of a kind and a pair: extra", COMBINATION),
        "nothing": Wording("Nothing at all on the first roll", COMBINATION),
        "take": Wording(
            "Scoring dice set aside",
            TURN,
            (
                ("any", "as many as you like"),
                ("all if hot", "all of them if every die scores"),
                ("all", "always all of them"),
            ),
        ),
        "hot_dice": Wording(
            "When every die has scored", TURN, (("may", "you may roll all again"), ("must", "you must roll all again"))
        ),
    },
    "hog": {
        "dice_limit": Wording("The most dice in a roll", DICE),
        "sides": Wording("Sides of a die", DICE),
        "dice": Wording("A loaded die, if all are like it", DICE),
        "on_one": Wording(
            "A roll with a 1 scores", TURN, (("nothing", "nothing"), ("one point", "one point"))
        ),
    },
    "cant-stop": {
        "sides": Wording("Sides of a die", "The board"),
        "shortest": Wording("Spaces of the shortest column", "The board"),
        "columns_to_win": Wording("Columns to complete", "The board"),
        "markers": Wording("Markers: the columns that may move in a turn", "The board"),
        "dice": Wording("Dice in a roll", "The board"),
        "closed_to_both": Wording("A completed column is closed to everybody", "The board"),
    },
    "yahtzee": {
        "joker": Wording(
            "Five equal dice, once the yahtzee box is filled",
            "The card",
            (
                ("forced", "go into their upper box, else into a lower one"),
                ("free", "may go into any box"),
                ("none", "are a roll like any other"),
            ),
        ),
        "boxes": Wording("The boxes of the card", "The card"),
        "upper_goal": Wording("Points in the upper boxes that earn the bonus", "The card"),
        "upper_bonus": Wording("The bonus", "The card"),
        "joker_bonus": Wording("The bonus for each further Yahtzee", "The card"),
    },
    "own-dice": {
        "faces": Wording("The faces of a die", DICE),
        "dice": Wording("Dice that fall together", DICE),
    },
}  # fmt: skip


class HouseField(NamedTuple):
    """A rule between turns: an option of a race, and for whom it is."""

    name: str
    title: str
    help: str
    kind: str
    usual: str
    choices: tuple[tuple[str, str], ...] = ()
    goals: tuple[str, ...] = ("duel", "alone")


HOUSE = (
    HouseField(
        "finish", "The target", "Most tables: the first player who banks enough.", "choice", "reach",
        (("reach", "reach it or go past it"), ("exact", "land on it exactly")),
    ),
    HouseField("open_from", "To get on the board", "The least points of a first bank. Often 500.", "whole", "0"),
    HouseField("bank_from", "To bank", "The least points of every bank. Often 300.", "whole", "0"),
    HouseField("busts", "Busts in a row until a penalty", "0: no penalty. Often 3.", "whole", "0"),
    HouseField("penalty", "Points lost then", "A number, or all. Often 500 or 1,000.", "text", "0"),
    HouseField("floor", "A score does not fall below", "0, another number, or none.", "text", "0"),
    HouseField(
        "last_round", "Everybody else has one last turn", "After somebody reaches the target.", "yesno", "no",
        goals=("duel",),
    ),
    HouseField(
        "ties", "A tie after the last turn", "", "choice", "first",
        (("first", "who came first wins"), ("share", "is shared"), ("last", "who came last wins")), ("duel",),
    ),
    HouseField(
        "payoff", "What counts", "", "choice", "win", (("win", "winning"), ("margin", "by how much")), ("duel",)
    ),
    HouseField("cost", "What is kept low", "", "choice", "turns", (("turns", "turns"), ("rolls", "rolls")), ("alone",)),
)  # fmt: skip
"""What the page offers of the rules between turns; `rules/house.py` and `rules/ending.py` say what they mean."""


def wording(game: str, field: str) -> Wording:
    """Return what a field is called.

    >>> wording("farkle", "three_pairs").title, wording("farkle", "new_rule").title
    ('Three pairs', 'new rule')
    """
    known = WORDS.get("cant-stop" if game == "cant-stop-race" else game, {})
    return known.get(field) or Wording(field.replace("_", " "), "More")
