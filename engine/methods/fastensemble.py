"""FastEnsemble: edges whose ends are seldom together go, the others weigh their votes, and Leiden runs once more.

Tabatabaee, Wedell, Park and Warnow, "FastEnsemble: scalable ensemble clustering on large networks", PLOS Complex
Systems 2(10), 2025.
"""

from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from ..communities.leiden import FinalQuality, edge_votes, graph_of, voted_communities
from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..params import Choice, Params, param
from ..runtime.monitor import Monitor

_QUALITIES = get_args(FinalQuality)


@dataclass(frozen=True)
class FastEnsembleParams(Params):
    """Parameters of FastEnsemble."""

    threshold: float = param(
        0.8,
        symbol="t",
        word="threshold",
        doc="Share of votes below which an edge is dropped; 1 is the strict version.",
        raising="Raising it keeps only edges that nearly all agree on, and finds smaller communities.",
        concept="votes_threshold",
        low=0.0,
        high=1.0,
        slider=(0.0, 1.0),
    )
    quality: FinalQuality = param(
        "modularity",
        kind=Choice(choices=_QUALITIES, named=("modularity", "all pairs alike (RB)", "constant Potts model (CPM)")),
        symbol="quality",
        word="",
        doc="What the last run makes as large as can be.",
        concept="votes_quality",
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


def fastensemble(
    ensemble: Ensemble, n_clusters: int, params: FastEnsembleParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Drop edges with less than `threshold` of the votes, weigh the others by theirs, and find communities.

    The paper makes its own ten runs of Leiden; votes here are those of the ensemble. A microcluster is one node, so it
    is never split.
    """
    graph, votes = graph_of(ensemble), edge_votes(ensemble, monitor)
    votes[votes < params.threshold] = 0
    ends, seeds = (graph.sources, graph.targets), rng.integers(2**31, size=1)
    found = voted_communities(ensemble, ends, votes, params.quality, params.resolution, seeds, monitor)
    return ensemble.microclusters.expand(found[0])


METHOD = ConsensusMethod(
    key="fastensemble",
    title="FastEnsemble",
    formula=r"w_{ij} = v_{ij} \, [v_{ij} \ge <threshold>], \qquad v_{ij} = \frac{1}{<M>} \sum_{m=1}^{<M>} [c_m(i) = "
    r"c_m(j)], \quad ij \in E",
    try_this="raise the threshold to 1: only what no base clustering parts is left together.",
    params=FastEnsembleParams,
    run=fastensemble,
    reference="tabatabaee2025fastensemble",
    family="graphs",
    needs=frozenset({"graph", "igraph"}),
    takes_missing=True,
    finds_k=True,
    summary="Drops the edges of the graph whose ends are seldom together, and looks for communities in what is left.",
)
