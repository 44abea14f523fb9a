"""Element-centric consistency by its definition, and what drawing base clusterings again says."""

import numpy as np
import pytest
from hypothesis import given, settings

from engine import Cancelled, Ensemble, InvalidParameterError, confidence, run_consensus
from tests import naive_confidence
from tests.monitors import Heard
from tests.strategies import label_matrices, random_labels


@settings(max_examples=60)
@given(label_matrices())
def test_consistency_is_its_definition(labels):
    if labels.shape[1] < 2:
        labels = np.tile(labels, (1, 2))
    ours = confidence.element_centric_consistency(labels)
    assert ours == pytest.approx(naive_confidence.element_centric_consistency(labels))
    assert ((ours > 0) & (ours <= 1 + 1e-12)).all()


def test_equal_partitions_are_consistent_whatever_their_names():
    column = np.random.default_rng(0).integers(4, size=30)
    assert confidence.element_centric_consistency(np.stack([column, 7 - column, column], axis=1)) == pytest.approx(1)


def test_one_partition_cannot_be_compared():
    with pytest.raises(InvalidParameterError, match="at least 2 columns"):
        confidence.element_centric_consistency([[0], [1]])


@pytest.mark.parametrize("method", ["lwea", "kcc"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_toss_of_the_seed_is_the_same_whoever_made_it(method, seed):
    """Pages toss before they ask, scripts do not: of groups that are mirror images the draws were others."""
    i = np.arange(20)
    made = Ensemble.from_labels(np.stack([i // 10, i // 5 % 2, i // 10, i // 5 % 2], axis=1))
    assert made.form.mirrored
    one, other = (confidence.resampled(given, method, 2, seed=seed) for given in (made, made.tossed(seed)))
    np.testing.assert_array_equal(one.stability, other.stability)


def test_a_unanimous_ensemble_is_stable_and_a_wavering_object_is_not():
    labels = np.tile((np.arange(40) // 20)[:, None], 10)
    labels[0, ::2] = 1
    found = confidence.resampled(Ensemble.from_labels(labels), "eac", 2, repeats=30)
    assert (found.stability[1:] == 1).all()
    assert 0 < found.stability[0] < 1
    assert found.consistency[0] == found.consistency.min() < 1
    assert (found.labels == run_consensus("eac", Ensemble.from_labels(labels), 2).labels).all()


def test_the_same_seed_gives_the_same_draws():
    ensemble = Ensemble.from_labels(random_labels(50, 8, 4, noise=0.4))
    first = confidence.stability(ensemble, "lwea", 4, repeats=8, seed=3)
    assert (first == confidence.stability(ensemble, "lwea", 4, repeats=8, seed=3)).all()
    assert (first != confidence.stability(ensemble, "lwea", 4, repeats=8, seed=4)).any()


def test_draws_that_tell_too_few_groups_apart_are_counted():
    labels = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    found = confidence.resampled(Ensemble.from_labels(labels), "eac", 3, repeats=20)
    assert found.n_skipped == 20 - found.partitions.shape[1] > 0


@pytest.mark.parametrize("key", ["lwgp", "hbgf", "mcla"])
def test_a_draw_of_fewer_clusters_than_a_cut_has_parts_is_skipped(key):
    """Four base clusterings of two clusters and one of ten: most draws have what a cut into twelve needs, not all."""
    rng = np.random.default_rng(0)
    ensemble = Ensemble.from_labels(np.column_stack([rng.integers(0, 2, (300, 4)), rng.integers(0, 10, 300)]))
    found = confidence.resampled(ensemble, key, 12, repeats=20, seed=1)
    assert 0 < found.n_skipped == 20 - found.partitions.shape[1] < 18


def test_what_cannot_be_drawn_again_is_refused():
    with pytest.raises(InvalidParameterError, match="at least 2 base clusterings"):
        confidence.stability(Ensemble.from_labels([[0], [1], [1]]), "eac", 2)
    with pytest.raises(InvalidParameterError, match="repeats must be"):
        confidence.stability(Ensemble.from_labels(random_labels()), "eac", 2, repeats=1)
    for seed in (-1, 2.5, "a", None, True):
        for ask in (confidence.resampled, confidence.stability):
            with pytest.raises(InvalidParameterError, match=f"seed must be an integer of at least 0. Got {seed!r}"):
                ask(Ensemble.from_labels(random_labels()), "eac", 2, repeats=3, seed=seed)


def test_drawing_again_hears_cancel():
    with pytest.raises(Cancelled):
        confidence.stability(
            Ensemble.from_labels(random_labels()), "eac", 3, monitor=Heard(lambda heard: heard.done * 2 > heard.total)
        )


def test_an_object_that_no_draw_saw_is_as_stable_as_can_be():
    labels = np.array([[0] * 8] * 4 + [[1] * 8] * 4 + [[1] + [-1] * 7])
    found = confidence.resampled(Ensemble.from_labels(labels), "eac", 2, repeats=5, seed=23)
    assert (found.partitions[8] == -1).all()
    assert found.stability[8] == found.consistency[8] == 1
    assert (found.consistency[:8] == 1).all()
