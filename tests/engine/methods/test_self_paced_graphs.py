"""SPCE's graph: on microclusters and on objects."""

import numpy as np
import pytest

from engine import Ensemble, TooLargeError, run_consensus
from engine.evidence import self_paced_graph
from tests import naive_medians
from tests.strategies import random_labels


@pytest.mark.parametrize("g", [0.0, 0.1, 0.3, 0.5])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_graph_of_microclusters_is_that_of_objects(g, seed):
    ensemble = Ensemble.from_labels(random_labels(50, 6, 3, seed, noise=0.15)).canonical
    found = self_paced_graph(ensemble, 3, g)
    assert found.breaches == 0
    expected, values = naive_medians.self_paced_graph(ensemble.labels.tolist(), 3, g)
    objects = ensemble.microclusters.assignment
    np.testing.assert_allclose(found.graph[np.ix_(objects, objects)], expected, atol=1e-8)
    assert found.settled == (naive_medians.verdict(values) == 0)


def test_a_graph_torn_into_too_many_pieces_is_mended_and_said():
    result = run_consensus("spce", Ensemble.from_labels(random_labels(80, 6, 4, 1, noise=0.3)), 3, {"g": 0.9})
    assert result.trace["unsettled"] == 1
    assert result.trace["repaired"] > 0
    assert result.n_clusters == 3


def test_one_base_clustering_stays_as_it_is_and_is_mended():
    labels = np.arange(40)[:, None] % 5
    found = self_paced_graph(Ensemble.from_labels(labels).canonical, 3)
    assert (found.graph == np.eye(5)).all()
    result = run_consensus("spce", Ensemble.from_labels(labels), 3)
    assert result.n_clusters == 3
    assert result.trace["repaired"] == 2


def test_rounds_in_which_objects_of_a_microcluster_would_part_are_counted(oracle):
    if len(oracle["E"]) == 150:
        assert run_consensus("spce", Ensemble.from_labels(oracle["E"]), 10).trace["breaches"] > 0
        assert run_consensus("spce", Ensemble.from_labels(oracle["E"]), 3).trace["breaches"] == 0


def test_what_does_not_fit_is_refused_before_it_is_made(monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "10K")
    with pytest.raises(TooLargeError, match="learnt graph"):
        self_paced_graph(Ensemble.from_labels(random_labels()), 3)
