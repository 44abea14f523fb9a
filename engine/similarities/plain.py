"""Co-association: the share of base clusterings that put two objects together (Fred and Jain 2005)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..pairs.counts import co_association, shared_and_seen
from ..params import Params
from ..runtime.monitor import Monitor
from .registry import PairEvidence


@dataclass(frozen=True)
class CAParams(Params):
    """Co-association has no parameters."""


def _matrix(ensemble: Ensemble, params: CAParams, monitor: Monitor) -> NDArray[np.float32]:
    return co_association(ensemble, monitor)


def _value(ensemble: Ensemble, params: CAParams, i: int, j: int) -> float:
    shared, n_seen = shared_and_seen(ensemble, i, j)
    return float(shared.sum() / max(1, n_seen))


def _weights(ensemble: Ensemble, params: CAParams, monitor: Monitor) -> NDArray[np.float64]:
    return np.ones(ensemble.n_clusters_total)


EVIDENCE = PairEvidence(
    key="ca", title="co-association (CA)", params=CAParams, matrix=_matrix, value=_value, weights=_weights, place=10
)
