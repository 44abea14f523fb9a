"""A tree over k: partitions one below the other, and who goes from which cluster to which."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..ensemble.reading_labels import as_array, cluster_names, unmasked
from ..runtime.errors import InvalidParameterError, shown

#: Sweeps down and up at most.
SWEEPS = 24


@dataclass(frozen=True)
class TreeNode:
    """A cluster of one row.

    Attributes
    ----------
    row : int
        From 0.
    cluster : int
        Its label in the partition of the row.
    size : int
        Objects.
    stability : float
        Mean of the values of its objects; nan where none were given.
    """

    row: int
    cluster: int
    size: int
    stability: float


@dataclass(frozen=True)
class Flow:
    """Objects that go from a cluster of one row to a cluster of the next.

    Attributes
    ----------
    row : int
        The row they come from.
    source, target : int
        Labels of the two clusters.
    objects : int
        How many go, at least 1.
    """

    row: int
    source: int
    target: int
    objects: int


@dataclass(frozen=True, eq=False)
class PartitionTree:
    """Partitions one below the other.

    Attributes
    ----------
    keys : tuple
        What each row is called, such as its k.
    nodes : tuple of TreeNode
        Row after row, by label.
    flows : tuple of Flow
        All of them, the thinnest too.
    order : tuple of tuple of int
        Labels of the clusters of every row from left to right.
    n_objects : int
    """

    keys: tuple
    nodes: tuple[TreeNode, ...]
    flows: tuple[Flow, ...]
    order: tuple[tuple[int, ...], ...]
    n_objects: int

    @cached_property
    def crossings(self) -> int:
        """Sum over pairs of flows that cross of the product of their objects."""
        places = [{label: place for place, label in enumerate(row)} for row in self.order]
        total = 0
        for row, (above, below) in enumerate(pairwise(places)):
            flows = [(above[one.source], below[one.target], one.objects) for one in self.flows if one.row == row]
            total += _crossings(np.array(flows, np.int64).reshape(-1, 3), np.arange(len(above)), np.arange(len(below)))
        return total


def partition_tree(partitions: Mapping[Any, ArrayLike], values: Mapping[Any, ArrayLike] | None = None) -> PartitionTree:
    """Clusters of every partition, and the objects that go from each to those of the next.

    Parameters
    ----------
    partitions : mapping of key to (N,) int
        In order, such as by k; labels from 0, -1 where an object is in no cluster: it takes part in no flow to or from
        this row.
    values : mapping of key to (N,) float, optional
        How firmly every object sits in its cluster; a node's stability is the mean over its objects.

    Returns
    -------
    PartitionTree
        In every row clusters stand so that few objects cross: barycentres of the neighbouring rows in sweeps down and
        up, then exchanges of neighbours, as long as crossings fall.

    Raises
    ------
    InvalidParameterError
        If there is no partition, they are not of the same objects, one has no cluster, or values are not one an object
        for each of them.

    Notes
    -----
    O(rows N) time, and O(f^2) a sweep for f flows between two rows. The least number of crossings is hard to find; a
    hierarchy is drawn without any.

    References
    ----------
    sugiyama1981layers; zappia2018clustree.

    Examples
    --------
    >>> tree = partition_tree({2: [0, 0, 0, 1], 3: [0, 0, 2, 1]})
    >>> [(f.source, f.target, f.objects) for f in tree.flows], tree.order, tree.crossings
    ([(0, 0, 2), (0, 2, 1), (1, 1, 1)], ((0, 1), (0, 2, 1)), 0)
    """
    if not isinstance(partitions, Mapping):
        raise InvalidParameterError(f"partitions must be a mapping of names to labels. Got {shown(partitions)}")
    rows = [np.asarray(unmasked(as_array(labels))) for labels in partitions.values()]
    if not rows or any(one.ndim != 1 or one.shape != rows[0].shape or not len(one) for one in rows):
        raise InvalidParameterError("a tree needs partitions of the same objects. Got others, or none")
    if any(one.dtype.kind not in "iu" for one in rows):
        raise InvalidParameterError("partitions must be integer labels, -1 for none. Got other values")
    rows = [cluster_names(one, "partitions") for one in rows]
    if any((one < -1).any() for one in rows):
        raise InvalidParameterError("partitions must be labels from 0 on, -1 for none. Got others below 0")
    if any((one < 0).all() for one in rows):
        raise InvalidParameterError("every partition must put some object into a cluster. Got one that puts none")
    if values is not None and any(key not in values or np.shape(values[key]) != rows[0].shape for key in partitions):
        raise InvalidParameterError("values must be one an object, for every partition of the tree. Got others")
    names, rows = map(list, zip(*map(_numbered, rows), strict=True))
    nodes = [node for place, key in enumerate(partitions) for node in _nodes(place, rows[place], values, key)]
    flows = [flow for place in range(len(rows) - 1) for flow in _flows(place, rows[place], rows[place + 1])]
    order = _ordered([np.arange(len(own)) for own in names], flows)
    return PartitionTree(
        tuple(partitions),
        tuple(replace(node, cluster=names[node.row][node.cluster]) for node in nodes),
        tuple(
            replace(flow, source=names[flow.row][flow.source], target=names[flow.row + 1][flow.target])
            for flow in flows
        ),
        tuple(tuple(own[c] for c in row) for own, row in zip(names, order, strict=True)),
        len(rows[0]),
    )


def _numbered(labels: NDArray[np.int32]) -> tuple[list[int], NDArray[np.int64]]:
    """The labels that occur, ascending, and every object's place among them, -1 for none: no label's value costs."""
    there, places = labels >= 0, np.full(len(labels), -1)
    names, places[there] = np.unique(labels[there], return_inverse=True)
    return names.tolist(), places


def _nodes(row: int, labels: NDArray, values: Mapping[Any, ArrayLike] | None, key: Any) -> list[TreeNode]:
    own = labels[labels >= 0]
    sizes = np.bincount(own)
    if values is None:
        means = np.full(len(sizes), np.nan)
    else:
        sums = np.bincount(own, weights=np.asarray(values[key], dtype=np.float64)[labels >= 0])
        means = np.divide(sums, sizes, out=np.full(len(sizes), np.nan), where=sizes > 0)
    return [TreeNode(row, int(c), int(sizes[c]), float(means[c])) for c in np.flatnonzero(sizes)]


def _flows(row: int, above: NDArray, below: NDArray) -> list[Flow]:
    seen = (above >= 0) & (below >= 0)
    n_below = int(below.max(initial=0)) + 1
    pairs, counts = np.unique(above[seen].astype(np.int64) * n_below + below[seen], return_counts=True)
    return [Flow(row, *divmod(int(pair), n_below), int(n)) for pair, n in zip(pairs, counts, strict=True)]


def _ordered(clusters: list[NDArray], flows: list[Flow]) -> tuple[tuple[int, ...], ...]:
    """Rows in the order of least crossings that sweeps find."""
    between = [
        np.array([(f.source, f.target, f.objects) for f in flows if f.row == row], np.int64).reshape(-1, 3)
        for row in range(len(clusters) - 1)
    ]
    start = [tuple(one.tolist()) for one in clusters]
    found: list[list[tuple[int, ...]]] = [_swept(start, between, down_first) for down_first in (True, False)]
    return tuple(found[int(np.argmin([_all_crossings(order, between) for order in found]))])


def _swept(order: list[tuple[int, ...]], between: list[NDArray], down_first: bool) -> list[tuple[int, ...]]:
    """Sweeps from one start, in both directions in turns, until crossings no longer fall."""
    best, least = order, _all_crossings(order, between)
    for _ in range(SWEEPS):
        for down in (down_first, not down_first):
            order = _down(order, between) if down else _up(order, between)
        order = _exchanged(order, between)
        found = _all_crossings(order, between)
        if found >= least:
            break
        best, least = order, found
    return best


def _down(order: list[tuple[int, ...]], between: list[NDArray]) -> list[tuple[int, ...]]:
    order = list(order)
    for row in range(1, len(order)):
        order[row] = _by_barycentre(order[row], _places(order[row - 1]), between[row - 1][:, [1, 0, 2]])
    return order


def _up(order: list[tuple[int, ...]], between: list[NDArray]) -> list[tuple[int, ...]]:
    order = list(order)
    for row in range(len(order) - 2, -1, -1):
        order[row] = _by_barycentre(order[row], _places(order[row + 1]), between[row])
    return order


def _by_barycentre(row: tuple[int, ...], places: NDArray, flows: NDArray) -> tuple[int, ...]:
    """A row sorted by the mean place of where its objects go, those that go nowhere left where they stand."""
    top = max(row) + 1
    mass = np.bincount(flows[:, 0], weights=flows[:, 2], minlength=top)
    summed = np.bincount(flows[:, 0], weights=flows[:, 2] * places[flows[:, 1]], minlength=top)
    own = np.asarray(row)
    middle = np.divide(summed[own], mass[own], out=np.arange(len(own), dtype=float), where=mass[own] > 0)
    return tuple(own[np.argsort(np.round(middle, 9), kind="stable")].tolist())


def _exchanged(order: list[tuple[int, ...]], between: list[NDArray]) -> list[tuple[int, ...]]:
    """Neighbours exchange their places where fewer objects cross then."""
    order = list(order)
    for row in range(len(order)):
        for place in range(len(order[row]) - 1):
            here = [one for one in (row - 1, row) if 0 <= one < len(between)]
            tried = list(order)
            one, other = order[row][place : place + 2]
            tried[row] = (*order[row][:place], other, one, *order[row][place + 2 :])
            if sum(_at(tried, between, r) for r in here) < sum(_at(order, between, r) for r in here):
                order = tried
    return order


def _at(order: list[tuple[int, ...]], between: list[NDArray], row: int) -> int:
    return _crossings(between[row], _places(order[row]), _places(order[row + 1]))


def _all_crossings(order: list[tuple[int, ...]], between: list[NDArray]) -> int:
    return sum(_at(order, between, row) for row in range(len(between)))


def _places(row: tuple[int, ...]) -> NDArray[np.int64]:
    """Place of every label of a row, -1 for labels that are not there."""
    places = np.full(max(row, default=-1) + 1, -1)
    places[list(row)] = np.arange(len(row))
    return places


def _crossings(flows: NDArray, above: NDArray, below: NDArray) -> int:
    """Objects times objects of the flows of one step that cross."""
    return int(_crossings_kernel(above[flows[:, 0]], below[flows[:, 1]], flows[:, 2].copy())) if len(flows) else 0


@njit(cache=True, nogil=True)
def _crossings_kernel(start, end, objects):
    total = 0
    for i in range(len(start)):
        for j in range(i + 1, len(start)):
            if (start[i] - start[j]) * (end[i] - end[j]) < 0:
                total += objects[i] * objects[j]
    return total
