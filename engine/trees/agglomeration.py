"""Agglomerative clustering of a similarity matrix whose points may stand for many objects."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..pairs.similarity import Similarity
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor
from .dendrograms import Dendrogram
from .neighbor_chains import CODES, run_chain, sorted_tree
from .profile_merging import merge_profiles
from .spanning_trees import spanning_merges

Linkage = Literal["average", "complete", "single"]
#: Microclusters up to which average link in a matrix is the faster one (bench/bench_scale.py).
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
        Symmetric; the diagonal is not read. Unless link is complete, a `Similarity` that has a factor is never made a
        matrix where that would not fit, or where there are more than 10,000 points; a matrix that is made is offered to
        the monitor under its name.
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
    n = len(similarity)
    sizes = np.ones(n, np.int64) if sizes is None else np.array(sizes, dtype=np.int64)
    _check(similarity, sizes, method)
    work = similarity if overwrite else similarity.copy()
    return _finished(*run_chain(work, sizes.astype(np.float64), CODES[method], monitor), sizes, monitor)


def needs_matrix(similarity: Similarity, method: Linkage = "average") -> bool:
    """Whether `linkage` works in a matrix of this similarity: it must, or that fits and is faster."""
    if similarity.factor is None or method == "complete":
        return True
    return similarity.fits and similarity.n <= MANY


def _tree_of(similarity: Similarity, sizes: NDArray | None, method: Linkage, monitor: Monitor) -> Dendrogram:
    if needs_matrix(similarity, method):
        matrix = similarity.dense(monitor)
        monitor.record(similarity.name, matrix)
        return linkage(matrix, sizes, method, monitor, overwrite=True)
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
    if method not in CODES:
        raise InvalidParameterError(f"linkage must be one of {', '.join(CODES)}. Got {method!r}")
    n = len(sizes)
    if similarity.shape != (n, n) or similarity.dtype not in (np.float32, np.float64) or n < 1:
        raise InvalidParameterError(
            f"similarity must be a float matrix of shape ({n}, {n}). Got {similarity.dtype} {similarity.shape}"
        )
