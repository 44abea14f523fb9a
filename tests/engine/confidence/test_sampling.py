"""A consensus of a sample, handed on to all objects."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from engine import Ensemble, consensus_of_sample, metrics, run_consensus
from engine.confidence import extended
from engine.confidence.prediction import sample_of
from engine.generators import kmeans_ensemble, lac_ensemble
from engine.runtime.errors import InvalidParameterError, MissingEvidenceError


@pytest.fixture(scope="module")
def made():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(400, 2)) + 9 * rng.integers(0, 2, (400, 2))
    return kmeans_ensemble(points, 10, k_range=(4, 12), seed=1)


def similarity(labels, i, members):
    """Mean co-association of an object with some others, label by label."""
    return np.mean([labels[i, m] == labels[j, m] for j in members for m in range(labels.shape[1])])


def test_every_object_goes_to_its_most_similar_cluster(made):
    known = np.arange(0, 400, 7)
    clusters = run_consensus("eac", made.of_objects(known), 4).labels
    found = extended(made, known, clusters)
    for i in range(0, 400, 11):
        means = [similarity(made.labels, i, known[clusters == c]) for c in range(4)]
        assert found.support[i] == pytest.approx(max(means))
        assert means[found.labels[i]] == pytest.approx(max(means))
        assert found.margin[i] == pytest.approx(max(means) - sorted(means)[-2])


def test_the_margin_is_to_the_second_most_similar_cluster():
    blurred = Ensemble.from_labels(np.random.default_rng(0).integers(0, 3, (60, 5)))
    known, clusters = np.arange(0, 60, 2), np.arange(30) % 4
    found = extended(blurred, known, clusters)
    for i in range(60):
        means = [similarity(blurred.labels, i, known[clusters == c]) for c in range(4)]
        assert found.margin[i] == pytest.approx(max(means) - sorted(means)[-2])
    assert (found.margin < found.support).all()


@pytest.mark.parametrize("key", ["eac", "lwea"])
def test_no_order_of_rows_decides_where_the_sample_has_mirror_images(key):
    """Samples have them often where the whole has none, as this one has."""
    labels = np.array([[1, 1], [1, 2], [3, 0], [0, 0], [2, 2], [2, 2], [0, 1], [1, 2], [1, 1], [0, 0]])
    rows = np.array([1, 0, 5, 6, 9, 8, 3, 2, 4, 7])
    made, moved = Ensemble.from_labels(labels), Ensemble.from_labels(labels[rows])
    assert not made.form.symmetry
    found, other = (consensus_of_sample(key, one, 2, 6) for one in (made, moved))
    drawn = labels[found.trace["sampled_objects"]], labels[rows[other.trace["sampled_objects"]]]
    assert sorted(drawn[0].tolist()) == sorted(drawn[1].tolist())
    assert metrics.ari(found.labels[rows], other.labels) == 1


def test_no_order_decides_which_of_two_equally_similar_clusters_takes_an_object():
    rng, compared = np.random.default_rng(3), 0
    for _ in range(150):
        labels = rng.integers(0, 4, (int(rng.integers(8, 14)), int(rng.integers(2, 4))))
        rows, columns = rng.permutation(len(labels)), rng.permutation(labels.shape[1])
        made, moved = Ensemble.from_labels(labels), Ensemble.from_labels(labels[rows][:, columns])
        found, other = (consensus_of_sample("eac", one, 2, 6) for one in (made, moved))
        drawn = labels[found.trace["sampled_objects"]], labels[rows[other.trace["sampled_objects"]]]
        if made.form.symmetry or sorted(drawn[0].tolist()) != sorted(drawn[1].tolist()):
            continue
        compared += 1
        assert metrics.ari(found.labels[rows], other.labels) == 1
    assert compared > 50


def test_objects_of_the_sample_keep_their_label(made):
    blurred = Ensemble.from_labels(np.random.default_rng(0).integers(0, 3, (400, 5)))
    for ensemble in (made, blurred):
        found = consensus_of_sample("lwea", ensemble, 4, 120, seed=3)
        drawn = found.trace["sampled_objects"]
        assert_array_equal(drawn, sample_of(ensemble, 120, 3))
        alone = run_consensus("lwea", ensemble.of_objects(drawn), 4, seed=3).labels
        assert metrics.ari(found.labels[drawn], alone) == 1
        assert found.labels.shape == (400,)
        assert found.n_clusters == 4
        assert found.labels[0] == 0
        assert "dendrogram" not in found.trace  # it joins objects of the sample alone
        assert found.microclusters is ensemble.microclusters
    assert (extended(blurred, drawn, alone).labels[drawn] != alone).any()  # some are more similar to another cluster


def test_a_sample_of_well_parted_objects_gives_the_answer_of_all(made):
    everything = run_consensus("lwea", made, 4).labels
    assert metrics.ari(consensus_of_sample("lwea", made, 4, 150).labels, everything) == 1


def test_a_sample_of_all_is_the_method_itself(made):
    found = consensus_of_sample("lwea", made, 4, 400)
    assert "sampled_objects" not in found.trace
    assert_array_equal(found.labels, run_consensus("lwea", made, 4).labels)


def test_the_sample_follows_from_the_seed(made):
    first, again, other = (consensus_of_sample("lwgp", made, 4, 90, seed=seed) for seed in (1, 1, 2))
    assert_array_equal(first.labels, again.labels)
    assert not np.array_equal(first.trace["sampled_objects"], other.trace["sampled_objects"])


def test_who_shares_nothing_with_the_sample_is_counted():
    labels = np.repeat(np.arange(40), 2)[:, None] + np.zeros((1, 3), int)
    found = consensus_of_sample("eac", Ensemble.from_labels(labels), 3, 20)
    drawn = found.trace["sampled_objects"]
    assert found.trace["strangers"] == 80 - 2 * len(np.unique(labels[drawn, 0]))


def test_missing_labels_say_nothing():
    labels = np.array([[0, -1], [0, 1], [-1, 1], [2, -1], [2, 3], [-1, 3]] * 10)
    ensemble = Ensemble.from_labels(labels)
    found = consensus_of_sample("eac", ensemble, 2, 30)
    assert metrics.ari(found.labels, np.array([0, 0, 0, 1, 1, 1] * 10)) == 1
    drawn = found.trace["sampled_objects"]
    assert_array_equal(extended(ensemble, drawn, found.labels[drawn]).support, 1)


@pytest.mark.parametrize("wrong", [1, 0, -5, 2.5, True, "3"])
def test_a_sample_that_cannot_be_is_refused(made, wrong):
    with pytest.raises(InvalidParameterError, match="n_sample must be an integer of at least 2"):
        consensus_of_sample("eac", made, 2, wrong)


def test_objects_that_are_not_there_are_refused(made):
    for objects, labels in (([0, 400], [0, 1]), ([0, 0], [0, 1]), ([0, 1], [0]), ([], [])):
        with pytest.raises(InvalidParameterError):
            extended(made, np.array(objects, int), np.array(labels, int))


def test_soft_memberships_are_those_of_all_objects():
    soft = lac_ensemble(np.random.default_rng(0).normal(size=(60, 2)), 3, [0.5, 5.0])
    with pytest.raises(MissingEvidenceError, match="a sample of the objects has hard labels only"):
        consensus_of_sample("wspa", soft, 2, 20)
    assert consensus_of_sample("eac", soft, 2, 20).n_clusters == 2


def test_who_is_drawn_without_another_of_its_labels_is_placed_as_those_not_drawn():
    labels = np.tile(np.repeat([0, 1], 100)[:, None], 4)
    labels[:20], labels[20:, 3] = [-1, -1, -1, 0], -1
    ensemble = Ensemble.from_labels(labels)
    alone = [seed for seed in range(20) if (labels[sample_of(ensemble, 12, seed), 3] == 0).sum() == 1]
    for seed in alone:
        found = consensus_of_sample("eac", ensemble, 2, 12, seed=seed)
        assert len(found.trace["sampled_objects"]) == 11
        assert metrics.ari(found.labels[20:], labels[20:, 0]) == 1
    assert alone
