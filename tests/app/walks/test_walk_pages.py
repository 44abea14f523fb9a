import itertools
import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from engine import Ensemble, Monitor, evidence, run_consensus
from tests.app.conftest import charts, words
from tests.scenes import scene_of
from ui import walks as pages_walks
from ui.figures import walk_film, walk_heatmaps
from ui.figures.numbering import FIRST
from ui.figures.objects.graphs import strongest
from ui.pictures import drawn, pictures
from ui.scene.places import node_places
from ui.scene.walks import ladder, walks
from ui.why import Pair, of_walks, strongest_path


@pytest.fixture(scope="module")
def scene():
    return scene_of(data="iris", m="12", method="pta", K="4", T="6")


def test_K_and_T_are_those_of_every_method_that_walks():
    page, automatic = scene_of(method="lwea", K="9", T="3"), scene_of(method="lwea")
    assert settings(page, 100) == (9, 3)
    assert page.config.with_(method="pta").method_params.as_dict() == {"K": 9, "T": 3, "linkage": "average"}
    assert settings(automatic, 100) == (evidence.default_neighbors(100),) * 2
    assert settings(page, 5) == (4, 3)


def settings(scene, n):
    """K and T where there are n microclusters."""
    here = scene.with_given(ensemble=Ensemble.from_labels(np.arange(n)[:, None]))
    return here.n_neighbors, here.n_steps


def test_the_cosine_at_the_end_is_the_trajectory_similarity(scene):
    made, graph = scene.ensemble, scene.graph
    pts = evidence.trajectory_similarity(graph, made.microclusters.sizes, 6, dtype=np.float64)
    for a, b in [(0, 1), (2, 9), (3, 3)]:
        cosines = walks(graph, made, (a, b), 6).cosines
        assert cosines[-1] == pytest.approx(pts[a, b], abs=1e-9)


def test_the_ladder_ends_with_all_links(scene):
    made, steps = scene.ensemble, scene.ladder
    assert steps.K[-1] == len(made.microclusters) - 1
    assert steps.kept[-1] == 1
    assert (np.diff(steps.kept) >= 0).all()
    assert (np.diff(steps.components) <= 0).all()
    whole = evidence.elite_neighbor_graph(evidence.co_association(made), steps.K[-1])
    assert steps.components[-1] == connected_components(whole, directed=False)[0]


def test_parts_of_all_links_are_those_of_clusters_that_overlap():
    made = Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [2, 2], [2, 2], [3, 3]])
    assert ladder(made, Monitor()).components[-1] == 3


def test_a_node_knows_who_kept_whom(scene):
    made, graph = scene.ensemble, scene.graph
    similarity = evidence.co_association(made)
    np.fill_diagonal(similarity, 0)
    for node in range(0, len(made.microclusters), 5):
        at, rows, threshold = scene.with_given(node_in_focus=node).neighbors
        assert at == node
        assert {row[0] for row in rows} == set(np.flatnonzero(graph.toarray()[node]).tolist())
        if rows:
            assert threshold == pytest.approx(np.sort(similarity[node])[::-1][min(4, len(rows)) - 1])
        for other, size, weight, mine, theirs in rows:
            assert size == made.microclusters.sizes[other]
            assert mine == (weight >= threshold)
            assert mine | theirs  # else there would be no link
            assert weight == pytest.approx(similarity[node, other])
            assert theirs == (weight >= np.sort(similarity[other])[::-1][3] - 1e-9)


def test_the_table_of_neighbours_numbers_them_from_one(app, scene):
    at = app("walks", data="iris", m="12", method="pta", K="4", T="6", pair="3.9")
    node, rows, _ = scene.varied(pair=(3, 9)).neighbors
    assert node == scene.ensemble.microclusters.assignment[3]
    (table,) = (one.value for one in at.dataframe if "kept by" in one.value.columns)
    assert table["node"].tolist() == [row[0] + 1 for row in rows]
    assert f"**Microcluster {node + 1}**" in words(at)
    keepers = {(True, True): "both", (True, False): "this one", (False, True): "the other"}
    assert table["kept by"].tolist() == [keepers[row[3:]] for row in rows]


def test_pruning_keeps_more_correct_links(scene):
    before, after = scene.pruning
    assert after.pairs.sum() < before.pairs.sum()
    assert after.correct.sum() / after.pairs.sum() > before.correct.sum() / before.pairs.sum()


def test_nodes_stand_at_the_mean_of_their_objects(scene):
    made, points = scene.ensemble, scene.features[:, :2]
    places = node_places((points, (), True), made)
    for node in (0, 3):
        members = made.microclusters.assignment == node
        np.testing.assert_allclose(places[node], points[members].mean(axis=0))


