import numpy as np
import pytest
from scipy.stats import multivariate_normal

import data
from data import bundled

SIZES = {
    "moons": (500, 2, 2),
    "spirals": (600, 2, 3),
    "uneven_blobs": (530, 2, 4),
    "bridged_blobs": (580, 2, 3),
    "circles": (500, 2, 2),
    "two_gaussian": (600, 2, 2),
    "two_gaussian_overlap": (600, 2, 2),
    "three_gaussian": (900, 2, 3),
    "iris": (150, 4, 3),
    "wine": (178, 13, 3),
    "breast_cancer": (569, 30, 2),
    "digits": (1797, 64, 10),
}


def test_catalog_lists_the_bundled_sets_in_order(monkeypatch):
    monkeypatch.delenv("CONCORD_DATA", raising=False)
    assert data.catalog() == list(SIZES)


@pytest.mark.parametrize("name", SIZES)
def test_bundled_set(name):
    dataset = data.load(name)
    n_objects, n_features, n_classes = SIZES[name]
    assert dataset.name == name
    assert dataset.features.shape == (n_objects, n_features) == (dataset.n_objects, dataset.n_features)
    assert dataset.features.dtype == np.float64
    assert np.isfinite(dataset.features).all()
    assert len(np.unique(dataset.labels)) == n_classes
    assert len(dataset.feature_names) == n_features
    assert dataset.source
    assert data.title(name)[0].isupper()


@pytest.mark.parametrize("name", ["moons", "spirals", "uneven_blobs", "two_gaussian"])
def test_generated_sets_are_the_same_at_every_load(name):
    assert data.load(name).features.tobytes() == data.load(name).features.tobytes()


def test_titles_tell_all_sets_apart():
    assert len({data.title(name) for name in SIZES}) == len(SIZES)
    assert data.title("two_gaussian_overlap") == "Two Gaussians (overlapping)"


def test_arrays_are_read_only_and_not_shared():
    given = np.zeros((3, 2))
    dataset = data.Dataset("mine", given, np.arange(3), "test")
    pool = data.Pool("mine", np.zeros((3, 2), dtype=int), np.arange(3), "test")
    for array in (dataset.features, dataset.labels, pool.members, pool.labels):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    given[0, 0] = 7
    assert dataset.features[0, 0] == 0


def test_constant_columns_of_digits_are_noted():
    assert any("3 constant columns" in note for note in data.load("digits").notes)


@pytest.mark.parametrize(
    ("name", "variances"),
    [("two_gaussian", [(1, 9), (6, 2)]), ("two_gaussian_overlap", [(1, 81), (36, 4)])],
)
def test_two_gaussian_moments(name, variances):
    dataset = data.load(name)
    for k, mean in enumerate([(0.5, 5), (12, 5)]):
        points = dataset.features[dataset.labels == k]
        assert len(points) == 300
        spread = np.sqrt(variances[k])
        assert np.all(np.abs(points.mean(axis=0) - mean) < 4 * spread / np.sqrt(300))
        assert points.var(axis=0) == pytest.approx(variances[k], rel=0.35)


@pytest.mark.long
@pytest.mark.parametrize("name", ["two_gaussian_overlap", "three_gaussian"])
def test_bayes_error_is_what_the_best_rule_gets_on_fresh_points(name):
    mixture = bundled.MIXTURES[name]
    rng = np.random.default_rng(5)
    k = rng.integers(0, len(mixture.means), 200_000)
    points = np.array(mixture.means)[k] + np.array(mixture.sds)[k] * rng.standard_normal((len(k), 2))
    likelihoods = [
        multivariate_normal(mean, np.diag(np.square(sd))).pdf(points)
        for mean, sd in zip(mixture.means, mixture.sds, strict=True)
    ]
    error = np.mean(np.argmax(likelihoods, axis=0) != k)
    assert data.bayes_error(name) == pytest.approx(error, abs=4 * np.sqrt(error / len(k)))


def test_bayes_error_of_both_readings():
    assert data.bayes_error("two_gaussian") < 0.001
    assert 0.028 < data.bayes_error("two_gaussian_overlap") < 0.029
    assert data.bayes_error("moons") is None


@pytest.mark.parametrize("name", ["x" * 5000, f"openml/iris/{'9' * 5000}"])
def test_an_unknown_name_is_not_repeated_at_length(name):
    with pytest.raises(data.DataError) as refused:
        data.load(name)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("name", ["../etc/passwd", "/etc/passwd", "", "iris/../iris", "README"])
def test_only_names_of_the_catalog_load(name):
    with pytest.raises(data.DataError, match="There is no data set"):
        data.load(name)
    with pytest.raises(data.DataError, match="There is no data set"):
        data.title(name)


def test_an_unknown_name_lists_near_ones():
    with pytest.raises(data.DataError, match="two_gaussian, .*two_gaussian_overlap"):
        data.load("two_gausian")
