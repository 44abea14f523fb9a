"""Subspaces: what the pictures claim about a LAC run, and the error curve."""

from types import SimpleNamespace

import numpy as np
import pytest

from engine import metrics
from engine.generators import lac
from tests.app.conftest import words
from tests.app.figures.checked import figures
from tests.scenes import scene_of
from ui import subspaces as panels
from ui.compute import uploads
from ui.compute.work import jobs
from ui.figures.numbering import FIRST
from ui.figures.objects.subspaces import NAMED_FEATURES
from ui.pictures import drawn
from ui.pictures.mechanisms import weighed_words
from ui.saying import percent
from ui.scene import Scene, subspaces
from ui.session.run_config import RunConfig
from ui.widgets.page_scene import begin, job_of


@pytest.fixture(scope="module")
def overlap():
    return scene_of(data="two_gaussian_overlap", lac_inverse_h="5")


def test_colours_stay_while_h_moves(overlap):
    for h in (0.5, 5.0, 500.0):
        scene = overlap.varied(lac_inverse_h=h)
        found, seen = scene.weighed, scene.subspaces
        assert (seen.labels == metrics.align(found.labels, scene.truth)).all()
        for name, centre, row in zip(seen.names, seen.centroids, seen.weights, strict=True):
            members = seen.labels == name
            np.testing.assert_allclose(scene.features[members].mean(axis=0), centre, atol=0.05)
            (column,) = np.flatnonzero(seen.names == name)
            assert (found.weights == row).all(axis=1).sum() == 1
            assert (seen.posterior[members].argmax(axis=1) == column).mean() > 0.99


def test_without_classes_clusters_are_named_from_left_to_right():
    points = np.random.default_rng(0).normal(size=(90, 2)) + np.repeat([[9, 0], [0, 0], [20, 0]], 30, axis=0)
    seen = subspaces.subspaces(lac(points, 3, 1.0), None)
    assert (np.diff(seen.centroids[:, 0]) > 0).all()


def test_more_clusters_than_classes_keep_names_of_their_own(overlap):
    seen = overlap.varied(lac_k=4).subspaces
    assert seen.names.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_ellipse_holds_half_of_its_cluster(overlap, theme):
    points, seen = overlap.features, overlap.subspaces
    fig = drawn("ellipses", overlap, theme).to_plotly()
    for name, centre, weight in zip(seen.names, seen.centroids, seen.weights, strict=True):
        (trace,) = (t for t in fig.data if t.name == f"metric {name}")
        rim = (((np.column_stack([trace.x, trace.y]) - centre) ** 2) * weight).sum(axis=1)
        np.testing.assert_allclose(rim, rim[0], rtol=1e-6)
        inside = (((points[seen.labels == name] - centre) ** 2) * weight).sum(axis=1) <= rim[0]
        assert inside.mean() == pytest.approx(0.5, abs=0.01)


def test_a_weight_of_nothing_makes_no_endless_ellipse():
    points = np.random.default_rng(1).normal(size=(40, 2))
    fig = figures.ellipse_figure(
        points, np.zeros(40, int), np.array([0]), np.zeros((1, 2)), np.array([[1.0, 0.0]]), "dark"
    )
    assert all(np.isfinite(t.y).all() for t in fig.data if t.name == "metric 0")


def test_bars_are_the_weights(overlap):
    seen = overlap.subspaces
    fig = drawn("weights", overlap, "light").to_plotly()
    np.testing.assert_array_equal([bar.y for bar in fig.data], seen.weights)


@pytest.mark.parametrize("d", [3, NAMED_FEATURES + 4])
def test_features_are_counted_from_one(d):
    fig = figures.weight_figure(np.full((2, d), 1 / d), [0, 1], [f"feature {f + 1}" for f in range(d)], "light")
    for bars in fig.data:
        assert [f"feature {x}" for x in bars.x] == list(bars.customdata)
    axis = fig.layout.xaxis2
    assert (axis.ticktext is None) == (d > NAMED_FEATURES)
    if axis.ticktext:
        assert list(axis.tickvals) == list(range(FIRST, d + FIRST))


def test_the_error_curve_is_the_mean_over_draws():
    errors = np.array([[0.1, 0.3], [0.3, 0.5]])
    fig = figures.error_figure(np.array([1.0, 10.0]), errors, {"WSPA": np.array([0.0, 0.2])}, "light", bayes=0.02)
    by_name = {trace.name: trace.y for trace in fig.data}
    np.testing.assert_allclose(by_name["LAC"], [0.2, 0.4])
    np.testing.assert_allclose(by_name["WSPA"], [0.1, 0.1])
    np.testing.assert_allclose(by_name["least possible (Bayes)"], [0.02, 0.02])
    np.testing.assert_allclose(by_name["sd of LAC"], [0.3, 0.5, 0.3, 0.1])


