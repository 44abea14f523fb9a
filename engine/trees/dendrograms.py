"""Trees of merges, cutting them into exactly k clusters, and their forms in other programs: Newick, scipy's linkage."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..params import Int, require
from ..runtime.errors import InvalidParameterError, shown


@dataclass(frozen=True, eq=False)
class Dendrogram:
    """A merge tree over n leaves, most similar merge first.

    Attributes
    ----------
    merges : (n - 1, 2) int32
        Nodes joined by each merge: leaves are 0..n-1, merge t creates node n + t.
    similarities : (n - 1,) float64
        Similarity at which each merge happens; never increasing.
    sizes : (n,) int64
        Objects each leaf stands for.
    """

    merges: NDArray[np.int32]
    similarities: NDArray[np.float64]
    sizes: NDArray[np.int64]

    def __post_init__(self) -> None:
        n = len(as_merges(self.merges)) + 1
        if np.shape(self.sizes) != (n,) or np.shape(self.similarities) != (n - 1,):
            raise InvalidParameterError(
                f"a tree of {n:,} leaves has {n - 1:,} similarities and {n:,} sizes. "
                f"Got shapes {np.shape(self.similarities)} and {np.shape(self.sizes)}"
            )

    @property
    def n_leaves(self) -> int:
        """N."""
        return len(self.sizes)

    @property
    def n_tied_merges(self) -> int:
        """Merges at exactly the similarity of another merge: a rule, not the data, decides which of them comes first.

        With average and complete link it may also decide what they join. A tie that ends as the first of its merges
        lowers the similarity of the others is not counted.
        """
        tied = np.diff(self.similarities) == 0
        return int((np.append(tied, False) | np.append(False, tied)).sum())


def as_merges(merges: ArrayLike) -> NDArray[np.int64]:
    """Merges (n - 1, 2) whose nodes are there when they are joined, and joined once; others are refused."""
    joined = np.asarray(merges)
    if joined.size == 0:
        joined = joined.astype(np.int64).reshape(-1, 2)
    if joined.ndim != 2 or joined.shape[1] != 2 or joined.dtype.kind not in "iu":
        raise InvalidParameterError(f"merges must be whole numbers, (n - 1, 2). Got {joined.dtype} {joined.shape}")
    joined, n = joined.astype(np.int64), len(joined) + 1
    there = (joined >= 0).all() and (joined < np.arange(n, 2 * n - 1)[:, None]).all()
    if not there or (np.bincount(joined.ravel(), minlength=1) > 1).any():
        raise InvalidParameterError(f"merges must join leaves 0..{n - 1} and nodes made before, each once. Got others")
    return joined


def cut(tree: Dendrogram, n_clusters: int) -> NDArray[np.int32]:
    """Labels of the leaves after the n - k most similar merges.

    Parameters
    ----------
    tree : Dendrogram
        Over n leaves.
    n_clusters : int
        k in 1..n.

    Returns
    -------
    (n,) int32
        0..k-1 by first appearance: exactly k clusters, also where heights tie. Of tied merges, those that
        stand first in the tree are applied (see `linkage`).

    Raises
    ------
    InvalidParameterError
        If k is not in 1..n.

    Examples
    --------
    >>> tree = Dendrogram(np.array([[0, 1], [2, 3], [4, 5]], np.int32), np.array([0.5] * 3), np.ones(4, np.int64))
    >>> cut(tree, 3).tolist()
    [0, 0, 1, 2]
    """
    n = tree.n_leaves
    n_clusters = require("n_clusters", Int(low=1, high=n), n_clusters)
    labels = np.empty(n, np.int32)
    _cut_kernel(tree.merges, n - n_clusters, np.arange(2 * n - 1), labels)
    return labels


def cut_all(tree: Dendrogram, n_clusters: Iterable[int]) -> NDArray[np.int32]:
    """Cuts of one tree into several numbers of clusters: (n, len(n_clusters)).

    Parameters
    ----------
    tree : Dendrogram
        Of n leaves.
    n_clusters : iterable of int
        Each in 1..n.

    Returns
    -------
    (n, len(n_clusters)) int32
        Each column what `cut` gives.

    Raises
    ------
    InvalidParameterError
        If a number of clusters is not in 1..n.
    """
    columns = [cut(tree, k) for k in n_clusters]
    return np.stack(columns, axis=1) if columns else np.empty((tree.n_leaves, 0), np.int32)


#: What a sum is rounded by, as a share of the largest number in it.
_ROUNDING = 1e-12


def tied_at_cut(tree: Dendrogram, n_clusters: int, tolerance: float = 1e-6) -> bool:
    """Whether the last merge applied and the first one left out have the same similarity.

    Then other partitions into k clusters are as good, and a rule rather than the data chose this one.

    Parameters
    ----------
    tree : Dendrogram
        Of n leaves.
    n_clusters : int
        k, in 1..n.
    tolerance : float
        Similarities that differ by no more than this share of the larger one, or by what sums of the largest in the
        tree are rounded by, are the same.

    Returns
    -------
    bool
        False where k is 1 or n: there is nothing to choose.

    Raises
    ------
    InvalidParameterError
        If k is not in 1..n.
    """
    last = tree.n_leaves - require("n_clusters", Int(low=1, high=tree.n_leaves), n_clusters)
    if not 0 < last < tree.n_leaves - 1:
        return False
    above, below = tree.similarities[last - 1 : last + 1]
    rounded = _ROUNDING * np.abs(tree.similarities).max()
    return bool(above - below <= max(tolerance * max(abs(above), abs(below)), rounded))


@njit(cache=True, nogil=True)
def _cut_kernel(merges, n_applied, root, labels):
    """Hand the roots of the applied merges down to the leaves, and number them by first appearance."""
    n = len(labels)
    for t in range(n_applied - 1, -1, -1):
        root[merges[t, 0]] = root[n + t]
        root[merges[t, 1]] = root[n + t]
    number = np.full(len(root), -1, np.int32)
    following = 0
    for i in range(n):
        if number[root[i]] < 0:
            number[root[i]] = following
            following += 1
        labels[i] = number[root[i]]


#: A name that needs no quotes in Newick.
_PLAIN = re.compile(r"[^\s()\[\]{}/\\,;:='\"]+")


def linkage_matrix(tree: Dendrogram, assignment: NDArray[np.integer] | None = None) -> NDArray[np.float64]:
    """A tree as scipy has it, most similar merge first.

    The distance of a merge is d = s_0 - s, with s its similarity and s_0 = max(1, the largest similarity).

    Parameters
    ----------
    tree : Dendrogram
    assignment : (N,) int array, optional
        Leaf of every object (`Microclusters.assignment`): the tree is then one of the objects, and objects of one leaf
        are joined first, at distance 0. Without it the leaves are what is joined, each counting once.

    Returns
    -------
    (N - 1, 4) float64 array
        Both nodes, the lower first, their distance, and how many objects are below; `scipy.cluster.hierarchy` takes it.

    Raises
    ------
    InvalidParameterError
        If `assignment` does not give every leaf an object.

    Examples
    --------
    >>> tree = Dendrogram(np.array([[1, 2], [0, 3]]), np.array([0.9, 0.2]), np.array([1, 2, 1]))
    >>> linkage_matrix(tree).round(3).tolist()
    [[1.0, 2.0, 0.1, 2.0], [0.0, 3.0, 0.8, 3.0]]
    >>> linkage_matrix(tree, np.array([0, 1, 1, 2])).round(3).tolist()
    [[1.0, 2.0, 0.0, 2.0], [3.0, 4.0, 0.1, 3.0], [0.0, 5.0, 0.8, 4.0]]
    """
    n = tree.n_leaves
    order, starts = _members(tree, assignment)
    n_objects, sizes = len(order), np.diff(starts)
    chain = np.repeat(np.arange(n), sizes - 1)  # the leaf inside which a merge happens
    step = np.arange(len(chain)) - np.repeat(np.cumsum(sizes - 1) - (sizes - 1), sizes - 1)
    inner = n_objects + np.arange(len(chain))
    rows = np.zeros((n_objects - 1, 4))
    rows[: len(chain), 0] = np.where(step == 0, order[starts[chain]], inner - 1)
    rows[: len(chain), 1] = order[starts[chain] + step + 1]
    rows[: len(chain), 3] = step + 2
    node = np.concatenate([order[starts[:-1]], n_objects + len(chain) + np.arange(n - 1)])
    node[:n][sizes > 1] = n_objects + np.cumsum(sizes - 1)[sizes > 1] - 1
    rows[len(chain) :, :2] = node[tree.merges]
    rows[len(chain) :, 2] = heights(tree)
    rows[len(chain) :, 3] = _counts(tree, sizes)
    rows[:, :2].sort(axis=1)
    return rows


def newick(tree: Dendrogram, names: Sequence[str] | None = None, assignment: NDArray[np.integer] | None = None) -> str:
    """A tree as Newick; every path from the root to a leaf is as long as the distance of the last merge.

    Parameters
    ----------
    tree : Dendrogram
    names : sequence of str, optional
        Of the objects (with `assignment`) or of the leaves; by default their numbers from 0. What Newick could not tell
        from its own signs is quoted.
    assignment : (N,) int array, optional
        Leaf of every object, as in `linkage_matrix`: objects of one leaf hang side by side from one node.

    Returns
    -------
    str
        Ends with ";". Branch lengths are differences of the distances of `linkage_matrix`.

    Raises
    ------
    InvalidParameterError
        If there is not one name for every object, or `assignment` does not give every leaf one.

    Examples
    --------
    >>> tree = Dendrogram(np.array([[1, 2], [0, 3]]), np.array([0.75, 0.25]), np.array([1, 2, 1]))
    >>> newick(tree)
    '(0:0.75,(1:0.25,2:0.25):0.5);'
    >>> newick(tree, ["a", "b", "it's", "d"], np.array([0, 1, 1, 2]))
    "(a:0.75,((b:0,'it''s':0):0.25,d:0.25):0.5);"
    """
    order, starts = _members(tree, assignment)
    words = [str(place) for place in range(len(order))] if names is None else [_quoted(str(name)) for name in names]
    if len(words) != len(order):
        raise InvalidParameterError(f"names must be one for each of {len(order)} objects. Got {len(words)}")
    n, height = tree.n_leaves, np.concatenate([np.zeros(tree.n_leaves), heights(tree)])
    leaves = [_leaf([words[one] for one in order[first:last]]) for first, last in zip(starts, starts[1:], strict=False)]
    parts: list[str] = []
    stack: list[int | str] = [2 * n - 2]  # nodes to write, and what stands between them
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            parts.append(node)
        elif node < n:
            parts.append(leaves[node])
        else:
            left, right = (int(child) for child in tree.merges[node - n])
            lengths = [f":{height[node] - height[child]:.12g}" for child in (left, right)]
            stack += [")", lengths[1], right, ",", lengths[0], left, "("]
    return "".join(parts) + ";"


def heights(tree: Dendrogram) -> NDArray[np.float64]:
    """Distances of the merges, (n - 1,), never decreasing, from 0 on."""
    return np.maximum(1.0, tree.similarities.max(initial=1.0)) - tree.similarities


def _members(tree: Dendrogram, assignment: NDArray[np.integer] | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Objects sorted by leaf, (N,), and where each leaf's begin, (n + 1,)."""
    n = tree.n_leaves
    leaf = np.arange(n) if assignment is None else np.asarray(assignment)
    if leaf.ndim != 1 or leaf.dtype.kind not in "iu" or not np.array_equal(np.unique(leaf), np.arange(n)):
        raise InvalidParameterError(f"assignment must give each of {n} leaves an object. Got {shown(assignment)}")
    sizes = np.bincount(leaf, minlength=n)
    return np.argsort(leaf, kind="stable"), np.concatenate([[0], np.cumsum(sizes)])


def _counts(tree: Dendrogram, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Objects below every merge: (n - 1,)."""
    n = tree.n_leaves
    below = np.concatenate([sizes, np.zeros(n - 1, np.int64)])
    for place, (left, right) in enumerate(tree.merges.tolist(), n):
        below[place] = below[left] + below[right]
    return below[n:]


def _leaf(words: list[str]) -> str:
    """A leaf, or its objects side by side."""
    return words[0] if len(words) == 1 else "(" + ",".join(f"{word}:0" for word in words) + ")"


def _quoted(name: str) -> str:
    """A name in quotes, unless it is plain; an underscore would be read as a blank outside of them."""
    plain = _PLAIN.fullmatch(name) and "_" not in name
    return name if plain else "'" + re.sub(r"\s", " ", name).replace("'", "''") + "'"
