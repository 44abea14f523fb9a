"""GoT: refined distance, prototypes and growth, against Algorithms 1 to 3 by loops on objects."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse import csgraph
from scipy.special import ndtri

from engine import Ensemble, InvalidParameterError, MissingEvidenceError, evidence, partition, run_consensus
from engine.growth import distances
from tests import naive
from tests.strategies import label_matrices, random_labels, same_partition

objects = label_matrices(max_objects=16, max_clusterings=7, max_clusters=5)


def on_objects(ensemble, matrix):
    everyone = np.arange(ensemble.n_objects)
    return ensemble.microclusters.expand_matrix(matrix, everyone, everyone)


def grown(ensemble, k, refine=True):
    """`got` with its growth, and the names of its microclusters among the objects."""
    result = run_consensus("got", ensemble, k, {"refine": refine})
    return result, result.trace["growth"], ensemble.microclusters.representatives


@given(objects, st.booleans())
def test_steps_are_those_of_floyd_and_warshall(labels, refine):
    ensemble = Ensemble.from_labels(labels)
    ours = on_objects(ensemble, evidence.distance_steps(ensemble, refine))
    np.testing.assert_array_equal(ours, naive.refined_steps(labels, refine))


@pytest.mark.parametrize("longest", [1, 2, 3, 12, 255, 300])
@pytest.mark.parametrize("share", [0.03, 0.3])
def test_shortest_paths_are_those_of_scipy(longest, share):
    rng = np.random.default_rng(longest)
    steps = np.where(rng.random((90, 90)) < share, rng.integers(1, longest + 1, (90, 90)), longest)
    steps = np.triu(steps, 1) + np.triu(steps, 1).T
    steps = steps.astype(np.min_scalar_type(longest))
    before = steps.copy()
    ours = evidence.shortest_paths(steps, longest)
    np.testing.assert_array_equal(ours, csgraph.shortest_path(steps.astype(float), method="D"))
    np.testing.assert_array_equal(steps, before)
    assert (ours < steps).any() == (longest >= 3)


@pytest.mark.parametrize("m", [12, 300])
def test_no_detour_is_shorter_than_the_direct_distance(m):
    ensemble = Ensemble.from_labels(random_labels(90, m, 5, seed=m, noise=0.5))
    direct = evidence.distance_steps(ensemble, refine=False)
    assert direct.dtype == (np.uint8 if m < 256 else np.uint16)
    np.testing.assert_array_equal(evidence.distance_steps(ensemble), direct)
    np.testing.assert_array_equal(direct, csgraph.shortest_path(direct.astype(float), method="D"))


@pytest.mark.parametrize(
    "distance", [evidence.distance_steps, evidence.refined_distance, evidence.refined_log_distance]
)
def test_no_distance_is_made_up_where_labels_are_missing(distance):
    """Two objects that no base clustering both saw have none, and who agree where both are seen are not one."""
    with pytest.raises(MissingEvidenceError, match="every object.*1 is missing"):
        distance(Ensemble.from_labels([[0, 0], [0, -1], [1, 1]]))


@given(objects)
def test_refined_distance_is_a_metric_below_the_direct_one(labels):
    ensemble = Ensemble.from_labels(labels)
    p = evidence.refined_distance(ensemble)
    assert p.dtype == np.float32
    assert (p == p.T).all()
    assert (np.diagonal(p) == 0).all()
    assert (p[~np.eye(len(p), dtype=bool)] > 0).all()
    assert (p <= 1 - evidence.co_association(ensemble) + 1e-6).all()
    assert (p[:, None, :] <= p[:, :, None] + p[None, :, :] + 1e-6).all()


@given(objects)
def test_density_and_capacity_of_representatives_are_those_of_objects(labels):
    ensemble = Ensemble.from_labels(labels).canonical
    labels, first = ensemble.labels, ensemble.microclusters.representatives
    density = evidence.local_density(ensemble)
    expected = naive.densities(labels)
    np.testing.assert_allclose(density, [float(expected[i]) for i in first], rtol=1e-14)
    capacity = evidence.representative_capacity(evidence.distance_steps(ensemble), density)
    everyone = naive.capacities(naive.refined_steps(labels), expected)
    assert capacity.tolist() == [everyone[i] for i in first]
    assert all(everyone[i] == 0 for i in set(range(len(labels))) - set(first.tolist()))


@given(objects, st.integers(2, 5), st.booleans())
def test_growth_is_that_of_algorithms_1_to_3_on_objects(labels, k, refine):
    ensemble = Ensemble.from_labels(labels).canonical  # of equals the lower index is denser: objects in its order
    labels = ensemble.labels
    k = min(k, len(ensemble.microclusters))
    assume(k >= 2)
    result, growth, first = grown(ensemble, k, refine)
    roots = naive.discover_prototypes(labels, k, refine)
    assert first[result.trace["prototypes"]].tolist() == roots
    tree, joined, link = naive.grow_trees(labels, roots, naive.refined_steps(labels, refine))
    assert growth.tree[ensemble.microclusters.assignment].tolist() == tree
    assert growth.round.tolist() == [joined[i] for i in first]
    assert [-1 if node < 0 else int(first[node]) for node in growth.linked_to] == [link[i] for i in first]
    assert growth.joined.tolist() == np.bincount(joined)[1:].tolist()


@given(objects, st.integers(2, 5))
def test_every_node_is_in_one_tree_and_linked_to_an_earlier_member_of_it(labels, k):
    ensemble = Ensemble.from_labels(labels)
    n = len(ensemble.microclusters)
    assume(n >= 2)
    result, growth, _ = grown(ensemble, min(k, n))
    assert set(growth.tree.tolist()) == set(range(min(k, n)))
    roots = result.trace["prototypes"]
    assert growth.tree[roots].tolist() == list(range(len(roots)))
    assert (growth.linked_to[roots] == -1).all()
    rest = np.setdiff1d(np.arange(n), roots)
    parent = growth.linked_to[rest]
    assert (growth.tree[parent] == growth.tree[rest]).all()
    assert (growth.round[parent] < growth.round[rest]).all()
    assert int(growth.joined.sum()) == ensemble.n_objects - len(roots)
    for t, (values, counts) in enumerate(growth.margins):
        assert counts.sum() == growth.joined[t:].sum()
        assert growth.smallest_margin[t] > growth.threshold[t] or len(values) == 1


@given(st.lists(st.integers(0, 6), min_size=1, max_size=20))
def test_otsu_divides_as_the_loop_does(values):
    distinct, counts = np.unique(values, return_counts=True)
    expected = naive.otsu(values)
    assert partition.otsu_threshold(distinct, counts) == (values[0] if expected is None else expected)


def two_uniform_clusters(seed):
    """Steps, density and cluster under the paper's assumptions, the first cluster denser.

    Neighbours are at distance (nearly) 0, all others at 1, which no co-association matrix can say: see
    `test_no_detour_is_shorter_than_the_direct_distance`. Objects come in random order.
    """
    n, longest = 60, 250
    place = np.random.default_rng(seed).permutation(n)
    cluster = place // (n // 2)
    near = (np.abs(place[:, None] - place) <= 3) & (cluster[:, None] == cluster)
    steps = np.where(near, 1, longest).astype(np.uint8)
    np.fill_diagonal(steps, 0)
    return steps, longest, np.where(cluster == 0, 0.6, 0.4), cluster


def first_two(steps, density):
    return evidence.prototype_ranking(density, evidence.representative_capacity(steps, density))[:2]


@pytest.mark.parametrize("seed", range(5))
def test_discovery_1_without_refinement_both_prototypes_fall_in_the_denser_cluster(seed):
    steps, _, density, cluster = two_uniform_clusters(seed)
    assert cluster[first_two(steps, density)].tolist() == [0, 0]


@pytest.mark.parametrize("seed", range(5))
def test_property_1_with_refinement_the_prototypes_part(seed):
    steps, longest, density, cluster = two_uniform_clusters(seed)
    assert cluster[first_two(evidence.shortest_paths(steps, longest), density)].tolist() == [0, 1]


@pytest.mark.parametrize("seed", range(3))
def test_two_long_clusters_are_found(seed):
    """Each is densest in its middle: where densities tie along a cluster, an order decides which prototypes it has."""
    quantiles = [(np.arange(n) + 0.5) / n for n in (120, 60)]
    place = np.concatenate([start + 12 * ndtri(q) for start, q in zip((30, 1030), quantiles, strict=True)])
    place = np.random.default_rng(seed).permutation(place)
    windows = np.floor((place[:, None] + np.arange(12)) / 12).astype(int)
    ensemble = Ensemble.from_labels(windows, missing=None)
    assert same_partition(run_consensus("got", ensemble, 2).labels, place < 500)


def test_nodes_without_a_tie_join_the_nearest_tree_by_distance():
    a = np.eye(4)
    distance = np.array([[0, 9, 5, 9], [9, 0, 4, 9], [5, 4, 0, 1], [9, 9, 1, 0]])
    growth = partition.grow_trees(a, np.ones(4, int), [0, 1], distance=distance)
    assert growth.tree.tolist() == [0, 1, 1, 0]
    assert growth.linked_to.tolist() == [-1, -1, 1, 0]
    assert partition.grow_trees(a, np.ones(4, int), [1, 0]).tree.tolist() == [1, 0, 0, 0]


def test_nodes_without_a_tie_wait_for_those_who_have_one():
    a = np.eye(4)
    a[[0, 2, 1, 2, 2, 3], [2, 0, 2, 1, 3, 2]] = 0.5  # node 2 is tied to both trees alike, node 3 to node 2 alone
    growth = partition.grow_trees(a, np.ones(4, int), [1, 0])
    assert growth.tree.tolist() == [1, 0, 0, 0]
    assert growth.linked_to.tolist() == [-1, -1, 1, 2]
    assert growth.round.tolist() == [0, 0, 1, 2]


def test_prototypes_picked_by_hand_are_grown_from():
    ensemble = Ensemble.from_labels(random_labels(80, 7, 4, seed=3))
    a = evidence.co_association(ensemble)
    growth = partition.grow_trees(a, ensemble.microclusters.sizes, [5, 2, 9], unit=1 / 7)
    assert growth.tree[[5, 2, 9]].tolist() == [0, 1, 2]


@pytest.mark.parametrize("prototypes", [[], [0, 0], [-1], [3], [[0]]])
def test_prototypes_that_are_no_different_nodes_are_refused(prototypes):
    with pytest.raises(InvalidParameterError, match="prototypes must be different nodes"):
        partition.grow_trees(np.eye(3), np.ones(3, int), prototypes)


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(InvalidParameterError, match="co_association must be square"):
        partition.grow_trees(np.eye(3), np.ones(2, int), [0])
    with pytest.raises(InvalidParameterError, match="steps must be a square matrix"):
        evidence.shortest_paths(np.array([[0, 5], [5, 0]], np.uint8), 4)
    with pytest.raises(InvalidParameterError, match="distance must have shape"):
        evidence.representative_capacity(np.eye(3), np.ones(2))


def test_the_published_variant_says_how_many_objects_it_takes(monkeypatch):
    monkeypatch.setattr(distances, "OBJECT_LIMIT", 50)
    ensemble = Ensemble.from_labels(random_labels(60, 5, 4))
    with pytest.raises(InvalidParameterError, match="at most 50 of them"):
        run_consensus("got", ensemble, 3, {"variant": "published-code"})


def test_the_published_variant_returns_the_microclusters_for_k_equal_to_n():
    ensemble = Ensemble.from_labels(random_labels(60, 5, 4))
    micro = ensemble.microclusters
    result = run_consensus("got", ensemble, len(micro), {"variant": "published-code"})
    assert same_partition(result.labels, micro.assignment)


@given(label_matrices(max_objects=10))
def test_log_distances_are_shortest_paths_of_the_published_lengths(labels):
    ensemble = Ensemble.from_labels(labels)
    a = 1 - np.array(naive.refined_steps(labels, refine=False)) / labels.shape[1]
    p = np.where(a == 1, np.inf, -np.log(np.where(a > 0, a, 1e-4)))
    np.fill_diagonal(p, 0)
    for via in range(len(p)):
        p = np.minimum(p, p[:, via, None] + p[via])
    np.testing.assert_allclose(evidence.refined_log_distance(ensemble), p, rtol=1e-12)
