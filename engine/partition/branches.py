"""Branches of a tree: what hangs below a node, as a tree of its own."""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..runtime.errors import InvalidParameterError
from .dendrograms import Dendrogram


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

    Examples
    --------
    >>> totals_below([[0, 1], [2, 3]], [5, 1, 2]).tolist()
    [5, 1, 2, 6, 8]
    """
    joined, own = np.asarray(merges, np.int64), np.asarray(values)
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

    Examples
    --------
    >>> first_leaves([[0, 1], [2, 3]]).tolist()
    [0, 1, 2, 0, 2]
    """
    joined = np.asarray(merges, np.int64)
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
    _spread_kernel(joined, found)
    return found[: len(joined) + 1]


def _below(tree: Dendrogram, node: int) -> NDArray[np.bool_]:
    """Which nodes hang below a node, itself included: (2n - 1,)."""
    n = tree.n_leaves
    if not 0 <= node < 2 * n - 1:
        raise InvalidParameterError(f"node must be in 0..{2 * n - 2:,}. Got {node}")
    found = np.full(2 * n - 1, -1)
    found[node] = 0
    _spread_kernel(np.asarray(tree.merges, np.int64), found)
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
def _spread_kernel(merges, value):
    """Hand the value of every node that has one down to what hangs below it."""
    n = len(merges) + 1
    for t in range(len(merges) - 1, -1, -1):
        if value[n + t] >= 0:
            value[merges[t, 0]] = value[n + t]
            value[merges[t, 1]] = value[n + t]
