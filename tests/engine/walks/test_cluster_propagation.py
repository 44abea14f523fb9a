import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import eigh

from engine import Ensemble, InvalidParameterError, evidence, partition, run_consensus
from engine.evidence import participation
from engine.graphs.eigenvectors import cut_directions, rotated_parts
from engine.monitor import SILENT
from engine.similarities import find_evidence
from tests import naive
from tests.strategies import label_matrices, random_labels, same_partition


@settings(max_examples=40)
@given(label_matrices(), st.integers(1, 30))
def test_similarities_of_clusters_equal_the_paper(labels, length):
    ours = evidence.propagated_similarity(Ensemble.from_labels(labels), length)
    np.testing.assert_allclose(ours, naive.propagated_similarity(labels, length), atol=1e-9)
    assert (ours == ours.T).all()


@settings(max_examples=20)
@given(label_matrices(), st.integers(1, 30))
def test_evidence_on_microclusters_stands_for_objects(labels, length):
    ensemble, kind = Ensemble.from_labels(labels), find_evidence("ecpcs")
    params, everyone = kind.params(T=length), np.arange(len(labels))
    expected = naive.mean_over_clusters(labels, naive.propagated_similarity(labels, length), same_base=True)
    matrix = ensemble.microclusters.expand_matrix(kind.matrix(ensemble, params, SILENT), everyone, everyone)
    np.testing.assert_allclose(matrix, expected, atol=1e-6)
    assert kind.value(ensemble, params, 0, len(labels) - 1) == pytest.approx(expected[0, -1], abs=1e-9)


def test_one_base_clustering_gives_its_co_association():
    ensemble, kind = Ensemble.from_labels(random_labels(50, 1, 6)), find_evidence("ecpcs")
    assert (kind.matrix(ensemble, kind.params(), SILENT) == evidence.co_association(ensemble)).all()


def test_leaves_of_a_star_are_all_alike():
    """With one constant base clustering and one other, every walk goes through the constant one."""
    ensemble = Ensemble.from_labels([[0, 0], [0, 0], [0, 1], [0, 2]])
    np.testing.assert_allclose(evidence.propagated_similarity(ensemble, 4)[1:, 1:], 1)
    for k in (2, 3):
        assert run_consensus("ecpcs_hc", ensemble, k).n_clusters == k
        assert run_consensus("ecpcs_mc", ensemble, k).n_clusters == k


def test_the_tree_is_that_of_objects():
    labels = random_labels(45, 5, 4, seed=8, noise=0.35)
    similarity = naive.mean_over_clusters(labels, naive.propagated_similarity(labels, 20), same_base=True)
    for k in (2, 4, 7):
        ours = run_consensus("ecpcs_hc", Ensemble.from_labels(labels), k).labels
        assert same_partition(ours, naive.agglomerate(similarity, k))


def test_meta_clusters_do_not_see_how_objects_are_grouped():
    """On objects: the same meta-clusters, and the votes by the formula."""
    labels = random_labels(60, 6, 4, seed=3, noise=0.3)
    ensemble = Ensemble.from_labels(labels)
    between = evidence.propagated_similarity(ensemble, 20)
    groups = partition.normalized_cut(between, 4)
    votes = naive.meta_cluster_votes(labels, groups.tolist())
    np.testing.assert_allclose(ensemble.microclusters.expand(participation(ensemble, groups)), votes, atol=1e-12)
    result = run_consensus("ecpcs_mc", ensemble, 4, record=("cluster_similarity",))
    np.testing.assert_allclose(result.trace["cluster_similarity"], between, atol=1e-9)
    assert result.trace["repaired"] == 0
    ordered = np.sort(votes, axis=1)
    sure = ordered[:, -1] > ordered[:, -2] + 1e-9  # of equal votes the canonical order of clusters decides
    assert sure.sum() > 50
    assert same_partition(result.labels[sure], votes.argmax(axis=1)[sure])


def test_a_meta_cluster_that_wins_nobody_is_made_and_counted():
    results = [run_consensus("ecpcs_mc", Ensemble.from_labels(random_labels(80, 8, 5, seed)), 11) for seed in range(6)]
    assert all(result.n_clusters == 11 for result in results)
    assert any(result.trace["repaired"] > 0 for result in results)


def test_more_meta_clusters_than_clusters_are_refused():
    grid = Ensemble.from_labels([[i, j] for i in range(4) for j in range(4)])
    with pytest.raises(InvalidParameterError, match="at most 8, the clusters of all base clusterings together"):
        run_consensus("ecpcs_mc", grid, 9)
    assert run_consensus("ecpcs_mc", grid, 16).n_clusters == 16


def test_directions_are_generalised_eigenvectors_of_the_regularised_graph():
    rng = np.random.default_rng(0)
    similarity = rng.random((30, 30))
    similarity = (similarity + similarity.T) / 2
    ours = cut_directions(similarity, 3)
    degrees = np.diag(similarity.sum(axis=1) + 1)
    _, vectors = eigh(similarity + np.eye(30) / 2, degrees)
    vectors = vectors[:, ::-1][:, :3]
    vectors /= np.linalg.norm(vectors, axis=0)
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    np.testing.assert_allclose(ours @ ours.T, vectors @ vectors.T, atol=1e-9)


def test_the_best_start_wins():
    similarity = evidence.propagated_similarity(Ensemble.from_labels(random_labels(90, 8, 9, noise=0.5)), 20)
    rows = cut_directions(similarity, 7)
    tried = [rotated_parts(rows, start * len(rows) // 20) for start in range(20)]
    best = max(objective for _, objective in tried)
    ours = partition.normalized_cut(similarity, 7)
    assert any(same_partition(ours, labels) and objective > best - 1e-8 for labels, objective in tried)


def test_separate_groups_are_the_parts():
    truth = np.repeat([0, 1, 2], [4, 5, 3])
    assert partition.normalized_cut((truth[:, None] == truth).astype(float), 3).tolist() == truth.tolist()
    assert partition.normalized_cut(np.ones((1, 1)), 1).tolist() == [0]


@pytest.mark.parametrize("steps", [10**6, 10**18, 10**20])
def test_walks_of_any_length_end(steps):
    """Eigenvalues of 1 come out a rounding above it: their powers have no end."""
    for seed in range(8):
        ensemble = Ensemble.from_labels(random_labels(15, 6, 3, seed, noise=1.0))
        found = evidence.propagated_similarity(ensemble, steps)
        np.testing.assert_allclose(found, evidence.propagated_similarity(ensemble, 10**5), atol=1e-4)
