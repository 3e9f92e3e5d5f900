"""Does the game end whatever the players do? And in which order can its parts be solved?

Condition (3) of a transient game asks that *every* pair of strategies reaches the end. With finitely many positions
that fails exactly if the two players together can stay for ever in some set of positions: a **trap set**, where each
position has a pair of plays that surely leads back into the set. The largest one is found by striking out, again and
again, positions without such a pair. Play that stays for ever ends up inside one strongly connected component, so
only pairs that cannot leave their component matter, and the search is cheap.

Components are also the order of the work: sorted into levels (0: leads to nothing unsolved), each level needs only
the ones before it. A component that is one position without a loop costs a single look; so an acyclic game costs one
pass.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from jeopardice.engine.order import component_depths
from jeopardice.errors import RulesError
from jeopardice.graphs.stochastic import StochasticGame
from jeopardice.types import Ints


def position_graph(game: StochasticGame) -> sparse.csr_array:
    """Return the graph of positions: an edge wherever some pair of plays has a chance to lead there."""
    entries = game.moves.tocoo()
    real = entries.data > 0
    n = len(game.positions)
    edges = (np.ones(int(real.sum()), dtype=np.int8), (game.owner[entries.coords[0][real]], entries.coords[1][real]))
    graph = sparse.csr_array(edges, shape=(n, n))
    graph.sum_duplicates()
    return graph


def trap_set(game: StochasticGame, component: Ints) -> NDArray[np.int64]:
    """Return the positions of the largest trap set (within components), empty if the game is transient.

    Only pairs that surely stay inside the position's component can help to stay for ever.
    """
    entries = game.moves.tocoo()
    real = entries.data > 0
    pair, towards = entries.coords[0][real], entries.coords[1][real]
    owner = game.owner
    stays = game.end_chance <= 0
    stays[pair[component[owner[pair]] != component[towards]]] = False
    caught = np.zeros(len(game.positions), dtype=bool)
    caught[owner[stays]] = True
    inner = stays[pair]
    pair, towards = pair[inner], towards[inner]
    while True:
        leaks = ~caught[towards]
        stays[pair[leaks]] = False
        pair, towards = pair[~leaks], towards[~leaks]
        still = np.zeros_like(caught)
        still[owner[stays]] = True
        if (still == caught).all():
            return np.flatnonzero(caught)
        caught = still


def check_transient(game: StochasticGame, component: Ints) -> None:
    """Refuse a game that two players can keep going for ever, and name where."""
    trapped = trap_set(game, component)
    if len(trapped):
        one = trapped[component[trapped] == component[trapped[0]]]
        shown = ", ".join(repr(game.positions[i]) for i in one[:6]) + (", …" if len(one) > 6 else "")
        raise RulesError(
            f"a transient game must end whatever the players do, but they can stay for ever in {{{shown}}}: "
            "take away a play there, or let the game end with a payment"
        )


def levels(component: Ints, first: Ints, to: Ints) -> list[Ints]:
    """Return the positions in layers: each leads only into its own component or to layers before it."""
    level = component_depths(component, first, to)
    order = np.argsort(level[component], kind="stable")
    return np.split(order, np.flatnonzero(np.diff(level[component][order])) + 1)
