"""Pools of base clusterings as papers make them: half k-means, half competitive learning; and draws from a pool."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..ensemble import Ensemble
from ..ensemble.reading_labels import as_array, unmasked
from ..params import require_integer
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor, Part
from .kmeans_runs import as_features, kmeans_ensemble
from .registry import Generator, require_clusterings
from .rival_runs import RPCLParams, rpcl_ensemble


@dataclass(frozen=True)
class MixedParams(RPCLParams):
    """Parameters of both halves: those of RPCL, of which k-means takes the range of k."""


def mixed_ensemble(
    features: ArrayLike,
    n_clusterings: int,
    params: Mapping[str, Any] | RPCLParams | None = None,
    seed: int = 0,
    *,
    first: int = 0,
    monitor: Monitor = SILENT,
) -> Ensemble:
    """Cluster the objects M times: by k-means the first, third, fifth time, by RPCL between.

    Parameters
    ----------
    features : (N, D) float
    n_clusterings : int
        M >= 1. The first clusterings do not depend on M.
    params : mapping or RPCLParams, optional
        Parameters by name; what is not named takes the defaults.
    seed : int
    first : int
        Leave out so many clusterings at the beginning.
    monitor : Monitor, optional

    Returns
    -------
    Ensemble
        With which made which in `provenance`.

    Raises
    ------
    InvalidParameterError, Cancelled

    References
    ----------
    huang2016pta, Section 5.2: 100 runs of each, k in [2, min(sqrt(N) / 2, 50)].

    Examples
    --------
    >>> points = np.random.default_rng(0).normal(size=(60, 2))
    >>> mixed_ensemble(points, 3, seed=1).provenance["makers"]
    ['k-means', 'RPCL', 'k-means']
    """
    params = RPCLParams.of(params)
    first = require_integer("first", first)
    turns = np.arange(first, first + require_clusterings(n_clusterings)) % 2
    labels = np.empty((len(as_features(features)), len(turns)), np.int32)
    for maker in (0, 1):
        own, before = np.flatnonzero(turns == maker), (first + 1 - maker) // 2
        if not len(own):
            continue
        part = Part(monitor, int((turns < maker).sum()), len(turns), len(own))
        if maker == 0:
            made = kmeans_ensemble(features, len(own), params.k_range, seed, first=before, monitor=part)
        else:
            made = rpcl_ensemble(features, len(own), seed=seed, first=before, monitor=part, **params.as_dict())
        labels[:, own] = made.labels
    provenance = {
        "generator": "k-means and RPCL",
        "makers": [("k-means", "RPCL")[maker] for maker in turns],
        "seed": seed,
        **params.as_dict(),
    }
    return Ensemble.from_labels(labels, provenance=provenance)


def _make(features, n_clusterings, params: MixedParams, seed, first, n_classes, monitor) -> Ensemble:
    """See `Generator.make`."""
    return mixed_ensemble(features, n_clusterings, params, seed, first=first, monitor=monitor)


GENERATOR = Generator(
    key="pool",
    title="k-means and RPCL, half each",
    params=MixedParams,
    make=_make,
    nested=True,
    reference="huang2016pta",
    summary="Every other one is k-means, every other one competitive learning, as for the published tables of PTA.",
)


def draw(pool_labels: ArrayLike, n_clusterings: int, seed: int = 0, replacement: bool = False) -> Ensemble:
    """Draw base clusterings from a pool.

    Parameters
    ----------
    pool_labels : (N, P) labels
    n_clusterings : int
        M in 1..P. The first columns drawn do not depend on M.
    seed : int
    replacement : bool
        Whether a column may be drawn more than once: then a draw of all P differs from seed to seed.

    Returns
    -------
    Ensemble
        With the columns drawn in `provenance`.

    Raises
    ------
    InvalidParameterError, InvalidEnsembleError

    Examples
    --------
    >>> draw([[0, 0, 0], [0, 1, 1]], 2, seed=0).n_clusterings
    2
    """
    pool = as_array(unmasked(pool_labels))
    if pool.ndim != 2 or require_clusterings(n_clusterings) > pool.shape[1]:
        raise InvalidParameterError(
            f"n_clusterings must be in 1..P, the base clusterings of the pool. Got {n_clusterings}, pool {pool.shape}"
        )
    rng = np.random.default_rng(require_integer("seed", seed))
    columns = (
        rng.choice(pool.shape[1], n_clusterings) if replacement else rng.permutation(pool.shape[1])[:n_clusterings]
    )
    provenance = {"generator": "pool", "columns": columns.tolist(), "seed": seed}
    return Ensemble.from_labels(pool[:, columns], provenance=provenance)
