"""One value of a knob for the whole app, and pictures that follow all of them."""

import numpy as np
import pytest

from engine import evidence
from tests.app.conftest import words
from tests.scenes import scene_of
from ui.compute import uploads
from ui.compute.work import key_of
from ui.scene import nodes
from ui.session.state import page_file


@pytest.mark.parametrize(
    ("method", "name", "values"), [("lwea", "theta", "0.05 4.0"), ("eac", "linkage", "single average")]
)
def test_walking_too_long_follows_every_knob_of_the_consensus(method, name, values):
    keys, labels = [], []
    for value in values.split():
        scene = scene_of(data="wine", m="10", K="3", method=method, **{name: value})
        walked = scene.with_given(walked=scene.consensus)
        keys.append(key_of(nodes()["cluster_mixing"].make, *walked.inputs("cluster_mixing")))
        labels.append(scene.consensus.labels)
    assert (labels[0] != labels[1]).any()
    assert keys[0] != keys[1]


def test_the_film_of_similarities_follows_the_whole_order():
    scene = scene_of(data="wine", m="10", K="3")
    order = np.arange(20_000)
    late = order.copy()
    late[[-1, -2]] = late[[-2, -1]]
    film = nodes()["similarity_images"].make
    first, second = (key_of(film, scene.graph, scene.ensemble, 4, one) for one in (order, late))
    assert first != second


def test_another_method_keeps_K_and_the_link_shows_what_the_page_shows(app):
    at = app("walks", data="iris", m="8", K="1")
    assert at.select_slider(key="param_K").value == 1
    for method in ("ec_cms", "pta"):
        again = app("walks", data="iris", m="8", K="1", method=method)
        assert again.select_slider(key="param_K").value == 1
        assert again.session_state.run_config.to_query()["K"] == "1"
        assert "K = 1 keeps" in words(again)


def test_theta_is_one_on_consensus_matrices_and_ensemble(app):
    at = app("consensus", data="iris", m="8", theta="4.0")
    assert at.select_slider(key="param_theta").value == 4.0
    for page in ("matrices", "ensemble"):
        at.switch_page(page_file(page)).run()
        at.run()
        assert at.select_slider(key="param_theta").value == 4.0
    at.select_slider(key="param_theta").set_value(0.05).run()
    assert at.session_state.run_config.with_(method="ec_cms").method_params.theta == 0.05


@pytest.fixture
def pool():
    rows = np.random.default_rng(3).integers(4, size=(40, 12))
    return uploads.keep_file("twelve.csv", "\n".join(",".join(map(str, row)) for row in rows).encode(), "labels").id


def test_the_slider_of_M_shows_how_many_there_are_and_a_pool_leaves_it_alone(app, pool):
    at = app(None, data="iris", m="20")
    at.session_state.run_config = at.session_state.run_config.with_(data=pool)
    at.run()
    assert at.sidebar.slider(key="m_of_pool").value == 12
    assert "12 clusterings disagree" in words(at)
    assert "12 base clusterings" in words(at)
    at.session_state.run_config = at.session_state.run_config.with_(data="iris")
    at.run()
    assert at.sidebar.slider(key="m").value == 20
    assert "20 clusterings disagree" in words(at)


def test_a_pool_draws_as_many_as_a_person_says(app, pool):
    at = app(None, data=pool)
    at.sidebar.slider(key="m_of_pool").set_value(5).run()
    assert at.query_params["m"] in ("5", ["5"])
    at.run()  # the answer may still have been computed
    assert at.slider(key="start_m_of_pool").value == 5


def test_an_automatic_value_is_shown_with_a_way_back_once_it_was_moved(app):
    at = app("consensus", data="iris", m="8", method="pta")
    made = scene_of(data="iris", m="8").ensemble
    automatic = evidence.default_neighbors(len(made.microclusters))
    slider = at.select_slider(key="param_K")
    assert (slider.value, slider.label) == (automatic, f"K: auto = {automatic}")
    assert "auto_K" not in {button.key for button in at.button}
    slider.set_value(automatic + 2).run()
    assert at.session_state.run_config.K == automatic + 2
    assert at.select_slider(key="param_K").label == "K"
    assert at.button(key="auto_K").help == f"Back to automatic: {automatic}."
    at.button(key="auto_K").click().run()
    assert at.session_state.run_config.K is None
    assert at.select_slider(key="param_K").value == automatic


def test_the_automatic_clusters_of_LAC_are_as_many_as_classes(app):
    at = app("consensus", data="iris", m="4", generator="lac")
    slider = at.sidebar.select_slider(key="param_lac_k")
    assert (slider.value, slider.label) == (3, "k: auto = 3")


@pytest.mark.parametrize("chosen", [None, 8])
def test_a_knob_that_the_browser_meets_anew_on_another_page_is_sent_its_value(app, chosen):
    at = app("walks", data="moons", method="pta")
    if chosen:
        at.select_slider(key="param_K").set_value(chosen).run()
    value = at.select_slider(key="param_K").value
    for page in ("consensus", "walks"):
        at.switch_page(page_file(page)).run()
        slider = at.select_slider(key="param_K")
        assert slider.value == value
        assert slider.proto.set_value, "or the browser stands at the default, whatever was computed"
