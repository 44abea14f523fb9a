"""How often two objects meet: co-association, plain and by weights of clusters or of base clusterings."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..clusters.reliability import ensemble_driven_cluster_index
from ..ensemble import Ensemble
from ..pairs.agreement import crowd_weights
from ..pairs.counts import co_association, shared_and_seen, weighted_co_association
from ..params import Params, param
from ..runtime.monitor import SILENT, Monitor
from .registry import PairEvidence


@dataclass(frozen=True)
class CAParams(Params):
    """Co-association has no parameters."""


def _plain(ensemble: Ensemble, params: CAParams, monitor: Monitor) -> NDArray[np.float32]:
    return co_association(ensemble, monitor)


def _plain_value(ensemble: Ensemble, params: CAParams, i: int, j: int) -> float:
    shared, n_seen = shared_and_seen(ensemble, i, j)
    return float(shared.sum() / max(1, n_seen))


def _equal_weights(ensemble: Ensemble, params: CAParams, monitor: Monitor) -> NDArray[np.float64]:
    return np.ones(ensemble.n_clusters_total)


PLAIN = PairEvidence(
    key="ca",
    title="co-association (CA)",
    params=CAParams,
    matrix=_plain,
    value=_plain_value,
    weights=_equal_weights,
    place=10,
)


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


def _locally_weighted(ensemble: Ensemble, params: LWCAParams, monitor: Monitor) -> NDArray[np.float32]:
    weights = _weights(ensemble, params, monitor)
    monitor.record("cluster_weights", weights)
    return weighted_co_association(ensemble, weights, monitor)


def _locally_weighted_value(ensemble: Ensemble, params: LWCAParams, i: int, j: int) -> float:
    shared, n_seen = shared_and_seen(ensemble, i, j)
    clusters = ensemble.cluster_index[i, shared]
    return float(_weights(ensemble, params, SILENT)[clusters].sum() / max(1, n_seen))


LOCALLY_WEIGHTED = PairEvidence(
    key="lwca",
    title="locally weighted (LWCA)",
    params=LWCAParams,
    matrix=_locally_weighted,
    value=_locally_weighted_value,
    weights=_weights,
    place=20,
)


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
    """The weight of every base clustering, (M,), scaled to mean 1."""
    weights = crowd_weights(ensemble, params.beta, monitor)
    monitor.record("clustering_weights", weights)
    return weights * (len(weights) / weights.sum())


def _of_clusters(ensemble: Ensemble, params: WCAParams, monitor: Monitor) -> NDArray[np.float64]:
    return np.repeat(scaled_weights(ensemble, params, monitor), ensemble.n_clusters_each)


def _crowd_weighted(ensemble: Ensemble, params: WCAParams, monitor: Monitor) -> NDArray[np.float32]:
    votes = scaled_weights(ensemble, params, monitor)
    return weighted_co_association(ensemble, np.repeat(votes, ensemble.n_clusters_each), monitor, np.float32, votes)


def _crowd_weighted_value(ensemble: Ensemble, params: WCAParams, i: int, j: int) -> float:
    votes = crowd_weights(ensemble, params.beta, SILENT)
    seen = (ensemble.labels[[i, j]] >= 0).all(axis=0)
    whole = votes[seen].sum()
    return float(votes[seen & (ensemble.labels[i] == ensemble.labels[j])].sum() / whole) if whole > 0 else 0.0


CROWD_WEIGHTED = PairEvidence(
    key="wca",
    title="crowd-weighted (WCA)",
    params=WCAParams,
    matrix=_crowd_weighted,
    value=_crowd_weighted_value,
    weights=_of_clusters,
    place=25,
)
