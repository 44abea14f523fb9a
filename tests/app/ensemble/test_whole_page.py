"""The ensemble as a whole on its page: members are left out, kept by a strategy, and set against chance."""

import time
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1.element_tree import Block

from engine.selection import known_strategies, select
from tests.app.conftest import charts, words
from tests.app.ensemble.test_whole_ensemble import pool
from tests.app.test_doors import brought
from tests.scenes import scene_of
from ui import ensemble as panels
from ui import how_many as how_many
from ui.session.run_config import RunConfig
from ui.session.state import page_file
from ui.widgets import dots

FEW = {"data": "iris", "m": "8", "k": "3"}


def settled(at, key):
    """The page once a picture is there."""
    end = time.monotonic() + 60
    while key not in charts(at) and time.monotonic() < end:
        time.sleep(0.2)
        at.run()
    assert not at.exception
    return at


def opened(at, key):
    """The page with a folded part open."""
    at.session_state[key] = True
    return at.run()


def test_the_map_stands_first_and_names_what_is_marked(app):
    at = settled(app("ensemble", **FEW), "partition_map")
    assert list(charts(at))[0] == "partition_map"
    names = {trace.get("name") for trace in charts(at)["partition_map"]["data"]}
    assert {"base clusterings", "consensus", "truth"} <= names
    assert "Stress 1 of the map is" in words(at)


def test_of_many_dots_the_marks_are_a_sheet_of_their_own(app, monkeypatch):
    monkeypatch.setattr(panels, "_MANY_DOTS", 8)
    at = settled(app("ensemble", **FEW), "partition_map_marks")
    before = charts(at)
    assert {trace.get("name") for trace in before["partition_map"]["data"]} == {"base clusterings", None}
    assert "◇ consensus, ☆ truth" in words(at)
    ids = {one.proto.id for one in at.get("plotly_chart")}
    at.session_state.run_config = at.session_state.run_config.with_(k=2)
    after = settled(at.run(), "partition_map_marks")
    kept = ids & {one.proto.id for one in after.get("plotly_chart")}
    assert [one.rsplit("-", 1)[-1] for one in kept if "partition_map" in one] == ["partition_map"]


@pytest.mark.parametrize("kinds", [1, 2])
def test_a_map_whose_dots_a_mark_would_move_is_one_sheet(app, monkeypatch, kinds):
    monkeypatch.setattr(panels, "_MANY_DOTS", 8)
    truth = np.repeat([0, 1, 2], 20)
    columns = [np.roll(truth, 7 * (place % kinds)) for place in range(8)]
    at = settled(app("ensemble", data=pool(columns), k="3"), "partition_map")
    assert "partition_map_marks" not in charts(at)
    assert "consensus" in {trace.get("name") for trace in charts(at)["partition_map"]["data"]}


def test_the_map_is_there_where_the_method_cannot_run(app):
    at = settled(app("ensemble", data=brought("missing"), method="pta"), "partition_map")
    assert "what is near is alike" in words(at)
    assert "consensus" not in {trace.get("name") for trace in charts(at)["partition_map"]["data"]}
    assert {"map_answer", "map_scree"}.isdisjoint(charts(at))
    assert "begin_map_scree" not in {one.key for one in at.button}


def test_every_base_clustering_is_carried_by_one_dot():
    from ui.pictures import drawn

    figure = drawn("partition_map", scene_of(**FEW), "light")
    dots = next(trace for trace in figure.data if trace.get("name") == "base clusterings")
    assert sorted(member for members in dots["customdata"] for member in members) == list(range(8))


def picked(at, members):
    at.session_state[panels._PICKED] = scene_of(**FEW).ensemble.fingerprint, members
    return at.run()


@pytest.mark.parametrize(("button", "left"), [("keep_members", (1, 4)), ("drop_members", (0, 2, 3, 5, 6, 7))])
def test_picked_members_are_kept_or_left_out(app, button, left):
    at = settled(app("ensemble", **FEW), "partition_map")
    assert at.button(key=button).disabled
    picked(at, [1, 4])
    assert "**2 base clusterings** picked" in words(at)
    at.button(key=button).click().run()
    assert at.session_state.run_config.switched_off == tuple(sorted(set(range(8)) - set(left)))
    assert at.button(key=button).disabled  # it has been done
    assert f"8 base clusterings ({8 - len(left)} left out: hollow)" in words(settled(at, "map_answer"))
    at.button(key="all_members").click().run()
    assert at.session_state.run_config.switched_off == ()


