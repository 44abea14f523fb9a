"""Graphs cut by METIS: exactly k parts, balanced, and a cancel is heard."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pymetis
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import data
from engine import (
    Cancelled,
    InvalidParameterError,
    partition,
)
from engine import run_consensus as run
from engine.generators import kmeans_ensemble
from engine.graphs import metis_calls, metis_cuts
from engine.monitor import SILENT
from tests.engine.graphs.random_graphs import cliques, random_graph
from tests.monitors import stopping_at_tick
from tests.strategies import same_partition


@settings(max_examples=60)
@given(st.integers(2, 40), st.sampled_from([0, 0.03, 0.3, 1]), st.integers(0, 10_000), st.data())
def test_any_graph_is_cut_into_exactly_k_parts(n, share, seed, choice):
    graph, k = random_graph(n, share, seed), choice.draw(st.integers(1, n))
    weights = np.random.default_rng(seed).integers(0, choice.draw(st.sampled_from([1, 2, 500])), n)
    rows = sparse.csr_array(np.random.default_rng(seed).random((n, 6)) * (graph.toarray()[:, :1] > 0))
    for labels, _ in (
        partition.metis_partition(graph, weights, k, np.random.default_rng(seed)),
        partition.metis_bipartite(rows, weights, k, np.random.default_rng(seed)),
    ):
        assert labels.dtype == np.int32
        assert sorted(set(labels.tolist())) == list(range(k))


def test_cliques_are_found_joined_or_not():
    for bridge in (True, False):
        graph, owner = cliques(20, 20, 20, 20, bridge=bridge)
        labels, repaired = partition.metis_partition(graph, np.ones(80, int), 4, np.random.default_rng(0))
        assert same_partition(labels, owner)
        assert repaired == 0


def test_parts_are_balanced_by_vertex_weight():
    graph, _ = cliques(30, 10)
    light, _ = partition.metis_partition(graph, np.ones(40, int), 2, np.random.default_rng(0))
    heavy, _ = partition.metis_partition(graph, np.repeat([1, 3], [30, 10]), 2, np.random.default_rng(0))
    assert np.bincount(light).tolist() == [20, 20]
    assert sorted(np.bincount(heavy).tolist()) == [10, 30]


def test_loops_and_weights_of_zero_are_no_edges():
    graph, weights = random_graph(50, 0.2, 3), np.ones(50, int)
    row, column = graph.tocoo().coords
    entries = np.r_[graph.data, [7, 7, 0, 0]], (np.r_[row, [4, 9, 0, 1]], np.r_[column, [4, 9, 1, 0]])
    dressed = sparse.csr_array(entries, shape=(50, 50))
    assert dressed.nnz > graph.nnz
    plain = partition.metis_partition(graph, weights, 5, np.random.default_rng(1))[0]
    assert (partition.metis_partition(dressed, weights, 5, np.random.default_rng(1))[0] == plain).all()
    assert (metis_cuts._plain(dressed).toarray() == graph.toarray()).all()


def test_a_graph_without_edges_is_cut_into_equal_runs():
    labels, _ = partition.metis_partition(sparse.csr_array((6, 6)), np.ones(6, int), 3, np.random.default_rng(0))
    assert labels.tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("k", [0, 11])
def test_more_parts_than_vertices_are_refused(k):
    with pytest.raises(InvalidParameterError, match=r"1\.\.10"):
        partition.metis_partition(random_graph(10, 1, 0), np.ones(10), k, np.random.default_rng(0))
    with pytest.raises(InvalidParameterError, match=r"1\.\.10"):
        partition.metis_bipartite(sparse.csr_array(np.ones((10, 2))), np.ones(10), k, np.random.default_rng(0))


def test_an_empty_part_takes_the_half_least_tied(monkeypatch):
    graph, _ = cliques(3, 3)
    graph = graph.tolil()
    graph[0, 3] = graph[3, 0] = 2
    monkeypatch.setattr(metis_cuts, "cut", lambda given, *_: np.zeros(len(given.sizes), np.int32))
    labels, repaired = partition.metis_partition(
        sparse.csr_array(graph.tocsr()), np.ones(6), 2, np.random.default_rng(0)
    )
    assert labels.tolist() == [0, 1, 0, 0, 1, 1]  # ties 12, 10, 11 and 13, 10, 10
    assert repaired == 1
    rows = sparse.csr_array([[3, 0], [3, 0], [1, 1], [0, 1]])
    labels, repaired = partition.metis_bipartite(rows, np.ones(4), 2, np.random.default_rng(0))
    assert labels.tolist() == [0, 0, 1, 1]  # shared weight 12, 12, 7, 1
    assert repaired == 1


def test_where_k_way_leaves_parts_empty_other_schemes_are_asked(to_metis):
    features = data.load("wine").features
    ensemble = kmeans_ensemble((features - features.mean(axis=0)) / features.std(axis=0), 20, seed=0)
    result = run("hbgf", ensemble, 40, {"partitioner": "metis"})
    assert result.n_clusters == 40
    assert to_metis["settings"] == [(False, True), (False, False), (True, True)]  # recursive, two_hop
    assert result.trace["repaired"] == 0


def test_the_attempt_with_fewest_empty_parts_stays(monkeypatch):
    answers = iter([[0, 0, 0, 0, 0], [0, 1, 2, 0, 0], [1, 1, 1, 2, 2]])
    monkeypatch.setattr(metis_cuts, "cut", lambda *_: np.array(next(answers), np.int32))
    labels, repaired = partition.metis_partition(random_graph(5, 1, 0), np.ones(5), 4, np.random.default_rng(0))
    assert labels[1:3].tolist() == [1, 2]
    assert sorted(set(labels.tolist())) == [0, 1, 2, 3]
    assert repaired == 1


def test_weights_become_whole_numbers_that_fit():
    assert metis_cuts.integer_weights(np.array([0.5, 0.25, 1e-9])).tolist() == [10_000, 5_000, 1]
    assert metis_cuts.integer_weights(np.array([2, 30])).tolist() == [2, 30]
    assert metis_cuts.integer_weights(np.array([1e308, 5e307, 1e308])).tolist() == [10_000, 5_000, 10_000]
    assert metis_cuts.integer_weights(np.array([10, 1000, 2990]), largest_sum=400).tolist() == [1, 100, 299]
    assert metis_cuts.integer_weights(np.array([0.1, 10, 29.9]), largest_sum=400).tolist() == [1, 100, 299]


@pytest.mark.parametrize("recursive", [False, True])
@pytest.mark.parametrize("two_hop", [False, True])
def test_metis_is_asked_as_it_would_be_here(recursive, two_hop):
    rng = np.random.default_rng(0)
    rows = sparse.csr_array(rng.integers(1, 99, (300, 24)) * (rng.random((300, 24)) < 0.2))
    graph = sparse.csr_array(sparse.block_array([[None, rows], [rows.T, None]]))
    index = pymetis.zero_copy_dtype()
    arrays = [part.astype(index) for part in (graph.indptr, graph.indices, graph.data)]
    given = metis_cuts.MetisGraph(*arrays, rng.integers(1, 4, 324).astype(index))
    theirs = pymetis.part_graph(
        5,
        pymetis.CSRAdjacency(given.start, given.neighbors),
        vweights=given.sizes,
        eweights=given.weights,
        recursive=recursive,
        options=pymetis.Options(seed=8, ncuts=5, no2hop=int(not two_hop)),
    ).vertex_part
    assert metis_cuts.cut(given, 5, 8, recursive, two_hop, SILENT).tolist() == list(theirs)
    assert metis_cuts.cut(given, 5, 9, recursive, two_hop, SILENT).tolist() != list(theirs)


TALKS = """
import numpy as np
from engine import Ensemble, partition, run_consensus
from tests.engine.graphs.random_graphs import random_graph
print("before", flush=True)
for seed in range(4):
    partition.metis_partition(random_graph(40, 0.3, seed), np.ones(40, int), 38, np.random.default_rng(seed))
