"""TOME, a reconstruction: co-association refined twice, similarity along paths, normalised cut.

Zhong, Yue, Zhang and Lei, "A clustering ensemble: two-level-refined co-association matrix with path-based
transformation", Pattern Recognition 48(8), 2015.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..evidence.two_level_refinement import two_level_co_association
from ..params import Params, param
from ..partition.best_paths import path_similarity, spectral_normalized_cut
from ..runtime.monitor import Monitor


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
