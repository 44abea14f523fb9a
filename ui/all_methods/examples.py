"""One small example that every method answers, so that one sees where they part."""

from dataclasses import dataclass
from functools import partial

import numpy as np

import data
from engine import EngineError, Ensemble, Monitor, consensus_methods, run_consensus
from engine.generators import kmeans_ensemble, lac_ensemble
from engine.metrics import align
from engine.monitor import SILENT, Quiet

EVERY = 4
M = 10


@dataclass(frozen=True, eq=False)
class Answers:
    """Points of the example (N, 2), and labels (N,) of every method that can answer it."""

    points: np.ndarray
    labels: dict[str, np.ndarray]


def answers(monitor: Monitor = SILENT) -> Answers:
    """Every fourth object of the moons, ten k-means clusterings (LAC where memberships are needed), two clusters."""
    moons = data.load("moons")
    points, truth = moons.features[::EVERY], np.asarray(moons.labels)[::EVERY]
    hard = kmeans_ensemble(points, M, seed=0)
    soft = lac_ensemble(points, 5, [0.1 * 2**i for i in range(M)])
    found = {}
    for done, (key, method) in enumerate(consensus_methods().items()):
        ask = partial(monitor.tick, "asking every method", done, len(consensus_methods()))
        ask()
        labels = _answer(key, soft if "memberships" in method.needs else hard, Quiet(ask))
        if labels is not None:
            found[key] = align(labels, truth)
    return Answers(points, found)


def _answer(key: str, made: Ensemble, monitor: Monitor) -> np.ndarray | None:
    """Labels, or None where a package is not there, or the machine has no room."""
    try:
        return run_consensus(key, made, 2, monitor=monitor).labels
    except EngineError:
        return None
