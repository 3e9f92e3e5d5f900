"""When a race is over, and what its end is worth to each seat.

A race ends at once when a player banks at or past the target; or, with a last round, everybody else has one more turn
then and the highest score wins. A win is shared out as 1 among those who win; a margin pays the winner what the loser
lacks to the target. A new ending is a new answer to `returns`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from jeopardice.errors import RulesError

Payoff = Literal["win", "margin"]
Ties = Literal["first", "share", "last"]


@dataclass(frozen=True)
class Ending:
    """`must_hit`: more points than the target is a bust; `ties` says who wins a tie after a last round.

    >>> Ending().returns(100, (97, 104), finisher=1)
    (Fraction(0, 1), Fraction(1, 1))
    >>> Ending(payoff="margin").returns(100, (97, 104), finisher=1)
    (Fraction(-3, 1), Fraction(3, 1))
    >>> Ending(last_round=True, ties="share").returns(100, (104, 98, 104), finisher=2)
    (Fraction(1, 2), Fraction(0, 1), Fraction(1, 2))
    """

    payoff: Payoff = "win"
    must_hit: bool = False
    last_round: bool = False
    ties: Ties = "first"

    def __post_init__(self) -> None:
        if self.last_round and self.payoff == "margin":
            raise RulesError("payoff='margin' counts to the target; leave out last_round, where the highest score wins")

    @property
    def total(self) -> int:
        """What all seats' values add up to."""
        return 1 if self.payoff == "win" else 0

    def returns(self, target: int, scores: Sequence[int], finisher: int) -> tuple[Fraction, ...]:
        """Return what each seat gets at the end; `finisher` reached the target first."""
        shares = [Fraction(0)] * len(scores)
        for seat in (winners := self.winners(scores, finisher)):
            shares[seat] = Fraction(1, len(winners))
        if self.payoff == "margin":
            loser = next(seat for seat in range(len(scores)) if seat not in winners)
            return tuple((target - scores[loser]) * (2 * share - 1) for share in shares)
        return tuple(shares)

    def winners(self, scores: Sequence[int], finisher: int) -> list[int]:
        """Return the seats that win, in the order of their last turns."""
        if not self.last_round:
            return [finisher]
        seats = [(finisher + turn) % len(scores) for turn in range(len(scores))]
        highest = [seat for seat in seats if scores[seat] == max(scores)]
        return {"first": highest[:1], "share": highest, "last": highest[-1:]}[self.ties]
