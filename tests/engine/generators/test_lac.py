import io

import numpy as np
import pytest

from engine import (
    Cancelled,
    Ensemble,
    InvalidEnsembleError,
    InvalidParameterError,
    generators,
    load_ensemble,
    save_ensemble,
)
from engine.generators import make_ensemble
from engine.generators.nearest_clusters import NearestClusters, refill, squared_distances
from tests import naive
from tests.monitors import stopping_at_done

INVERSE_H = [0.05, 1.0, 5.0, 40.0, 3000.0]


@pytest.fixture(scope="module")
def points():
    """Three clusters in four features: each keeps close to features of its own. Variances near 1."""
    rng = np.random.default_rng(0)
    spread = np.array([[0.2, 1.0, 1.0, 0.9], [1.0, 0.2, 0.9, 1.0], [0.9, 1.0, 0.2, 1.0]])
    return np.concatenate([rng.normal(1.2 * np.eye(4)[c], spread[c], (40, 4)) for c in range(3)])


@pytest.fixture(scope="module")
def runs(points):
    return [generators.lac(points, 3, value, seed=2) for value in INVERSE_H]


@pytest.mark.parametrize("inverse_h", INVERSE_H)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_kernels_do_what_the_loops_of_the_paper_do(points, inverse_h, seed):
    found = generators.lac(points, 3, inverse_h, seed, tol=0)
    centres, weights, errors = naive.lac(points, 3, inverse_h, seed, len(found.objective) + 1)
    order = [int(naive.lac_partition([points[i]], centres, weights)[0]) for i in _firsts(found.labels)]
    assert found.labels.tolist() == [order.index(j) for j in naive.lac_partition(points, centres, weights)]
    assert np.allclose(found.centroids, np.array(centres)[order], atol=1e-9)
    assert np.allclose(found.weights, np.array(weights)[order], atol=1e-9)
    assert np.allclose(found.objective, errors[: len(found.objective)], rtol=1e-9)


def test_posteriors_follow_the_formula_and_their_largest_is_the_label(points, runs):
    for run in runs:
        expected = [naive.lac_posterior(x, run.centroids, run.weights) for x in points]
        assert np.allclose(run.posterior, expected, rtol=1e-12)
        assert (run.posterior[np.arange(len(points)), run.labels] == run.posterior.max(axis=1)).all()


def test_rows_sum_to_one(runs):
    for run in runs:
        assert np.allclose(run.weights.sum(axis=1), 1, atol=1e-12)
        assert np.allclose(run.posterior.sum(axis=1), 1, atol=1e-12)
        assert run.posterior.min() > 0


def test_the_objective_never_rises_though_the_bare_iteration_does(points):
    rises = 0
    for seed in range(12):
        for value in (1.0, 3.0, 8.0):
            found = generators.lac(points, 3, value, seed)
            assert (np.diff(found.objective) <= 0).all()
            errors = naive.lac(points, 3, value, seed, 12, guarded=False)[2] if seed < 4 else [0]
            rises += (np.diff(errors) > 1e-9).any()
    assert rises


def test_weights_go_from_all_features_alike_to_one_alone(points):
    scaled = (points - points.mean(axis=0)) / points.std(axis=0)
    values = generators.default_inverse_h(scaled)
    first, *_, last = generators.lac_runs(scaled, 3, values)
    assert np.allclose(first.weights, 1 / 4, atol=0.02)
    assert last.weights.max(axis=1).min() > 0.99
    assert np.ptp(values) / values[0] > 5000
    assert values == list(generators.INVERSE_H)
    assert generators.default_inverse_h(scaled * 10) == [value / 100 for value in values]


@pytest.mark.parametrize("inverse_h", generators.INVERSE_H_BOUNDS)
def test_extreme_inverse_h_stays_finite(points, inverse_h):
    found = generators.lac(points * 1e6, 3, inverse_h)
    assert all(np.isfinite(a).all() for a in (found.weights, found.posterior, found.objective))
    assert len(np.unique(found.labels)) == 3
    assert (np.diff(found.objective) <= 0).all()


