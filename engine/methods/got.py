"""Growing trees: prototypes are dense and far from anything denser; trees grow from them, the clearest ties first.

Li, Qian and Wang, "GoT: a growing tree model for clustering ensemble", AAAI 2021, Algorithm 3.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.consensus import ConsensusMethod
from engine.ensemble import Ensemble
from engine.evidence import (
    co_association,
    distance_steps,
    local_density,
    prototype_ranking,
    refined_log_distance,
    representative_capacity,
)
from engine.monitor import Monitor
from engine.params import Params, param
from engine.partition import grow_as_published, grow_trees


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
        doc="The paper's algorithms, or what the authors' code does: it grows on the refined distance, always "
        "refines, takes at most 2,000 objects, and may leave one cluster more than asked for.",
    )


def got(
    ensemble: Ensemble, n_clusters: int, params: GoTParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Find k prototypes on the refined distance, and let trees grow from them through the co-association matrix."""
    if params.variant == "published-code":
        return _as_published(ensemble, n_clusters, monitor)
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


def _as_published(ensemble: Ensemble, n_clusters: int, monitor: Monitor) -> NDArray[np.int32]:
    """What the authors' code answers, on objects: prototypes by capacity alone, growth on the refined distance."""
    micro = ensemble.microclusters
    if n_clusters == len(micro):
        return micro.assignment
    distance = refined_log_distance(ensemble, monitor)
    density = local_density(ensemble)
    capacity = representative_capacity(distance, micro.expand(density), monitor)
    prototypes = np.argsort(-capacity, kind="stable")[:n_clusters]
    monitor.record("density", density)
    return grow_as_published(distance, prototypes, monitor)


METHOD = ConsensusMethod(
    key="got",
    title="GoT",
    params=GoTParams,
    run=got,
    reference="li2021got",
    needs=frozenset({"dense"}),
    summary="Plants trees at representative objects and lets them grow, the clearest ties first.",
)
