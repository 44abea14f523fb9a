"""Which method to believe: every method that fits into the time, side by side, and what all of them agree on."""

import numpy as np

from engine import Ensemble, Monitor
from engine.choosing_method import ChosenMethod, choose_method


def method_choice(
    ensemble: Ensemble,
    n_clusters: int,
    features_if_any: np.ndarray | None,
    data: str,
    budget: int,
    seed: int,
    monitor: Monitor,
) -> ChosenMethod:
    """Asking every method that fits into the time: answers, how stable they are, and which we would take."""
    return choose_method(ensemble, n_clusters, features_if_any, float(budget), seed, monitor, leave_out=(data,))


def in_common(method_choice: ChosenMethod | None) -> np.ndarray | None:
    """How firmly the answers of all methods put an object where the first does: shares, (N,); None for one answer."""
    return None if method_choice is None or method_choice.common is None else method_choice.common.share
