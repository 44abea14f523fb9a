"""Objects that were not there."""

import numpy as np
import pytest

from engine import Ensemble, InvalidParameterError, confidence, metrics, run_consensus
from engine.generators import kmeans_ensemble, make_ensemble, subsampled_ensemble
from tests.engine.choosing_k.test_consensus_runs import blobs
from tests.strategies import random_labels


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_an_object_of_the_ensemble_whose_margin_is_positive_gets_its_cluster_again(share):
    labels = random_labels(120, 8, 4, noise=0.4)
    labels[np.random.default_rng(0).random(labels.shape) < share] = -1
    labels[(labels < 0).all(axis=1), 0] = 0
    ensemble = Ensemble.from_labels(labels)
    found = run_consensus("lwea", ensemble, 4).labels
    again, margin = confidence.predict(ensemble, found, ensemble.labels), confidence.margin(ensemble, found)
    assert (again.labels[margin > 0] == found[margin > 0]).all()
    others = int((again.labels != found).sum())
    assert others <= (margin <= 0).sum() < 40


def test_new_points_join_the_group_they_lie_in():
    points = blobs(120, 3, 4, seed=2)
    ensemble = kmeans_ensemble(points[:90], 10, (2, 6))
    found = run_consensus("eac", ensemble, 3).labels
    base = confidence.nearest_base_labels(ensemble, points[:90], points[90:])
    assert metrics.ari(confidence.predict(ensemble, found, base).labels, np.arange(30) % 3) == 1
    whole = confidence.nearest_base_labels(ensemble, points[:90], points[:90])
    assert (whole == ensemble.labels).mean() > 0.95


def test_names_of_clusters_are_kept_and_gaps_are_let_out():
    ensemble = Ensemble.from_labels([[0, 0], [0, 0], [1, 1], [1, 1]])
    found = confidence.predict(ensemble, [7, 7, 3, 3], [[1, -1], [0, 0], [-1, -1]])
    assert found.labels.tolist() == [3, 7, 7]
    assert found.support.tolist() == [1, 1, 0]
    with pytest.raises(InvalidParameterError, match="places of objects, whole numbers. Got 0.0"):
        confidence.extended(ensemble, [0.0, 2.0], [5, 3])


@pytest.mark.parametrize(
    ("base", "said"),
    [([[0]], "of shape"), ([[0, 2]], "Got 2 in row 1, column 2"), ([[0, -2]], "Got -2"), ([[0.0, 1.0]], "whole")],
)
def test_base_labels_that_are_none_are_refused(base, said):
    ensemble = Ensemble.from_labels([[0, 0], [0, 0], [1, 1], [1, 1]])
    with pytest.raises(InvalidParameterError, match=said):
        confidence.predict(ensemble, [0, 0, 1, 1], base)
    with pytest.raises(InvalidParameterError, match="features must be"):
        confidence.nearest_base_labels(ensemble, [[1.0]], [[1.0]])


def test_subsampling_leaves_out_a_share_or_lends_labels():
    points = blobs(100, 3, 3)
    gappy = make_ensemble("subsampling", points, 6, {"share": 0.7}, seed=1)
    assert (gappy.labels < 0).sum(axis=0).tolist() == [30 - gappy.provenance["lent"]] + [30] * 5
    whole = subsampled_ensemble(points, 6, seed=1, share=0.7, complete=True)
    assert whole.complete
    for m in range(6):
        seen = gappy.labels[:, m] >= 0
        assert metrics.ari(gappy.labels[seen, m], whole.labels[seen, m]) == 1
    assert metrics.ari(run_consensus("lwgp", gappy, 3).labels, np.arange(100) % 3) > 0.9


def test_no_object_of_a_tiny_share_is_left_without_any_label():
    few = subsampled_ensemble(blobs(60), 2, (2, 3), share=0.1)
    assert (few.labels >= 0).any(axis=1).all()
    assert few.provenance["lent"] > 0


def test_every_label_that_was_lent_is_counted():
    points = blobs(60)
    some, all_of_them = (subsampled_ensemble(points, 5, (2, 4), share=0.5, complete=one) for one in (False, True))
    seen = (some.labels >= 0).sum() - some.provenance["lent"]
    assert (seen, all_of_them.provenance["lent"]) == (150, 150)


def test_a_share_must_be_one():
    with pytest.raises(InvalidParameterError, match="share must be"):
        subsampled_ensemble(blobs(20), 2, share=1.5)
    first, rest = subsampled_ensemble(blobs(), 2, seed=3), subsampled_ensemble(blobs(), 1, seed=3, first=1)
    seen = (first.labels[:, 1] >= 0) & (rest.labels[:, 0] >= 0)
    assert metrics.ari(first.labels[seen, 1], rest.labels[seen, 0]) == 1


@pytest.mark.parametrize("offset", [1e8, 1.7e9])  # seconds since 1970, for one
def test_the_nearest_mean_is_found_far_from_the_origin_too(offset):
    points = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0.0], [8.0]], 30, axis=0)
    made = kmeans_ensemble(points, 10, (2, 4))
    means = confidence.prediction.cluster_means(made, points)
    expected = confidence.prediction.labels_by_means(made, means, points)
    assert (confidence.nearest_base_labels(made, points + offset, points + offset) == expected).mean() > 0.99


def test_a_mask_hides_a_label_here_too():
    made = Ensemble.from_labels(random_labels())
    with pytest.raises(InvalidParameterError, match="without one"):
        confidence.extended(made, np.arange(9), np.ma.masked_equal(np.arange(9) % 3, 2))
