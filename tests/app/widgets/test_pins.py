"""The present setting is pinned as A, and pages show A and B."""

import json

import numpy as np
import pytest

from tests.app.compute.test_jobs import until
from tests.app.conftest import words
from tests.scenes import scene_of
from ui.compute import uploads
from ui.report.tables import ensemble_rows
from ui.scene import Scene
from ui.session.run_config import RunConfig
from ui.session.settings import method_concepts
from ui.session.state import page_file
from ui.widgets.knobs import automatic
from ui.widgets.pins import Pins, moved

PAGES = {
    "walks": ("param_T", 9),
    "enhanced_matrix": ("param_alpha", 0.7),
    "consensus": ("param_theta", 4.0),
}


def keys(at) -> set[str]:
    """Keys of the figures on a page."""
    return {chart.proto.id.rsplit("-", 1)[-1] for chart in at.get("plotly_chart")}


@pytest.mark.parametrize("page", PAGES)
def test_a_pinned_setting_stays_as_A_while_a_knob_moves(app, page):
    knob, value = PAGES[page]
    at = app(page, data="iris", m="12")
    alone = len(at.get("plotly_chart"))
    at.button(key="pin").click().run()
    assert len(at.get("plotly_chart")) == alone
    assert "Move a knob" in words(at)
    at.select_slider(key=knob).set_value(value).run()
    assert not at.exception
    until(lambda: "moved to another cluster" in words(at.run()), 30)
    assert any(name.endswith("_A") for name in keys(at))
    at.button(key="unpin").click().run()
    assert "moved to another cluster" not in words(at)
    assert not any(name.endswith("_A") for name in keys(at))


def test_a_knob_of_another_method_makes_no_B(app):
    """Those who walk answer with PTA, which has no theta."""
    at = app("consensus", data="iris", m="12")
    at.button(key="pin").click().run()
    at.session_state.run_config = at.session_state.run_config.with_(theta=0.1)
    assert "A has θ = 0.4 (B: 0.1)" in words(at.run())
    at.switch_page(page_file("walks")).run()
    until(lambda: "pinned as A. Move a knob" in words(at.run()), 30)
    assert not any(name.endswith("_A") for name in keys(at))


@pytest.mark.parametrize("page", ["enhanced_matrix", "growing_trees"])
def test_a_that_misses_labels_is_not_drawn_where_they_are_needed(app, page):
    at = app("consensus", data="iris", m="6", generator="subsampling", k="3")
    at.button(key="pin").click().run()
    at.session_state.run_config = at.session_state.run_config.with_(lend=True)
    at.switch_page(str(page_file(page))).run()
    assert words(at).count("needs a label of every object") == 1
    assert keys(at)
    assert not any(name.endswith("_A") for name in keys(at))
    assert not {"lend_labels", "labelled_only"} & {one.key for one in at.button}
    at.button(key="unpin").click().run()
    assert "needs a label" not in words(at)


def test_trees_from_other_roots_stand_beside_those_pinned(app):
    at = app("growing_trees", data="iris", m="12")
    at.button(key="pin").click().run()
    at.slider(key="grow_k").set_value(5).run()
    assert "k = auto, 3 (B: 5)" in words(at)
    until(lambda: "moved to another cluster" in words(at.run()), 30)


def test_what_decides_on_one_page_alone_is_pinned_there_alone(app):
    at = app("subspaces", data="iris", m="6", lac_inverse_h="5")
    until(lambda: "pin" in {one.key for one in at.run().button}, 60)
    at.button(key="pin").click().run()
    at.select_slider(key="lac_inverse_h").set_value(0.5).run()
    until(lambda: "moved to another cluster" in words(at.run()), 30)  # on a busy machine both are still computed
    assert "1/h = 5.0 (B: 0.5)" in words(at)
    assert {"ellipses", "ellipses_A", "weights", "weights_A"} <= keys(at)
    layouts = [json.loads(one.proto.spec)["layout"] for one in at.get("plotly_chart") if "ellipses" in one.proto.id]
    assert len({layout["xaxis"]["title"]["text"] for layout in layouts}) == 1  # A and B along the same features
    assert len({layout["yaxis"]["title"]["text"] for layout in layouts}) == 1
    at.switch_page(page_file("walks")).run()
    at.run()
    assert "moved to another cluster" not in words(at)


