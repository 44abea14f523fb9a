"""Elite neighbours: of all links between microclusters, the few that are probably reliable (Huang et al. 2016)."""

import math
from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from ..ensemble import Ensemble
from ..pairs.counts import row_filler
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError
from ..runtime.memory import require_memory
from ..runtime.monitor import SILENT, Monitor
from .elite_search import elite_links

#: Bytes a link takes while the graph is put together: both directions and their union.
_LINK_BYTES = 48
_DEFAULT_RANGE = (1, 20)


def default_neighbors(n: int) -> int:
    """The automatic K, and by the same rule T: floor(sqrt(n) / 2), at least 1 and at most 20.

    The paper sets both to floor(sqrt(n) / 2); the upper bound is the published code's. Below 16 microclusters K = 1
    leaves stars and chains: on them walkers from the two ends of a link are never in one place at a time, and what
    is most alike gets similarity 0. Choose K = 2 or more there.

    Parameters
    ----------
    n : int
        Microclusters, at least 1.

    Returns
    -------
    int
        In 1..20.

    Examples
    --------
    >>> [default_neighbors(n) for n in (2, 15, 100, 100_000)]
    [1, 1, 5, 20]
    """
    return max(_DEFAULT_RANGE[0], min(_DEFAULT_RANGE[1], math.isqrt(n) // 2))


def elite_neighbor_graph(similarity: NDArray, K: int | None, monitor: Monitor = SILENT) -> sparse.csr_array:
    """Keep the links that are among the K heaviest of either end: the K-ENG.

    w_ij = a_ij if a_ij >= Thres_K(i) or a_ij >= Thres_K(j), else 0   (eq. 9); Thres_K(i) is the K-th largest
    weight at i.

    Parameters
    ----------
    similarity : (n, n) float
        Symmetric, not negative; the diagonal is not read.
    K : int or None
        Elite neighbours a node, at least 1; None, and any K from n - 1 on, keep every link.
    monitor : Monitor, optional

    Returns
    -------
    (n, n) csr_array
        Symmetric, diagonal empty, values positive and of the similarity's dtype, columns ascending. All links
        that tie with the threshold stay, so a node may have more than K; a weight of 0 is no link.

    Raises
    ------
    InvalidParameterError

    Notes
    -----
    O(n^2) time, plus log K for every weight that enters a row's K largest; memory for the links kept.

    References
    ----------
    huang2016pta, Definitions 5 to 7.

    Examples
    --------
    >>> similarity = np.array([[1, 0.9, 0.1, 0], [0.9, 1, 0.2, 0], [0.1, 0.2, 1, 0], [0, 0, 0, 1]])
    >>> elite_neighbor_graph(similarity, 1).toarray().tolist()
    [[0.0, 0.9, 0.0, 0.0], [0.9, 0.0, 0.2, 0.0], [0.0, 0.2, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    """
    similarity = np.asarray(similarity)
    if similarity.ndim != 2 or similarity.shape[0] != similarity.shape[1] or similarity.dtype.kind != "f":
        raise InvalidParameterError(
            f"similarity must be a square float matrix. Got {similarity.dtype} {similarity.shape}"
        )
    return _graph_of_rows(lambda start, stop: similarity[start:stop], len(similarity), K, monitor)


def microcluster_elite_graph(ensemble: Ensemble, K: int | None, monitor: Monitor = SILENT) -> sparse.csr_array:
    """The K-ENG of an ensemble's microclusters: `elite_neighbor_graph(co_association(ensemble), K)`, in float64.

    No (n, n) matrix is kept: the largest of a row are searched for (`elite_links`); where labels are missing, and
    where every link stays, rows are made, read and dropped.

    Parameters
    ----------
    ensemble : Ensemble
    K : int or None
        See `elite_neighbor_graph`.
    monitor : Monitor, optional

    Returns
    -------
    (n, n) csr_array of float64
        See `elite_neighbor_graph`.

    Raises
    ------
    InvalidParameterError

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1]])
    >>> microcluster_elite_graph(ensemble, 1).toarray().tolist()
    [[0.0, 0.5, 0.5], [0.5, 0.0, 0.0], [0.5, 0.0, 0.0]]
    """
    n = len(ensemble.microclusters)
    if ensemble.complete and _check_neighbors(K, n) < n:
        return _searched(ensemble, _check_neighbors(K, n), monitor)
    fill = row_filler(ensemble, np.ones(ensemble.n_clusters_total))

    def rows(start: int, stop: int) -> NDArray:
        block = np.empty((stop - start, n))
        fill(start, stop, block)
        return block

    return _graph_of_rows(rows, n, K, monitor)


def _searched(ensemble: Ensemble, n_kept: int, monitor: Monitor) -> sparse.csr_array:
    """The graph from a search of every row's largest counts."""
    links = elite_links(ensemble.clusters, n_kept, monitor)
    links = links.maximum(links.T.tocsr())
    return sparse.csr_array((links.data / ensemble.n_clusterings, links.indices, links.indptr), shape=links.shape)


def thinned_elite_graph(graph: sparse.csr_array, K: int) -> sparse.csr_array:
    """The K-ENG from one with more neighbours, without what both were drawn from.

    Parameters
    ----------
    graph : (n, n) csr_array
        An elite neighbour graph of at least K neighbours, or of all links.
    K : int
        Elite neighbours a node, at least 1.

    Returns
    -------
    (n, n) csr_array
        See `elite_neighbor_graph`.

    Raises
    ------
    InvalidParameterError

    Notes
    -----
    O(links log links): the K largest of a row are all in the larger graph, so that thresholds are the same.

    Examples
    --------
    >>> graph = sparse.csr_array([[0, 0.9, 0.1], [0.9, 0, 0.2], [0.1, 0.2, 0]])
    >>> thinned_elite_graph(graph, 1).toarray().tolist()
    [[0.0, 0.9, 0.0], [0.9, 0.0, 0.2], [0.0, 0.2, 0.0]]
    """
    n_kept = _check_neighbors(K, graph.shape[0])
    thresholds = np.empty(graph.shape[0], graph.dtype)
    _row_thresholds_kernel(graph.indptr, graph.data, n_kept, thresholds)
    rows = np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))
    stays = graph.data >= np.minimum(thresholds[rows], thresholds[graph.indices])
    start = np.concatenate([[0], np.cumsum(np.bincount(rows[stays], minlength=graph.shape[0]))])
    return sparse.csr_array((graph.data[stays], graph.indices[stays], start), shape=graph.shape)


