"""Objects are alike where their clusters are: by shared neighbours, by walks, or by SimRank."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..clusters.pair_lookups import Pairs, mean_of_pair, mean_over_clusters
from ..clusters.shared_neighbours import approximate_simrank, cluster_simrank, connected_triples, triple_quality
from ..ensemble import Ensemble
from ..ensemble.ensembles import require_complete
from ..params import Params, param
from ..runtime.monitor import SILENT, Monitor
from ..walks.trajectories import propagated_similarity
from .registry import PairEvidence


def looked_up(
    key: str,
    title: str,
    params: type[Params],
    between: Callable[[Ensemble, Any, Monitor], NDArray[np.float64]],
    pairs: Pairs,
    place: int,
) -> PairEvidence:
    """The kind of evidence that averages a similarity of clusters, `between(ensemble, params, monitor)`: (K, K)."""

    def matrix(ensemble: Ensemble, params: Any, monitor: Monitor) -> NDArray[np.float32]:
        require_complete(ensemble, "similarity of clusters")
        return mean_over_clusters(ensemble, between(ensemble, params, monitor), pairs, monitor)

    def value(ensemble: Ensemble, params: Any, i: int, j: int) -> float:
        require_complete(ensemble, "similarity of clusters")
        return mean_of_pair(ensemble, _latest(ensemble, params), pairs, i, j)

    def _latest(ensemble: Ensemble, params: Any) -> NDArray[np.float64]:
        """The clusters' similarity, kept under the latest parameters: a person asks for one pair after the other."""
        kept: dict[Any, NDArray[np.float64]] = ensemble.remember(f"{key} between clusters", dict)
        found = kept.get(params)
        if found is None:
            found = between(ensemble, params, SILENT)
            kept.clear()
            kept[params] = found
        return found

    return PairEvidence(key, title, params, matrix, value, place=place, takes_missing=False)


@dataclass(frozen=True)
class DecayParams(Params):
    """What is alike but not the same counts less."""

    dc: float = param(
        0.8,
        symbol="dc",
        doc="Decay: what similarity of clusters counts beside sharing a cluster. 0 counts shared clusters only.",
        raising="Raising it lets clusters that meet the same others pull their objects together across a border.",
        low=0.0,
        high=1.0,
        slider=(0.0, 1.0),
    )


def _connected_triples(ensemble: Ensemble, params: DecayParams, monitor: Monitor) -> NDArray[np.float64]:
    return connected_triples(ensemble, params.dc, monitor)


CONNECTED_TRIPLES = looked_up("wct", "connected triples (WCT)", DecayParams, _connected_triples, "same base", place=40)


def _triple_quality(ensemble: Ensemble, params: DecayParams, monitor: Monitor) -> NDArray[np.float64]:
    return triple_quality(ensemble, params.dc, monitor)


TRIPLE_QUALITY = looked_up(
    "wtq", "triple quality (WTQ, reconstruction)", DecayParams, _triple_quality, "same base", place=41
)


@dataclass(frozen=True)
class SimRankParams(DecayParams):
    """What a step from cluster to object and back is worth, and how many there are."""

    R: int = param(
        5,
        symbol="R",
        word="rounds",
        doc="Rounds of SimRank, the start counted as the first. 5, as published, is an early stop; at 60 nothing moves "
        "any more.",
        raising="Raising it lets similarity come from farther away; 2 counts shared clusters only.",
        low=2,
        high=100,
        slider=(2, 60),
    )


def _simrank(ensemble: Ensemble, params: SimRankParams, monitor: Monitor) -> NDArray[np.float64]:
    return cluster_simrank(ensemble, params.dc, params.R, monitor)


SIMRANK = looked_up("srs", "SimRank (SRS)", SimRankParams, _simrank, "all", place=42)


def _approximate_simrank(ensemble: Ensemble, params: DecayParams, monitor: Monitor) -> NDArray[np.float64]:
    return approximate_simrank(ensemble, params.dc, False, monitor)


APPROXIMATE_SIMRANK = looked_up(
    "asrs", "approximate SimRank (ASRS)", DecayParams, _approximate_simrank, "all", place=43
)


@dataclass(frozen=True)
class PropagationParams(Params):
    """How far similarity spreads from cluster to cluster."""

    T: int = param(
        20,
        symbol="t",
        word="steps",
        concept="ecpcs_T",
        doc="Length of the random walks from cluster to cluster; the paper takes 20.",
        raising="Raising it spreads similarity further, until all walks look alike and the tree becomes arbitrary.",
        low=1,
        slider=(1, 100),
    )


def _propagated(ensemble: Ensemble, params: PropagationParams, monitor: Monitor) -> NDArray[np.float64]:
    return propagated_similarity(ensemble, params.T, monitor)


PROPAGATED = looked_up("ecpcs", "propagated clusters (ECPCS)", PropagationParams, _propagated, "same base", place=50)
