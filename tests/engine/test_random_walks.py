import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from engine import Ensemble, InvalidParameterError, Monitor, TooLargeError, evidence, run_consensus
from engine.evidence.spectral_walks import geometric_sum
from tests import naive
from tests.strategies import label_matrices, random_labels, same_partition

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


@given(weighted_graphs())
def test_transitions_equal_the_paper_and_rows_sum_to_one_or_none(case):
    weights, sizes = case
    transitions = evidence.transition_matrix(sparse.csr_array(weights), sizes)
    np.testing.assert_allclose(transitions.toarray(), naive.transition_matrix(weights, sizes), atol=1e-15)
    sums = transitions.sum(axis=1)
    np.testing.assert_allclose(sums, weights.any(axis=1), atol=1e-12)


@given(weighted_graphs(), st.integers(1, 7), st.data())
def test_trajectories_equal_the_powers_of_the_matrix(case, T, data):
    weights, sizes = case
    start = data.draw(st.integers(0, len(sizes) - 1))
    ours = evidence.probability_trajectory(sparse.csr_array(weights), sizes, start, T)
    theirs = naive.trajectories(naive.transition_matrix(weights, sizes), T)[start].reshape(T, -1)
    np.testing.assert_allclose(ours, theirs, atol=1e-13)


@given(label_matrices(), st.integers(1, 4), st.integers(1, 4))
def test_a_walk_over_objects_is_the_walk_over_microclusters_seen_closer(labels, K, T):
    """Every object carries the links of its microcluster, to every object of the others."""
    ensemble = Ensemble.from_labels(labels)
    micro, graph = ensemble.microclusters, evidence.microcluster_elite_graph(ensemble, K)
    owner = micro.assignment
    on_objects = graph.toarray()[np.ix_(owner, owner)]
    walks = naive.trajectories(naive.transition_matrix(on_objects, np.ones(len(owner))), T)
    ours = evidence.probability_trajectory(graph, micro.sizes, owner[0], T)
    arrived = walks[0].reshape(T, -1)
    lumped = np.stack([np.bincount(owner, weights=row, minlength=len(micro)) for row in arrived])
    np.testing.assert_allclose(ours, lumped, atol=1e-12)


@pytest.mark.parametrize("form", FORMS)
@given(case=weighted_graphs(), T=st.integers(1, 30))
def test_similarity_equals_the_paper(form, case, T):
    weights, sizes = case
    ours = evidence.trajectory_similarity(sparse.csr_array(weights), sizes, T, dtype=np.float64, form=form)
    theirs = naive.trajectory_similarity(naive.transition_matrix(weights, sizes), T)
    np.testing.assert_allclose(ours, theirs, atol=1e-10)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("T", [1, 2, 25])
def test_similarity_over_many_panels_and_components(form, T):
    weights, sizes = many_components()
    ours = evidence.trajectory_similarity(sparse.csr_array(weights), sizes, T, dtype=np.float64, form=form)
    theirs = naive.trajectory_similarity(naive.transition_matrix(weights, sizes), T)
    np.testing.assert_allclose(ours, theirs, atol=1e-10)


@pytest.mark.parametrize("form", ["auto", *FORMS])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_similarity_is_symmetric_and_in_range(form, dtype):
    weights, sizes = many_components(seed=1)
    ours = evidence.trajectory_similarity(sparse.csr_array(weights), sizes, 9, dtype=dtype, form=form)
    assert ours.dtype == dtype
    assert (ours == ours.T).all()
    assert ours.min() >= 0
    assert ours.max() <= 1
    assert (np.diag(ours) == 1).all()


def test_float32_is_close_to_float64():
    weights, sizes = many_components(seed=2)
    single, double = (
        evidence.trajectory_similarity(sparse.csr_array(weights), sizes, 20, dtype=dtype, form="horner")
        for dtype in (np.float32, np.float64)
    )
    np.testing.assert_allclose(single, double, atol=2e-6)


@pytest.mark.parametrize("form", FORMS)
def test_walks_past_mixing(form):
    weights, sizes = many_components(90, seed=3)
    ours = evidence.trajectory_similarity(sparse.csr_array(weights), sizes, 1000, dtype=np.float64, form=form)
    gram, power = 0, np.eye(len(sizes))
    p = naive.transition_matrix(weights, sizes)
    for _ in range(1000):
        power = power @ p
        gram = gram + power @ power.T
    lengths = np.sqrt(np.diag(gram))
    lengths[lengths == 0] = 1
    theirs = gram / lengths / lengths[:, None]
    np.fill_diagonal(theirs, 1)
    np.testing.assert_allclose(ours, theirs, atol=1e-10)


