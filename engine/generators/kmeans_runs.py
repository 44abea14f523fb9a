"""Ensembles of k-means clusterings with random numbers of clusters, as the papers make them."""

import warnings
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.blocks import map_blocks, single_threaded_libraries
from engine.ensemble import Ensemble
from engine.errors import InvalidParameterError
from engine.microclusters import find_microclusters
from engine.monitor import SILENT, Monitor

#: Ranges of k by name, each a function of N: the papers' policies.
K_POLICIES: dict[str, Callable[[int], tuple[int, int]]] = {
    "sqrt": lambda n: (2, int(n**0.5)),
    "half_sqrt": lambda n: (2, int(min(n**0.5 / 2, 50))),
    "fixed_sqrt": lambda n: (int(min(n**0.5, 50)),) * 2,
}


def k_bounds(k_range: str | tuple[int, int], n_objects: int) -> tuple[int, int]:
    """Lowest and highest k of a policy for N objects.

    Parameters
    ----------
    k_range : "sqrt" | "half_sqrt" | "fixed_sqrt" | (low, high)
        [2, sqrt N] (LWEA/LWGP, EC-CMS), [2, min(sqrt(N)/2, 50)] (PTA/PTGP), exactly min(sqrt N, 50)
        (GoT), or a range of one's own.
    n_objects : int

    Returns
    -------
    low, high : int
        2 <= low <= high <= N; a policy that falls below 2 on few objects gives 2.

    Raises
    ------
    InvalidParameterError

    Examples
    --------
    >>> k_bounds("sqrt", 150), k_bounds("half_sqrt", 150), k_bounds((3, 9), 150)
    ((2, 12), (2, 6), (3, 9))
    """
    if isinstance(k_range, str):
        if k_range not in K_POLICIES:
            raise InvalidParameterError(f"k_range must be one of {', '.join(K_POLICIES)}, or a pair. Got {k_range!r}")
        low, high = (max(2, bound) for bound in K_POLICIES[k_range](n_objects))
        return low, high
    low, high = (int(bound) for bound in k_range)
    if not 2 <= low <= high <= n_objects:
        raise InvalidParameterError(f"k_range must satisfy 2 <= low <= high <= {n_objects:,} objects. Got {k_range!r}")
    return low, high


def kmeans_ensemble(
    features: ArrayLike,
    n_clusterings: int,
    k_range: str | tuple[int, int] = "sqrt",
    seed: int = 0,
    *,
    init: Literal["random", "k-means++"] = "random",
    n_init: int = 1,
    max_iter: int = 300,
    minibatch_above: int = 50_000,
    feature_fraction: float = 1.0,
    first: int = 0,
    monitor: Monitor = SILENT,
) -> Ensemble:
    """Cluster the objects M times by k-means, each time with a k drawn uniformly from a range.

    Parameters
    ----------
    features : (N, D) float
        Scaled as you wish; finite. Fitted in float32.
    n_clusterings : int
        M >= 1. The first clusterings do not depend on M: a larger ensemble continues a smaller one.
    k_range : str or (low, high)
        See `k_bounds`.
    seed : int
        The same seed gives the same labels on any number of threads.
    init : "random" | "k-means++"
        Random starts give more varied clusterings.
    n_init, max_iter : int
        Starts and iterations of each k-means.
    minibatch_above : int
        From this N on, mini-batch k-means is used.
    feature_fraction : float
        In (0, 1]: share of the features, drawn anew for every clustering (random subspaces).
    first : int
        Leave out so many clusterings at the beginning: `first=20, n_clusterings=10` continues an ensemble of 20.
    monitor : Monitor, optional

    Returns
    -------
    Ensemble
        With these settings and the k drawn in `provenance`.

    Raises
    ------
    InvalidParameterError, Cancelled

    Examples
    --------
    >>> points = np.random.default_rng(0).normal(size=(60, 2))
    >>> kmeans_ensemble(points, 5, seed=1).labels.shape
    (60, 5)
    """
    points = _as_features(features)
    _check(n_clusterings, n_init, max_iter, feature_fraction, init)
    low, high = k_bounds(k_range, len(points))
    children = np.random.SeedSequence(seed).spawn(first + n_clusterings)[first:]
    streams = [np.random.default_rng(child) for child in children]
    ks = np.array([rng.integers(low, high + 1) for rng in streams])
    distinct = _count_distinct(points)
    labels = np.empty((len(points), n_clusterings), np.int32)

    def fit(start: int, stop: int) -> None:
        for m in range(start, stop):
            columns = _subspace(points, feature_fraction, streams[m])
            k = min(int(ks[m]), distinct)
            model = _model(k, len(points) > minibatch_above, init, n_init, max_iter, streams[m])
            labels[:, m] = model.fit(columns).labels_

    _fit_all(fit, n_clusterings, monitor)
    provenance = {
        "generator": "k-means",
        "k": ks.tolist(),
        "k_range": [low, high],
        "seed": seed,
        "init": init,
        "feature_fraction": feature_fraction,
    }
    return Ensemble.from_labels(labels, provenance=provenance)


