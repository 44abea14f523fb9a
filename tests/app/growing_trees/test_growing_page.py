import numpy as np
import pytest

from engine import run_consensus
from engine.evidence import shortest_paths
from tests.app.conftest import words
from tests.scenes import scene_of
from ui.compute import uploads
from ui.figures.objects.forests import HIDDEN
from ui.figures.style import INKS
from ui.pictures import drawn
from ui.pictures.mechanisms import grown_words
from ui.pictures.objects import colors_of
from ui.session.run_config import RunConfig
from ui.session.state import page_file
from ui.why import Pair, of_growth


@pytest.fixture(scope="module")
def scene():
    return scene_of(data="iris", m="12", method="got")


def test_the_page_grows_what_the_method_grows(scene):
    result = run_consensus("got", scene.ensemble, 3)
    assert (scene.prototypes == result.trace["prototypes"]).all()
    assert (scene.growth.tree == result.trace["growth"].tree).all()
    assert (scene.ground.density == result.trace["density"]).all()
    assert (scene.forest == result.labels).all()


def test_prototypes_may_be_picked_by_hand(scene):
    by_hand = scene.varied(roots=(1, 4, 9))
    assert by_hand.prototypes.tolist() == [1, 4, 9]
    assert by_hand.config.with_(m=9).roots == ()
    assert len(scene.varied(roots=(1, 99_999)).prototypes) == 3


def test_nearest_prototypes_are_those_of_the_distance(scene):
    roots, nearest, refined = scene.prototypes, scene.nearest_tree, scene.ground.steps
    for node in range(len(nearest)):
        assert refined[node, roots[nearest[node]]] == refined[node, roots].min()
    assert nearest[roots].tolist() == [0, 1, 2]


def test_the_film_begins_with_prototypes_and_ends_with_the_forest(scene):
    grown = scene.growth
    film = drawn("forest", scene, "light").to_plotly()
    first, last = (np.asarray(film.frames[i].data[-2].marker.color) for i in (0, -1))
    assert (first > 0).sum() == 3
    expand = scene.ensemble.microclusters.expand
    assert (expand(last - 1) == colors_of(scene, scene.forest)[scene.forest]).all()  # as in the answer beside it
    assert len(film.frames) == grown.n_rounds + 1
    shown = [sum("0.8)" in trace.line.color for trace in frame.data[:-2]) for frame in film.frames]
    assert shown[0] == 0
    assert (np.diff(shown) >= 0).all()


def links_of(film, frame) -> list[tuple]:
    """Both ends of every link that can be seen in a frame, (x, y, x, y)."""
    seen = []
    for place, changed in zip(frame["traces"], frame["data"], strict=True):
        if changed.get("line", {}).get("color", HIDDEN) != HIDDEN:
            ends = np.column_stack([film.data[place]["x"], film.data[place]["y"]]).astype(np.float32)
            seen += map(tuple, ends.reshape(-1, 3, 2)[:, :2].reshape(-1, 4).tolist())
    return sorted(seen)


@pytest.mark.parametrize("given", [{"data": "iris"}, {"data": "wine", "k": "30"}, {"data": "digits", "k": "40"}])
def test_every_link_appears_in_the_round_it_is_made_in(given):
    given = scene_of(**given)
    grown, places, film = given.growth, given.node_places.astype(np.float32), drawn("forest", given, "light")
    for r, frame in enumerate(film.frames):
        made = np.flatnonzero((grown.linked_to >= 0) & (grown.round <= r))
        links = np.hstack([places[made], places[grown.linked_to[made]]])
        assert links_of(film, frame) == sorted(map(tuple, links.tolist()))


def test_every_tree_has_one_colour_and_every_link_says_how_clear_it_was(scene):
    grown, film = scene.growth, drawn("forest", scene, "light").to_plotly()
    lines = {trace.line.color for trace in film.data if trace.type == "scattergl" and trace.mode == "lines"}
    assert len(lines) == 3  # as many as trees: each has one, and nothing is hidden once all have grown
    (links,) = (trace for trace in film.data if trace.name == "links")
    joined = np.flatnonzero(grown.linked_to >= 0)
    assert len(links.text) == len(joined)
    for told, node in zip(links.text, joined, strict=True):
        assert told.endswith(f"margin {grown.margin[node]:.3f}")
        assert f"in round {grown.round[node]}" in told


def test_the_link_that_misleads_most_is_found_by_following_every_node_to_its_root(scene):
    grown, sizes, classes = scene.growth, scene.ensemble.microclusters.sizes, scene.node_classes
    hanging = np.zeros(len(sizes), int)
    for node in range(len(sizes)):
        at = node
        while at >= 0:
            hanging[at] += sizes[node]
            at = grown.linked_to[at]
    crossing = [n for n in range(len(sizes)) if grown.linked_to[n] >= 0 and classes[n] != classes[grown.linked_to[n]]]
    found = scene.wrong_link
    assert found.n_objects == max(hanging[crossing])
    assert hanging[found.node] == found.n_objects
    assert classes[found.node] != classes[found.joined]
    assert scene.with_given(node_classes=np.zeros(len(sizes), int)).wrong_link is None


def test_moons_say_which_link_misled_them(app):
    assert "hang on one link between two classes" in words(app("growing_trees", data="moons", seed="7"))


def test_a_page_shows_what_it_is_best_seen_on_until_somebody_chooses(app):
    at = app("growing_trees")
    assert (at.session_state.run_config.data, at.session_state.run_config.k_range) == ("bridged_blobs", (8, 16))
    at.switch_page(page_file("enhanced_matrix")).run()
    at.run()
    assert at.session_state.run_config.data == "uneven_blobs"
    at.sidebar.selectbox(key="data").set_value("wine").run()
    at.switch_page(page_file("growing_trees")).run()
    at.run()
    assert at.session_state.run_config.data == "wine"
    assert app("growing_trees", data="moons").session_state.run_config.data == "moons"


