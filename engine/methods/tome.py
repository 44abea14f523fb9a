"""TOME, a reconstruction: co-association refined twice, similarity along paths, normalised cut.

It is refined by distances inside clusters and by how stable clusters are; the cut is that of a graph whose nodes stand
for many objects. Zhong, Yue, Zhang and Lei, "A clustering ensemble: two-level-refined co-association matrix with
path-based transformation", Pattern Recognition 48(8), 2015. See `two_level_co_association`.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..ensemble.ensembles import require_complete
from ..graphs.eigenvectors import top_eigenvectors
from ..medians.restarts import weighted_kmeans
from ..pairs.counts import co_association
from ..params import Params, param
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError
from ..runtime.memory import require_square
from ..runtime.monitor import SILENT, Monitor, Quiet
from ..trees.agglomeration import linkage
from ..trees.branches import leaf_order


def two_level_co_association(
    ensemble: Ensemble, published: bool = False, monitor: Monitor = SILENT
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Co-association in which near pairs and stable clusters count more.

    Level 1: a pair inside cluster c counts I' = 1 - d_ij / L_c, L_c the largest distance in c (1 where that is 0).
    Level 2: a cluster counts with the mean of sum_m I' / M over its pairs, min-max scaled over all clusters (0 for
    single objects); the sum over base clusterings is divided by its largest value.

    Parameters
    ----------
    ensemble : Ensemble
    published : bool
        As the experiments of a survey had it: N instead of the cluster's own size is taken off each sum over pairs for
        its diagonal, which leaves the stabilities nearly alike.
    monitor : Monitor, optional

    Returns
    -------
    refined : (n, n) float64
        On microclusters, in [0, 1]; the diagonal is the value between two objects of one microcluster.
    stability : (K,) float64
        Of every cluster, scaled to [0, 1]; all 1 where they are equal.

    Raises
    ------
    InvalidParameterError
        If every cluster is one object.
    MissingEvidenceError, TooLargeError

    Notes
    -----
    The formulas follow an independent implementation, the paper was not at hand. The paper measures d between the
    objects' features; here it is measured between rows of cluster memberships, d = sqrt(2 (M - M a_ij)), which asks for
    labels alone. O(n^2 M) time.

    References
    ----------
    zhong2015tome.
    """
    require_complete(ensemble, "a refined co-association")
    n = len(ensemble.microclusters)
    require_square("the refined co-association", n, n_arrays=3, itemsize=8)
    if ensemble.cluster_sizes.max() == 1:
        raise InvalidParameterError("TOME needs a cluster of two objects. Got an ensemble of single objects")
    # Distances come from whole counts, so that equal ones are equal to the last bit.
    agreed = np.rint(co_association(ensemble, monitor, np.float64) * ensemble.n_clusterings)
    distance = np.sqrt(2.0 * (ensemble.n_clusterings - agreed))
    longest = _longest(ensemble, distance, monitor)
    plain = _counted(ensemble, distance, longest, np.ones(len(longest)), monitor) / ensemble.n_clusterings
    stability = _stability(ensemble, plain, published)
    refined = _counted(ensemble, distance, longest, stability, monitor)
    return refined / refined.max(), stability


def _longest(ensemble: Ensemble, distance: NDArray, monitor: Monitor) -> NDArray[np.float64]:
    """Largest distance inside every cluster: (K,)."""
    first, members = ensemble.clusters.members
    longest = np.empty(len(first) - 1)
    map_blocks(
        lambda start, stop: _longest_kernel(start, stop, first, members, distance, longest),
        len(longest),
        monitor,
        "measuring clusters",
    )
    return longest


def _counted(
    ensemble: Ensemble, distance: NDArray, longest: NDArray, values: NDArray, monitor: Monitor
) -> NDArray[np.float64]:
    """Sum over base clusterings of the value of a shared cluster times 1 - d / L: (n, n)."""
    n = len(distance)
    out, ids = np.empty((n, n)), ensemble.clusters.ids.reshape(n, -1)
    map_blocks(
        lambda start, stop: _counted_kernel(start, stop, ids, distance, longest, values, out),
        n,
        monitor,
        "refining the co-association",
    )
    return out


def _stability(ensemble: Ensemble, plain: NDArray, published: bool) -> NDArray[np.float64]:
    """Mean of the level-1 co-association over the pairs of every cluster, scaled: (K,)."""
    sizes, r = ensemble.cluster_sizes.astype(np.float64), ensemble.microclusters.sizes
    first, members = ensemble.clusters.members
    groups = (members[low:high] for low, high in zip(first[:-1], first[1:], strict=True))
    sums = np.array([r[own] @ plain[np.ix_(own, own)] @ r[own] for own in groups])
    taken = float(r.sum()) if published else sizes
    pairs = sizes * (sizes - 1)
    stability = np.divide(sums - taken, pairs, out=np.zeros_like(sums), where=pairs > 0)
    low, high = stability.min(), stability.max()
    return (stability - low) / (high - low) if high - low > 1e-12 else np.ones_like(stability)


@njit(cache=True, nogil=True)
def _longest_kernel(start, stop, first, members, distance, longest):
    for c in range(start, stop):
        longest[c] = 0.0
        for s in range(first[c], first[c + 1]):
            for t in range(first[c], s):
                longest[c] = max(longest[c], distance[members[s], members[t]])


@njit(cache=True, nogil=True)
def _counted_kernel(start, stop, ids, distance, longest, values, out):
    for i in range(start, stop):
        for j in range(len(ids)):
            out[i, j] = 0.0
            for m in range(ids.shape[1]):
                c = ids[i, m]
                if c == ids[j, m]:
                    out[i, j] += values[c] * (1 - distance[i, j] / longest[c] if longest[c] > 0 else 1.0)


