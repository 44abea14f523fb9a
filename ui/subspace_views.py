"""What the Subspaces page shows: one LAC run, and its error over 1/h beside consensus methods, draw by draw."""

from dataclasses import dataclass, field

import numpy as np
import streamlit as st

from engine import consensus_methods, metrics, run_consensus
from engine.generators import LACResult, ensemble_of, lac, lac_runs
from ui import generating, pipeline
from ui.jobs import Job
from ui.run_config import RunConfig

#: Draws the error curve averages over.
DRAWS = 10
#: Values of 1/h along the error curve.
VALUES = 13
#: Methods compared with LAC, in the order of the legend.
COMPARED = ("wspa", "wbpa", "cspa", "mcla")


def run(config: RunConfig) -> Job:
    """Job: the LACResult at the 1/h that is looked at."""
    k, points = pipeline.lac_k(config), pipeline.features(config)
    key = ("lac", config.data, config.scaling, k, config.h, config.seed)
    return pipeline.start(key, lambda monitor: lac(points, k, config.h, config.seed, monitor=monitor), "lac")


@dataclass(frozen=True, eq=False)
class Seen:
    """A run with its clusters named like the classes they match best, so that colours stay while 1/h moves."""

    labels: np.ndarray  # (N,) names of clusters
    names: np.ndarray  # (k,) ascending; the rows and columns below are in this order
    centroids: np.ndarray  # (k, D)
    weights: np.ndarray  # (k, D)
    posterior: np.ndarray  # (N, k)


def seen(found: LACResult, classes: np.ndarray | None) -> Seen:
    """The run, named; without classes the clusters are named from left to right."""
    left_to_right = np.argsort(np.argsort(found.centroids[:, 0]))
    labels = metrics.align(found.labels, left_to_right[found.labels] if classes is None else classes)
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


@st.cache_resource(max_entries=16, show_spinner=False)
def _curve(key: tuple, _inverse_h: np.ndarray) -> ErrorCurve:
    return ErrorCurve(_inverse_h)


def _curve_key(config: RunConfig) -> tuple:
    return "error_curve", config.data, config.scaling, config.hlow, config.hhigh, pipeline.lac_k(config), config.seed


def curve(config: RunConfig) -> ErrorCurve:
    """What is there of the error curve."""
    return _curve(_curve_key(config), np.array(generating.recipe(config).inverse_hs(VALUES)))


def errors(config: RunConfig) -> Job:
    """Job: fill the error curve up to `DRAWS` draws, each with fresh starts of LAC."""
    held, k = curve(config), pipeline.lac_k(config)
    points, classes = pipeline.features(config), pipeline.truth(config)

    def compute(monitor) -> ErrorCurve:
        for draw in range(len(held.lac), DRAWS):
            monitor.tick("drawing starts of LAC", draw, DRAWS)
            runs = lac_runs(points, k, held.inverse_h, config.seed + 1000 * draw)
            found = {key: error(run_consensus(key, ensemble_of(runs), k, seed=draw).labels, classes)
                     for key in COMPARED}  # fmt: skip
            held.consensus.append(found)
            held.lac.append(np.array([error(one.labels, classes) for one in runs]))
        return held

    return pipeline.start(_curve_key(config), compute, "error_curve", patient=True)


def errors_so_far(config: RunConfig) -> Job | None:
    """The job that fills the error curve, if somebody asked for it."""
    return pipeline.jobs().find(_curve_key(config))


def error(labels: np.ndarray, classes: np.ndarray) -> float:
    """Share of objects outside the cluster matched with their class."""
    return 1 - metrics.accuracy(labels, classes)
