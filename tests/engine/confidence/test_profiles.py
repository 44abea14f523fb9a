"""Support, margin and silhouettes against counting pairs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Ensemble, InvalidParameterError, confidence, evidence, run_consensus
from engine.ensemble import clusters
from engine.metrics import nmi
from tests import naive_confidence
from tests.strategies import label_matrices, random_labels


def some_partition(n, seed, k=3):
    """Labels of at least two clusters."""
    partition = np.random.default_rng(seed).integers(k, size=n)
    partition[0], partition[-1] = 0, 1
    return partition


@settings(max_examples=60)
@given(label_matrices(), st.integers(0, 1000))
def test_support_and_margin_equal_counting_pairs(labels, seed):
    partition = some_partition(len(labels), seed)
    own, gap = naive_confidence.support_and_margin(labels, partition.tolist())
    ensemble = Ensemble.from_labels(labels)
    assert confidence.support(ensemble, partition) == pytest.approx(own)
    assert confidence.margin(ensemble, partition) == pytest.approx(gap)
    assert (np.abs(confidence.margin(ensemble, partition)) <= 1).all()


@settings(max_examples=40)
@given(label_matrices(), st.integers(0, 1000))
def test_silhouettes_are_those_of_the_distances_one_less_co_association(labels, seed):
    partition = some_partition(len(labels), seed)
    ensemble = Ensemble.from_labels(labels)
    distances = 1 - naive_confidence.consensus_matrix(labels)
    ours = confidence.cluster_profile(ensemble, partition).silhouette
    assert ours == pytest.approx(naive_confidence.silhouettes(distances, partition), abs=1e-12)


def test_weights_of_clusters_make_it_the_mean_of_the_weighted_co_association():
    ensemble, partition = Ensemble.from_labels(random_labels(40, 6, 4, seed=3)), some_partition(40, 5)
    eci = evidence.ensemble_driven_cluster_index(ensemble, 0.4)
    matrix = evidence.weighted_co_association(ensemble, eci, dtype=np.float64)
    full = ensemble.microclusters.expand_matrix(matrix, np.arange(40), np.arange(40))
    np.fill_diagonal(full, 0)
    same = partition[:, None] == partition
    expected = (full * same).sum(axis=1) / (same.sum(axis=1) - 1)
    assert confidence.support(ensemble, partition, eci) == pytest.approx(expected)


def test_a_unanimous_ensemble_sits_firmly_and_a_lone_object_has_no_support():
    labels = np.tile(np.array([0, 0, 0, 1, 1, 2])[:, None], 4)
    profile = confidence.cluster_profile(Ensemble.from_labels(labels), labels[:, 0])
    assert profile.own.tolist() == [1, 1, 1, 1, 1, 0]
    assert profile.margin.tolist() == [1, 1, 1, 1, 1, 0]
    assert profile.silhouette.tolist() == [1, 1, 1, 1, 1, 0]


def test_names_of_labels_do_not_matter():
    ensemble, partition = Ensemble.from_labels(random_labels(50, 5, 4)), some_partition(50, 2)
    renamed = np.array(["c", "a", "b"])[partition]
    assert (confidence.margin(ensemble, partition) == confidence.margin(ensemble, renamed)).all()


def test_means_by_cluster_are_those_of_the_members():
    values, labels = np.random.default_rng(0).random(30), some_partition(30, 4)
    found = confidence.cluster_means(values, labels)
    for place, name in enumerate(dict.fromkeys(labels.tolist())):
        members = values[labels == name]
        assert found.mean[place] == pytest.approx(members.mean())
        assert found.sd[place] == pytest.approx(members.std())
        assert found.sizes[place] == len(members)


def test_the_mean_margin_of_the_consensus_beats_that_of_a_random_partition():
    ensemble = Ensemble.from_labels(random_labels(80, 10, 4, seed=2))
    found = run_consensus("eac", ensemble, 4).labels
    assert confidence.mean_margin(ensemble, found) > 0.3 > confidence.mean_margin(ensemble, some_partition(80, 1))


@pytest.mark.parametrize(
    ("labels", "said"),
    [(np.zeros(60, int), "at least 2 clusters"), (np.zeros(59, int), "must have shape"), (np.zeros((60, 1)), "shape")],
)
def test_what_is_no_partition_is_refused(labels, said):
    with pytest.raises(InvalidParameterError, match=said):
        confidence.margin(Ensemble.from_labels(random_labels()), labels)


@pytest.mark.parametrize("normalisation", ["max", "sqrt", "min", "arithmetic"])
def test_nmi_with_each_base_clustering_is_that_of_the_two_on_what_it_labels(normalisation):
    labels = random_labels(60, 6, 4)
    labels[:, 0] = 0  # a single cluster: it shares nothing with others
    labels[np.random.default_rng(5).random(labels.shape) < 0.2] = -1
    partition = some_partition(60, 3)
    found = confidence.nmi_with_each(Ensemble.from_labels(labels), partition, normalisation)
    for column, value in zip(labels.T, found, strict=True):
        seen = column >= 0
        assert value == pytest.approx(nmi(column[seen], partition[seen], normalisation), abs=1e-12)
    assert found[0] == 0.0


def test_parts_of_the_base_clusterings_make_the_whole(monkeypatch):
    ensemble, partition = Ensemble.from_labels(random_labels(60, 7, 4)), some_partition(60, 3)
    whole = confidence.nmi_with_each(ensemble, partition)
    monkeypatch.setattr(clusters, "_CELLS", 2 * 3 * 4)  # two at a time
    assert confidence.nmi_with_each(ensemble, partition).tolist() == whole.tolist()


def test_a_partition_that_is_one_of_the_base_clusterings_shares_all_with_it():
    labels = random_labels(60, 6, 4)
    assert confidence.nmi_with_each(Ensemble.from_labels(labels), labels[:, 2])[2] == pytest.approx(1.0)


def test_a_partition_is_compared_on_as_many_objects():
    ensemble = Ensemble.from_labels(random_labels())
    with pytest.raises(InvalidParameterError, match="must have shape"):
        confidence.mean_nmi(ensemble, np.zeros(59, int))
    with pytest.raises(InvalidParameterError):
        confidence.mean_nmi(ensemble, np.ma.masked_equal(np.arange(60) % 3, 2))


def test_weights_must_be_one_a_cluster():
    with pytest.raises(InvalidParameterError, match="weights must have shape"):
        confidence.support(Ensemble.from_labels(random_labels()), some_partition(60, 0), [1.0])


def test_values_must_be_one_an_object():
    with pytest.raises(InvalidParameterError, match="one value and one label"):
        confidence.cluster_means([1.0, 2.0], [0])


@pytest.mark.parametrize("weight", [np.nan, np.inf, -1.0])
def test_weights_are_finite_and_not_negative(weight):
    ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1]])
    with pytest.raises(InvalidParameterError, match="finite and at least 0"):
        confidence.support(ensemble, [0, 0, 1], [1.0, 1.0, weight, 1.0])
