"""The rules between turns: what a bank needs, and what a bank and a bust do to a player's record.

A player keeps a **standing** between turns: the score, and a **record** of whatever else the house rules remember (has
the player opened, how many busts in a row). A house answers four questions about records, the same for every score, and
nothing else in the package knows these rules. A new house rule is a new field here, and one of the four answers.

Two decisions hold everywhere. A minimum restricts the choice to stop: a bank that reaches the target is always allowed,
and a play that ends the turn banks its points whatever the minimum. And to bank nothing is a bust.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from jeopardice.errors import RulesError

Penalty = int | Literal["all"]
MOST_POINTS = 10**9
"""The highest minimum of a bank: kernels count points in 32 bits."""
MOST_BUSTS = 1000
"""Busts in a row that a player can be asked to remember."""


class Record(NamedTuple):
    """What a standing holds besides the score."""

    has_opened: bool = True
    busts: int = 0


@dataclass(frozen=True)
class House:
    """`bank_from`: least points of a bank; `open_from`: least points of a player's first bank.

    After `busts` busts in a row a player loses `penalty` points ("all": the whole score); the count begins again then and
    after a bank. A score does not fall below `floor` (None: it may).

    >>> zilch = House(bank_from=300, busts=3, penalty=500)
    >>> zilch.opening, zilch.least_bank(zilch.opening)
    (Record(has_opened=True, busts=0), 300)
    >>> zilch.after_bust(Record(busts=1)), zilch.after_bust(Record(busts=2))
    ((Record(has_opened=True, busts=2), 0), (Record(has_opened=True, busts=0), 500))
    >>> zilch.score_after_loss(300, 500)
    0
    """

    bank_from: int = 0
    open_from: int = 0
    busts: int = 0
    penalty: Penalty = 0
    floor: int | None = 0

    def __post_init__(self) -> None:
        for name in ("bank_from", "open_from"):
            if (points := getattr(self, name)) > MOST_POINTS:
                raise RulesError(f"{name} is at most {MOST_POINTS:,} points, got {name}={points}; choose fewer")
        if self.busts > MOST_BUSTS:
            raise RulesError(f"busts in a row are counted up to {MOST_BUSTS:,}, got busts={self.busts}; choose fewer")
        if self.busts and not self.penalty:
            raise RulesError(f"busts={self.busts} counts towards a penalty; say penalty=500, or leave out busts")
        if self.penalty and not self.busts:
            raise RulesError(f"penalty={self.penalty!r} needs a number of busts in a row; say busts=3")
        if self.floor is not None and self.floor > 0:
            raise RulesError(f"floor is 0 or less (None: no floor), got floor={self.floor!r}")

    @property
    def opening(self) -> Record:
        """The record a player begins with."""
        return Record(has_opened=self.open_from <= self.bank_from)

    def least_bank(self, record: Record) -> int:
        """The points that the choice to stop needs."""
        return self.bank_from if record.has_opened else max(self.bank_from, self.open_from)

    def least_units(self, unit: int, record: Record | None = None) -> int:
        """The same counted in units of points; at least 1, since to bank nothing is a bust."""
        return max(1, -(-self.least_bank(record or self.opening) // unit))

    def after_bank(self, record: Record) -> Record:
        """The record after a bank."""
        return Record()

    def after_bust(self, record: Record) -> tuple[Record, Penalty]:
        """The record after a bust, and the points it costs."""
        if not self.busts:
            return record, 0
        if record.busts + 1 < self.busts:
            return record._replace(busts=record.busts + 1), 0
        return record._replace(busts=0), self.penalty

    def score_after_loss(self, score: int, points: Penalty) -> int:
        """The score after a penalty; "all" leaves 0, and a score below the floor is never raised to it."""
        if points == "all":
            return min(score, 0)
        fallen = score - points
        return fallen if self.floor is None else max(fallen, min(score, self.floor))

    def records(self) -> tuple[Record, ...]:
        """All records that can occur, the opening one first."""
        known = [self.opening]
        for record in known:
            for after in (self.after_bank(record), self.after_bust(record)[0]):
                if after not in known:
                    known.append(after)
        return tuple(known)
