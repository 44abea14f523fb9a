"""Scores of a partition that need no truth: they say how well it sits in its ensemble, not whether it is right.

Some are means, over clusters, of what is known of single objects; these, and their spread, are here too.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..ensemble import Ensemble
from ..ensemble.clusters import contingencies, entropies
from ..ensemble.reading_labels import as_numbers, label_vector
from ..ensemble.renumbering import first_appearance
from ..metrics import Normalisation, normalised
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor
from .profiles import checked_partition, margin


@dataclass(frozen=True, eq=False)
class ClusterMeans:
    """A value of every object, summed up by cluster.

    Attributes
    ----------
    mean, sd : (k,) float64
        Clusters by first appearance. The spread is that of the members, divided by their number.
    sizes : (k,) int64
    """

    mean: NDArray[np.float64]
    sd: NDArray[np.float64]
    sizes: NDArray[np.int64]


def cluster_means(values: ArrayLike, labels: ArrayLike) -> ClusterMeans:
    """Mean and spread of a value of every object in every cluster; of `support`: cluster consensus.

    Parameters
    ----------
    values : (N,) float
    labels : (N,) labels of any values

    Returns
    -------
    ClusterMeans
        Clusters in the order of first appearance; the standard deviation is that of the population.

    Raises
    ------
    InvalidParameterError
        If there is not one value and one label an object.

    References
    ----------
    monti2003consensus, eq. 6.

    Examples
    --------
    >>> found = cluster_means([1.0, 0.5, 0.0], [7, 7, 3])
    >>> found.mean.tolist(), found.sd.tolist(), found.sizes.tolist()
    ([0.75, 0.0], [0.25, 0.0], [2, 1])
    """
    values, clusters = as_numbers(values, "values", "numbers"), label_vector(labels)
    if values.ndim != 1 or values.shape != clusters.shape or not len(values):
        raise InvalidParameterError(
            f"one value and one label an object are needed. Got shapes {values.shape} and {clusters.shape}"
        )
    numbered = first_appearance(clusters)
    sizes = np.bincount(numbered)
    mean = np.bincount(numbered, weights=values) / sizes
    spread = np.bincount(numbered, weights=(values - mean[numbered]) ** 2) / sizes
    return ClusterMeans(mean, np.sqrt(spread), sizes)


def mean_margin(ensemble: Ensemble, labels: ArrayLike, monitor: Monitor = SILENT) -> float:
    """Mean of `margin` over the objects, in [-1, 1]: an internal score of a partition.

    Parameters
    ----------
    ensemble : Ensemble
        Of N objects.
    labels : (N,) labels of any values
        At least two clusters.
    monitor : Monitor, optional

    Returns
    -------
    float
        In [-1, 1].

    Raises
    ------
    InvalidParameterError
        If there is not one label an object, or a single cluster.
    """
    return float(margin(ensemble, labels, monitor=monitor).mean())


#: Internal scores, with titles that say so. Stability runs a method again and again, and is found where it is asked.
INTERNAL = {
    "margin": "mean margin (internal)",
    "anmi": "ANMI (internal)",
    "stability": "mean stability (internal)",
}


def mean_nmi(ensemble: Ensemble, labels: ArrayLike) -> tuple[float, float]:
    """Mean NMI (sqrt) of a partition with the base clusterings, each on the objects it saw, and its spread: ANMI.

    Parameters
    ----------
    ensemble : Ensemble
        Of N objects in M base clusterings.
    labels : (N,) labels of any values
        The partition.

    Returns
    -------
    mean, sd : float
        Over the M base clusterings; the mean in [0, 1].

    Raises
    ------
    InvalidParameterError

    References
    ----------
    strehl2002, eq. 3.

    Examples
    --------
    >>> mean_nmi(Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 0]]), [3, 3, 5, 5])
    (0.5, 0.5)
    """
    values = nmi_with_each(ensemble, labels, "sqrt")
    return float(values.mean()), float(values.std())


def nmi_with_each(ensemble: Ensemble, labels: ArrayLike, normalisation: Normalisation = "max") -> NDArray[np.float64]:
    """NMI of a partition with every base clustering, on the objects that it labels.

    Parameters
    ----------
    ensemble : Ensemble
        Of N objects in M base clusterings.
    labels : (N,) labels of any values
        The partition, of k clusters.
    normalisation : "max" | "arithmetic" | "sqrt" | "min"
        See `engine.metrics.nmi`.

    Returns
    -------
    (M,) float64
        In [0, 1].

    Raises
    ------
    InvalidParameterError

    Notes
    -----
    O(N M + K k) time for the K clusters of all base clusterings: one contingency table serves many of them.

    Examples
    --------
    >>> nmi_with_each(Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 0]]), [3, 3, 5, 5]).tolist()
    [1.0, 0.0]
    """
    found, clusters = [], checked_partition(ensemble, labels)
    for tables in contingencies(ensemble.labels, ensemble.offsets, clusters):
        own, its, joint = entropies(*tables)
        found.append(normalised(own + its - joint, own, its, normalisation))
    return np.concatenate(found)


def internal_scores(ensemble: Ensemble, labels: ArrayLike, monitor: Monitor = SILENT) -> dict[str, float]:
    """The `INTERNAL` scores read off a partition, by name; the margin of a single cluster is not there.

    Parameters
    ----------
    ensemble : Ensemble
        Of N objects.
    labels : (N,) labels of any values
        The partition.
    monitor : Monitor, optional

    Returns
    -------
    dict of str to float
        Keys are some of `INTERNAL`.

    Examples
    --------
    >>> internal_scores(Ensemble.from_labels([[0, 0], [0, 0], [1, 1], [1, 1]]), [0, 0, 1, 1])
    {'margin': 1.0, 'anmi': 1.0}
    """
    several = len(np.unique(label_vector(labels))) > 1
    found = {"margin": mean_margin(ensemble, labels, monitor)} if several else {}
    return found | {"anmi": mean_nmi(ensemble, labels)[0]}
