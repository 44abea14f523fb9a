"""Ensemble clustering as scikit-learn has it: estimators to fit, clone, search over and put into pipelines."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from .confidence.prediction import cluster_means, labels_by_means, predict
from .consensus import Consensus, find_method, run_consensus
from .ensemble import Ensemble
from .ensemble.reading_labels import unmasked, without_mask
from .generators import make_ensemble


class ConsensusClustering(ClusterMixin, BaseEstimator):
    """The consensus of base clusterings that are there already: a label matrix goes in.

    Parameters
    ----------
    method : str
        Consensus method, one of `engine.consensus_methods()`.
    n_clusters : int
        k, up to the number of microclusters; with 1 all objects are together, and no method is run. Of no account
        where the method finds it.
    params : mapping, optional
        Parameters of the method by name; its defaults for the rest.
    random_state : int, RandomState or None
        The same int gives the same labels on any number of threads.

    Attributes
    ----------
    labels_ : (N,) int32
        Clusters from 0, numbered by first appearance.
    n_clusters_ : int
        Clusters found; another number than asked for only where the method says so.
    ensemble_ : Ensemble
        The base clusterings.
    consensus_ : Consensus or None
        The run, with its trace; None for one cluster.
    n_features_in_ : int
        M, base clusterings.

    Examples
    --------
    >>> ConsensusClustering("eac", n_clusters=2).fit_predict([[0, 0], [0, 0], [1, 1], [1, 1], [1, 2]]).tolist()
    [0, 0, 1, 1, 1]
    """

    def __init__(
        self,
        method: str = "lwea",
        n_clusters: int = 3,
        params: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = None,
    ):
        self.method = method
        self.n_clusters = n_clusters
        self.params = params
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> "ConsensusClustering":
        """Find the consensus of a label matrix.

        Parameters
        ----------
        X : (N, M) array of int, or of float with whole values
            One base clustering a column; NaN, -1 and what a numpy mask hides are missing labels.
        y : ignored

        Returns
        -------
        ConsensusClustering
            Itself, with `labels_`, (N,) int32.

        Raises
        ------
        InvalidEnsembleError, InvalidParameterError, MissingEvidenceError, MissingExtraError, TooLargeError
            See `engine.run_consensus`; the first two are ValueErrors.
        """
        labels = validate_data(self, unmasked(X), dtype=None, ensure_all_finite="allow-nan", ensure_min_samples=2)
        _fit(self, Ensemble.from_labels(labels), _seed(self.random_state))
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.allow_nan = True
        return tags


class EnsembleClustering(ClusterMixin, BaseEstimator):
    """Base clusterings of features, and their consensus: a feature matrix goes in.

    Parameters
    ----------
    method : str
        Consensus method, one of `engine.consensus_methods()`.
    generator : str
        What makes base clusterings, one of `engine.generators.known_generators()`.
    n_clusterings : int
        M, base clusterings.
    n_clusters : int
        k, up to the number of microclusters; with 1 all objects are together, and no method is run. Of no account
        where the method finds it.
    params, generator_params : mapping, optional
        Parameters of method and generator by name; their defaults for the rest.
    random_state : int, RandomState or None
        The same int gives the same labels on any number of threads.

    Attributes
    ----------
    labels_ : (N,) int32
        Clusters from 0, numbered by first appearance.
    n_clusters_ : int
        Clusters found; another number than asked for only where the method says so.
    ensemble_ : Ensemble
        The base clusterings.
    consensus_ : Consensus or None
        The run, with its trace; None for one cluster.
    n_features_in_ : int
        D, features.

    Examples
    --------
    >>> points = np.random.default_rng(0).normal(size=(60, 2))
    >>> points[30:] += 9
    >>> found = EnsembleClustering("lwea", n_clusters=2, random_state=0).fit(points)
    >>> found.labels_.tolist() == [0] * 30 + [1] * 30, found.predict([[9, 8], [0, 1]]).tolist()
    (True, [1, 0])
    """

    def __init__(
        self,
        method: str = "lwea",
        generator: str = "kmeans",
        n_clusterings: int = 20,
        n_clusters: int = 3,
        params: Mapping[str, Any] | None = None,
        generator_params: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = None,
    ):
        self.method = method
        self.generator = generator
        self.n_clusterings = n_clusterings
        self.n_clusters = n_clusters
        self.params = params
        self.generator_params = generator_params
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> "EnsembleClustering":
        """Make base clusterings of features, and find their consensus.

        Parameters
        ----------
        X : (N, D) array of float
            Finite; scaled as you wish (a `StandardScaler` before this step, for one).
        y : ignored

        Returns
        -------
        EnsembleClustering
            Itself, with `labels_`, (N,) int32, and the `ensemble_` of M base clusterings.

        Raises
        ------
        ValueError
            If X is no finite matrix.
        InvalidParameterError, MissingEvidenceError, MissingExtraError, TooLargeError
            See `engine.run_consensus` and `engine.generators.make_ensemble`; the first is a ValueError.
        """
        points = validate_data(self, without_mask(X), dtype=np.float64, ensure_min_samples=2)
        seed = _seed(self.random_state)
        k = max(2, self.n_clusters) if isinstance(self.n_clusters, Integral) else None  # no generator makes one cluster
        _fit(
            self,
            make_ensemble(self.generator, points, self.n_clusterings, self.generator_params, seed, n_classes=k),
            seed,
        )
        self.cluster_means_ = cluster_means(self.ensemble_, points)
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.int32]:
        """The clusters of objects that need not have been there.

        In every base clustering an object joins the cluster whose mean is nearest; then it goes to the consensus
        cluster that its base clusters say most of. An object of the fit whose margin is positive, and which was
        nearest to its own means, as after k-means, gets its own cluster again (see `engine.confidence.predict`).

        Parameters
        ----------
        X : (N', D) array of float

        Returns
        -------
        (N',) int32
            Numbered as `labels_`.

        Raises
        ------
        sklearn.exceptions.NotFittedError
        ValueError
            If X is no finite matrix of as many features.
        """
        check_is_fitted(self)
        points = validate_data(self, without_mask(X), dtype=np.float64, reset=False)
        return predict(
            self.ensemble_, self.labels_, labels_by_means(self.ensemble_, self.cluster_means_, points)
        ).labels


def _fit(estimator: Any, ensemble: Ensemble, seed: int) -> None:
    """The consensus of an ensemble, with what an estimator says of it."""
    found: Consensus | None = None
    k = estimator.n_clusters
    method = find_method(estimator.method)
    method.params.of(estimator.params)  # misspelt, said also where there is nothing to run
    if method.finds_k or k != 1 or not isinstance(k, Integral) or isinstance(k, bool):
        found = run_consensus(estimator.method, ensemble, k, estimator.params, seed)
    estimator.ensemble_, estimator.consensus_ = ensemble, found
    estimator.labels_ = np.zeros(ensemble.n_objects, np.int32) if found is None else found.labels
    estimator.n_clusters_ = 1 if found is None else found.n_clusters


def _seed(random_state: Any) -> int:
    """A seed for the engine: the int itself, or one drawn as scikit-learn draws them."""
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))
