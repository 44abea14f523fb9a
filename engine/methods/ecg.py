"""Ensemble clustering for graphs: edges weigh what they have of votes, and communities are found once more.

Poulin and Theberge, "Ensemble clustering for graphs: comparisons and applications", Applied Network Science 4, 2019.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..communities.leiden import edge_votes, graph_of, two_core, voted_communities
from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..params import Params, param
from ..runtime.monitor import Monitor


@dataclass(frozen=True)
class ECGParams(Params):
    """Parameters of ECG."""

    min_weight: float = param(
        0.05,
        symbol="w₀",
        word="smallest weight",
        doc="Weight of an edge without a vote, and of edges that lead nowhere.",
        raising="Raising it lets the graph speak louder than the base clusterings.",
        concept="ecg_min_weight",
        low=0.0,
        high=1.0,
        slider=(0.0, 0.5),
    )
    resolution: float = param(
        1.0,
        symbol="γ",
        word="resolution",
        doc="How much weight communities must have inside, as a multiple of what is expected.",
        raising="Raising it finds more and smaller communities.",
        concept="votes_resolution",
        low=0.0,
        low_open=True,
        slider=(0.1, 10.0),
        log=True,
    )


def edge_weights(ensemble: Ensemble, min_weight: float, monitor: Monitor) -> NDArray[np.float64]:
    """What every edge of the graph weighs: min + (1 - min) votes in the 2-core, min outside: (E,)."""
    graph = graph_of(ensemble)
    votes, inner = edge_votes(ensemble, monitor), two_core(graph)
    votes[~(inner[graph.sources] & inner[graph.targets])] = 0
    return min_weight + (1 - min_weight) * votes


def ecg(
    ensemble: Ensemble, n_clusters: int, params: ECGParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Weigh edges of the 2-core by min + (1 - min) votes, others by min, and find communities of most modularity.

    The paper makes its own votes, by single levels of Louvain (quality "first_level" of the generator), and ends with
    Louvain; votes here are those of the ensemble, and Leiden ends. A microcluster is one node, so it is never split.
    """
    graph, weights = graph_of(ensemble), edge_weights(ensemble, params.min_weight, monitor)
    monitor.record("edge_agreement", 1 - 2 * float(np.minimum(weights, 1 - weights).mean()) if len(weights) else 1.0)
    found = voted_communities(
        ensemble,
        (graph.sources, graph.targets),
        weights,
        "modularity",
        params.resolution,
        rng.integers(2**31, size=1),
        monitor,
    )
    return ensemble.microclusters.expand(found[0])


METHOD = ConsensusMethod(
    key="ecg",
    title="ECG",
    formula=r"w_{ij} = <min_weight> + (1 - <min_weight>) \frac{1}{<M>} \sum_{m=1}^{<M>} [c_m(i) = c_m(j)], \quad ij "
    r"\in E \text{ in the 2-core, else } <min_weight>",
    try_this="make base clusterings by the first level of Louvain: many small communities, as the paper has them.",
    params=ECGParams,
    run=ecg,
    reference="poulin2019ecg",
    family="graphs",
    needs=frozenset({"graph", "igraph"}),
    takes_missing=True,
    finds_k=True,
    summary="Weighs every edge of the graph by how often its ends are together, and looks for communities once more.",
)