def microcluster_links(
    ensemble: Ensemble, most_steps: int = 20_000_000_000, monitor: Monitor = SILENT
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """With how many others microclusters share a cluster: the links of the graph that is pruned.

    Parameters
    ----------
    ensemble : Ensemble
    most_steps : int
        Where going through all members of all clusters of all microclusters takes more, evenly spaced ones stand for
        all.
    monitor : Monitor, optional

    Returns
    -------
    asked : (a,) int64
        The microclusters looked at, all n where that takes few enough steps.
    n_links : (a,) int64

    Examples
    --------
    >>> asked, n_links = microcluster_links(Ensemble.from_labels([[0, 0], [0, 1], [1, 2]]))
    >>> asked.tolist(), n_links.tolist()
    ([0, 1, 2], [1, 1, 0])
    """
    clusters, n = ensemble.clusters, len(ensemble.microclusters)
    first, members = clusters.members
    steps = int((np.diff(first) ** 2).sum())
    asked = np.linspace(0, n - 1, max(1, min(n, n * most_steps // max(1, steps)))).astype(np.int64)
    n_links = np.empty(len(asked), np.int64)

    def count(start: int, stop: int) -> None:
        _n_links_kernel(asked[start:stop], clusters.start, clusters.ids, first, members, n_links[start:stop])

    map_blocks(count, len(asked), monitor, "counting links")
    return asked, n_links


def preserved_link_ratio(graph: sparse.csr_array, similarity: NDArray) -> float:
    """Share of the links that a graph keeps, RatioPL = #links in K-ENG / #links in MSG   (eq. 18).

    Parameters
    ----------
    graph : (n, n) sparse
        From `elite_neighbor_graph`.
    similarity : (n, n) array
        What it was drawn from; its non-zero weights off the diagonal are the links.

    Returns
    -------
    float
        In [0, 1]; 1 if there was no link to keep.

    References
    ----------
    huang2016pta.

    Examples
    --------
    >>> similarity = np.array([[1, 0.9, 0.1], [0.9, 1, 0.2], [0.1, 0.2, 1]])
    >>> round(preserved_link_ratio(elite_neighbor_graph(similarity, 1), similarity), 3)
    0.667
    """
    n_links = int(np.count_nonzero(similarity) - np.count_nonzero(np.diagonal(similarity)))
    return int(graph.count_nonzero()) / n_links if n_links else 1.0


def _graph_of_rows(rows: Callable[[int, int], NDArray], n: int, K: int | None, monitor: Monitor) -> sparse.csr_array:
    """Every row's own elite links, block by block, joined by OR."""
    n_kept = _check_neighbors(K, n)
    require_memory("the graph of elite neighbours", _LINK_BYTES * n * min(n_kept, n))
    blocks: dict[int, tuple[NDArray, NDArray, NDArray]] = {}

    def collect(start: int, stop: int) -> None:
        block = rows(start, stop)
        thresholds, counts = np.zeros(stop - start, block.dtype), np.empty(stop - start, np.int64)
        _thresholds_kernel(block, start, n_kept, np.empty(min(n_kept, n), block.dtype), thresholds, counts)
        columns, weights = np.empty(counts.sum(), np.int32), np.empty(counts.sum(), block.dtype)
        _links_kernel(block, start, thresholds, columns, weights)
        blocks[start] = counts, columns, weights

    map_blocks(collect, n, monitor, "choosing elite neighbours")
    counts, columns, weights = (
        np.concatenate(parts) for parts in zip(*(blocks[s] for s in sorted(blocks)), strict=True)
    )
    chosen = sparse.csr_array((weights, columns, np.concatenate([[0], np.cumsum(counts)])), shape=(n, n))
    return chosen.maximum(chosen.T.tocsr())


def _check_neighbors(K: int | None, n: int) -> int:
    """K as a number, n where every link stays."""
    if K is None:
        return n
    if isinstance(K, bool) or not isinstance(K, int | np.integer) or K < 1:
        raise InvalidParameterError(f"K must be an integer of at least 1, or None (every link). Got {K!r}")
    return n if K >= n - 1 else int(K)


@njit(cache=True, nogil=True)
def _thresholds_kernel(rows, first, n_kept, heap, thresholds, counts):
    """K-th largest weight of every row without its diagonal (0 keeps all), and how many weights reach it."""
    n = rows.shape[1]
    for i in range(rows.shape[0]):
        if n_kept < n:
            heap[:] = 0
            for j in range(n):
                if rows[i, j] > heap[0] and j != first + i:
                    _replace_root(heap, rows[i, j])
            thresholds[i] = heap[0]
        counts[i] = 0
        for j in range(n):
            counts[i] += rows[i, j] > 0 and rows[i, j] >= thresholds[i] and j != first + i


@njit(cache=True, nogil=True)
def _row_thresholds_kernel(start, weights, n_kept, thresholds):
    """K-th largest weight of every row; 0, which keeps all, where a row has fewer."""
    for i in range(len(thresholds)):
        row = np.sort(weights[start[i] : start[i + 1]])
        thresholds[i] = row[len(row) - n_kept] if len(row) >= n_kept else 0


@njit(cache=True, nogil=True)
def _n_links_kernel(asked, start, ids, first, members, n_links):
    """Different microclusters in the clusters of each one asked, itself left out."""
    seen_by = np.full(len(start) - 1, -1, np.int64)
    for place in range(len(asked)):
        a, found = asked[place], 0
        for t in range(start[a], start[a + 1]):
            for u in range(first[ids[t]], first[ids[t] + 1]):
                g = members[u]
                found += seen_by[g] != place
                seen_by[g] = place
        n_links[place] = max(0, found - 1)


@njit(cache=True, nogil=True)
def _replace_root(heap, value):
    """Put a value in the place of the smallest, and sift it down."""
    place = 0
    while 2 * place + 1 < len(heap):
        child = 2 * place + 1
        if child + 1 < len(heap) and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= value:
            break
        heap[place] = heap[child]
        place = child
    heap[place] = value


@njit(cache=True, nogil=True)
def _links_kernel(rows, first, thresholds, columns, weights):
    """List the weights that reach their row's threshold."""
    t = 0
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            if rows[i, j] > 0 and rows[i, j] >= thresholds[i] and j != first + i:
                columns[t] = j
                weights[t] = rows[i, j]
                t += 1
