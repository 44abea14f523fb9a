import itertools

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from engine import Ensemble, evidence, run_consensus
from tests.app.conftest import words
from ui.compute import pipeline
from ui.session.query import from_query
from ui.walks import views as walk_views
from ui.why.reasons import Pair
from ui.why.reasons.walks import explain, strongest_path


@pytest.fixture(scope="module")
def run():
    config, _ = from_query({"data": "iris", "m": "12", "method": "pta", "K": "4", "T": "6"})
    made = pipeline.ensemble(config).future.result()
    graph = walk_views.elite_graph(made, 4).future.result()
    return config, made, graph


def test_K_and_T_are_those_of_every_method_that_walks():
    page, _ = from_query({"method": "lwea", "K": "9", "T": "3"})
    automatic, _ = from_query({"method": "lwea"})
    assert walk_views.settings(page, 100) == (9, 3)
    assert page.with_(method="pta").method_params.as_dict() == {"K": 9, "T": 3, "linkage": "average"}
    assert walk_views.settings(automatic, 100) == (evidence.default_neighbors(100),) * 2
    assert walk_views.settings(page, 5) == (4, 3)


def test_the_cosine_at_the_end_is_the_trajectory_similarity(run):
    _, made, graph = run
    sizes = made.microclusters.sizes
    pts = evidence.trajectory_similarity(graph, sizes, 6, dtype=np.float64)
    for a, b in [(0, 1), (2, 9), (3, 3)]:
        _, cosines = walk_views.walks(graph, sizes, (a, b), 6)
        assert cosines[-1] == pytest.approx(pts[a, b], abs=1e-9)


def test_the_ladder_ends_with_all_links(run):
    _, made, _ = run
    steps = walk_views.ladder(made)
    assert steps.K[-1] == len(made.microclusters) - 1
    assert steps.kept[-1] == 1
    assert (np.diff(steps.kept) >= 0).all()
    assert (np.diff(steps.components) <= 0).all()
    whole = evidence.elite_neighbor_graph(evidence.co_association(made), steps.K[-1])
    assert steps.components[-1] == connected_components(whole, directed=False)[0]


def test_parts_of_all_links_are_those_of_clusters_that_overlap():
    made = Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [2, 2], [2, 2], [3, 3]])
    assert walk_views.parts_of_all_links(made) == 3


def test_a_node_knows_who_kept_whom(run):
    _, made, graph = run
    similarity = evidence.co_association(made)
    np.fill_diagonal(similarity, 0)
    for node in range(0, len(made.microclusters), 5):
        rows, threshold = walk_views.neighbors(graph, made.microclusters.sizes, node, 4)
        assert {row[0] for row in rows} == set((np.flatnonzero(graph.toarray()[node]) + 1).tolist())
        if rows:
            assert threshold == pytest.approx(np.sort(similarity[node])[::-1][min(4, len(rows)) - 1])
        for number, size, weight, mine, theirs in rows:
            other = number - 1
            assert size == made.microclusters.sizes[other]
            assert mine == (weight >= threshold)
            assert mine | theirs  # else there would be no link
            assert weight == pytest.approx(similarity[node, other])
            assert theirs == (weight >= np.sort(similarity[other])[::-1][3] - 1e-9)


def test_pruning_keeps_more_correct_links(run):
    config, made, graph = run
    before, after = walk_views.pruning(made, graph, pipeline.truth(config))
    assert after.pairs.sum() < before.pairs.sum()
    assert after.correct.sum() / after.pairs.sum() > before.correct.sum() / before.pairs.sum()


def test_nodes_stand_at_the_mean_of_their_objects(run):
    config, made, _ = run
    points = pipeline.features(config)[:, :2]
    places = walk_views.node_positions(points, made)
    for node in (0, 3):
        members = made.microclusters.assignment == node
        np.testing.assert_allclose(places[node], points[members].mean(axis=0))


def test_the_strongest_path_has_the_largest_product():
    graph = sparse.csr_array(np.array([[0, 0.9, 0.2], [0.9, 0, 0.9], [0.2, 0.9, 0]]))
    assert strongest_path(graph, 0, 2) == [0, 1, 2]
    assert strongest_path(sparse.csr_array(np.diag([0.0, 0, 0])), 0, 2) is None


def test_the_reason_speaks_of_path_and_cosine(run):
    config, made, graph = run
    result = run_consensus("pta", made, 3, {"K": 4, "T": 6}, record=("graph",))
    graph, sizes, micro = result.trace["graph"], made.microclusters.sizes, made.microclusters.assignment
    cosines = evidence.trajectory_similarity(graph, sizes, 6, dtype=np.float64)[micro[0], micro]
    joined = int(np.flatnonzero((cosines > 0.1) & (cosines < 0.9))[0])
    path = strongest_path(graph, micro[0], micro[joined])
    weakest = min(graph[a, b] for a, b in itertools.pairwise(path))
    (text,) = explain(Pair(0, joined, made, result, None, config))
    assert f"(K = 4) a path of {len(path) - 1} links joins them, the weakest of weight {weakest:.3f}" in text
    assert f"after 6 steps their walkers' trajectories have a cosine of **{cosines[joined]:.3f}**" in text
    apart = run_consensus("pta", made, 3, {"K": 1, "T": 6}, record=("graph",))
    part = connected_components(apart.trace["graph"], directed=False)[1][micro]
    (text,) = explain(Pair(0, int(np.flatnonzero(part != part[0])[0]), made, apart, None, config))
    assert "no path joins them" in text
    assert list(explain(Pair(0, 149, made, run_consensus("eac", made, 3), None, config))) == []


@pytest.mark.parametrize("page", ["elite_neighbours", "trajectories"])
@pytest.mark.parametrize("query", [{"K": "1"}, {"K": "500"}, {"method": "pta", "K": "2", "T": "1"}])
def test_pages_bear_extreme_settings(app, page, query):
    assert not app(page, data="iris", m="8", **query).error


@pytest.mark.parametrize("page", ["elite_neighbours", "trajectories"])
def test_one_microcluster_is_explained(app, page):
    from ui.compute import uploads

    same = uploads.keep_file("one.csv", b"\n".join([b"1,1"] * 8), "labels").id
    assert "one microcluster" in words(app(page, data=same, m="2"))


@pytest.mark.parametrize("method", ["pta", "lwea"])
def test_sliders_move_the_one_knob_there_is(app, method):
    at = app("trajectories", data="iris", m="8", method=method)
    at.select_slider(key="param_T").set_value(9).run()
    assert at.query_params["T"] in ("9", ["9"])


def test_isolated_nodes_are_named(app):
    from ui.compute import uploads

    rows = b"\n".join(b"%d,%d" % (i // 4, i // 4) for i in range(16))
    text = words(app("elite_neighbours", data=uploads.keep_file("apart.csv", rows, "labels").id, m="2"))
    assert "stand alone" in text


def test_every_link_is_drawn_once(run):
    _, _, graph = run
    edges, weights = walk_views.links(graph)
    drawn = np.zeros(graph.shape)
    drawn[tuple(edges.T)] = weights
    assert (drawn + drawn.T == graph.toarray()).all()
    assert len(edges) == graph.nnz // 2 > 100
