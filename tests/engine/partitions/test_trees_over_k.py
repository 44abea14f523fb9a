"""Nodes, flows and order of a tree over k, against counting by hand."""

from itertools import permutations, product

import numpy as np
import pytest

from engine import InvalidParameterError
from engine.partitions import partition_tree
from tests import naive_selection as naive


def random_rows(seed, ks=(2, 3, 4), n=40):
    rng = np.random.default_rng(seed)
    return {k: np.concatenate([np.arange(k), rng.integers(0, k, n - k)]) for k in ks}


def as_lists(tree):
    rows = range(len(tree.order) - 1)
    return [[(f.source, f.target, f.objects) for f in tree.flows if f.row == row] for row in rows]


@pytest.mark.parametrize("seed", range(3))
def test_nodes_and_flows_count_every_object(seed):
    rows = random_rows(seed)
    worth = {k: np.random.default_rng(seed).random(40) for k in rows}
    tree = partition_tree(rows, worth)
    for node in tree.nodes:
        k = tree.keys[node.row]
        assert node.size == sum(label == node.cluster for label in rows[k])
        assert node.stability == pytest.approx(np.mean(worth[k][rows[k] == node.cluster]))
    for row, (one, other) in enumerate(zip(rows.values(), list(rows.values())[1:], strict=False)):
        table = {(f.source, f.target): f.objects for f in tree.flows if f.row == row}
        assert table == {
            pair: n
            for pair in product(range(4), repeat=2)
            if (n := sum((a, b) == pair for a, b in zip(one, other, strict=True)))
        }
        assert sum(table.values()) == 40


@pytest.mark.parametrize("seed", range(8))
def test_crossings_are_counted_and_near_the_fewest(seed):
    tree = partition_tree(random_rows(seed, ks=(2, 3, 4), n=25))
    flows = as_lists(tree)
    assert tree.crossings == naive.crossings(flows, tree.order)
    every = product(*(permutations(sorted(row)) for row in tree.order))
    fewest = min(naive.crossings(flows, order) for order in every)
    unsorted = naive.crossings(flows, [sorted(row) for row in tree.order])
    assert fewest <= tree.crossings <= min(unsorted, 1.25 * fewest)


@pytest.mark.parametrize("seed", range(5))
def test_a_hierarchy_is_drawn_without_crossings(seed):
    rng = np.random.default_rng(seed)
    fine = np.concatenate([np.arange(9), rng.integers(0, 9, 51)])
    parents, rows = np.arange(9), {9: fine}
    for k in range(8, 1, -1):
        one, other = rng.choice(np.unique(parents), 2, replace=False)
        parents = np.where(parents == one, other, parents)
        rows[k] = np.unique(parents, return_inverse=True)[1][fine]
    tree = partition_tree(dict(sorted(rows.items())))
    assert naive.crossings(as_lists(tree), tree.order) == tree.crossings == 0


def test_objects_without_a_label_take_part_in_no_flow():
    tree = partition_tree({2: np.array([0, 0, 1, -1]), 3: np.array([0, 1, -1, 2])})
    assert as_lists(tree) == [[(0, 0, 1), (0, 1, 1)]]
    assert [(node.row, node.cluster, node.size) for node in tree.nodes] == [
        (0, 0, 2),
        (0, 1, 1),
        (1, 0, 1),
        (1, 1, 1),
        (1, 2, 1),
    ]
    assert np.isnan([node.stability for node in tree.nodes]).all()


def test_what_a_mask_hides_is_in_no_cluster():
    hidden = partition_tree({2: np.ma.array([0, 0, 1], mask=[0, 1, 0]), 3: [0, 2, 1]})
    assert as_lists(hidden) == as_lists(partition_tree({2: [0, -1, 1], 3: [0, 2, 1]})) == [[(0, 0, 1), (1, 1, 1)]]


def test_labels_are_names_whose_values_cost_nothing():
    tree = partition_tree({2: [0, 2_000_000_000], 3: [5, 9]}, {2: [0.5, 1], 3: [1, 1]})
    assert as_lists(tree) == [[(0, 5, 1), (2_000_000_000, 9, 1)]]
    assert tree.order == ((0, 2_000_000_000), (5, 9))
    assert [(one.cluster, one.stability) for one in tree.nodes[:2]] == [(0, 0.5), (2_000_000_000, 1)]
    assert tree.crossings == 0


def test_one_row_has_no_flows_and_none_is_refused():
    tree = partition_tree({2: np.array([1, 0, 1])})
    assert (tree.flows, tree.order, tree.crossings) == ((), ((0, 1),), 0)
    for wrong in ({}, {2: [0, 1], 3: [0, 1, 2]}):
        with pytest.raises(InvalidParameterError, match="partitions of the same objects"):
            partition_tree(wrong)
    with pytest.raises(InvalidParameterError, match="integer labels"):
        partition_tree({2: [0.5, 1.0]})
    with pytest.raises(InvalidParameterError, match="put some object into a cluster"):
        partition_tree({2: [0, 1], 3: [-1, -1]})
    for values in ({}, {2: [0.5], 3: [0.5, 1.0]}, {2: [0.5, 1.0]}, {2: 0.5, 3: 0.5}):
        with pytest.raises(InvalidParameterError, match="values must be one an object, for every partition"):
            partition_tree({2: [0, 1], 3: [1, 0]}, values)
