"""One run of LAC: its clusters named after the classes, and the features in which they differ most."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from data import Dataset
from engine import Monitor, metrics
from engine.generators import LACResult, lac, lac_runs, spread_inverse_h
from engine.monitor import Quiet
from ui.figures.numbering import distinct

#: Values of 1/h along an error curve, and ensembles whose errors a lesson averages.
VALUES, DRAWS = 13, 3


@dataclass(frozen=True, eq=False)
class Subspaces:
    """A run with its clusters named like the classes they match best, so that colours stay while 1/h moves."""

    labels: np.ndarray  # (N,) names of clusters
    names: np.ndarray  # (k,) ascending; the rows and columns below are in this order
    centroids: np.ndarray  # (k, D)
    weights: np.ndarray  # (k, D)
    posterior: np.ndarray  # (N, k)


def n_subspaces(scene) -> int:
    """Clusters of every LAC clustering: as chosen, else as many as there are classes (3 if unknown)."""
    return scene.config.lac_k or scene.varied(k=None).wanted_k


def weighed(features: np.ndarray, n_subspaces: int, lac_inverse_h: float, seed: int, monitor: Monitor) -> LACResult:
    """Weighing features: the LAC run at the 1/h that is looked at."""
    return lac(features, n_subspaces, lac_inverse_h, seed, monitor=monitor)


def subspaces(weighed: LACResult, truth: np.ndarray | None) -> Subspaces:
    """The run, named; without classes the clusters are named from left to right."""
    left_to_right = np.argsort(np.argsort(weighed.centroids[:, 0]))
    labels = metrics.align(weighed.labels, left_to_right[weighed.labels] if truth is None else truth)
    first = np.unique(weighed.labels, return_index=True)[1]
    order = np.argsort(labels[first])
    parts = weighed.centroids[order], weighed.weights[order], weighed.posterior[:, order]
    return Subspaces(labels, labels[first][order], *parts)


def feature_pair(axes: tuple[int, ...], subspaces: Subspaces) -> tuple[int, int]:
    """The two features chosen; else the two whose weights differ most between clusters."""
    d = subspaces.weights.shape[1]
    if len(axes) == 2 and max(axes) < d and axes[0] != axes[1]:
        return axes[0], axes[1]
    first, second = np.sort(np.argsort(-np.ptp(subspaces.weights, axis=0), kind="stable")[:2])
    return int(first), int(second)


def feature_names(source: Dataset) -> list[str]:
    """What the features are called, no two of them alike."""
    return distinct(source.columns)


def tried_h(inverse_h: tuple[float, float]) -> np.ndarray:
    """The values of 1/h, evenly spaced in ratio: (VALUES,)."""
    return np.array(spread_inverse_h(*inverse_h, VALUES))


def runs_over_h(
    features: np.ndarray, n_clusters: int, tried_h: np.ndarray, seed: int, monitor: Monitor
) -> list[list[LACResult]]:
    """Weighing features: LAC at every value of 1/h, for each of a few ensembles."""
    return [
        lac_runs(
            features,
            n_clusters,
            tried_h,
            seed + draw,
            monitor=Quiet(partial(monitor.tick, "weighing features", draw, DRAWS)),
        )
        for draw in range(DRAWS)
    ]
