"""The page How many: verdict, curves, taking a k, and what is said where something is missing."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from engine import Cancelled, confidence
from engine.choosing_k import questions
from tests.app.conftest import at_rest, charts, words
from tests.scenes import scene_of
from ui import how_many as panels
from ui.compute import uploads, work
from ui.figures.style import alike, painted
from ui.pictures import drawn
from ui.pictures.how_many import criterion_row
from ui.scene import how_many
from ui.widgets.page_scene import job_of

WINE = {"data": "wine", "k_max": "5"}


@pytest.fixture
def wine(app):
    return app("how_many", **WINE)


def test_the_verdict_stands_on_top_and_every_criterion_has_its_curve(wine):
    said = words(wine)
    assert "votes say 3" in said
    assert "sets drawn without clusters" in said
    found = scene_of(**WINE).quick_look
    drawn = {one.proto.id.rsplit("-", 1)[-1]: one.proto.spec for one in wine.get("plotly_chart")}
    assert next(iter(drawn)).startswith("tree_at")  # one picture first
    figure = json.loads(next(spec for key, spec in drawn.items() if key.startswith("criteria_at")))
    curves = [trace for trace in figure["data"] if trace.get("customdata")]
    assert len(curves) == len(found.curves) >= 9
    for key in found.curves:
        assert found.readings[key] in said
    assert "k = 3 for the consensus on every page; picked by" in said


@pytest.mark.parametrize(("k_max", "height"), [("5", panels.TREE_HEIGHT), ("30", 110 + 16 * 29)])
def test_a_ring_has_room_for_a_click_whatever_was_looked_at(app, k_max, height):
    at = at_rest(app, "how_many", data="iris", m="8", k_max=k_max)
    (tree,) = [figure for key, figure in charts(at).items() if key.startswith("tree_at")]
    assert tree["layout"]["height"] == height


def test_a_k_can_be_taken_and_is_that_of_every_page(wine):
    wine.segmented_control(key="take_k_3").set_value(4).run()
    assert wine.session_state.run_config.k == 4
    assert "From 4 to 5" in words(wine)


@pytest.mark.parametrize("query", [{}, {"data": "moons", "k": "4"}])
def test_a_cluster_has_one_colour_in_all_pictures_and_on_all_pages(query):
    """Of the chosen k it is that of Consensus; of others it follows its objects, whichever picture begins where."""
    state = scene_of(**WINE, **query) if "data" not in query else scene_of(**query, m="10", k_max="5")
    colors, k = state.colors_by_k, state.wanted_k
    assert (state.criteria.partitions[k] == state.consensus.labels).all()
    assert colors[k].tolist() == state.colors.tolist()
    for other, one in colors.items():
        if other != k:
            nearer = other + (1 if other < k else -1)
            before = painted(state.criteria.partitions[nearer], colors[nearer])
            assert one.tolist() == alike(state.criteria.partitions[other], before).tolist()


def test_no_button_leads_where_nothing_can_be_looked_at(app):
    """Objects in a share of them limit k as well as groups do."""
    rows = "a,b,c,class\n0,0,1,A\n0.1,0.2,1.5,A\n5,5,2,B\n5.2,5.1,1,B\n9,0,1,C\n"
    page = app("how_many", data=uploads.keep_file("few.csv", rows.encode(), "features").id)
    assert not [one for one in page.button if str(one.key).startswith("look_up_to")]


def test_the_curves_name_the_k_of_the_app_where_they_do_not_reach_it():
    scene = scene_of(**WINE, k="50")
    scene = scene.with_given(criteria=scene.quick_look)
    said = [one["text"] for one in drawn("criteria", scene, "light").layout["annotations"]]
    assert [one for one in said if "now" in one] == ["k = 50 now, beyond this axis"]


def test_the_long_look_is_a_job_that_is_asked_for(wine):
    assert "A short look: 25 runs" in words(wine)
    wine.button(key="full_k").click().run()
    job_of(scene_of(**WINE), "long_look").future.result()
    wine.run()
    assert "A long look: 100 runs" in words(wine)
    assert "sets drawn without clusters" in words(wine)


@pytest.mark.long
def test_a_long_look_survives_a_restart(wine, app, monkeypatch):
    wine.button(key="full_k").click().run()
    job_of(scene_of(**WINE), "long_look").future.result()
    _restart()
    monkeypatch.setattr(questions, "consensus_runs", _quick_only)
    again = app("how_many", **WINE)
    job_of(scene_of(**WINE), "long_look").future.result()
    again.run()
    assert "A long look: 100 runs" in words(again)


def test_a_long_look_cut_short_by_the_end_of_the_app_goes_on(wine, app, monkeypatch):
    calls, plain = [], questions.consensus_runs

    def some(*args, **more):
        calls.append(1)
        if len(calls) > 4:
            raise Cancelled
        return plain(*args, **more)

    monkeypatch.setattr(questions, "consensus_runs", some)
    wine.button(key="full_k").click().run()
    with pytest.raises(Cancelled):
        job_of(scene_of(**WINE), "long_look").future.result()
    _restart()
    monkeypatch.setattr(questions, "consensus_runs", plain)
    assert app("how_many", **WINE).button(key="full_k").label == "Go on looking (4 of 26 sets are there)"


def _restart() -> None:
    """What a process forgets when it ends."""
    how_many._QUESTIONS.clear()
    work.jobs.clear()


_plain = questions.consensus_runs


def _quick_only(points, ks, repeats, **more):
    assert repeats < 100, "clusters again what is on disk"
    return _plain(points, ks, repeats, **more)


def test_an_upload_without_features_is_asked_what_can_be_asked():
    import data

    labels = np.tile((np.arange(30) // 10)[:, None], 8)
    labels[::7, ::3] = -1
    content = "\n".join(",".join("" if v < 0 else str(v) for v in row) for row in labels).encode()
    pool = data.read_upload("gaps.csv", content, "labels")
    scene = scene_of(data="iris", m="8", k_max="4").with_given(source_if_here=pool)
    assert not scene.ensemble.complete
    found = scene.criteria
    assert found.k == 3
    assert "was not asked" in found.verdict
    assert criterion_row(found, "margin")["null"] is None


def test_a_method_that_needs_every_label_offers_one_that_does_not(app):
    at = app("how_many", data="iris", m="6", generator="subsampling", method="got", k_max="4")
    assert "are missing" in words(at)
    at.button(key="use_lwea").click().run()
    assert at.session_state.run_config.method == "lwea"
    assert not at.exception


def test_nothing_to_choose_is_said(app):
    at = app("how_many", data="moons", m="1", k_range="2-2", k_max="4")
    assert not at.exception
    assert "How many clusters" in words(at)


def test_tracking_item_and_cluster_consensus_are_those_of_the_partitions(wine):
    found = {key: charts(wine)[key]["data"] for key in ("tracking", "cluster_consensus", "item_consensus")}
    scene = scene_of(**WINE)
    best = scene.quick_look
    said = np.array(found["tracking"][0]["customdata"])
    for row, k in enumerate(sorted(best.partitions)):
        objects = said[row, :, 1] - 1
        assert (said[row, :, 0] - 1 == best.partitions[k][objects]).all()
    profile = confidence.cluster_profile(scene.ensemble, best.partitions[3])
    bars = found["item_consensus"][0]
    assert np.allclose(bars["y"], profile.own[np.array(bars["customdata"])[:, 0] - 1], atol=1e-6)
    means = confidence.cluster_means(profile.own, profile.labels).mean
    assert np.allclose(np.array(found["cluster_consensus"][0]["y"])[2:5], means)


def test_resolutions_of_communities_are_tried_when_asked_and_one_is_taken(app):
    page = app("how_many", data="iris", generator="leiden", m="6", k_max="4")
    assert "Which resolution?" in [one.value for one in page.subheader]
    assert "keep less than half of their company" in words(page)
    page.button(key="begin_resolution_runs").click().run()
    scene = scene_of(data="iris", generator="leiden", m="6", k_max="4")
    own, _ = job_of(scene, "resolution_runs").future.result()
    page.run()
    assert "On a graph by chance" in words(page)
    assert any(key.startswith("resolutions_at_") for key in charts(page))


def test_a_dot_of_the_curve_makes_all_base_clusterings_at_its_resolution(monkeypatch):
    scene, changes = scene_of(data="iris", generator="leiden", m="6", k_max="4"), []
    selection = SimpleNamespace(points=[{"customdata": [3]}])
    monkeypatch.setattr(panels.st, "session_state", {"dot": SimpleNamespace(selection=selection)})
    monkeypatch.setattr(panels, "change", lambda **change: changes.append(change))
    panels._take_resolution(scene, "dot")
    taken = float(f"{scene.resolution_runs.own.resolutions[3]:.4g}")
    assert changes == [{"generator": "leiden", "leiden_resolution": (taken, taken)}]


def test_a_method_that_finds_k_says_what_it_found(app):
    query = {"data": "iris", "generator": "leiden", "m": "6", "method": "ecg"}
    found = scene_of(**query).consensus.n_clusters
    assert f"ECG finds {found} clusters" in words(app("how_many", **query))
    field = next(one for one in app("consensus", **query).text_input if one.label == "Clusters k")
    assert field.value == f"found: {found}"
    assert field.disabled


def test_a_score_for_every_k_is_drawn_only_where_the_method_can_be_asked_for_one(app):
    query = {"data": "iris", "generator": "leiden", "m": "6"}
    asked, found = (charts(app("consensus", **query, method=method)) for method in ("lwea", "ecg"))
    assert "by_k" in asked
    assert "by_k" not in found
    assert {"confusion"} <= asked.keys() & found.keys()


@pytest.mark.parametrize("n", [2, 3, 6])
def test_a_handful_of_objects_has_a_k_to_begin_with(n, app):
    rows = b"".join(b"%d,%d\n" % (i * i, 7 * i % 5) for i in range(n))
    few = uploads.keep_file("few.csv", b"a,b\n" + rows, "features").id
    for page in ("how_many", "consensus"):
        at = app(page, data=few, m="5")
        assert not at.error, at.error[0].value
