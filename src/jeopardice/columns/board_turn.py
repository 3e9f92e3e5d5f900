"""One turn of Can't Stop written out: its moments, and for each the choices that the rolls offer.

The choices at a moment depend on little: how many spaces are left in each column as far as one roll can climb, and where
the markers stand. So they are worked out from the rules once for each such pattern, rolls that offer the same choices
merged, and every turn of every board is put together from them. What follows a moment stands before it, so one walk
through the list evaluates the turn.
"""

from dataclasses import dataclass, field

from jeopardice.games.cant_stop import CantStop, Markers, Standing

Climb = tuple[tuple[int, int], ...]
"""A play as what it gains: (column, spaces) in order of the columns."""
Offers = tuple[tuple[int, tuple[Climb, ...]], ...]
"""The choices at a moment: the weight of the rolls that offer them, and the plays."""


@dataclass(frozen=True, eq=False)
class BoardTurn:
    """The moments of a turn from `standing`; `groups[moment]` has (weight, moments to choose from), the opening is last.

    What the weights lack to the weight of all rolls is a bust. A moment that wins the game has no groups.
    """

    standing: Standing
    markers: tuple[Markers, ...]
    groups: tuple[tuple[tuple[int, tuple[int, ...]], ...], ...]
    is_won: tuple[bool, ...]


@dataclass(frozen=True, eq=False)
class TurnWriter:
    """Writes out turns of a game; `closed` columns are out of play for another reason than being completed."""

    game: CantStop
    _known: dict[object, Offers] = field(default_factory=dict, repr=False)

    def offers(self, standing: Standing, markers: Markers, closed: frozenset[int] = frozenset()) -> Offers:
        """Return what the rolls at a moment offer."""
        game, placed = self.game, dict(markers)
        may_place = len(placed) < game.markers
        most = game.dice // 2
        pattern = tuple(
            (
                min(most, game.lengths[column - 2] - placed.get(column, standing[column - 2]))
                if column not in closed and (may_place or column in placed)
                else 0,
                column in placed,
            )
            for column in game.columns
        )
        if pattern not in self._known:
            self._known[pattern] = self._offered(standing, markers, closed)
        return self._known[pattern]

    def _offered(self, standing: Standing, markers: Markers, closed: frozenset[int]) -> Offers:
        before = dict(zip(self.game.columns, standing, strict=True)) | dict(markers)
        weights: dict[tuple[Climb, ...], int] = {}
        for roll, weight in self.game.rolls().items():
            plays = self.game.plays(standing, markers, roll, closed)
            gains = {tuple((c, space - before[c]) for c, space in after if space > before[c]) for after in plays}
            choice = tuple(sorted(gains))
            weights[choice] = weights.get(choice, 0) + weight
        weights.pop((), None)
        return tuple((weight, choice) for choice, weight in weights.items())

    def after(self, standing: Standing, markers: Markers, climb: Climb) -> Markers:
        """Return the markers after a play."""
        placed = dict(markers)
        for column, spaces in climb:
            placed[column] = placed.get(column, standing[column - 2]) + spaces
        return tuple(sorted(placed.items()))

    def turn(self, standing: Standing, closed: frozenset[int] = frozenset()) -> BoardTurn:
        """Write out every moment of a turn."""
        index: dict[Markers, int] = {}
        found: list[Markers] = []
        groups: list[tuple[tuple[int, tuple[int, ...]], ...]] = []
        wins: list[bool] = []

        def visit(markers: Markers) -> int:
            if markers not in index:
                won = self.game.is_won(standing, markers)
                offers = () if won else self.offers(standing, markers, closed)
                made = tuple(
                    (weight, tuple(visit(self.after(standing, markers, climb)) for climb in choice))
                    for weight, choice in offers
                )
                index[markers] = len(found)
                found.append(markers)
                groups.append(made)
                wins.append(won)
            return index[markers]

        visit(())
        return BoardTurn(standing, tuple(found), tuple(groups), tuple(wins))