def path_similarity(similarity: NDArray, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """The weakest step of the best path between every two nodes: where single link puts them together.

    Parameters
    ----------
    similarity : (n, n) float
        Symmetric, non-negative; the diagonal is kept.
    monitor : Monitor, optional

    Returns
    -------
    (n, n) float64
        Off the diagonal at least `similarity`.

    Notes
    -----
    O(n^2).

    Examples
    --------
    >>> path_similarity(np.array([[1, 0.9, 0.1], [0.9, 1, 0.3], [0.1, 0.3, 1]])).tolist()
    [[1.0, 0.9, 0.3], [0.9, 1.0, 0.3], [0.3, 0.3, 1.0]]
    """
    n = len(similarity)
    out = np.diag(np.diag(similarity)).astype(np.float64)
    if n > 1:
        asked = Quiet(lambda: monitor.tick("following paths", 0, 1))
        tree = linkage(np.asarray(similarity, dtype=np.float64), method="single", monitor=asked)
        _meet_kernel(tree.merges, tree.similarities, leaf_order(tree), out)
    monitor.tick("following paths", 1, 1)
    return out


def spectral_normalized_cut(
    graph: NDArray[np.float64],
    own: NDArray[np.float64],
    sizes: NDArray,
    n_clusters: int,
    rng: np.random.Generator,
    monitor: Monitor = SILENT,
) -> NDArray[np.int32]:
    """Labels from the k smallest generalised eigenvectors of (D - W, D), W between objects, separated by k-means.

    Parameters
    ----------
    graph : (n, n) float64
        Non-negative; the diagonal is the weight between two objects of one node. It is overwritten.
    own : (n,) float64
        Weight of an object with itself.
    sizes : (n,)
        Objects each node stands for, r.
    n_clusters : int
        k, at most n; k = n returns the nodes themselves.
    rng : Generator
    monitor : Monitor, optional
        Receives `embedding` (n, k) and `repaired`.

    Returns
    -------
    (n,) int32
        Labels 0..k - 1, none empty.

    Notes
    -----
    With D = W r + own - diag(W): the objects' eigenvectors that are constant on nodes are q / sqrt(D r), q those of
    R^1/2 D^-1/2 W D^-1/2 R^1/2 + diag((own - diag(W)) / D).
    """
    if n_clusters == len(graph):
        return np.arange(n_clusters, dtype=np.int32)
    monitor.tick("finding eigenvectors", 0, 1)
    more = own - np.diag(graph)
    degrees = graph @ sizes + more
    scale = np.sqrt(sizes / degrees)
    graph *= scale
    graph *= scale[:, None]
    graph[np.diag_indices_from(graph)] += more / degrees
    embedding = top_eigenvectors(graph, n_clusters) / np.sqrt(degrees * sizes)[:, None]
    monitor.tick("finding eigenvectors", 1, 1)
    monitor.record("embedding", embedding)
    labels, n_repaired = weighted_kmeans(embedding, sizes, n_clusters, rng, monitor=monitor)
    monitor.record("repaired", n_repaired)
    return labels


@njit(cache=True, nogil=True)
def _meet_kernel(merges, similarities, order, out):
    """Write where leaves meet: in the order of leaves every node is a range."""
    n = len(order)
    low, high = np.zeros(2 * n - 1, np.int64), np.zeros(2 * n - 1, np.int64)
    for place in range(n):
        low[order[place]], high[order[place]] = place, place + 1
    for t in range(n - 1):
        a, b = merges[t, 0], merges[t, 1]
        low[n + t], high[n + t] = min(low[a], low[b]), max(high[a], high[b])
        for s in range(low[a], high[a]):
            for u in range(low[b], high[b]):
                i, j = order[s], order[u]
                out[i, j] = out[j, i] = similarities[t]


@dataclass(frozen=True)
class TOMEParams(Params):
    """Parameters of TOME."""

    variant: Literal["paper", "published-code"] = param(
        "paper",
        symbol="variant",
        doc="How stable a cluster is: the mean over its own pairs; or as in a survey's experiments, which take off too "
        "much for single objects, so that all clusters count nearly alike.",
        concept="tome_variant",
    )


def tome(
    ensemble: Ensemble, n_clusters: int, params: TOMEParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Refine, follow paths, cut. A reconstruction: distances are between labels, and an object is 1 to itself."""
    micro = ensemble.microclusters
    refined, stability = two_level_co_association(ensemble, params.variant == "published-code", monitor)
    monitor.record("cluster_weights", stability)
    monitor.record("refined_co_association", refined)
    paths = path_similarity(refined, monitor)
    monitor.record("path_similarity", paths)
    own = np.ones(len(micro))
    return micro.expand(spectral_normalized_cut(paths, own, micro.sizes, n_clusters, rng, monitor))


METHOD = ConsensusMethod(
    key="tome",
    title="TOME (reconstruction)",
    formula=(
        r"s_{ij} = \max_{\text{paths } i \to j} \; \min_{(u, v) \text{ on the path}} \hat a_{uv}, \qquad \hat a_{uv} "
        r"\propto \sum_{C \ni u, v} \mathrm{stability}(C) \left(1 - \frac{d_{uv}}{L_C}\right)"
    ),
    try_this="choose the spirals: where groups are long and thin, chains are what holds them.",
    params=TOMEParams,
    run=tome,
    reference="zhong2015tome",
    family="learnt",
    needs=frozenset({"dense"}),
    summary="Counts near pairs and stable clusters more, calls two objects alike if a chain of alike ones joins them, "
    "and cuts where chains are weak. Rebuilt from a survey's description.",
)
