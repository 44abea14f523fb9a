"""Probability trajectory based graph partitioning: cut the graph of microclusters and clusters that travel alike.

Huang, Lai and Wang, "Robust ensemble clustering using probability trajectories", IEEE TKDE 28(5), 2016, Algorithm 3.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import DTypeLike, NDArray
from scipy import sparse

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..graphs.bipartite_graphs import DenseGraph
from ..graphs.spectral_cuts import tcut
from ..params import one_of
from ..runtime.blocks import map_blocks, n_threads
from ..runtime.memory import require_memory
from ..runtime.monitor import SILENT, Monitor
from ..similarities.trajectories import WalkParams
from ..walks.trajectories import trajectory_form, trajectory_similarity
from ..walks.transitions import check_length, transition_matrix
from ..walks.vector_rows import WIDTH, zero_panels
from ..walks.walk_panels import Walk, gram_diagonal, gram_product, reciprocal_root
from .pta import elite_walk

ClusterForm = Literal["auto", "columns", "horner", "spectral"]


def cluster_trajectory_similarity(
    ensemble: Ensemble,
    graph: sparse.csr_array,
    T: int,
    monitor: Monitor = SILENT,
    dtype: DTypeLike = np.float32,
    form: ClusterForm = "auto",
) -> NDArray:
    """Mean similarity of a microcluster to those of a cluster, Sim(y_i, C) = (1/|C|) sum_{y_k in C} PTS_ik   (eq. 15).

    Parameters
    ----------
    ensemble : Ensemble
        |C| counts microclusters.
    graph : (n, n) sparse
        On the ensemble's microclusters; see `transition_matrix`.
    T : int
        Length of the walk, at least 1.
    monitor : Monitor, optional
    dtype : float32 | float64
    form : "auto" | "columns" | "horner" | "spectral"
        "columns" keeps no (n, n) matrix; the others average `trajectory_similarity`. "auto" takes what
        `cluster_trajectory_form` says.

    Returns
    -------
    (n, K) array
        In [0, 1]; clusters ordered by base clustering, then by first appearance. Every microcluster has a
        positive similarity to its own clusters.

    Raises
    ------
    InvalidParameterError, TooLargeError

    Notes
    -----
    "columns": the diagonal of G from panels of 64 walkers, then G times the scaled indicators of 64 clusters at
    a time, both inside connected components; O(T nnz(P) (n + 2 K)) time at most, memory for the result and T panels
    a thread.

    References
    ----------
    huang2016pta, Definition 11.

    Examples
    --------
    >>> from engine.evidence import microcluster_elite_graph
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 0]])
    >>> graph = microcluster_elite_graph(ensemble, None)
    >>> cluster_trajectory_similarity(ensemble, graph, T=2).round(3).tolist()
    [[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5]]
    """
    T = check_length(T)
    one_of("form", form, ("auto", "columns", "horner", "spectral"))
    chosen = cluster_trajectory_form(ensemble, graph, T) if form == "auto" else form
    if chosen != "columns":
        pairs = trajectory_similarity(graph, ensemble.microclusters.sizes, T, monitor, dtype, chosen)
        return np.minimum((_averages(ensemble).astype(dtype) @ pairs).T, 1, order="C")
    return _by_columns(ensemble, graph, T, monitor, np.dtype(dtype))[0]


def cluster_trajectory_form(
    ensemble: Ensemble, graph: sparse.csr_array, T: int
) -> Literal["columns", "horner", "spectral"]:
    """What `cluster_trajectory_similarity` does: "columns", unless an (n, n) matrix is small or much cheaper.

    It is small where n <= K, the result then being no smaller; for long walks see `trajectory_form`.

    Parameters
    ----------
    ensemble : Ensemble
        Of n microclusters and K clusters.
    graph : (n, n) sparse array
        Of the walkers, symmetric.
    T : int
        Steps, at least 1.

    Returns
    -------
    {"columns", "horner", "spectral"}
        The form; all give the same similarity to rounding.
    """
    dense = trajectory_form(graph, T)
    return dense if dense == "spectral" or graph.shape[0] <= ensemble.n_clusters_total else "columns"


def _by_columns(
    ensemble: Ensemble, graph: sparse.csr_array, T: int, monitor: Monitor, dtype: np.dtype
) -> tuple[NDArray, list[tuple[NDArray, NDArray]]]:
    """The similarity from G's diagonal and G's products, and outside of which (rows, columns) it is 0."""
    n, n_clusters = graph.shape[0], ensemble.n_clusters_total
    walk = Walk.of(transition_matrix(graph, ensemble.microclusters.sizes), dtype)
    parts = list(walk.parts())
    longest = max(map(len, parts))
    panels_a_thread = max((T + 1) * longest, 2 * n) * WIDTH
    require_memory("similarities to clusters", (n * n_clusters + n_threads() * panels_a_thread) * dtype.itemsize)
    lengths = reciprocal_root(gram_diagonal(walk, T, monitor))
    scale = np.empty(n)
    scale[walk.order] = lengths
    averages = _averages(ensemble)
    scaled = (averages * scale).tocsc()
    blocks, tasks = [], []
    for part in parts:
        inside = scaled[:, part.order].tocsr()
        columns = np.flatnonzero(np.diff(inside.indptr))
        blocks.append((part.order, columns))
        for first in range(0, len(columns), WIDTH):
            some = columns[first : first + WIDTH]
            tasks.append((part, some, inside[some]))
    out = np.zeros((n, n_clusters), dtype)
    spare = [zero_panels((T + 1, longest, WIDTH), dtype) for _ in range(n_threads())]

    def of_clusters(start: int, stop: int) -> None:
        room = spare.pop()
        for part, columns, shares in tasks[start:stop]:
            panels = room.reshape(-1)[: (T + 1) * len(part) * WIDTH].reshape(T + 1, len(part), WIDTH)
            panels[0] = 0
            _spread_kernel(shares.indptr, shares.indices, shares.data, panels[0])
            _place_kernel(gram_product(part, panels), scale, part.order, columns, out)
        spare.append(room)

    map_blocks(of_clusters, len(tasks), monitor, "following walkers into clusters", block=1)
    isolated = np.flatnonzero(scale == 0)  # walkers that go nowhere are like themselves alone
    out[isolated] = averages[:, isolated].toarray().T
    return out, blocks


def _averages(ensemble: Ensemble) -> sparse.csr_array:
    """1/|C| where a cluster holds a microcluster: (K, n)."""
    clusters = ensemble.clusters
    first, members = clusters.members
    weights = np.repeat(1 / clusters.n_members, clusters.n_members)
    return sparse.csr_array((weights, members, first), shape=(len(clusters), len(ensemble.microclusters)))


@njit(cache=True, nogil=True)
def _spread_kernel(indptr, indices, data, panel):
    """Rows of a sparse matrix become columns of a panel."""
    for j in range(len(indptr) - 1):
        for e in range(indptr[j], indptr[j + 1]):
            panel[indices[e], j] = data[e]


@njit(cache=True, nogil=True)
def _place_kernel(found, scale, order, columns, out):
    """Scaled, a panel's rows and columns go where they belong."""
    for p in range(len(order)):
        row, factor = out[order[p]], scale[order[p]]
        for j in range(len(columns)):
            row[columns[j]] = min(found[p, j] * factor, 1.0)


