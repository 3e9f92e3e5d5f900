"""A match written out spot by spot, some seats following policies and at most one seat free to choose.

Under fixed choices what a seat gets is one sparse linear system, v = r + P v, and how often each spot is met is another,
d = start + Pᵀ d. A free seat's best response is policy iteration on the first of them. This is slow and knows no game: it is
for small games, for policies that are plain functions, and for checking what the compiled passes say.

Spots are told apart by what matters for the rules: how many turns and rolls were made is forgotten, unless the rules or a
policy count them. If nobody ever ends the game, several players share what there is to win; alone that is an error.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jeopardice.analysis.policy import Policy
from jeopardice.errors import RulesError, TooLargeError
from jeopardice.kernels import Progress
from jeopardice.kernels.stopping import check_wanted
from jeopardice.rules.match import Match
from jeopardice.types import Floats, Ints, MatchPlay, MatchRoll, Spot

MOST_SPOTS = 400_000
BETTER = 1e-12
"""A free seat changes its choice only for more than rounding."""


@dataclass(frozen=True, eq=False)
class SpotGraph:
    """Spots and what can follow: way w leads from `spot_of[w]` to `to[e]` with chance `chance[e]`, where `way_of[e] == w`.

    A spot has one way if the dice fall or a policy chooses, one for each play if the free seat chooses, and none at the
    end of the game. `reward[w]` is what the way itself brings (alone), `ended[spot]` what every seat got.
    """

    match: Match
    spots: list[Spot]
    spot_of: Ints
    reward: Floats
    way_of: Ints
    to: Ints
    chance: Floats
    ended: dict[int, tuple[float, ...]]

    def values(self, seat: int, choice: Ints) -> Floats:
        """Return what a seat gets from every spot on, the free seat taking the ways `choice[spot]`."""
        from scipy import sparse
        from scipy.sparse import linalg

        step, reward = self._step(choice), self._rewards(choice)
        final = np.zeros(len(self.spots))
        final[list(self.ended)] = [returns[seat] for returns in self.ended.values()]
        going = self._going(step)
        stuck = self._is_stuck(step) & going
        if stuck.any():
            if self.match.players == 1:
                raise RulesError(f"this policy never ends the game from {self.spots[int(np.argmax(stuck))]!r}")
            final[stuck], going = self._share(), going & ~stuck
        inner = np.flatnonzero(going)
        if not len(inner):
            return final
        system = sparse.eye_array(len(inner), format="csc") - step[inner][:, inner].tocsc()
        final[inner] = linalg.splu(system).solve(reward[inner] + step[inner] @ np.where(going, 0.0, final))
        return final

    def visits(self, choice: Ints) -> Floats:
        """Return how often each spot is met in a game, on average."""
        from scipy import sparse
        from scipy.sparse import linalg

        step = self._step(choice)
        if self._is_stuck(step)[0]:
            raise RulesError("under these policies the game may never end, so the number of spots met has no limit")
        start = np.zeros(len(self.spots))
        start[0] = 1.0
        met: Floats = linalg.splu(sparse.eye_array(len(start), format="csc") - step.T.tocsc()).solve(start)
        return met

    def error_bound(self, seat: int, choice: Ints, values: Floats) -> float:
        """Return how far `values(seat, choice)` can be from the truth.

        A value is off by at most the largest miss of its own equation, roundings counted, times the spots still to be met.
        Numbers that fall by at least 1 at every spot are more than those; a percent more than solved leaves room for it.
        """
        from scipy import sparse
        from scipy.sparse import linalg

        step = self._step(choice)
        going = self._going(step) & ~self._is_stuck(step)
        inner = np.flatnonzero(going)
        if not len(inner):
            return 0.0
        inside = step[inner][:, inner]
        left = 1.01 * linalg.splu(sparse.eye_array(len(inner), format="csc") - inside.tocsc()).solve(
            np.ones(len(inner))
        )
        if not (left - inside @ left >= 1.0).all():
            return float("inf")
        rounding = 4 * np.finfo(float).eps * (2 + np.diff(inside.indptr)) * (1 + float(np.abs(values).max()))
        miss = np.abs(self._rewards(choice)[inner] + step[inner] @ values - values[inner]) + rounding
        return float(miss.max() * left.max())

    def best_reply(self, seat: int, preferred: Callable[[Spot], MatchPlay], *, less: bool = False) -> Floats:
        """Return what the free seat gets from every spot on if it replies best."""
        return self.values(seat, self.best_choice(seat, preferred, less=less))

    def best_choice(self, seat: int, preferred: Callable[[Spot], MatchPlay], *, less: bool = False) -> Ints:
        """Return the ways of the free seat's best reply, by policy iteration.

        `preferred` is the play to begin with at a spot: one that ends the game.
        """
        choice = self.first_choice(preferred)
        sign = -1.0 if less else 1.0
        while True:
            check_wanted()
            values = self.values(seat, choice)
            worth = sign * (self.reward + np.bincount(self.way_of, self.chance * values[self.to], len(self.reward)))
            # the ways of a spot lie side by side, so its best one is the last after sorting by worth
            order = np.lexsort((worth, self.spot_of))
            last = np.append(np.flatnonzero(np.diff(self.spot_of[order])), len(order) - 1)
            best = np.full(len(self.spots), -1)
            best[self.spot_of[order[last]]] = order[last]
            going = best >= 0
            better = going.copy()
            better[going] = worth[best[going]] > worth[choice[going]] + BETTER * np.maximum(
                1, np.abs(worth[best[going]])
            )
            if not better.any():
                return choice
            choice = np.where(better, best, choice)

    def first_choice(self, preferred: Callable[[Spot], MatchPlay] | None = None) -> Ints:
        """Return the first way of every spot, or at the free seat's spots the way of the preferred play."""
        choice = np.full(len(self.spots), -1)
        choice[self.spot_of[::-1]] = np.arange(len(self.spot_of))[::-1]
        if preferred is not None:
            for spot in np.flatnonzero(np.bincount(self.spot_of, minlength=len(self.spots)) > 1).tolist():
                plays = self.match.plays(self.spots[spot])
                choice[spot] += list(plays).index(preferred(self.spots[spot]))
        return choice

    def _step(self, choice: Ints) -> Any:
        from scipy import sparse

        chosen = choice[self.spot_of[self.way_of]] == self.way_of
        size = len(self.spots)
        places = (self.spot_of[self.way_of][chosen], self.to[chosen])
        return sparse.csr_array((self.chance[chosen], places), shape=(size, size))

    def _rewards(self, choice: Ints) -> Floats:
        return np.where(choice >= 0, self.reward[np.maximum(choice, 0)], 0.0)

    def _going(self, step: Any) -> NDArray[np.bool_]:
        going = np.ones(len(self.spots), dtype=bool)
        going[list(self.ended)] = False
        return going

    def _is_stuck(self, step: Any) -> NDArray[np.bool_]:
        """Return the spots from which the game never ends."""
        from scipy import sparse
        from scipy.sparse import csgraph

        # one more vertex, from which every ended spot is reached backwards
        size, ends, steps = len(self.spots), np.array(list(self.ended), np.int64), sparse.coo_array(step)
        places = (np.append(steps.col, np.full(len(ends), size)), np.append(steps.row, ends))
        back: Any = sparse.csr_array((np.ones(len(places[0])), places), shape=(size + 1, size + 1))
        reached = csgraph.breadth_first_order(back, size, return_predecessors=False)
        stuck = np.ones(size + 1, dtype=bool)
        stuck[reached] = False
        return stuck[:size]

    def _share(self) -> float:
        ended = next(iter(self.ended.values()), (1.0,))
        return sum(ended) / self.match.players


