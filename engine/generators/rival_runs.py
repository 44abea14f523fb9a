"""Ensembles by rival penalised competitive learning: the winner comes nearer, its rival is pushed off.

Xu, Krzyzak and Oja, "Rival penalized competitive learning for clustering analysis, RBF net, and curve detection", IEEE
T. Neural Networks 4(4), 1993.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..ensemble import Ensemble
from ..ensemble.microclusters import find_microclusters
from ..params import Interval, Params, param
from ..runtime.blocks import map_blocks
from ..runtime.monitor import SILENT, Monitor, Relay
from .kmeans_runs import as_features
from .registry import Generator, KRange, by_name, k_bounds, require_clusterings, streams_of

#: Rates of the rival that a person chooses among.
RIVAL_RATES = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05)
#: Draws of a run that leaves fewer than two clusters; the last goes without a penalty.
MAX_DRAWS = 20


@dataclass(frozen=True)
class RPCLParams(Params):
    """Parameters of rival penalised competitive learning as a base clusterer."""

    k_range: str | tuple[int, int] = param(
        "half_sqrt",
        kind=KRange(),
        symbol="k at the start",
        word="",
        doc="Units each begins with, drawn at random from this range; rivals drive some of them out.",
        raising="More units make purer clusters that see less of the whole.",
        concept="rpcl_k",
    )
    rival_rate: tuple[float, float] = param(
        (0.002, 0.01),
        kind=Interval(marks=RIVAL_RATES),
        symbol="rate of the rival",
        word="",
        doc="Range the rate is drawn from. Low: nobody is driven out. High: one cluster may be left. No rate suits all "
        "data.",
        concept="rpcl_rival",
    )
    winner_rate: float = param(
        0.05,
        symbol="rate of the winner",
        word="",
        doc="Share of the way the nearest unit moves to an object.",
        raising="Raising it makes units restless; what counts is the rival's rate over it.",
        concept="rpcl_winner",
        low=0.0,
        low_open=True,
        high=1.0,
        slider=(0.01, 0.2),
    )
    epochs: int = param(
        20,
        symbol="epochs",
        doc="How often all objects are shown, in a new order each time.",
        raising="Raising it drives more units out.",
        concept="rpcl_epochs",
        low=1,
        high=1000,
        slider=(1, 100),
    )


def rpcl_ensemble(
    features: ArrayLike,
    n_clusterings: int,
    k_range: str | tuple[int, int] = "half_sqrt",
    seed: int = 0,
    *,
    rival_rate: tuple[float, float] = (0.002, 0.01),
    winner_rate: float = 0.05,
    epochs: int = 20,
    first: int = 0,
    monitor: Monitor = SILENT,
) -> Ensemble:
    """Cluster the objects M times by rival penalised competitive learning.

    For each object, in random order, the unit with the lowest g_j |x - w_j|^2 wins, g_j its share of the wins so far:
    it moves by `winner_rate` towards the object, the second by the rival's rate away from it. Labels are nearest units.

    Parameters
    ----------
    features : (N, D) float
        Scaled as you wish, best to variance 1; finite.
    n_clusterings : int
        M >= 1. The first clusterings do not depend on M.
    k_range : str or (low, high)
        Units at the start: see `k_bounds`.
    seed : int
        The same seed gives the same labels on any number of threads.
    rival_rate : (float, float)
        The rate is drawn from this range, once a clustering.
    winner_rate : float
        In (0, 1].
    epochs : int
    first : int
        Leave out so many clusterings at the beginning.
    monitor : Monitor, optional

    Returns
    -------
    Ensemble
        With these settings, and units at the start and at the end, in `provenance`.

    Raises
    ------
    InvalidParameterError, Cancelled

    Notes
    -----
    O(epochs N k D) a clustering. A run that leaves fewer than two clusters is drawn anew, at last without a penalty:
    the paper's pools do not say what became of such runs.

    References
    ----------
    xu1993rpcl; huang2016pta, Section 5.2.

    Examples
    --------
    >>> points = np.random.default_rng(0).normal(size=(60, 2))
    >>> rpcl_ensemble(points, 5, (3, 4), seed=1).labels.shape
    (60, 5)
    """
    points = as_features(features).astype(np.float64)
    n_clusterings = require_clusterings(n_clusterings)
    settings = RPCLParams(k_range, rival_rate, winner_rate, epochs)
    low, high = k_bounds(k_range, len(points))
    distinct = find_microclusters((points + 0.0).view(np.int32)).representatives
    children = streams_of(seed, n_clusterings, first)
    labels, started = np.empty((len(points), n_clusterings), np.int32), [0] * n_clusterings
    relay = Relay(monitor)

    def fit(start: int, stop: int) -> None:
        for m in range(start, stop):
            rng = np.random.default_rng(children[m])
            started[m] = min(int(rng.integers(low, high + 1)), len(distinct))
            labels[:, m] = _one_run(points, distinct, started[m], settings, rng, relay.inner)

    map_blocks(fit, n_clusterings, relay, "letting units compete", block=1)
    ensemble = Ensemble.from_labels(labels)
    provenance = {
        "generator": "RPCL",
        "k": ensemble.n_clusters_each.tolist(),
        "k_at_start": started,
        "k_range": [low, high],
        "seed": seed,
        **{name: settings.as_dict()[name] for name in ("rival_rate", "winner_rate", "epochs")},
    }
    return Ensemble.from_labels(labels, provenance=provenance)


def _one_run(
    points: NDArray[np.float64],
    distinct: NDArray[np.int64],
    k: int,
    settings: RPCLParams,
    rng: np.random.Generator,
    monitor: Monitor,
) -> NDArray[np.int32]:
    """Labels of the first draw that leaves two clusters, if the objects can be told apart."""
    labels = np.zeros(len(points), np.int32)
    for draw in range(MAX_DRAWS if k > 1 else 0):
        units = points[rng.choice(distinct, k, replace=False)]
        rate = rng.uniform(*settings.rival_rate) if draw < MAX_DRAWS - 1 else 0.0
        wins = np.ones(k)
        for epoch in range(settings.epochs):
            monitor.tick("showing objects", epoch, settings.epochs)
            _epoch_kernel(points, rng.permutation(len(points)), settings.winner_rate, rate, units, wins)
        _nearest_kernel(points, units, labels)
        if (labels != labels[0]).any():
            break
    return labels


@njit(cache=True, nogil=True)
def _epoch_kernel(points, order, winner_rate, rival_rate, units, wins):
    """Show every object once."""
    for i in order:
        winner, rival, near, next_near = 0, -1, np.inf, np.inf
        for j in range(len(units)):
            far = 0.0
            for t in range(points.shape[1]):
                far += (points[i, t] - units[j, t]) ** 2
            far *= wins[j]  # the share of wins, times the number of objects shown: alike for all units
            if far < near:
                winner, rival, near, next_near = j, winner if near < np.inf else -1, far, near
            elif far < next_near:
                rival, next_near = j, far
        wins[winner] += 1
        for t in range(points.shape[1]):
            units[winner, t] += winner_rate * (points[i, t] - units[winner, t])
            if rival >= 0:
                units[rival, t] -= rival_rate * (points[i, t] - units[rival, t])


@njit(cache=True, nogil=True)
def _nearest_kernel(points, units, labels):
    """Nearest unit of every object, the lowest if they tie."""
    for i in range(len(points)):
        near = np.inf
        for j in range(len(units)):
            far = 0.0
            for t in range(points.shape[1]):
                far += (points[i, t] - units[j, t]) ** 2
            if far < near:
                near, labels[i] = far, j


GENERATOR = Generator(
    key="rpcl",
    title="competitive learning (RPCL)",
    params=RPCLParams,
    make=by_name(rpcl_ensemble),
    nested=True,
    reference="xu1993rpcl",
    summary="In each, units compete for objects: the winner comes nearer, the second is pushed off, and some are "
    "driven out.",
)
