"""Best play of a seat, as a strategy: what every solution of a points game answers to `strategy`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jeopardice.points.strategy import BestPlay


def best_play(solution: Any, seat: int = 0) -> "BestPlay":
    """Return best play of a seat; a strategy like any other, for `simulate`, `head_to_head` and bots."""
    from jeopardice.points.strategy import BestPlay

    if seat not in range(len(solution.values)):
        raise ValueError(f"a seat lies between 0 and {len(solution.values) - 1}, got seat={seat!r}")
    return BestPlay(solution, seat=seat)
