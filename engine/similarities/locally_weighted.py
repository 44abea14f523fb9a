"""Locally weighted co-association: clusters that the others confirm count more (Huang, Wang and Lai 2018)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..clusters.reliability import ensemble_driven_cluster_index
from ..ensemble import Ensemble
from ..pairs.counts import shared_and_seen, weighted_co_association
from ..params import Params, param
from ..runtime.monitor import SILENT, Monitor
from .registry import PairEvidence


@dataclass(frozen=True)
class LWCAParams(Params):
    """How clusters are weighted."""

    theta: float = param(
        0.4,
        symbol="θ",
        doc="How hard uncertain clusters are punished; the paper advises 0.2 to 1.",
        raising="Raising it treats all clusters more alike; lowering it trusts only the most certain ones.",
        low=0.0,
        low_open=True,
        slider=(0.05, 4.0),
        log=True,
    )


def _weights(ensemble: Ensemble, params: LWCAParams, monitor: Monitor) -> NDArray[np.float64]:
    return ensemble_driven_cluster_index(ensemble, params.theta, monitor)


def _matrix(ensemble: Ensemble, params: LWCAParams, monitor: Monitor) -> NDArray[np.float32]:
    weights = _weights(ensemble, params, monitor)
    monitor.record("cluster_weights", weights)
    return weighted_co_association(ensemble, weights, monitor)


def _value(ensemble: Ensemble, params: LWCAParams, i: int, j: int) -> float:
    shared, n_seen = shared_and_seen(ensemble, i, j)
    clusters = ensemble.cluster_index[i, shared]
    return float(_weights(ensemble, params, SILENT)[clusters].sum() / max(1, n_seen))


EVIDENCE = PairEvidence(
    key="lwca",
    title="locally weighted (LWCA)",
    params=LWCAParams,
    matrix=_matrix,
    value=_value,
    weights=_weights,
    place=20,
)
