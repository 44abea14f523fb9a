"""PTA and PTGP: walks, then a tree or a cut."""

import numpy as np
import pytest
from scipy import sparse

from engine import Ensemble, evidence, run_consensus
from tests import naive
from tests.engine.walks.walked_graphs import CLUSTER_FORMS, FORMS, many_components, microcluster_labels
from tests.monitors import Heard
from tests.strategies import random_labels, same_partition


@pytest.mark.parametrize("key", ["pta", "ptgp"])
def test_microclusters_without_any_link_still_make_k_clusters(key):
    ensemble = Ensemble.from_labels(np.repeat(np.arange(6), 3)[:, None])
    for k in range(2, 7):
        result = run_consensus(key, ensemble, k)
        assert result.n_clusters == k
        assert np.unique(result.labels).size == k


@pytest.mark.parametrize("key", ["pta", "ptgp"])
def test_components_tie_and_still_make_k_clusters(key):
    """Four groups without a link between them, each with some inner noise: k below and above four."""
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(4), 30)
    labels = np.stack([group * 3 + rng.integers(0, 3, 120) * (rng.random(120) < 0.4) for _ in range(6)], axis=1)
    ensemble = Ensemble.from_labels(labels)
    for k in (2, 3, 4, 9):
        result = run_consensus(key, ensemble, k)
        assert np.unique(result.labels).size == k
        if k == 4:
            assert same_partition(result.labels, group)
        if k < 4:
            assert all(np.unique(result.labels[group == g]).size == 1 for g in range(4)) or key == "ptgp"


@pytest.mark.parametrize("key", ["pta", "ptgp"])
@pytest.mark.parametrize("params", [{"T": 1}, {"K": 1}, {"K": 10_000, "T": 400}])
def test_short_walks_few_and_all_neighbors(key, params):
    ensemble = Ensemble.from_labels(random_labels(80, 6, 4, seed=5))
    assert run_consensus(key, ensemble, 4, params).n_clusters == 4


@pytest.mark.parametrize("key", ["pta", "ptgp"])
def test_all_sizes_one(key):
    labels = np.unique(np.random.default_rng(1).integers(0, 4, (60, 5)), axis=0)
    ensemble = Ensemble.from_labels(labels)
    assert (ensemble.microclusters.sizes == 1).all()
    assert run_consensus(key, ensemble, 3).n_clusters == 3


def test_sizes_enter_through_the_walk_alone():
    """Trees count microclusters: with equal sizes throughout, repeating every object changes nothing."""
    labels = random_labels(60, 6, 4, seed=6)
    once = Ensemble.from_labels(np.unique(labels, axis=0))
    thrice = Ensemble.from_labels(np.repeat(np.unique(labels, axis=0), 3, axis=0))
    for key in ("pta", "ptgp"):
        assert (run_consensus(key, thrice, 4).labels[::3] == run_consensus(key, once, 4).labels).all()


@pytest.mark.parametrize("linkage", ["average", "complete", "single"])
def test_pta_equals_the_paper_step_by_step(linkage):
    ensemble = Ensemble.from_labels(random_labels(70, 7, 5, seed=8, noise=0.3))
    micro = ensemble.microclusters
    weights = naive.weighted_co_association(microcluster_labels(ensemble), np.ones(ensemble.n_clusters_total))
    kept = naive.elite_neighbor_graph(weights, 4)
    similarity = naive.trajectory_similarity(naive.transition_matrix(kept, micro.sizes), 5)
    for k in (2, 5, 9):
        ours = run_consensus("pta", ensemble, k, {"K": 4, "T": 5, "linkage": linkage})
        theirs = naive.agglomerate(similarity, k, linkage)
        assert same_partition(ours.labels, theirs[micro.assignment])


def test_ptgp_embedding_equals_the_paper_step_by_step():
    ensemble = Ensemble.from_labels(random_labels(70, 7, 5, seed=9, noise=0.3))
    sizes = ensemble.microclusters.sizes
    weights = naive.weighted_co_association(microcluster_labels(ensemble), np.ones(ensemble.n_clusters_total))
    p = naive.transition_matrix(naive.elite_neighbor_graph(weights, 4), sizes)
    links = naive.cluster_trajectory_similarity(ensemble.canonical.labels, naive.trajectory_similarity(p, 5))
    theirs = naive.tcut_embedding(links, 3)
    ours = run_consensus("ptgp", ensemble, 3, {"K": 4, "T": 5}).trace["embedding"]
    np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-5)


def test_the_trace_says_which_walk_was_taken():
    ensemble = Ensemble.from_labels(random_labels(120, 8, 5, seed=1))
    n = len(ensemble.microclusters)
    for key, forms in (("pta", FORMS), ("ptgp", CLUSTER_FORMS)):
        trace = run_consensus(key, ensemble, 4, {"T": 3}, record=("graph", "trajectories", "co_association")).trace
        assert trace["walk"]["K"] == evidence.default_neighbors(n)
        assert trace["walk"]["T"] == 3
        assert trace["walk"]["form"] in forms
        assert trace["co_association"].shape == trace["graph"].shape == (n, n)
        expected = evidence.trajectory_similarity(trace["graph"], ensemble.microclusters.sizes, 3)
        assert (trace["trajectories"] == expected).all()
    tree = run_consensus("pta", ensemble, 4).trace["dendrogram"]
    assert (tree.sizes == ensemble.microclusters.sizes).all()


def test_progress_never_falls_back_while_walking():
    watch = Heard()
    weights, sizes = many_components()
    evidence.trajectory_similarity(sparse.csr_array(weights), sizes, 6, watch, form="horner")
    assert len(set(watch.stages)) == 2
    for stage in set(watch.stages):
        shares = [done / total for said, done, total in watch.ticks if said == stage]
        assert shares == sorted(shares)
        assert shares[-1] == 1