def write_out(
    match: Match, policies: Sequence[Policy | None], *, counted: int = 0, progress: Progress | None = None
) -> SpotGraph:
    """Return the graph of all spots that can be met; None stands for the free seat.

    `counted` says up to how many rolls of a turn the policies tell apart. `progress` is told of the spots met so far.
    """
    forget = forgetting(match, counted)
    start = forget(match.start())
    number, spots = {start: 0}, [start]
    ways: list[tuple[int, float, dict[int, float]]] = []
    ended: dict[int, tuple[float, ...]] = {}
    alone = match.players == 1
    for at, spot in enumerate(spots):
        check_wanted()
        if progress is not None and at % 4096 == 0:
            progress(at, len(spots))
        if match.is_over(spot):
            ended[at] = tuple(0.0 if alone else float(value) for value in match.returns(spot))
            continue
        before = float(match.returns(spot)[0]) if alone else 0.0
        for following in _ways(match, spot, policies):
            leads: dict[int, float] = {}
            reward = 0.0
            for after, chance in following:
                if alone:
                    reward += chance * (float(match.returns(after)[0]) - before)
                after = forget(after)
                if after not in number:
                    number[after] = len(spots)
                    spots.append(after)
                leads[number[after]] = leads.get(number[after], 0.0) + chance
            ways.append((at, reward, leads))
        if len(spots) > MOST_SPOTS:
            raise TooLargeError(
                f"this game has more than {MOST_SPOTS:,} spots, too many to write out; choose a smaller target or board, or "
                "estimate from games with random dice"
            )
    return SpotGraph(
        match,
        spots,
        np.array([at for at, _, _ in ways], np.int64),
        np.array([reward for _, reward, _ in ways]),
        np.repeat(np.arange(len(ways)), [len(leads) for _, _, leads in ways]),
        np.array([to for _, _, leads in ways for to in leads], np.int64),
        np.array([chance for _, _, leads in ways for chance in leads.values()]),
        ended,
    )


def forgetting(match: Match, counted: int = 0) -> Callable[[Spot], MatchPlay]:
    """Return what takes the counters off a spot that neither rules nor policies look at."""
    names = {part.name for part in fields(match.start())}
    zeroed = names & ({"rolls_made"} if getattr(match, "within", None) else {"rolls_made", "turn"})

    def forget(spot: Spot) -> Spot:
        changes = {name: 0 for name in zeroed if getattr(spot, name)}
        if "rolls" in names and spot.rolls > counted + 1:
            changes["rolls"] = counted + 1
        return replace(spot, **changes) if changes else spot

    return forget


def _ways(match: Match, spot: Spot, policies: Sequence[Policy | None]) -> list[list[tuple[Spot, float]]]:
    rolls: Mapping[MatchRoll, int] = match.rolls(spot)
    if rolls:
        total = sum(rolls.values())
        return [[(match.after_roll(spot, roll), weight / total) for roll, weight in rolls.items()]]
    policy = policies[match.seat(spot)]
    if policy is None:
        return [[(match.after_play(spot, play), 1.0)] for play in match.plays(spot)]
    return [[(match.after_play(spot, play), float(chance)) for play, chance in policy(spot).items() if chance]]