def test_buttons_keep_their_place_whether_or_not_a_picture_is_above_them(app):
    at = settled(app("ensemble", **FEW), "partition_map")

    def places(at):
        inside = [(place, child) for column in at.columns for place, child in column.children.items()]
        blocks = [(place, child) for place, child in inside if isinstance(child, Block)]
        return [place for place, child in blocks if "keep_members" in [one.key for one in child.get("button")]]

    none, one, two = (places(picked(at, members)) for members in ([], [1], [1, 4]))
    assert none == one == two != []


def test_base_clusterings_that_were_left_out_can_be_picked_and_taken_back(app):
    at = picked(settled(app("ensemble", **FEW, switched_off="1.2.3.4"), "partition_map"), [0, 1, 4])
    assert "**3 base clusterings** picked" in words(at)
    assert "2 of them left out" in words(at)
    at.button(key="return_members").click().run()
    assert at.session_state.run_config.switched_off == (2, 3)
    assert "return_members" not in {one.key for one in at.button}
    picked(at, [2])
    assert ", left out." in words(at)
    assert at.button(key="drop_members").disabled
    at.button(key="keep_members").click().run()
    assert at.session_state.run_config.switched_off == (0, 1, 3, 4, 5, 6, 7)
    picked(at, list(range(8)))
    assert at.button(key="drop_members").disabled  # one stays on
    assert not at.button(key="keep_members").disabled


@pytest.mark.parametrize("strategy", known_strategies())
def test_a_strategy_keeps_what_the_engine_selects(app, strategy):
    at = settled(app("ensemble", **FEW, strategy=strategy, keep="0.5"), "selection")
    kept = select(scene_of(**FEW).ensemble, strategy, 4, 3, seed=7)
    at.button(key="keep_chosen").click().run()
    assert at.session_state.run_config.switched_off == tuple(sorted(set(range(8)) - set(kept.tolist())))


def test_choices_are_set_against_chance_when_asked_for(app):
    at = settled(app("ensemble", data="iris", m="5", k="3", method="eac"), "selection")
    at.button(key="begin_selections").click().run()
    at = settled(at, "selection_cloud")
    assert "Outside the cloud lie" in words(at)


def test_two_base_clusterings_leave_nothing_to_choose(app):
    at = settled(app("ensemble", data="iris", m="2", k="3"), "partition_map")
    assert "needs at least three base clusterings" in words(at)


def test_the_tree_over_k_stands_on_how_many(app):
    at = settled(app("how_many", data="iris", m="6", k_max="4"), "tree_at_3")
    assert "Click a cluster, and its objects are picked" in words(at)


def test_one_that_was_clicked_stands_beside_the_truth(app):
    at = settled(app("ensemble", **FEW), "partition_map")
    at.session_state[panels._PICKED] = scene_of(**FEW).ensemble.fingerprint, [2]
    at.run()
    titles = [one["text"] for one in charts(at)["picked_member"]["layout"]["annotations"]]
    assert titles[:2] == [f"k = {scene_of(**FEW).ensemble.n_clusters_each[2]}", "the truth"]
    assert f"NMI (max) {scene_of(**FEW).base_scores[2]:.3f}" in words(at)


@pytest.mark.parametrize(("distance", "unit"), [("nmi", "1 - NMI (max)"), ("element_centric", "element-centric")])
def test_the_map_has_other_distances(app, distance, unit):
    at = settled(app("ensemble", **FEW, map_distance=distance), "partition_map")
    assert unit in charts(at)["partition_map"]["layout"]["xaxis"]["title"]["text"]


def test_answers_that_were_asked_stand_on_the_map(app):
    at = settled(app("compare", **FEW, methods="eac,lwea,got"), "answers")
    at.switch_page(page_file("ensemble")).run()
    at = settled(at, "partition_map")
    names = {trace.get("name") for trace in charts(at)["partition_map"]["data"]}
    assert {"consensus", "EAC", "GoT", "truth"} <= names
    assert "LWEA" not in names  # that is the consensus


