"""Agglomerative clustering of a similarity matrix whose points may stand for many objects."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.errors import InvalidParameterError
from engine.monitor import SILENT, Monitor

Linkage = Literal["average", "complete", "single"]
_CODES = {"average": 0, "complete": 1, "single": 2}


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

    @property
    def n_leaves(self) -> int:
        """N."""
        return len(self.sizes)


def linkage(
    similarity: NDArray,
    sizes: NDArray | None = None,
    method: Linkage = "average",
    monitor: Monitor = SILENT,
    overwrite: bool = False,
) -> Dendrogram:
    """Build the tree that repeatedly merges the two most similar clusters.

    With average linkage, S(a + b, c) = (r_a S(a, c) + r_b S(b, c)) / (r_a + r_b), r counting objects: the
    tree over microclusters is the tree over objects, whose first merges lie inside the microclusters.

    Parameters
    ----------
    similarity : (n, n) float32 or float64
        Symmetric; the diagonal is not read.
    sizes : (n,) int, optional
        Objects each point stands for; 1 by default.
    method : "average" | "complete" | "single"
    monitor : Monitor, optional
    overwrite : bool
        Work inside `similarity` and leave it spoilt, saving a copy.

    Returns
    -------
    Dendrogram

    Raises
    ------
    InvalidParameterError

    Notes
    -----
    Nearest-neighbour chain: O(n^2) time, no memory beyond the matrix. Ties go to the cluster whose lowest
    leaf comes first, except that a chain prefers the cluster it came from. Rounding can invert a height
    by an ulp; a merge is then lowered to the height of its children. Equal heights keep the chain's order.

    References
    ----------
    mullner2011.

    Examples
    --------
    >>> tree = linkage(np.array([[1, 0.9, 0.1], [0.9, 1, 0.3], [0.1, 0.3, 1]]))
    >>> tree.merges.tolist(), tree.similarities.round(3).tolist()
    ([[0, 1], [2, 3]], [0.9, 0.2])
    """
    n = len(similarity)
    sizes = np.ones(n, np.int64) if sizes is None else np.array(sizes, dtype=np.int64)
    _check(similarity, sizes, method)
    work = similarity if overwrite else similarity.copy()
    merges, heights = _run_chain(work, sizes.astype(np.float64), _CODES[method], monitor)
    return _sorted_tree(merges, heights, sizes)


def _check(similarity: NDArray, sizes: NDArray, method: str) -> None:
    if method not in _CODES:
        raise InvalidParameterError(f"linkage must be one of {', '.join(_CODES)}. Got {method!r}")
    n = len(sizes)
    if similarity.shape != (n, n) or similarity.dtype not in (np.float32, np.float64) or n < 1:
        raise InvalidParameterError(
            f"similarity must be a float matrix of shape ({n}, {n}). Got {similarity.dtype} {similarity.shape}"
        )


def _run_chain(work: NDArray, sizes: NDArray, code: int, monitor: Monitor) -> tuple[NDArray, NDArray]:
    """Merge until one cluster is left, a slice of the merges at a time so that the caller can stop."""
    n = len(work)
    merges, heights = np.empty((n - 1, 2), np.int32), np.empty(n - 1)
    alive, node = np.arange(n), np.arange(n, dtype=np.int32)
    chain, state = np.empty(n + 1, np.int64), np.zeros(1, np.int64)
    step = max(1, (n - 1) // 50)
    for done in range(0, n - 1, step):
        monitor.tick("growing the tree", done, n - 1)
        _chain_kernel(work, sizes, code, done, min(done + step, n - 1), alive, node, chain, state, merges, heights)
    monitor.tick("growing the tree", n - 1, n - 1)
    return merges, heights


def _sorted_tree(merges: NDArray, heights: NDArray, sizes: NDArray) -> Dendrogram:
    """Order merges by similarity, children before parents, and renumber the inner nodes."""
    n = len(sizes)
    _monotone_kernel(merges, heights, n)
    order = np.argsort(-heights, kind="stable")
    new_id = np.arange(2 * n - 1, dtype=np.int32)
    new_id[n + order] = np.arange(n, 2 * n - 1)
    tree = Dendrogram(np.sort(new_id[merges[order]], axis=1), heights[order], sizes)
    for array in (tree.merges, tree.similarities, tree.sizes):
        array.setflags(write=False)
    return tree


@njit(cache=True, nogil=True)
def _chain_kernel(work, sizes, code, first, last, alive, node, chain, state, merges, heights):
    """Do merges first..last; `alive` holds the live slots in ascending order, `state` the chain's length."""
    n = work.shape[0]
    length = state[0]
    for t in range(first, last):
        if length == 0:
            chain[0] = alive[0]
            length = 1
        while True:
            a = chain[length - 1]
            previous = chain[length - 2] if length > 1 else -1
            b = _nearest(work[a], alive[: n - t], a, previous)
            if b == previous:
                break
            chain[length] = b
            length += 1
        length -= 2
        merges[t, 0], merges[t, 1] = node[min(a, b)], node[max(a, b)]
        heights[t] = work[a, b]
        node[min(a, b)] = n + t
        _merge(work, sizes, code, alive[: n - t], min(a, b), max(a, b))
    state[0] = length


@njit(cache=True, nogil=True)
def _nearest(row, alive, a, previous):
    """The slot most similar to a: `previous` if it ties, else the lowest."""
    best, nearest = -np.inf, -1
    if previous >= 0:
        best, nearest = row[previous], previous
    for c in alive:
        if row[c] > best and c != a:
            best, nearest = row[c], c
    return nearest


@njit(cache=True, nogil=True)
def _merge(work, sizes, code, alive, a, b):
    """Let slot a stand for both, take b out of `alive`."""
    row_a, row_b = work[a], work[b]
    share = sizes[a] / (sizes[a] + sizes[b])
    kept = 0
    for c in alive:
        if c == b:
            continue
        alive[kept] = c
        kept += 1
        if code == 0:
            row_a[c] = share * row_a[c] + (1 - share) * row_b[c]
        elif code == 1:
            row_a[c] = min(row_a[c], row_b[c])
        else:
            row_a[c] = max(row_a[c], row_b[c])
        work[c, a] = row_a[c]
    sizes[a] += sizes[b]


@njit(cache=True, nogil=True)
def _monotone_kernel(merges, heights, n):
    """Lower every merge to at most the heights of the merges it joins."""
    for t in range(len(heights)):
        for side in range(2):
            child = merges[t, side] - n
            if child >= 0 and heights[child] < heights[t]:
                heights[t] = heights[child]
