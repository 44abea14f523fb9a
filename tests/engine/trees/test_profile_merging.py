"""Average link without a matrix: a valid tree, the dense one where nothing ties, and one tree for any machine."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Cancelled,
    Ensemble,
    InvalidParameterError,
    TooLargeError,
    evidence,
    partition,
    run_consensus,
)
from engine.consensus import costs
from engine.evidence import shared_cluster_similarity
from engine.generators import kmeans_ensemble
from engine.monitor import SILENT
from engine.trees import agglomeration, profile_merging
from engine.trees.agglomeration import needs_matrix
from engine.trees.neighbor_chains import sorted_tree
from engine.trees.profile_merging import merge_profiles, search_nearest
from engine.trees.profiles import InvertedLists, sorted_microclusters
from tests import naive
from tests.monitors import Heard, stopping_at_tick
from tests.strategies import label_matrices, random_labels, same_partition

WEIGHTS = ("even", "eci", "uneven")


def weights_of(ensemble, kind):
    if kind == "eci":
        return evidence.ensemble_driven_cluster_index(ensemble, 0.4)
    rng = np.random.default_rng(3)
    return np.ones(ensemble.n_clusters_total) if kind == "even" else rng.random(ensemble.n_clusters_total)


def factor_tree(ensemble, weights, few=0, block=1000):
    merges, heights = merge_profiles(ensemble.clusters, weights, SILENT, few, block)
    return sorted_tree(merges, heights, ensemble.microclusters.sizes)


def noisy(seed, n=150, m=5, noise=0.4):
    return Ensemble.from_labels(random_labels(n, m, 4 + seed % 7, seed, noise)).canonical


@settings(max_examples=60, deadline=None)
@given(label_matrices(max_objects=16, max_clusterings=5), st.sampled_from(WEIGHTS), st.sampled_from([0, 4, 99]))
def test_every_merge_is_the_best_there_is_however_much_ties(labels, kind, few):
    ensemble = Ensemble.from_labels(labels).canonical
    weights = weights_of(ensemble, kind)
    tree = factor_tree(ensemble, weights, few)
    assert sorted(tree.merges.ravel().tolist()) == list(range(2 * tree.n_leaves - 2))
    assert (np.diff(tree.similarities) <= 0).all()
    similarity = evidence.weighted_co_association(ensemble, weights, dtype=np.float64)
    for height, (joined, best) in zip(
        tree.similarities, naive.replayed(tree.merges, tree.sizes, similarity), strict=True
    ):
        np.testing.assert_allclose([joined, best], height, atol=1e-9)


def test_a_merge_that_is_not_the_best_would_be_seen():
    similarity = np.array([[1, 0.9, 0.2], [0.9, 1, 0.1], [0.2, 0.1, 1]])
    assert list(naive.replayed([[0, 2], [1, 3]], [1, 1, 1], similarity))[0] == (0.2, 0.9)


@pytest.mark.parametrize("few", [0, 20, 10_000])
@pytest.mark.parametrize("kind", ["eci", "uneven"])
@pytest.mark.parametrize("seed", range(8))
def test_the_tree_is_the_dense_one_where_nothing_ties(seed, kind, few):
    ensemble = noisy(seed, m=9)
    weights = weights_of(ensemble, kind)
    dense = partition.linkage(
        evidence.weighted_co_association(ensemble, weights, dtype=np.float64), ensemble.microclusters.sizes
    )
    tree = factor_tree(ensemble, weights, few)
    if dense.n_tied_merges == tree.n_tied_merges == 0:
        np.testing.assert_allclose(tree.similarities, dense.similarities, atol=1e-12)
        for k in (2, 3, 5, 8, 20, 60):
            assert same_partition(partition.cut(tree, k), partition.cut(dense, k))
    else:  # a rule decided: both trees count it
        assert min(dense.n_tied_merges, tree.n_tied_merges) > 0


def test_some_ensembles_of_these_have_no_ties():
    free = [
        factor_tree(noisy(seed, m=9), weights_of(noisy(seed, m=9), "uneven")).n_tied_merges == 0 for seed in range(8)
    ]
    assert any(free)


@pytest.mark.parametrize("kind", WEIGHTS)
def test_the_nearest_group_is_the_one_loops_find_the_lowest_of_equals(kind):
    ensemble = noisy(2, n=200, m=6)
    weights = weights_of(ensemble, kind)
    groups, _ = sorted_microclusters(ensemble.clusters)
    place = (np.arange(len(groups)) // 2).astype(np.int32)
    for _ in range(3):
        nearest, values = np.full(len(groups), -1, np.int32), np.zeros(len(groups))
        lists = InvertedLists.of(groups, len(weights))
        search_nearest(groups, lists, weights, np.arange(len(groups)), nearest, values, SILENT, block=7)
        expected = naive.nearest_profiles(groups.start, groups.ids, groups.counts, groups.sizes, weights)
        assert [(int(g), float(v)) for g, v in zip(nearest, values, strict=True)] == expected
        groups = groups.merged(place[: len(groups)], int(place[len(groups) - 1]) + 1)


@pytest.mark.parametrize("kind", WEIGHTS)
def test_threads_and_blocks_decide_nothing(kind, monkeypatch):
    ensemble = noisy(5, n=400, m=7)
    weights = weights_of(ensemble, kind)
    found = []
    for threads, block in (("1", 1000), ("2", 1), ("3", 7), ("2", 64)):
        monkeypatch.setenv("CONCORD_THREADS", threads)
        merges, heights = merge_profiles(ensemble.clusters, weights, SILENT, 0, block)
        found.append(merges.tobytes() + heights.tobytes())
    assert len(set(found)) == 1


def test_groups_that_share_nothing_merge_last_at_zero():
    apart = Ensemble.from_labels(np.arange(7)[:, None]).canonical
    tree = factor_tree(apart, np.ones(7))
    assert tree.similarities.tolist() == [0] * 6
    assert factor_tree(Ensemble.from_labels([[1], [1]]).canonical, np.ones(1)).n_leaves == 1


def test_weights_that_underflow_do_not_lose_a_merge():
    ensemble = noisy(1)
    tree = factor_tree(ensemble, np.full(ensemble.n_clusters_total, 1e-310))
    assert sorted(tree.merges.ravel().tolist()) == list(range(2 * tree.n_leaves - 2))


def test_progress_counts_merges_and_cancel_is_heard():
    ensemble = noisy(3)
    n, watch = len(ensemble.microclusters), Heard()
    weights = weights_of(ensemble, "eci")
    merge_profiles(ensemble.clusters, weights, watch, 0)
    sorting, growing = "sorting the microclusters by their labels", "growing the tree"
    assert {(stage, total) for stage, _, total in watch.ticks} <= {(sorting, 1), (growing, n - 1)}
    done = [done for _, done, _ in watch.ticks]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, n - 1)
    for stop in range(1, len(done)):
        with pytest.raises(Cancelled):
            merge_profiles(ensemble.clusters, weights, stopping_at_tick(stop), 0)


def coarse(n=1500, m=40, n_groups=6, noise=0.15):
    """Large clusters whose members noise makes nearly alike."""
    rng = np.random.default_rng(3)
    groups, noisy_ones = rng.integers(0, n_groups, n), rng.random((n, m)) < noise
    return Ensemble.from_labels(np.where(noisy_ones, rng.integers(0, n_groups, (n, m)), groups[:, None]))


def test_searches_that_read_as_much_as_a_matrix_give_way_to_one(monkeypatch):
    """Few pairs are each other's nearest there, and nearly all search anew every time."""
    ensemble, n_searches = coarse(), []
    weights = weights_of(ensemble, "uneven")
    monkeypatch.setattr(profile_merging, "search_nearest", counting(n_searches))
    merge_profiles(ensemble.clusters, weights, SILENT, few=0)
    without = n_searches.copy()
    n_searches.clear()
    merges, heights = merge_profiles(ensemble.clusters, weights, SILENT)
    assert sum(n_searches) < 3 * len(ensemble.microclusters)
    assert sum(without) > 10 * len(ensemble.microclusters)
    dense = partition.linkage(shared_cluster_similarity(ensemble, weights).dense(), ensemble.microclusters.sizes)
    found = sorted_tree(merges, heights, ensemble.microclusters.sizes)
    np.testing.assert_allclose(found.similarities, dense.similarities, atol=2e-6)
    assert same_partition(partition.cut(found, 6), partition.cut(dense, 6))


