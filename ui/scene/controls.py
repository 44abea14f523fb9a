"""Data without clusters beside the data: a twin of one Gaussian, and the test of structure on both."""

import numpy as np

from engine import Monitor, run_consensus
from engine.choosing_k import Structure, consensus_runs, principal_scores, structure, without_clusters
from engine.generators import Recipe

#: The ks, runs and sets without clusters of the test of structure; 20 sets are what 5 % needs.
_KS, _RUNS, _SETS = (2, 3, 4), 15, 20


def twin(features: np.ndarray, seed: int) -> np.ndarray:
    """A set without clusters, as long and as wide as the data: one Gaussian with their covariance, (N, p)."""
    return without_clusters(principal_scores(features), np.random.default_rng(seed))


def structure_of_data(features: np.ndarray, seed: int, monitor: Monitor) -> Structure:
    """Testing for structure: how structured the data look beside sets without clusters."""
    return _structure(features, seed, monitor)


def structure_of_twin(twin: np.ndarray, seed: int, monitor: Monitor) -> Structure:
    """Testing for structure: the same for the twin."""
    return _structure(twin, seed, monitor)


def _structure(points: np.ndarray, seed: int, monitor: Monitor) -> Structure:
    scores_of, rng = principal_scores(points), np.random.default_rng(seed)
    sets = [scores_of, *(without_clusters(scores_of, rng) for _ in range(_SETS))]
    pac = []
    for done, one in enumerate(sets):
        monitor.tick("drawing sets without clusters", done, len(sets))
        pac.append(consensus_runs(one, _KS, _RUNS, seed=seed).pac())
    return structure(np.array(pac[0]), np.array(pac[1:]))


def twin_labels(
    twin: np.ndarray, method: str, recipe: Recipe, n_clusters: int, n_clusterings: int, seed: int, monitor: Monitor
) -> np.ndarray:
    """Finding the consensus: what the chosen method answers on the twin, (N,) in as many clusters as asked."""
    made = recipe.ensemble(twin, n_clusters, n_clusterings, seed, monitor)
    return run_consensus(method, made, n_clusters, seed=seed).labels