def _fit_all(fit: Callable[[int, int], None], n: int, monitor: Monitor) -> None:
    from sklearn.exceptions import ConvergenceWarning

    with single_threaded_libraries(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a base clustering may have fewer clusters than asked
        map_blocks(fit, n, monitor, "clustering", block=1)


def _model(k: int, minibatch: bool, init: str, n_init: int, max_iter: int, rng: np.random.Generator):
    from sklearn.cluster import KMeans, MiniBatchKMeans

    kind = MiniBatchKMeans if minibatch else KMeans
    return kind(k, init=init, n_init=n_init, max_iter=max_iter, random_state=int(rng.integers(2**31)))


def _subspace(points: NDArray, fraction: float, rng: np.random.Generator) -> NDArray:
    """A random share of the columns, at least one."""
    n_features = points.shape[1]
    if fraction == 1:
        return points
    chosen = rng.choice(n_features, max(1, round(fraction * n_features)), replace=False)
    return np.ascontiguousarray(points[:, np.sort(chosen)])


def _count_distinct(points: NDArray[np.float32]) -> int:
    """Objects that differ in at least one feature: k-means cannot make more clusters."""
    return len(find_microclusters(np.ascontiguousarray(points + np.float32(0)).view(np.int32)))


def _as_features(features: ArrayLike) -> NDArray[np.float32]:
    points = np.ascontiguousarray(features, dtype=np.float32)
    if points.ndim != 2 or points.shape[0] < 2 or points.shape[1] < 1:
        raise InvalidParameterError(f"features must be a matrix of at least 2 objects x 1 feature. Got {points.shape}")
    if not np.isfinite(points).all():
        row, column = np.argwhere(~np.isfinite(points))[0]
        raise InvalidParameterError(
            f"features must be finite. Got {points[row, column]} in row {row + 1}, column {column + 1}"
        )
    return points


def _check(n_clusterings: int, n_init: int, max_iter: int, feature_fraction: float, init: str) -> None:
    for name, value in (("n_clusterings", n_clusterings), ("n_init", n_init), ("max_iter", max_iter)):
        if not isinstance(value, int | np.integer) or value < 1:
            raise InvalidParameterError(f"{name} must be an integer of at least 1. Got {value!r}")
    if not 0 < feature_fraction <= 1:
        raise InvalidParameterError(f"feature_fraction must be a number in (0, 1]. Got {feature_fraction!r}")
    if init not in ("random", "k-means++"):
        raise InvalidParameterError(f"init must be 'random' or 'k-means++'. Got {init!r}")


def random_subspace_ensemble(
    features: ArrayLike,
    n_clusterings: int,
    feature_fraction: float = 0.5,
    k_range: str | tuple[int, int] = "sqrt",
    seed: int = 0,
    **options: Any,
) -> Ensemble:
    """Cluster the objects M times by k-means, each time on other features drawn at random.

    The random subspace method (Ho, IEEE TPAMI 20(8), 1998) with k-means as what is trained on each draw.

    Parameters
    ----------
    features : (N, D) float
    n_clusterings : int
    feature_fraction : float
        In (0, 1]: share of the D features in every draw, at least one feature.
    k_range, seed
        As for `kmeans_ensemble`.
    **options
        Further arguments of `kmeans_ensemble`.

    Returns
    -------
    Ensemble

    Raises
    ------
    InvalidParameterError, Cancelled

    Examples
    --------
    >>> points = np.random.default_rng(0).normal(size=(60, 8))
    >>> random_subspace_ensemble(points, 5, 0.25, seed=1).provenance["feature_fraction"]
    0.25
    """
    return kmeans_ensemble(features, n_clusterings, k_range, seed, feature_fraction=feature_fraction, **options)
