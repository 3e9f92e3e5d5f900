"""The words of Yahtzee: dice set aside, boxes written, and the card as people see it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jeopardice.card.match import DICE, CardMatch, CardPlay, CardSpot
from jeopardice.errors import PositionError
from jeopardice.games.yahtzee import UPPER, Yahtzee
from jeopardice.rules.goal import Goal
from jeopardice.rules.text import counted, dice_words, read_counts, read_scores, refuse_foreign
from jeopardice.types import JsonObject, MatchRoll

KEYS = """\
  1 2  the play of that number   h  hint: every play, best first
  r    roll all five dice        u  undo your last choice (same dice again)
  s    set all dice aside        q  quit, with the report so far"""


class CardWords:
    """How Yahtzee is worded."""

    notation = "7/13 is 7 of 13 boxes filled; +2 two rolls left; (11556) the dice."
    legend = "The card: points written so far, . for a free box."
    keys = KEYS

    def plays(self, game: Yahtzee, plays: Sequence[CardPlay]) -> list[str]:
        """Return the plays of one spot in words."""
        return [play_words(play) for play in plays]

    def short_play(self, game: Yahtzee, play: CardPlay) -> str:
        """Return a play in some ten characters."""
        return play.box or dice_words(play.aside, "") or "roll all"

    def deeds(self, game: Yahtzee, play: CardPlay) -> list[str]:
        """Return what a story tells of a play."""
        if play.box is not None:
            return [f"write {play.points} in {play.box}"]
        return [f"set aside {dice_words(play.aside)}"] if play.aside else []

    def stake(self, game: Yahtzee, play: CardPlay) -> str:
        """Return nothing: the words of a play say it all."""
        return ""

    def typed(self, game: Yahtzee, plays: Sequence[CardPlay], key: str) -> list[CardPlay]:
        """Return the play that rolls all dice, or sets all aside."""
        return [play for play in plays if play.box is None and len(play.aside) == (DICE if key == "s" else 0)]

    def roll(self, game: Yahtzee, roll: MatchRoll) -> str:
        """Return a roll as one reads it."""
        return dice_words(roll)

    def short_spot(self, match: CardMatch, spot: CardSpot) -> str:
        """Return the boxes filled, the rolls left and the dice."""
        filled = f"{len(spot.card)}/{len(match.rules.boxes)}"
        dice = f" ({dice_words(spot.dice, '')})" if spot.dice is not None else f" {dice_words(spot.aside, '')}".rstrip()
        return f"{filled} +{spot.rolls_left}{dice}"

    def moment(self, match: CardMatch, spot: CardSpot) -> str:
        """Return the dice and the rolls left; nothing at the beginning of a turn."""
        return "" if spot.dice is None else f"have {dice_words(spot.dice)}, {counted(spot.rolls_left, 'roll')} left"

    def scores(self, match: CardMatch, spot: CardSpot, names: Sequence[str]) -> str:
        """Return the points written so far."""
        boxes = f"{len(spot.card)} of {counted(len(match.rules.boxes), 'box')}"
        total = match.returns(spot)[0] if match.is_over(spot) else match.written(spot)
        return f"{total} points in {boxes}"

    def picture(self, match: CardMatch, spot: CardSpot, names: Sequence[str]) -> list[str]:
        """Return the card, upper and lower boxes side by side."""
        card = dict(spot.card)
        cells = [f"{box:<16}{card.get(box, '.'):>4}" for box in match.rules.boxes]
        upper = [cell for box, cell in zip(match.rules.boxes, cells, strict=True) if box in UPPER]
        lower = [cell for box, cell in zip(match.rules.boxes, cells, strict=True) if box not in UPPER]
        if upper:
            total = sum(points for box, points in spot.card if box in UPPER)
            upper.append(f"{'upper total':<16}{total:>4} of {match.rules.upper_goal}")
        rows = max(len(upper), len(lower))
        pairs = zip(upper + [""] * (rows - len(upper)), lower + [""] * (rows - len(lower)), strict=True)
        return [f"  {left:<30}{right}".rstrip() for left, right in pairs]

    def table(self, match: CardMatch, spot: CardSpot) -> JsonObject:
        """Return the score sheet: each box with its points, or with those the dice on the table would bring."""
        rules, card = match.rules, dict(spot.card)
        offered = {} if spot.dice is None else rules.options(match.free(spot), spot.dice)
        upper = sum(points for box, points in spot.card if box in UPPER)
        return {
            "kind": "card",
            "dice": DICE,
            "rolls_left": spot.rolls_left,
            "boxes": [
                {"box": box, "points": card.get(box), "offer": offered.get(box), "upper": box in UPPER}
                for box in rules.boxes
            ],
            "upper": {"total": upper, "goal": rules.upper_goal, "bonus": rules.upper_bonus},
            "bonus": spot.bonus,
            "total": match.returns(spot)[0] if match.is_over(spot) else match.written(spot),
        }

    def buttons(self, match: CardMatch, spot: CardSpot, plays: Sequence[CardPlay]) -> list[JsonObject]:
        """Return the dice to set aside, or the box to write in; a play that sets all dice aside lists the boxes next."""
        return [self._button(match, spot, play) for play in plays]

    def _button(self, match: CardMatch, spot: CardSpot, play: CardPlay) -> JsonObject:
        if play.box is not None:
            return {"label": f"Write {play.points}", "pick": {"box": play.box}}
        if spot.dice is None:
            return {"label": "Roll", "pick": {}}
        if len(play.aside) < DICE:
            roll = counted(DICE - len(play.aside), "die").replace("dies", "dice")
            return {"label": f"Roll {roll}", "pick": {"dice": [list(play.aside)]}}
        boxes = match.plays(match.after_play(spot, play))
        leads_to = {str(box.box): words for box, words in zip(boxes, self.plays(match.rules, boxes), strict=True)}
        return {"label": "Write these dice", "pick": {"dice": [list(play.aside)]}, "then": leads_to}

    def parse_roll(self, game: Yahtzee, text: str) -> MatchRoll:
        """Return five dice such as 1,1,5,5,6."""
        faces = text.replace(",", " ").split()
        if not all(face.isascii() and face.isdigit() and len(face) < 4 for face in faces):
            raise PositionError(f"a roll is written as its faces, such as 1,1,5,5,6, got {text!r}")
        return tuple(map(int, faces))

    def parse_position(self, goal: Goal, texts: Mapping[str, str]) -> JsonObject:
        """Return the keywords of `advise`: card, roll, rolls_left."""
        refuse_foreign(texts, ("card", "roll", "rolls_left"), "Yahtzee")
        readers: dict[str, Callable[[str], Any]] = {
            "card": lambda text: read_counts("--card", text),
            "roll": lambda text: self.parse_roll(goal.game, text),
            "rolls_left": lambda text: read_scores("--rolls-left", text),
        }
        return {name: readers[name](text) for name, text in texts.items()}


def play_words(play: CardPlay) -> str:
    """Return a play in words.

    >>> play_words(CardPlay((5, 5))), play_words(CardPlay()), play_words(CardPlay((), "full house", 25))
    ('set aside 5 5, roll 3 dice', 'roll 5 dice', 'write 25 in full house')
    """
    if play.box is not None:
        return f"write {play.points} in {play.box}"
    if len(play.aside) == DICE:
        return f"set aside {dice_words(play.aside)}"
    roll = f"roll {counted(DICE - len(play.aside), 'die').replace('dies', 'dice')}"
    return f"set aside {dice_words(play.aside)}, {roll}" if play.aside else roll


WORDS = CardWords()