def test_every_length_on_the_way_is_the_similarity_of_that_length():
    weights, sizes = many_components(100, seed=4)
    graph = sparse.csr_array(weights)
    found = dict(evidence.trajectory_similarities(graph, sizes, [7, 1, 3, 3]))
    assert list(found) == [1, 3, 7]
    for T, matrix in found.items():
        assert (matrix == evidence.trajectory_similarity(graph, sizes, T, form="horner")).all()
    assert not list(evidence.trajectory_similarities(graph, sizes, []))


@pytest.mark.parametrize("form", ["horner", "spectral", "auto"])
def test_several_lengths_at_once_are_the_lengths_one_by_one(form):
    rng = np.random.default_rng(8)
    graph = evidence.elite_neighbor_graph(np.corrcoef(rng.random((60, 40))) ** 2, 4)
    sizes, lengths = rng.integers(1, 9, 60), [1, 4, 30, 4000]
    if form == "auto":
        assert {evidence.trajectory_form(graph, T) for T in lengths} == {"horner", "spectral"}
    found = dict(evidence.trajectory_similarities(graph, sizes, lengths, form=form))
    assert list(found) == lengths
    for T, matrix in found.items():
        assert (matrix == evidence.trajectory_similarity(graph, sizes, T, form=form)).all()


@pytest.mark.parametrize("T", [1, 2, 50, 10_000])
def test_geometric_sums_keep_their_digits(T):
    q = np.array([0, 0.3, 0.5, 0.500001, 0.9, 1 - 1e-9, 1, -0.2, -1])
    exact = [float(sum(np.longdouble(x) ** t for t in range(1, T + 1))) for x in q]
    np.testing.assert_allclose(geometric_sum(q, T), exact, rtol=1e-12)


@pytest.mark.parametrize("form", CLUSTER_FORMS)
@settings(max_examples=40)
@given(labels=label_matrices(), K=st.integers(1, 6), T=st.integers(1, 8))
def test_similarity_to_clusters_equals_the_paper(form, labels, K, T):
    ensemble = Ensemble.from_labels(labels)
    sizes, graph = ensemble.microclusters.sizes, evidence.microcluster_elite_graph(ensemble, K)
    ours = evidence.cluster_trajectory_similarity(ensemble, graph, T, dtype=np.float64, form=form)
    similarity = naive.trajectory_similarity(naive.transition_matrix(graph.toarray(), sizes), T)
    np.testing.assert_allclose(ours, naive.cluster_trajectory_similarity(labels, similarity), atol=1e-10)


def test_similarity_to_more_clusters_than_a_panel_holds():
    ensemble = Ensemble.from_labels(random_labels(260, 16, 9, seed=3, noise=0.3))
    assert ensemble.n_clusters_total > 128
    graph = evidence.microcluster_elite_graph(ensemble, 5)
    columns, horner, spectral = (
        evidence.cluster_trajectory_similarity(ensemble, graph, 12, dtype=np.float64, form=form)
        for form in CLUSTER_FORMS
    )
    np.testing.assert_allclose(columns, horner, atol=1e-12)
    np.testing.assert_allclose(columns, spectral, atol=1e-10)
    single = evidence.cluster_trajectory_similarity(ensemble, graph, 12, form="columns")
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, columns, atol=2e-6)


def test_similarity_to_clusters_by_columns_holds_no_square_matrix(monkeypatch):
    monkeypatch.setenv("CONCORD_THREADS", "1")
    ensemble = Ensemble.from_labels(np.random.default_rng(0).integers(0, 6, (3000, 8)))
    n = len(ensemble.microclusters)
    tracemalloc.start()
    graph = evidence.microcluster_elite_graph(ensemble, 3)
    evidence.cluster_trajectory_similarity(ensemble, graph, 2, form="columns")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < n * n * 4 / 2


def test_form_follows_size_links_and_length():
    ring = sparse.csr_array(np.roll(np.eye(300), 1, axis=1) + np.roll(np.eye(300), -1, axis=1))
    assert evidence.trajectory_form(ring, 10) == "horner"
    assert evidence.trajectory_form(ring, 100_000) == "spectral"
    large = sparse.diags_array([np.ones(4999), np.ones(4999)], offsets=[-1, 1]).tocsr()
    assert evidence.trajectory_form(large, 10**9) == "horner"


