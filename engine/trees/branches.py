"""Reading a tree: the branch below a node as a tree of its own, the order of its leaves, and where two of them meet."""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..params import Int, require
from ..runtime.errors import InvalidParameterError
from .dendrograms import Dendrogram, as_merges


@dataclass(frozen=True, eq=False)
class Branch:
    """A part of a tree that is a tree itself.

    Attributes
    ----------
    tree : Dendrogram
        Over the m leaves below the node, in the order they have in the whole tree.
    nodes : (2m - 1,) int64
        What its nodes are called in the whole tree, leaves first; ascending.
    """

    tree: Dendrogram
    nodes: NDArray[np.int64]


def branch(tree: Dendrogram, node: int) -> Branch:
    """What hangs below a node (a leaf or a merge, n + t), as a tree of its own.

    Parameters
    ----------
    tree : Dendrogram
        Of n leaves.
    node : int
        In 0..2n - 2.

    Returns
    -------
    Branch

    Raises
    ------
    InvalidParameterError

    Examples
    --------
    >>> tree = Dendrogram(np.array([[1, 3], [0, 2], [4, 5]]), np.array([0.9, 0.5, 0.1]), np.ones(4, int))
    >>> found = branch(tree, 5)
    >>> found.tree.merges.tolist(), found.tree.similarities.tolist(), found.nodes.tolist()
    ([[0, 1]], [0.5], [0, 2, 5])
    """
    nodes, n = np.flatnonzero(_below(tree, node)), tree.n_leaves
    place = np.full(2 * n - 1, -1, tree.merges.dtype)
    place[nodes] = np.arange(len(nodes))
    merges = nodes[nodes >= n] - n
    part = Dendrogram(place[tree.merges[merges]], tree.similarities[merges], tree.sizes[nodes[nodes < n]])
    return Branch(part, nodes)


def leaves_below(tree: Dendrogram, node: int) -> NDArray[np.int64]:
    """Leaves under a node (a leaf or a merge, n + t), ascending: (m,).

    Parameters
    ----------
    tree : Dendrogram
        Of n leaves.
    node : int
        In 0..2n - 2.

    Returns
    -------
    (m,) int64
        The leaf itself where the node is one.

    Raises
    ------
    InvalidParameterError
    """
    return np.flatnonzero(_below(tree, node)[: tree.n_leaves])


def totals_below(merges: ArrayLike, values: ArrayLike) -> NDArray:
    """What the leaves below every node come to: (2n - 1,), leaves first.

    Parameters
    ----------
    merges : (n - 1, 2) int
    values : (n,) number
        Of the leaves.

    Returns
    -------
    (2n - 1,) number

    Raises
    ------
    InvalidParameterError
        If the merges are no tree, or the values not one a leaf.

    Examples
    --------
    >>> totals_below([[0, 1], [2, 3]], [5, 1, 2]).tolist()
    [5, 1, 2, 6, 8]
    """
    joined, own = as_merges(merges), np.asarray(values)
    if own.shape != (len(joined) + 1,):
        raise InvalidParameterError(f"values must be one a leaf, ({len(joined) + 1:,},). Got shape {own.shape}")
    found = np.concatenate([own, np.zeros(len(joined), own.dtype)])
    _totals_kernel(joined, found)
    return found


def first_leaves(merges: ArrayLike) -> NDArray[np.int64]:
    """A leaf below every node, found by going down the first children: (2n - 1,), leaves first.

    Parameters
    ----------
    merges : (n - 1, 2) int

    Returns
    -------
    (2n - 1,) int64

    Raises
    ------
    InvalidParameterError
        If the merges are no tree.

    Examples
    --------
    >>> first_leaves([[0, 1], [2, 3]]).tolist()
    [0, 1, 2, 0, 2]
    """
    joined = as_merges(merges)
    found = np.arange(2 * len(joined) + 1)
    _first_kernel(joined, found)
    return found


def roots_above(merges: ArrayLike, roots: ArrayLike) -> NDArray[np.int64]:
    """The place in `roots` of the one above every leaf: (n,); -1 where none is.

    Parameters
    ----------
    merges : (n - 1, 2) int
    roots : (r,) int
        Nodes none of which is below another.

    Returns
    -------
    (n,) int64

    Examples
    --------
    >>> roots_above([[0, 1], [2, 3]], [2, 3]).tolist()
    [1, 1, 0]
    """
    joined = np.asarray(merges, np.int64)
    found = np.full(2 * len(joined) + 1, -1)
    found[np.asarray(roots)] = np.arange(len(np.asarray(roots)))
    spread_kernel(joined, found)
    return found[: len(joined) + 1]


def _below(tree: Dendrogram, node: int) -> NDArray[np.bool_]:
    """Which nodes hang below a node, itself included: (2n - 1,)."""
    n = tree.n_leaves
    node = require("node", Int(low=0, high=2 * n - 2), node)
    found = np.full(2 * n - 1, -1)
    found[node] = 0
    spread_kernel(np.asarray(tree.merges, np.int64), found)
    return found == 0


@njit(cache=True, nogil=True)
def _totals_kernel(merges, values):
    n = len(merges) + 1
    for t in range(len(merges)):
        values[n + t] = values[merges[t, 0]] + values[merges[t, 1]]


@njit(cache=True, nogil=True)
def _first_kernel(merges, leaf):
    n = len(merges) + 1
    for t in range(len(merges)):
        leaf[n + t] = leaf[merges[t, 0]]


