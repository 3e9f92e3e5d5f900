"""The words of points games: plays, rolls, moments and scores, worded once for advice, tutor, terminal and web."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from jeopardice.points.match import PointsMatch, PointsSpot, TurnPlay
from jeopardice.rules.game import Mode, dice_differ, game_name, mode_word, roll_words_of, scoring_of, sets_aside_of
from jeopardice.rules.goal import Goal, Race, Turn
from jeopardice.rules.text import (
    FIRST_KIND,
    counted,
    dice_words,
    kind_of,
    option_name,
    read_kinds,
    read_scores,
    read_value,
    refuse_foreign,
)
from jeopardice.types import Game, JsonObject, MatchRoll

TAKE_OVER = "take over"
MOST_BELOW = 10**9
KEYS = """\
  r    roll, taking all points   h  hint: every play, best first
  s    stop, taking all points   u  undo your last choice (same dice again)
  1 2  the play of that number   q  quit, with the report so far"""


class PointsWords:
    """How points games are worded."""

    notation = legend = ""
    keys = KEYS

    def plays(self, game: Game, plays: Sequence[TurnPlay]) -> list[str]:
        """Return the plays of one spot in words; points and modes are named only where dice do not tell plays apart.

        >>> from jeopardice import TenThousand
        >>> plays = [TurnPlay(True, 150, 150, None, (1, 5)), TurnPlay(False, 100, 100, 4, (1,))]
        >>> PointsWords().plays(TenThousand(), plays)
        ['set aside 1 5 and stop', 'set aside 1, roll 4 dice']
        """
        words = [play_words(game, play) for play in plays]
        return [
            word if words.count(word) == 1 else self._told_apart(game, play, plays)
            for play, word in zip(plays, words, strict=True)
        ]

    def short_play(self, game: Game, play: TurnPlay) -> str:
        """Return a play in some ten characters: 155 roll."""
        used = dice_words(play.aside, "")
        return f"{used} {'stop' if play.stops else 'roll'}" if used else play_words(game, play)

    def deeds(self, game: Game, play: TurnPlay) -> list[str]:
        """Return what a story tells of a play: set aside 1 5, stop with 350."""
        aside = [f"set aside {dice_words(play.aside)}"] if play.aside else []
        if play.takes_over:
            return [f"{TAKE_OVER} {play.points}"]
        return [*aside, f"stop with {play.points}"] if play.stops else aside

    def stake(self, game: Game, play: TurnPlay) -> str:
        """Return what a play banks or leaves at risk."""
        return f"{'banks' if play.stops else 'risks'} {play.points}" if play.points else ""

    def typed(self, game: Game, plays: Sequence[TurnPlay], key: str) -> list[TurnPlay]:
        """Return the plays that stop, or roll, with the most points."""
        alike = [play for play in plays if play.stops == (key == "s") and not play.takes_over]
        most = [play for play in alike if play.points == max(p.points for p in alike)]
        return most[:1] if key == "s" else most

    def roll(self, game: Game, roll: MatchRoll) -> str:
        """Return a roll as one reads it."""
        return dice_words(roll)

    def short_spot(self, match: PointsMatch, spot: PointsSpot) -> str:
        """Return the spot as the player who has the dice sees it: 42:57 +14 and the dice."""
        scores = ":".join(str(spot.standings[(spot.seat + k) % match.players]) for k in range(match.players))
        at_risk = f" +{spot.at_risk}" if spot.at_risk or spot.roll else ""
        return f"{scores}{at_risk}{' ' + dice_words(spot.roll, '') if spot.roll else ''}"

    def moment(self, match: PointsMatch, spot: PointsSpot) -> str:
        """Return what was rolled and what is at risk; nothing at the beginning of a turn."""
        rolled = f"rolled {dice_words(spot.roll)}" if spot.roll else ""
        if spot.offer is not None:
            return f"may take over {spot.offer[0]} points"
        points = {play.points for play in match.plays(spot)}
        if len(points) == 1 and max(points):
            return f"{rolled}{', ' if rolled else 'have '}{max(points)} at risk"
        return f"{rolled}{f', {spot.at_risk} at risk before' if spot.at_risk else ''}"

    def scores(self, match: PointsMatch, spot: PointsSpot, names: Sequence[str]) -> str:
        """Return everybody's score by name, with the busts in a row where they are counted: you: 42, optimal: 57."""
        return ", ".join(
            f"{name}: {points}{_record_words(match, record)}"
            for name, points, record in zip(names, spot.standings, spot.records, strict=True)
        )

    def picture(self, match: PointsMatch, spot: PointsSpot, names: Sequence[str]) -> list[str]:
        """Return nothing: the scores say it all."""
        return []

    def table(self, match: PointsMatch, spot: PointsSpot) -> JsonObject:
        """Return the target, the least points a bank needs now, the dice in hand, and the scoring card with its lit lines."""
        game, roll = match.game(spot), spot.roll if isinstance(spot.roll, tuple) else ()
        lines = scoring_of(game)
        faces = [die[1] if isinstance(die, tuple) else die for die in roll]
        example = () if match.is_over(spot) else next(iter(game.rolls(spot.mode or game.opening)))
        return {
            "kind": "points",
            "target": match.target,
            "least": match.house.least_bank(spot.records[spot.seat]),
            "dice": len(example) if isinstance(example, tuple) else 1,
            "card": [{"words": line.words, "points": line.points, "lit": line.lit(faces)} for line in lines],
        }

    def buttons(self, match: PointsMatch, spot: PointsSpot, plays: Sequence[TurnPlay]) -> list[JsonObject]:
        """Return dice to set aside where there are any to choose, a number of dice where that is the choice.

        >>> from jeopardice import Farkle
        >>> match = PointsMatch((Farkle(),), 1000, Race(Farkle(), 1000).house)
        >>> spot = PointsSpot((0,), (match.house.opening,), mode=6, roll=(1, 2, 2, 2, 5, 5))
        >>> WORDS.buttons(match, spot, [TurnPlay(True, 200, 200, None, (2, 2, 2))])
        [{'label': 'Stop and bank 200', 'pick': {'dice': [[1, 5, 5], [2, 2, 2]]}}]
        """
        game = match.game(spot)
        return [self._button(game, spot, play) for play in plays]

    def _button(self, game: Game, spot: PointsSpot, play: TurnPlay) -> JsonObject:
        if play.takes_over:
            return {"label": f"Take over {play.points}", "pick": {}}
        roll = roll_words(game, play.mode, bare=not play.aside)
        if play.stops:
            return {"label": f"Stop and bank {play.points}", "pick": self._pick(game, spot, play)}
        label = roll[0].upper() + roll[1:] + (" again" if roll == "roll" and play.points else "")
        is_count = not play.aside and isinstance(play.mode, int) and play.mode != spot.mode and roll != "roll"
        return {"label": label, "pick": {"count": play.mode} if is_count else self._pick(game, spot, play)}

    def _pick(self, game: Game, spot: PointsSpot, play: TurnPlay) -> JsonObject:
        if not play.aside:
            return {}
        dice = [list(play.aside)]
        if ways := sets_aside_of(game, spot.mode, spot.roll):
            own = next((left for faces, _, left in ways if faces == play.aside), None)
            dice = [list(faces) for faces, gained, left in ways if (gained, left) == (play.gained, own)]
        return {"dice": sorted(dice)}

    def parse_roll(self, game: Game, text: str) -> MatchRoll:
        """Return a roll such as 1,1,5 or heads,tails as faces; 1a,5b where dice differ; any other text is a roll's name."""
        parts = [part for part in text.replace(" ", ",").split(",") if part]
        if parts and dice_differ(game) and all(re.fullmatch("[0-9]+[a-z]", part) for part in parts):
            return tuple(sorted((ord(part[-1]) - FIRST_KIND, int(part[:-1])) for part in parts))
        if parts and all(part.isascii() and part.isdigit() for part in parts):
            return tuple(map(int, parts))
        return tuple(part.strip() for part in text.split(",")) if "," in text else text

    def parse_position(self, goal: Goal, texts: Mapping[str, str]) -> JsonObject:
        """Return the keywords of `advise`: scores, points at risk, the roll, the mode, and records where rules count them.

        >>> from jeopardice import Pig, Race
        >>> PointsWords().parse_position(Race(Pig(), players=3), {"mine": "41", "theirs": "12,9", "roll": "4"})
        {'mine': 41, 'theirs': (12, 9), 'roll': (4,)}
        """
        refuse_foreign(texts, position_parts(goal), f"{game_name(goal.game)}, {kind_of(goal)}")
        floor = goal.house.floor
        least = {"mine": floor, "theirs": floor} if floor is not None else {"mine": -MOST_BELOW, "theirs": -MOST_BELOW}
        kinds = read_kinds(texts.get("mode", "")) if dice_differ(goal.game) else None
        values: JsonObject = {"mode": kinds or texts.get("mode")}
        if "roll" in texts:
            values["roll"] = self.parse_roll(goal.game, texts["roll"])
        for name, text in texts.items():
            if name.endswith("_opened"):
                values[name] = read_value(option_name(name), text, bool)
            elif name == "offer":
                values[name] = _read_offer(goal.game, text)
            elif name not in ("roll", "mode"):
                values[name] = read_scores(option_name(name), text, least.get(name, 0))
        return {name: values[name] for name in texts}

    def _told_apart(self, game: Game, play: TurnPlay, plays: Sequence[TurnPlay]) -> str:
        """Return words that tell a play from others that are worded alike; a user's game may name no dice."""
        alike = [other for other in plays if (other.stops, other.aside) == (play.stops, play.aside)]
        take = f"take {play.gained}" if any(p.gained != play.gained for p in alike) else ""
        if play.stops:
            return f"{take} and stop"
        roll = roll_words_of(game, play.mode) or f"roll in mode {play.mode}"
        many_modes = any(p.mode != play.mode for p in alike)
        return ", ".join(part for part in (take, roll if many_modes else "roll") if part)