def test_the_strongest_path_has_the_largest_product():
    graph = sparse.csr_array(np.array([[0, 0.9, 0.2], [0.9, 0, 0.9], [0.2, 0.9, 0]]))
    assert strongest_path(graph, 0, 2) == [0, 1, 2]
    assert strongest_path(sparse.csr_array(np.diag([0.0, 0, 0])), 0, 2) is None


def test_the_reason_speaks_of_path_and_cosine(scene):
    made = scene.ensemble
    result = run_consensus("pta", made, 3, {"K": 4, "T": 6}, record=("graph",))
    graph, sizes, micro = result.trace["graph"], made.microclusters.sizes, made.microclusters.assignment
    cosines = evidence.trajectory_similarity(graph, sizes, 6, dtype=np.float64)[micro[0], micro]
    joined = int(np.flatnonzero((cosines > 0.1) & (cosines < 0.9))[0])
    path = strongest_path(graph, micro[0], micro[joined])
    weakest = min(graph[a, b] for a, b in itertools.pairwise(path))
    (text,) = of_walks(Pair(0, joined, scene.with_given(recorded=result)))
    assert f"(K = 4) a path of {len(path) - 1} links joins them, the weakest of weight {weakest:.3f}" in text
    assert f"after 6 steps their walkers' trajectories have a cosine of **{cosines[joined]:.3f}**" in text
    apart = run_consensus("pta", made, 3, {"K": 1, "T": 6}, record=("graph",))
    part = connected_components(apart.trace["graph"], directed=False)[1][micro]
    (text,) = of_walks(Pair(0, int(np.flatnonzero(part != part[0])[0]), scene.with_given(recorded=apart)))
    assert "no path joins them" in text
    assert list(of_walks(Pair(0, 149, scene.with_given(recorded=run_consensus("eac", made, 3))))) == []


@pytest.mark.parametrize("query", [{"K": "1"}, {"K": "500"}, {"method": "pta", "K": "2", "T": "1"}])
def test_the_page_bears_extreme_settings(app, query):
    assert not app("walks", data="iris", m="8", **query).error


def test_one_microcluster_is_explained(app):
    from ui.compute import uploads

    same = uploads.keep_file("one.csv", b"\n".join([b"1,1"] * 8), "labels").id
    assert "one microcluster" in words(app("walks", data=same, m="2"))


@pytest.mark.parametrize("method", ["pta", "lwea"])
def test_sliders_move_the_one_knob_there_is(app, method):
    at = app("walks", data="iris", m="8", method=method)
    at.select_slider(key="param_T").set_value(9).run()
    assert at.query_params["T"] in ("9", ["9"])


