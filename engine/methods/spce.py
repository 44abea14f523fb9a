"""Self-paced clustering ensemble: a graph of k components, learnt from easy links first.

Zhou, Du, Liu, Shen, Fan and Li, "Self-paced clustering ensemble", IEEE TNNLS 32(4), 2021.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..evidence.self_paced_graphs import self_paced_graph
from ..params import Params, param
from ..runtime.monitor import Monitor
from .learnt_graphs import learnt_partition


@dataclass(frozen=True)
class SPCEParams(Params):
    """Parameters of SPCE."""

    g: float = param(
        0.1,
        symbol="g",
        doc="Links weaker than this are cut, sooner where base clusterings disagree. The published tables tuned it on "
        "the truth.",
        raising="Raising it tears the graph: from 0.5 on into far too many pieces.",
        concept="spce_g",
        low=0.0,
        high=0.99,
        slider=(0.0, 0.9),
    )


def spce(
    ensemble: Ensemble, n_clusters: int, params: SPCEParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Learn the graph, and take its components; average link on the co-association mends their number."""
    if n_clusters == len(ensemble.microclusters):
        return ensemble.microclusters.assignment
    learnt = self_paced_graph(ensemble, n_clusters, params.g, monitor)
    return learnt_partition(ensemble, n_clusters, learnt, monitor)


METHOD = ConsensusMethod(
    key="spce",
    title="SPCE",
    formula=(
        r"\min_{S, W} \sum_m \lVert (S - A_m) \circ W \rVert_F \quad \text{with } S \text{ of } <k> \text{ "
        r"components},\; s_{ij} = 0 \text{ below } <g> M / (W_{ij} \sqrt{\textstyle\sum_m 1 / p_m})"
    ),
    try_this="raise g: weak links go first, and the graph falls apart sooner.",
    params=SPCEParams,
    run=spce,
    reference="zhou2021spce",
    family="learnt",
    needs=frozenset({"dense"}),
    pictures=frozenset({"learnt_graph"}),
    summary="Learns a graph that falls into k pieces by itself: links all agree on come first, doubtful ones later.",
)