labels = np.random.default_rng(4).integers(4, size=(40, 4))
run_consensus("hbgf", Ensemble.from_labels(labels), 36, {"partitioner": "metis"}, 4)
print("after")
"""


@pytest.mark.long
def test_metis_writes_nothing_into_the_answer():
    done = subprocess.run(
        [sys.executable, "-c", TALKS], cwd=Path(__file__).parents[3], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "before\nafter\n"), done.stdout + done.stderr


@pytest.mark.long
def test_calls_at_once_do_not_disturb_each_other():
    graph, weights = random_graph(300, 0.2, 6), np.ones(300, int)

    def cut(seed):
        return partition.metis_partition(graph, weights, 9, np.random.default_rng(seed))[0].tolist()

    alone = [cut(seed) for seed in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(cut, range(8))) == alone


def test_a_cancel_is_heard_while_metis_works_and_frees_the_next():
    graph, weights = random_graph(200, 0.3, 4), np.ones(200, int)
    before = partition.metis_partition(graph, weights, 7, np.random.default_rng(1))[0].tolist()
    i, j = np.random.default_rng(0).integers(60_000, size=(2, 600_000))
    large = sparse.csr_array((np.ones(600_000), (i, j)), shape=(60_000, 60_000))
    with pytest.raises(Cancelled):
        partition.metis_partition(
            large + large.T, np.ones(60_000, int), 50, np.random.default_rng(0), stopping_at_tick(7)
        )
    assert partition.metis_partition(graph, weights, 7, np.random.default_rng(1))[0].tolist() == before


def spoiled(**changes):
    """A cycle of four vertices in METIS's arrays, with something wrong."""
    arrays = {"start": [0, 2, 4, 6, 8], "neighbors": [1, 3, 0, 2, 1, 3, 0, 2], "weights": [1] * 8, "sizes": [1] * 4}
    return {name: np.array(value, metis_calls.INDEX) for name, value in (arrays | changes).items()}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"start": [0, 2, 4, 6]}, "as many rows"),
        ({"start": [0, 4, 2, 6, 8]}, "as many rows"),
        ({"start": [1, 2, 4, 6, 8]}, "as many rows"),
        ({"start": [0, 2, 4, 6, 9]}, "as many rows"),
        ({"weights": [1] * 7}, "as many rows"),
        ({"sizes": [1] * 3}, "as many rows"),
        ({"neighbors": [1, 3, 0, 2, 1, 3, 0, 4]}, "must lead to its vertices"),
        ({"neighbors": [1, 3, 0, 2, 1, 3, 0, -1]}, "must lead to its vertices"),
        ({"weights": [1] * 7 + [0]}, "at least 1 on edges"),
        ({"sizes": [1, 1, 1, -1]}, "at least 0 on vertices"),
        ({"sizes": [2**61, 1, 1, 1]}, "must sum to at most"),
        ({"neighbors": [1, 3, 0, 2, 1, 3, 0, 1]}, "must be symmetric"),
        ({"weights": [2] + [1] * 7}, "must be symmetric"),
    ],
)
def test_what_would_end_the_process_is_refused_before_metis_is_called(changes, words):
    assert len(metis_cuts.cut(metis_cuts.MetisGraph(**spoiled()), 2, 0, False, True, SILENT)) == 4
    with pytest.raises(InvalidParameterError, match=words):
        metis_cuts.MetisGraph(**spoiled(**changes))


