"""TRCE's graph: on microclusters and on objects."""

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from engine import Ensemble, TooLargeError, run_consensus
from engine.evidence import tri_level_graph
from engine.methods import trce
from engine.methods.learnt_graphs import smooth_vectors
from tests import naive_medians
from tests.strategies import random_labels, same_partition


@pytest.mark.parametrize("gamma", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("published", [False, True])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_graph_of_microclusters_is_that_of_objects(gamma, published, seed):
    ensemble = Ensemble.from_labels(random_labels(40, 5, 3, seed, noise=0.2))
    assert len(ensemble.microclusters) < 34
    found = tri_level_graph(ensemble, 3, gamma, published)
    rounds = 10 if published else 50
    expected, values = naive_medians.tri_level_graph(ensemble.labels.tolist(), 3, gamma, rounds, published)
    objects = ensemble.microclusters.assignment
    np.testing.assert_allclose(found.graph[np.ix_(objects, objects)], expected, atol=1e-8)
    assert found.settled == (naive_medians.verdict(values) == 0)


def test_the_published_code_trusts_the_base_clustering_given_last():
    """Methods see base clusterings in an order of their own; which one came last is still known."""
    labels = random_labels(60, 6, 4, 6, noise=0.4)
    ensemble = Ensemble.from_labels(labels)
    graph = tri_level_graph(ensemble, 3, published=True).graph
    expected = connected_components(graph > 0, directed=False)[1][ensemble.microclusters.assignment]
    for order in (range(6), [1, 0, 3, 2, 4, 5]):
        shuffled = Ensemble.from_labels(labels[:, order])
        assert same_partition(run_consensus("trce", shuffled, 3, {"variant": "published-code"}).labels, expected)


@pytest.mark.parametrize("m", [1, 3])
@pytest.mark.parametrize("published", [False, True])
def test_objects_that_all_agree_on_are_trusted_whatever_rounding_says(m, published):
    labels = np.repeat(np.arange(5), [2, 3, 4, 4, 7])
    unanimous = Ensemble.from_labels(np.tile(labels[:, None], m))
    variant = "published-code" if published else "paper"
    assert run_consensus("trce", unanimous, 3, {"variant": variant}).n_clusters == 3
    torn = np.concatenate([np.tile(labels[:, None], 3), np.random.default_rng(0).integers(5, 8, size=(20, 3))])
    assert run_consensus("trce", Ensemble.from_labels(torn), 6, {"variant": variant}).n_clusters == 6


def test_it_stops_when_it_does_not_settle_and_says_so(monkeypatch):
    monkeypatch.setattr(trce, "MAX_ROUNDS", 2)
    result = run_consensus("trce", Ensemble.from_labels(random_labels(80, 6, 4, 1, noise=0.4)), 7, {"gamma": 1e4})
    assert result.trace["unsettled"] == 1
    assert result.trace["repaired"] > 0
    assert result.n_clusters == 7


def test_vectors_inside_a_microcluster_are_known_without_being_made():
    rng = np.random.default_rng(0)
    sizes = np.array([1, 4, 1, 2, 3])
    graph = rng.random((5, 5))
    graph = graph + graph.T
    objects = np.repeat(np.arange(5), sizes)
    values = np.linalg.eigvalsh(np.diag(graph[np.ix_(objects, objects)].sum(axis=1)) - graph[np.ix_(objects, objects)])
    found = smooth_vectors(graph, sizes, 4)
    degrees = graph @ sizes
    inside = np.repeat(degrees, sizes - 1)
    np.testing.assert_allclose(np.sort([*found.values, *inside]), values, atol=1e-12)
    assert found.inside == inside.min()
    assert found.breached == (found.values[3] >= inside.min())
    assert smooth_vectors(graph, np.ones(5), 2).inside == np.inf


def test_what_does_not_fit_is_refused_before_it_is_made(monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "10K")
    with pytest.raises(TooLargeError, match="learnt graph"):
        tri_level_graph(Ensemble.from_labels(random_labels()), 3)
