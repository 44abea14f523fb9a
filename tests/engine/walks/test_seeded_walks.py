"""Walks that end at seeds, and SRW, beside the same on objects."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from engine import Ensemble, InvalidParameterError, evidence, run_consensus
from engine.methods.srw import candidate_seeds, merged_seeds
from engine.runtime.monitor import SILENT
from engine.walks.seeded_walks import neighborhood, seeded_partition, seeded_probabilities
from tests import naive
from tests.strategies import label_matrices, random_labels, same_partition


@settings(max_examples=60)
@given(label_matrices(), st.sampled_from([0.0, 2.0, 10.0]), st.sampled_from([0.0, 0.3, 0.6]), st.integers(0, 10**6))
def test_walks_between_microclusters_are_those_between_objects(labels, beta, threshold, seed):
    ensemble = Ensemble.from_labels(labels)
    micro = ensemble.microclusters
    if len(micro) < 3:
        return
    seeds = np.random.default_rng(seed).integers(-1, 2, size=len(micro))
    seeds[:2] = 0, 1
    _, graph = neighborhood(ensemble, beta, threshold)
    found = seeded_probabilities(graph, micro.sizes, seeds)
    expected = naive.seeded_walk(naive.link_weights(labels, beta, threshold), seeds[micro.assignment], 2)
    np.testing.assert_allclose(found[micro.assignment], expected, atol=1e-8)


@pytest.mark.long
def test_srw_is_that_of_objects():
    compared = 0
    for seed in range(6):
        labels = random_labels(70, 11, 5, seed, noise=0.35)
        for k in (2, 3, 5, 9):
            for params in ({}, {"beta": 2.0, "threshold": 0.3}, {"t0": 0.9, "threshold": 0.5}):
                chosen = {"beta": 10.0, "threshold": 0.0, "t0": 0.5} | params
                expected, tied = naive.srw(labels, k, **chosen)
                if not tied:
                    assert same_partition(
                        run_consensus("srw", Ensemble.from_labels(labels), k, chosen).labels, expected
                    )
                    compared += 1
    assert compared > 25


def test_candidates_are_held_together_by_strong_pairs_and_leave_some_to_the_walker():
    labels = random_labels(60, 10, 4, seed=1, noise=0.3)
    ensemble = Ensemble.from_labels(labels)
    together, sizes = evidence.co_association(ensemble), ensemble.microclusters.sizes
    groups = candidate_seeds(together, sizes, 0.8, 10, 3)
    assert groups.max() + 1 >= 3
    assert (groups < 0).any()
    assert (np.bincount(groups[groups >= 0], sizes[groups >= 0]) > 1).all()
    assert (candidate_seeds(together, sizes, 0.8, 10, len(sizes)) == np.arange(len(sizes))).all()
    _, graph = neighborhood(ensemble, 10.0, 0.0)
    merged = merged_seeds(groups, graph, sizes, 2, SILENT)
    assert set(merged.tolist()) == {-1, 0, 1}
    assert ((merged < 0) == (groups < 0)).all()


def test_who_reaches_no_seed_joins_those_it_meets_most():
    labels = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 2], [1, 1, 3], [2, 1, 4], [3, 2, 5]])
    found = seeded_partition(Ensemble.from_labels(labels), [0, -1, 1, -1, -1, -1], threshold=0.6)
    assert found.labels.tolist() == [0, 0, 1, 1, 1, 0]
    assert found.probabilities.sum(axis=1).tolist() == [1, 1, 1, 1, 0, 0]


def test_equal_probabilities_give_the_lowest_label_in_any_order_of_rows():
    labels = np.array([[1, 0], [0, 1], [0, 4], [0, 3], [0, 3], [1, 2], [1, 4], [0, 2]])
    seeds, order = np.array([-1, -1, 0, -1, -1, -1, -1, 1]), np.array([4, 3, 0, 5, 6, 2, 1, 7])
    for rows in (np.arange(8), order):
        found = seeded_partition(Ensemble.from_labels(labels[rows]), seeds[rows], beta=1.0)
        at_first = found.labels[np.argsort(rows)[:2]]
        np.testing.assert_allclose(found.probabilities[np.argsort(rows)[:2]], 0.5)
        assert at_first.tolist() == [0, 0]


def test_a_persons_seeds_keep_their_labels_and_spread_to_what_nothing_tells_apart():
    truth = np.random.default_rng(2).integers(3, size=120)
    labels = np.where(np.random.default_rng(3).random((120, 12)) < 0.2, 3, truth[:, None])
    seeds = np.full(120, -1)
    for c in range(3):
        seeds[np.flatnonzero(truth == c)[:2]] = c
    found = seeded_partition(Ensemble.from_labels(labels), seeds)
    assert (found.labels == truth).mean() > 0.95
    assert (found.labels[seeds >= 0] == seeds[seeds >= 0]).all()
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1)


@pytest.mark.parametrize(
    ("seeds", "match"),
    [
        ([0, 1], "seeds must be 4 integers"),
        ([0.0, 1.0, -1.0, -1.0], "seeds must be 4 integers"),
        ([0, -1, -1, 0], "every label"),
        ([0, -1, -1, 2], "every label"),
        ([0, 1, -1, -1], "object 0 and 1 for object 1"),
    ],
)
def test_bad_seeds_are_refused_in_words(seeds, match):
    ensemble = Ensemble.from_labels([[0, 0], [0, 0], [1, 1], [1, 2]])
    with pytest.raises(InvalidParameterError, match=match):
        seeded_partition(ensemble, seeds)
    for beta in (-1, 30.5, 300, np.inf, np.nan, "a", None, True):
        with pytest.raises(InvalidParameterError, match=r"beta must be a number in \[0, 30\]. Got"):
            seeded_partition(ensemble, [0, -1, 1, -1], beta=beta)
    with pytest.raises(InvalidParameterError, match=r"threshold must be a number in \[0, 1\]. Got 2"):
        seeded_partition(ensemble, [0, -1, 1, -1], threshold=2)
    with pytest.raises(InvalidParameterError, match="every object"):
        seeded_partition(Ensemble.from_labels([[0, 0], [0, -1], [1, 1]], missing=-1), [0, -1, 1])


def test_long_paths_are_walked_to_their_ends():
    n = 400
    path = sparse.csr_array(np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1))
    seeds = np.full(n, -1)
    seeds[[0, -1]] = 0, 1
    found = seeded_probabilities(path, np.ones(n), seeds)
    np.testing.assert_allclose(found[:, 1], np.arange(n) / (n - 1), atol=1e-9)
