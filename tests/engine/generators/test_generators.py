import re

import numpy as np
import pytest

from engine import Cancelled, InvalidParameterError, generators
from engine.generators.kmeans_runs import as_features
from engine.metrics import nmi
from tests.monitors import stopping_at_done


@pytest.fixture(scope="module")
def points():
    rng = np.random.default_rng(0)
    return np.concatenate([rng.normal(c, 0.4, (50, 3)) for c in range(4)])


def test_the_same_seed_gives_the_same_labels_on_any_number_of_threads(points, monkeypatch):
    one = generators.kmeans_ensemble(points, 8, seed=3)
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("CONCORD_THREADS", threads)
        assert generators.kmeans_ensemble(points, 8, seed=3).fingerprint == one.fingerprint
    assert generators.kmeans_ensemble(points, 8, seed=4).fingerprint != one.fingerprint


def test_a_larger_ensemble_continues_a_smaller_one(points):
    large, small = (generators.kmeans_ensemble(points, m, seed=1) for m in (7, 4))
    rest = generators.kmeans_ensemble(points, 3, seed=1, first=4)
    assert (large.labels == np.column_stack([small.labels, rest.labels])).all()


@pytest.mark.parametrize("k_range", ["sqrt", "half_sqrt", "fixed_sqrt", (3, 6)])
def test_k_stays_in_its_range_and_is_reported(points, k_range):
    ensemble = generators.kmeans_ensemble(points, 12, k_range, seed=2)
    low, high = generators.k_bounds(k_range, len(points))
    ks = np.array(ensemble.provenance["k"])
    assert ks.min() >= low
    assert ks.max() <= high
    assert (ensemble.n_clusters_each == ks).all()
    assert len(set(ks.tolist())) > 1 or low == high


def test_policies_are_those_of_the_papers():
    assert generators.k_bounds("sqrt", 5000) == (2, 70)
    assert generators.k_bounds("half_sqrt", 5000) == (2, 35)
    assert generators.k_bounds("half_sqrt", 49_402) == (2, 50)
    assert generators.k_bounds("fixed_sqrt", 400) == (20, 20)
    assert generators.k_bounds("half_sqrt", 9) == (2, 2)


def test_few_distinct_points_make_few_clusters():
    ensemble = generators.kmeans_ensemble(np.repeat([[0.0], [1.0], [5.0]], 20, axis=0), 5, (5, 7))
    assert (ensemble.n_clusters_each == 3).all()


@pytest.mark.parametrize("key", ["kmeans", "subsampling", "rpcl", "subspaces", "uspec"])
def test_what_float32_would_round_away_is_told_apart(key):
    rng = np.random.default_rng(0)
    times = np.concatenate([rng.normal(1.7e9 + 30 * c, 1.0, 60) for c in range(3)])
    params = {"k_range": (3, 3)} | {"uspec": {"representatives": 60}, "subsampling": {"complete": True}}.get(key, {})
    far = generators.make_ensemble(key, times[:, None], 8, params, seed=0)
    near = generators.make_ensemble(key, times[:, None] - 1.7e9, 8, params, seed=0)
    truth = np.repeat([0, 1, 2], 60)
    scores = [max(nmi(labels, truth) for labels in one.labels.T) for one in (far, near)]
    assert min(scores) > 0.99


def test_two_values_that_float32_makes_one_are_two_clusters():
    for points in ([[1.7e9], [1.7e9 + 30]], [[0.0], [1.7e9], [1.7e9 + 30]], [[1e20], [-1e20]]):
        for above in (10, 50_000):
            plenty = np.repeat(points, 20, axis=0)
            ensemble = generators.kmeans_ensemble(plenty, 4, (2, 3), init="k-means++", minibatch_above=above)
            assert (ensemble.n_clusters_each == np.minimum(ensemble.provenance["k"], len(points))).all()


@pytest.mark.parametrize("key", ["kmeans", "subsampling", "rpcl", "subspaces", "uspec", "lac"])
@pytest.mark.parametrize("unit", [1e-10, 1e-13, 1e-22, 1e-24, 1e-34, 1e-40, 1e-44, 1e-90, 1e-170, 5e-324])
def test_features_whose_distances_double_precision_cannot_hold_are_refused(key, unit):
    points = np.repeat([[0.0], [1.0], [3.0]], 30, axis=0) * unit
    more = {"uspec": {"representatives": 60}, "subsampling": {"complete": True}}.get(key, {})
    params = {} if key == "lac" else {"k_range": (3, 3)} | more  # as many clusters as classes
    if unit > 1e-100:
        found = generators.make_ensemble(key, points, 8, params, seed=0, n_classes=3)
        assert max(nmi(labels, np.repeat([0, 1, 2], 30)) for labels in found.labels.T) > 0.99
    else:
        with pytest.raises(InvalidParameterError, match="differ by at least 1e-100"):
            generators.make_ensemble(key, points, 8, params, seed=0, n_classes=3)


def test_features_that_float32_holds_are_taken_as_ever(points):
    assert as_features(points).dtype == np.float32
    assert as_features(np.random.default_rng(0).normal(size=(5000, 2)) + 50).dtype == np.float32
    assert as_features(np.column_stack([points, np.full(len(points), 0.1)])).dtype == np.float32  # tells nothing apart
    assert as_features(points + 1.7e9).dtype == np.float64


