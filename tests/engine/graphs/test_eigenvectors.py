"""Leading eigenvectors, by either solver."""

import numpy as np
import pytest
from scipy import linalg, sparse

from engine import Ensemble
from engine.graphs import eigenvectors, library_calls
from engine.graphs.bipartite_graphs import BipartiteGraph
from engine.runtime.monitor import SILENT
from tests.crossed import designs


@pytest.mark.parametrize("limit", [0, 10_000])
def test_they_are_those_of_the_largest_eigenvalues(limit, monkeypatch):
    monkeypatch.setattr(eigenvectors, "_DENSE_SOLVER_LIMIT", limit)
    rng = np.random.default_rng(1)
    half = rng.normal(size=(120, 120))
    symmetric = half + half.T
    values, vectors = np.linalg.eigh(symmetric)
    found = eigenvectors.top_eigenvectors(symmetric.copy(), 4)
    assert np.abs(vectors[:, ::-1][:, :4].T @ found) == pytest.approx(np.eye(4), abs=1e-8)
    assert eigenvectors.top_eigenvalues(symmetric, 4) == pytest.approx(values[::-1][:4])


def test_a_product_reads_one_triangle_and_needs_no_contiguous_vector():
    rng = np.random.default_rng(2)
    symmetric = rng.normal(size=(30, 30))
    symmetric += symmetric.T
    vectors = rng.normal(size=(30, 2))
    assert eigenvectors._product(symmetric, vectors[:, 1]) == pytest.approx(symmetric @ vectors[:, 1])


def between_clusters(labels):
    """What a transfer cut decomposes: D^-1/2 Z' Z D^-1/2 over all clusters, dense."""
    ensemble = Ensemble.from_labels(labels).canonical
    graph = BipartiteGraph.of(ensemble, np.ones(ensemble.n_clusters_total))
    between = graph.between_clusters(ensemble.microclusters.sizes.astype(float), SILENT)
    root = 1 / np.sqrt(between.sum(axis=1))
    return between * root * root[:, None]


@pytest.mark.long
@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
def test_equal_eigenvalues_are_found_with_their_vectors(k):
    """Crossed labels, where dsyevr finds fewer vectors than it was asked for."""
    for name, labels in designs():
        graph = between_clusters(labels)
        if k > len(graph):
            continue
        found = eigenvectors.top_eigenvectors(graph.copy(), k)
        assert found.T @ found == pytest.approx(np.eye(k), abs=1e-9), name
        values = np.linalg.eigvalsh(graph)[::-1][:k]
        assert np.einsum("ij,ij->j", found, graph @ found) == pytest.approx(values, abs=1e-9), name
        assert found.tobytes() == eigenvectors.top_eigenvectors(graph.copy(), k).tobytes(), name


def test_what_is_taken_of_equal_eigenvalues_hangs_on_their_space_alone():
    """Another basis of the same space, as another machine's solver finds, and a matrix that differs by rounding."""
    rng = np.random.default_rng(3)
    graph = between_clusters(designs(["grid 10 x 10"])[0][1])
    found = eigenvectors.top_eigenvectors(graph.copy(), 4)
    noise = rng.normal(size=graph.shape) * 1e-15
    assert eigenvectors.top_eigenvectors(graph + noise + noise.T, 4) == pytest.approx(found, abs=1e-6)
    space = np.linalg.qr(rng.normal(size=(9, 5)))[0]
    turned = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    assert eigenvectors._fixed_basis(space @ turned, 2) == pytest.approx(eigenvectors._fixed_basis(space, 2))


def test_iterations_do_not_choose_among_equal_eigenvalues(monkeypatch):
    """Where they end at one of several equal values, the fixed directions are taken, as by the full solver."""
    objects = np.arange(900)
    graph = between_clusters(np.column_stack([objects // 30, objects % 30]))
    expected = eigenvectors.top_eigenvectors(graph.copy(), 3)
    monkeypatch.setattr(eigenvectors, "_DENSE_SOLVER_LIMIT", 0)
    assert eigenvectors.top_eigenvectors(graph.copy(), 3) == pytest.approx(expected, abs=1e-6)
    monkeypatch.setattr(eigenvectors, "_FIXED_LIMIT", 0)  # without that look, they end with another basis
    assert eigenvectors.top_eigenvectors(graph.copy(), 3) != pytest.approx(expected, abs=1e-6)


def test_a_graph_whose_iteration_gives_up_is_solved_in_full(monkeypatch):
    asked = []

    def no_convergence(*args, **options):
        asked.append(args)
        raise sparse.linalg.ArpackNoConvergence("No convergence", np.empty(0), np.empty(0))

    monkeypatch.setattr(eigenvectors, "_DENSE_SOLVER_LIMIT", 0)
    monkeypatch.setattr(sparse.linalg, "eigsh", no_convergence)
    half = np.random.default_rng(4).normal(size=(90, 90))
    graph = half + half.T
    values, vectors = np.linalg.eigh(graph)
    assert eigenvectors.top_eigenvalues(graph, 3) == pytest.approx(values[::-1][:3])
    found = eigenvectors.top_eigenvectors(graph.copy(), 3)
    assert np.abs(vectors[:, ::-1][:, :3].T @ found) == pytest.approx(np.eye(3), abs=1e-8)
    assert len(asked) == 2


def test_singular_vectors_are_found_where_divide_and_conquer_gives_up(monkeypatch):
    matrix = np.random.default_rng(3).normal(size=(12, 12))
    left, values, right = np.linalg.svd(matrix)
    asked, plain = [], linalg.svd
    monkeypatch.setattr(np.linalg, "svd", _gives_up)
    monkeypatch.setattr(linalg, "svd", lambda *given, **how: asked.append(how) or plain(*given, **how))
    found = library_calls.singular_vectors(matrix)
    assert asked == [{"lapack_driver": "gesvd"}]  # the other driver gives up on the same matrices
    assert found[1] == pytest.approx(values)
    assert (found[0] * found[1]) @ found[2] == pytest.approx(matrix)
    assert np.abs(np.sum(found[0] * left, axis=0)) == pytest.approx(np.ones(12))


def _gives_up(matrix):
    raise np.linalg.LinAlgError("SVD did not converge")
