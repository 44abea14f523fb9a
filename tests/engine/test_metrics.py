import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as reference

from engine import Ensemble, InvalidParameterError, TooLargeError, metrics
from tests import naive
from tests.strategies import same_partition

pairs = st.integers(2, 25).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2))
MEANS = {
    "max": max,
    "min": min,
    "arithmetic": lambda a, b: (a + b) / 2,
    "sqrt": lambda a, b: math.sqrt(a * b),
}


@given(pairs, st.sampled_from(list(MEANS)))
def test_nmi_equals_the_definition(two, normalisation):
    information, h_a, h_b = naive.mutual_information(*two)
    expected = float(h_a == h_b) if h_a * h_b == 0 else information / MEANS[normalisation](h_a, h_b)
    assert metrics.nmi(*two, normalisation) == pytest.approx(expected, abs=1e-9)


@given(pairs)
def test_ari_equals_scikit_learn(two):
    assert metrics.ari(*two) == pytest.approx(reference.adjusted_rand_score(*two), abs=1e-9)


@given(pairs)
def test_pairwise_f_equals_counting_pairs(two):
    both, only_a, only_b, _ = naive.pair_table(*two)
    expected = 1.0 if both + only_a + only_b == 0 else 2 * both / (2 * both + only_a + only_b)
    assert metrics.pairwise_f(*two) == pytest.approx(expected)


@given(pairs)
def test_accuracy_and_purity_equal_trying_everything(two):
    labels, truth = two
    assert metrics.accuracy(labels, truth) == pytest.approx(naive.accuracy(labels, truth))
    majority = sum(max(np.bincount([t for x, t in zip(labels, truth, strict=True) if x == c])) for c in set(labels))
    assert metrics.purity(labels, truth) == pytest.approx(majority / len(labels))


@given(pairs)
def test_align_renames_and_overlaps_as_much_as_possible(two):
    labels, truth = two
    aligned = metrics.align(labels, truth)
    assert same_partition(aligned, labels)
    assert aligned.min() >= 0
    assert (aligned == np.array(truth)).mean() == pytest.approx(metrics.accuracy(labels, truth))
    below_0 = np.array(truth) - 3
    renamed = metrics.align(labels, below_0)
    assert same_partition(renamed, labels)
    assert (renamed == below_0).mean() == pytest.approx(metrics.accuracy(labels, truth))


def test_align_keeps_the_names_of_a_sparse_reference():
    assert metrics.align([1, 1, 0, 0], [5, 5, 9, 9]).tolist() == [5, 5, 9, 9]
    assert metrics.align([2, 2, 0, 1], [1, 1, 1, 1]).tolist() == [1, 1, 0, 2]
    assert metrics.align([2, 2, 0, 1], [-5, -5, 1, 1]).tolist() == [-5, -5, 1, 0]


def test_a_table_that_memory_does_not_hold_is_refused():
    each = np.arange(200_000)
    for compare in (metrics.contingency, metrics.ari, metrics.align):
        with pytest.raises(TooLargeError, match="what the clusters of two clusterings share"):
            compare(each, each)


def test_align_numbers_words_and_keeps_numbers_of_any_type():
    for words in (["b", "a", "a"], np.array(["b", "a", "a"]), np.array(["b", "a", "a"], dtype=object)):
        assert metrics.align([5, 6, 6], words).tolist() == [0, 1, 1]
    assert metrics.align([5, 6, 6], np.array([9, 2, 2], dtype=object)).tolist() == [9, 2, 2]


def test_whole_numbers_of_a_list_are_compared_as_they_are():
    """Numbers of 64 bits without a sign beside -1 are floats to numpy, which would make one of three."""
    found = [2**63, 2**63 + 1, 2**63 + 2, -1, -1]
    assert metrics.ari(found, [0, 1, 2, 3, 3]) == 1
    assert Ensemble.from_labels([[one] for one in found], missing=None).n_clusters_each.tolist() == [4]


def test_scores_name_every_measure():
    names = ["nmi_max", "nmi_arithmetic", "nmi_sqrt", "ari", "pairwise_f", "accuracy", "purity"]
    assert list(metrics.scores([0, 1], [0, 1])) == list(metrics.MEASURES)
    assert list(metrics.MEASURES)[: len(names)] == names
    assert set(metrics.scores([3, 1, 1], [0, 1, 1]).values()) == {1.0}


@given(pairs)
def test_a_score_is_that_measure_alone(two):
    alone = {measure: metrics.score(*two, measure) for measure in metrics.MEASURES}
    assert alone == metrics.scores(*two)
    assert [alone[f"nmi_{mean}"] for mean in ("max", "arithmetic", "sqrt")] == [
        metrics.nmi(*two, mean) for mean in ("max", "arithmetic", "sqrt")
    ]
    for name in ("ari", "pairwise_f", "accuracy", "purity"):
        assert alone[name] == getattr(metrics, name)(*two)


def test_an_unknown_measure_is_refused():
    with pytest.raises(InvalidParameterError, match="measure must be one of nmi_max, .*purity. Got 'rand'"):
        metrics.score([0, 1], [0, 1], "rand")
    with pytest.raises(InvalidParameterError, match=r"measure must be one of .*Got \['ari'\]"):
        metrics.score([0, 1], [0, 1], ["ari"])


@pytest.mark.parametrize(("a", "b"), [([0, 1], [0]), ([], []), ([[0]], [[0]])])
def test_what_cannot_be_compared_is_refused(a, b):
    with pytest.raises(InvalidParameterError, match="one length|one an object"):
        metrics.nmi(a, b)


def test_an_unknown_normalisation_is_refused():
    with pytest.raises(InvalidParameterError, match="max, min"):
        metrics.nmi([0, 1], [0, 1], "mean")
    with pytest.raises(InvalidParameterError, match=r"max, min.*Got \['max'\]"):
        metrics.nmi([0, 1], [0, 1], ["max"])