def test_tiny_inverse_h_is_k_means(points):
    found = generators.lac(points, 3, 1e-12, seed=1)
    mean_squares = ((points - found.centroids[found.labels]) ** 2).mean()
    assert found.objective[-1] == pytest.approx(mean_squares, rel=1e-9)
    assert np.allclose(found.centroids, [points[found.labels == j].mean(axis=0) for j in range(3)])


def test_each_cluster_finds_the_feature_it_keeps_to():
    rng = np.random.default_rng(4)
    cross = np.concatenate([rng.normal(0, [0.1, 3], (100, 2)), rng.normal([6, 0], [3, 0.1], (100, 2))])
    found = generators.lac(cross, 2, 0.5, seed=0)
    assert found.weights.argmax(axis=1).tolist() == [0, 1]
    assert (found.labels == np.repeat([0, 1], 100)).mean() > 0.97


@pytest.mark.long
def test_emptied_clusters_take_the_objects_farthest_from_their_centroids():
    line = np.r_[np.zeros(50), np.ones(50), 9.0, 2.5, -4.0, 70.0][:, None]
    given = np.array([[99.0], [0.0], [1.0], [98.0], [60.0]])
    squares = squared_distances(line, given, np.ones((5, 1)))
    labels = squares.argmin(axis=1)
    counts = np.bincount(labels, minlength=5)
    centroids, weights = refill(line, squares.min(axis=1), labels, counts, given, np.full((5, 1), 0.5))
    assert labels.tolist() == [1] * 50 + [2] * 50 + [0, 2, 3, 4]  # 70 is farther away, but alone
    assert centroids.ravel().tolist() == [9, 0, 1, -4, 60]
    assert weights.ravel().tolist() == [1, 0.5, 0.5, 1, 0.5]


@pytest.mark.parametrize(("n", "d"), [(2, 1), (63, 4), (64, 3), (65, 9), (200, 14)])
def test_the_nearest_centroid_is_the_first_of_those_at_the_smallest_distance(n, d):
    rng = np.random.default_rng(n)
    objects, weights = rng.normal(size=(n, d)), rng.random((5, d))
    centroids = objects[rng.integers(0, n, 5)]
    centroids[3], weights[3] = centroids[1], weights[1]  # equal clusters: the first one is taken
    expected = (((objects[:, None] - centroids) ** 2) * weights).sum(axis=2)
    labels = NearestClusters(objects).update(centroids, weights)
    own = expected[np.arange(n), labels]
    assert 3 not in labels
    assert np.allclose(own, expected.min(axis=1), rtol=1e-12, atol=1e-15)
    assert np.allclose(squared_distances(objects, centroids, weights), expected, rtol=1e-12, atol=1e-15)


def moved(rng, objects, centroids, weights, step):
    """Centroids that drift towards random objects, and weights of which some vanish or come back."""
    goals = objects[rng.integers(0, len(objects), len(centroids))]
    weights = weights * np.exp(step * rng.normal(size=weights.shape) * rng.choice([1, 1, 80], weights.shape))
    weights[rng.random(weights.shape) < step / 4] = 0
    weights[:, 0] += step / 100
    return (1 - step) * centroids + step * goals, weights / weights.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(12))
def test_objects_that_are_passed_over_keep_the_cluster_a_full_look_would_give(seed):
    rng = np.random.default_rng(seed)
    k, d = int(rng.integers(2, 12)), int(rng.integers(1, 8))
    objects = rng.normal(rng.normal(0, 2, (k, 1, d)), 1, (k, 70, d)).reshape(-1, d)
    objects[::7] = objects[0]
    nearest, looked_at = NearestClusters(objects), []
    centroids, weights = objects[rng.choice(len(objects), k, replace=False)], np.full((k, d), 1 / d)
    for step in np.r_[0.0, 0.5, 0.1, np.full(12, 0.01), 1.0, np.full(12, 0.001), np.full(4, 1e-5)]:
        centroids, weights = moved(rng, objects, centroids, weights, step)
        labels = nearest.update(centroids, weights)
        looked_at.append(nearest.n_looked_at)
        apart = np.sqrt(squared_distances(objects, centroids, weights))
        assert labels.tolist() == apart.argmin(axis=1).tolist()
        own = np.arange(len(objects)), labels
        assert (nearest._upper[nearest._lower > 0] >= apart[own][nearest._lower > 0] * (1 - 1e-9)).all()
        apart[own] = np.inf
        assert (nearest._lower <= apart.min(axis=1) * (1 + 1e-9)).all()
    assert looked_at[0] == len(objects)
    assert looked_at[-1] < len(objects) / 2