def test_searches_of_kmeans_go_on(monkeypatch):
    """However much they have read: what is left to read is less than a matrix takes, and so is memory."""
    points = np.random.default_rng(0).normal(size=(3000, 8))
    ensemble, at = kmeans_ensemble(points, 20, (2, 50), seed=0), []
    finish = profile_merging._finish
    monkeypatch.setattr(
        profile_merging, "_finish", lambda groups, *rest: (at.append(len(groups)), finish(groups, *rest))
    )
    merge_profiles(ensemble.clusters, weights_of(ensemble, "uneven"), SILENT, few=300)
    assert len(at) == 1
    assert at[0] <= 300


def counting(asked):
    """The search, which notes how many groups search."""

    def search(*given):
        asked.append(len(given[3]))
        return search_nearest(*given)

    return search


def test_a_look_at_some_searches_tells_where_a_matrix_is_faster(monkeypatch):
    rng = np.random.default_rng(0)
    centres = 6 * rng.normal(size=(30, 8))
    fine = kmeans_ensemble(rng.normal(size=(4000, 8)) + centres[rng.integers(0, 30, 4000)], 10, seed=1)
    monkeypatch.setattr(agglomeration, "MANY", 100)
    monkeypatch.setattr(costs, "MANY", 100)
    for ensemble, matrix in ((coarse(), True), (fine, False)):
        similarity = shared_cluster_similarity(ensemble, np.ones(ensemble.n_clusters_total))
        assert needs_matrix(similarity) == matrix
        assert not needs_matrix(similarity, "single")
        assert (costs.law_of("lwea", ensemble) is costs.laws()["lwea"]) == matrix
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "2M")
    assert not needs_matrix(shared_cluster_similarity(coarse(), np.ones(coarse().n_clusters_total)))


