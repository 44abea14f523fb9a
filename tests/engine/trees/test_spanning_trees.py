"""Single link without a matrix, beside the chain in one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Cancelled, Ensemble, evidence, partition
from engine.monitor import SILENT
from engine.trees import agglomeration
from engine.trees.neighbor_chains import sorted_tree
from tests.engine.trees.test_profile_merging import WEIGHTS, noisy, weights_of
from tests.monitors import stopping_at_done
from tests.strategies import label_matrices, same_partition


def both(ensemble, weights):
    """The tree from links, and the one in a matrix."""
    merges, heights = agglomeration.spanning_merges(ensemble.clusters, weights, SILENT)
    sizes = ensemble.microclusters.sizes
    matrix = evidence.weighted_co_association(ensemble, weights, dtype=np.float64)
    return sorted_tree(merges, heights, sizes), partition.linkage(matrix, sizes, "single")


def assert_same_where_nothing_ties(found, dense):
    np.testing.assert_allclose(found.similarities, dense.similarities, atol=1e-9)
    for k in range(2, found.n_leaves):
        if dense.similarities[found.n_leaves - k - 1] - dense.similarities[found.n_leaves - k] > 1e-9:
            assert same_partition(partition.cut(found, k), partition.cut(dense, k))


@settings(max_examples=80, deadline=None)
@given(label_matrices(max_objects=16, max_clusterings=5), st.sampled_from(WEIGHTS))
def test_single_link_from_links_is_that_of_the_matrix(labels, kind):
    ensemble = Ensemble.from_labels(labels).canonical
    found, dense = both(ensemble, weights_of(ensemble, kind))
    assert sorted(found.merges.ravel().tolist()) == list(range(2 * found.n_leaves - 2))
    assert_same_where_nothing_ties(found, dense)


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("seed", range(4))
def test_so_it_is_with_many_blocks_of_links(seed, kind, monkeypatch):
    monkeypatch.setattr(agglomeration, "_LINKS", 7)
    ensemble = noisy(seed, m=9)
    assert_same_where_nothing_ties(*both(ensemble, weights_of(ensemble, kind)))


def test_clusters_that_weigh_nothing_link_nobody():
    ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 2], [1, 3]])
    weights = np.r_[1.0, 0.0, np.zeros(4)]
    found, _ = both(ensemble, weights)
    assert found.similarities.tolist() == [0.5, 0, 0]


def test_cancel_is_heard_between_links(monkeypatch):
    monkeypatch.setattr(agglomeration, "_LINKS", 10)

    with pytest.raises(Cancelled):
        agglomeration.spanning_merges(noisy(1).clusters, weights_of(noisy(1), "even"), stopping_at_done(20))
