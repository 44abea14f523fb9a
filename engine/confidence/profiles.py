"""How much the base clusterings tie an object to its own consensus cluster, and to the nearest other one."""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..ensemble import Ensemble
from ..ensemble.clusters import contingency_of
from ..ensemble.ensembles import require_ensemble
from ..ensemble.reading_labels import as_numbers, label_vector
from ..ensemble.renumbering import first_appearance
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError, shown
from ..runtime.monitor import SILENT, Monitor


@dataclass(frozen=True, eq=False)
class Profile:
    """Similarity of every object to its own cluster, and to the most similar of the others.

    Attributes
    ----------
    own : (N,) float64
        S(i, own), in [0, 1] (up to the largest weight): the mean co-association with the other members. 0 for an
        object that is alone in its cluster, as in a silhouette.
    other : (N,) float64
        The largest S(i, C) of the other clusters.
    neighbour : (N,) int32
        That cluster, the first to appear of equals.
    labels : (N,) int32
        The clusters, numbered by first appearance.
    """

    own: NDArray[np.float64]
    other: NDArray[np.float64]
    neighbour: NDArray[np.int32]
    labels: NDArray[np.int32]

    @property
    def margin(self) -> NDArray[np.float64]:
        """S(i, own) - max S(i, other), in [-1, 1]; below 0 the object would rather be elsewhere: (N,)."""
        return self.own - self.other

    @property
    def silhouette(self) -> NDArray[np.float64]:
        """(b - a) / max(a, b) of the mean distances 1 - S to the own and the nearest other cluster: (N,).

        0 for an object that is alone in its cluster (Rousseeuw 1987), and where both distances are 0.
        """
        near, far = 1 - self.own, 1 - self.other
        larger = np.maximum(near, far)
        values = np.divide(far - near, larger, out=np.zeros_like(near), where=larger > 0)
        return np.where(np.bincount(self.labels)[self.labels] > 1, values, 0.0)


def cluster_profile(
    ensemble: Ensemble, labels: ArrayLike, weights: ArrayLike | None = None, monitor: Monitor = SILENT
) -> Profile:
    """How similar every object is to its own cluster of a partition, and to the nearest other one.

    S(i, C) = sum_m w_c |O_c and C less i| / sum_m |seen_m and C less i|, c the base cluster of i in m: over all base
    clusterings m that saw i, the members of C that are with i, over those that were seen at all. Where nothing is
    missing this is the mean of the (weighted) co-association of i with the members of C; where labels are missing it
    is that mean over the pairs that were seen together, a pair counting as often as it was seen.

    Parameters
    ----------
    ensemble : Ensemble
        N objects.
    labels : (N,) labels of any values
        A partition of the objects into at least 2 clusters.
    weights : (K,) float, optional
        w, one a base cluster, such as its ECI; 1 by default.
    monitor : Monitor, optional

    Returns
    -------
    Profile

    Raises
    ------
    InvalidParameterError

    Notes
    -----
    O(N M k) time from the contingency of base clusters and clusters, K x k; no matrix between objects.

    References
    ----------
    wilkerson2010consensus (item consensus); monti2003consensus.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 0], [0, 1], [1, 1]])
    >>> profile = cluster_profile(ensemble, [0, 0, 1, 1])
    >>> profile.own.tolist(), profile.other.tolist()
    ([1.0, 1.0, 0.5, 0.5], [0.25, 0.25, 0.5, 0.0])
    """
    clusters = checked_partition(ensemble, labels)
    k = int(clusters.max()) + 1
    if k < 2:
        raise InvalidParameterError("labels must form at least 2 clusters, for a margin is between two. Got 1")
    values = np.ones(ensemble.n_clusters_total) if weights is None else as_numbers(weights, "weights", "numbers")
    if values.shape != (ensemble.n_clusters_total,):
        raise InvalidParameterError(f"weights must have shape ({ensemble.n_clusters_total},). Got {values.shape}")
    if not (values >= 0).all() or np.isinf(values).any():
        raise InvalidParameterError(f"weights must be finite and at least 0. Got {shown(weights)}")
    table, seen = contingency_of(ensemble.labels, ensemble.offsets, clusters, k)
    n = ensemble.n_objects
    own, other, neighbour = np.empty(n), np.empty(n), np.empty(n, np.int32)
    given = (ensemble.labels, ensemble.offsets, clusters, values, table, seen)
    map_blocks(
        lambda a, b: _profile_kernel(a, b, *given, own, other, neighbour),
        n,
        monitor,
        "measuring how firmly objects sit",
    )
    return Profile(own, other, neighbour, clusters)


