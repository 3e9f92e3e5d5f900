"""Rules in sentences that a person could teach from, made from the fields of a game and of a goal.

A game's sentences say what one does in a turn and what scores; the goal's say what is between turns: how one banks, what
busts in a row cost, and who wins. Nothing is written per rule set, so rules of one's own read as well.
"""

from collections.abc import Iterator
from typing import Any

from jeopardice.dice import Dice, pool
from jeopardice.games.cant_stop import CantStop
from jeopardice.games.faces import Combination, Face, FaceGame
from jeopardice.games.farkle import Farkle, of_a_kind
from jeopardice.games.hog import Hog
from jeopardice.games.pig import Pig
from jeopardice.games.ten_thousand import SINGLE, TRIPLE, TenThousand
from jeopardice.games.yahtzee import UPPER, Yahtzee
from jeopardice.rules.ending import Ending
from jeopardice.rules.goal import Goal, Race
from jeopardice.rules.house import House

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def taught(goal: Goal) -> list[str]:
    """Return the rules of a goal, in the order in which one explains them; only a race has rules between turns.

    >>> from jeopardice import Pig
    >>> print(*taught(Race(Pig(), target=50, players=2)), sep=chr(10))
    Roll one die as often as you like and add up what it shows.
    A 1 is a bust: the turn is over and its points are lost.
    Stop whenever you like. When you stop, you bank the points of the turn, and the next player has the dice.
    The first player with 50 points or more in the bank wins.
    """
    between = [*house_sentences(goal.house), *ending_sentences(goal)] if isinstance(goal, Race) else []
    return [*turn_sentences(goal.game), *between]


def turn_sentences(game: Any) -> list[str]:
    """Return what one does in a turn, and what scores; nothing for a game of one's own in Python."""
    for kind, sentences in _TURNS.items():
        if isinstance(game, kind):
            return list(sentences(game))
    return []


def house_sentences(house: House) -> list[str]:
    """Return the rules between turns."""
    found = []
    if house.bank_from:
        found.append(
            f"You may stop only once the turn has earned {_points(house.bank_from)} or more, or enough to reach the target."
        )
    if house.open_from > house.bank_from:
        found.append(
            f"Your first bank must be {_points(house.open_from)} or more, earned in one turn, or enough to reach the target."
        )
    if house.busts:
        lost = "your whole score" if house.penalty == "all" else _points(house.penalty)
        when = "A bust" if house.busts == 1 else f"{_number(house.busts).capitalize()} busts in a row"
        cost = f"{when} {'costs' if house.busts == 1 else 'cost'} you {lost}"
        below = ", and your score may fall below 0" if house.floor is None else ""
        below = (
            f", but no score falls below {house.floor}" if house.floor is not None and house.penalty != "all" else below
        )
        again = "" if house.busts == 1 else " The count of busts begins again then, and after every bank."
        found.append(f"{cost}{below}.{again}")
    return found


def ending_sentences(goal: Race) -> list[str]:
    """Return when the race is over and who wins."""
    if isinstance(goal.game, CantStop):
        return [_columns_end(goal.game, goal.players)]
    if isinstance(goal.game, Yahtzee):
        return ["The game is over when every box is written; what counts is the sum of all points."]
    ending, target = goal.ending, _points(int(goal.target or 0))
    found = []
    if goal.piggyback:
        found.append(
            "The next player may take over the points just banked and roll on with the dice left. A bust loses these points, too."
        )
    if ending.must_hit:
        found.append("The target must be hit exactly: a bank that would go past it is a bust.")
    if goal.players == 1:
        aim = f"reach {target} in as few {goal.cost} as you can"
        return [*found, f"Alone, {aim}." if goal.within is None else f"Reach {target} within {goal.within} turns."]
    if not ending.last_round:
        enough = f"exactly {target}" if ending.must_hit else f"{target} or more"
        return [*found, f"The first player with {enough} in the bank wins."]
    return [
        *found,
        f"Once a player has {target} or more in the bank, everybody else has one more turn, and the highest score wins. "
        + _tie_words(ending),
    ]


def _tie_words(ending: Ending) -> str:
    return {
        "first": "If the highest scores are equal, the player who reached that score first wins.",
        "share": "If the highest scores are equal, these players share the win.",
        "last": "If the highest scores are equal, the player who reached that score last wins.",
    }[ending.ties]


def _pig(game: Pig) -> Iterator[str]:
    many, sides = pool(game.dice).count, "" if game.sides == 6 else f" with {game.sides} sides"
    dice = (
        f"{_number(many)} {'die' if many == 1 else 'dice'}{f' ({game.dice})' if isinstance(game.dice, Dice) else sides}"
    )
    yield f"Roll {dice} as often as you like and add up what {'it shows' if many == 1 else 'they show'}."
    yield from _bust(game.bust)
    yield STOP


