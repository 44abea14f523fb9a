"""Sets without clusters, and the statistic that pays for looking at many k."""

import math

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from engine import InvalidParameterError
from engine.choosing_k import principal_scores, structure, without_clusters


@pytest.mark.parametrize("shape", [(40, 5), (12, 30), (9, 9)])
def test_principal_scores_keep_every_distance_and_do_not_correlate(shape):
    points = np.random.default_rng(1).normal(size=shape) @ np.diag(np.arange(1, shape[1] + 1))
    scores = principal_scores(points)
    assert pdist(scores) == pytest.approx(pdist(points))
    assert scores.shape[1] <= min(shape[0] - 1, shape[1])
    products = scores.T @ scores
    assert np.abs(products - np.diag(np.diag(products))).max() < 1e-8 * products.max()


def test_constant_features_are_left_out_and_nothing_but_constants_is_refused():
    points = np.random.default_rng(0).normal(size=(20, 3))
    padded = np.column_stack([points, np.full(20, 7.0)])
    assert principal_scores(padded).shape == (20, 3)
    with pytest.raises(InvalidParameterError, match="must differ"):
        principal_scores(np.full((20, 3), 7.0))
    with pytest.raises(InvalidParameterError, match="must be finite"):
        principal_scores(np.array([[np.nan], [1.0]]))


@pytest.mark.parametrize("change", [lambda x: x * 1e-15, lambda x: x * 1e98, lambda x: x + 1e13])
def test_no_unit_and_no_distance_from_zero_makes_features_alike(change):
    points = np.random.default_rng(0).normal(size=(20, 3))
    scores = principal_scores(change(points))
    assert scores.shape == (20, 3)
    assert pdist(scores) == pytest.approx(pdist(change(points)), rel=1e-3)


def test_a_large_constant_beside_them_does_not_hide_what_differs():
    points = np.random.default_rng(0).normal(size=(20, 3))
    np.testing.assert_allclose(
        principal_scores(np.column_stack([points, np.full(20, 1e14)])), principal_scores(points), atol=1e-12
    )


def test_sets_without_clusters_have_the_spread_of_the_data():
    scores = principal_scores(np.random.default_rng(0).normal(size=(4000, 3)) * [1, 5, 20])
    drawn = without_clusters(scores, np.random.default_rng(1))
    assert drawn.std(axis=0) == pytest.approx(scores.std(axis=0), rel=0.05)
    assert drawn.shape == scores.shape


def naive_statistic(row, others):
    gaps = []
    for q in range(len(row)):
        column = [math.log10(max(other[q], 1e-4)) for other in others]
        mean = sum(column) / len(column)
        sd = (sum((x - mean) ** 2 for x in column) / (len(column) - 1)) ** 0.5
        gaps.append((mean - math.log10(max(row[q], 1e-4))) / max(sd, 0.05))
    return max(gaps)


def test_every_set_is_judged_against_all_others_by_its_best_k():
    rng = np.random.default_rng(3)
    pac, null = rng.random(4), rng.random((6, 4))
    found, sets = structure(pac, null), [pac, *null]
    expected = [naive_statistic(one, [x for j, x in enumerate(sets) if j != i]) for i, one in enumerate(sets)]
    assert found.statistic == pytest.approx(expected[0])
    assert found.null == pytest.approx(expected[1:])
    assert found.n_reached == sum(one >= expected[0] for one in expected[1:])
    assert found.p == (1 + found.n_reached) / 7


def test_one_more_set_without_clusters_comes_first_no_more_often_than_it_should():
    rng = np.random.default_rng(0)
    hits = [structure(sets[0], sets[1:]).found for sets in rng.beta(5, 15, size=(400, 21, 9))]
    assert np.mean(hits) <= 0.08


def test_fewer_than_three_sets_cannot_judge():
    with pytest.raises(InvalidParameterError, match="at least 3"):
        structure([0.1, 0.2], [[0.1, 0.2]] * 2)
