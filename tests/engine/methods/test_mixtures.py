"""DREC: the closed form beside least squares, and from which lambda on something is learnt."""

import numpy as np
import pytest

from engine import Ensemble, InvalidParameterError, run_consensus
from engine.evidence import dense_representation
from tests import naive_medians
from tests.strategies import random_labels


def distinct_rows(seed, noise=0.3):
    """An ensemble whose objects all differ, in canonical order."""
    labels = np.unique(random_labels(30, 5, 3, seed, noise), axis=0)
    return Ensemble.from_labels(labels).canonical


@pytest.mark.parametrize("lam", [0.5, 10.0, 100.0])
@pytest.mark.parametrize("rounds", [1, 5])
@pytest.mark.parametrize("noise", [0.1, 0.6])
def test_the_closed_form_is_reweighted_least_squares(lam, rounds, noise):
    ensemble = distinct_rows(1, noise)
    expected = naive_medians.dense_representation(ensemble.labels.tolist(), lam, rounds)
    found = dense_representation(ensemble, lam, rounds)
    np.testing.assert_allclose(found.matrix, expected, atol=1e-9)
    u, s = found.left_singular()
    np.testing.assert_allclose((u * s**2) @ u.T, expected @ expected.T, atol=1e-9)


def test_up_to_lambda_star_a_microcluster_is_reproduced_and_above_it_is_not():
    ensemble = distinct_rows(2)
    rows = naive_medians.one_hot(ensemble.labels.tolist())
    star = dense_representation(ensemble, 1.0).lambda_star
    j = int(np.argsort(star)[len(star) // 2])
    for factor, exact in ((0.9, True), (1.1, False)):
        z = dense_representation(ensemble, factor * star[j], rounds=2_000).matrix
        left = np.linalg.norm(rows.T @ z[:, j] - rows[j])
        assert (left < 1e-6) == exact


def test_what_was_found_for_one_lambda_serves_the_next():
    ensemble = Ensemble.from_labels(random_labels(80, 6, 4, 1))
    run_consensus("drec", ensemble, 4)
    kept = ensemble.canonical._memo["dense_representation"]
    run_consensus("drec", ensemble, 4, {"lam": 3.0})
    assert ensemble.canonical._memo["dense_representation"] is kept


def test_microclusters_that_share_no_cluster_cannot_be_represented_by_others():
    ensemble = Ensemble.from_labels(np.tile(np.arange(20)[:, None] % 4, 3))
    assert run_consensus("drec", ensemble, 4).n_clusters == 4
    with pytest.raises(InvalidParameterError, match="share a cluster: here only k = 4 can be had. Got 3"):
        run_consensus("drec", ensemble, 3)


def test_the_trace_holds_the_representation_on_request():
    ensemble = Ensemble.from_labels(random_labels(80, 6, 4, 1))
    trace = run_consensus("drec", ensemble, 4, record=("representation",)).trace
    n = len(ensemble.microclusters)
    assert trace["representation"].shape == (n, n)
    assert trace["lambda_star"].shape == (n,)
