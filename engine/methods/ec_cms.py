"""EC-CMS: the co-association matrix enhances itself, then its tree is cut.

Jia, Tao, Wang and Wang, "Ensemble clustering via co-association matrix self-enhancement", IEEE TNNLS, 2023.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..enhancement.enhanced_evidence import EnhancementParams, enhance_chosen
from ..enhancement.spreading import require_enhancement
from ..ensemble import Ensemble
from ..runtime.monitor import Monitor
from ..trees.agglomeration import linkage
from ..trees.dendrograms import cut


@dataclass(frozen=True)
class ECCMSParams(EnhancementParams):
    """Parameters of EC-CMS."""


def ec_cms(
    ensemble: Ensemble, n_clusters: int, params: ECCMSParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Enhance the evidence along the pairs that nearly all base clusterings agree on, and merge what meets most."""
    micro = ensemble.microclusters
    require_enhancement(len(micro))
    enhanced = enhance_chosen(ensemble, params, monitor)
    monitor.record("residuals", enhanced.residuals)
    monitor.record("enhanced", enhanced.matrix)
    tree = linkage(enhanced.matrix, micro.sizes, "average", monitor, overwrite=True)
    monitor.record("dendrogram", tree)
    return micro.expand(cut(tree, n_clusters))


METHOD = ConsensusMethod(
    key="ec_cms",
    title="EC-CMS",
    formula=(
        r"\min_{C, E} \tfrac12 \lVert C \rVert_L^2 + \tfrac{<lam>}{2} \lVert E \rVert_F^2 \quad \text{with "
        r"} C + E = A,\; C \ge 0,\; H = \{a_{ij} \ge <alpha>\}"
    ),
    try_this=("lower α step by step on the page Enhanced matrix, and see from where on wrong pairs spread too."),
    params=ECCMSParams,
    run=ec_cms,
    reference="jia2023eccms",
    family="learnt",
    needs=frozenset({"dense"}),
    summary="Takes the pairs nearly all clusterings agree on as certain, lets what is known of one spread to the "
    "other, and merges those that then meet most.",
)