@dataclass(frozen=True)
class PTGPParams(WalkParams):
    """Parameters of PTGP."""


def ptgp(
    ensemble: Ensemble, n_clusters: int, params: PTGPParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Join microclusters to clusters by how alike their walkers travel, and cut the graph into k parts."""
    micro = ensemble.microclusters
    graph, T = elite_walk(ensemble, params, monitor)
    form = cluster_trajectory_form(ensemble, graph, T)
    monitor.record("walk", {"K": params.on(len(micro))[0], "T": T, "form": form})
    monitor.record("trajectories", lambda: trajectory_similarity(graph, micro.sizes, T, monitor))
    if form == "columns":
        cut_graph = DenseGraph(*_by_columns(ensemble, graph, T, monitor, np.dtype(np.float32)))
    else:
        cut_graph = DenseGraph(cluster_trajectory_similarity(ensemble, graph, T, monitor, form=form))
    return micro.expand(tcut(cut_graph, np.ones(len(micro)), n_clusters, rng, monitor))


METHOD = ConsensusMethod(
    key="ptgp",
    title="PTGP",
    formula=(
        r"b_{iC} = \frac{1}{|C|} \sum_{j \in C} \mathrm{PTS}_{ij}, \qquad \text{walks of } <T> \text{ steps "
        r"on } <K> \text{ links each}"
    ),
    try_this="compare it with PTA under the same K and T: the walks are the same, the cut is not.",
    params=PTGPParams,
    run=ptgp,
    reference="huang2016pta",
    family="graphs",
    needs=frozenset({"dense between clusters", "dense between objects and clusters"}),
    summary="Like PTA, but draws microclusters and clusters as one graph, and cuts it where walkers part.",
)
