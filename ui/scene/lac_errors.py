"""The error of LAC over 1/h beside that of consensus methods on all of its runs together, draw by draw."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np

from engine import Monitor, consensus_methods, run_consensus
from engine.generators import LACResult, ensemble_of, lac_runs
from engine.metrics import accuracy
from engine.monitor import Quiet
from ui.compute.keeping import Kept
from ui.compute.keys import key_of

PATIENT = ("error_curve",)
#: Draws the error curve averages over.
DRAWS = 10
#: Methods compared with LAC, in the order of the legend.
COMPARED = ("wspa", "wbpa", "cspa", "mcla")


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
    for draw in range(len(held.lac), DRAWS):
        monitor.tick("drawing starts of LAC", draw, DRAWS)
        quiet = Quiet(partial(monitor.tick, "drawing starts of LAC", draw, DRAWS))
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
    return 1 - accuracy(labels, classes)
