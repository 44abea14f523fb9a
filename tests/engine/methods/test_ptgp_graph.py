"""Similarity of trajectories to clusters."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Ensemble, evidence
from engine.graphs.bipartite_graphs import DenseGraph
from engine.methods import ptgp
from engine.runtime.monitor import SILENT
from engine.walks.transitions import transition_matrix
from engine.walks.walk_panels import Walk
from tests import naive
from tests.engine.walks.walked_graphs import (
    CLUSTER_FORMS,
)
from tests.strategies import label_matrices, random_labels


@pytest.mark.parametrize("form", CLUSTER_FORMS)
@settings(max_examples=40)
@given(labels=label_matrices(), K=st.integers(1, 6), T=st.integers(1, 8))
def test_similarity_to_clusters_equals_the_paper(form, labels, K, T):
    ensemble = Ensemble.from_labels(labels)
    sizes, graph = ensemble.microclusters.sizes, evidence.microcluster_elite_graph(ensemble, K)
    ours = evidence.cluster_trajectory_similarity(ensemble, graph, T, dtype=np.float64, form=form)
    similarity = naive.trajectory_similarity(naive.transition_matrix(graph.toarray(), sizes), T)
    groups = [np.flatnonzero(ensemble.microclusters.assignment == y) for y in range(len(sizes))]
    np.testing.assert_allclose(ours, naive.cluster_trajectory_similarity(labels, similarity, groups), atol=1e-10)


def test_similarity_to_more_clusters_than_a_panel_holds():
    ensemble = Ensemble.from_labels(random_labels(260, 16, 9, seed=3, noise=0.3))
    assert ensemble.n_clusters_total > 128
    graph = evidence.microcluster_elite_graph(ensemble, 5)
    columns, horner, spectral = (
        evidence.cluster_trajectory_similarity(ensemble, graph, 12, dtype=np.float64, form=form)
        for form in CLUSTER_FORMS
    )
    np.testing.assert_allclose(columns, horner, atol=1e-12)
    np.testing.assert_allclose(columns, spectral, atol=1e-10)
    single = evidence.cluster_trajectory_similarity(ensemble, graph, 12, form="columns")
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, columns, atol=2e-6)


def test_similarity_to_clusters_by_columns_holds_no_square_matrix(monkeypatch):
    monkeypatch.setenv("CONCORD_THREADS", "1")
    ensemble = Ensemble.from_labels(np.random.default_rng(0).integers(0, 6, (3000, 8)))
    n = len(ensemble.microclusters)
    tracemalloc.start()
    graph = evidence.microcluster_elite_graph(ensemble, 3)
    evidence.cluster_trajectory_similarity(ensemble, graph, 2, form="columns")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < n * n * 4 / 2


def test_cluster_form_avoids_square_matrices_that_are_larger_than_the_answer():
    few = Ensemble.from_labels(random_labels(200, 4, 4, noise=0.5))
    many = Ensemble.from_labels(random_labels(40, 30, 6, noise=0.5))
    forms = [
        evidence.cluster_trajectory_form(ensemble, evidence.microcluster_elite_graph(ensemble, 2), 2)
        for ensemble in (few, many)
    ]
    assert forms == ["columns", "horner"]


@pytest.mark.long
def test_walkers_of_other_components_are_not_alike_and_links_outside_of_blocks_are_none():
    rng = np.random.default_rng(0)
    side = rng.integers(0, 3, 4_000)  # one base clustering in two is fine, and no elite link leaves its side
    labels = np.column_stack([side[:, None] * 5 + rng.integers(0, 5, (4_000, 6)), rng.integers(0, 2, (4_000, 2))])
    ensemble = Ensemble.from_labels(labels)
    graph = evidence.microcluster_elite_graph(ensemble, 5)
    walk = Walk.of(transition_matrix(graph, ensemble.microclusters.sizes), np.float64)
    parts = list(walk.parts())
    assert len(parts) == 3
    assert np.array_equal(np.concatenate([part.order for part in parts]), walk.order)
    links, blocks = ptgp._by_columns(ensemble, graph, 4, SILENT, np.dtype(np.float64))
    np.testing.assert_allclose(
        links, evidence.cluster_trajectory_similarity(ensemble, graph, 4, dtype=np.float64, form="horner"), atol=1e-12
    )
    weights = rng.integers(1, 5, len(links)).astype(float)
    inside = DenseGraph(links, blocks).between_clusters(weights, SILENT)
    np.testing.assert_allclose(inside, DenseGraph(links).between_clusters(weights, SILENT), atol=1e-10)
    np.testing.assert_allclose(inside, links.T @ (links * (weights / links.sum(axis=1))[:, None]), atol=1e-10)
    assert np.array_equal(inside, inside.T)
