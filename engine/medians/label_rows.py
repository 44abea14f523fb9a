"""Microclusters as rows of labels for k-means on them, and what base clusterings weigh there (Wu et al. 2015)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble


def clustering_weights(ensemble: Ensemble, utility: str) -> NDArray[np.float64]:
    """Weight of every base clustering: 1, or for NU_c and NU_H one over its own utility.

    A base clustering of one cluster has no utility and weighs nothing under NU_c and NU_H, where the published code
    divides by rounding errors.

    Parameters
    ----------
    ensemble : Ensemble
        Of M base clusterings.
    utility : {"U_c", "U_H", "NU_c", "NU_H"}

    Returns
    -------
    (M,) float64 array
    """
    return utility_weights(ensemble.cluster_sizes, ensemble.n_clusters_each, utility)


def utility_weights(sizes: NDArray, n_each: NDArray, utility: str) -> NDArray[np.float64]:
    """`clustering_weights` from sizes alone.

    Parameters
    ----------
    sizes : (K,) int array
        Of all clusters, those of a base clustering side by side.
    n_each : (M,) int array
        How many clusters each base clustering has.
    utility : {"U_c", "U_H", "NU_c", "NU_H"}

    Returns
    -------
    (M,) float64 array
    """
    if not utility.startswith("N"):
        return np.ones(len(n_each))
    first = np.cumsum(n_each) - n_each
    share = sizes / np.repeat(np.add.reduceat(sizes, first), n_each)  # of all objects, where no label is missing
    each = share**2 if utility == "NU_c" else -share * np.log2(share)
    own = np.add.reduceat(each, first)
    return np.divide(1.0, own, out=np.zeros_like(own), where=n_each > 1)


@dataclass(frozen=True, eq=False)
class LabelRows:
    """What is to be separated.

    Attributes
    ----------
    ids : (n, M) int32, or (e,) where labels are missing
        Clusters every microcluster lies in.
    sizes : (n,) int64
        Objects in each.
    spread : (n,) float64
        Mass of each of these objects; the row is divided by it.
    values : (K,) float64
        Weight of the base clustering each cluster belongs to.
    entropic : bool
        Separate by entropies instead of squared distances; `spread` is 1 then.
    start : (n + 1,) int64 or None
        Where each microcluster begins in `ids`; None where nothing is missing, and all have M.
    clustering_of : (K,) int32 or None
        Base clustering of every cluster, where labels are missing.
    one_mass : bool
        Where labels are missing: a cluster's mass counts all its members, not those that a base clustering saw.
    """

    ids: NDArray[np.int32]
    sizes: NDArray[np.int64]
    spread: NDArray[np.float64]
    values: NDArray[np.float64]
    entropic: bool = False
    start: NDArray[np.int64] | None = None
    clustering_of: NDArray[np.int32] | None = None
    one_mass: bool = False

    @classmethod
    def of(
        cls,
        ensemble: Ensemble,
        spread: NDArray | None = None,
        weights: NDArray | None = None,
        entropic: bool = False,
        one_mass: bool = False,
    ) -> "LabelRows":
        """Rows of an ensemble: mass of an object (n,) and weights of base clusterings (M,) are 1 by default.

        Parameters
        ----------
        ensemble : Ensemble
            Of n microclusters in M base clusterings.
        spread : (n,) float, optional
            Mass of every object of a microcluster, above 0.
        weights : (M,) float, optional
            Of the base clusterings, not negative.
        entropic : bool
            As the attribute of this name.
        one_mass : bool
            As the attribute of this name.

        Returns
        -------
        LabelRows
            n rows for `kmeans_on_labels`.
        """
        n, m = len(ensemble.microclusters), ensemble.n_clusterings
        weights = np.ones(m) if weights is None else np.asarray(weights, dtype=np.float64)
        clusters, complete = ensemble.clusters, ensemble.complete
        return cls(
            clusters.ids.reshape(n, m) if complete else clusters.ids,
            ensemble.microclusters.sizes,
            np.ones(n) if spread is None else np.asarray(spread, dtype=np.float64),
            np.repeat(weights, ensemble.n_clusters_each),
            entropic,
            None if complete else clusters.start,
            None if complete else clusters.clustering_of,
            one_mass,
        )

    @property
    def logs(self) -> NDArray[np.float64]:
        """Values of x log2 x for x = 0..N where entropies need them, else nothing."""
        counts = np.arange(self.sizes.sum() + 1 if self.entropic else 0, dtype=np.float64)
        return counts * np.log2(np.maximum(counts, 1))