def _bust(faces: tuple[int, ...]) -> Iterator[str]:
    if faces:
        yield f"{_listed([f'a {face}' for face in faces], 'or').capitalize()} is a bust: the turn is over and its points are lost."


def _hog(game: Hog) -> Iterator[str]:
    sides = f" ({game.dice})" if game.dice is not None else "" if game.sides == 6 else f" with {game.sides} sides"
    yield f"Say how many dice{sides} you will roll, from one to {_number(game.dice_limit)}, and roll them once."
    one = "the turn earns nothing" if game.on_one == "nothing" else "the turn earns only one point"
    yield f"You bank the sum of what they show; but if there is a 1 among them, {one}. Then the next player has the dice."


def _faces(game: FaceGame) -> Iterator[str]:
    one = "coin" if len(game.faces) == 2 else "die"
    yield f"Throw {f'the {one}' if game.dice == 1 else _dice(game.dice)} as often as you like and add up the points."
    if game.dice > 1:
        instead = ", unless together they are one of the throws with a rule of its own" if game.combinations else ""
        yield f"Every die counts{instead}:"
    total = sum(face.weight for face in game.faces)
    alike = len({face.weight for face in game.faces}) == 1
    for face in game.faces:
        falls = "" if alike else f" (falls {face.weight} times in {total})"
        yield f"- {face.face}{falls}: {_effect_words(face)}"
    if game.combinations:
        yield "These throws have a rule of their own:"
    for combination in game.combinations:
        yield f"- {_listed(list(map(str, combination.faces)), 'and')}: {_effect_words(combination)}"
    yield STOP


def _effect_words(thing: Face | Combination) -> str:
    if thing.effect == "bust":
        return "a bust, the turn is over and its points are lost"
    return _points(thing.points) + (
        ", and the turn ends there with all its points banked" if thing.effect == "bank" else ""
    )


def _ten_thousand(game: TenThousand) -> Iterator[str]:
    yield _begin(game.dice)
    yield SET_ASIDE
    yield NO_SCORE
    yield f"Once {_all(game.dice)} have scored, you may roll all of them again and keep adding points; then nothing is given back."
    yield f"Every single 1 is {_points(SINGLE[1])}, every single 5 is {_points(SINGLE[5])}."
    yield f"Three of a kind in one roll are 100 times their face; three 1s are {TRIPLE[1]:,}."
    if game.resign is not None:
        yield f"You take everything that scores, except that you may give back {_listed(list(game.resign), 'or') or 'nothing'}."
    yield BANK


def _farkle(game: Farkle) -> Iterator[str]:
    yield _begin(game.dice)
    yield {
        "any": SET_ASIDE,
        "all if hot": f"{SET_ASIDE} If all the dice you rolled score, you take them all.",
        "all": "After each roll set aside every die that scores and add up the points; then stop, or roll the dice left.",
    }[game.take]
    yield NO_SCORE
    again = "may" if game.hot_dice == "may" else "must"
    if game.nothing:
        yield (
            f"But a roll of {_all(game.dice)} in which nothing scores earns {_points(game.nothing)}, "
            f"and you {again} roll all of them again."
        )
    yield f"Once {_all(game.dice)} have scored, you {again} roll all of them again and keep adding points."
    yield "These combinations score, each within one roll:"
    yield from (f"- {line}" for line in scoring_lines(game))
    yield BANK


def scoring_lines(game: Farkle) -> list[str]:
    """Return what scores, a line for each combination.

    >>> scoring_lines(Farkle.named("basic"))
    ['a single 1: 100', 'a single 5: 50', 'three 1s: 1,000; three of another face: 100 times the face']
    """
    found = [(f"a single {face}", points) for face, points in ((1, game.one), (5, game.five))]
    lines = [f"{name}: {points:,}" for name, points in found if points]
    if game.count >= 3 and (game.three or game.three_ones):
        lines.append(f"three 1s: {game.three_ones:,}; three of another face: {game.three:,} times the face")
    lines += _more_lines(game)
    sets = [
        ("a straight, 1 to 6", game.straight, 6),
        ("a short straight, 1 to 5", game.short_straights[0], 5),
        ("a short straight, 2 to 6", game.short_straights[1], 5),
        ("three pairs" + (", or four of a kind and a pair" if game.four_and_pair else ""), game.three_pairs, 6),
        ("two triplets", game.two_triplets, 6),
        ("a triple and a pair, on top of the triple", game.full_house, 5),
    ]
    return lines + [f"{name}: {points:,}" for name, points, dice in sets if points and game.count >= dice]