@pytest.mark.parametrize("apart", [1e-7, 1.0])
@pytest.mark.parametrize("offset", [0.0, 1.7e9, -1e90])
@pytest.mark.parametrize("unit", [1e-200, 1e-155, 1e-30, 1.0, 1e30, 1e90])
def test_a_look_in_single_precision_never_decides_what_only_double_can(unit, offset, apart):
    """Pairs of centroids, also closer than single precision tells apart, at any origin and in any unit."""
    rng = np.random.default_rng(0)
    objects = offset + unit * rng.normal(size=(300, 6))
    centroids = np.repeat(objects[:3], 2, axis=0)
    centroids[1::2] += apart * (objects[3:6] - objects[:3])
    weights = np.repeat(rng.dirichlet(np.full(6, 0.1), 3), 2, axis=0)
    nearest = NearestClusters(objects)
    labels = nearest.update(centroids, weights)
    assert labels.tolist() == squared_distances(objects, centroids, weights).argmin(axis=1).tolist()
    assert min(nearest._upper.min(), nearest._lower.min()) >= 0


def test_bounds_of_a_rough_look_hold_for_sums_of_very_many_features():
    """Every feature adds alike, and single precision rounds each sum the same way."""
    d = 60_000
    objects = np.vstack([np.zeros(d), np.ones((2, d)), np.linspace(0.3, 0.9, 61)[:, None] * np.ones(d)])
    centroids, weights = objects[:2].copy(), np.full((2, d), 1 / d)
    nearest = NearestClusters(objects)
    nearest.update(centroids, weights)
    apart = np.sort(np.sqrt(squared_distances(objects, centroids, weights)), axis=1)
    assert (nearest._upper >= apart[:, 0] * (1 - 1e-9)).all()
    assert (nearest._lower <= apart[:, 1] * (1 + 1e-9)).all()


def test_labels_changed_from_outside_are_looked_at_again():
    objects = np.arange(20.0)[:, None]
    nearest, given = NearestClusters(objects), (np.array([[2.0], [17.0]]), np.ones((2, 1)))
    first = nearest.update(*given).copy()
    nearest.labels[:] = 0
    nearest.forget()
    assert nearest.update(*given).tolist() == first.tolist()


def test_a_cluster_emptied_at_the_very_end_is_filled():
    """One iteration on few objects often leaves centroids that attract none."""
    rng = np.random.default_rng(0)
    for seed in range(200):
        few = rng.normal(size=(12, 3))
        assert len(np.unique(generators.lac(few, 5, 1000.0, seed, max_iter=1).labels)) == 5


@pytest.mark.parametrize("k", [3, 4, 10])
def test_no_more_clusters_than_distinct_objects(k):
    found = generators.lac(np.repeat([[0.0, 1], [1, 1], [5, 2]], 20, axis=0), k, 10.0)
    assert found.labels.tolist() == [0] * 20 + [1] * 20 + [2] * 20
    assert found.posterior.shape == (60, 3)
    assert found.objective[-1] == 0
    assert np.allclose(found.posterior.sum(axis=1), 1)


def test_duplicates_that_fill_the_sample_still_leave_k_clusters():
    crowd = np.r_[np.zeros((5000, 2)), np.arange(1, 7).reshape(3, 2)]
    for seed in range(5):
        assert len(np.unique(generators.lac(crowd, 4, 1.0, seed).labels)) == 4


def test_as_many_clusters_as_objects(points):
    found = generators.lac(points[:6], 6, 1.0)
    assert found.labels.tolist() == [0, 1, 2, 3, 4, 5]
    assert np.allclose(found.weights, 1 / 4)


def test_identical_objects_are_one_cluster():
    found = generators.lac(np.full((7, 3), 4.0), 2, 1.0)
    assert found.labels.tolist() == [0] * 7
    assert found.posterior.tolist() == [[1.0]] * 7


def test_a_constant_feature_is_the_one_all_clusters_keep_to(points):
    found = generators.lac(np.c_[points, np.full(len(points), 3.0)], 3, 1000.0, seed=1)
    assert (found.weights[:, 4] > 0.999).all()
    assert np.isfinite(found.posterior).all()
    assert generators.default_inverse_h(np.full((5, 2), 3.0)) == list(generators.INVERSE_H)