def test_all_values_of_h_that_are_best_are_named(monkeypatch):
    said = []
    monkeypatch.setattr(panels, "say", said.append)
    found = [{key: 0.1 for key in subspaces.COMPARED}] * 2
    held = subspaces.ErrorCurve(np.array([0.1, 1, 10]), [np.array([0.1, 0.2, 0.1])] * 2, found)
    panels._verdict(held, np.array([0, 0, 1, 1]))
    assert "10.0% at the best (1/h = 0.1, 10) and 20.0% at the worst" in said[0]


def test_the_features_seen_are_those_that_differ_most_or_those_chosen():
    seen = SimpleNamespace(weights=np.array([[0.5, 0.1, 0.2, 0.2], [0.1, 0.1, 0.7, 0.1]]))
    for axes, pair in (((), (0, 2)), ((3, 1), (3, 1)), ((3, 9), (0, 2))):
        assert Scene(RunConfig(axes=axes), subspaces=seen, constant_features=np.zeros(4, bool)).feature_pair == pair
    constant = np.array([False, False, True, False])
    assert Scene(RunConfig(), subspaces=seen, constant_features=constant).feature_pair == (0, 3)


def test_a_feature_that_is_the_same_for_all_is_named_and_not_seen_first():
    rng = np.random.default_rng(0)
    rows = [f"{i % 3 * 3 + rng.normal()},{i % 3 + rng.normal()},4.2,{'abc'[i % 3]}" for i in range(60)]
    file = uploads.keep_file("same.csv", "\n".join(["u,v,same,class", *rows]).encode(), "features").id
    state = scene_of(data=file, m="4")
    assert state.feature_pair == (0, 1)
    assert "drawn to what is the same for all objects, which tells none apart: same." in weighed_words(state)
    assert "the same for all" not in weighed_words(scene_of(data="two_gaussian_overlap"))


def test_the_page_says_what_each_cluster_keeps_to(app, overlap):
    seen = overlap.subspaces
    assert seen.weights.argmax(axis=1).tolist() == [0, 1]
    text = words(app("subspaces", data="two_gaussian_overlap", lac_inverse_h="5"))
    first, second = seen.weights.max(axis=1)
    assert f"cluster 1 puts **{percent(first, 1)}** on x, cluster 2 puts **{percent(second, 1)}** on y" in text
    wrong = int((seen.labels != overlap.truth).sum())
    assert f"**{wrong} of 600** objects" in text


def test_the_error_curve_is_drawn_on_request(app, monkeypatch):
    monkeypatch.setattr(subspaces, "CURVE_DRAWS", 2)
    monkeypatch.setattr(subspaces, "VALUES", 4)
    at = app("subspaces", data="iris", seed="31")
    at.button(key="draw_errors").click().run()
    job_of(scene_of(data="iris", seed="31"), "error_curve").future.result()
    at.run()
    assert "Over 2 draws LAC errs" in words(at)
    assert not at.exception


@pytest.mark.long
def test_a_cancel_keeps_the_draws_that_are_there(monkeypatch):
    from engine import Cancelled

    scene = scene_of(data="digits", seed="32")
    monkeypatch.setattr(subspaces, "CURVE_DRAWS", 3)
    job = begin(scene, "error_curve")
    while not scene.curve_so_far.lac:
        job.wait(0.05)
    job.cancel()
    with pytest.raises(Cancelled):
        job.future.result()
    kept = len(scene.curve_so_far.lac)
    assert 1 <= kept < 3
    jobs().forget(job.key)
    before = scene.curve_so_far.lac[0]
    assert len(begin(scene, "error_curve").future.result().lac) == 3
    assert scene.curve_so_far.lac[0] is before


def test_a_story_chooses_data_and_h(app):
    at = app("subspaces")
    at.button(key="story_three_gaussian").click().run()
    assert at.query_params["data"] in ("three_gaussian", ["three_gaussian"])
    assert at.select_slider(key="lac_inverse_h").value == 0.2


def test_labels_only_are_told_what_is_missing(app):
    from ui.compute import uploads

    rows = "\n".join(",".join(map(str, row)) for row in np.random.default_rng(2).integers(3, size=(40, 4))).encode()
    assert "needs features" in words(app("subspaces", data=uploads.keep_file("members.csv", rows, "labels").id, m="4"))


def test_lac_feeds_every_page(app):
    at = app("consensus", data="iris", generator="lac", m="8", method="wbpa")
    assert "WBPA" in words(at)
    assert not at.error
    made = scene_of(data="iris", generator="lac", m="8").ensemble
    assert made.memberships.shape == (150, made.n_clusters_total)
    assert made.provenance["inverse_h"][0] == 0.1


def test_random_subspaces_are_a_generator_of_their_own(app):
    plain, some = (scene_of(data="wine", m="6", generator=name) for name in ("kmeans", "subspaces"))
    assert not (plain.ensemble.labels == some.ensemble.labels).all()
    assert not app("ensemble", data="wine", m="6", generator="subspaces", feature_fraction="0.3").error
    assert begin(plain, "ensemble") is begin(plain.varied(feature_fraction=0.9), "ensemble")
