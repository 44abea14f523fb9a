"""Ensembles of communities: what every run draws, whom it sees, and that threads and cancels change nothing."""

import numpy as np
import pytest

from engine import Cancelled, Graph, InvalidParameterError
from engine.generators import leiden_ensemble, make_ensemble
from engine.generators.leiden_runs import nearest_neighbours, shared_neighbours
from engine.metrics import ari
from tests.engine.communities.test_leiden import planted
from tests.monitors import stopping_at_done


@pytest.fixture(scope="module")
def points():
    rng = np.random.default_rng(0)
    return np.concatenate([rng.normal(3 * c, 0.5, (60, 3)) for c in range(4)])


def test_groups_of_points_and_of_a_graph_are_found(points):
    made = leiden_ensemble(points, 4, (0.5, 0.5), seed=1)
    assert min(ari(labels, np.repeat(range(4), 60)) for labels in made.labels.T) > 0.95
    graph, truth = planted()
    assert min(ari(labels, truth) for labels in leiden_ensemble(graph, 4, (1, 1)).labels.T) > 0.95


def test_the_graph_goes_along_with_the_ensemble(points):
    graph, _ = planted()
    assert leiden_ensemble(graph, 2).graph is graph
    own = shared_neighbours(nearest_neighbours(points.astype(np.float32), 12))
    assert leiden_ensemble(points, 2, neighbors=(8, 18)).graph.fingerprint == own.fingerprint
    assert leiden_ensemble(points, 2, neighbors=(12, 12), share=0.5).graph.fingerprint == own.fingerprint


def test_the_same_seed_gives_the_same_ensemble_on_any_number_of_threads(points, monkeypatch):
    settings = {"neighbors": (5, 20), "share": 0.7}
    one = leiden_ensemble(points, 5, (0.2, 5), 3, **settings)
    for threads in ("1", "3"):
        monkeypatch.setenv("CONCORD_THREADS", threads)
        assert leiden_ensemble(points, 5, (0.2, 5), 3, **settings).fingerprint == one.fingerprint
    assert leiden_ensemble(points, 5, (0.2, 5), 4, **settings).fingerprint != one.fingerprint


def test_settings_are_drawn_from_their_ranges_evenly_by_ratio(points):
    said = leiden_ensemble(points[::4], 60, (0.1, 10), neighbors=(4, 6)).provenance
    resolution = np.array(said["resolution"])
    assert 0.1 <= resolution.min() < 0.3
    assert 3 < resolution.max() <= 10
    assert 15 < (resolution < 1).sum() < 45
    assert set(said["neighbors"]) == {4, 5, 6}
    graph, _ = planted()
    assert "neighbors" not in leiden_ensemble(graph, 2).provenance


@pytest.mark.parametrize("given", ["points", "graph"])
def test_a_share_leaves_labels_missing_and_nobody_unseen(points, given):
    data = points if given == "points" else planted()[0]
    n = len(points) if given == "points" else data.n_nodes
    made = leiden_ensemble(data, 3, share=0.4, seed=2)
    seen = (made.labels >= 0).sum(axis=0)
    assert (made.labels >= 0).any(axis=1).all()
    assert seen[1:].tolist() == [round(0.4 * n)] * 2
    assert seen[0] > 0.4 * n  # it sees what the others do not


def test_the_recipe_of_eschr_draws_shares_around_nine_tenths_and_its_resolutions(points):
    said = leiden_ensemble(points, 25, (7, 7), recipe="eschr", share=0.1, seed=1).provenance
    share, resolution = np.array(said["share"]), np.array(said["resolution"])
    assert 0.6 < share.min() < 0.8 < share.mean() < 0.93
    assert 0.25 <= resolution.min() < 0.7
    assert 1.2 < resolution.max() <= 1.75
    assert set(said["neighbors"]) <= set(range(2, 7))
    graph, _ = planted()
    assert leiden_ensemble(graph, 3, recipe="eschr").graph is graph


def test_a_cosine_is_that_of_the_features_however_small_they_are():
    """Where float32 is too coarse features are kept less their means: that turns every direction."""
    points = np.vstack([np.random.default_rng(5).normal(centre, 1, (60, 2)) for centre in ([5, 5], [9, 5], [5, 9])])
    made, small = (leiden_ensemble(unit * points, 8, recipe="eschr", seed=1) for unit in (1.0, 2.0**-50))
    assert made.labels.tobytes() == small.labels.tobytes()


def test_a_cancel_is_heard_between_runs(points):
    stop = stopping_at_done(2)
    with pytest.raises(Cancelled):
        leiden_ensemble(points, 30, monitor=stop)


def test_a_graph_without_edges_and_one_of_two_parts_are_taken():
    alone = Graph.of_edges(np.array([], int), np.array([], int), None, 5)
    assert leiden_ensemble(alone, 2).labels.T.tolist() == [[0, 1, 2, 3, 4]] * 2
    parts = Graph.of_edges([0, 1, 3, 4], [1, 2, 4, 5])
    labels = leiden_ensemble(parts, 2, (0.01, 0.01), quality="cpm").labels
    assert (labels == np.array([[0, 0, 0, 1, 1, 1]] * 2).T).all()


def test_who_needs_features_says_so_of_a_graph():
    with pytest.raises(InvalidParameterError, match="k-means needs features, and this is a graph; leiden takes it"):
        make_ensemble("kmeans", planted()[0], 3)
    with pytest.raises(InvalidParameterError, match="resolution"):
        make_ensemble("leiden", planted()[0], 3, {"resolution": (2.0, 1.0)})


@pytest.mark.parametrize("settings", [{}, {"recipe": "eschr"}, {"share": 0.7}, {"quality": "first_level"}])
def test_whom_no_feature_tells_apart_no_run_does(points, settings):
    """Of more copies than neighbours each finds some of the others alone: parts of them drifted away."""
    made = leiden_ensemble(np.r_[np.zeros((100, points.shape[1])), points + 9], 6, seed=1, **settings)
    assert [len(set(column[column >= 0])) for column in made.labels[:100].T] == [1] * 6
    assert made.n_clusters_each.min() >= 2
    assert leiden_ensemble(np.ones((60, 2)), 3, **settings).n_clusters_each.tolist() == [1, 1, 1]


def test_one_node_is_no_ensemble():
    with pytest.raises(InvalidParameterError, match="at least 2 nodes"):
        leiden_ensemble(Graph.of_edges([0], [0]), 3)


def test_neighbours_are_at_least_one_and_at_most_the_other_objects(points):
    few, other = points[::20], shared_neighbours(nearest_neighbours(points[::20].astype(np.float32), 1))
    assert leiden_ensemble(few, 3, neighbors=(0.1, 0.4)).graph.fingerprint == other.fingerprint
    for high in (100.0, 1e300):
        said = leiden_ensemble(few, 40, neighbors=(9, high)).provenance["neighbors"]
        assert set(said) == {9, 10, 11}
        whole = leiden_ensemble(few, 3, neighbors=(high, high))
        assert whole.graph.n_edges == 12 * 11 / 2
        assert whole.provenance["neighbors"] == [11] * 3
    assert leiden_ensemble(few, 3, share=0.5).provenance["neighbors"][1:] == [5, 5]
    assert set(leiden_ensemble(few[:3], 9, recipe="eschr").provenance["neighbors"]) <= {1, 2}