def test_isolated_nodes_are_named(app):
    from ui.compute import uploads

    rows = b"\n".join(b"%d,%d" % (i // 4, i // 4) for i in range(16))
    text = words(app("walks", data=uploads.keep_file("apart.csv", rows, "labels").id, m="2", k="4"))
    assert "stand alone" in text


def test_places_of_the_walkers_are_counted_from_one():
    walk = np.eye(4)[:3]
    for picture in walk_heatmaps((walk, walk), np.arange(4), "light").to_plotly().data:
        assert (picture.x0, picture.dx, picture.z.shape) == (FIRST, 1, (3, 4))


@pytest.mark.parametrize(("steps", "named"), [(3, 1), (4, 1), (7, None)])
def test_numbers_of_steps_have_room_beside_each_of_two_pictures(steps, named):
    """Of seven steps every number covered the next one."""
    walk = np.full((steps, 4), 0.25)
    assert walk_heatmaps((walk, walk), np.arange(4), "light").layout["yaxis"].get("dtick") == named


def test_every_link_is_drawn_once(scene):
    graph, (edges, weights) = scene.graph, scene.links
    drawn = np.zeros(graph.shape)
    drawn[tuple(edges.T)] = weights
    assert (drawn + drawn.T == graph.toarray()).all()
    assert len(edges) == graph.nnz // 2 > 100


def test_without_classes_the_consensus_colours_the_graph(app):
    from ui.compute import uploads

    rows = "\n".join(",".join(str((i // (m + 2)) % 4) for m in range(5)) for i in range(40))
    data = uploads.keep_file("members.csv", rows.encode(), "labels").id
    at = app("walks", data=data, m="5", k="4", color="truth")
    assert at.session_state.run_config.color == "consensus"
    (nodes,) = (one for one in charts(at)["elite_graph"]["data"] if one.get("name") == "nodes")
    assert len(np.unique(nodes["marker"]["color"])) > 1


def test_a_method_that_lacks_labels_colours_nothing_and_leaves_the_links(app):
    from ui.compute import uploads

    lines = [",".join("" if (i + m) % 11 == 0 else str((i // (m + 2)) % 4) for m in range(5)) for i in range(40)]
    data = uploads.keep_file("gaps.csv", "\n".join(lines).encode(), "labels").id
    at = app("walks", data=data, m="5", method="pta", color="consensus", k="4")
    assert "PTA needs a label of every object" in words(at)
    assert "keeps **" in words(at)
    assert not at.error
    assert {"elite_graph", "ratio", "components", "degrees"} <= charts(at).keys()
    assert "walk_answer" not in charts(at)


def test_walkers_that_do_not_meet_are_not_said_to_be_in_two_parts():
    apart = scene_of(data="moons", pair="95.240")
    part = connected_components(apart.graph, directed=False)[1][list(apart.walk_starts)]
    assert (part[0], apart.walks.cosines[-1]) == (part[1], 0)
    assert "no place within so few steps" in pictures()["walk"].sentence(apart)
    torn = scene_of(data="moons", K="1")
    part = connected_components(torn.graph, directed=False)[1][torn.ensemble.microclusters.assignment]
    torn = torn.varied(pair=(0, int(np.flatnonzero(part != part[0])[0])))
    assert "no way leads over" in pictures()["walk"].sentence(torn)


def test_walkers_on_two_sides_of_a_tree_are_said_never_to_meet():
    plain = scene_of(data="iris", K="1", T="200")
    part, sides, first = plain.connected_parts, plain.meeting_parts, plain.ensemble.microclusters.representatives
    reached, met = (plain.graph.toarray() > 0).astype(float), np.eye(len(part), dtype=bool)
    step = reached
    for _ in range(2 * len(part)):
        met |= (reached @ reached.T) > 0
        reached = (reached @ step > 0).astype(float)
    joined = plain.graph.sum(axis=1) > 0
    assert ((sides[:, None] == sides) == met)[np.ix_(joined, joined)].all()
    a, b = np.argwhere((part[:, None] == part) & ~met)[0]
    scene = plain.varied(pair=(int(first[a]), int(first[b])))
    assert scene.walks.cosines[-1] == 0
    assert "They never meet" in pictures()["walk"].sentence(scene)
    assert "the part has two sides" in pages_walks._in_the_end(plain)
    assert "the part has two sides" not in pages_walks._in_the_end(scene_of(data="iris", K="10"))


def test_picked_objects_are_those_whose_links_are_shown():
    picked = scene_of(data="iris", pick="100-102")
    assert picked.node_in_focus == picked.walk_starts[0] == picked.ensemble.microclusters.assignment[100]
    assert picked.neighbors.node == picked.node_in_focus


@pytest.mark.parametrize("m", ["20", "100"])
def test_pairs_before_pruning_are_all_that_meet(m):
    scene = scene_of(data="iris", m=m)
    labels, truth = scene.ensemble.labels, scene.truth
    first, second = np.triu_indices(len(labels), 1)
    meet = (labels[first] == labels[second]).any(axis=1)
    right = truth[first] == truth[second]
    before = scene.pruning[0]
    assert (before.pairs.sum(), before.correct.sum()) == (meet.sum(), (meet & right).sum())
    assert f"{meet.sum():,} pairs of objects" in pictures()["links_before"].sentence(scene)


def test_another_choice_of_objects_forgets_pair_and_window():
    state = scene_of(data="iris", pair="3.5", zoom="0.9.0.9").config
    changed = state.with_(labelled=True)
    assert (state.pair, state.zoom, changed.pair, changed.zoom) == ((3, 5), (0, 9, 0, 9), (), ())


def test_a_film_takes_memory_for_its_steps_and_not_for_pairs():
    n, rng = 5_000, np.random.default_rng(0)
    walk, links = np.full((3, n), 1 / n), np.array([[0, 1], [1, 2]])
    tracemalloc.start()
    film = walk_film(rng.random((n, 2)), np.ones(n, int), links, np.ones(2), (walk, walk), (4, 0), np.ones(3), "light")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5e6 < 8 * n * n
    first = [trace["marker"]["color"] for trace in film.frames[0]["data"]]
    assert [np.flatnonzero(levels == 100).tolist() for levels in first] == [[4], [0]]
    assert [len(levels) for levels in first] == [n, n]


@pytest.mark.parametrize("values", [3, 10**6])
def test_the_links_drawn_are_the_strongest_weakest_first_and_of_equal_ones_the_last(values):
    weights = np.random.default_rng(0).integers(0, values, 60)
    for limit in (1, 10, 60, 100):
        kept, hidden = strongest(weights, limit)
        assert kept.tolist() == np.argsort(weights, kind="stable")[-limit:].tolist()
        assert hidden == max(0, 60 - limit)


def test_walkers_are_called_by_the_objects_they_set_out_from():
    scene = scene_of(data="iris", m="8", pair="10.40")
    for name in ("walk", "walk_places"):
        titles = [one["text"] for one in drawn(name, scene, "light").layout["annotations"][:2]]
        assert titles == ["walker of object 11", "walker of object 41"]
