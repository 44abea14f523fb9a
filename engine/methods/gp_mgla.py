"""Graph partitioning with multi-granularity link analysis: clusters are linked to objects and to each other.

Its k-means draws nothing: each seed is the point farthest from the seeds before. Huang, Lai and Wang, "Combining
multiple clusterings via crowd agreement estimation and multi-granularity link analysis", Neurocomputing 170, 2015.
"""

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..clusters.shared_neighbours import source_aware_triples
from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..graphs.bipartite_graphs import BipartiteGraph, LinkedGraph
from ..graphs.spectral_cuts import tcut
from ..medians.restarts import fill_empty_parts
from ..pairs.agreement import crowd_weights
from ..params import param, same_as
from ..runtime.monitor import SILENT, Monitor
from ..similarities.weighted_counts import WCAParams

_ROUNDS = 300


@dataclass(frozen=True)
class LinkWeightParams(WCAParams):
    """What the links weigh."""

    alpha: float = param(
        0.5,
        symbol="α",
        concept="mgla_alpha",
        doc="Weight of the links between objects and clusters, beside those between clusters.",
        raising="Raising it listens to which object lies where; lowering it to how alike clusters are.",
        low=0.0,
        low_open=True,
        slider=(0.01, 100.0),
        log=True,
    )
    beta: float = same_as(
        WCAParams, "beta", "Exponent of a base clustering's agreement with the others, the weight of its links."
    )


def multi_granularity_graph(ensemble: Ensemble, params: LinkWeightParams, monitor: Monitor) -> LinkedGraph:
    """Join objects to their clusters with weight alpha w_m, and clusters by source-aware triples; w_m = NCAI_m^beta.

    On K x K alone, W_y = alpha (w_k w_l O_kl) / sum w + SACT^T diag(1 / SACT 1) SACT.
    """
    weights = crowd_weights(ensemble, params.beta, monitor)
    monitor.record("clustering_weights", weights)
    between = source_aware_triples(ensemble, weights, monitor)
    monitor.record("cluster_similarity", between)
    edges = BipartiteGraph.of(ensemble, np.repeat(weights, ensemble.n_clusters_each))
    return LinkedGraph(edges, between, params.alpha)


def farthest_first_kmeans(
    ensemble: Ensemble, points: NDArray, n_clusters: int, monitor: Monitor = SILENT
) -> tuple[NDArray[np.int32], int]:
    """Labels of one run of k-means on microclusters, seeds farthest first.

    The first object given is the first seed; of equally far points the one whose object was given earlier follows.

    Parameters
    ----------
    ensemble : Ensemble
    points : (n, d) float
        One a microcluster, which weighs as much as it has objects.
    n_clusters : int
        k, at most n.
    monitor : Monitor, optional

    Returns
    -------
    labels : (n,) int32
        Exactly k values.
    n_repaired : int
        Clusters that had to be made because points coincide (see `fill_empty_parts`).

    Notes
    -----
    No restarts, and the order of rows decides: it serves to follow published code alone.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0], [1], [2], [3]])
    >>> farthest_first_kmeans(ensemble, np.array([[0.0], [5.0], [1.0], [6.0]]), 2)[0].tolist()
    [0, 1, 0, 1]
    """
    order, weights = _order_of_appearance(ensemble), ensemble.microclusters.sizes
    arranged, mass = np.asarray(points, dtype=np.float64)[order], weights[order]
    centres = _seeds(arranged, n_clusters)
    nearest = np.full(len(arranged), -1)
    for done in range(_ROUNDS):
        monitor.tick("separating the embedding", done, _ROUNDS)
        before, nearest = nearest, np.stack([_distances(arranged, centre) for centre in centres]).argmin(axis=0)
        if (nearest == before).all():
            break
        for c in np.unique(nearest):
            centres[c] = np.average(arranged[nearest == c], axis=0, weights=mass[nearest == c])
    labels = np.empty(len(arranged), np.int64)
    labels[order] = nearest

    def tie(members: NDArray) -> NDArray:
        return -_distances(points[members], np.average(points[members], axis=0, weights=weights[members]))

    return fill_empty_parts(labels, weights, n_clusters, tie)


def _order_of_appearance(ensemble: Ensemble) -> NDArray[np.int32]:
    """Microclusters, sorted by the first of their objects that was given."""
    met = ensemble.microclusters.assignment[np.argsort(ensemble.objects)]
    return met[np.sort(np.unique(met, return_index=True)[1])]


def _seeds(points: NDArray, n_seeds: int) -> NDArray[np.float64]:
    seeds = points[:1]
    reach = _distances(points, seeds[0])
    for _ in range(n_seeds - 1):
        seeds = np.vstack([seeds, points[reach.argmax()]])
        reach = np.minimum(reach, _distances(points, seeds[-1]))
    return seeds.copy()


def _distances(points: NDArray, centre: NDArray) -> NDArray[np.float64]:
    """Squared distances to one point."""
    return ((points - centre) ** 2).sum(axis=1)


@dataclass(frozen=True)
class GPMGLAParams(LinkWeightParams):
    """Parameters of GP-MGLA: what the links weigh, and how clusters are told apart."""

    variant: Literal["paper", "published-code"] = param(
        "paper",
        symbol="variant",
        concept="mgla_variant",
        doc="The best of twenty runs of k-means, or the one run of the authors' code: its seeds follow the order of "
        "the rows, and it often ends in a poorer optimum.",
    )


def gp_mgla(
    ensemble: Ensemble, n_clusters: int, params: GPMGLAParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Join objects and clusters to clusters, weighted by the crowd, and cut the graph into k parts.

    Rows are brought to unit length without the 1e-10 that the published code adds to their length.
    """
    micro = ensemble.microclusters
    graph = multi_granularity_graph(ensemble, params, monitor)
    separate = None
    if params.variant == "published-code":
        separate = partial(farthest_first_kmeans, ensemble, n_clusters=n_clusters, monitor=monitor)
    return micro.expand(tcut(graph, micro.sizes, n_clusters, rng, monitor, separate))


METHOD = ConsensusMethod(
    key="gp_mgla",
    title="GP-MGLA",
    formula=(
        r"w_m = \mathrm{NCAI}_m^{<beta>}, \qquad \text{object to cluster: } <alpha>\, w_m, \quad \text{cluster to "
        r"cluster: } \mathrm{SACT}"
    ),
    try_this="lower α to 0.01: only how alike clusters are holds the graph together, where at 100 it is the objects.",
    params=GPMGLAParams,
    run=gp_mgla,
    reference="huang2015crowd",
    family="graphs",
    takes_missing=True,
    pictures=frozenset({"cluster_similarity"}),
    needs=frozenset({"dense between clusters"}),
    summary="Draws objects and clusters as one graph in which clusters that meet the same others are linked too, and "
    "cuts it where it is thinnest.",
)
