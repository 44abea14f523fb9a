"""MCLA: meta-clusters and votes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Ensemble,
    InvalidParameterError,
    evidence,
    partition,
)
from engine import run_consensus as run
from engine.evidence import participation
from tests import naive
from tests.strategies import label_matrices, random_labels, same_partition


@settings(max_examples=40)
@given(label_matrices(), st.integers(0, 100))
def test_clusters_overlap_and_vote_as_in_the_paper(labels, seed):
    ensemble = Ensemble.from_labels(labels)
    np.testing.assert_allclose(evidence.cluster_jaccard(ensemble).toarray(), naive.jaccard(labels.tolist()), atol=1e-12)
    groups = np.random.default_rng(seed).integers(3, size=ensemble.n_clusters_total)
    groups = np.unique(groups, return_inverse=True)[1]
    votes = ensemble.microclusters.expand(participation(ensemble, groups))
    np.testing.assert_allclose(votes, naive.meta_cluster_votes(labels.tolist(), groups), atol=1e-12)


def test_equal_shares_are_equal_however_many_clusters_a_group_has():
    """1 of 2, 9 of 18 and 49 of 98: the lowest group wins."""
    for n in (9, 49):
        ensemble = Ensemble.from_labels(np.tile([[0], [0], [1], [1]], (1, n + 1)))
        assert participation(ensemble, np.array([0, 0] + [1, 1] * n)).tolist() == [[0.5, 0.5]] * 2


def test_mcla_groups_clusters_and_lets_objects_vote(to_metis):
    labels = random_labels(80, 6, 4, 3)
    given = Ensemble.from_labels(labels)
    ensemble, order = given.canonical, np.argsort(given.form.numbers)
    result = run("mcla", given, 4)
    jaccard = naive.jaccard(labels.tolist())[np.ix_(order, order)]
    np.fill_diagonal(jaccard, 0)
    expected = np.where(jaccard > 0, np.maximum(np.rint(jaccard / jaccard.max() * 10_000), 1), 0)
    assert (to_metis["graph"] == expected).all()
    assert (to_metis["sizes"] == ensemble.cluster_sizes).all()
    groups, _ = partition.metis_partition(
        evidence.cluster_jaccard(ensemble), ensemble.cluster_sizes, 4, np.random.default_rng(0)
    )
    numbered = [list(dict.fromkeys(groups.tolist())).index(g) for g in groups]
    votes = naive.meta_cluster_votes(labels.tolist(), np.array(numbered)[given.form.numbers])
    assert same_partition(result.labels, (votes > votes.max(axis=1, keepdims=True) - 1e-12).argmax(axis=1))
    assert result.trace["repaired"] == 0


@pytest.mark.parametrize("groups", [[1, 0, 1, 0], [0, 1, 0, 1]])
def test_of_equal_votes_the_group_of_the_earliest_cluster_wins(groups, monkeypatch):
    ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 1]])  # the second object is half in either group
    monkeypatch.setattr("engine.methods.mcla.metis_partition", lambda *_: (np.array(groups), 0))
    assert run("mcla", ensemble, 2).labels.tolist() == [0, 0, 1, 1]


def test_mcla_refuses_more_meta_clusters_than_clusters():
    ensemble = Ensemble.from_labels(np.stack(np.unravel_index(np.arange(27), (3, 3, 3)), axis=1))
    assert run("mcla", ensemble, 9).n_clusters == 9
    with pytest.raises(InvalidParameterError, match="at most 9"):
        run("mcla", ensemble, 10)