def _read_offer(game: Game, text: str) -> Any:
    """Return an offer such as 300,2 (points, dice left); the points alone where dice are always the same."""
    points, _, left = text.partition(",")
    kinds = read_kinds(left) if dice_differ(game) else None
    mode: Mode = kinds or (int(left) if left.strip().isdecimal() else left or None)
    return (read_scores("--offer", points, 0), mode) if mode is not None else read_scores("--offer", points, 0)


def position_parts(goal: Goal) -> set[str]:
    """Return the keywords that a position of a goal may have."""
    kind = kind_of(goal)
    if kind == "simultaneous":
        return {"mine", "theirs"}
    parts = {"at_risk", "dice", "mode", "roll"}
    if isinstance(goal, Race):
        parts |= {"mine", "turns_left"} if goal.players == 1 else {"mine", "theirs", "seat"}
    both = ("my", "their") if kind in ("duel", "race") else ("my",)
    if not isinstance(goal, Turn) and goal.house.busts:
        parts |= {f"{whose}_busts" for whose in both}
    if isinstance(goal, Race) and goal.piggyback:
        parts.add("offer")
    if isinstance(goal, Race) and not goal.house.opening.has_opened:
        parts |= {f"{whose}_opened" for whose in both}
    return parts


def play_words(game: Game, play: TurnPlay) -> str:
    """Return a play in words."""
    if play.takes_over:
        return f"{TAKE_OVER} {play.points}, {roll_words(game, play.mode, bare=False)}"
    if not play.aside:
        return "stop" if play.stops else roll_words(game, play.mode, bare=True)
    aside = f"set aside {dice_words(play.aside)}"
    return f"{aside} and stop" if play.stops else f"{aside}, {roll_words(game, play.mode, bare=False)}"


def roll_words(game: Game, mode: Mode, *, bare: bool) -> str:
    """Return how one says that one rolls in this mode; a game may have words of its own."""
    if mode != game.opening and (words := roll_words_of(game, mode)):
        return words
    if mode_word(game) == "dice" and isinstance(mode, int) and not bare:
        return f"roll {counted(mode, 'die').replace('dies', 'dice')}"
    return "roll"


def _record_words(match: PointsMatch, record: Any) -> str:
    parts = [] if record.has_opened else ["not open"]
    parts += [counted(record.busts, "bust")] if record.busts else []
    return f" ({', '.join(parts)})" if parts else ""


WORDS = PointsWords()
