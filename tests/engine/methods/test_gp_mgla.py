import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Ensemble, InvalidParameterError, evidence, partition, run_consensus
from engine.graphs.spectral_cuts import transfer_embedding
from tests import naive
from tests.strategies import label_matrices, random_labels, same_partition


@settings(max_examples=30)
@given(label_matrices(), st.floats(0, 4))
def test_source_aware_triples_equal_the_paper(labels, beta):
    ensemble = Ensemble.from_labels(labels)
    weights = naive.normalized_crowd_agreement(labels) ** beta
    ours = evidence.source_aware_triples(ensemble, weights)
    np.testing.assert_allclose(ours, naive.source_aware_triples(labels, weights), atol=1e-12)
    assert (ours == ours.T).all()
    with pytest.raises(InvalidParameterError, match="weights must have shape"):
        evidence.source_aware_triples(ensemble, np.append(weights, 1))


@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 2.0), (0.01, 2.0), (30.0, 0.0)])
@pytest.mark.parametrize("seed", range(4))
def test_the_embedding_is_that_of_objects_and_clusters(alpha, beta, seed):
    labels = random_labels(70, 6, 5, seed, noise=0.25)
    ensemble = Ensemble.from_labels(labels)
    for k in (2, 4, 6):
        trace = run_consensus("gp_mgla", ensemble, k, {"alpha": alpha, "beta": beta}).trace
        ours, theirs = (
            ensemble.microclusters.expand(trace["embedding"]),
            naive.gp_mgla_embedding(labels, k, alpha, beta),
        )
        np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-6)


def test_only_links_of_objects_without_weights_are_usenc():
    ensemble = Ensemble.from_labels(random_labels(150, 8, 5, seed=4, noise=0.3))
    for k in (2, 3, 5, 9):
        ours = run_consensus("gp_mgla", ensemble, k, {"alpha": 1e9, "beta": 0}).trace["embedding"]
        theirs = run_consensus("usenc", ensemble, k).trace["embedding"]
        np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-6)


def test_a_constant_base_clustering_weighs_nothing_and_harms_nothing():
    labels = np.column_stack([np.zeros(80, int), random_labels(80, 5, 4, noise=0.1)])
    result = run_consensus("gp_mgla", Ensemble.from_labels(labels), 4, record=("cluster_similarity",))
    assert result.trace["clustering_weights"][0] == 0
    assert result.trace["cluster_similarity"].shape == (21, 21)
    assert (np.diagonal(result.trace["cluster_similarity"]) == 1).all()


def test_one_base_clustering_is_recovered():
    labels = np.random.default_rng(1).integers(5, size=40)
    assert same_partition(run_consensus("gp_mgla", Ensemble.from_labels(labels[:, None]), 5).labels, labels)


def test_a_linked_graph_is_the_bipartite_graph_of_both_kinds_of_rows():
    ensemble = Ensemble.from_labels(random_labels(50, 4, 4, noise=0.4))
    rng = np.random.default_rng(0)
    weights, links = rng.random(ensemble.n_clusters_total), rng.random((ensemble.n_clusters_total,) * 2)
    sizes, links = ensemble.microclusters.sizes, (links + links.T) / 2
    for share in (0.7, 30.0):
        linked = partition.LinkedGraph(partition.BipartiteGraph.of(ensemble, weights), links, share)
        rows = share * ensemble.clusters.incidence().toarray() * weights
        both = partition.DenseGraph(np.vstack([rows, links]))
        ours = transfer_embedding(linked, sizes, 3)
        theirs = transfer_embedding(both, np.append(sizes, np.ones(len(weights))), 3)[: len(sizes)]
        np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-9)


def test_no_weight_of_the_links_is_too_large():
    ensemble = Ensemble.from_labels(random_labels(60, 6, 3, noise=0.2))
    large, most = (run_consensus("gp_mgla", ensemble, 3, {"alpha": alpha}).labels for alpha in (1e12, 1e308))
    assert same_partition(large, most)


def test_farthest_first_follows_the_order_given_and_fills_what_is_empty():
    def run(points, k, order):
        """Labels of the points, whose objects come in an order."""
        ensemble = Ensemble.from_labels(np.array(order)[:, None])
        own = np.asarray(points)[np.array(order)[ensemble.microclusters.representatives]]
        labels, n_repaired = partition.farthest_first_kmeans(ensemble, own, k)
        found = ensemble.microclusters.expand(labels)
        return [int(found[order.index(point)]) for point in range(len(points))], n_repaired

    points = np.array([[0.0, 0], [0.1, 0], [4, 0], [4.1, 0], [0, 4]])
    labels, n_repaired = run(points, 3, [0, 1, 2, 3, 4])
    assert labels == [0, 0, 1, 1, 2]
    assert n_repaired == 0
    assert run(points, 3, [4, 3, 2, 1, 0])[0] == [2, 2, 1, 1, 0]
    labels, n_repaired = run(np.zeros((4, 2)), 3, [0, 0, 1, 2, 3])
    assert sorted(set(labels)) == [0, 1, 2]
    assert n_repaired == 2


def test_the_published_variant_follows_rows_and_gives_exactly_k():
    ensemble = Ensemble.from_labels(random_labels(120, 8, 5, seed=1))
    for k in (2, 5, 11):
        assert run_consensus("gp_mgla", ensemble, k, {"variant": "published-code"}).n_clusters == k