def test_memberships_are_in_the_order_of_the_clusters(points):
    runs = generators.lac_runs(points, 3, INVERSE_H, seed=5)
    ensemble = generators.ensemble_of(runs)
    assert ensemble.fingerprint == generators.lac_ensemble(points, 3, INVERSE_H, seed=5).fingerprint
    for m, run in enumerate(runs):
        columns = ensemble.memberships[:, ensemble.offsets[m] : ensemble.offsets[m + 1]]
        assert (columns == run.posterior).all()
        assert (columns[np.arange(len(points)), ensemble.labels[:, m]] == columns.max(axis=1)).all()


def test_a_run_with_fewer_clusters_fits():
    few = np.repeat([[0.0, 1], [1, 1], [5, 2]], 20, axis=0)
    ensemble = generators.lac_ensemble(few, 5, [0.1, 10.0])
    assert ensemble.n_clusters_each.tolist() == [3, 3]
    assert ensemble.memberships.shape == (60, 6)


def test_provenance_says_how_the_ensemble_came_about(points):
    provenance = generators.lac_ensemble(points, 3, np.array([1, 10]), seed=7).provenance
    assert provenance == {"generator": "LAC", "inverse_h": [1.0, 10.0], "k": 3, "seed": 7}


def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(points, monkeypatch):
    prints = set()
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("CONCORD_THREADS", threads)
        prints.add(generators.lac_ensemble(points, 3, INVERSE_H, seed=3).fingerprint)
    assert len(prints) == 1
    assert generators.lac_ensemble(points, 3, INVERSE_H, seed=4).fingerprint not in prints


def test_one_run_on_many_objects_is_the_same_on_any_number_of_threads(monkeypatch):
    rng = np.random.default_rng(2)
    many = rng.normal(size=(13_001, 7)) + 2 * rng.integers(4, size=(13_001, 1))
    found = set()
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("CONCORD_THREADS", threads)
        run = generators.lac(many, 4, 5.0, seed=1)
        found.add(run.labels.tobytes() + run.posterior.tobytes() + run.objective.tobytes())
    assert len(found) == 1


def test_more_values_continue_the_runs(points):
    short, long = (generators.lac_runs(points, 3, INVERSE_H[:m], seed=1) for m in (2, 4))
    assert all((a.posterior == b.posterior).all() for a, b in zip(short, long, strict=False))
    same = generators.lac_runs(points, 3, [5.0, 5.0, 5.0], seed=1)
    assert len({run.centroids.tobytes() for run in same}) > 1


@pytest.mark.parametrize("threads", ["1", "2"])
def test_the_monitor_is_told_and_may_stop(points, threads, monkeypatch):
    monkeypatch.setenv("CONCORD_THREADS", threads)
    for call, size in ((generators.lac, 5.0), (generators.lac_ensemble, INVERSE_H * 6)):
        stop = stopping_at_done(3)
        with pytest.raises(Cancelled):
            call(points, 3, size, monitor=stop)
        assert 3 <= stop.done < 30


def test_arrays_are_read_only_and_inputs_untouched(points):
    before = points.copy()
    found = generators.lac(points, 3, 5.0)
    assert (points == before).all()
    arrays = (found.labels, found.centroids, found.weights, found.posterior, found.objective)
    assert not any(a.flags.writeable for a in arrays)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"k": 1}, "k must"),
        ({"k": 121}, "k must"),
        ({"k": 2.0}, "k must"),
        ({"inverse_h": 0}, "inverse_h"),
        ({"inverse_h": np.nan}, "inverse_h"),
        ({"inverse_h": -3}, "inverse_h"),
        ({"max_iter": 0}, "max_iter"),
        ({"tol": -1}, "tol"),
        ({"features": [[1.0], [np.inf]]}, "row 2, column 1"),
        ({"features": [[1.0, 2.0], [3.0, 1e200]]}, "row 2, column 2"),
        ({"features": [1.0, 2.0]}, "matrix"),
    ],
)
def test_bad_settings_are_refused(points, change, words):
    with pytest.raises(InvalidParameterError, match=words):
        generators.lac(**({"features": points, "k": 2, "inverse_h": 1.0} | change))


