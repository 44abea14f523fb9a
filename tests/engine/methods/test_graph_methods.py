"""ECG, FastEnsemble and fast consensus against slow versions of their own on 12 nodes, and on planted groups."""

import igraph
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Ensemble, Graph, run_consensus
from engine.communities.leiden import edge_votes, two_core
from engine.generators import leiden_ensemble
from engine.methods.ecg import edge_weights
from engine.methods.fast_consensus import _open_triangles, _Votes, _with_lost_nodes
from engine.metrics import ari
from engine.runtime.monitor import SILENT
from tests.engine.communities.test_leiden import planted
from tests.engine.ensemble.test_graphs import random_graph
from tests.naive import partitions_of, quality_of, voted_weights
from tests.strategies import same_partition


def twelve(seed, missing=False):
    """Twelve nodes in some eight microclusters, few enough to try every partition."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(2, size=(12, 3))
    if missing:
        labels[rng.random(labels.shape) < 0.15] = -1
        labels[(labels < 0).all(axis=1), 0] = 0
    return Ensemble.from_labels(labels, graph=random_graph(12, 0.4, seed)).canonical


def best_over_microclusters(ensemble, matrix):
    """Largest modularity of the microclusters under a matrix of weights between objects."""
    of, n = ensemble.microclusters.assignment, len(ensemble.microclusters)
    return max(quality_of(matrix, np.ones(12), np.array(one)[of], "modularity", 1.0) for one in partitions_of(n))


@pytest.mark.long
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize(("key", "params"), [("ecg", {"min_weight": 0.1}), ("fastensemble", {"threshold": 0.5})])
def test_the_answer_is_the_best_partition_of_microclusters_under_the_weights_of_the_paper(key, params, missing):
    reached = []
    for seed in range(5):
        ensemble = twelve(seed, missing)
        matrix = voted_weights(key, ensemble.labels, ensemble.graph.matrix.toarray() > 0, *params.values())
        best = best_over_microclusters(ensemble, matrix)
        found = [run_consensus(key, ensemble, None, params, seed=s).labels for s in range(3)]
        reached.append(max(quality_of(matrix, np.ones(12), one, "modularity", 1.0) for one in found) / best)
    assert reached == pytest.approx([1] * 5)


def test_votes_are_shares_of_the_base_clusterings_that_saw_both_ends():
    ensemble = twelve(3, missing=True)
    labels, graph = ensemble.labels, ensemble.graph
    for i, j, share in zip(graph.sources, graph.targets, edge_votes(ensemble, SILENT), strict=True):
        seen = [m for m in range(3) if labels[i, m] >= 0 and labels[j, m] >= 0]
        assert share == (np.mean([labels[i, m] == labels[j, m] for m in seen]) if seen else 0)


@pytest.mark.parametrize("seed", range(3))
def test_an_edge_weighs_its_votes_in_the_two_core_and_the_smallest_weight_outside(seed):
    ensemble = twelve(seed, missing=True)
    labels, graph = ensemble.labels, random_graph(12, 0.13, seed)  # so few edges have tails
    given = Ensemble.from_labels(labels, graph=graph)
    expected = voted_weights("ecg", given.labels, graph.matrix.toarray() > 0, 0.1)[graph.sources, graph.targets]
    assert edge_weights(given, 0.1, SILENT) == pytest.approx(expected)
    inner = two_core(graph)
    assert not (inner[graph.sources] & inner[graph.targets]).all()


def test_the_two_core_has_no_tails_and_no_trees():
    graph = Graph.of_edges([0, 1, 2, 2, 3, 5, 6], [1, 2, 0, 3, 4, 6, 7], n_nodes=9)
    assert two_core(graph).tolist() == [True] * 3 + [False] * 6


def test_a_triangle_is_closed_between_neighbours_of_a_node_alone_and_an_object_keeps_its_best_edge():
    graph = random_graph(12, 0.3, 1)
    edges = _Votes(graph.sources.astype(np.int64), graph.targets.astype(np.int64), graph.weights)
    linked = graph.matrix.toarray() > 0
    first, second = _open_triangles(edges, 12, 5000, np.random.default_rng(0))
    wanted = {(i, j) for i in range(12) for j in range(i) if not linked[i, j] and (linked[i] & linked[j]).any()}
    assert set(zip(second.tolist(), first.tolist(), strict=True)) == wanted  # after so many draws all of them
    kept = _with_lost_nodes(edges, edges.kept(edges.weights > 0.9), 12)
    for i in range(12):
        own = np.flatnonzero((edges.sources == i) | (edges.targets == i))
        there = np.flatnonzero((kept.sources == i) | (kept.targets == i))
        if len(own):
            assert edges.weights[own].max() in kept.weights[there]
    assert set(kept.weights.tolist()) <= set(edges.weights.tolist())
    assert len(kept.weights) <= (edges.weights > 0.9).sum() + 12


def test_fast_consensus_takes_one_round_where_all_agree_and_more_where_they_do_not():
    graph, truth = planted(120, 3, 0.2, 0.05)
    agreed = Ensemble.from_labels(np.tile(truth[:, None], 4), graph=graph)
    found = run_consensus("fast_consensus", agreed, None)
    assert found.trace["vote_rounds"] == 1
    assert same_partition(found.labels, truth)
    noisy = leiden_ensemble(graph, 10, (1, 1), quality="first_level")
    later = run_consensus("fast_consensus", noisy, None)
    assert later.trace["vote_rounds"] > 1
    assert run_consensus("fast_consensus", noisy, None, {"rounds": 1}).trace["vote_rounds"] == 1


@pytest.mark.parametrize("key", ["ecg", "fast_consensus"])
def test_planted_groups_are_found_better_than_by_the_base_clusterings(key):
    graph, truth = planted(300, 5, 0.16, 0.03, seed=2)
    made = leiden_ensemble(graph, 12, (1, 1), quality="first_level")
    found = run_consensus(key, made, None)
    assert ari(found.labels, truth) > np.mean([ari(one, truth) for one in made.labels.T])
    assert ari(found.labels, truth) > 0.9


def test_planted_groups_are_found_by_fastensemble():
    graph, truth = planted(300, 5, 0.16, 0.03, seed=2)
    found = run_consensus("fastensemble", leiden_ensemble(graph, 12, (1, 1), quality="modularity"), None)
    assert ari(found.labels, truth) > 0.9


@pytest.mark.parametrize("key", ["ecg", "fast_consensus", "fastensemble"])
def test_graphs_without_edges_and_of_two_parts_have_an_answer(key):
    labels = np.array([[0, 0, 0, 1, 1, 1]] * 3).T
    parts = Ensemble.from_labels(labels, graph=Graph.of_edges([0, 1, 3, 4], [1, 2, 4, 5]))
    assert same_partition(run_consensus(key, parts, None).labels, labels[:, 0])
    bare = Ensemble.from_labels(labels, graph=Graph.of_edges(np.array([], int), np.array([], int), None, 6))
    assert same_partition(run_consensus(key, bare, None).labels, labels[:, 0])  # microclusters are all there is


@given(st.integers(1, 30), st.integers(0, 60), st.integers(0, 10**6))
def test_the_two_core_is_that_of_igraph(n, n_edges, seed):
    rng = np.random.default_rng(seed)
    graph = Graph.of_edges(*rng.integers(n, size=(2, n_edges)), n_nodes=n)
    edges = list(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True))
    assert (two_core(graph) == (np.array(igraph.Graph(n, edges).coreness()) >= 2)).all()
