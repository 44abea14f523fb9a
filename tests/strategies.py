"""Hypothesis strategies and small ensembles shared by the tests."""

import numpy as np
from hypothesis import strategies as st

from engine import Graph


@st.composite
def label_matrices(draw, max_objects=14, max_clusterings=5, max_clusters=4):
    n = draw(st.integers(3, max_objects))
    m = draw(st.integers(1, max_clusterings))
    rows = st.lists(st.integers(0, max_clusters - 1), min_size=m, max_size=m)
    return np.array(draw(st.lists(rows, min_size=n, max_size=n)))


def random_labels(n=60, m=6, k=5, seed=0, noise=0.15):
    """Noisy copies of one partition: an ensemble that mostly agrees, with many repeated rows."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=n)
    labels = np.tile(truth[:, None], m)
    flip = rng.random(labels.shape) < noise
    labels[flip] = rng.integers(k, size=int(flip.sum()))
    return labels


def same_partition(a, b):
    """Whether two label vectors group the objects alike."""
    a, b = np.asarray(a), np.asarray(b)
    return bool(((a[:, None] == a) == (b[:, None] == b)).all())


def shuffled_rows(ensemble, seed=0):
    """The ensemble with its objects in another order, and which object stands where."""
    objects = np.random.default_rng(seed).permutation(ensemble.n_objects)
    soft = None if ensemble.memberships is None else ensemble.memberships[objects]
    graph = None if ensemble.graph is None else ensemble.graph.of_nodes(objects)
    return type(ensemble).from_labels(ensemble.labels[objects], memberships=soft, graph=graph), objects


def agreeing_graph(labels):
    """A graph that links objects of which more than half of the base clusterings say the same, by how many do."""
    labels = np.asarray(labels)
    same = ((labels[:, None] == labels) & (labels[:, None] >= 0) & (labels >= 0)).mean(axis=2)
    return Graph.of_matrix(np.where(same > 0.5, same, 0.0))


def soft_memberships(ensemble, sharpness=0.7, seed=0):
    """Rows that sum to 1 in every base clustering and lean to the label: (N, K), different for every object."""
    noise = np.random.default_rng(seed).random((ensemble.n_objects, ensemble.n_clusters_total))
    blocks = np.split(noise, ensemble.offsets[1:-1], axis=1)
    blocks = [block / block.sum(axis=1, keepdims=True) for block in blocks]
    return sharpness * ensemble.incidence.toarray() + (1 - sharpness) * np.hstack(blocks)