def test_an_ensemble_needs_a_run(points):
    with pytest.raises(InvalidParameterError, match="at least 1 value"):
        generators.lac_ensemble(points, 3, [])
    with pytest.raises(InvalidEnsembleError):
        generators.ensemble_of([])


def test_memberships_survive_save_and_load(points, tmp_path):
    ensemble = generators.lac_ensemble(points, 3, INVERSE_H, seed=5)
    save_ensemble(ensemble, tmp_path / "five runs")
    loaded = load_ensemble(str(tmp_path / "five runs"))
    assert loaded.fingerprint == ensemble.fingerprint
    assert (loaded.memberships == ensemble.memberships).all()
    assert loaded.provenance == ensemble.provenance


def test_a_hard_ensemble_survives_in_a_file_that_stays_open():
    file = io.BytesIO()
    save_ensemble(Ensemble.from_labels([["a"], ["b"], ["a"]]), file)
    file.seek(0)
    loaded = load_ensemble(file)
    assert loaded.labels.tolist() == [[0], [1], [0]]
    assert loaded.memberships is None
    assert not file.closed


def test_a_damaged_file_is_refused(points):
    file = io.BytesIO()
    ensemble = generators.lac_ensemble(points[:12], 2, [1.0, 5.0])
    save_ensemble(ensemble, file)
    whole = file.getvalue()
    damaged = [whole[:cut] for cut in (0, 3, 100, len(whole) // 2, len(whole) - 5)]
    damaged += [whole[:i] + bytes([whole[i] ^ 0x55]) + whole[i + 1 :] for i in range(len(whole))]
    refused = 0
    for content in damaged:
        try:
            loaded = load_ensemble(io.BytesIO(content))
        except InvalidEnsembleError:
            refused += 1
        else:  # a byte that says nothing, such as a date
            assert (loaded.fingerprint, loaded.provenance) == (ensemble.fingerprint, ensemble.provenance)
    assert refused > len(whole) / 2


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"format": None},
        {"labels": None},
        {"labels": np.zeros(3, int)},
        {"labels": np.array([[{}]], object)},
        {"labels": np.array([[0], [1], [1]])},
        {"provenance": None},
        {"provenance": "["},
        {"provenance": "3"},
        {"fingerprint": "0"},
        {"memberships": np.ones((3, 2))},
    ],
)
def test_other_archives_are_refused(change, tmp_path):
    save_ensemble(Ensemble.from_labels([[0], [1], [0]]), tmp_path / "one.npz")
    load_ensemble(tmp_path / "one.npz")
    content = dict(np.load(tmp_path / "one.npz")) | change
    np.savez(tmp_path / "other.npz", **{name: value for name, value in content.items() if value is not None})
    with pytest.raises(InvalidEnsembleError):
        load_ensemble(tmp_path / "other.npz")


def test_other_files_are_refused_and_a_missing_one_is_missing(tmp_path):
    np.save(tmp_path / "array.npy", np.zeros(3))
    with pytest.raises(InvalidEnsembleError):
        load_ensemble(tmp_path / "array.npy")
    with pytest.raises(FileNotFoundError):
        load_ensemble(tmp_path / "none.npz")


def test_provenance_that_json_cannot_say_is_refused(tmp_path):
    with pytest.raises(InvalidEnsembleError, match="provenance"):
        save_ensemble(Ensemble.from_labels([[0], [1]], provenance={"rng": object()}), tmp_path / "a.npz")
    assert not (tmp_path / "a.npz").exists()


def _firsts(labels):
    """The first object of every cluster."""
    return [labels.tolist().index(j) for j in range(labels.max() + 1)]


def test_lac_makes_no_more_clusters_than_there_are_objects():
    made = make_ensemble("lac", [[0.0, 1.0], [1.0, 0.0]], 2)
    assert made.n_clusters_each.tolist() == [2, 2]


def test_one_rule_says_how_far_1_over_h_goes():
    with pytest.raises(InvalidParameterError, match=r"both in \[1e-12, 1e\+12\]"):
        make_ensemble("lac", np.random.default_rng(0).random((9, 2)), 2, {"inverse_h": (1e-300, 1.0)})
