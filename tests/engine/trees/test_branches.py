"""Branches of trees against plain recursion."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from engine.partition import Dendrogram, branch, cut, first_leaves, leaves_below, roots_above, totals_below
from engine.runtime.errors import InvalidParameterError
from tests.app.figures.trees import hierarchy, leaves_under


@pytest.fixture
def tree():
    rng = np.random.default_rng(5)
    merges, similarities = hierarchy(rng, 30)
    return Dendrogram(merges.astype(np.int32), similarities, rng.integers(1, 9, 30))


def test_a_branch_is_what_hangs_below_its_node(tree):
    for node in range(59):
        found, leaves = branch(tree, node), sorted(leaves_under(tree.merges, node))
        assert_array_equal(found.nodes[: len(leaves)], leaves)
        assert_array_equal(leaves_below(tree, node), leaves)
        assert_array_equal(found.tree.sizes, tree.sizes[leaves])
        for t, own in enumerate(found.nodes[len(leaves) :]):
            below = leaves_under(found.tree.merges, len(leaves) + t)
            assert {int(found.nodes[leaf]) for leaf in below} == leaves_under(tree.merges, int(own))
            assert found.tree.similarities[t] == tree.similarities[own - 30]


def test_the_whole_tree_is_the_branch_of_its_root(tree):
    found = branch(tree, 58)
    assert_array_equal(found.tree.merges, tree.merges)
    assert_array_equal(found.nodes, np.arange(59))


def test_totals_and_first_leaves(tree):
    totals, first = totals_below(tree.merges, tree.sizes), first_leaves(tree.merges)
    for node in range(59):
        leaves = leaves_under(tree.merges, node)
        assert totals[node] == tree.sizes[list(leaves)].sum()
        assert int(first[node]) in leaves


def test_roots_of_a_cut_are_its_clusters(tree):
    for k in (2, 7, 30):
        roots = [node for pair in tree.merges[30 - k :] for node in pair if node < 60 - k]
        found, expected = roots_above(tree.merges, roots), cut(tree, k)
        assert len({*zip(found.tolist(), expected.tolist(), strict=True)}) == k
        for place, root in enumerate(roots):
            assert_array_equal(np.flatnonzero(found == place), sorted(leaves_under(tree.merges, int(root))))


def test_a_leaf_below_no_root_is_said(tree):
    assert_array_equal(np.flatnonzero(roots_above(tree.merges, [4]) == 0), [4])
    assert (roots_above(tree.merges, [4]) >= -1).all()


@pytest.mark.parametrize("node", [-1, 59])
def test_a_node_that_is_not_there_is_refused(tree, node):
    for ask in (branch, leaves_below):
        with pytest.raises(InvalidParameterError, match=r"node must be an integer in \[0, 58\]"):
            ask(tree, node)
