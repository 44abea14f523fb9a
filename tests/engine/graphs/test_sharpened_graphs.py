"""Spectral clustering of a sharpened graph: beside the formulas on objects."""

import numpy as np
import pytest

from engine.graphs import spectral_cuts
from engine.partition import sharpened_graph, spectral_partition
from tests import naive_medians
from tests.monitors import Heard


@pytest.fixture
def factor():
    """A square matrix of rank 6 over 15 rows."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(15, 6)) @ rng.normal(size=(6, 15))


def test_the_graph_is_that_of_the_formula(factor):
    u, s, _ = np.linalg.svd(factor)
    found = sharpened_graph(u[:, :8], s[:8])
    np.testing.assert_allclose(found, naive_medians.sharpened(factor), atol=1e-12)


def test_rows_that_stand_for_many_have_the_spectrum_of_many(factor):
    sizes, kept = np.random.default_rng(1).integers(1, 5, 15), Heard()
    graph = naive_medians.sharpened(factor)
    objects = np.repeat(np.arange(15), sizes)
    projector = naive_medians.top_spectrum(graph[np.ix_(objects, objects)], 4)
    labels = spectral_partition(graph.copy(), sizes, 4, np.random.default_rng(0), 10, kept)
    assert set(labels.tolist()) == {0, 1, 2, 3}
    rows, root = kept.trace["embedding"], np.sqrt(np.diag(projector))
    cosines = (projector / root / root[:, None])[np.ix_(*[np.cumsum(sizes) - 1] * 2)]
    np.testing.assert_allclose(rows @ rows.T, cosines, atol=1e-9)


def test_as_many_clusters_as_rows_are_the_rows():
    found = spectral_partition(np.ones((5, 5)), np.ones(5), 5, np.random.default_rng(0), 3)
    assert found.tolist() == [0, 1, 2, 3, 4]


def test_many_rows_are_sharpened_a_few_at_a_time(monkeypatch):
    vectors, values = np.linalg.qr(np.random.default_rng(0).normal(size=(700, 40)))[0], np.linspace(3, 1, 40)
    whole = sharpened_graph(vectors, values)
    monkeypatch.setattr(spectral_cuts, "_FEW", 0)
    heard = Heard()
    found = sharpened_graph(vectors, values, heard)
    assert len(heard.ticks) > 3
    np.testing.assert_allclose(found, whole, rtol=1e-12, atol=1e-15)
    assert (found == found.T).all()