def test_linkage_makes_a_matrix_where_it_must_or_where_it_fits(monkeypatch):
    ensemble = noisy(4)
    similarity = shared_cluster_similarity(ensemble, weights_of(ensemble, "uneven"))
    sizes = ensemble.microclusters.sizes
    assert needs_matrix(similarity)
    dense = partition.linkage(similarity, sizes)
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "1K")
    assert not needs_matrix(similarity)
    np.testing.assert_allclose(partition.linkage(similarity).similarities, dense.similarities, atol=1e-6)
    assert not needs_matrix(similarity, "single")
    assert needs_matrix(similarity, "complete")
    with pytest.raises(TooLargeError):
        partition.linkage(similarity, sizes, "complete")
    with pytest.raises(InvalidParameterError, match="sizes"):
        partition.linkage(similarity, sizes + 1)


def test_no_factor_where_counts_are_over_those_who_saw_both_or_weights_are_negative():
    gappy = Ensemble.from_labels([[0, -1], [0, 1], [1, 1]])
    assert shared_cluster_similarity(gappy, np.ones(gappy.n_clusters_total)).factor is None
    ensemble = noisy(4)
    assert shared_cluster_similarity(ensemble, -np.ones(ensemble.n_clusters_total)).factor is None
    with pytest.raises(InvalidParameterError, match="weights"):
        shared_cluster_similarity(ensemble, [1.0])


def test_a_picture_that_does_not_fit_is_left_out_and_labels_stay(monkeypatch):
    ensemble = noisy(6, n=120, m=8)
    with_picture = run_consensus("lwea", ensemble, 4, record=("similarity",))
    monkeypatch.setattr("engine.trees.agglomeration.MANY", 10)
    monkeypatch.setattr("engine.trees.agglomeration.reads_much", lambda clusters: False)
    also = run_consensus("lwea", ensemble, 4, record=("similarity",))
    np.testing.assert_array_equal(also.trace["similarity"], with_picture.trace["similarity"])
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "1K")
    without = run_consensus("lwea", ensemble, 4, record=("similarity",))
    assert "similarity" not in without.trace
    assert (without.labels == also.labels).all()


def test_a_matrix_is_its_own_mirror_image_but_for_rounding():
    """A chain follows the nearest neighbour, and would go round where two sides of a pair disagree."""
    rng = np.random.default_rng(0)
    for dtype in (np.float32, np.float64):
        points = np.round(rng.normal(size=(60, 3)))  # they tie
        exact = -((points[:, None] - points[None]) ** 2).sum(axis=2).astype(dtype)
        shaken = exact + (1e-12 * rng.normal(size=exact.shape)).astype(dtype)
        mirrored = np.tril(shaken) + np.tril(shaken, -1).T
        found, expected = partition.linkage(shaken), partition.linkage(mirrored)
        assert found.merges.tolist() == expected.merges.tolist()
        never = np.where(exact < np.quantile(exact, 0.3), dtype(-np.inf), shaken)  # as similar as nobody
        assert partition.linkage(never).merges.shape == (59, 2)
        for wrong in (
            np.where(np.tri(60) > 0, never, exact),
            exact + rng.normal(size=exact.shape).astype(dtype),
            np.where(np.eye(60)[::-1] == 1, np.nan, exact),
        ):
            with pytest.raises(InvalidParameterError, match="must be symmetric"):
                partition.linkage(wrong.astype(dtype))


@pytest.mark.parametrize("tiny", [2.0**-1060, 5e-324])
def test_weights_next_to_nothing_grow_the_tree_of_large_ones(tiny, monkeypatch):
    """Sums of them would be 0, which says of a group that it was never met: it would be listed again and again."""
    ensemble = Ensemble.from_labels(np.stack(np.unravel_index(np.arange(4**4), (4,) * 4), axis=1)).canonical
    weights = 1.0 + np.arange(ensemble.n_clusters_total) % 3 if tiny > 5e-324 else np.ones(ensemble.n_clusters_total)
    merges, heights = merge_profiles(ensemble.clusters, weights, SILENT, 0)
    same, small = merge_profiles(ensemble.clusters, tiny * weights, SILENT, 0)
    np.testing.assert_array_equal(same, merges)
    np.testing.assert_allclose(small, tiny * heights, rtol=0, atol=1e-322)
    heard, search = [], profile_merging.search_nearest
    monkeypatch.setattr(profile_merging, "search_nearest", lambda *given: heard.append(given[2]) or search(*given))
    uneven = np.where(np.arange(len(weights)) % 2, 1.0, tiny)
    merges, _ = merge_profiles(ensemble.clusters, uneven, SILENT, 0)
    assert len(np.unique(merges)) == 2 * len(merges)
    shares = 1 / ensemble.n_objects  # none of a group is smaller
    assert all((one[one > 0] * shares**2 > 0).all() for one in heard)
