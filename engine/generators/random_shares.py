"""Ensembles whose k-means sees a random share: of the features, or of the objects."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..ensemble import Ensemble
from ..medians.lloyd import n_draws, run_on_subset
from ..params import Params, param, same_as
from ..runtime.blocks import map_blocks, single_threaded_libraries
from ..runtime.monitor import SILENT, Monitor
from .kmeans_runs import KMeansParams, as_features, kmeans_ensemble
from .registry import Generator, by_name, k_bounds, require_clusterings, require_share, streams_of


@dataclass(frozen=True)
class SubspaceParams(KMeansParams):
    """Parameters of k-means on random subspaces."""

    feature_fraction: float = param(
        0.5,
        symbol="share of features",
        word="",
        doc="Every base clustering sees so many of the features, drawn at random.",
        raising="Raising it makes clusterings better informed and more alike.",
        low=0.0,
        low_open=True,
        high=1.0,
        slider=(0.1, 1.0),
    )


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
    >>> import numpy as np
    >>> points = np.random.default_rng(0).normal(size=(60, 8))
    >>> random_subspace_ensemble(points, 5, 0.25, seed=1).provenance["feature_fraction"]
    0.25
    """
    return kmeans_ensemble(features, n_clusterings, k_range, seed, feature_fraction=feature_fraction, **options)


SUBSPACES = Generator(
    key="subspaces",
    title="k-means, random subspaces",
    params=SubspaceParams,
    make=by_name(kmeans_ensemble),
    nested=True,
    reference="ho1998subspace",
    summary="Each k-means sees some of the features alone, drawn at random.",
)


@dataclass(frozen=True)
class SubsamplingParams(Params):
    """Parameters of k-means on shares of the objects."""

    k_range: str | tuple[int, int] = same_as(KMeansParams, "k_range")
    share: float = param(
        0.8,
        symbol="share of objects",
        word="",
        concept="object_share",
        doc="Every base clustering sees so many of the objects, drawn at random.",
        raising="Raising it makes clusterings better informed and more alike.",
        low=0.0,
        low_open=True,
        high=1.0,
        slider=(0.2, 1.0),
    )
    complete: bool = param(
        False,
        symbol="complete",
        word="",
        concept="object_share_complete",
        doc="Give the objects left out the label of the nearest centre; else their labels are missing.",
    )


def subsampled_ensemble(
    features: ArrayLike,
    n_clusterings: int,
    k_range: str | tuple[int, int] = "sqrt",
    seed: int = 0,
    *,
    share: float = 0.8,
    complete: bool = False,
    first: int = 0,
    monitor: Monitor = SILENT,
) -> Ensemble:
    """Cluster a share of the objects M times by k-means, each time with a k drawn uniformly from a range.

    Parameters
    ----------
    features : (N, D) float
    n_clusterings : int
        M >= 1. The first clusterings depend on M where objects were drawn by no run: they get a label in the first.
    k_range : str or (low, high)
        See `k_bounds`, of the number of all objects.
    seed : int
        The same seed gives the same labels on any number of threads.
    share : float
        In (0, 1]: share of the objects in each, at least two.
    complete : bool
        Give objects left out the label of the nearest centre; else their labels are missing. An object that no base
        clustering saw gets that label in the first one in any case: nothing would tie it to others.
    first : int
        Leave out so many clusterings at the beginning.
    monitor : Monitor, optional

    Returns
    -------
    Ensemble
        With the k drawn and the number of labels that were lent in `provenance`.

    Raises
    ------
    InvalidParameterError, Cancelled

    References
    ----------
    monti2003consensus: 80 % of the objects.

    Examples
    --------
    >>> points = np.random.default_rng(0).normal(size=(60, 2))
    >>> subsampled_ensemble(points, 5, (2, 4), seed=1).n_missing
    60
    """
    points = as_features(features).astype(np.float64)
    m, low, high = require_clusterings(n_clusterings), *k_bounds(k_range, len(points))
    require_share("share", share)
    size = max(2, round(share * len(points)))
    streams = [np.random.default_rng(one) for one in streams_of(seed, m, first)]
    ks = [min(int(rng.integers(low, high + 1)), size) for rng in streams]
    labels, nearest = np.full((len(points), m), -1, np.int32), np.empty((len(points), m), np.int32)
    columns = np.ascontiguousarray(points.T)

    def fit(start: int, stop: int) -> None:
        for place in range(start, stop):
            rng, k = streams[place], ks[place]
            subset = np.sort(rng.permutation(len(points))[:size])
            labels[subset, place] = run_on_subset(columns, subset, rng.random(n_draws(k)))
            nearest[:, place] = _nearest(points, subset, labels[subset, place])

    with single_threaded_libraries():
        map_blocks(fit, m, monitor, "clustering shares of the objects", block=1)
    lost = labels < 0
    if not complete:  # only that each object has one
        lost = lost.all(axis=1, keepdims=True) & (np.arange(m) == 0)
    labels = np.where(lost, nearest, labels)
    provenance = {"generator": "subsampling", "k": ks, "k_range": [low, high], "seed": seed, "share": share}
    return Ensemble.from_labels(labels, provenance=provenance | {"complete": complete, "lent": int(lost.sum())})


def _nearest(points: NDArray, subset: NDArray, labels: NDArray) -> NDArray[np.int32]:
    """The nearest mean of the clusters of a subset, for every object: (N,); the lowest label of equals."""
    present = np.unique(labels)
    means = np.stack([points[subset[labels == label]].mean(axis=0) for label in present])
    squared = (means**2).sum(axis=1) - 2 * points @ means.T
    return present[squared.argmin(axis=1)].astype(np.int32)


SUBSAMPLING = Generator(
    key="subsampling",
    title="k-means, shares of the objects",
    params=SubsamplingParams,
    make=by_name(subsampled_ensemble),
    nested=False,
    reference="monti2003consensus",
    summary="Each k-means sees a share of the objects alone; the labels of the others are missing, or lent by the "
    "nearest centre.",
)