def test_random_subspaces_differ_from_all_features(points):
    whole, part = (generators.kmeans_ensemble(points, 5, seed=1, feature_fraction=f) for f in (1.0, 0.4))
    assert whole.fingerprint != part.fingerprint


def test_minibatch_takes_over_above_a_size(points):
    plain, mini = (generators.kmeans_ensemble(points, 5, seed=1, minibatch_above=m) for m in (1000, 10))
    assert plain.fingerprint != mini.fingerprint


def test_the_monitor_is_told_and_may_stop(points):
    stop = stopping_at_done(3)
    with pytest.raises(Cancelled):
        generators.kmeans_ensemble(points, 30, monitor=stop)
    assert 3 <= stop.done < 30


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"n_clusterings": 0}, "n_clusterings"),
        ({"k_range": "many"}, "k_range"),
        ({"k_range": (1, 4)}, "k_range"),
        ({"k_range": (5, 4)}, "k_range"),
        ({"k_range": (2, 900)}, "k_range"),
        ({"feature_fraction": 0}, "feature_fraction"),
        ({"init": "best"}, "init"),
        ({"features": [[1.0], [np.nan]]}, "row 2, column 1"),
        ({"features": [1.0, 2.0]}, "matrix"),
    ],
)
def test_bad_settings_are_refused(points, change, words):
    with pytest.raises(InvalidParameterError, match=words):
        generators.kmeans_ensemble(**({"features": points, "n_clusterings": 3} | change))


@pytest.mark.parametrize("key", generators.known_generators())
@pytest.mark.parametrize(
    "change",
    [
        {"seed": -1},
        {"seed": 1.5},
        {"seed": None},
        {"n_clusterings": -1},
        {"n_clusterings": 2.5},
        {"features": [["a"], ["b"], ["c"]]},
        {"features": [[1.0, 2.0], [3.0]]},
        {"features": np.eye(30) * 1j},
        {"features": np.ma.array(np.eye(30) * 1j)},
        {"features": None},
    ],
)
def test_no_generator_takes_a_seed_a_number_or_features_that_are_none(points, key, change):
    with pytest.raises(InvalidParameterError, match=rf"^{next(iter(change))} must be .*\. Got .*$"):
        generators.make_ensemble(**({"key": key, "features": points, "n_clusterings": 2, "seed": 0} | change))


MAKERS = [generators.kmeans_ensemble, generators.subsampled_ensemble, generators.rpcl_ensemble]


@pytest.mark.parametrize("make", [*MAKERS, generators.uspec_ensemble, generators.mixed_ensemble])
@pytest.mark.parametrize("first", [-1, 1.0])
def test_base_clusterings_are_numbered_from_0(points, make, first):
    with pytest.raises(InvalidParameterError, match="first must be an integer of at least 0"):
        make(points, 2, first=first)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("k_range", [5, None, (2, 3, 4), (2.5, 3), ("2", 3), {"low": 2}])
def test_a_range_of_k_is_a_word_or_two_integers(points, make, k_range):
    with pytest.raises(InvalidParameterError, match="k_range must "):
        make(points, 2, k_range)


def test_shares_draws_and_names_of_generators_that_are_none_are_refused(points):
    for make, name in ((generators.subsampled_ensemble, "share"), (generators.kmeans_ensemble, "feature_fraction")):
        for value in ("a", None, 0, 1.1, np.nan):
            with pytest.raises(InvalidParameterError, match=rf"{name} must be a number in \(0, 1\]"):
                make(points, 2, **{name: value})
    for number, seed in ((1.5, 0), (0, 0), ("2", 0), (2, -1)):
        with pytest.raises(InvalidParameterError, match="must be an integer of at least"):
            generators.draw(np.ones((3, 4)), number, seed)
    with pytest.raises(InvalidParameterError, match="generator must be one of"):
        generators.make_ensemble(["kmeans"], points, 2)


def test_draws_come_from_the_pool_without_repetition():
    pool = np.arange(60).reshape(6, 10) % 7
    drawn = generators.draw(pool, 10, seed=1)
    assert sorted(drawn.provenance["columns"]) == list(range(10))
    assert generators.draw(pool, 4, seed=1).provenance["columns"] == drawn.provenance["columns"][:4]
    with pytest.raises(InvalidParameterError, match=r"1\.\.P"):
        generators.draw(pool, 11)


@pytest.mark.parametrize("key", generators.known_generators())
@pytest.mark.parametrize("value", [1e60, -1e99, 1e200, -np.inf])
def test_a_value_that_is_finite_is_taken_or_said_as_it_is(key, value):
    points = np.random.default_rng(0).normal(size=(30, 3))
    points[4, 1] = value
    if abs(value) < 1e100:
        labels = generators.make_ensemble(key, points, 3, seed=0).labels
        assert labels.shape == (30, 3)
    else:
        with pytest.raises(InvalidParameterError, match=rf"Got {re.escape(str(value))} in row 5, column 2"):
            generators.make_ensemble(key, points, 3, seed=0)
