"""Growing trees: prototypes are dense and far from anything denser; trees grow from them, the clearest ties first.

Li, Qian and Wang, "GoT: a growing tree model for clustering ensemble", AAAI 2021, Algorithm 3. Their published code
grows a variant, which is here as well, and no method itself.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..growth.distances import distance_steps, refined_log_distance
from ..growth.growing import gray_threshold, grow_trees
from ..pairs.counts import co_association
from ..params import Params, param
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor


def local_density(ensemble: Ensemble) -> NDArray[np.float64]:
    """Mean share of all objects that lie in an object's clusters, rho_i = (1/M) sum_b |C^b(x_i)| / N   (eq. 3).

    Parameters
    ----------
    ensemble : Ensemble

    Returns
    -------
    (n,) float64
        On microclusters, in (0, 1]; cluster sizes count objects. Equal sums are equal bits.

    References
    ----------
    li2021got.

    Examples
    --------
    >>> local_density(Ensemble.from_labels([[0, 0], [0, 0], [0, 1], [1, 1]])).tolist()
    [0.625, 0.625, 0.375]
    """
    met = ensemble.clusters.incidence() @ ensemble.cluster_sizes
    return met / (ensemble.n_clusterings * ensemble.n_objects)


def representative_capacity(distance: NDArray, density: NDArray, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Distance to the nearest denser object, delta_i = min {p_ij : rho_j > rho_i}   (eq. 4).

    Parameters
    ----------
    distance : (n, n) real
        Symmetric, on the same microclusters.
    density : (n,) float
    monitor : Monitor, optional

    Returns
    -------
    (n,) float64
        In the unit of the distance. The densest takes the largest distance of all.

    Raises
    ------
    InvalidParameterError

    Notes
    -----
    Of equal densities the one with the lower index ranks higher: this is what the epsilon of eq. 6 is for. Of the
    objects in a microcluster the first carries delta; the others are at distance 0 from it. O(n^2) time.

    References
    ----------
    li2021got.

    Examples
    --------
    >>> distance = np.array([[0, 0.2, 0.9], [0.2, 0, 1], [0.9, 1, 0]])
    >>> representative_capacity(distance, np.array([0.5, 0.5, 0.4])).tolist()
    [1.0, 0.2, 0.9]
    """
    distance, density = np.asarray(distance), np.asarray(density)
    n = len(density)
    if distance.shape != (n, n) or n < 1:
        raise InvalidParameterError(f"distance must have shape ({n}, {n}), one density a row. Got {distance.shape}")
    rank = np.empty(n, np.int64)
    rank[np.argsort(-density, kind="stable")] = np.arange(n)
    out = np.empty(n)
    map_blocks(
        lambda start, stop: _capacity_kernel(start, stop, distance, rank, out),
        n,
        monitor,
        "looking for denser neighbours",
    )
    out[rank == 0] = distance.max()
    return out


def prototype_ranking(density: NDArray, capacity: NDArray) -> NDArray[np.int64]:
    """Microclusters from the most to the least representative, by r = rho delta   (eq. 5): (n,).

    The first k are the prototypes. Values that differ by less than 1e-12 are equal; of equals the lower index
    comes first.

    Parameters
    ----------
    density : (n,) float
        rho, at least 0.
    capacity : (n,) float
        delta, at least 0.

    Returns
    -------
    (n,) int64
        A permutation of 0..n - 1.

    Examples
    --------
    >>> prototype_ranking(np.array([0.5, 0.5, 0.4]), np.array([1.0, 0.2, 0.9])).tolist()
    [0, 2, 1]
    """
    return np.argsort(-np.round(np.asarray(density) * capacity, 12), kind="stable")


@njit(cache=True, nogil=True)
def _capacity_kernel(start, stop, distance, rank, out):
    """The smallest distance to a node of higher rank, for nodes start..stop."""
    for i in range(start, stop):
        nearest = np.inf
        for j in range(len(rank)):
            if rank[j] < rank[i] and distance[i, j] < nearest:
                nearest = distance[i, j]
        out[i] = nearest


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
