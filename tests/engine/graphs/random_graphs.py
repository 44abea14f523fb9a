"""Graphs to cut."""

import numpy as np
from scipy import sparse

from engine import (
    Ensemble,
)
from tests.strategies import random_labels, soft_memberships


def soft_ensemble(n=70, m=5, k=4, seed=0, noise=0.15):
    hard = Ensemble.from_labels(random_labels(n, m, k, seed, noise))
    return Ensemble.from_labels(hard.labels, memberships=soft_memberships(hard, seed=seed)).canonical


def random_graph(n, share, seed, high=9):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.integers(1, high, (n, n)) * (rng.random((n, n)) < share), 1)
    return sparse.csr_array(upper + upper.T)


def cliques(*sizes, bridge=True):
    """Complete graphs of weight 5, each joined to the next by an edge of weight 1."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    matrix = 5 * (owner[:, None] == owner)
    for end in np.cumsum(sizes)[:-1] * bridge:
        matrix[end - 1, end] = matrix[end, end - 1] = 1
    np.fill_diagonal(matrix, 0)
    return sparse.csr_array(matrix), owner
