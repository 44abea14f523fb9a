"""Tri-level robust clustering ensemble: a graph of k components, learnt from all base clusterings.

Zhou, Du, Shen and Li, "Tri-level robust clustering ensemble with multiple graph learning", AAAI 2021.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..evidence.tri_level_graphs import tri_level_graph
from ..params import Params, param
from ..runtime.monitor import Monitor
from .learnt_graphs import learnt_partition


@dataclass(frozen=True)
class TRCEParams(Params):
    """Parameters of TRCE."""

    gamma: float = param(
        1.0,
        symbol="γ",
        word="gamma",
        doc="How close the learnt graph stays to what the base clusterings say.",
        raising="Raising it far leaves everything linked; lowering it far tears the graph into too many pieces.",
        concept="trce_gamma",
        low=0.0,
        low_open=True,
        slider=(1e-5, 1e5),
        log=True,
    )
    variant: Literal["paper", "published-code"] = param(
        "paper",
        symbol="variant",
        doc="The paper's rounds until they settle; or those of the published code, at most 10, in which only the last "
        "base clustering says which objects to trust.",
        concept="trce_variant",
    )


def trce(
    ensemble: Ensemble, n_clusters: int, params: TRCEParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Learn the graph, and take its components; average link on the co-association mends their number."""
    if n_clusters == len(ensemble.microclusters):
        return ensemble.microclusters.assignment
    published = params.variant == "published-code"
    learnt = tri_level_graph(ensemble, n_clusters, params.gamma, published, monitor)
    return learnt_partition(ensemble, n_clusters, learnt, monitor)


METHOD = ConsensusMethod(
    key="trce",
    title="TRCE",
    formula=(
        r"\min \sum_i w_i^2 \sum_m \alpha_m \mathrm{KL}(A_{m,i} \,\Vert\, B_i) + <gamma> \lVert B - S "
        r"\rVert^2 - \text{age} \sum_i w_i \quad \text{with } S \text{ of } <k> \text{ components}"
    ),
    try_this="raise γ: the graph that falls apart stays closer to what the clusterings say.",
    params=TRCEParams,
    run=trce,
    reference="zhou2021trce",
    family="learnt",
    needs=frozenset({"dense"}),
    pictures=frozenset({"learnt_graph"}),
    summary="Learns a graph that falls into k pieces by itself, and trusts bad clusterings, odd objects and doubtful "
    "links less.",
)