@pytest.mark.parametrize(
    ("there", "settings"),
    [
        ("enhanced_matrix", {"ablation": "no_laplacian"}),
        ("growing_trees", {"roots": (0, 5)}),
        ("subspaces", {"lac_inverse_h": 0.5}),
    ],
)
def test_what_decides_on_one_page_makes_no_b_on_another(app, there, settings):
    """Two sides that were the same stood beside each other, and one partition had two scores on two pages."""
    at = app("consensus", data="uneven_blobs", m="6", method="ec_cms")
    at.button(key="pin").click().run()
    at.session_state.run_config = at.session_state.run_config.with_(**settings)
    until(lambda: "pinned as A. Move a knob" in words(at.run()), 30)
    assert not any(name.endswith("_A") for name in keys(at))
    at.switch_page(page_file(there)).run()
    until(lambda: "A has " in words(at.run()), 60)
    assert f"A has {next(iter(settings)).replace('lac_inverse_h', '1/h')} = " in words(at)


def test_the_number_of_base_clusterings_makes_no_other_subspaces(app):
    at = app("subspaces", data="iris", m="6")
    until(lambda: "pin" in {one.key for one in at.run().button}, 60)
    at.button(key="pin").click().run()
    at.session_state.run_config = at.session_state.run_config.with_(m=7)
    until(lambda: "pinned as A. Move a knob" in words(at.run()), 30)
    assert not any(name.endswith("_A") for name in keys(at))


def test_a_pin_is_forgotten_where_another_data_set_is_looked_at(app):
    at = app("walks", data="iris", m="12")
    at.button(key="pin").click().run()
    at.selectbox(key="data").set_value("wine").run()
    at.select_slider(key="param_K").set_value(7).run()
    assert "moved to another cluster" not in words(at)


def test_who_moved_does_not_depend_on_names_of_clusters():
    first = np.array([0, 0, 0, 1, 1, 2])
    second = np.array([2, 2, 1, 0, 0, 1])
    scene = Scene(RunConfig(data="iris"), truth=None)
    assert "**1 object** of 6" in moved(scene, scene, first, second)
    assert "NMI 1.00" in moved(scene, scene, first, first)


def test_objects_that_are_set_aside_in_one_of_both_are_not_followed(app):
    labels = np.column_stack([np.repeat([0, 1, 2], 8)] * 3)
    labels[[0, 9, 10, 20], [0, 1, 2, 0]] = -1
    rows = "\n".join(",".join("" if one < 0 else str(one) for one in row) for row in labels)
    gaps = uploads.keep_file("gaps.csv", b"a,b,c\n" + rows.encode(), "labels").id
    at = app("consensus", data=gaps, k="3")
    at.button(key="pin").click().run()
    at.session_state.run_config = at.session_state.run_config.with_(labelled=True)
    until(lambda: "moved to another cluster" in words(at.run()), 30)
    assert not at.error
    assert "**0 objects** of 20 that are in both moved" in words(at)
    assert at.button(key="unpin")


def test_the_same_objects_are_picked_where_others_are_set_aside_in_a(app):
    labels = np.column_stack([np.repeat([0, 1, 2], 8)] * 3)
    labels[[0, 9], [0, 1]] = -1
    rows = "\n".join(",".join("" if one < 0 else str(one) for one in row) for row in labels)
    gaps = uploads.keep_file("aside.csv", b"a,b,c\n" + rows.encode(), "labels").id
    everywhere = {"labelled": True, "pick": ((3, 3), (9, 10)), "pair": (10, 3)}
    b = scene_of(data=gaps, k="3").varied(**everywhere)
    assert b.source.rows[[3, 9, 10]].tolist() == [4, 11, 12]
    a = Pins()._a(b.config.with_(labelled=False), b)
    assert (a.mark, a.picked.tolist(), a.two_objects) == ("A", [4, 11, 12], (12, 4))
    back = Pins()._a(b.config, a)
    assert (back.picked.tolist(), back.two_objects) == ([3, 9, 10], (10, 3))
    only = a.varied(pick=((9, 9),), pair=(0, 9)).with_given(picked=np.array([9]))
    assert Pins()._a(b.config, only).picked is None
    beyond = b.varied(pick=((3, 3), (99, 99)), pair=(3, 99)).with_given(picked=np.array([3, 99]))
    a = Pins()._a(b.config.with_(labelled=False), beyond)
    assert (a.picked.tolist(), a.config.pair) == ([4], ())


