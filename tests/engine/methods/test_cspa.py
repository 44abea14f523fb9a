"""CSPA and the pairs that meet."""

import numpy as np
from hypothesis import given, settings

from engine import (
    Ensemble,
    evidence,
)
from engine import run_consensus as run
from tests import naive
from tests.strategies import label_matrices, random_labels


@settings(max_examples=40)
@given(label_matrices())
def test_pairs_that_meet_are_counted_as_on_objects(labels):
    ensemble = Ensemble.from_labels(labels)
    owner = np.eye(len(ensemble.microclusters))[ensemble.microclusters.assignment]
    expected = owner.T @ naive.times_together(labels.tolist()) @ owner
    np.fill_diagonal(expected, 0)
    graph = evidence.pair_count_graph(ensemble)
    assert (graph.toarray() == expected).all()
    assert graph.nnz == (expected > 0).sum()


def test_many_clusters_are_not_taken_for_one_another():
    labels = np.stack([np.arange(600) // 2, np.arange(600) % 7], axis=1)
    ensemble = Ensemble.from_labels(labels)
    labels = labels[ensemble.microclusters.representatives]
    expected = (labels[:, None] == labels).sum(axis=2)
    np.fill_diagonal(expected, 0)
    assert (evidence.pair_count_graph(ensemble).toarray() == expected).all()


def test_cspa_cuts_the_pairs_that_meet(to_metis):
    labels = random_labels(60, 4, 4, 2)
    ensemble = Ensemble.from_labels(labels).canonical
    run("cspa", ensemble, 3)
    assert (to_metis["graph"] == evidence.pair_count_graph(ensemble).toarray()).all()
    assert (to_metis["sizes"] == ensemble.microclusters.sizes).all()


def test_a_missing_label_leaves_the_weights_of_small_edges(to_metis):
    """Two groups of many copies meet 100 x 100 times as often as single objects do."""
    labels = np.vstack([random_labels(60, 6, 4, 2, noise=0.4), np.full((100, 6), 5), np.full((100, 6), 5)])
    labels[160:, 0] = 6
    labels[0, 0] = -1
    ensemble = Ensemble.from_labels(labels).canonical
    run("cspa", ensemble, 3)
    graph = evidence.pair_count_graph(ensemble).toarray()
    np.testing.assert_allclose(to_metis["graph"], 1000 * graph, atol=0.5)
