"""Crowd-weighted co-association: base clusterings that agree with the others count more (Huang et al. 2015)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..pairs.agreement import crowd_weights
from ..pairs.counts import shared_and_seen, weighted_co_association
from ..params import Params, param
from ..runtime.monitor import SILENT, Monitor
from .registry import PairEvidence


@dataclass(frozen=True)
class WCAParams(Params):
    """How base clusterings are weighted."""

    beta: float = param(
        2.0,
        symbol="β",
        doc="Exponent of a base clustering's agreement with the others: what agreeing with the crowd counts.",
        raising="Raising it lets the base clusterings that agree with the crowd outvote the rest; a good loner loses "
        "its voice. At 0 all count the same.",
        low=0.0,
        slider=(0.0, 10.0),
    )


def scaled_weights(ensemble: Ensemble, params: WCAParams, monitor: Monitor) -> NDArray[np.float64]:
    """The weight of its base clustering for every cluster, scaled to mean 1 over base clusterings."""
    weights = crowd_weights(ensemble, params.beta, monitor)
    monitor.record("clustering_weights", weights)
    return np.repeat(weights * (len(weights) / weights.sum()), ensemble.n_clusters_each)


def _matrix(ensemble: Ensemble, params: WCAParams, monitor: Monitor) -> NDArray[np.float32]:
    return weighted_co_association(ensemble, scaled_weights(ensemble, params, monitor), monitor)


def _value(ensemble: Ensemble, params: WCAParams, i: int, j: int) -> float:
    shared, n_seen = shared_and_seen(ensemble, i, j)
    weights = crowd_weights(ensemble, params.beta, SILENT)
    whole = weights.sum() if n_seen == len(weights) else weights.mean() * max(1, n_seen)
    return float(weights[shared].sum() / whole)


EVIDENCE = PairEvidence(
    key="wca",
    title="crowd-weighted (WCA)",
    params=WCAParams,
    matrix=_matrix,
    value=_value,
    weights=scaled_weights,
    place=25,
)