def test_cluster_form_avoids_square_matrices_that_are_larger_than_the_answer():
    few = Ensemble.from_labels(random_labels(200, 4, 4, noise=0.5))
    many = Ensemble.from_labels(random_labels(40, 30, 6, noise=0.5))
    forms = [
        evidence.cluster_trajectory_form(ensemble, evidence.microcluster_elite_graph(ensemble, 2), 2)
        for ensemble in (few, many)
    ]
    assert forms == ["columns", "horner"]


@pytest.mark.parametrize("form", FORMS)
def test_isolated_nodes_are_like_themselves_alone(form):
    graph = sparse.csr_array((4, 4))
    assert (evidence.trajectory_similarity(graph, np.ones(4), 3, form=form) == np.eye(4)).all()
    assert (evidence.probability_trajectory(graph, np.ones(4), 2, 3) == 0).all()
    assert evidence.preserved_link_ratio(graph, np.eye(4)) == 1


@pytest.mark.parametrize("form", FORMS)
def test_one_node(form):
    graph = evidence.elite_neighbor_graph(np.ones((1, 1)), 3)
    assert graph.shape == (1, 1)
    assert graph.nnz == 0
    assert evidence.trajectory_similarity(graph, np.array([7]), 2, form=form).tolist() == [[1]]


@pytest.mark.parametrize("key", ["pta", "ptgp"])
def test_microclusters_without_any_link_still_make_k_clusters(key):
    ensemble = Ensemble.from_labels(np.repeat(np.arange(6), 3)[:, None])
    for k in range(2, 7):
        result = run_consensus(key, ensemble, k)
        assert result.n_clusters == k
        assert np.unique(result.labels).size == k


@pytest.mark.parametrize("key", ["pta", "ptgp"])
def test_components_tie_and_still_make_k_clusters(key):
    """Four groups without a link between them, each with some inner noise: k below and above four."""
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(4), 30)
    labels = np.stack([group * 3 + rng.integers(0, 3, 120) * (rng.random(120) < 0.4) for _ in range(6)], axis=1)
    ensemble = Ensemble.from_labels(labels)
    for k in (2, 3, 4, 9):
        result = run_consensus(key, ensemble, k)
        assert np.unique(result.labels).size == k
        if k == 4:
            assert same_partition(result.labels, group)
        if k < 4:
            assert all(np.unique(result.labels[group == g]).size == 1 for g in range(4)) or key == "ptgp"


@pytest.mark.parametrize("key", ["pta", "ptgp"])
@pytest.mark.parametrize("params", [{"T": 1}, {"K": 1}, {"K": 10_000, "T": 400}])
def test_short_walks_few_and_all_neighbors(key, params):
    ensemble = Ensemble.from_labels(random_labels(80, 6, 4, seed=5))
    assert run_consensus(key, ensemble, 4, params).n_clusters == 4


@pytest.mark.parametrize("key", ["pta", "ptgp"])
def test_all_sizes_one(key):
    labels = np.unique(np.random.default_rng(1).integers(0, 4, (60, 5)), axis=0)
    ensemble = Ensemble.from_labels(labels)
    assert (ensemble.microclusters.sizes == 1).all()
    assert run_consensus(key, ensemble, 3).n_clusters == 3


def test_sizes_enter_through_the_walk_alone():
    """Trees count microclusters: with equal sizes throughout, repeating every object changes nothing."""
    labels = random_labels(60, 6, 4, seed=6)
    once = Ensemble.from_labels(np.unique(labels, axis=0))
    thrice = Ensemble.from_labels(np.repeat(np.unique(labels, axis=0), 3, axis=0))
    for key in ("pta", "ptgp"):
        assert (run_consensus(key, thrice, 4).labels[::3] == run_consensus(key, once, 4).labels).all()


