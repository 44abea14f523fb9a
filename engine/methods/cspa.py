"""Cluster-based similarity partitioning: cut the graph of how often objects meet.

Its graph is written straight into rows: no n x n matrix on the way. Strehl and Ghosh, "Cluster ensembles - a knowledge
reuse framework for combining multiple partitions", JMLR 3, 2002, Section 3.2.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from ..consensus import ConsensusMethod, always
from ..ensemble import Ensemble
from ..graphs.metis_cuts import metis_partition
from ..pairs.counts import co_association, shared_bits
from ..params import Params
from ..runtime.blocks import map_blocks
from ..runtime.memory import require_memory, require_square
from ..runtime.monitor import SILENT, Monitor

#: Bytes an edge takes at the height: two int64 here, which METIS takes as they are, and its coarser graphs.
_BYTES_PER_EDGE = 32
#: What one meeting counts where there are parts of one: METIS takes whole numbers, of the smallest edges too.
_A_MEETING = 1000


def pair_count_graph(ensemble: Ensemble, monitor: Monitor = SILENT) -> sparse.csr_array:
    """How many pairs of objects two microclusters put together, summed over the base clusterings: r_a r_b b_ab.

    b_ab is the number of base clusterings that put microclusters a and b together, r their sizes. It is the graph
    on objects with weights b_ij (M times the co-association), its vertices merged inside microclusters. Where labels
    are missing b_ab is M times the share of the base clusterings that saw both: no whole number.

    Parameters
    ----------
    ensemble : Ensemble
    monitor : Monitor, optional

    Returns
    -------
    (n, n) csr_array of int64, float64 where labels are missing
        Symmetric, without the diagonal; only pairs that meet are stored. Indices are int64, as METIS takes them.

    Raises
    ------
    TooLargeError
        If n x n counts of one byte (two or four where M or a k_m exceeds 255 or 65,535), or the edges, would not fit.

    Notes
    -----
    O(n^2 M) time, but a processor compares 32 labels of a byte at once: n = 4,616, M = 20 takes 0.015 s on two cores,
    less than spreading clusters over their members. The counts stay until the edges, now numbered, are written.

    References
    ----------
    strehl2002, Section 3.2.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 0], [0, 1], [1, 1]])
    >>> pair_count_graph(ensemble).toarray().tolist()
    [[0, 2, 1], [2, 0, 0], [1, 0, 0]]
    """
    micro, n = ensemble.microclusters, len(ensemble.microclusters)
    dtype = np.min_scalar_type(max(ensemble.n_clusterings, int(ensemble.n_clusters_each.max())))
    require_square("counts of how often microclusters meet", n, itemsize=dtype.itemsize)
    columns, counts = ensemble.clusters.columns(dtype), np.empty((n, n), dtype)
    start, unseen = np.zeros(n + 1, np.int64), -1 if ensemble.complete else np.iinfo(dtype).max
    map_blocks(
        lambda a, b: _counts_kernel(a, b, columns, unseen, counts, start[1:]), n, monitor, "counting pairs that meet"
    )
    np.cumsum(start, out=start)
    require_memory("the graph of microclusters that meet", _BYTES_PER_EDGE * int(start[-1]))
    graph = sparse.csr_array((n, n), dtype=np.int64)
    neighbors, weights = np.empty(start[-1], np.int64), np.empty(start[-1], np.int64)
    map_blocks(
        lambda a, b: _edges_kernel(a, b, counts, micro.sizes, start, neighbors, weights),
        n,
        monitor,
        "joining microclusters that meet",
    )
    graph.indptr, graph.indices, graph.data = start, neighbors, weights  # the constructor would copy them to int32
    return graph if ensemble.complete else _over_seen(graph, ensemble)


def _over_seen(graph: sparse.csr_array, ensemble: Ensemble) -> sparse.csr_array:
    """Every weight over the base clusterings that saw both, times M."""
    presence = ensemble.clusters.presence
    shares = np.empty(graph.nnz)
    _shares_kernel(graph.indptr, graph.indices, graph.data, presence, ensemble.n_clusterings, shares)
    graph.data = shares
    return graph


@njit(cache=True, nogil=True)
def _counts_kernel(start, stop, columns, unseen, counts, degree):
    """Rows start..stop of the counts, 0 on the diagonal, and how many entries of each are not 0.

    A row whose label is `unseen` meets nobody; no label is -1.
    """
    n = columns.shape[1]
    for i in range(start, stop):
        row = counts[i]
        row[:] = 0
        for m in range(columns.shape[0]):
            column, own = columns[m], columns[m, i]
            if own == unseen:
                continue
            for j in range(n):
                row[j] += column[j] == own
        row[i] = 0
        for j in range(n):
            degree[i] += row[j] > 0


@njit(cache=True, nogil=True)
def _edges_kernel(start, stop, counts, sizes, rows, neighbors, weights):
    """Neighbours of rows start..stop, ascending, and their weights; no branch depends on a count."""
    for i in range(start, stop):
        position, end = rows[i], rows[i + 1]
        for j in range(counts.shape[1]):
            if position == end:
                break
            neighbors[position] = j
            position += counts[i, j] > 0
        for e in range(rows[i], end):
            j = neighbors[e]
            weights[e] = sizes[i] * sizes[j] * counts[i, j]


@njit(cache=True, nogil=True)
def _shares_kernel(rows, neighbors, weights, presence, n_clusterings, out):
    for i in range(len(rows) - 1):
        for e in range(rows[i], rows[i + 1]):
            out[e] = weights[e] * n_clusterings / shared_bits(presence[i], presence[neighbors[e]])


@dataclass(frozen=True)
class CSPAParams(Params):
    """CSPA has no parameters."""


def cspa(
    ensemble: Ensemble, n_clusters: int, params: CSPAParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Join objects by how often they meet, and let METIS cut the graph into k parts.

    On microclusters: an edge r_a r_b b_ab, a vertex r_a; METIS gets whole numbers as they are (`integer_weights`),
    and thousandths of a meeting where labels are missing.
    """
    micro = ensemble.microclusters
    monitor.record("co_association", lambda: co_association(ensemble, monitor))
    graph = pair_count_graph(ensemble, monitor)
    if not ensemble.complete:
        graph.data = np.rint(_A_MEETING * graph.data).astype(np.int64)
    labels, n_repaired = metis_partition(graph, micro.sizes, n_clusters, rng, monitor)
    monitor.record("repaired", n_repaired)
    return micro.expand(labels)


METHOD = ConsensusMethod(
    key="cspa",
    title="CSPA",
    formula=(
        r"a_{ij} = \frac{1}{<M>} \sum_{m=1}^{<M>} [c_m(i) = c_m(j)], \qquad \text{cut into } <k> \text{ "
        r"parts of near-equal size}"
    ),
    try_this=(
        "choose a data set with clusters of unequal size, such as uneven blobs, and see which object is "
        "moved to keep the balance."
    ),
    params=CSPAParams,
    run=cspa,
    reference="strehl2002",
    family="graphs",
    needs=frozenset({"dense", "pymetis"}),
    balanced=always,
    takes_missing=True,
    summary="Joins objects by how often they share a cluster, and cuts the graph into parts of near-equal size.",
)
