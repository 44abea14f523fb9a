"""SRW, a reconstruction: labels spread from seeds by random walks on the co-association.

Abdala, Wattuya and Jiang, "Ensemble clustering via random walker consensus strategy", ICPR 2010. Only its abstract
was at hand: see `srw` for what is taken from where.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..params import Params, param
from ..runtime.monitor import SILENT, Monitor, Quiet
from ..trees.agglomeration import linkage
from ..trees.dendrograms import cut
from ..walks.seeded_walks import BETA, THRESHOLD, nearest_seeds, neighborhood, seeded_probabilities


@dataclass(frozen=True)
class SRWParams(Params):
    """The graph that is walked on, and where its seeds come from."""

    beta: float = param(
        1.0,
        symbol="β",
        doc="How much less a weaker link counts: a pair weighs exp(-β (1 - its co-association)).",
        raising="Raising it makes the walker keep to pairs that nearly always meet.",
        concept="srw_beta",
        kind=BETA,
    )
    threshold: float = param(
        0.0,
        symbol="τ",
        word="neighbourhood",
        doc="Share of the base clusterings in which two objects must meet to be neighbours.",
        raising="Raising it makes neighbourhoods small; the published abstract says that small ones do as well.",
        concept="srw_threshold",
        kind=THRESHOLD,
    )
    t0: float = param(
        0.5,
        symbol="t₀",
        doc="Groups held together by pairs that meet at least so often are candidates for seeds.",
        raising="Raising it starts from smaller, surer groups.",
        concept="srw_t0",
        low=0.0,
        high=1.0,
        slider=(0.0, 1.0),
    )


def candidate_seeds(
    together: NDArray, sizes: NDArray, t0: float, n_clusterings: int, n_seeds: int
) -> NDArray[np.int64]:
    """Groups of microclusters that strong pairs hold together, numbered from 0: (n,), -1 outside.

    Components of the pairs that meet in a share t0, two objects or more in each: what is left is for the walker. Where
    they are fewer than `n_seeds`, t0 rises by one base clustering at a time; past 1 every microcluster is a group.
    """
    counts = np.rint(together * n_clusterings).astype(np.int32)
    for level in range(max(1, int(np.ceil(t0 * n_clusterings - 1e-9))), n_clusterings + 1):
        component = connected_components(sparse.csr_array(counts >= level), directed=False)[1]
        held = np.bincount(component, weights=sizes) > 1
        if held.sum() >= n_seeds:
            return np.where(held, np.cumsum(held) - 1, -1)[component]
    return np.arange(len(sizes))


def merged_seeds(groups: NDArray, graph: sparse.csr_array, sizes: NDArray, k: int, monitor: Monitor) -> NDArray:
    """The two groups with the largest mean weight between them become one, until there are k: (n,), -1 outside."""
    found, placed = int(groups.max()) + 1, np.flatnonzero(groups >= 0)
    if found == k:
        return groups
    share = sparse.csr_array((sizes[placed].astype(float), (groups[placed], placed)), shape=(found, len(groups)))
    weight = share.sum(axis=1)
    means = (share @ graph @ share.T).toarray() / np.outer(weight, weight)
    asked = Quiet(lambda: monitor.tick("merging seeds", 0, 1))
    merged = cut(linkage((means + means.T) / 2, weight.astype(np.int64), monitor=asked), k)
    return np.where(groups >= 0, merged[groups], -1)


def srw(
    ensemble: Ensemble, n_clusters: int, params: SRWParams, rng: np.random.Generator, monitor: Monitor = SILENT
) -> NDArray[np.int32]:
    """Find k groups of seeds, and give every other microcluster to the seeds that a walker from it reaches first.

    A reconstruction. Of the paper itself: the graph comes from the ensemble, a small neighbourhood does as well as a
    large one, and labels spread by Grady's random walker. From the same group's combination of segmentations, as
    remembered: weights exp(-beta (1 - a_ij)), candidate seeds from strong links, merged by their mean weight until k
    are left. Ours: neighbourhoods are all pairs above a threshold, so that microclusters stay whole, and a microcluster
    that reaches no seed joins those it meets most. Nothing is drawn. The defaults are the settings that come nearest to
    the printed numbers of all sets together, by .20 of NMI on average (bench/results/srw.md): none comes near. O(n^2 M)
    for the graph, then O(links k) a round of the solver.

    References
    ----------
    abdala2010srw; grady2006walks.
    """
    micro, n = ensemble.microclusters, len(ensemble.microclusters)
    if n_clusters == n:
        return micro.assignment
    together, graph = neighborhood(ensemble, params.beta, params.threshold, monitor)
    monitor.record("co_association", together)
    monitor.record("graph", graph)
    monitor.tick("looking for seeds", 0, 1)
    groups = candidate_seeds(together, micro.sizes, params.t0, ensemble.n_clusterings, n_clusters)
    monitor.tick("looking for seeds", 1, 1)
    seeds = merged_seeds(groups, graph, micro.sizes, n_clusters, monitor)
    probabilities = seeded_probabilities(graph, micro.sizes, seeds, monitor)
    return micro.expand(nearest_seeds(probabilities, together, micro.sizes, seeds).astype(np.int32))


METHOD = ConsensusMethod(
    key="srw",
    title="SRW (reconstruction)",
    formula=(
        r"p_i = \frac{\sum_j w_{ij} p_j}{\sum_j w_{ij}}, \quad w_{ij} = e^{-<beta> (1 - a_{ij})} \text{ where } "
        r"a_{ij} \ge <threshold>, \quad p = 1 \text{ at seeds}, \; a \ge <t0>"
    ),
    try_this="lower t₀ step by step, and see seeds grow together until a few outsiders are clusters of their own.",
    params=SRWParams,
    run=srw,
    reference="abdala2010srw",
    family="graphs",
    needs=frozenset({"dense"}),
    pictures=frozenset({"graph"}),
    summary="Takes groups that strong pairs hold together as seeds, and gives every other object to the seeds a random "
    "walker from it reaches first. Rebuilt from the abstract.",
)
