"""The inconsistency coefficient and its bootstrap, and its curve over resolutions."""

import numpy as np
import pytest

from engine import Cancelled, Graph, InvalidParameterError
from engine.metrics import ari
from engine.partitions import CONSISTENT, Inconsistency, inconsistency, resolution_curve, rewired
from tests.engine.communities.test_leiden import planted
from tests.monitors import stopping_at_stage
from tests.naive_confidence import element_centric_consistency
from tests.strategies import random_labels


def naive_coefficient(columns):
    """1 / (p' S p) over the partitions that differ, as the paper has it."""
    kept, shares = [], []
    for one in columns:
        same = [bool((np.equal.outer(one, one) == np.equal.outer(other, other)).all()) for other in kept]
        if any(same):
            shares[same.index(True)] += 1
        else:
            kept.append(one)
            shares.append(1)
    similar = np.array([[element_centric_consistency(np.column_stack([a, b])).mean() for a in kept] for b in kept])
    share = np.array(shares) / len(columns)
    return 1 / (share @ similar @ share)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_that_of_the_paper(seed):
    labels = random_labels(12, 6, 3, seed, noise=0.2)
    labels[:, 4] = 7 - labels[:, 1]  # the same partition by other names
    found = inconsistency(labels)
    assert found.value == pytest.approx(naive_coefficient(labels.T))
    assert found.value > CONSISTENT
    assert not found.consistent


def test_bootstraps_spread_around_it_and_repeat_with_the_seed():
    labels = random_labels(40, 15, 3, 1, noise=0.1)
    one, again, other = (inconsistency(labels, 300, seed) for seed in (1, 1, 2))
    assert (one.bootstraps == again.bootstraps).all()
    assert (one.bootstraps != other.bootstraps).any()
    low, high = np.quantile(one.bootstraps, [0.01, 0.99])
    assert low < one.value * 1.001
    assert one.value < high * 1.02  # who is drawn twice is like himself, so bootstraps are a little lower
    assert (np.diff(one.bootstraps) >= 0).all()


def test_the_best_partition_is_most_like_all_and_equal_ones_are_consistent():
    truth = np.repeat([0, 1, 2], 5)
    odd = np.where(np.arange(15) == 0, 1, truth)
    found = inconsistency(np.column_stack([odd, truth, truth, truth]))
    assert found.best == 1
    same = inconsistency(np.tile(truth[:, None], 5))
    assert same.value == pytest.approx(1)
    assert same.consistent
    assert not Inconsistency(1.0, np.array([1.0, 1.01]), 0).consistent


def test_where_groups_are_planted_their_number_is_consistent_and_far_more_are_not(monkeypatch):
    graph, truth = planted(200, 4, 0.3, 0.02)
    curve = resolution_curve(graph, [0.35, 0.1], n_runs=6)
    assert curve.resolutions.tolist() == [0.1, 0.35]
    assert curve.n_clusters[0] == 4
    assert curve.found[0].consistent
    assert ari(curve.labels[:, 0], truth) > 0.99
    assert curve.n_clusters[1] > 8
    assert not curve.found[1].consistent
    monkeypatch.setenv("CONCORD_THREADS", "1")
    again = resolution_curve(graph, [0.35, 0.1], n_runs=6)
    assert (again.labels == curve.labels).all()
    assert [one.value for one in again.found] == [one.value for one in curve.found]


def test_wrong_calls_are_refused_and_a_cancel_is_heard():
    graph, _ = planted()
    for partitions in ([[0], [1]], [0, 1]):
        with pytest.raises(InvalidParameterError, match="at least 2 columns"):
            inconsistency(partitions)
    with pytest.raises(InvalidParameterError, match="n_bootstraps"):
        inconsistency([[0, 0], [1, 1]], 0)
    for bad in ([], [0.0], [np.inf]):
        with pytest.raises(InvalidParameterError, match="resolutions must be numbers above 0"):
            resolution_curve(graph, bad)
    for runs in (1, 2.5, "a", None):
        with pytest.raises(InvalidParameterError, match=f"n_runs must be an integer of at least 2. Got {runs!r}"):
            resolution_curve(graph, [0.1], n_runs=runs)
    for seed in (-1, 2.5, "a", None, True):
        for ask in (
            lambda seed: inconsistency([[0, 0], [1, 1]], seed=seed),
            lambda seed: resolution_curve(graph, [0.1], n_runs=2, seed=seed),
            lambda seed: rewired(graph, seed),
        ):
            with pytest.raises(InvalidParameterError, match=f"seed must be an integer of at least 0. Got {seed!r}"):
                ask(seed)
    with pytest.raises(Cancelled):
        resolution_curve(graph, [0.1], monitor=stopping_at_stage("trying resolutions"))


def test_a_rewired_graph_has_as_many_links_at_every_node_and_no_communities():
    graph, truth = planted()
    chance = rewired(graph, 3)
    degrees = [np.bincount(np.concatenate([g.sources, g.targets]), minlength=graph.n_nodes) for g in (graph, chance)]
    assert (degrees[1] <= degrees[0]).all()  # what falls on another, or on itself, is lost
    assert degrees[1].sum() > 0.8 * degrees[0].sum()
    inside = [np.mean(truth[g.sources] == truth[g.targets]) for g in (graph, chance)]
    assert inside[1] < 0.7 * inside[0]
    assert (rewired(graph, 3).sources == chance.sources).all()
    assert rewired(Graph.of_edges([], [], n_nodes=4)).n_nodes == 4


def test_of_equally_consistent_partitions_the_first_is_named():
    """Rounding does not part copies, wherever they stand."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        columns = rng.integers(0, 3, (12, 4))
        found = inconsistency(np.hstack([columns, columns, columns]), n_bootstraps=50)
        assert found.best < 4


@pytest.mark.parametrize("n", [3, 7, 11])
def test_no_bootstrap_of_equal_partitions_is_below_one(n):
    found = inconsistency(np.tile([[0], [0], [1]], n), n_bootstraps=500)
    assert found.value == found.bootstraps.min() == 1
