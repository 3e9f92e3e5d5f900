"""The order of work on a graph of positions: its strongly connected components, those that need no other one first.

Positions that can come back to each other form a component and must be settled together; a component is settled once all
that it leads to are. A graph is written as rows laid end to end: the edges of vertex v lead to `to[first[v] : first[v+1]]`.
"""

import numpy as np

from jeopardice.types import Ints


def strong_components(first: Ints, to: Ints) -> Ints:
    """Return the number of the strongly connected component of each vertex.

    >>> component = strong_components(np.array([0, 1, 2, 3]), np.array([1, 0, 0]))
    >>> bool(component[0] == component[1] != component[2])
    True
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    size = len(first) - 1
    graph = csr_array((np.ones(len(to), np.int8), to, first), shape=(size, size))
    return np.asarray(connected_components(graph, directed=True, connection="strong")[1], np.int64)


def component_depths(component: Ints, first: Ints, to: Ints) -> Ints:
    """Return for each component the longest path of components below it; 0 for one that leads to no other.

    >>> component_depths(np.array([1, 1, 0]), np.array([0, 1, 2, 3]), np.array([1, 0, 0])).tolist()
    [1, 0]
    """
    count = int(component.max(initial=-1)) + 1
    source = component[np.repeat(np.arange(len(first) - 1), np.diff(first))]
    target = component[to]
    links = np.unique(np.stack([source, target], 1)[source != target], axis=0)
    unsettled = np.bincount(links[:, 0], minlength=count)
    links = links[np.argsort(links[:, 1], kind="stable")]
    first_into = np.concatenate([[0], np.cumsum(np.bincount(links[:, 1], minlength=count))])
    depths = np.zeros(count, np.int64)
    ready = np.flatnonzero(unsettled == 0)
    depth = 0
    while len(ready):
        depths[ready] = depth
        parents = links[edges_of(first_into, ready)[0], 0]
        np.subtract.at(unsettled, parents, 1)
        ready = np.unique(parents[unsettled[parents] == 0])
        depth += 1
    return depths


def edges_of(first: Ints, vertices: Ints) -> tuple[Ints, Ints]:
    """Return the edges of `vertices` end to end, and where each vertex's begin."""
    counts = first[vertices + 1] - first[vertices]
    starts = np.concatenate([[0], np.cumsum(counts)])
    edges = np.arange(starts[-1]) + np.repeat(first[vertices] - starts[:-1], counts)
    return edges, starts[:-1]
