"""Random walks and the similarity of their trajectories."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from engine import Ensemble, InvalidParameterError, TooLargeError, evidence
from engine.runtime.monitor import SILENT
from engine.similarities import find_evidence
from engine.walks import walk_panels
from engine.walks.trajectories import geometric_sum
from tests import naive
from tests.engine.walks.walked_graphs import FORMS, many_components, weighted_graphs
from tests.strategies import label_matrices


@given(weighted_graphs())
def test_transitions_equal_the_paper_and_rows_sum_to_one_or_none(case):
    weights, sizes = case
    transitions = evidence.transition_matrix(sparse.csr_array(weights), sizes)
    np.testing.assert_allclose(transitions.toarray(), naive.transition_matrix(weights, sizes), atol=1e-15)
    sums = transitions.sum(axis=1)
    np.testing.assert_allclose(sums, weights.any(axis=1), atol=1e-12)


def test_one_microcluster_is_as_similar_to_itself_as_can_be():
    ensemble, found = Ensemble.from_labels([[0, 0], [0, 0]]), find_evidence("pts")
    assert found.matrix(ensemble, found.params(), SILENT).tolist() == [[1.0]]
    assert found.value(ensemble, found.params(), 0, 1) == 1


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


def test_form_follows_size_links_and_length():
    ring = sparse.csr_array(np.roll(np.eye(300), 1, axis=1) + np.roll(np.eye(300), -1, axis=1))
    assert evidence.trajectory_form(ring, 10) == "horner"
    assert evidence.trajectory_form(ring, 100_000) == "spectral"
    large = sparse.diags_array([np.ones(4999), np.ones(4999)], offsets=[-1, 1]).tocsr()
    assert evidence.trajectory_form(large, 10**9) == "horner"


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


@pytest.mark.long
def test_panels_of_long_graphs_equal_dense_powers_after_every_step_on_any_number_of_threads(monkeypatch):
    monkeypatch.setattr(walk_panels, "_SMALL", 0)
    rng = np.random.default_rng(0)
    weights = np.zeros((600, 600))
    for step in (1, 2, 31):  # two bands, of 460 and 100 nodes, and 40 nodes alone: most panels lead to few others
        weights[np.arange(460 - step), np.arange(step, 460)] = rng.random(460 - step) + 0.1
        weights[460 + np.arange(100 - step), 460 + np.arange(step, 100)] = rng.random(100 - step) + 0.1
    order = rng.permutation(600)
    weights = (weights + weights.T)[order][:, order]
    sizes = rng.integers(1, 5, 600)
    found = {}
    for n_threads in ("1", "2"):
        monkeypatch.setenv("CONCORD_THREADS", n_threads)
        for dtype in (np.float32, np.float64):
            walked = evidence.trajectory_similarities(sparse.csr_array(weights), sizes, [1, 2, 7], dtype=dtype)
            found[n_threads, dtype] = dict(walked)
    for T in (1, 2, 7):
        dense = naive.trajectory_similarity(naive.transition_matrix(weights, sizes), T)  # slow, and made once
        for dtype, atol in ((np.float32, 2e-6), (np.float64, 1e-12)):
            np.testing.assert_allclose(found["1", dtype][T], dense, atol=atol)
            assert found["1", dtype][T].tobytes() == found["2", dtype][T].tobytes()
