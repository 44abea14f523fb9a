"""Leading eigenvectors, by either solver."""

import numpy as np
import pytest

from engine.graphs import eigenvectors


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
