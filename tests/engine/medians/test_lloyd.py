"""Weighted k-means: one run, line by line, and what its restarts promise."""

import numpy as np
import pytest

from engine.medians import lloyd
from engine.partition import weighted_kmeans
from tests import naive


def between_scatter(points, weights, labels):
    """Weighted scatter of the cluster means: the higher, the lower the inertia."""
    means = [np.average(points[labels == c], axis=0, weights=weights[labels == c]) for c in labels]
    return float((weights * (np.array(means) ** 2).sum(axis=1)).sum())


@pytest.mark.parametrize("seed", range(12))
def test_a_run_is_the_obvious_one(seed):
    rng = np.random.default_rng(seed)
    n, d, k = rng.integers(20, 60), rng.integers(1, 5), rng.integers(2, 6)
    points = rng.normal(size=(n, d)) + 6 * rng.normal(size=(k, d))[rng.integers(k, size=n)]
    weights, uniforms = rng.integers(1, 9, n).astype(float), rng.random(lloyd.n_draws(k))
    found, scatter, _ = lloyd.best_run(points.T.copy(), weights, uniforms[None])
    assert scatter == pytest.approx(between_scatter(points, weights, found))
    assert found.tolist() == naive.kmeans_run(points.tolist(), weights.tolist(), k, uniforms.tolist())


@pytest.mark.parametrize("seed", range(10))
def test_bounds_leave_no_point_behind(seed):
    rng = np.random.default_rng(100 + seed)
    points, weights = rng.random((300, 2)), np.ones(300)  # no groups: many iterations, every centre moves
    uniforms = rng.random(lloyd.n_draws(9))
    centres, nearest, following = np.empty((9, 2)), np.empty(300), np.empty(300)
    labels, active, sums, mass = np.empty(300, np.int32), np.empty(300, np.int32), np.empty((9, 2)), np.empty(9)
    lloyd.seed_kernel(points.T.copy(), weights, uniforms, centres, labels, nearest, following)
    distances = np.sort(((points[:, None] - centres) ** 2).sum(axis=2), axis=1)
    np.testing.assert_allclose(np.column_stack([nearest, following]), distances[:, :2])
    lloyd.lloyd_kernel(points.T.copy(), weights, centres, 0.0, 300, labels, nearest, following, active, sums, mass)
    means = np.array([points[labels == c].mean(axis=0) for c in range(9)])
    np.testing.assert_allclose(sums / mass[:, None], means)
    assert (((points[:, None] - means) ** 2).sum(axis=2).argmin(axis=1) == labels).all()  # nobody is nearer elsewhere


@pytest.mark.parametrize("seed", range(4))
def test_restarts_are_as_good_as_those_of_a_library(seed):
    from sklearn.cluster import KMeans

    rng = np.random.default_rng(seed)
    points = rng.normal(size=(400, 4)) + 3 * rng.normal(size=(8, 4))[rng.integers(8, size=400)]
    weights = rng.integers(1, 6, 400)
    ours, _ = weighted_kmeans(points, weights, 8, np.random.default_rng(seed))
    theirs = KMeans(8, n_init=20, random_state=seed).fit(points, sample_weight=weights).labels_
    best = between_scatter(points, weights, theirs)
    assert between_scatter(points, weights, ours) > best * (1 - 1e-3)


def test_a_weight_is_as_many_points():
    rng = np.random.default_rng(5)
    points, weights = rng.normal(size=(60, 3)), rng.integers(1, 5, 60)
    labels, _ = weighted_kmeans(points, weights, 4, np.random.default_rng(1), n_restarts=200)
    repeated = np.repeat(np.arange(60), weights)
    others, _ = weighted_kmeans(points[repeated], np.ones(len(repeated)), 4, np.random.default_rng(2), n_restarts=200)
    inertia = between_scatter(points, weights, labels)
    assert between_scatter(points[repeated], np.ones(len(repeated)), others) == pytest.approx(inertia)


def test_an_emptied_cluster_takes_the_farthest_point():
    columns, labels = np.array([[0.0, 0.1, 0.2, 50.0]]), np.zeros(4, np.int32)
    centres = np.array([[0.1], [900.0]])
    upper, lower = (columns[0] - 0.1) ** 2, (columns[0] - 900.0) ** 2  # all lie nearest to the first centre
    active, sums, mass = np.empty(4, np.int32), np.empty((2, 1)), np.empty(2)
    lloyd.lloyd_kernel(columns, np.ones(4), centres, 0.0, 100, labels, upper, lower, active, sums, mass)
    assert labels.tolist() == [0, 0, 0, 1]


def test_threads_change_nothing(monkeypatch):
    points, weights = np.random.default_rng(7).normal(size=(300, 5)), np.ones(300)
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("CONCORD_THREADS", threads)
        found.append(weighted_kmeans(points, weights, 6, np.random.default_rng(0))[0])
    assert (found[0] == found[1]).all()


def test_the_best_of_several_runs_is_kept_and_the_first_of_equals():
    rng = np.random.default_rng(3)
    points, weights = rng.normal(size=(700, 3)), rng.integers(1, 4, 700).astype(float)  # more points than a tile holds
    uniforms = rng.random((9, *lloyd.n_draws(7)))
    single = [lloyd.best_run(points.T.copy(), weights, one[None]) for one in uniforms]
    labels, scatter, run = lloyd.best_run(points.T.copy(), weights, uniforms[[0, 1, 2, 3, 4, 5, 6, 7, 8, *range(9)]])
    scatters = [found[1] for found in single]
    assert (scatter, run) == (max(scatters), int(np.argmax(scatters)))
    assert labels.tolist() == single[run][0].tolist()


@pytest.mark.parametrize("n", [1, 2, 40])
def test_one_cluster_holds_everything_and_reads_no_further(n):
    """A single centre has no rival, whose move the bounds would hang on."""
    points = np.random.default_rng(n).normal(size=(n, 3))
    uniforms = np.random.default_rng(0).random((50, *lloyd.n_draws(1)))
    labels, scatter, _ = lloyd.best_run(points.T.copy(), np.ones(n), uniforms)
    assert (labels == 0).all()
    assert scatter == pytest.approx(n * (points.mean(axis=0) ** 2).sum())
    moves = np.array([0.25])
    upper, lower, active = np.zeros(n), np.ones(n), np.empty(n, np.int64)
    assert lloyd._unsettled(moves, np.zeros(n, np.int64), upper, lower, active) == 0
    assert (lower == 1).all()
