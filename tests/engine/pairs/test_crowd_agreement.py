import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Ensemble, InvalidParameterError, evidence, run_consensus
from engine.monitor import SILENT
from engine.similarities import find_evidence
from tests import naive
from tests.strategies import label_matrices, random_labels, same_partition

betas = st.floats(0, 10)


@given(label_matrices())
def test_agreement_equals_the_paper(labels):
    ours = evidence.normalized_crowd_agreement(Ensemble.from_labels(labels))
    np.testing.assert_allclose(ours, naive.normalized_crowd_agreement(labels), atol=1e-9)


@settings(max_examples=40)
@given(label_matrices(), betas)
def test_the_matrix_on_microclusters_stands_for_the_one_on_objects(labels, beta):
    ensemble, kind = Ensemble.from_labels(labels), find_evidence("wca")
    params, everyone = kind.params(beta=beta), np.arange(len(labels))
    weights = kind.weights(ensemble, params, SILENT)
    ours = evidence.weighted_co_association(ensemble, weights, dtype=np.float64)
    expected = naive.crowd_weighted_co_association(labels, beta)
    np.testing.assert_allclose(ensemble.microclusters.expand_matrix(ours, everyone, everyone), expected, atol=1e-9)
    assert kind.value(ensemble, params, 0, len(labels) - 1) == pytest.approx(expected[0, -1], abs=1e-9)


def test_where_labels_are_missing_it_is_a_share_of_the_votes_that_saw_both():
    labels = random_labels(60, 70, 4, noise=0.4)
    labels[np.random.default_rng(1).random(labels.shape) < 0.4] = -1
    ensemble, kind = Ensemble.from_labels(labels), find_evidence("wca")
    votes, everyone = evidence.crowd_weights(ensemble, 2.0), np.arange(60)
    seen = (labels[:, None] >= 0) & (labels >= 0)
    together = seen & (labels[:, None] == labels)
    expected = (together * votes).sum(axis=2) / (seen * votes).sum(axis=2)
    ours = ensemble.microclusters.expand_matrix(kind.matrix(ensemble, kind.params(), SILENT), everyone, everyone)
    np.testing.assert_allclose(ours, expected, atol=1e-6)
    assert kind.value(ensemble, kind.params(), 3, 7) == pytest.approx(expected[3, 7])
    found = run_consensus("weac", ensemble, 5, record=("similarity",)).trace["similarity"]
    np.testing.assert_allclose(ensemble.microclusters.expand_matrix(found, everyone, everyone), expected, atol=1e-6)


@given(label_matrices())
def test_without_an_exponent_it_is_the_co_association(labels):
    ensemble, kind = Ensemble.from_labels(labels), find_evidence("wca")
    assert (kind.matrix(ensemble, kind.params(beta=0), SILENT) == evidence.co_association(ensemble)).all()


@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
def test_without_an_exponent_the_method_is_eac(linkage):
    ensemble = Ensemble.from_labels(random_labels(80, 6, 5, seed=3, noise=0.3))
    for k in (2, 5, 9):
        ours = run_consensus("weac", ensemble, k, {"beta": 0, "linkage": linkage}).labels
        assert (ours == run_consensus("eac", ensemble, k, {"linkage": linkage}).labels).all()


@settings(max_examples=40)
@given(label_matrices(), st.integers(2, 5))
def test_the_method_cuts_the_tree_of_objects(labels, k):
    ensemble = Ensemble.from_labels(labels)
    result = _run(ensemble, k)
    if result is None:
        return
    similarity = naive.crowd_weighted_co_association(labels, 2.0)
    heights = np.round(result.trace["dendrogram"].similarities, 5)
    if len(np.unique(heights)) == len(heights):  # no tie decides
        assert same_partition(result.labels, naive.agglomerate(similarity, k))


def test_one_base_clustering_and_independent_ones_weigh_alike():
    assert evidence.normalized_crowd_agreement(Ensemble.from_labels([[0], [1], [1]])).tolist() == [1]
    independent = Ensemble.from_labels([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert evidence.crowd_weights(independent, 2.0).tolist() == [1, 1]


def test_constant_base_clusterings_agree_with_each_other_alone():
    labels = np.array([[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 1], [0, 0, 1, 2]])
    ours = evidence.normalized_crowd_agreement(Ensemble.from_labels(labels))
    np.testing.assert_allclose(ours, naive.normalized_crowd_agreement(labels), atol=1e-12)
    assert evidence.crowd_weights(Ensemble.from_labels(labels[:, 1:]), 0).tolist() == [1, 1, 1]


def test_weights_come_back_in_the_callers_order():
    labels = np.hstack([random_labels(90, 4, 4, seed=2, noise=0.1), random_labels(90, 3, 6, seed=5, noise=0.6)])
    labels = labels[:, [4, 0, 5, 1, 2, 6, 3]]
    ensemble = Ensemble.from_labels(labels)
    assert ensemble.form.clusterings.tolist() != list(range(7))
    found = run_consensus("weac", ensemble, 4, {"beta": 1.0}).trace["clustering_weights"]
    np.testing.assert_allclose(found, naive.normalized_crowd_agreement(labels), atol=1e-9)
    assert not found.flags.writeable


@pytest.mark.parametrize("beta", [-1, np.nan, np.inf])
def test_the_exponent_is_a_number_of_at_least_zero(beta):
    with pytest.raises(InvalidParameterError, match="beta"):
        evidence.crowd_weights(Ensemble.from_labels(random_labels()), beta)


def _run(ensemble, k):
    return run_consensus("weac", ensemble, k) if k <= len(ensemble.microclusters) else None
