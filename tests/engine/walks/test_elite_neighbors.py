"""Graphs of elite neighbours."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Ensemble, evidence
from tests import naive
from tests.engine.walks.walked_graphs import weighted_graphs
from tests.strategies import label_matrices


@given(weighted_graphs(), st.integers(1, 14))
def test_elite_graph_equals_the_paper(case, K):
    similarity, _ = case
    graph = evidence.elite_neighbor_graph(similarity, K)
    np.testing.assert_array_equal(graph.toarray(), naive.elite_neighbor_graph(similarity, K))
    assert (graph != graph.T).nnz == 0
    assert graph.nnz == graph.count_nonzero()
    assert not graph.diagonal().any()


@given(label_matrices(), st.one_of(st.none(), st.integers(1, 20)))
def test_the_graph_from_rows_is_the_graph_of_the_matrix(labels, K):
    ensemble = Ensemble.from_labels(labels)
    whole = evidence.elite_neighbor_graph(evidence.co_association(ensemble, dtype=np.float64), K)
    rows = evidence.microcluster_elite_graph(ensemble, K)
    assert rows.dtype == np.float64
    np.testing.assert_array_equal(rows.toarray(), whole.toarray())


@pytest.mark.parametrize("K", [1, 2, 37, 198])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_thresholds_of_many_neighbors(K, dtype):
    similarity = np.random.default_rng(K).random((200, 200)).astype(dtype)
    similarity = (similarity + similarity.T) / 2
    graph = evidence.elite_neighbor_graph(similarity, K)
    assert graph.dtype == dtype
    np.testing.assert_array_equal(graph.toarray(), naive.elite_neighbor_graph(similarity, K))


@pytest.mark.parametrize("K", [None, 5, 6, 1000])
def test_every_link_stays_from_n_less_one_neighbors_on(K):
    similarity = np.random.default_rng(0).random((6, 6))
    similarity = similarity + similarity.T
    similarity[1, 4] = similarity[4, 1] = 0
    graph = evidence.elite_neighbor_graph(similarity, K)
    assert graph.nnz == 28
    assert evidence.preserved_link_ratio(graph, similarity) == 1


def test_all_that_tie_with_the_threshold_stay():
    similarity = np.full((5, 5), 0.5)
    assert evidence.elite_neighbor_graph(similarity, 1).nnz == 20


@given(weighted_graphs(), st.integers(1, 6))
def test_preserved_link_ratio_counts_links(case, K):
    similarity, _ = case
    kept = np.count_nonzero(naive.elite_neighbor_graph(similarity, K))
    total = np.count_nonzero(similarity)
    ratio = evidence.preserved_link_ratio(
        evidence.elite_neighbor_graph(similarity, K), similarity + np.eye(len(similarity))
    )
    assert ratio == (kept / total if total else 1)


@pytest.mark.parametrize(("n_clusters", "K"), [(2, 1), (9, 3), (40, 7), (40, 300)])
def test_a_search_in_many_blocks_finds_what_the_whole_matrix_shows(n_clusters, K, monkeypatch):
    rng = np.random.default_rng(n_clusters)
    home = rng.integers(0, 30, 700)
    labels = np.stack([np.where(rng.random(700) < 0.6, home % k, rng.integers(0, k, 700)) for k in [n_clusters] * 9], 1)
    ensemble = Ensemble.from_labels(labels)
    whole = evidence.elite_neighbor_graph(evidence.co_association(ensemble, dtype=np.float64), K)
    for n_threads in ("1", "2"):
        monkeypatch.setenv("CONCORD_THREADS", n_threads)
        found = evidence.microcluster_elite_graph(ensemble, K)
        assert found.has_sorted_indices
        np.testing.assert_array_equal(found.toarray(), whole.toarray())


@given(label_matrices(), st.integers(1, 12), st.integers(1, 12))
def test_a_graph_of_fewer_neighbors_comes_from_one_of_more(labels, K, more):
    ensemble = Ensemble.from_labels(labels)
    whole = evidence.microcluster_elite_graph(ensemble, K + more)
    thinned = evidence.thinned_elite_graph(whole, K)
    np.testing.assert_array_equal(thinned.toarray(), evidence.microcluster_elite_graph(ensemble, K).toarray())


@given(label_matrices(), st.sampled_from([20, 10**9]))
def test_links_are_the_pairs_that_share_a_cluster(labels, most_steps):
    ensemble = Ensemble.from_labels(labels)
    shared = ensemble.clusters.incidence().toarray()
    shared = (shared @ shared.T > 0) & ~np.eye(len(shared), dtype=bool)
    asked, n_links = evidence.microcluster_links(ensemble, most_steps)
    assert n_links.tolist() == shared.sum(axis=1)[asked].tolist()
    assert len(np.unique(asked)) == len(asked) >= 1
    if most_steps > 20:
        assert len(asked) == len(ensemble.microclusters)


@given(weighted_graphs(), st.sampled_from([30, 10**6]))
def test_quality_of_a_graph_is_that_of_its_matrix(case, most_pairs):
    similarity, _ = case
    n = len(similarity)
    micro = Ensemble.from_labels(np.arange(n)[:, None].repeat(2, axis=0)).microclusters
    truth, graph = np.arange(2 * n) % 3, evidence.elite_neighbor_graph(similarity, 2)
    matrix = graph.toarray() + np.eye(n)
    found = evidence.link_quality_of_graph(graph, micro, truth, [0.1, 0.5, 0.9], most_pairs=most_pairs)
    if found.n_rows is None:
        whole = evidence.link_quality(matrix, micro, truth, [0.1, 0.5, 0.9])
        assert found.pairs.tolist() == whole.pairs.tolist()
        assert found.correct.tolist() == whole.correct.tolist()
    else:
        assert found.n_rows < n
