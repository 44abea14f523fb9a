"""Places of the nodes of a graph: linked ones close, all others apart, the same for the same seed."""

import tracemalloc

import numpy as np
import pytest

import data
from engine import Cancelled, Graph
from engine.graphs import layouts
from engine.graphs.layouts import graph_layout
from tests.monitors import stopping_at_tick


def graph_of(name):
    known = data.load_graph(name)
    return Graph.of_edges(known.sources, known.targets, known.weights, known.n_objects), known.labels


def test_communities_stand_apart():
    graph, labels = graph_of("communities")
    places = graph_layout(graph)
    centres = np.array([places[labels == one].mean(axis=0) for one in range(labels.max() + 1)])
    nearest = np.linalg.norm(places[:, None] - centres, axis=2).argmin(axis=1)
    assert (nearest == labels).mean() > 0.9


def test_a_seed_is_a_drawing():
    graph, _ = graph_of("communities_hard")
    assert np.array_equal(graph_layout(graph, 3), graph_layout(graph, 3))
    assert not np.array_equal(graph_layout(graph, 3), graph_layout(graph, 4))


def test_heavier_edges_are_shorter():
    ring = np.arange(60)
    graph = Graph.of_edges(ring, np.roll(ring, -1), np.where(ring % 2, 1.0, 0.05))
    places = graph_layout(graph)
    lengths = np.linalg.norm(places[graph.sources] - places[graph.targets], axis=1)
    assert np.median(lengths[graph.weights == 1]) < np.median(lengths[graph.weights < 1])


@pytest.mark.parametrize(
    "graph",
    [
        Graph.of_edges([], [], n_nodes=1),
        Graph.of_edges([], [], n_nodes=30),
        Graph.of_edges([0], [1]),
        Graph.of_edges([0, 1, 3, 4], [1, 2, 4, 5], n_nodes=9),
        Graph.of_edges(np.zeros(50, int), np.arange(1, 51), np.geomspace(1e-9, 1e9, 50)),
    ],
    ids=["one node", "no edges", "one edge", "two parts and isolated nodes", "a star of unequal weights"],
)
def test_odd_graphs_have_places_of_their_own(graph):
    places = graph_layout(graph)
    assert places.shape == (graph.n_nodes, 2)
    assert np.isfinite(places).all()
    assert len(np.unique(places, axis=0)) == graph.n_nodes


def test_memory_is_asked_for_and_no_more_is_taken(monkeypatch):
    asked = []
    monkeypatch.setattr(layouts, "require_memory", lambda what, needed: asked.append(needed))
    monkeypatch.setattr(layouts, "_LEAST_ROUNDS", 1)
    monkeypatch.setattr(layouts, "_STEPS", 1)
    rng = np.random.default_rng(0)
    graph_layout(Graph.of_edges([0], [1]))  # compiled, and imported, before
    graph = Graph.of_edges(rng.integers(0, 20_000, 80_000), rng.integers(0, 20_000, 80_000), n_nodes=20_100)
    tracemalloc.start()
    graph_layout(graph)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert asked[-1] / 4 < peak < asked[-1]


def test_a_cancel_is_heard_between_rounds():
    with pytest.raises(Cancelled):
        graph_layout(graph_of("communities")[0], monitor=stopping_at_tick(5))
