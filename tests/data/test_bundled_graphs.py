"""The bundled graphs: the same at every load, of the mixing they say, their communities there to be found."""

import hashlib

import numpy as np
import pytest

import data
from data.bundled import GRAPH_TITLES, MIXINGS, communities
from engine import Graph, run_consensus
from engine.generators import leiden_ensemble
from engine.metrics import ari

#: Hash of the edges, as first made with numpy 2.4: whoever changes a graph changes every number told of it.
EDGES = {"communities": "179999df", "communities_hard": "47e445d7", "communities_hardest": "312f04a8"}


@pytest.mark.parametrize("name", data.graph_catalog())
def test_every_load_gives_the_same_graph_of_the_mixing_it_says(name):
    graph = data.load_graph(name)
    assert data.load_graph(name).fingerprint == graph.fingerprint
    assert hashlib.blake2b(np.stack([graph.sources, graph.targets]).tobytes(), digest_size=4).hexdigest() == EDGES[name]
    outside = graph.labels[graph.sources] != graph.labels[graph.targets]
    assert outside.mean() == pytest.approx(MIXINGS[name], abs=0.05)
    sizes = np.bincount(graph.labels)
    assert 8 < len(sizes) < 20
    assert sizes.min() >= 10
    assert sizes.max() <= 100
    kept = Graph.of_edges(graph.sources, graph.targets, graph.weights, graph.n_objects)
    assert kept.n_edges == len(graph.sources)
    assert kept.n_components == 1
    assert kept.degrees.max() > 5 * np.median(kept.degrees) / 2
    assert GRAPH_TITLES[name]


def test_communities_are_found_where_they_are_clear_and_a_consensus_beats_single_runs_where_they_are_not():
    scores = {}
    for name in ("communities", "communities_hardest"):
        graph = data.load_graph(name)
        made = leiden_ensemble(Graph.of_edges(graph.sources, graph.targets), 12, (1, 1), seed=1)
        single = np.mean([ari(one, graph.labels) for one in made.labels.T])
        scores[name] = single, ari(run_consensus("ecg", made, None).labels, graph.labels)
    assert min(scores["communities"]) > 0.9
    assert scores["communities_hardest"][1] > scores["communities_hardest"][0]


@pytest.mark.parametrize(("n", "mixing"), [(100, 0.0), (1000, 0.8)])
def test_any_size_and_mixing_can_be_made(n, mixing):
    graph = communities("own", n, mixing, seed=3)
    assert len(graph.labels) == n
    outside = graph.labels[graph.sources] != graph.labels[graph.targets]
    assert outside.mean() == pytest.approx(mixing, abs=0.08)


def test_an_unknown_graph_is_refused():
    with pytest.raises(data.DataError, match="There is no graph 'karate'. There are communities,"):
        data.load_graph("karate")
