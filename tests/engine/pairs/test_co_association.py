import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Ensemble, InvalidParameterError, TooLargeError, evidence
from engine.pairs import counts
from engine.pairs.counts import _mirror_kernel as mirror
from tests import naive
from tests.strategies import label_matrices, random_labels

thetas = st.floats(0.05, 4)


@given(label_matrices(), thetas)
def test_uncertainty_and_index_equal_the_paper(labels, theta):
    ensemble = Ensemble.from_labels(labels)
    np.testing.assert_allclose(evidence.cluster_uncertainty(ensemble), naive.cluster_uncertainty(labels), atol=1e-12)
    np.testing.assert_allclose(
        evidence.ensemble_driven_cluster_index(ensemble, theta),
        naive.cluster_index(labels, theta),
        rtol=1e-12,
    )


@settings(max_examples=40)
@given(label_matrices(), thetas)
def test_matrices_on_microclusters_stand_for_the_matrices_on_objects(labels, theta):
    ensemble = Ensemble.from_labels(labels)
    everyone = np.arange(len(labels))
    eci = naive.cluster_index(labels, theta)
    for ours, weights in (
        (evidence.co_association(ensemble, dtype=np.float64), np.ones(len(eci))),
        (evidence.locally_weighted_co_association(ensemble, theta, dtype=np.float64), eci),
    ):
        expanded = ensemble.microclusters.expand_matrix(ours, everyone, everyone)
        np.testing.assert_allclose(expanded, naive.weighted_co_association(labels, weights), atol=1e-12)


@given(label_matrices(), thetas)
def test_matrices_are_symmetric_and_in_range(labels, theta):
    ensemble = Ensemble.from_labels(labels)
    plain = evidence.co_association(ensemble)
    weighted = evidence.locally_weighted_co_association(ensemble, theta)
    for matrix in (plain, weighted):
        assert (matrix == matrix.T).all()
        assert matrix.min() >= 0
        assert matrix.max() <= 1 + 1e-6
    assert (np.diag(plain) == 1).all()
    assert (weighted <= plain + 1e-6).all()


def test_half_a_matrix_and_its_mirror_are_the_whole_to_the_bit(monkeypatch):
    ensemble = Ensemble.from_labels(np.random.default_rng(0).integers(0, 3, (70, 1500)))
    weights = np.random.default_rng(1).random(ensemble.n_clusters_total)
    built = []
    monkeypatch.setattr(counts, "_mirror_kernel", lambda *a: built.append(a) or mirror(*a))
    halved = evidence.weighted_co_association(ensemble, weights, dtype=np.float64)
    assert built, "the ensemble is too small for it"
    whole = np.empty((70, 70))
    counts.row_filler(ensemble, weights)(0, 70, whole)
    assert (halved == whole).all()


def test_float32_is_the_rounded_float64():
    ensemble = Ensemble.from_labels(random_labels())
    single = evidence.locally_weighted_co_association(ensemble)
    double = evidence.locally_weighted_co_association(ensemble, dtype=np.float64)
    assert single.dtype == np.float32
    assert (single == double.astype(np.float32)).all()


@pytest.mark.parametrize("theta", [0, -1, np.nan, np.inf])
def test_theta_must_be_positive(theta):
    with pytest.raises(InvalidParameterError, match="theta"):
        evidence.ensemble_driven_cluster_index(Ensemble.from_labels(random_labels()), theta)


def test_weights_must_be_one_a_cluster():
    with pytest.raises(InvalidParameterError, match="weights must have shape"):
        evidence.weighted_co_association(Ensemble.from_labels(random_labels()), np.ones(3))


def test_a_matrix_that_would_not_fit_is_refused_before_it_is_made(monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "1K")
    with pytest.raises(TooLargeError, match="1 KiB may be used"):
        evidence.co_association(Ensemble.from_labels(random_labels()))


def test_weights_far_apart_are_added_in_double_precision():
    """Single precision would take the smaller ones for nothing, and they alone say what is nearer."""
    labels = np.random.default_rng(0).integers(0, 3, 60)
    ensemble = Ensemble.from_labels(np.stack([labels, np.arange(60) % 4], axis=1))
    for least, dtype in ((1e-20, np.float32), (1e-50, np.float64)):
        weights = np.repeat([1.0, least], ensemble.n_clusters_each)
        found = evidence.shared_cluster_similarity(ensemble, weights).dense()
        assert found.dtype == dtype
        assert found[found > 0].min() == pytest.approx(least / 2)
