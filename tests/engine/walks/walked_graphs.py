"""Graphs to walk on."""

import numpy as np
from hypothesis import strategies as st

FORMS = ["horner", "spectral"]


CLUSTER_FORMS = ["columns", "horner", "spectral"]


@st.composite
def weighted_graphs(draw, max_nodes=12):
    """Symmetric weights with ties, isolated nodes and several components, and a size a node."""
    n = draw(st.integers(1, max_nodes))
    rng = np.random.default_rng(draw(st.integers(0, 100_000)))
    weights = rng.choice([0, 0, 0, 0.25, 0.5, 1], (n, n)) if draw(st.booleans()) else rng.random((n, n))
    weights[rng.random((n, n)) < draw(st.sampled_from([0.2, 0.6, 0.9]))] = 0
    weights = np.triu(weights, 1)
    return weights + weights.T, rng.integers(1, 9, n)


def many_components(n=330, seed=0):
    """More nodes than a panel holds, in components of many sizes, shuffled."""
    rng = np.random.default_rng(seed)
    group = rng.choice(12, n, p=np.r_[np.full(2, 0.3), np.full(10, 0.04)])
    weights = np.triu(rng.random((n, n)) * (group[:, None] == group) * (rng.random((n, n)) < 0.2), 1)
    weights[:, ::29] = 0  # isolated, unless a later node links to them
    return weights + weights.T, rng.integers(1, 20, n)


def microcluster_labels(ensemble):
    return ensemble.labels[ensemble.microclusters.representatives]
