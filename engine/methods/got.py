"""Growing trees: prototypes are dense and far from anything denser; trees grow from them, the clearest ties first.

Li, Qian and Wang, "GoT: a growing tree model for clustering ensemble", AAAI 2021, Algorithm 3.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..growth.distances import distance_steps
from ..growth.ground import local_density, prototype_ranking, representative_capacity
from ..growth.growing import grow_trees
from ..pairs.counts import co_association
from ..params import Params, param
from ..runtime.monitor import Monitor
from .got_published_code import published_trees


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
