import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Cancelled, Ensemble, InvalidParameterError, TooLargeError, evidence
from tests import naive
from tests.monitors import stopping_at_done
from tests.strategies import label_matrices, random_labels


def between_clusters(ensemble, seed=0):
    matrix = np.random.default_rng(seed).random((ensemble.n_clusters_total,) * 2)
    return (matrix + matrix.T) / 2


@pytest.mark.parametrize("pairs", ["same base", "all"])
@settings(max_examples=40)
@given(labels=label_matrices(), seed=st.integers(0, 1000))
def test_look_ups_equal_the_sums(pairs, labels, seed):
    ensemble = Ensemble.from_labels(labels)
    between = between_clusters(ensemble, seed)
    ours = evidence.mean_over_clusters(ensemble, between, pairs, dtype=np.float64)
    everyone = np.arange(len(labels))
    expected = naive.mean_over_clusters(labels, between, pairs == "same base")
    np.testing.assert_allclose(ensemble.microclusters.expand_matrix(ours, everyone, everyone), expected, atol=1e-12)
    for i, j in ((0, len(labels) - 1), (1, 1)):
        assert evidence.mean_of_pair(ensemble, between, pairs, i, j) == pytest.approx(expected[i, j])


@pytest.mark.parametrize("pairs", ["same base", "all"])
@pytest.mark.parametrize("n", [2, 63, 64, 65, 127, 128, 129, 300])
def test_tiles_of_any_width_are_symmetric_and_equal_the_product(pairs, n):
    rng = np.random.default_rng(n)
    ensemble = Ensemble.from_labels(np.column_stack([np.arange(n), rng.integers(9, size=(n, 5))]))
    assert len(ensemble.microclusters) == n
    between = between_clusters(ensemble)
    ours = evidence.mean_over_clusters(ensemble, between, pairs, dtype=np.float64)
    assert (ours == ours.T).all()
    z = ensemble.clusters.incidence().toarray().astype(float)
    base = np.repeat(np.arange(6), ensemble.n_clusters_each)
    read = np.where(base[:, None] == base, between, 0) if pairs == "same base" else between
    np.testing.assert_allclose(ours, z @ read @ z.T / (6 if pairs == "same base" else 36), atol=1e-12)
    single = evidence.mean_over_clusters(ensemble, between, pairs)
    assert single.dtype == np.float32
    assert (single == ours.astype(np.float32)).all()


@given(label_matrices())
def test_the_identity_gives_the_co_association(labels):
    ensemble = Ensemble.from_labels(labels)
    ours = evidence.mean_over_clusters(ensemble, np.eye(ensemble.n_clusters_total), "same base")
    assert (ours == evidence.co_association(ensemble)).all()


def test_the_number_of_threads_changes_no_bit(monkeypatch):
    ensemble = Ensemble.from_labels(random_labels(700, 9, 7, noise=0.6))
    between = between_clusters(ensemble)
    found = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("CONCORD_THREADS", threads)
        found.append(evidence.mean_over_clusters(ensemble, between, "all").tobytes())
    assert len(set(found)) == 1


def test_a_cancel_is_heard_between_tiles():
    ensemble = Ensemble.from_labels(random_labels(400, 6, 5, noise=0.6))
    with pytest.raises(Cancelled):
        evidence.mean_over_clusters(ensemble, between_clusters(ensemble), "same base", stopping_at_done(1))


def test_what_does_not_fit_is_refused(monkeypatch):
    ensemble = Ensemble.from_labels(random_labels())
    with pytest.raises(InvalidParameterError, match="between must have shape"):
        evidence.mean_over_clusters(ensemble, np.eye(3), "all")
    with pytest.raises(InvalidParameterError, match="pairs must be one of"):
        evidence.mean_over_clusters(ensemble, between_clusters(ensemble), "some")
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "1K")
    with pytest.raises(TooLargeError, match="a similarity matrix"):
        evidence.mean_over_clusters(ensemble, between_clusters(ensemble), "all")
