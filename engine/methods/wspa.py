"""Weighted similarity partitioning: cut the graph of how alike soft memberships are.

Al-Razgan and Domeniconi, "Weighted clustering ensembles", SIAM Data Mining 2006, Section 4.1.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from ..consensus import ConsensusMethod, always
from ..ensemble import Ensemble
from ..graphs.metis_cuts import metis_partition
from ..params import Params, require_integer
from ..runtime.blocks import map_blocks
from ..runtime.errors import MissingEvidenceError
from ..runtime.memory import require_memory, require_square
from ..runtime.monitor import SILENT, Monitor

#: Up to this N the graph is complete.
COMPLETE_UP_TO = 2_000
#: Above it, every object keeps its strongest neighbours.
NEIGHBORS_KEPT = 200
#: A cosine of 1 becomes this integer.
COSINE_SCALE = 10_000


def membership_directions(ensemble: Ensemble) -> NDArray[np.float64]:
    """Rows whose inner products are the mean cosines of soft memberships, Psi = U U^T   (eq. 4.9).

    Parameters
    ----------
    ensemble : Ensemble
        With `memberships`; the columns `offsets[m]..offsets[m + 1]` are base clustering m.

    Returns
    -------
    (N, K) float64
        Each base clustering's block scaled to length 1/sqrt(M); a block of zeros stays zero.

    Raises
    ------
    MissingEvidenceError
        If the ensemble has hard labels only.

    References
    ----------
    alrazgan2006lac, eqs. 4.8 and 4.9.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0], [1], [1]], memberships=[[1, 0], [0, 1], [3, 4]])
    >>> u = membership_directions(ensemble)
    >>> (u @ u.T).round(6).tolist()
    [[1.0, 0.0, 0.6], [0.0, 1.0, 0.8], [0.6, 0.8, 1.0]]
    """
    if ensemble.memberships is None:
        raise MissingEvidenceError("mean cosines need soft memberships, and this ensemble has hard labels only")
    first = ensemble.offsets[:-1]
    _, scale = np.frexp(np.maximum.reduceat(ensemble.memberships, first, axis=1))  # by powers of 2: the same digits
    memberships = np.ldexp(ensemble.memberships, -np.repeat(scale, ensemble.n_clusters_each, axis=1))
    squares = np.add.reduceat(memberships**2, first, axis=1)
    length = np.sqrt(squares * ensemble.n_clusterings)
    shorter = np.divide(1.0, length, out=np.zeros(length.shape), where=length > 0)
    return memberships * np.repeat(shorter, ensemble.n_clusters_each, axis=1)


def mean_membership_similarity(ensemble: Ensemble) -> NDArray[np.float64]:
    """Psi averaged over the objects of two microclusters: (n, n), at most 1.

    The diagonal is the mean over all pairs inside a microcluster, an object with itself included.

    Parameters
    ----------
    ensemble : Ensemble
        With soft memberships.

    Returns
    -------
    (n, n) float64
        Symmetric, in [0, 1].

    Raises
    ------
    MissingEvidenceError
        If the ensemble has no memberships.
    """
    micro = ensemble.microclusters
    require_square("a similarity matrix", len(micro), itemsize=8)
    n_objects = len(micro.assignment)
    owner = sparse.csr_array((np.ones(n_objects), (micro.assignment, np.arange(n_objects))))
    means = (owner @ membership_directions(ensemble)) / micro.sizes[:, None]
    return means @ means.T


def membership_graph(
    ensemble: Ensemble,
    n_neighbors: int | None = None,
    monitor: Monitor = SILENT,
) -> sparse.csr_array:
    """Objects joined by the mean cosine of their soft memberships, in integers.

    Parameters
    ----------
    ensemble : Ensemble
        With `memberships`.
    n_neighbors : int, optional
        Join every object to that many strongest others only (either end may choose; of equals, the lower index).
        By default all pairs.
    monitor : Monitor, optional

    Returns
    -------
    (N, N) csr_array of int32
        round(10,000 Psi), symmetric, without the diagonal and without zeros.

    Raises
    ------
    InvalidParameterError, MissingEvidenceError, TooLargeError

    Notes
    -----
    O(N^2 K) time; memory 4 N^2 bytes for the complete graph, 8 N (n_neighbors + N / 64) otherwise.
    """
    directions = membership_directions(ensemble)
    n = len(directions)
    if n_neighbors is not None:
        n_neighbors = require_integer("n_neighbors", n_neighbors, 1)
    if n_neighbors is None or n_neighbors >= n - 1:
        return _complete(directions, monitor)
    require_memory(f"{n_neighbors} neighbours of {n:,} objects", 64 * n * n_neighbors)
    chosen = np.empty((n, n_neighbors), np.int32)
    weights = np.empty((n, n_neighbors), np.int32)

    def strongest(start: int, stop: int) -> None:
        rows = _integers(directions[start:stop] @ directions.T)
        _strongest_kernel(start, rows, chosen[start:stop], weights[start:stop])

    map_blocks(strongest, n, monitor, "comparing memberships", block=min(64, n))
    graph = sparse.csr_array(
        (weights.ravel(), chosen.ravel(), np.arange(0, n * n_neighbors + 1, n_neighbors)), shape=(n, n)
    )
    return _symmetric(graph)


def _complete(directions: NDArray, monitor: Monitor) -> sparse.csr_array:
    n = len(directions)
    require_square("the graph of memberships", n, n_arrays=8)
    matrix = np.empty((n, n), np.int32)

    def fill(start: int, stop: int) -> None:
        matrix[start:stop] = _integers(directions[start:stop] @ directions.T)

    map_blocks(fill, n, monitor, "comparing memberships")
    np.fill_diagonal(matrix, 0)
    return _symmetric(sparse.csr_array(matrix))


def _integers(cosines: NDArray) -> NDArray[np.int32]:
    return np.rint(cosines * COSINE_SCALE).astype(np.int32)


def _symmetric(graph: sparse.csr_array) -> sparse.csr_array:
    """The larger of both directions: an edge stays if either end has it, and rounding cannot tell the ends apart."""
    both = graph.maximum(graph.T.tocsr())
    both.eliminate_zeros()
    return both


@njit(cache=True, nogil=True)
def _strongest_kernel(first, rows, chosen, weights):
    """The highest entries of each row but for its own place; of equal ones the lower index."""
    n_kept = chosen.shape[1]
    for i in range(rows.shape[0]):
        row = rows[i]
        row[first + i] = -1
        bound = np.partition(row, len(row) - n_kept)[len(row) - n_kept]
        n_above = (row > bound).sum()
        n_equal, position = n_kept - n_above, 0
        for j in range(len(row)):
            if row[j] > bound or (row[j] == bound and n_equal > 0):
                if row[j] == bound:
                    n_equal -= 1
                chosen[i, position] = j
                weights[i, position] = row[j]
                position += 1


@dataclass(frozen=True)
class WSPAParams(Params):
    """WSPA has no parameters."""


def wspa(
    ensemble: Ensemble, n_clusters: int, params: WSPAParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Join objects by the mean cosine of their memberships, and let METIS cut the graph into k parts.

    It works on objects: memberships tell objects of one microcluster apart, so only k = n returns microclusters.
    The graph is complete up to N = 2,000. Above, every object keeps its 200 strongest neighbours; the trace then has
    `neighbours_kept`. Weights are round(10,000 Psi). The `similarity` in the trace is the mean over microclusters.
    """
    if n_clusters == len(ensemble.microclusters):
        monitor.record("repaired", 0)
        return ensemble.microclusters.assignment
    monitor.record("similarity", lambda: mean_membership_similarity(ensemble))
    n_neighbors = NEIGHBORS_KEPT if ensemble.n_objects > COMPLETE_UP_TO else None
    if n_neighbors is not None:
        monitor.record("neighbours_kept", n_neighbors)
    graph = membership_graph(ensemble, n_neighbors, monitor)
    ones = np.ones(ensemble.n_objects, np.int64)
    labels, n_repaired = metis_partition(graph, ones, n_clusters, rng, monitor)
    monitor.record("repaired", n_repaired)
    return labels


METHOD = ConsensusMethod(
    key="wspa",
    title="WSPA",
    formula=r"\psi_{ij} = \frac{1}{<M>} \sum_{m=1}^{<M>} \cos(P_m(x_i), P_m(x_j))",
    try_this="compare it with CSPA: the same cut, with memberships in place of labels.",
    params=WSPAParams,
    run=wspa,
    reference="alrazgan2006lac",
    family="soft",
    needs=frozenset({"dense", "memberships", "pymetis"}),
    balanced=always,
    summary="Joins objects whose soft memberships point the same way, and cuts the graph into parts of like size.",
)