def support(
    ensemble: Ensemble, labels: ArrayLike, weights: ArrayLike | None = None, monitor: Monitor = SILENT
) -> NDArray[np.float64]:
    """Mean co-association of every object with the other members of its cluster, S(i, own): (N,), in [0, 1].

    See `cluster_profile` for arguments, errors and cost.

    Parameters
    ----------
    ensemble : Ensemble
        Of N objects.
    labels : (N,) labels of any values
        A partition into two clusters or more.
    weights : (K,) float, optional
        Of the clusters of all base clusterings, by default all 1.
    monitor : Monitor, optional

    Returns
    -------
    (N,) float64
        In [0, 1]; 0 for an object that is alone in its cluster.

    Examples
    --------
    >>> support(Ensemble.from_labels([[0, 0], [0, 0], [0, 1], [1, 1]]), [0, 0, 1, 1]).tolist()
    [1.0, 1.0, 0.5, 0.5]
    """
    return cluster_profile(ensemble, labels, weights, monitor).own


def margin(
    ensemble: Ensemble, labels: ArrayLike, weights: ArrayLike | None = None, monitor: Monitor = SILENT
) -> NDArray[np.float64]:
    """Support of every object less its similarity to the nearest other cluster: (N,), in [-1, 1].

    See `cluster_profile` for arguments, errors and cost.

    Parameters
    ----------
    ensemble : Ensemble
        Of N objects.
    labels : (N,) labels of any values
        A partition into two clusters or more.
    weights : (K,) float, optional
        Of the clusters of all base clusterings, by default all 1.
    monitor : Monitor, optional

    Returns
    -------
    (N,) float64
        In [-1, 1] where no weight is above 1; below 0 the object is more similar to another cluster than to its own.

    Examples
    --------
    >>> margin(Ensemble.from_labels([[0, 0], [0, 0], [0, 1], [1, 1]]), [0, 0, 1, 1]).tolist()
    [0.75, 0.75, 0.0, 0.5]
    """
    return cluster_profile(ensemble, labels, weights, monitor).margin


def checked_partition(ensemble: Ensemble, labels: ArrayLike) -> NDArray[np.int32]:
    """One label an object, numbered by first appearance."""
    given = label_vector(labels)
    if given.shape != (require_ensemble(ensemble).n_objects,):
        raise InvalidParameterError(f"labels must have shape ({ensemble.n_objects:,},). Got {given.shape}")
    return first_appearance(given)


def obs_columns(labels: NDArray, profile: Profile | None) -> dict[str, NDArray]:
    """What an AnnData file is told of its cells: cluster, and how firmly they sit there where there are two or more."""
    columns: dict[str, NDArray] = {"consensus": labels.astype(str)}
    if profile is not None:
        columns |= {"confidence": profile.own, "margin": profile.margin, "second_choice": profile.neighbour.astype(str)}
    return columns


@njit(cache=True, nogil=True)
def _profile_kernel(start, stop, labels, offsets, clusters, values, table, seen, own, other, neighbour):
    """Own and nearest other similarity of objects start..stop; the object itself is left out of its own cluster."""
    k = table.shape[1]
    together, pairs = np.empty(k), np.empty(k)
    for i in range(start, stop):
        together[:], pairs[:] = 0.0, 0.0
        mine = clusters[i]
        for m in range(labels.shape[1]):
            if labels[i, m] < 0:
                continue
            c = offsets[m] + labels[i, m]
            for a in range(k):
                together[a] += values[c] * table[c, a]
                pairs[a] += seen[m, a]
            together[mine] -= values[c]
            pairs[mine] -= 1.0
        best, nearest = -np.inf, 0
        for a in range(k):
            share = together[a] / pairs[a] if pairs[a] > 0 else 0.0
            if a == mine:
                own[i] = share
            elif share > best:
                best, nearest = share, a
        other[i], neighbour[i] = best, nearest
