"""The plays of all rolls as nodes, so that a walk compares plays that several rolls offer only once.

The best play of a roll is the best of a set of plays, and rolls share large parts of their sets. A node is a set made of
two others: its best play is the better one of theirs. Which two plays or nodes are joined is chosen greedily: the pair that
stands together in most sets becomes a node and takes the pair's place in all of them, until no pair stands in two sets.
Six-dice Farkle has 846 plays and 339 nodes; six different loaded dice have 90,510 plays and 24,581 nodes.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import accumulate, combinations

MOST_PAIRS = 4_000_000
"""With more pairs of plays to count than this, only equal sets are shared."""

Choice = tuple[int, int]
Place = tuple[int, int]
"""A node: a mode, and its number among the nodes of that mode."""
EMPTY: Place = (-1, 0)


def sets_of_plays(groups: Sequence[Mapping[tuple[Choice, ...], int]]) -> dict[str, list[int]]:
    """Return the nodes of all groups as the kernels read them (see `Table` in table.hpp).

    A node is made where a walk, which begins with the last mode, first needs it. Choices are plays as (points, mode).
    """
    plays = list(dict.fromkeys(play for of_mode in groups for choices in of_mode for play in choices))
    number = {play: element for element, play in enumerate(plays)}
    sets = [[frozenset(number[play] for play in choices) for choices in of_mode] for of_mode in groups]
    pairs, parts = shared_pairs(dict.fromkeys(elements for of_mode in sets for elements in of_mode), len(plays))
    offset = [points * (len(groups) + 1) + to for points, to in plays]
    nodes: list[list[tuple[Place, Place | int]]] = [[] for _ in groups]
    made: dict[int, Place] = {}

    def add(mode: int, base: Place, more: Place | int) -> Place:
        nodes[mode].append((base, more))
        return mode, len(nodes[mode]) - 1

    def join(mode: int, elements: Iterable[int]) -> Place:
        first, *others = sorted(elements, reverse=True)  # nodes come before plays
        if first not in made:
            made[first] = add(mode, EMPTY, offset[first])
        at = made[first]
        for element in others:
            at = add(mode, at, offset[element] if element < len(plays) else made[element])
        return at

    def join_after_pairs(mode: int, elements: Iterable[int]) -> Place:
        for element in sorted(_pairs_within(elements, pairs, made)):
            made[element] = join(mode, pairs[element])
        return join(mode, elements)

    at_set: dict[frozenset[int], Place] = {}
    for mode in reversed(range(len(groups))):
        for elements in sets[mode]:
            if elements not in at_set:
                at_set[elements] = join_after_pairs(mode, parts[elements])
    first = [1, *accumulate(map(len, nodes), initial=1)][1:]
    at = {(mode, k): first[mode] + k for mode, of_mode in enumerate(nodes) for k in range(len(of_mode))} | {EMPTY: 0}
    return {
        "first_node": first,
        "base": [0, *(at[base] for of_mode in nodes for base, _ in of_mode)],
        "more": [0, *(more if isinstance(more, int) else ~at[more] for of_mode in nodes for _, more in of_mode)],
        "group_node": [at[at_set[elements]] for of_mode in sets for elements in of_mode],
    }


def shared_pairs(
    sets: Iterable[frozenset[int]], plays: int
) -> tuple[dict[int, tuple[int, int]], dict[frozenset[int], set[int]]]:
    """Return the pairs that several sets share, numbered from `plays` on, and what each set is made of.

    >>> shared_pairs([frozenset({0, 1}), frozenset({0, 1, 2})], 3)
    ({3: (0, 1)}, {frozenset({0, 1}): {3}, frozenset({0, 1, 2}): {2, 3}})
    """
    parts = {elements: set(elements) for elements in sets}
    pairs: dict[int, tuple[int, int]] = {}
    if sum(len(elements) * (len(elements) - 1) for elements in parts) > 2 * MOST_PAIRS:
        return pairs, parts
    within: dict[int, set[frozenset[int]]] = {}
    for elements in parts:
        for element in elements:
            within.setdefault(element, set()).add(elements)
    together = Counter(pair for elements in parts for pair in combinations(sorted(elements), 2))
    waiting = [(-count, pair) for pair, count in together.items() if count > 1]
    heapify(waiting)
    while waiting:
        count, pair = heappop(waiting)
        shared = within[pair[0]] & within[pair[1]]
        if len(shared) < -count:  # other pairs have taken some of them meanwhile
            if len(shared) > 1:
                heappush(waiting, (-len(shared), pair))
            continue
        node = plays + len(pairs)
        pairs[node] = pair
        beside: Counter[int] = Counter()
        for elements in shared:
            parts[elements] -= set(pair)
            beside.update(parts[elements])
            parts[elements].add(node)
        for element in pair:
            within[element] -= shared
        within[node] = shared
        for element, times in beside.items():
            if times > 1:
                heappush(waiting, (-times, (element, node)))
    return pairs, parts


def _pairs_within(elements: Iterable[int], pairs: Mapping[int, tuple[int, int]], made: Mapping[int, Place]) -> set[int]:
    """Return the pairs that a set is made of, at any depth, without those that are nodes already."""
    missing: set[int] = set()
    waiting = list(elements)
    while waiting:
        element = waiting.pop()
        if element in pairs and element not in made and element not in missing:
            missing.add(element)
            waiting += pairs[element]
    return missing