@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
def test_pta_equals_the_paper_step_by_step(linkage):
    ensemble = Ensemble.from_labels(random_labels(70, 7, 5, seed=8, noise=0.3))
    micro = ensemble.microclusters
    weights = naive.weighted_co_association(microcluster_labels(ensemble), np.ones(ensemble.n_clusters_total))
    kept = naive.elite_neighbor_graph(weights, 4)
    similarity = naive.trajectory_similarity(naive.transition_matrix(kept, micro.sizes), 5)
    for k in (2, 5, 9):
        ours = run_consensus("pta", ensemble, k, {"K": 4, "T": 5, "linkage": linkage})
        theirs = naive.agglomerate(similarity, k, linkage)
        assert same_partition(ours.labels, theirs[micro.assignment])


def test_ptgp_embedding_equals_the_paper_step_by_step():
    ensemble = Ensemble.from_labels(random_labels(70, 7, 5, seed=9, noise=0.3))
    sizes = ensemble.microclusters.sizes
    weights = naive.weighted_co_association(microcluster_labels(ensemble), np.ones(ensemble.n_clusters_total))
    p = naive.transition_matrix(naive.elite_neighbor_graph(weights, 4), sizes)
    links = naive.cluster_trajectory_similarity(ensemble.canonical.labels, naive.trajectory_similarity(p, 5))
    theirs = naive.tcut_embedding(links, 3)
    ours = run_consensus("ptgp", ensemble, 3, {"K": 4, "T": 5}).trace["embedding"]
    np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-5)


def test_the_trace_says_which_walk_was_taken():
    ensemble = Ensemble.from_labels(random_labels(120, 8, 5, seed=1))
    n = len(ensemble.microclusters)
    for key, forms in (("pta", FORMS), ("ptgp", CLUSTER_FORMS)):
        trace = run_consensus(key, ensemble, 4, {"T": 3}, record=("graph", "trajectories", "co_association")).trace
        assert trace["walk"]["K"] == evidence.default_neighbors(n)
        assert trace["walk"]["T"] == 3
        assert trace["walk"]["form"] in forms
        assert trace["co_association"].shape == trace["graph"].shape == (n, n)
        expected = evidence.trajectory_similarity(trace["graph"], ensemble.microclusters.sizes, 3)
        assert (trace["trajectories"] == expected).all()
    tree = run_consensus("pta", ensemble, 4).trace["dendrogram"]
    assert (tree.sizes == ensemble.microclusters.sizes).all()


def test_progress_never_falls_back_while_walking():
    class Watch(Monitor):
        def __init__(self):
            self.shares = {}

        def tick(self, stage, done, total):
            self.shares.setdefault(stage, []).append(done / total)

    watch = Watch()
    weights, sizes = many_components()
    evidence.trajectory_similarity(sparse.csr_array(weights), sizes, 6, watch, form="horner")
    assert len(watch.shares) == 2
    for shares in watch.shares.values():
        assert shares == sorted(shares)
        assert shares[-1] == 1


def test_what_is_refused():
    graph, sizes = sparse.csr_array(np.ones((3, 3)) - np.eye(3)), np.ones(3)
    for K in (0, -1, 1.5, True, "2"):
        with pytest.raises(InvalidParameterError, match="K must be an integer"):
            evidence.elite_neighbor_graph(np.eye(3), K)
    for T in (0, 2.0, False, None):
        for call in (evidence.trajectory_similarity, lambda g, r, t: evidence.probability_trajectory(g, r, 0, t)):
            with pytest.raises(InvalidParameterError, match="T must be an integer"):
                call(graph, sizes, T)
    with pytest.raises(InvalidParameterError, match="T must be an integer"):
        evidence.trajectory_similarities(graph, sizes, [3, 0])
    with pytest.raises(InvalidParameterError, match="square float"):
        evidence.elite_neighbor_graph(np.ones((2, 3)), 1)
    with pytest.raises(InvalidParameterError, match="one size a node"):
        evidence.transition_matrix(graph, np.ones(4))
    with pytest.raises(InvalidParameterError, match="start"):
        evidence.probability_trajectory(graph, sizes, 3, 1)
    with pytest.raises(InvalidParameterError, match="form"):
        evidence.trajectory_similarity(graph, sizes, 1, form="dense")
    ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1]])
    with pytest.raises(InvalidParameterError, match="form"):
        evidence.cluster_trajectory_similarity(ensemble, graph, 1, form="dense")


@pytest.mark.parametrize("form", FORMS)
def test_what_does_not_fit_is_refused(form, monkeypatch):
    weights, sizes = many_components(100)
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "10K")
    with pytest.raises(TooLargeError):
        evidence.trajectory_similarity(sparse.csr_array(weights), sizes, 3, form=form)
