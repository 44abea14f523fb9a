"""Ensembles of k-means clusterings with random numbers of clusters, as the papers make them."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..ensemble import Ensemble
from ..ensemble.microclusters import Microclusters, find_microclusters
from ..ensemble.reading_labels import as_points
from ..params import Params, param, require_integer
from ..runtime.blocks import map_blocks, single_threaded_libraries
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor
from .nearest_clusters import spread_of
from .registry import Generator, KRange, by_name, k_bounds, require_share, streams_of

INITS = ("random", "k-means++")
#: Rounding to float32 may move a value by so much of its feature's standard deviation.
_ROUNDING = 1e-3
#: Beyond them squares, summed over many objects, or of a small share of the spread, leave float32.
_LARGEST, _SMALLEST = 1e16, 1e-12


@dataclass(frozen=True)
class KMeansParams(Params):
    """Parameters of k-means as a base clusterer."""

    k_range: str | tuple[int, int] = param(
        "sqrt",
        kind=KRange(),
        symbol="k",
        word="",
        doc="Clusters in each: k is drawn at random from this range for every base clustering.",
        raising="More clusters in each are purer and see less of the whole.",
    )
    init: Literal["random", "k-means++"] = param(
        "random", symbol="start", word="", doc="Random starts give more varied clusterings than k-means++."
    )
    n_init: int = param(
        1,
        symbol="starts tried",
        word="",
        doc="Starts of each k-means; the best is kept.",
        raising="Raising it gives better, more alike clusterings.",
        low=1,
        high=50,
        slider=(1, 20),
    )


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
        Scaled as you wish; finite. Fitted in float32 where that tells apart what differs, else in float64.
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
        Mini-batch k-means is used where there are more objects than this.
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
    points = as_features(features)
    _check(n_clusterings, n_init, max_iter, minibatch_above, feature_fraction, init)
    low, high = k_bounds(k_range, len(points))
    streams = [np.random.default_rng(child) for child in streams_of(seed, n_clusterings, first)]
    ks = np.array([rng.integers(low, high + 1) for rng in streams])
    distinct = len(copies(points))
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


def copies(points: NDArray[np.floating]) -> Microclusters:
    """Groups of objects with the same features; k-means cannot make more clusters than there are."""
    return find_microclusters(np.ascontiguousarray(points + np.float32(0)).view(np.int32))


def as_features(features: ArrayLike) -> NDArray[np.floating]:
    """Finite features as (N, D) float32, or a refusal that names the cell.

    Where float32 would take away what tells objects apart (times in seconds since 1970), float64, less the means.
    """
    exact = as_points(features)
    with np.errstate(over="ignore"):
        points = np.ascontiguousarray(exact, dtype=np.float32)
    coarse = 0 < spread_of(exact) < _SMALLEST or _too_coarse(exact, points)
    return np.ascontiguousarray(exact - exact.mean(axis=0)) if coarse else points


def _too_coarse(exact: NDArray[np.float64], rounded: NDArray[np.float32]) -> bool:
    """Whether rounding moves a feature by a share of its spread, makes objects one, or squares would overflow."""
    for column, near in zip(exact.T, rounded.T, strict=True):  # one at a time: no second matrix
        moved = column.min() < column.max() and np.abs(column - near).max() > _ROUNDING * column.std()
        if moved or np.abs(near).max() > _LARGEST:
            return True
    distinct = len(copies(rounded))
    return distinct < len(exact) and distinct < len(copies(exact))


def _check(
    n_clusterings: int, n_init: int, max_iter: int, minibatch_above: int, feature_fraction: float, init: str
) -> None:
    require_integer("minibatch_above", minibatch_above)
    for name, value in (("n_clusterings", n_clusterings), ("n_init", n_init), ("max_iter", max_iter)):
        require_integer(name, value, 1)
    require_share("feature_fraction", feature_fraction)
    if init not in INITS:
        raise InvalidParameterError(f"init must be 'random' or 'k-means++'. Got {init!r}")


GENERATOR = Generator(
    key="kmeans",
    title="k-means",
    params=KMeansParams,
    make=by_name(kmeans_ensemble),
    nested=True,
    reference="macqueen1967",
    summary="Each k-means sees all features alike, with its own number of clusters and its own start.",
)
