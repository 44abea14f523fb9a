"""Agglomerative clustering of a similarity matrix whose points may stand for many objects.

Single link needs no matrix: it is the spanning tree of strongest links, whose rows are made when needed.
"""

from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble.clusters import Clusters
from ..ensemble.microclusters import as_sizes
from ..pairs.counts import Similarity
from ..params import one_of
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor
from .dendrograms import Dendrogram
from .neighbor_chains import CODES, run_chain, sorted_tree
from .profile_merging import merge_profiles, reads_much

#: Links between two looks at the monitor.
_LINKS = 200


def spanning_merges(
    clusters: Clusters, weights: NDArray, monitor: Monitor
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Merges (n - 1, 2), as in SciPy, and heights of single link on S = B diag(w) B' / M, B microclusters x clusters.

    Prim's algorithm: from the tree so far, the strongest link leads on; of equal ones that to the lowest microcluster
    in the order of labels. A row takes as many steps as the clusters of a microcluster have members: O(n^2) time at
    most times M, O(n M) memory. Reference: mullner2011.
    """
    n = len(clusters.weights)
    order = clusters.label_order()
    ids = clusters.ids.reshape(n, -1)[order]
    here = Clusters.of_table(ids, clusters.offsets, clusters.weights[order])
    best, parent, row = np.zeros(n), np.zeros(n, np.int64), np.zeros(n)
    met, links, strength = np.empty(n + 1, np.int32), np.zeros((n - 1, 2), np.int64), np.empty(n - 1)
    arrays = ids, *here.members, np.asarray(weights, dtype=np.float64), best, parent, row, met, links, strength
    newest = 0
    for done in range(0, n - 1, _LINKS):
        monitor.tick("following the strongest links", done, n - 1)
        newest = _prim_kernel(done, min(done + _LINKS, n - 1), newest, *arrays)
    monitor.tick("following the strongest links", n - 1, n - 1)
    falling = np.argsort(-strength, kind="stable")
    merges = np.empty((n - 1, 2), np.int32)
    _join_kernel(order[links[falling]], np.arange(2 * n - 1), merges)
    return merges, strength[falling] / (len(clusters.offsets) - 1)


@njit(cache=True, nogil=True)
def _prim_kernel(begin, end, newest, ids, first, members, weights, best, parent, row, met, links, strength):
    """Links begin..end: `best` is the strongest link of each one outside, -1 inside; returns the newest one inside."""
    for t in range(begin, end):
        best[newest] = -1.0
        n_met = 0
        for c in ids[newest]:  # ascending: both ends of a link add the same numbers in the same order
            if weights[c] == 0.0:
                continue
            for u in range(np.uint64(first[c]), np.uint64(first[c + 1])):  # unsigned: no index counts from the end
                g = np.uint64(members[u])
                met[np.uint64(n_met)] = members[u]  # stays if it is new
                n_met += row[g] == 0.0
                row[g] += weights[c]
        for t_met in range(n_met):
            other = met[t_met]
            if row[other] > best[other] and best[other] >= 0.0:
                best[other], parent[other] = row[other], newest
            row[other] = 0.0
        strongest = 0
        for other in range(1, len(best)):
            if best[other] > best[strongest]:
                strongest = other
        links[t, 0], links[t, 1], strength[t] = parent[strongest], strongest, best[strongest]
        newest = strongest
    return newest


@njit(cache=True, nogil=True)
def _join_kernel(links, root, merges):
    """Nodes joined by the links in their order; `root` (2 n - 1,) begins as 0, 1, 2, ..."""
    n = len(links) + 1
    for t in range(len(links)):
        for side in range(2):
            node = links[t, side]
            while root[node] != node:
                root[node] = root[root[node]]
                node = root[node]
            merges[t, side] = node
            root[node] = n + t


Linkage = Literal["average", "complete", "single"]
#: Microclusters up to which average link in a matrix is the faster one, whatever they are (bench/bench_scale.py).
MANY = 10_000


def linkage(
    similarity: NDArray | Similarity,
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
    similarity : (n, n) float32 or float64, or Similarity
        Symmetric but for rounding, then what is below the diagonal counts; the diagonal is not read. Unless link is
        complete, a `Similarity` that has a factor is never made a matrix where that would not fit, nor of more than
        10,000 points unless a look at some tells that it is faster; a matrix that is made is offered to the monitor
        under its name.
    sizes : (n,) int, optional
        Objects each point stands for; 1 by default.
    method : "average" | "complete" | "single"
    monitor : Monitor, optional
        Receives `tied_merges`.
    overwrite : bool
        Work inside `similarity` and leave it spoilt, saving a copy.

    Returns
    -------
    Dendrogram

    Raises
    ------
    InvalidParameterError
    TooLargeError
        If a `Similarity` must be made a matrix, and that would not fit.

    Notes
    -----
    Nearest-neighbour chain: O(n^2) time, no memory beyond the matrix. With the factor (see `merge_profiles` and
    `spanning_merges`): the same tree, heights within the rounding of float32, in O(n M) memory; where similarities tie
    the two may decide otherwise. Ties go to the cluster whose lowest leaf comes first, except that a chain prefers the
    cluster it came from. With complete link ties go to the cluster whose highest leaf comes first, as in scipy: on
    co-association most merges tie at 0, and lowest leaves first would chain everything into one cluster.
    Rounding can invert a height by an ulp; a merge is then lowered to the height of its children. Equal
    heights keep the chain's order.

    References
    ----------
    mullner2011.

    Examples
    --------
    >>> tree = linkage(np.array([[1, 0.9, 0.1], [0.9, 1, 0.3], [0.1, 0.3, 1]]))
    >>> tree.merges.tolist(), tree.similarities.round(3).tolist()
    ([[0, 1], [2, 3]], [0.9, 0.2])
    """
    if isinstance(similarity, Similarity):
        return _tree_of(similarity, sizes, method, monitor)
    matrix = np.asarray(similarity)
    n = len(matrix) if matrix.ndim else 0
    sizes = np.ones(n, np.int64) if sizes is None else as_sizes(sizes, np.size(sizes))
    _check(matrix, sizes, method)
    work = matrix if overwrite else matrix.copy()
    _make_symmetric(work)
    return joined(work, sizes, method, monitor)


def joined(matrix: NDArray, sizes: NDArray, method: Linkage, monitor: Monitor) -> Dendrogram:
    """`linkage` inside a matrix that is its own mirror image by the way it was made: nobody looks, which takes time."""
    return _finished(*run_chain(matrix, sizes.astype(np.float64), CODES[method], monitor), sizes, monitor)


def needs_matrix(similarity: Similarity, method: Linkage = "average") -> bool:
    """Whether `linkage` works in a matrix of this similarity: it must, or that fits and is faster."""
    if similarity.factor is None or method == "complete":
        return True
    return similarity.fits and (similarity.n <= MANY or method == "average" and reads_much(similarity.factor[0]))


def _tree_of(similarity: Similarity, sizes: NDArray | None, method: Linkage, monitor: Monitor) -> Dendrogram:
    if needs_matrix(similarity, method):
        matrix = similarity.dense(monitor)
        monitor.record(similarity.name, matrix)
        sizes = np.ones(len(matrix), np.int64) if sizes is None else as_sizes(sizes, np.size(sizes))
        _check(matrix, sizes, method)
        return joined(matrix, sizes, method, monitor)
    similarity.record(monitor)
    assert similarity.factor is not None
    clusters, weights = similarity.factor
    sizes = clusters.weights if sizes is None else np.array(sizes, dtype=np.int64)
    if not np.array_equal(sizes, clusters.weights):
        raise InvalidParameterError("sizes must be those of the microclusters of the similarity")
    found = (
        merge_profiles(clusters, weights, monitor)
        if method == "average"
        else spanning_merges(clusters, weights, monitor)
    )
    return _finished(*found, np.array(sizes), monitor)


def _finished(merges: NDArray, heights: NDArray, sizes: NDArray, monitor: Monitor) -> Dendrogram:
    tree = sorted_tree(merges, heights, sizes)
    monitor.record("tied_merges", tree.n_tied_merges)
    return tree


def _check(similarity: NDArray, sizes: NDArray, method: str) -> None:
    one_of("linkage", method, CODES)
    n = len(sizes)
    if similarity.shape != (n, n) or similarity.dtype not in (np.float32, np.float64) or n < 1:
        raise InvalidParameterError(
            f"similarity must be a float matrix of shape ({n}, {n}). Got {similarity.dtype} {similarity.shape}"
        )


#: Share of the largest similarity by which one may be another than its mirror image.
_ROUNDING = 1e-5
_TILE = 64


def _make_symmetric(similarity: NDArray) -> None:
    """Copy what is below the diagonal above it, where rounding alone parts them: a chain would go round for ever."""
    if _mirror_kernel(similarity, 0.0) < 0:
        return
    largest = np.abs(similarity[np.isfinite(similarity)]).max(initial=0.0)
    row = _mirror_kernel(similarity, _ROUNDING * float(largest))
    if row >= 0:
        raise InvalidParameterError(f"similarity must be symmetric, and nowhere nan. Row {row:,} is not its column")


@njit(cache=True, nogil=True)
def _mirror_kernel(similarity, tolerance):
    """Mirror entries that are within `tolerance` of their mirror image; the row of one that is not, else -1."""
    n = len(similarity)
    for top in range(0, n, _TILE):
        for left in range(0, top + 1, _TILE):
            for i in range(top, min(top + _TILE, n)):
                for j in range(left, min(left + _TILE, i)):
                    one, other = similarity[i, j], similarity[j, i]  # both may be -inf: never similar
                    if one != other and not abs(one - other) <= tolerance:
                        return i
                    similarity[j, i] = one
    return -1
