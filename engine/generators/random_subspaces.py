"""Ensembles of k-means clusterings, each on other features drawn at random (Ho 1998)."""

from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from ..ensemble import Ensemble
from ..params import param
from .kmeans_runs import KMeansParams, kmeans_ensemble
from .registry import Generator, by_name


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


GENERATOR = Generator(
    key="subspaces",
    title="k-means, random subspaces",
    params=SubspaceParams,
    make=by_name(kmeans_ensemble),
    nested=True,
    reference="ho1998subspace",
    summary="Each k-means sees some of the features alone, drawn at random.",
)
