"""Growing trees: prototypes are dense and far from anything denser; trees grow from them, the clearest ties first.

Li, Qian and Wang, "GoT: a growing tree model for clustering ensemble", AAAI 2021, Algorithm 3. Their published code
grows a variant, which is here as well, and no method itself.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..growth.distances import distance_steps, refined_log_distance
from ..growth.ground import local_density, prototype_ranking, representative_capacity
from ..growth.growing import gray_threshold, grow_trees
from ..pairs.counts import co_association
from ..params import Params, param
from ..runtime.monitor import SILENT, Monitor

#: Sums of logarithms that differ by less are equal.
_ZERO = 1e-12


def grow_as_published(
    distance: NDArray[np.float64], prototypes: NDArray[np.int64], monitor: Monitor = SILENT
) -> NDArray[np.int32]:
    """Labels of objects after trees grew on the refined distance.

    It departs from Algorithm 2: the tie of two objects is -p rather than a; margins are scaled to [0, 1] in every
    round; the threshold is MATLAB's 256-bin graythresh, and margins that equal it join (all do if all are equal);
    once every margin is 0, the rest becomes a cluster of its own.

    Parameters
    ----------
    distance : (N, N) float64
        See `engine.evidence.refined_log_distance`.
    prototypes : (k,) int
        Different objects; k >= 2.
    monitor : Monitor, optional

    Returns
    -------
    (N,) int32
        0..k-1, and k for the rest: up to k + 1 clusters.

    References
    ----------
    li2021got, published code.
    """
    n, k = len(distance), len(prototypes)
    labels = np.full(n, k, np.int32)
    labels[prototypes] = np.arange(k)
    to_tree = distance[:, prototypes].copy()
    waiting = np.setdiff1d(np.arange(n), prototypes)
    while len(waiting):
        monitor.tick("growing trees", n - len(waiting), n)
        two = np.partition(to_tree[waiting], 1, axis=1)
        margins = two[:, 1] - two[:, 0]
        if margins.max() <= _ZERO:
            break
        chosen = waiting[_selected(margins)]
        labels[chosen] = np.argmin(to_tree[chosen], axis=1)
        for t in range(k):
            fresh = chosen[labels[chosen] == t]
            if len(fresh):
                to_tree[:, t] = np.minimum(to_tree[:, t], distance[:, fresh].min(axis=1))
        waiting = waiting[labels[waiting] == k]
    monitor.tick("growing trees", n, n)
    return labels


def _selected(margins: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Who joins: scaled margins that reach the threshold, or all if they are equal."""
    span = np.ptp(margins)
    if span <= _ZERO:
        return np.ones(len(margins), bool)
    scaled = (margins - margins.min()) / span
    return scaled >= gray_threshold(scaled)


def published_trees(ensemble: Ensemble, n_clusters: int, monitor: Monitor) -> NDArray[np.int32]:
    """What the authors' code answers, on objects: prototypes by capacity alone, growth on the refined distance.

    Of equal capacities the object that was given first wins, as in the code: this variant follows the order of rows.
    """
    micro = ensemble.microclusters
    if n_clusters == len(micro):
        return micro.assignment
    as_given = np.argsort(ensemble.objects)
    distance = refined_log_distance(ensemble, monitor)[np.ix_(as_given, as_given)]
    density = local_density(ensemble)
    capacity = representative_capacity(distance, micro.expand(density)[as_given], monitor)
    prototypes = np.argsort(-capacity, kind="stable")[:n_clusters]
    monitor.record("density", density)
    return grow_as_published(distance, prototypes, monitor)[ensemble.objects]


@dataclass(frozen=True)
class GoTParams(Params):
    """Parameters of GoT."""

    refine: bool = param(
        True,
        symbol="p",
        doc="Measure distance along shortest paths, as the paper does. On co-association it changes nothing: "
        "no detour is ever shorter than 1 - a.",
    )
    variant: Literal["paper", "published-code"] = param(
        "paper",
        symbol="variant",
        concept="got_variant",
        doc="The paper's algorithms, or what the authors' code does: it grows on the refined distance, always "
        "refines, takes at most 2,000 objects, and may leave one cluster more than asked for.",
    )


def got(
    ensemble: Ensemble, n_clusters: int, params: GoTParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Find k prototypes on the refined distance, and let trees grow from them through the co-association matrix."""
    if params.variant == "published-code":
        return published_trees(ensemble, n_clusters, monitor)
    micro, unit = ensemble.microclusters, 1 / ensemble.n_clusterings
    steps = distance_steps(ensemble, params.refine, monitor)
    if params.refine:
        monitor.record("refined_distance", lambda: steps / np.float32(ensemble.n_clusterings))
    density = local_density(ensemble)
    capacity = representative_capacity(steps, density, monitor) * unit
    prototypes = prototype_ranking(density, capacity)[:n_clusters]
    for name, value in (("density", density), ("capacity", capacity), ("prototypes", prototypes)):
        monitor.record(name, value)
    similarity = co_association(ensemble, monitor)
    monitor.record("co_association", similarity)
    growth = grow_trees(similarity, micro.sizes, prototypes, monitor, steps, unit)
    monitor.record("growth", growth)
    return micro.expand(growth.tree)


METHOD = ConsensusMethod(
    key="got",
    title="GoT",
    formula=(
        r"\rho_i = \sum_j a_{ij}, \qquad \delta_i = \min_{\rho_j > \rho_i} d_{ij}, \qquad \text{roots: the "
        r"} <k> \text{ largest } \rho_i \delta_i"
    ),
    try_this="open the page Growing trees, and root two trees in one group.",
    params=GoTParams,
    run=got,
    reference="li2021got",
    family="growing",
    needs=frozenset({"dense"}),
    summary="Plants trees at representative objects and lets them grow, the clearest ties first.",
)
