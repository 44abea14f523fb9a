"""What the Subspaces page shows: one LAC run, and its error over 1/h beside consensus methods, draw by draw."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np

import data
from data import Dataset
from engine import Monitor, consensus_methods, metrics, run_consensus
from engine.generators import LACResult, ensemble_of, lac, lac_runs, spread_inverse_h
from engine.monitor import SILENT, Quiet
from engine.renumbering import first_appearance
from ui.compute import pipeline
from ui.compute.jobs import Job
from ui.compute.keeping import Kept
from ui.compute.work import find, start
from ui.session.run_config import RunConfig

#: Draws the error curve averages over.
DRAWS = 10
#: Values of 1/h along the error curve.
VALUES = 13
#: Methods compared with LAC, in the order of the legend.
COMPARED = ("wspa", "wbpa", "cspa", "mcla")


def run(config: RunConfig) -> Job:
    """Job: the LACResult at the 1/h that is looked at."""
    return start(lac, pipeline.features(config), pipeline.lac_k(config), config.lac_inverse_h, config.seed)


@dataclass(frozen=True, eq=False)
class Seen:
    """A run with its clusters named like the classes they match best, so that colours stay while 1/h moves."""

    labels: np.ndarray  # (N,) names of clusters
    names: np.ndarray  # (k,) ascending; the rows and columns below are in this order
    centroids: np.ndarray  # (k, D)
    weights: np.ndarray  # (k, D)
    posterior: np.ndarray  # (N, k)


def seen(found: LACResult, truth: np.ndarray | None) -> Seen:
    """The run, named; without classes the clusters are named from left to right."""
    left_to_right = np.argsort(np.argsort(found.centroids[:, 0]))
    labels = metrics.align(found.labels, left_to_right[found.labels] if truth is None else truth)
    first = np.unique(found.labels, return_index=True)[1]
    order = np.argsort(labels[first])
    parts = found.centroids[order], found.weights[order], found.posterior[:, order]
    return Seen(labels, labels[first][order], *parts)


def axes(config: RunConfig, weights: np.ndarray) -> tuple[int, int]:
    """The two features chosen; else the two whose weights differ most between clusters."""
    d = weights.shape[1]
    if len(config.axes) == 2 and max(config.axes) < d and config.axes[0] != config.axes[1]:
        return config.axes[0], config.axes[1]
    first, second = np.sort(np.argsort(-np.ptp(weights, axis=0), kind="stable")[:2])
    return int(first), int(second)


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


def _inputs(config: RunConfig) -> tuple:
    return pipeline.dataset(config), config.scaling, config.inverse_h, pipeline.lac_k(config), config.seed


def curve(config: RunConfig) -> ErrorCurve:
    """What is there of the error curve."""
    return _curve(*_inputs(config))


def _curve(source: Dataset, scaling: str, ends: tuple[float, float], k: int, seed: int) -> ErrorCurve:
    key = source.fingerprint, scaling, ends, k, seed
    return _CURVES.get(key, lambda: ErrorCurve(np.array(spread_inverse_h(*ends, VALUES))))


def errors(config: RunConfig) -> Job:
    """Job: fill the error curve up to `DRAWS` draws, each with fresh starts of LAC."""
    return start(fill_errors, *_inputs(config), slot="error_curve", patient=True)


def errors_so_far(config: RunConfig) -> Job | None:
    """The job that fills the error curve, if somebody asked for it."""
    return find(fill_errors, *_inputs(config))


def fill_errors(
    source: Dataset, scaling: str, ends: tuple[float, float], k: int, seed: int, monitor: Monitor = SILENT
) -> ErrorCurve:
    """The draws that are missing; those that are there stay after a cancel."""
    held = _curve(source, scaling, ends, k, seed)
    points, truth = data.scale(source.features, scaling), first_appearance(source.labels)
    for draw in range(len(held.lac), DRAWS):
        monitor.tick("drawing starts of LAC", draw, DRAWS)
        quiet = Quiet(partial(monitor.tick, "drawing starts of LAC", draw, DRAWS))
        runs = lac_runs(points, k, held.inverse_h, seed + 1000 * draw, monitor=quiet)
        together = ensemble_of(runs)
        found = {
            key: error(run_consensus(key, together, k, seed=draw, monitor=quiet).labels, truth) for key in COMPARED
        }
        held.consensus.append(found)
        held.lac.append(np.array([error(one.labels, truth) for one in runs]))
    return held


def error(labels: np.ndarray, truth: np.ndarray) -> float:
    """Share of objects outside the cluster matched with their class."""
    return 1 - metrics.accuracy(labels, truth)