@njit(cache=True, nogil=True)
def spread_kernel(merges, value):
    """Hand the value of every node that has one down to what hangs below it."""
    n = len(merges) + 1
    for t in range(len(merges) - 1, -1, -1):
        if value[n + t] >= 0:
            value[merges[t, 0]] = value[n + t]
            value[merges[t, 1]] = value[n + t]


@dataclass(frozen=True, eq=False)
class Meeting:
    """The merge that first puts two leaves together.

    Attributes
    ----------
    merge : int
        Its place in the tree: `merge` merges come before it, and the leaves are together in cuts of up to
        n - merge - 1 clusters.
    similarity : float
    sides : (ndarray, ndarray)
        Leaves of the two clusters it joins: the first leaf's, and the second leaf's.
    """

    merge: int
    similarity: float
    sides: tuple[NDArray[np.int64], NDArray[np.int64]]


def leaf_order(tree: Dendrogram) -> NDArray[np.int64]:
    """Leaves from left to right, so that no branches cross: (n,).

    The child with the lower node id stands to the left.

    Parameters
    ----------
    tree : Dendrogram
        Of n leaves.

    Returns
    -------
    (n,) int64
        A permutation of 0..n - 1.

    Examples
    --------
    >>> tree = Dendrogram(np.array([[1, 3], [0, 2], [4, 5]]), np.array([0.9, 0.5, 0.1]), np.ones(4, int))
    >>> leaf_order(tree).tolist()
    [1, 3, 0, 2]
    """
    order = np.empty(tree.n_leaves, np.int64)
    _order_kernel(tree.merges, order, np.empty(2 * tree.n_leaves, np.int64))
    return order


def node_spans(
    merges: NDArray, leaf_start: NDArray, leaf_end: NDArray
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Where every node of a tree stands beside its objects in the order shown.

    Parameters
    ----------
    merges : (n - 1, 2) int
    leaf_start, leaf_end : (n,) float
        First and past-the-last place of each leaf.

    Returns
    -------
    start, end, center : (2n - 1,) float64
        First and past-the-last place of each node, leaves first; the center is midway between those of its children.

    Raises
    ------
    InvalidParameterError
        If the merges are no tree, or the places not one a leaf.

    Examples
    --------
    >>> start, end, center = node_spans(np.array([[0, 1], [2, 3]]), np.array([0, 1, 2]), np.array([1, 2, 6]))
    >>> start.tolist(), end.tolist(), center.tolist()
    ([0.0, 1.0, 2.0, 0.0, 0.0], [1.0, 2.0, 6.0, 2.0, 6.0], [0.5, 1.5, 4.0, 1.0, 2.5])
    """
    joined, n = as_merges(merges), len(leaf_start)
    if not n == len(leaf_end) == len(joined) + 1:
        raise InvalidParameterError(f"leaves must have {len(joined) + 1:,} places. Got {n:,} and {len(leaf_end):,}")
    start, end, center = np.empty(2 * n - 1), np.empty(2 * n - 1), np.empty(2 * n - 1)
    start[:n], end[:n] = leaf_start, leaf_end
    center[:n] = (start[:n] + end[:n]) / 2
    _spans_kernel(joined, start, end, center)
    return start, end, center


def meeting(tree: Dendrogram, a: int, b: int) -> Meeting:
    """Where two different leaves meet.

    Parameters
    ----------
    tree : Dendrogram
        Of n leaves.
    a, b : int
        Leaves, 0..n - 1.

    Returns
    -------
    Meeting
        The merge, its similarity, and the leaves on either side.

    Raises
    ------
    InvalidParameterError
        If a and b are not two different leaves.

    Examples
    --------
    >>> tree = Dendrogram(np.array([[1, 3], [0, 2], [4, 5]]), np.array([0.9, 0.5, 0.1]), np.ones(4, int))
    >>> found = meeting(tree, 3, 0)
    >>> found.merge, found.similarity, found.sides[0].tolist(), found.sides[1].tolist()
    (2, 0.1, [1, 3], [0, 2])
    """
    n = tree.n_leaves
    a, b = (require(name, Int(low=0, high=n - 1), leaf) for name, leaf in (("a", a), ("b", b)))
    if a == b:
        raise InvalidParameterError(f"a and b must be two different leaves. Got {a} twice")
    parent = np.full(2 * n - 1, -1)
    parent[tree.merges] = np.arange(n, 2 * n - 1)[:, None]
    path = [a]
    while parent[path[-1]] >= 0:
        path.append(int(parent[path[-1]]))
    last, node = b, int(parent[b])
    while node not in path:
        last, node = node, int(parent[node])
    sides = leaves_below(tree, path[path.index(node) - 1]), leaves_below(tree, last)
    return Meeting(node - n, float(tree.similarities[node - n]), sides)


@njit(cache=True, nogil=True)
def _order_kernel(merges, order, stack):
    """Walk the tree depth first, left child first."""
    n = len(order)
    stack[0], height, placed = 2 * n - 2, 1, 0
    while height > 0:
        height -= 1
        node = stack[height]
        if node < n:
            order[placed] = node
            placed += 1
        else:
            stack[height] = merges[node - n, 1]
            stack[height + 1] = merges[node - n, 0]
            height += 2


@njit(cache=True, nogil=True)
def _spans_kernel(merges, start, end, center):
    n = len(merges) + 1
    for t in range(len(merges)):
        a, b = merges[t]
        start[n + t], end[n + t] = min(start[a], start[b]), max(end[a], end[b])
        center[n + t] = (center[a] + center[b]) / 2