def _more_lines(game: Farkle) -> list[str]:
    if game.count < 4 or game.more_of_a_kind == "none":
        return []
    if game.more_of_a_kind == "flat":
        counts = range(4, min(game.count, 3 + len(game.flat)) + 1)
        return [
            f"{_number(count)} of a kind: {of_a_kind(game, 2, count):,}" for count in counts if game.flat[count - 4]
        ]
    how = {"doubling": "doubles the points of", "linear": "adds once more the points of"}[game.more_of_a_kind]
    return [f"four or more of a kind: every further die {how} the triple"]


def _cant_stop(game: CantStop) -> Iterator[str]:
    sides = "" if game.sides == 6 else f" with {game.sides} sides"
    yield f"Roll {_number(game.dice)} dice{sides} and divide them into pairs: the sums of the pairs name the columns to climb."
    yield (
        f"In each of these columns a marker goes up one space. You have {_number(game.markers)} markers in a turn; "
        "once all are placed, only their columns are climbed."
    )
    yield "Then roll again, or stop: a stop keeps all that the markers have climbed, and the next turn goes on from there."
    yield "A roll that moves no marker is a bust: what you climbed in this turn is lost."
    yield (
        f"The columns {game.columns[0]} and {game.columns[-1]} have {game.shortest} spaces, "
        f"and each column has two more than its outer neighbour."
    )


def _columns_end(game: CantStop, players: int) -> str:
    columns = "one column" if game.columns_to_win == 1 else f"{_number(game.columns_to_win)} columns"
    if players == 1:
        return f"Alone, complete {columns} in as few turns as you can."
    closed = " A completed column is closed to everybody." if game.closed_to_both else ""
    return f"The first player to complete {columns} wins.{closed}"


def _yahtzee(game: Yahtzee) -> Iterator[str]:
    yield "Roll five dice up to three times a turn: after the first and second roll keep any dice and roll the others again."
    yield f"Then write the dice into a box. There {_are(len(game.boxes), 'box', 'boxes')}, and each is written once:"
    for box in game.boxes:
        yield f"- {box}: {_BOXES.get(box, f'the sum of the {box}')}"
    if set(UPPER) & set(game.boxes):
        yield f"Ones to sixes together bring {game.upper_bonus} points more if they come to {game.upper_goal} or more."
    if game.joker != "none" and "yahtzee" in game.boxes:
        yield f"Once the box yahtzee has its 50, every further five of a kind brings {game.joker_bonus} points more."


def _are(number: int, one: str, many: str) -> str:
    return f"is {_number(number)} {one}" if number == 1 else f"are {_number(number)} {many}"


_BOXES = {
    "three of a kind": "the sum of all dice, if three are equal",
    "four of a kind": "the sum of all dice, if four are equal",
    "full house": "25, for three equal dice and two other equal ones",
    "small straight": "30, for four faces in a row",
    "large straight": "40, for five faces in a row",
    "yahtzee": "50, for five equal dice",
    "chance": "the sum of all dice",
}

SET_ASIDE = "After each roll set aside at least one combination that scores and add its points; then stop, or roll the dice left."
NO_SCORE = "A roll in which nothing scores is a bust: the turn is over and its points are lost."
BANK = "When you stop, you bank the points of the turn, and the next player has the dice."
STOP = f"Stop whenever you like. {BANK}"

_TURNS: dict[type, Any] = {
    Pig: _pig, Hog: _hog, FaceGame: _faces, TenThousand: _ten_thousand, Farkle: _farkle, CantStop: _cant_stop, Yahtzee: _yahtzee,
}  # fmt: skip


def _begin(dice: int | Dice) -> str:
    count = pool(dice).count
    loaded = f": {dice}" if isinstance(dice, Dice) else ""
    if count == 1:
        return f"A turn is played with one die{loaded}."
    return f"A turn begins with a roll of all {_number(count)} dice{loaded}."


def _all(dice: int | Dice) -> str:
    count = pool(dice).count
    return "the die" if count == 1 else "both dice" if count == 2 else f"all {_number(count)} dice"


def _dice(count: int) -> str:
    return "both dice" if count == 2 else f"the {_number(count)} dice"


def _points(points: int) -> str:
    return f"{points:,} point{'' if points == 1 else 's'}"


def _number(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def _listed(things: list[str], word: str) -> str:
    return f" {word} ".join(filter(None, (", ".join(things[:-1]), things[-1]))) if things else ""
