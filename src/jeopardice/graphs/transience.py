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
from scipy.sparse import csgraph

from jeopardice.errors import RulesError
from jeopardice.graphs.stochastic import Ints, StochasticGame


def position_graph(game: StochasticGame) -> sparse.csr_array:
    """Return the graph of positions: an edge wherever some pair of plays has a chance to lead there."""
    entries = game.moves.tocoo()
    real = entries.data > 0
    n = len(game.positions)
    edges = (np.ones(int(real.sum()), dtype=np.int8), (game.owner[entries.coords[0][real]], entries.coords[1][real]))
    graph = sparse.csr_array(edges, shape=(n, n))
    graph.sum_duplicates()
    return graph


def components(graph: sparse.csr_array) -> Ints:
    """Return the strongly connected component of each position."""
    return np.asarray(csgraph.connected_components(graph, directed=True, connection="strong")[1], dtype=np.int64)


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


def levels(graph: sparse.csr_array, component: Ints) -> list[Ints]:
    """Return the positions in layers: each leads only into its own component or to layers before it."""
    count = int(component.max()) + 1
    edges = graph.tocoo()
    source, target = component[edges.coords[0]], component[edges.coords[1]]
    across = source != target
    back = sparse.csr_array(
        (np.ones(int(across.sum()), dtype=np.int64), (target[across], source[across])), shape=(count, count)
    )
    back.sum_duplicates()  # back[c] lists the components that lead to c
    back.data[:] = 1
    waiting = np.asarray(back.sum(axis=0)).ravel()
    level = np.zeros(count, dtype=np.int64)
    frontier = np.flatnonzero(waiting == 0)
    depth = 0
    while len(frontier):
        level[frontier] = depth
        before = back[frontier].indices
        np.subtract.at(waiting, before, 1)
        frontier = np.unique(before)
        frontier = frontier[waiting[frontier] == 0]
        depth += 1
    order = np.argsort(level[component], kind="stable")
    return np.split(order, np.flatnonzero(np.diff(level[component][order])) + 1)
