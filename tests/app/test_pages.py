"""Every page, run without a browser, over data of every kind."""

import gc

import numpy as np
import pytest

from engine import consensus_methods
from engine.metrics import MEASURES
from engine.params import Number
from tests.app.conftest import ROOT, end_all_jobs, unexplained, words
from ui.compute import uploads
from ui.frame.warm_start import set_aside
from ui.scene import Scene

PAGES = sorted(path.stem.split("_", 1)[1] for path in (ROOT / "pages").glob("[0-9]*.py"))


@pytest.fixture
def label_upload():
    rows = "\n".join(",".join(str((i // (m + 2)) % 4) for m in range(5)) for i in range(40))
    return uploads.keep_file("members.csv", rows.encode(), "labels").id


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("data", ["moons", "iris", "two_gaussian_overlap"])
def test_pages_show_bundled_data(app, page, data):
    end_all_jobs()  # those of other pages would crowd out its own
    at = app(page, data=data, m="6")
    assert at.title
    assert not [one.value for one in at.error]


@pytest.mark.parametrize("page", PAGES)
def test_pages_show_labels_alone(app, page, label_upload):
    end_all_jobs()
    at = app(page, data=label_upload, m="5")
    assert not [one.value for one in at.error]


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ("published_tables", "lessons", "glossary")])
@pytest.mark.parametrize("query", [{"data": "upload-0000000000000000"}, {"data": "no such set"}])
def test_pages_without_data_say_what_to_do(app, page, query):  # three pages need none
    at = app(page, **query)
    assert len(at.error) == 1
    assert at.title


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("query", [{"m": "1"}, {"k_range": "2-2", "m": "3"}])
def test_pages_bear_thin_ensembles(app, page, query):
    app(page, data="moons", **query)


@pytest.mark.parametrize("method", consensus_methods())
def test_the_consensus_page_makes_widgets_for_every_method(app, method):
    made_by = {"memberships": "lac", "graph": "leiden"}
    needs = consensus_methods()[method].needs
    generator = next((key for need, key in made_by.items() if need in needs), "kmeans")
    at = app("consensus", data="iris", m="8", method=method, generator=generator)
    assert f"{consensus_methods()[method].title} joins" in words(at)
    keys = {w.key for kind in (at.select_slider, at.toggle) for w in kind}
    for spec in consensus_methods()[method].params.specs():
        if isinstance(spec.kind, Number) and not spec.kind.optional:
            assert f"param_{spec.concept}" in keys


def test_a_method_for_graphs_on_other_clusterings_offers_the_remedy(app):
    at = app("consensus", data="iris", m="8", method="ecg")
    assert "ECG needs a graph between the objects" in words(at)
    at.button(key="use_leiden").click().run()
    assert not at.exception
    assert "needs a graph" not in words(at)


@pytest.mark.parametrize("page", ["consensus", "start", "matrices"])
def test_a_soft_method_on_hard_labels_offers_the_remedy(app, page):
    at = app(page, data="iris", m="8", method="wspa")
    assert "needs soft memberships" in words(at)
    at.button(key="use_lac").click().run()
    assert not at.exception
    assert "needs soft memberships" not in words(at)


def test_a_method_without_its_package_is_listed_and_says_how_to_get_it(app, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    at = app("consensus", data="iris", m="8", method="hgpa")
    assert "HGPA (not installed)" in at.selectbox(key="method").options
    assert "pip install mtkahypar" in words(at)


def test_a_theta_from_the_url_is_shown_and_used(app):
    at = app("consensus", data="iris", m="8", theta="0.333")
    assert at.select_slider(key="param_theta").value == 0.333
    at.select_slider(key="param_theta").set_value(0.4).run()
    assert "theta" not in at.query_params


def test_too_many_clusters_are_explained_and_the_knobs_stay(app):
    at = app("consensus", data="iris", m="5", k="5000")
    n = len(Scene(at.session_state.run_config).ensemble.microclusters)
    assert f"k = 5,000 was asked for, but only {n} groups of objects can be told apart: k = {n}." in words(at)
    assert f"**{n} clusters**" in words(at)
    at.number_input(key="k_input").set_value(3).run()
    assert "was asked for" not in words(at)
    assert "**3 clusters**" in words(at)


def test_too_little_memory_names_methods_that_would_do(app, monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "4K")
    at = app("consensus", data="wine", m="10", seed="99", method="pta")
    assert "KCC" in at.error[0].value
    assert "LWGP" not in at.error[0].value, "a matrix between clusters does not fit either"
    assert "fewer base clusterings" in at.error[0].value
    assert at.selectbox(key="method")
    assert not app("consensus", data="wine", m="10", seed="99", method="lwea").error


def test_a_limit_that_is_no_size_is_said_instead_of_every_page(app, monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "plenty")
    (error,) = app().error
    assert "CONCORD_MEMORY_LIMIT must be a size such as 800M or 2G. Got 'plenty'" in error.value


def test_one_and_equal_base_clusterings_are_remarked(app, label_upload):
    at = app("consensus", data=label_upload, m="1", k="2")
    assert "one base clustering" in words(at)
    same = uploads.keep_file("same.csv", b"\n".join(b"%d,%d" % (i % 3, i % 3) for i in range(12)), "labels").id
    assert "All base clusterings are equal" in words(app("consensus", data=same, m="2", k="3"))


@pytest.mark.parametrize("page", ["data", "consensus", "ensemble", "matrices"])
def test_clusters_of_one_object_are_said_to_be_so_first(app, page, label_upload):
    alone = uploads.keep_file("ids.csv", b"\n".join(b"%d,%d" % (i, i // 2) for i in range(40)), "labels").id
    said = unexplained(app(page, data=alone, m="2").warning[0].value)
    assert "The base clusterings have 60 clusters for 80 labels: 40 of them are one object" in said
    assert not app(page, data=label_upload, m="5").warning


def test_the_measure_can_be_chosen(app):
    at = app("consensus", data="iris", m="8")
    at.selectbox(key="measure").set_value("ari").run()
    assert "(ARI)" in words(at)


def test_an_own_range_of_k(app):
    at = app("consensus", data="iris", m="4")
    at.sidebar.selectbox(key="param_k_range_policy").set_value("own").run()
    assert at.query_params["k_range"] == "2-12"
    at.sidebar.slider(key="param_k_range_own").set_value((3, 5)).run()
    assert at.query_params["k_range"] == "3-5"


def test_an_own_range_beyond_the_slider_is_shown_as_it_is_drawn(app):
    at = app("consensus", data="digits", m="4", k_range="2-150")
    slider = at.sidebar.slider(key="param_k_range_own")
    assert (slider.value, slider.max) == ((2, 150), 150)
    slider.set_value((2, 120)).run()
    slider = at.sidebar.slider(key="param_k_range_own")
    assert (slider.value, slider.max) == ((2, 120), 150)
    assert at.session_state.run_config.k_range == (2, 120)


def test_rolling_the_dice_changes_the_seed(app):
    at = app("consensus", data="iris", m="4", seed="123456")
    at.sidebar.button(key="dice").click().run()
    assert at.query_params["seed"] != "123456"


def test_switching_data_forgets_k(app):
    at = app("consensus", data="iris", m="4", k="7")
    at.sidebar.selectbox(key="data").set_value("moons").run()
    assert "**2 clusters**" in words(at)
    assert "k" not in at.query_params


def test_the_confusion_counts_every_object(app):
    at = app("consensus", data="iris", m="8")
    assert at.dataframe[0].value.shape == (len(MEASURES), 4)
    assert np.isfinite(at.dataframe[0].value.to_numpy()).all()


@pytest.mark.long
def test_a_link_restores_the_switches_of_single_pictures(app):
    assert app(truth="no").toggle(key="show_truth").value is False
    at = app("matrices", right_minus_left="yes", brightest="0.3")
    assert at.toggle(key="right_minus_left").value
    assert at.select_slider(key="brightest").value == 0.3
    at = app(
        "enhanced_matrix", data="iris", method="ec_cms", ablation="no_laplacian", warm="yes", brightest_enhanced="0.7"
    )
    assert (at.selectbox(key="ablation").value, at.toggle(key="warm").value) == ("no_laplacian", True)
    assert at.select_slider(key="brightest_enhanced").value == 0.7
    at = app("growing_trees", round="3", nearest="yes")
    assert (at.slider(key="round").value, at.toggle(key="nearest").value) == (3, True)


@pytest.mark.long
def test_a_switch_of_a_picture_reaches_the_link(app):
    at = app("walks", data="iris")
    at.segmented_control(key="color").set_value("density").run()
    assert at.query_params["color"] in ("density", ["density"])
    at = app("ensemble", data="iris", m="20")
    at.pagination(key="panel").set_value(2).run()
    assert at.query_params["panel"] in ("2", ["2"])


def test_places_past_the_end_come_back_to_the_last(app):
    assert app("ensemble", data="iris", m="20", panel="9").pagination(key="panel").value == 2
    at = app("growing_trees", round="99")
    assert at.slider(key="round").value == at.slider(key="round").max


def test_every_page_stands_in_one_section():
    from ui.frame.shell import SECTIONS

    placed = [name for names in SECTIONS.values() for name in names]
    assert sorted(placed) == sorted(PAGES)
    assert len(set(placed)) == len(placed)


def test_what_stays_for_ever_is_out_of_the_collectors_sight(app):
    """Streamlit collects garbage after every run; what a run leaves behind must be all there is to look at."""
    set_aside.clear()  # what other tests left behind is set aside too
    app(data="iris", m="6")
    assert gc.get_freeze_count() > 10 * len(gc.get_objects())


def test_missing_labels_are_no_cluster_of_one_object(app):
    gaps = b"\n".join(b"%s,%s" % (b"-1" if i == 0 else b"%d" % i, b"-1" if i == 19 else b"%d" % i) for i in range(20))
    alone = uploads.keep_file("gaps.csv", gaps, "labels").id
    for page in ("data", "consensus"):
        assert "38 clusters for 40 labels: 38 of them" in unexplained(app(page, data=alone, m="2").warning[0].value)
