"""Evidence accumulation clustering: cut the tree of the co-association matrix.

Fred and Jain, "Combining multiple clusterings using evidence accumulation", IEEE TPAMI 27(6), 2005.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.consensus import ConsensusMethod
from engine.ensemble import Ensemble
from engine.evidence import co_association
from engine.monitor import Monitor
from engine.params import Params, param
from engine.partition import cut, linkage


@dataclass(frozen=True)
class EACParams(Params):
    """Parameters of EAC."""

    linkage: Literal["average", "complete", "single"] = param(
        "average",
        symbol="linkage",
        doc="How similar two groups are: the mean, the lowest or the highest similarity between their objects.",
    )


def eac(
    ensemble: Ensemble, n_clusters: int, params: EACParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Count how often objects meet, then merge what meets most."""
    micro = ensemble.microclusters
    similarity = co_association(ensemble, monitor)
    monitor.record("co_association", similarity)
    tree = linkage(similarity, micro.sizes, params.linkage, monitor, overwrite=True)
    monitor.record("dendrogram", tree)
    return micro.expand(cut(tree, n_clusters))


METHOD = ConsensusMethod(
    key="eac",
    title="EAC",
    params=EACParams,
    run=eac,
    reference="fred2005eac",
    needs=frozenset({"dense"}),
    summary="Counts how often two objects share a cluster, and merges those that meet most.",
)