def test_answers_that_another_session_asked_stay_off_the_map(app):
    few = {**FEW, "seed": "11"}
    settled(app("compare", **few, methods="eac,got"), "answers")
    at = settled(app("ensemble", **few, methods="eac,got"), "partition_map")
    names = {trace.get("name") for trace in charts(at)["partition_map"]["data"]}
    assert {"consensus", "truth"} <= names
    assert not {"EAC", "GoT"} & names


def test_clicks_in_a_tree_pick_a_cluster_or_name_a_row(monkeypatch):
    rows, taken = {"2": np.array([0, 0, 1, 1]), "3": np.array([0, 2, 1, 1])}, []
    monkeypatch.setattr(dots, "pick", lambda objects, words: taken.append((objects.tolist(), words)))
    for carried, row in (([1, 1], None), ([1], 1), ([], None)):
        selection = SimpleNamespace(points=[{"customdata": carried}])
        monkeypatch.setattr(dots.st, "session_state", {"tree": SimpleNamespace(selection=selection)})
        assert dots.pick_node("tree", rows) == row
    assert taken == [([2, 3], "cluster 2 of 3")]


def test_a_part_of_the_plane_and_colours_hold_for_what_they_were_taken_from(monkeypatch):
    session = {dots._SHOWN: (("iris", False), "colours")}
    monkeypatch.setattr(dots.st, "session_state", session)
    iris = RunConfig(data="iris", k=3)
    assert dots.earlier(iris.with_(k=4)) == "colours"
    assert dots.earlier(iris.with_(labelled=True)) is None
    session |= {dots._WINDOW: (dots._plane(iris), (0, 1, 0, 1))}
    assert dots.window(iris.with_(k=4)) == (0, 1, 0, 1)
    for other in ({"scaling": "none"}, {"view": "tsne"}, {"data": "wine"}, {"labelled": True}):
        assert dots.window(iris.with_(**other)) is None


def test_a_ring_of_the_tree_takes_its_k(monkeypatch):
    taken = []
    monkeypatch.setattr(how_many, "pick_node", lambda key, rows: 1)
    monkeypatch.setattr(how_many, "change", lambda **changes: taken.append(changes))
    how_many._take_leaf("tree", {"2": np.zeros(3), "5": np.zeros(3)})
    assert taken == [{"k": 5}]


def test_base_clusterings_stand_below_each_other_by_k(app):
    at = settled(app("ensemble", **FEW), "partition_map")
    assert "members_tree" not in charts(at)  # nobody has opened it yet
    at = settled(opened(at, "tree_of_members"), "members_tree")
    ticks = charts(at)["members_tree"]["layout"]["yaxis"]["ticktext"]
    assert [int(one) for one in ticks] == sorted(scene_of(**FEW).ensemble.n_clusters_each.tolist())
    assert "reliability" in words(at)


def test_answers_stand_below_each_other_by_name(app):
    at = opened(app("compare", **FEW, methods="lwea,eac,got"), "answers_as_tree")
    at = settled(at, "answers_tree")
    assert list(charts(at)["answers_tree"]["layout"]["yaxis"]["ticktext"]) == ["EAC", "GoT", "LWEA"]


def test_the_scree_of_the_map_comes_when_asked_for(app):
    at = settled(app("ensemble", **FEW), "partition_map")
    assert "map_scree" not in charts(at)
    at.button(key="begin_map_scree").click().run()
    at = settled(at, "map_scree")
    assert "Stress 1 falls from" in words(at)


def test_two_methods_say_how_many_are_enough(app):
    at = settled(app("ensemble", data="iris", m="5", k="3", method="lwea", method_beside="eac"), "selection")
    at.button(key="begin_numbers_of_members").click().run()
    end = time.monotonic() + 60
    while (
        "EAC" not in {t.get("name") for t in charts(at).get("enough", {"data": []})["data"]} and time.monotonic() < end
    ):
        time.sleep(0.3)
        at.run()
    assert {"LWEA", "EAC"} <= {trace.get("name") for trace in charts(at)["enough"]["data"]}
    assert "**EAC**: NMI (max) of the consensus" in words(at)
