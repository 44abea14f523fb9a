"""Whether there are clusters at all, answered before their number, beside data of the same spread without clusters."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..ensemble.reading_labels import as_numbers, as_points
from ..runtime.errors import InvalidParameterError

#: A PAC below one undecided pair in ten thousand counts as that: 0 has no logarithm.
LEAST = 1e-4
#: Spread of log10 PAC is taken to be at least this: less is counting noise.
LEAST_SPREAD = 0.05
#: A statistic that so few sets without clusters would reach is taken for structure.
LEVEL = 0.05


@dataclass(frozen=True, eq=False)
class Structure:
    """The largest standardised distance of PAC from sets without clusters, over all k.

    Attributes
    ----------
    statistic : float
        T = max over k of (mean other log PAC - log PAC) / sd of the other log PAC, which counts as .05 at least.
    null : (B,) float64
        T of every set without clusters.
    n_reached : int
        How many of them reach the statistic.
    p : float
        (1 + n_reached) / (1 + B): exact if the data are one more set without clusters.
    """

    statistic: float
    null: NDArray[np.float64]
    n_reached: int
    p: float

    @property
    def found(self) -> bool:
        """Whether p is below 5 %."""
        return self.p < LEVEL


def structure(pac: ArrayLike, null_pac: ArrayLike) -> Structure:
    """Compare the PAC of data with that of sets without clusters, paying for looking at many k.

    Every set, the data among them, is judged against all the others, and by its best k. So all B + 1 statistics are
    made alike, and their ranks are a permutation test: without clusters the data come first once in B + 1 times.

    Parameters
    ----------
    pac : (n_k,) float
        Of the data.
    null_pac : (B, n_k) float
        Of B >= 3 sets without clusters.

    Returns
    -------
    Structure
        The statistic of the data, that of every null set, and how many of these reach it.

    Raises
    ------
    InvalidParameterError

    Notes
    -----
    After RCSI of M3C, which judges every k by itself; a largest value over k needs a null distribution of its own. On
    PAC itself, without the logarithm, two clear groups go unseen: in a long Gaussian k = 2 is nearly as clear at times,
    so that its PAC spreads from 0 on, and 0 is not far from the mean in units of that spread.

    References
    ----------
    john2020m3c; senbabaoglu2014pac.

    Examples
    --------
    >>> null = [[0.30, 0.40], [0.34, 0.41], [0.32, 0.38], [0.31, 0.43]]
    >>> structure([0.02, 0.39], null).n_reached
    0
    """
    own, null = as_numbers(pac, "PAC", "numbers"), as_numbers(null_pac, "PAC", "numbers")
    if null.ndim != 2 or own.shape != null.shape[1:] or len(null) < 3 or not own.size:
        raise InvalidParameterError(
            "structure needs PAC of at least one k, and of at least 3 sets without clusters. "
            f"Got shapes {own.shape}, {null.shape}"
        )
    shares = np.vstack([own, null])
    if not ((shares >= 0) & (shares <= 1)).all():
        raise InvalidParameterError(f"PAC must be in [0, 1]. Got {shares[~((shares >= 0) & (shares <= 1))][0]}")
    everything = np.log10(np.maximum(shares, LEAST))
    statistics = np.array([_against(row, np.delete(everything, b, axis=0)) for b, row in enumerate(everything)])
    n_reached = int((statistics[1:] >= statistics[0] - 1e-12).sum())
    return Structure(float(statistics[0]), statistics[1:], n_reached, (1 + n_reached) / len(everything))


def _against(row: NDArray, others: NDArray) -> float:
    """The largest standardised distance below the others."""
    spread = np.maximum(others.std(axis=0, ddof=1), LEAST_SPREAD)
    return float(((others.mean(axis=0) - row) / spread).max())


#: A column is constant where it differs by less than this share of its largest value: by the rounding of its digits.
_ROUNDED = 4 * np.finfo(np.float64).eps


def principal_scores(features: ArrayLike) -> NDArray[np.float64]:
    """Objects on their principal components, those without variance left out: (N, p), p <= min(N - 1, D).

    Distances are those between the rows of `features`, so that k-means finds the same on both.

    Parameters
    ----------
    features : (N, D) float
        Finite, N >= 2.

    Returns
    -------
    (N, p) float64
        Columns of mean 0 that do not correlate, by falling variance.

    Raises
    ------
    InvalidParameterError
        If features are no finite matrix of numbers below 1e100, or do not differ.

    Examples
    --------
    >>> principal_scores([[0.0, 1.0], [0.0, 3.0], [0.0, 5.0]]).round(6).tolist()
    [[-2.0], [0.0], [2.0]]
    """
    points = as_points(features)
    lowest, highest = points.min(axis=0), points.max(axis=0)
    differs = highest - lowest > _ROUNDED * np.maximum(np.abs(lowest), np.abs(highest))
    if not differs.any():
        raise InvalidParameterError("features must differ between objects. Got the same values for all of them")
    centred = points - points.mean(axis=0)
    centred[:, ~differs] = 0.0  # what the mean of large numbers leaves
    unit = 2.0 ** np.floor(np.log2(np.abs(centred).max()))  # a power of two keeps the digits; products stay in range
    centred /= unit
    small = centred.T @ centred if points.shape[1] <= len(points) else None
    scores = unit * (_by_features(centred, small) if small is not None else _by_objects(centred))
    spread = scores.std(axis=0)
    scores = scores[:, spread > 1e-9 * spread.max()]
    largest = scores[np.abs(scores).argmax(axis=0), np.arange(scores.shape[1])]
    return np.ascontiguousarray(scores * np.sign(largest) * _SIGN)


#: Signs are fixed by the entry of largest magnitude, the first of equals: it is negative.
_SIGN = -1.0


def _by_features(centred: NDArray, products: NDArray) -> NDArray[np.float64]:
    return centred @ np.linalg.eigh(products)[1][:, ::-1]


def _by_objects(centred: NDArray) -> NDArray[np.float64]:
    """For more features than objects: through the products of the objects."""
    values, vectors = np.linalg.eigh(centred @ centred.T)
    return (vectors * np.sqrt(np.maximum(values, 0)))[:, ::-1]


def without_clusters(scores: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """A set of as many objects drawn from the Gaussian whose components have the variances of `scores`: (N, p).

    Parameters
    ----------
    scores : (N, p) float64
        From `principal_scores`, whose columns do not correlate.
    rng : Generator

    Returns
    -------
    (N, p) float64
        Columns have mean 0 in expectation; they are not correlated.

    References
    ----------
    john2020m3c.
    """
    return rng.standard_normal(scores.shape) * scores.std(axis=0, ddof=1)
