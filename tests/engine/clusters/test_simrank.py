import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Ensemble, InvalidParameterError, TooLargeError, evidence, run_consensus
from engine.monitor import SILENT
from engine.similarities import find_evidence
from tests import naive
from tests.strategies import label_matrices, random_labels, same_partition

decays = st.floats(0, 1)


def on_objects(ensemble, between):
    """The matrix looked up, between all objects, in float64."""
    matrix = evidence.mean_over_clusters(ensemble, between, "all", dtype=np.float64)
    everyone = np.arange(ensemble.n_objects)
    return ensemble.microclusters.expand_matrix(matrix, everyone, everyone)


@settings(max_examples=40)
@given(label_matrices(max_objects=9, max_clusterings=4, max_clusters=3), decays, st.integers(2, 9))
def test_simrank_on_clusters_is_that_of_objects(labels, dc, rounds):
    ensemble = Ensemble.from_labels(labels)
    ours = on_objects(ensemble, evidence.cluster_simrank(ensemble, dc, rounds))
    np.fill_diagonal(ours, 1)  # an object itself; everything else is between two objects
    np.testing.assert_allclose(ours, naive.simrank(labels, dc, rounds), atol=1e-12)


@settings(max_examples=40)
@given(label_matrices(), decays, st.booleans())
def test_the_approximation_equals_the_formula(labels, dc, as_published):
    ensemble = Ensemble.from_labels(labels)
    ours = evidence.approximate_simrank(ensemble, dc, as_published)
    np.testing.assert_allclose(ours, naive.approximate_simrank(labels, dc, as_published), atol=1e-12)
    assert (ours == ours.T).all()
    expected = naive.mean_over_clusters(labels, naive.approximate_simrank(labels, dc, as_published), same_base=False)
    np.testing.assert_allclose(on_objects(ensemble, ours), expected, atol=1e-12)


@given(label_matrices())
def test_two_rounds_and_one_base_clustering_are_the_co_association(labels):
    ensemble, alone = Ensemble.from_labels(labels), Ensemble.from_labels(labels[:, :1])
    plain = evidence.co_association(ensemble, dtype=np.float64)
    two = evidence.mean_over_clusters(ensemble, evidence.cluster_simrank(ensemble, 0.8, 2), "all", dtype=np.float64)
    np.testing.assert_allclose(two, 0.8 / labels.shape[1] * plain, atol=1e-15)
    kind = find_evidence("asrs")
    assert (kind.matrix(alone, kind.params(), SILENT) == evidence.co_association(alone)).all()
    srs = find_evidence("srs")
    np.testing.assert_allclose(
        srs.matrix(alone, srs.params(R=2), SILENT), np.float32(0.8) * evidence.co_association(alone), atol=1e-7
    )


@pytest.mark.parametrize("key", ["srs", "asrs"])
def test_values_of_pairs_are_those_of_the_matrix(key):
    ensemble, kind = Ensemble.from_labels(random_labels(60, 5, 4, noise=0.3)), find_evidence(key)
    matrix, owner = kind.matrix(ensemble, kind.params(), SILENT), ensemble.microclusters.assignment
    for i, j in ((0, 1), (5, 40), (17, 17)):
        assert kind.value(ensemble, kind.params(), i, j) == pytest.approx(matrix[owner[i], owner[j]], abs=1e-7)


@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
def test_two_rounds_are_eac(linkage):
    """With eight base clusterings and a decay of a half, all values are scaled exactly, and ties stay ties."""
    ensemble = Ensemble.from_labels(random_labels(80, 8, 5, seed=3, noise=0.3))
    for k in (2, 5, 9):
        ours = run_consensus("srs", ensemble, k, {"R": 2, "dc": 0.5, "linkage": linkage}).labels
        assert same_partition(ours, run_consensus("eac", ensemble, k, {"linkage": linkage}).labels)


@pytest.mark.long
@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
def test_trees_are_those_of_objects(linkage):
    labels = random_labels(40, 5, 4, seed=8, noise=0.35)
    ensemble = Ensemble.from_labels(labels)
    assert len(ensemble.microclusters) < 40
    between = naive.approximate_simrank(labels, 0.8)
    for key, similarity in (
        ("srs", naive.simrank(labels, 0.8, 5)),
        ("asrs", naive.mean_over_clusters(labels, between, same_base=False)),
    ):
        owner = ensemble.microclusters.assignment
        whole = np.where(owner[:, None] == owner, 2, similarity)  # microclusters are kept whole
        ours = run_consensus(key, ensemble, 5, {"linkage": linkage}).labels
        assert same_partition(ours, naive.agglomerate(whole, 5, linkage))


def test_rounds_converge():
    ensemble = Ensemble.from_labels(random_labels(100, 8, 5, noise=0.4))
    after = {R: evidence.cluster_simrank(ensemble, 0.8, R) for R in (5, 10, 60, 61)}
    assert np.abs(after[61] - after[60]).max() < 1e-5 < np.abs(after[10] - after[5]).max()


def test_without_decay_nothing_is_alike_and_k_clusters_come_out():
    ensemble = Ensemble.from_labels(random_labels(80, 6, 5))
    assert (evidence.cluster_simrank(ensemble, 0.0, 5) == 0).all()
    result = run_consensus("srs", ensemble, 4, {"dc": 0.0})
    assert result.n_clusters == 4
    assert result.trace["tied_merges"] == len(ensemble.microclusters) - 1


def test_the_published_test_for_sameness_spares_the_most_alike():
    labels = np.array([[0, 0, 0], [0, 0, 0], [1, 1, 0], [1, 1, 1], [2, 2, 1]])
    ensemble = Ensemble.from_labels(labels)
    ours, theirs = (evidence.approximate_simrank(ensemble, 0.5, published) for published in (False, True))
    differ = ours != theirs
    assert 0 < differ.sum() < differ.size / 2
    assert (theirs[differ] == 1).all()
    assert (ours[differ] == 0.5).all()


def test_bad_rounds_and_decays_and_large_graphs_are_refused(monkeypatch):
    ensemble = Ensemble.from_labels(random_labels())
    for R in (1, 0, 2.5, True):
        with pytest.raises(InvalidParameterError, match="R must be"):
            evidence.cluster_simrank(ensemble, 0.8, R)
    for dc in (-0.1, 1.1, np.nan):
        with pytest.raises(InvalidParameterError, match="dc must be"):
            evidence.cluster_simrank(ensemble, dc)
        with pytest.raises(InvalidParameterError, match="dc must be"):
            evidence.approximate_simrank(ensemble, dc)
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "1K")
    with pytest.raises(TooLargeError, match="the graph between clusters"):
        evidence.cluster_simrank(ensemble)