def test_a_is_drawn_with_the_sample_it_was_pinned_with(app):
    at = app("consensus", data="spirals", sample="100")
    at.button(key="pin").click().run()
    at.session_state.run_config = at.session_state.run_config.with_(sample=None)
    until(lambda: "moved to another cluster" in words(at.run()), 30)
    assert "A has sample = 100 (B: auto)" in words(at)
    assert "LWEA joins a sample of 100 objects" in words(at)


def test_only_what_decides_an_answer_is_a_difference():
    one = Scene(RunConfig(data="iris"))
    assert Pins().differences(one, one.varied(pair=(3, 4), color="density", measure="ari")) == []
    assert Pins().differences(one, one.varied(theta=0.1, m=30)) == ["M = auto, 20 (B: 30)", "θ = 0.4 (B: 0.1)"]
    walked = one.varied(K=9, theta=0.1)
    assert Pins().differences(one, walked) == ["θ = 0.4 (B: 0.1)"]  # LWEA has no K
    assert Pins(lambda scene: "pta").differences(one, walked) == ["K = auto, 4 (B: 9)"]
    other = one.varied(method="pta", K=9)
    assert Pins().differences(one, other) == ["method = LWEA (B: PTA)", "K = auto, 4 (B: 9)"]
    assert Pins(lambda scene: "pta").differences(one, other) == ["K = auto, 4 (B: 9)"]


def test_what_nobody_chose_is_what_it_comes_to():
    one = scene_of(data="iris", m="8")
    assert one.wanted_k == 3
    assert Pins().differences(one, one.varied(k=3)) == []
    assert Pins().differences(one, one.varied(k=4)) == ["k = auto, 3 (B: 4)"]
    neighbours = Pins(lambda scene: "pta")
    assert neighbours.differences(one, one.varied(K=automatic(one, method_concepts()["K"]))) == []
    assert Pins().differences(one.varied(m=None), one.varied(m=20)) == []


def test_a_generator_that_is_not_asked_makes_no_difference():
    one = scene_of(data="iris", m="8")
    assert Pins().differences(one, one.varied(inverse_h=(0.2, 1000.0))) == []
    lac = one.varied(generator="lac")
    assert Pins().differences(lac, lac.varied(inverse_h=(0.2, 1000.0))) == ["1/h = 0.1-1000 (B: 0.2-1000)"]
    assert "generator = k-means (B: LAC, weighted features)" in Pins().differences(one, lac)
    file = scene_of(data=uploads.keep_file("made.csv", b"a,b,c\n" + b"0,0,1\n1,1,1\n1,0,0\n0,1,1\n" * 3, "labels").id)
    assert Pins().differences(file, file.varied(generator="lac", n_init=3)) == []


def test_base_clusterings_and_roots_are_called_as_in_the_report():
    b = scene_of(data="iris", m="6")
    a = b.varied(switched_off=(0, 3), roots=(4, 17))
    assert Pins(also=("roots",)).differences(a, b) == ["switched off = 1, 4 (B: none)", "roots = 5, 18 (B: none)"]
    assert dict(ensemble_rows(a))["Switched off"] == "1, 4"
    named = uploads.keep_file("named.csv", b"gmm,k_means,ward\n" + b"0,0,1\n1,1,1\n1,0,0\n0,1,1\n" * 3, "labels").id
    b = scene_of(data=named, k="2")
    assert Pins().differences(b, b.varied(switched_off=(1,))) == ["switched off = none (B: k\\_means)"]


def test_the_bar_counts_base_clusterings_from_1(app):
    at = app("consensus", data="iris", m="6", switched_off="0.3")
    at.button(key="pin").click().run()
    at.session_state.run_config = at.session_state.run_config.with_(switched_off=())
    assert "A has switched off = 1, 4 (B: none)" in words(at.run())
