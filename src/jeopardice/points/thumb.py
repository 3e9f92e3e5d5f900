"""Rules of thumb: strategies made of a few whole numbers that a person can remember.

A rule stops at a number of points that may depend on the dice left; it takes all that scores, or counts every die that it
can still roll as some points when it chooses what to set aside; and in a race for two it may stop later by a share of what
one is behind, and roll for the win once somebody is near the target. Each of these is one number, and can be left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from jeopardice.points.strategy import Moment
from jeopardice.rules.game import Mode, Play

NEVER = 10**9


def dice_left(mode: Mode) -> int:
    """Return how many dice a mode rolls: a number of dice, or which ones; 0 where modes are something else.

    >>> dice_left(3), dice_left((0, 0, 1)), dice_left("how many dice?")
    (3, 3, 0)
    """
    if isinstance(mode, tuple):
        return len(mode)
    return mode if isinstance(mode, int) and not isinstance(mode, bool) else 0


@dataclass(frozen=True)
class Thumb:
    """Stop at points by the dice left: `stop_at` has (most dice left, points), the first that fits counts.

    - `die_worth`: set aside what makes most of the points and this many points for every die left; 0: take all that scores.
    - `catch_up`: stop later by one point for every `catch_up` points behind, earlier if ahead; 0: whatever the scores.
    - `race`: roll for the win once either player lacks at most this many points; 0: never.
    - `unit`: the points that scores are counted in.

    >>> rule = Thumb(((2, 250), (6, 400)))
    >>> rule.threshold(1), rule.threshold(5)
    (250, 400)
    >>> Thumb(((0, 21),), catch_up=8, race=29).at(mine=40, theirs=60, target=100).threshold(0)
    24
    """

    stop_at: tuple[tuple[int, int], ...]
    die_worth: int = 0
    catch_up: int = 0
    race: int = 0
    unit: int = 1

    watches_rolls: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """What it is called in tables."""
        return f"thumb-{self.integers}"

    @property
    def integers(self) -> int:
        """How many numbers there are to remember."""
        return len(self.stop_at) + sum(1 for number in (self.die_worth, self.catch_up, self.race) if number)

    def threshold(self, mode: Mode) -> int:
        """The points at risk from which it stops with these dice left, whatever the scores."""
        left = dice_left(mode)
        return next((points for most, points in self.stop_at if left <= most), self.stop_at[-1][1])

    def at(self, mine: int, theirs: int, target: int) -> "Thumb":
        """Return the rule that is left once both scores are known."""
        plain = replace(self, catch_up=0, race=0)
        if self.race and target - max(mine, theirs) <= self.race:
            return replace(plain, stop_at=((0, NEVER),))
        if not self.catch_up:
            return plain
        behind, whole = theirs - mine, self.catch_up * self.unit
        steps = (2 * abs(behind) + whole) // (2 * whole) * (1 if behind > 0 else -1)
        later = tuple((most, max(self.unit, points + steps * self.unit)) for most, points in self.stop_at)
        return replace(plain, stop_at=later)

    def stops(self, moment: Moment) -> bool:
        """At the number for the dice left, and at the target."""
        if moment.to_go == 0:
            return True
        rule = self if moment.target is None else self.at(moment.mine, moment.theirs, moment.target)
        return moment.at_risk >= rule.threshold(moment.mode)

    def choose(self, moment: Moment, plays: Sequence[Play]) -> Play:
        """All that scores, or the play that makes most of points and dice left."""
        return plays[self.pick([(play.points, play.mode) for play in plays])]

    def pick(self, plays: Sequence[tuple[int, Mode]]) -> int:
        """Return the number of the play it makes, of plays as (points, mode), most points first."""
        if not self.die_worth:
            return 0
        return max(range(len(plays)), key=lambda n: (plays[n][0] + self.die_worth * dice_left(plays[n][1]), -n))


def thumb_words(rule: Thumb, cells: Sequence[int] = ()) -> str:
    """Return the rule as one tells it to somebody; `cells` are the numbers of dice that can be left.

    >>> thumb_words(Thumb(((2, 250), (6, 400)), die_worth=60), cells=range(1, 7))
    'With 1 or 2 dice left stop at 250, with 3 to 6 at 400; setting aside, count every die left as 60'
    >>> thumb_words(Thumb(((0, 21),), catch_up=8, race=29))
    'Stop at 21, a point later for every 8 behind and earlier if ahead; roll for the win once somebody lacks 29 or less'
    """
    if len(rule.stop_at) == 1:
        parts = [f"Stop at {rule.stop_at[0][1]}"]
    else:
        said: list[str] = []
        least = min(cells, default=1)
        for most, points in rule.stop_at:
            dice = str(most) if most == least else f"{least} {'or' if most == least + 1 else 'to'} {most}"
            noun = f" {'die' if most == 1 else 'dice'} left stop" if not said else ""
            said.append(f"{'With' if not said else 'with'} {dice}{noun} at {points}")
            least = most + 1
        parts = [", ".join(said)]
    if rule.catch_up:
        parts[0] += f", a point later for every {rule.catch_up} behind and earlier if ahead"
    if rule.die_worth:
        parts.append(f"setting aside, count every die left as {rule.die_worth}")
    if rule.race:
        parts.append(f"roll for the win once somebody lacks {rule.race} or less")
    return "; ".join(parts)


@dataclass(frozen=True)
class RollSo:
    """Roll this many dice every turn, in a game whose turn opens with that choice (Hog)."""

    dice: int

    watches_rolls: ClassVar[bool] = False
    ignores_opponent: ClassVar[bool] = True
    ignores_score: ClassVar[bool] = True
    integers: ClassVar[int] = 1

    @property
    def name(self) -> str:
        """For example roll-6-dice."""
        return f"roll-{self.dice}-dice"

    def stops(self, moment: Moment) -> bool:
        """Whenever that is possible."""
        return moment.at_risk > 0

    def choose(self, moment: Moment, plays: Sequence[Play]) -> Play:
        """The number of dice; after the roll there is nothing to choose."""
        return next((play for play in plays if play.mode == self.dice), plays[0])