def test_what_a_lesson_shows_is_chosen(app):
    at = app("start")
    at.session_state.run_config = at.session_state.run_config.with_(lesson="votes")  # on the data a session begins with
    at.switch_page(page_file("growing_trees")).run()
    assert at.run().session_state.run_config.data == RunConfig().data


def test_the_timeline_is_the_scrubber(scene):
    film = drawn("forest", scene, "light").to_plotly()
    (bars,) = (trace for trace in film.data if trace.name == "rounds")
    assert bars.y.tolist() == [0, *scene.growth.joined]
    lit = [list(frame.data[-1].marker.color) for frame in film.frames]
    assert [len(set(colors[:r] + colors[r + 1 :])) for r, colors in enumerate(lit)] == [1] * len(lit)
    assert all(colors[r] not in colors[:r] + colors[r + 1 :] for r, colors in enumerate(lit))
    slider, n = film.layout.sliders[0], len(lit)
    low, high = film.layout.xaxis2.range
    left, right = film.layout.xaxis2.domain
    middles = [left + (right - left) * (r - low) / (high - low) for r in (0, n - 1)]
    np.testing.assert_allclose([slider.x, slider.x + slider.len], middles)


def test_the_decision_graph_marks_the_prototypes(scene):
    sizes = np.asarray(drawn("decision", scene, "dark").to_plotly().data[-1].marker.size)
    assert np.flatnonzero(sizes > 10).tolist() == sorted(scene.prototypes.tolist())


def test_whoever_joins_in_a_round_is_painted_as_clear_enough(scene):
    alone = []
    for r in range(1, scene.growth.n_rounds + 1):
        figure = drawn("margins", scene.varied(round=r), "light").to_plotly()
        (bars,), (said,) = figure.data, figure.layout.annotations
        painted = np.asarray(bars.y)[np.array(bars.marker.color) == INKS["light"].accent].sum()
        assert painted == scene.growth.joined[r - 1]
        alone.append(len(bars.y) == 1)
        assert len(figure.layout.shapes) == (not alone[-1])
        assert said.text == ("all margins are equal, which divides nobody" if alone[-1] else "Otsu's threshold")
    assert set(alone) == {False, True}, "a round of one margin is missing, or this shows nothing"


def test_the_reason_tells_when_each_joined(scene):
    growth, assignment = scene.recorded.trace["growth"], scene.ensemble.microclusters.assignment
    tree, joined = growth.tree[assignment], growth.round[assignment]
    root = int(np.flatnonzero(joined == 0)[0])
    other = int(np.flatnonzero((tree != tree[root]) & (joined > 1))[0])
    (text,) = of_growth(Pair(root, other, scene))
    margin = growth.margin[assignment[other]]
    assert "they end in two trees; object i belongs to a prototype; " in text
    assert f"object j joined in round {joined[other]} with a margin of {margin:.3f}." in text
    beside = int(np.flatnonzero((tree == tree[other]) & (assignment != assignment[other]))[0])
    assert "they end in one tree" in next(iter(of_growth(Pair(other, beside, scene))))
    assert list(of_growth(Pair(0, other, scene.varied(method="eac")))) == []


def test_paths_shorten_no_distance_and_the_page_says_so(scene, app):
    steps, m = scene.ground.steps, scene.ensemble.n_clusterings
    assert (shortest_paths(steps, m) == steps).all()
    assert "Paths shorten none of the distances" in words(app("growing_trees", data="iris", m="12"))


def test_k_moves_the_prototypes_and_the_url(app):
    at = app("growing_trees", data="iris", m="12")
    at.slider(key="grow_k").set_value(5).run()
    assert "**5 trees**" in words(at)
    assert at.query_params["k"] in ("5", ["5"])


def test_prototypes_of_the_url_are_used_and_can_be_dropped(app):
    at = app("growing_trees", data="iris", m="12", roots="0.3.8.11")
    assert "**4 trees**" in words(at)
    at.button(key="drop_roots").click().run()
    assert "**3 trees**" in words(at)


@pytest.mark.parametrize("data", ["moons", "spirals", "uneven_blobs", "bridged_blobs", "circles"])
def test_all_shapes_grow(app, data):
    assert "trees** took in" in words(app("growing_trees", data=data, m="10"))


def test_labels_alone_grow_and_compare(app):
    rows = "\n".join(",".join(str((i // (m + 2)) % 4) for m in range(5)) for i in range(40))
    at = app("growing_trees", data=uploads.keep_file("members.csv", rows.encode(), "labels").id, m="5")
    at.toggle(key="nearest").set_value(True).run()
    assert "The two differ in" in words(at)


def test_one_microcluster_is_explained(app):
    same = uploads.keep_file("one.csv", b"\n".join([b"1,1"] * 8), "labels").id
    assert "one microcluster" in words(app("growing_trees", data=same, m="2"))


def test_more_trees_than_the_slider_offers_are_shown_where_k_is_larger(app):
    at = app("growing_trees", data="moons", k="50")
    assert not at.exception
    assert (at.slider(key="grow_k").value, at.slider(key="grow_k").max) == (50, 50)


def test_nobody_is_said_to_have_followed_where_nobody_came_later():
    alone, led = scene_of(data="wine", m="2", method="got"), scene_of(data="iris", m="2", method="got")
    assert alone.wrong_link.n_objects == alone.ensemble.microclusters.sizes[alone.wrong_link.node] == 14
    assert "**14 objects** hang on one link" in grown_words(alone)
    assert "who came later" not in grown_words(alone)
    assert "who came later followed" in grown_words(led)