@pytest.mark.parametrize("change", [lambda array: array.astype(np.int16), lambda array: np.repeat(array, 2)[::2]])
def test_arrays_of_another_form_are_refused_before_metis_is_called(change):
    with pytest.raises(InvalidParameterError, match="contiguous and of type"):
        metis_cuts.MetisGraph(**spoiled() | {"neighbors": change(spoiled()["neighbors"])})


@pytest.mark.parametrize("weight", [np.nan, np.inf, -1.0])
def test_weights_that_are_none_are_refused(weight):
    graph, ones = random_graph(20, 0.5, 0).astype(float), np.ones(20)
    bad = graph.copy()
    bad.data[bad.data == bad.data[3]] = weight
    rows = sparse.csr_array(np.where(np.arange(40).reshape(20, 2) == 7, weight, 1.0))
    for cut in (
        lambda: partition.metis_partition(bad, ones, 3, np.random.default_rng(0)),
        lambda: partition.metis_partition(graph, np.r_[weight, ones[1:]], 3, np.random.default_rng(0)),
        lambda: partition.metis_bipartite(rows, ones, 3, np.random.default_rng(0)),
    ):
        with pytest.raises(InvalidParameterError, match="must be finite and not negative"):
            cut()


def test_vertex_weights_of_another_number_and_one_sided_edges_are_refused():
    graph = random_graph(20, 0.5, 0)
    with pytest.raises(InvalidParameterError, match="one for each of 20 vertices. Got 19"):
        partition.metis_partition(graph, np.ones(19), 3, np.random.default_rng(0))
    with pytest.raises(InvalidParameterError, match="must be symmetric"):
        partition.metis_partition(sparse.csr_array(sparse.triu(graph)), np.ones(20), 3, np.random.default_rng(0))
