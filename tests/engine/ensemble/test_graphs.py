"""Graphs between objects: what edges are, and how an ensemble keeps them."""

import io

import numpy as np
import pytest
from scipy import sparse

from engine import (
    Ensemble,
    Graph,
    InvalidEnsembleError,
    InvalidParameterError,
    TooLargeError,
    load_ensemble,
    save_ensemble,
)
from engine.graphs.layouts import graph_layout


def random_graph(n=12, share=0.4, seed=0):
    """Edges with weights in (0, 1], each once."""
    rng = np.random.default_rng(seed)
    ends = np.nonzero(np.triu(rng.random((n, n)) < share, 1))
    return Graph.of_edges(*ends, 1 - rng.random(len(ends[0])), n)


def test_loops_doubled_edges_weights_below_zero_and_isolated_nodes_are_said():
    graph = Graph.of_edges([0, 1, 1, 3, 4, 2], [1, 0, 1, 4, 5, 0], [0.5, 2.0, 1.0, 1.0, -1.0, 0.0], 7)
    assert (graph.sources.tolist(), graph.targets.tolist(), graph.weights.tolist()) == ([0, 3], [1, 4], [2.0, 1.0])
    assert graph.notes == (
        "1 edge from a node to itself left out.",
        "2 edges of weight 0 or below left out.",
        "1 edge given more than once; the largest weight counts.",
        "3 nodes without any edge: each is a community of its own.",
        "2 parts that no edge links.",
    )
    assert graph.n_components == 5
    assert graph.degrees.tolist() == [1, 1, 0, 1, 1, 0, 0]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.coo_array])
def test_a_matrix_gives_every_edge_once_the_larger_of_two_weights(form):
    graph = Graph.of_matrix(form(np.array([[3.0, 0.2, 0], [0.7, 0, -1], [0, -1, 0]])))
    assert (graph.sources.tolist(), graph.targets.tolist(), graph.weights.tolist()) == ([0], [1], [0.7])
    assert graph.notes[:2] == ("1 edge from a node to itself left out.", "1 edge of weight 0 or below left out.")


@pytest.mark.parametrize(
    ("edges", "words"),
    [
        (([0, 1], [1], None), "of one length"),
        (([0], [2], None, 2), "nodes 0..1. Got 2"),
        (([-1], [1], None), "Got less"),
        (([0], [1], [np.nan]), "finite. Got nan for edge 1"),
        (([0.5], [1], None), "whole numbers"),
    ],
)
def test_what_is_no_graph_is_refused(edges, words):
    with pytest.raises(InvalidParameterError, match=words):
        Graph.of_edges(*edges)
    with pytest.raises(InvalidParameterError, match="square"):
        Graph.of_matrix(np.ones((2, 3)))
    with pytest.raises(InvalidParameterError, match="finite"):
        Graph.of_matrix(np.array([[0, 1.0], [np.nan, 0]]))


@pytest.mark.parametrize("edges", [([], []), ([0], [0])])
def test_a_graph_may_have_no_edge_and_one_node(edges):
    graph = Graph.of_edges(*(np.array(one, int) for one in edges), n_nodes=1)
    assert (graph.n_nodes, graph.n_edges, graph.n_components) == (1, 0, 1)
    assert Graph.of_matrix(graph.matrix).fingerprint == graph.fingerprint


def test_some_nodes_keep_the_edges_between_them_in_the_order_given():
    graph, nodes = random_graph(), [7, 2, 5, 0]
    assert (graph.of_nodes(nodes).matrix.toarray() == graph.matrix.toarray()[np.ix_(nodes, nodes)]).all()


def test_codes_tell_nodes_apart_by_where_they_lie_and_never_by_their_order():
    graph, order = random_graph(30, 0.15, seed=1), np.random.default_rng(2).permutation(30)
    begun = np.zeros(30, np.int32)
    codes = graph.codes(begun)
    assert len(set(codes.tolist())) == 30
    assert (graph.of_nodes(order).codes(begun) == codes[order]).all()
    ring = Graph.of_edges(np.arange(6), (np.arange(6) + 1) % 6)
    assert len(set(ring.codes(np.zeros(6, np.int32)).tolist())) == 1  # all alike
    assert len(set(ring.codes(np.array([1, 0, 0, 0, 0, 0])).tolist())) == 4  # but for one: by the distance from it


def ensemble_with_graph():
    graph = random_graph(30, 0.2, seed=3)
    labels = np.random.default_rng(0).integers(2, size=(30, 4))
    return Ensemble.from_labels(labels, provenance={"seed": 1}, graph=graph)


def test_an_ensemble_keeps_its_graph_in_files_choices_and_its_fingerprint():
    made = ensemble_with_graph()
    held = io.BytesIO()
    save_ensemble(made, held)
    held.seek(0)
    assert load_ensemble(held).graph.fingerprint == made.graph.fingerprint
    assert made.fingerprint != Ensemble.from_labels(made.labels).fingerprint
    assert made.select([2, 0]).graph is made.graph
    some = made.of_objects([4, 9, 1])
    assert (some.graph.matrix.toarray() == made.graph.matrix.toarray()[np.ix_([4, 9, 1], [4, 9, 1])]).all()
    with pytest.raises(InvalidEnsembleError, match="must have 29 nodes. Got 30"):
        Ensemble.from_labels(made.labels[:29], graph=made.graph)


def test_the_canonical_form_has_the_same_graph_whatever_the_order_of_objects():
    made = ensemble_with_graph()
    assert len(made.microclusters) < made.n_objects  # some are told apart by the graph alone
    order = np.random.default_rng(5).permutation(30)
    shuffled = Ensemble.from_labels(made.labels[order], graph=made.graph.of_nodes(order))
    assert shuffled.canonical.graph.fingerprint == made.canonical.graph.fingerprint
    assert (order[shuffled.canonical.objects] == made.canonical.objects).all()


def test_what_is_no_node_is_refused_in_words(monkeypatch):
    graph = Graph.of_edges([0, 1], [1, 2])
    for asked in ([7], [True, False], [0.5]):
        with pytest.raises(InvalidParameterError, match="nodes"):
            graph.of_nodes(asked)
    assert graph.of_nodes([]).n_nodes == 0
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "1G")
    with pytest.raises(TooLargeError, match="a graph of 2,147,483,647 nodes"):
        Graph.of_edges([2**31 - 2], [0])


def test_any_seed_and_any_weights_lay_a_graph_out():
    heavy = Graph.of_edges([0, 1, 2], [1, 2, 0], [1e308, 1e308, 1e300])
    assert np.isfinite(graph_layout(heavy, seed=2**62)).all()
