"""Runs of LAC: one with its clusters named after the classes, and errors over 1/h beside those of consensus methods."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np

from data import Dataset
from engine import Monitor, consensus_methods, metrics, run_consensus
from engine.generators import LACResult, ensemble_of, lac, lac_runs, spread_inverse_h
from engine.monitor import Quiet
from engine.params import Float
from ui.compute.keeping import Kept
from ui.compute.work import key_of
from ui.figures.numbering import distinct
from ui.session.settings import Places, Setting

SETTINGS = (
    Setting("lac_inverse_h", 5.0, Float(low=0, low_open=True, high=1e4), "The 1/h that is looked at."),
    Setting("axes", (), Places(n=2), "The two features that are seen.", ("data",)),
)

#: Values of 1/h along an error curve, and ensembles whose errors a lesson averages.
VALUES, DRAWS = 13, 3
#: What takes minutes, and is left in place by a cancel.
PATIENT = KEEPING = ("error_curve",)
#: Draws the error curve averages over.
CURVE_DRAWS = 10
#: Methods compared with LAC, in the order of the legend.
COMPARED = ("wspa", "wbpa", "cspa", "mcla")


@dataclass(frozen=True, eq=False)
class Subspaces:
    """A run with its clusters named like the classes they match best, so that colours stay while 1/h moves."""

    labels: np.ndarray  # (N,) names of clusters
    names: np.ndarray  # (k,) ascending; the rows and columns below are in this order
    centroids: np.ndarray  # (k, D)
    weights: np.ndarray  # (k, D)
    posterior: np.ndarray  # (N, k)


def n_subspaces(scene) -> int:
    """Clusters of every LAC clustering: as chosen, else as many as there are classes (3 if unknown), or objects."""
    return min(scene.config.lac_k or scene.varied(k=None).wanted_k, scene.source.n_objects)


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


def constant_features(features: np.ndarray) -> np.ndarray:
    """Which features are the same for all objects, (D,) bool: LAC calls every cluster closest along them."""
    return np.ptp(features, axis=0) == 0


def feature_pair(axes: tuple[int, ...], subspaces: Subspaces, constant_features: np.ndarray) -> tuple[int, int]:
    """The two features chosen; else of those that vary the two whose weights differ most between clusters."""
    d = subspaces.weights.shape[1]
    if len(axes) == 2 and max(axes) < d and axes[0] != axes[1]:
        return axes[0], axes[1]
    apart = np.where(constant_features, -1, np.ptp(subspaces.weights, axis=0))
    first, second = np.sort(np.argsort(-apart, kind="stable")[:2])
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


@dataclass(eq=False)
class ErrorCurve:
    """Errors of LAC over 1/h and of consensus methods, one row a draw; what is there stays after a cancel."""

    inverse_h: np.ndarray
    lac: list[np.ndarray] = field(default_factory=list)
    consensus: list[dict[str, float]] = field(default_factory=list)

    def by_method(self) -> dict[str, np.ndarray]:
        """Errors over the draws of every method compared, by title."""
        titles = {key: consensus_methods()[key].title for key in COMPARED}
        return {title: np.array([row[key] for row in self.consensus]) for key, title in titles.items()}


_CURVES: Kept[ErrorCurve] = Kept(16)


def curve_so_far(
    features: np.ndarray, classes: np.ndarray, tried_h: np.ndarray, n_subspaces: int, seed: int
) -> ErrorCurve:
    """What is there of the error curve."""
    key = key_of(curve_so_far, features, classes, tried_h, n_subspaces, seed)
    return _CURVES.get(key, lambda: ErrorCurve(tried_h))


def error_curve(
    features: np.ndarray, classes: np.ndarray, tried_h: np.ndarray, n_subspaces: int, seed: int, monitor: Monitor
) -> ErrorCurve:
    """Drawing the error curve: the draws that are missing; those that are there stay after a cancel."""
    held = curve_so_far(features, classes, tried_h, n_subspaces, seed)
    for draw in range(len(held.lac), CURVE_DRAWS):
        monitor.tick("drawing starts of LAC", draw, CURVE_DRAWS)
        quiet = Quiet(partial(monitor.tick, "drawing starts of LAC", draw, CURVE_DRAWS))
        runs = lac_runs(features, n_subspaces, held.inverse_h, seed + 1000 * draw, monitor=quiet)
        together = ensemble_of(runs)
        answers = {key: run_consensus(key, together, n_subspaces, seed=draw, monitor=quiet) for key in COMPARED}
        held.consensus.append({key: _error(answer.labels, classes) for key, answer in answers.items()})
        held.lac.append(np.array([_error(one.labels, classes) for one in runs]))
    return held


def lac_error(weighed: LACResult, classes: np.ndarray) -> float:
    """Share of objects that the run of LAC puts outside the cluster matched with their class."""
    return _error(weighed.labels, classes)


def _error(labels: np.ndarray, classes: np.ndarray) -> float:
    return 1 - metrics.accuracy(labels, classes)
