"""CSPA, HBGF, MCLA, HGPA, WSPA, WBPA and the partitioners below them."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import pymetis
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import data
from engine import Cancelled, Ensemble, InvalidParameterError, MissingEvidenceError, Monitor, evidence, partition
from engine import run_consensus as run
from engine.generators import kmeans_ensemble
from engine.methods.mcla import participation
from engine.partition import hypergraph_cuts, metis_cuts, metis_library
from tests import naive
from tests.strategies import label_matrices, random_labels, same_partition, soft_memberships


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


@pytest.fixture
def to_metis(monkeypatch):
    """What METIS is given: the graph, dense, and the weights of its vertices."""
    seen, cut_once = {"settings": []}, metis_library.cut_once

    def spy(given, n_parts, seed, *settings):
        n = len(given.sizes)
        graph = sparse.csr_array((given.weights, given.neighbors, given.start), shape=(n, n))
        seen.update(graph=graph.toarray(), sizes=given.sizes, settings=[*seen["settings"], settings])
        return cut_once(given, n_parts, seed, *settings)

    monkeypatch.setattr(metis_library, "cut_once", spy)
    return seen


# --- METIS -------------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.integers(2, 40), st.sampled_from([0, 0.03, 0.3, 1]), st.integers(0, 10_000), st.data())
def test_any_graph_is_cut_into_exactly_k_parts(n, share, seed, choice):
    graph, k = random_graph(n, share, seed), choice.draw(st.integers(1, n))
    weights = np.random.default_rng(seed).integers(0, choice.draw(st.sampled_from([1, 2, 500])), n)
    rows = sparse.csr_array(np.random.default_rng(seed).random((n, 6)) * (graph.toarray()[:, :1] > 0))
    for labels, _ in (
        partition.metis_partition(graph, weights, k, np.random.default_rng(seed)),
        partition.metis_bipartite(rows, weights, k, np.random.default_rng(seed)),
    ):
        assert labels.dtype == np.int32
        assert sorted(set(labels.tolist())) == list(range(k))


def test_cliques_are_found_joined_or_not():
    for bridge in (True, False):
        graph, owner = cliques(20, 20, 20, 20, bridge=bridge)
        labels, repaired = partition.metis_partition(graph, np.ones(80, int), 4, np.random.default_rng(0))
        assert same_partition(labels, owner)
        assert repaired == 0


def test_parts_are_balanced_by_vertex_weight():
    graph, _ = cliques(30, 10)
    light, _ = partition.metis_partition(graph, np.ones(40, int), 2, np.random.default_rng(0))
    heavy, _ = partition.metis_partition(graph, np.repeat([1, 3], [30, 10]), 2, np.random.default_rng(0))
    assert np.bincount(light).tolist() == [20, 20]
    assert sorted(np.bincount(heavy).tolist()) == [10, 30]


def test_loops_and_weights_of_zero_are_no_edges():
    graph, weights = random_graph(50, 0.2, 3), np.ones(50, int)
    row, column = graph.tocoo().coords
    entries = np.r_[graph.data, [7, 7, 0, 0]], (np.r_[row, [4, 9, 0, 1]], np.r_[column, [4, 9, 1, 0]])
    dressed = sparse.csr_array(entries, shape=(50, 50))
    assert dressed.nnz > graph.nnz
    plain = partition.metis_partition(graph, weights, 5, np.random.default_rng(1))[0]
    assert (partition.metis_partition(dressed, weights, 5, np.random.default_rng(1))[0] == plain).all()
    assert (metis_cuts._plain(dressed).toarray() == graph.toarray()).all()


def test_a_graph_without_edges_is_cut_into_equal_runs():
    labels, _ = partition.metis_partition(sparse.csr_array((6, 6)), np.ones(6, int), 3, np.random.default_rng(0))
    assert labels.tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("k", [0, 11])
def test_more_parts_than_vertices_are_refused(k):
    with pytest.raises(InvalidParameterError, match=r"1\.\.10"):
        partition.metis_partition(random_graph(10, 1, 0), np.ones(10), k, np.random.default_rng(0))
    with pytest.raises(InvalidParameterError, match=r"1\.\.10"):
        partition.metis_bipartite(sparse.csr_array(np.ones((10, 2))), np.ones(10), k, np.random.default_rng(0))


def test_an_empty_part_takes_the_half_least_tied(monkeypatch):
    graph, _ = cliques(3, 3)
    graph = graph.tolil()
    graph[0, 3] = graph[3, 0] = 2
    monkeypatch.setattr(metis_library, "cut_once", lambda given, *_: np.zeros(len(given.sizes), np.int32))
    labels, repaired = partition.metis_partition(
        sparse.csr_array(graph.tocsr()), np.ones(6), 2, np.random.default_rng(0)
    )
    assert labels.tolist() == [0, 1, 0, 0, 1, 1]  # ties 12, 10, 11 and 13, 10, 10
    assert repaired == 1
    rows = sparse.csr_array([[3, 0], [3, 0], [1, 1], [0, 1]])
    labels, repaired = partition.metis_bipartite(rows, np.ones(4), 2, np.random.default_rng(0))
    assert labels.tolist() == [0, 0, 1, 1]  # shared weight 12, 12, 7, 1
    assert repaired == 1


def test_where_k_way_leaves_parts_empty_other_schemes_are_asked(to_metis):
    features = data.load("wine").features
    ensemble = kmeans_ensemble((features - features.mean(axis=0)) / features.std(axis=0), 20, seed=0)
    result = run("hbgf", ensemble, 40)
    assert result.n_clusters == 40
    assert to_metis["settings"] == [(False, True), (False, False), (True, True)]  # recursive, two_hop
    assert result.trace["repaired"] == 0


def test_the_attempt_with_fewest_empty_parts_stays(monkeypatch):
    answers = iter([[0, 0, 0, 0, 0], [0, 1, 2, 0, 0], [1, 1, 1, 2, 2]])
    monkeypatch.setattr(metis_library, "cut_once", lambda *_: np.array(next(answers), np.int32))
    labels, repaired = partition.metis_partition(random_graph(5, 1, 0), np.ones(5), 4, np.random.default_rng(0))
    assert labels[1:3].tolist() == [1, 2]
    assert sorted(set(labels.tolist())) == [0, 1, 2, 3]
    assert repaired == 1


def test_weights_become_whole_numbers_that_fit():
    assert metis_library.integer_weights(np.array([0.5, 0.25, 1e-9])).tolist() == [10_000, 5_000, 1]
    assert metis_library.integer_weights(np.array([2, 30])).tolist() == [2, 30]
    assert metis_library.integer_weights(np.array([10, 1000, 2990]), largest_sum=400).tolist() == [1, 100, 299]
    assert metis_library.integer_weights(np.array([0.1, 10, 29.9]), largest_sum=400).tolist() == [1, 100, 299]


@pytest.mark.parametrize("recursive", [False, True])
@pytest.mark.parametrize("two_hop", [False, True])
def test_metis_is_called_as_pymetis_would(recursive, two_hop, monkeypatch):
    rng = np.random.default_rng(0)
    rows = sparse.csr_array(rng.integers(1, 99, (300, 24)) * (rng.random((300, 24)) < 0.2))
    graph = sparse.csr_array(sparse.block_array([[None, rows], [rows.T, None]]))
    index = pymetis.zero_copy_dtype()
    arrays = [part.astype(index) for part in (graph.indptr, graph.indices, graph.data)]
    given = metis_library.MetisGraph(*arrays, rng.integers(1, 4, 324).astype(index))
    theirs = pymetis.part_graph(
        5,
        pymetis.CSRAdjacency(given.start, given.neighbors),
        vweights=given.sizes,
        eweights=given.weights,
        recursive=recursive,
        options=pymetis.Options(seed=8, ncuts=5, no2hop=int(not two_hop)),
    ).vertex_part
    assert metis_library._library() is not None
    assert metis_library.cut_once(given, 5, 8, recursive, two_hop).tolist() == list(theirs)
    assert metis_library.cut_once(given, 5, 9, recursive, two_hop).tolist() != list(theirs)
    monkeypatch.setattr(metis_library, "_library", lambda: None)
    assert metis_library.cut_once(given, 5, 8, recursive, two_hop).tolist() == list(theirs)


def test_calls_at_once_do_not_disturb_each_other():
    graph, weights = random_graph(300, 0.2, 6), np.ones(300, int)

    def cut(seed):
        return partition.metis_partition(graph, weights, 9, np.random.default_rng(seed))[0].tolist()

    alone = [cut(seed) for seed in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(cut, range(8))) == alone


def test_a_cancel_is_heard_while_metis_works_and_while_it_is_waited_for(monkeypatch):
    over, cut_once = Event(), metis_library.cut_once

    def slow(*given):
        over.wait(20)
        return cut_once(*given)

    class Impatient(Monitor):
        ticks = 0

        def tick(self, stage, done, total):
            self.ticks += 1
            if self.ticks == 3:
                raise Cancelled

    graph, weights = random_graph(30, 0.5, 0), np.ones(30, int)
    monkeypatch.setattr(metis_library, "cut_once", slow)
    for _ in range(2):  # the second waits for the first, which goes on alone
        with pytest.raises(Cancelled):
            partition.metis_partition(graph, weights, 3, np.random.default_rng(0), Impatient())
        assert not over.is_set()
    over.set()
    assert len(partition.metis_partition(graph, weights, 3, np.random.default_rng(0))[0]) == 30


# --- the graphs of the methods -----------------------------------------------------------------------------------


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
    expected = (labels[:, None] == labels).sum(axis=2)
    np.fill_diagonal(expected, 0)
    assert (evidence.pair_count_graph(Ensemble.from_labels(labels)).toarray() == expected).all()


def test_cspa_cuts_the_pairs_that_meet(to_metis):
    labels = random_labels(60, 4, 4, 2)
    ensemble = Ensemble.from_labels(labels).canonical
    run("cspa", ensemble, 3)
    assert (to_metis["graph"] == evidence.pair_count_graph(ensemble).toarray()).all()
    assert (to_metis["sizes"] == ensemble.microclusters.sizes).all()


def test_hbgf_cuts_objects_and_clusters(to_metis):
    ensemble = Ensemble.from_labels(random_labels(60, 4, 4, 2)).canonical
    micro = ensemble.microclusters
    flat = [group for clustering in naive.clusters(ensemble.labels.tolist()) for group in clustering]
    inside = [[len(group & set(np.flatnonzero(micro.assignment == a))) for group in flat] for a in range(len(micro))]
    run("hbgf", ensemble, 3)
    assert (to_metis["graph"] == naive.two_sided(inside)).all()
    assert to_metis["sizes"].tolist() == [*micro.sizes.tolist(), *[0] * len(flat)]


def test_hbgf_can_cut_spectrally_and_then_keeps_unequal_sizes(to_metis):
    truth = np.repeat([0, 1, 2], [60, 20, 10])
    labels = np.tile(truth[:, None], 12)
    labels[np.arange(12) * 5, np.arange(12)] = 2
    ensemble = Ensemble.from_labels(labels)
    assert same_partition(run("hbgf", ensemble, 3, {"partitioner": "spectral"}).labels, truth)
    assert not to_metis["settings"]
    assert np.bincount(run("hbgf", ensemble, 3).labels).max() < 60


@settings(max_examples=40)
@given(label_matrices(), st.integers(0, 100))
def test_clusters_overlap_and_vote_as_in_the_paper(labels, seed):
    ensemble = Ensemble.from_labels(labels)
    np.testing.assert_allclose(evidence.cluster_jaccard(ensemble).toarray(), naive.jaccard(labels.tolist()), atol=1e-12)
    groups = np.random.default_rng(seed).integers(3, size=ensemble.n_clusters_total)
    groups = np.unique(groups, return_inverse=True)[1]
    votes = ensemble.microclusters.expand(participation(ensemble, groups))
    np.testing.assert_allclose(votes, naive.meta_cluster_votes(labels.tolist(), groups), atol=1e-12)


def test_mcla_groups_clusters_and_lets_objects_vote(to_metis):
    labels = random_labels(80, 6, 4, 3)
    ensemble = Ensemble.from_labels(labels).canonical
    result = run("mcla", ensemble, 4)
    jaccard = naive.jaccard(ensemble.labels.tolist())
    np.fill_diagonal(jaccard, 0)
    expected = np.where(jaccard > 0, np.maximum(np.rint(jaccard / jaccard.max() * 10_000), 1), 0)
    assert (to_metis["graph"] == expected).all()
    assert (to_metis["sizes"] == ensemble.cluster_sizes).all()
    groups, _ = partition.metis_partition(
        evidence.cluster_jaccard(ensemble), ensemble.cluster_sizes, 4, np.random.default_rng(0)
    )
    numbered = [list(dict.fromkeys(groups.tolist())).index(g) for g in groups]
    votes = naive.meta_cluster_votes(ensemble.labels.tolist(), numbered)
    assert same_partition(result.labels, (votes > votes.max(axis=1, keepdims=True) - 1e-12).argmax(axis=1))
    assert result.trace["repaired"] == 0


@pytest.mark.parametrize("groups", [[1, 0, 1, 0], [0, 1, 0, 1]])
def test_of_equal_votes_the_group_of_the_earliest_cluster_wins(groups, monkeypatch):
    ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 1]])  # the second object is half in either group
    monkeypatch.setattr("engine.methods.mcla.metis_partition", lambda *_: (np.array(groups), 0))
    assert run("mcla", ensemble, 2).labels.tolist() == [0, 0, 1, 1]


def test_mcla_refuses_more_meta_clusters_than_clusters():
    ensemble = Ensemble.from_labels(np.stack(np.unravel_index(np.arange(27), (3, 3, 3)), axis=1))
    assert run("mcla", ensemble, 9).n_clusters == 9
    with pytest.raises(InvalidParameterError, match="at most 9"):
        run("mcla", ensemble, 10)


# --- soft memberships --------------------------------------------------------------------------------------------


def test_psi_is_the_mean_cosine_of_the_paper(to_metis):
    ensemble = soft_ensemble()
    psi = naive.mean_cosine(ensemble.memberships.tolist(), ensemble.n_clusters_each.tolist())
    directions = evidence.membership_directions(ensemble)
    np.testing.assert_allclose(directions @ directions.T, psi, atol=1e-12)
    result = run("wspa", ensemble, 4, record=("similarity",))
    expected = np.rint(psi * 10_000)
    np.fill_diagonal(expected, 0)
    assert (to_metis["graph"] == expected).all()
    assert (to_metis["sizes"] == 1).all()
    micro = ensemble.microclusters
    a, b = 1, len(micro) - 1
    block = psi[np.ix_(micro.assignment == a, micro.assignment == b)]
    assert result.trace["similarity"][a, b] == pytest.approx(block.mean())
    assert "neighbours_kept" not in result.trace


@pytest.mark.parametrize("kept", [1, 7, 68, 69, 500])
def test_only_the_strongest_neighbours_are_kept(kept):
    ensemble = soft_ensemble()
    tied = Ensemble.from_labels(ensemble.labels, memberships=ensemble.memberships.round(1))
    hard = Ensemble.from_labels(ensemble.labels, memberships=ensemble.incidence.toarray())
    for one in (ensemble, tied, hard):
        psi = naive.mean_cosine(one.memberships.tolist(), one.n_clusters_each.tolist())
        expected = naive.strongest(np.rint(psi * 10_000), kept)
        assert (evidence.membership_graph(one, kept).toarray() == expected).all()


def test_wspa_says_how_many_neighbours_it_kept(monkeypatch):
    monkeypatch.setattr("engine.methods.wspa.COMPLETE_UP_TO", 89)
    monkeypatch.setattr("engine.methods.wspa.NEIGHBORS_KEPT", 12)
    truth = np.random.default_rng(0).permutation(90) % 3
    hard = Ensemble.from_labels(np.tile(truth[:, None], 4) + (np.arange(90) < 2)[:, None] * [1, 0, 0, 0])
    ensemble = Ensemble.from_labels(hard.labels, memberships=soft_memberships(hard))
    result = run("wspa", ensemble, 3)
    assert result.trace["neighbours_kept"] == 12
    assert same_partition(result.labels, truth)


def test_wbpa_cuts_objects_and_soft_clusters(to_metis):
    ensemble = soft_ensemble()
    soft = ensemble.memberships
    run("wbpa", ensemble, 4)
    assert (to_metis["graph"] == naive.two_sided(np.maximum(np.rint(soft * (10_000 / soft.max())), 1))).all()
    n_clusters = ensemble.n_clusters_total
    assert to_metis["sizes"].tolist() == [1] * (ensemble.n_objects + n_clusters)
    assert to_metis["settings"] == [(False, False)]  # k-way, no two-hop matching


@pytest.mark.parametrize("key", ["wspa", "wbpa"])
def test_memberships_can_part_objects_of_one_microcluster(key):
    labels = np.repeat([[0, 0], [0, 1], [1, 0]], [40, 1, 1], axis=0)
    soft = np.repeat([[1.0, 0.0, 1.0, 0.0], [0.6, 0.4, 0.6, 0.4]], 21, axis=0)
    result = run(key, Ensemble.from_labels(labels, memberships=soft), 2)
    assert same_partition(result.labels, np.arange(42) >= 21)


def test_cosines_of_hard_labels_are_refused_and_empty_rows_are_like_nothing():
    with pytest.raises(MissingEvidenceError, match="soft memberships"):
        evidence.membership_directions(Ensemble.from_labels([[0], [1]]))
    ensemble = Ensemble.from_labels([[0], [1], [1]], memberships=[[0, 0], [0, 1], [0, 2]])
    assert evidence.membership_graph(ensemble).toarray().tolist() == [[0, 0, 0], [0, 0, 10_000], [0, 10_000, 0]]


# --- hypergraphs -------------------------------------------------------------------------------------------------


def test_hgpa_cuts_no_cluster_it_need_not_cut():
    pytest.importorskip("mtkahypar")
    truth = np.repeat([0, 1, 2], 20)
    noisy = np.stack([truth, (truth + 1) % 3, truth * 20 + np.arange(60) % 20 // 12], axis=1)
    result = run("hgpa", Ensemble.from_labels(noisy), 3)
    assert same_partition(result.labels, truth)
    assert result.trace["repaired"] == 0


def test_hypergraphs_are_balanced_by_vertex_weight(monkeypatch):
    pytest.importorskip("mtkahypar")
    bonds = sparse.csr_array(np.repeat([[1, 0], [0, 1]], [2, 4], axis=0))
    labels, _ = partition.hypergraph_partition(bonds, np.array([2, 2, 1, 1, 1, 1]), 2, np.random.default_rng(0))
    assert same_partition(labels, [0, 0, 1, 1, 1, 1])
    seen = []
    monkeypatch.setattr(
        "engine.methods.hgpa.hypergraph_partition", lambda b, weights, *_: (seen.append(weights), (weights % 2, 0))[1]
    )
    run("hgpa", Ensemble.from_labels([[0], [1], [1], [2]]), 2)
    assert seen[0].tolist() == [1, 2, 1]


def test_an_empty_part_of_a_hypergraph_takes_those_who_share_least(monkeypatch):
    monkeypatch.setattr(hypergraph_cuts, "_in_worker", lambda *_: np.zeros(4, np.int32))
    bonds = sparse.csr_array([[1, 0], [1, 1], [1, 1], [0, 1]])
    labels, repaired = partition.hypergraph_partition(bonds, np.ones(4, int), 2, np.random.default_rng(0))
    assert labels.tolist() == [1, 0, 0, 1]
    assert repaired == 1


def test_a_hypergraph_without_a_bond_is_cut_too():
    pytest.importorskip("mtkahypar")
    single = sparse.csr_array(np.eye(9, dtype=int))
    labels, _ = partition.hypergraph_partition(single, np.ones(9, int), 3, np.random.default_rng(0))
    assert sorted(set(labels.tolist())) == [0, 1, 2]


def test_a_worker_that_fails_is_named_and_one_that_hangs_is_ended(monkeypatch, tmp_path):
    class Impatient(Monitor):
        ticks = 0

        def tick(self, stage, done, total):
            self.ticks += 1
            if self.ticks == 3:
                raise Cancelled

    bonds, ones = sparse.csr_array(np.ones((6, 2))), np.ones(6, int)
    monkeypatch.setattr(hypergraph_cuts, "_WORKER", tmp_path / "worker.py")
    (tmp_path / "worker.py").write_text("import sys; sys.exit('no such preset')")
    with pytest.raises(RuntimeError, match="no such preset"):
        partition.hypergraph_partition(bonds, ones, 2, np.random.default_rng(0))
    (tmp_path / "worker.py").write_text("import time; time.sleep(20)")
    begun, popen = [], hypergraph_cuts.subprocess.Popen
    monkeypatch.setattr(hypergraph_cuts.subprocess, "Popen", lambda *a, **k: begun.append(popen(*a, **k)) or begun[-1])
    with pytest.raises(Cancelled):
        partition.hypergraph_partition(bonds, ones, 2, np.random.default_rng(0), Impatient())
    assert begun[0].returncode < 0  # ended by a signal, not by itself
