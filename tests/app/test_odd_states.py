"""States that a link, a click at the wrong moment or a setting of before lead to: a page says so, and goes on."""

import re
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

import data
from engine import EngineError
from tests.app.conftest import at_rest, words
from tests.data.small_folder import write_small_folder
from tests.scenes import scene_of
from ui import ensemble as ensemble_panels
from ui import growing_trees as tree_panels
from ui.compute import uploads
from ui.compute.jobs import Job
from ui.lessons.library import find
from ui.pictures import drawn, pictures
from ui.saying import alone
from ui.scene import Scene
from ui.scene.data_set import NotThereError
from ui.session.run_config import RunConfig, from_query
from ui.session.state import page_file
from ui.studies import score_tables, sweeps, tuning_panels
from ui.widgets import around, progress


def kept(name, lines, kind):
    return uploads.keep_file(name, "\n".join(lines).encode(), kind).id


@pytest.fixture
def gaps():
    """Twelve named objects in three base clusterings, the last object without a label in one of them."""
    rows = [f"obj{i},{i // 6},{i // 6},{i // 6}" for i in range(11)]
    return kept("with_gaps.csv", ["name,a,b,c", *rows, "obj11,0,1,"], "labels")


def test_a_pick_is_gone_with_the_objects_it_was_of(app, gaps):
    at = app("consensus", data=gaps, method="lwea", k="2")
    at.button(key="pick_unsure").click().run()
    assert "Picked: 1 object (obj11)" in words(at)
    at.selectbox(key="method").set_value("drec").run()
    at.button(key="labelled_only").click().run()
    assert not at.exception
    assert "Picked" not in words(at)


def test_a_pick_that_the_data_do_not_have_is_said_to_be_none_of_theirs(app, gaps):
    at = app("data", data=gaps, pick="5-100")
    assert "Picked: 96 objects, not all of which these data have" in words(at)
    at.button(key="clear_selection").click().run()
    assert "Picked" not in words(at)


def test_a_walk_of_a_million_steps_is_refused_as_the_link_is_read():
    config, (problem,) = from_query({"T": "1000000", "K": "5"})
    assert "in [1, 1000]" in problem
    assert (config.T, config.K) == (None, 5)


def test_own_labels_in_a_file_without_labels_are_left_out_with_the_reason(app):
    own = kept("links.csv", ["source,target", "a,b", "b,c"], "graph")
    assert "it holds no labels" in words(app("compare", data="iris", own=own, m="4"))


def test_a_sweep_of_base_clusterings_ends_with_those_of_the_file(app):
    three = kept("three.csv", ["a,b,c", *(f"{i % 2},{i % 3},{i // 5}" for i in range(20))], "labels")
    at = app("compare", data=three, compared="settings", x="M:2,10")
    assert not at.error
    assert sweeps.study(at.session_state.run_config).n_clusterings == (2, 3)
    assert at.select_slider(key="range_x").options == ["2", "3"]
    two = kept("two.csv", ["a,b", *(f"{i % 2},{i % 3}" for i in range(20))], "labels")
    at = app("compare", data=two, compared="settings", x="M:5,9")
    assert not at.error
    assert sweeps.study(at.session_state.run_config).n_clusterings == (2,)


def test_k_starts_at_two(app):
    assert app("consensus", data="iris", m="4").number_input(key="k_input").min == 2


def test_a_link_that_leaves_no_base_clustering_on_leaves_all(app):
    at = app("ensemble", data="iris", m="3", switched_off="0.1.2")
    assert not at.error
    assert Scene(at.session_state.run_config).ensemble.n_clusterings == 3


def test_the_last_base_clustering_stays_on_and_its_box_is_ticked_again(monkeypatch):
    said, state = [], {"switches": {"edited_rows": {1: {"on": False}}}}
    monkeypatch.setattr(ensemble_panels, "beside", lambda: SimpleNamespace(off=[0], n_clusterings=2))
    monkeypatch.setattr(ensemble_panels.st, "session_state", state)
    monkeypatch.setattr(ensemble_panels.st, "toast", lambda words, **_: said.append(words))
    ensemble_panels._switch("switches")
    assert said == ["One base clustering stays on: without any there is no consensus."]
    assert state[ensemble_panels._REFUSED] == 1  # the table has another key


@pytest.mark.parametrize(("n", "taken"), [(1, False), (2, True), (40, True), (41, False)])
def test_a_loop_around_too_many_dots_or_one_says_so(n, taken, monkeypatch):
    said, changes = [], []
    points = [{"customdata": place} for place in range(n)]
    state = {"decision": SimpleNamespace(selection=SimpleNamespace(points=points))}
    monkeypatch.setattr(tree_panels.st, "session_state", state)
    monkeypatch.setattr(tree_panels.st, "toast", lambda words, **_: said.append(words))
    monkeypatch.setattr(tree_panels, "change", lambda **change: changes.append(change))
    tree_panels.take_roots()
    assert (bool(changes), bool(said)) == (taken, not taken)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_components_of_objects_that_are_all_equal_have_no_variance():
    data = kept("equal.csv", ["a,b,c", *["1,1,1"] * 12], "features")
    title = drawn("data", Scene(RunConfig(data=data)), "light").layout["xaxis"]["title"]["text"]
    assert title == "component 1 (0% of variance)"


def test_one_of_a_kind_is_counted_as_one(app, gaps):
    assert "**1 label is missing**" in words(at_rest(app, "ensemble", data=gaps, k="2"))
    one_class = kept("one_class.csv", ["x,y,class", *(f"{i % 5},{i % 7},a" for i in range(20))], "features")
    assert "**1 class**" in words(app("data", data=one_class))
    whole, cut = SimpleNamespace(n_clusters_each=[4]), SimpleNamespace(n_clusters=3, method="eac")
    assert "once two of them are joined" in alone(whole, cut, scored=True)


@pytest.mark.long
@pytest.mark.parametrize("few", ["0,0 0,0 1,1", "0,0 1,1", "0,0 0,1 1,1 1,0", "0,0 0,1 1,1"])
def test_pictures_of_very_few_speak_of_one_in_the_singular(few):
    nouns = "objects clusters links pairs trees rounds steps classes clusterings microclusters iterations parts flows"
    plural = re.compile(rf"(?<![\d.,=] )(?<![\d.,])\*{{0,2}}1\*{{0,2}} (?:base )?({'|'.join(nouns.split())})\b")
    scene = Scene(RunConfig(data=kept("few.csv", ["a,b", *few.split()], "labels"), method="lwea", k=2, K=1, T=1))
    n_drawn, wrong = 0, []
    for name, one in pictures().items():
        try:
            figure, texts = drawn(name, scene, "light"), [one.sentence(scene)]
        except (NotThereError, EngineError):  # so few do not have it
            continue
        if figure is not None:
            n_drawn += 1
            texts += [figure.layout["meta"]["alt"], *figure.words()]
        wrong += [(name, text) for text in texts if plural.search(str(text))]
    assert n_drawn > 20
    assert not wrong


@pytest.mark.parametrize(
    ("page", "jobs", "cancel", "seen"),
    [
        ("matrices", {"evidence_matrix", "factor"}, "cancel_factor_left", "The same as a table"),
        ("ensemble", {"consensus"}, "cancel_consensus", "Mean margin of the objects"),
    ],
)
def test_what_takes_its_time_has_one_cancel(app, monkeypatch, page, jobs, cancel, seen):
    """Though a part of the page that answers alone asks for it, and what stands around the part."""
    plain, gate = Job.run, threading.Event()

    def slow(job, compute):
        while jobs & set(job.key) and not gate.wait(0.05):
            job.tick("comparing", 0, 1)
        return plain(job, compute)

    monkeypatch.setattr(Job, "run", slow)
    monkeypatch.setattr(progress, "PATIENCE", 0.3)
    monkeypatch.setattr(around, "PATIENCE", 0.3)
    at, end = app(page, data="iris", m="7", seed="31"), time.monotonic() + 60
    while cancel not in [one.key for one in at.button] and time.monotonic() < end:
        at.run()
    assert [one.key for one in at.button].count(cancel) == 1
    assert not at.exception
    gate.set()
    at = at_rest(app, page, data="iris", m="7", seed="31")
    assert not at.exception
    assert seen in "\n".join([words(at), *(one.label for one in at.expander)])


def points(n=60):
    rng = np.random.default_rng(0)
    return kept("points.csv", ["x,y", *(f"{x:.3f},{y:.3f}" for x, y in rng.normal(size=(n, 2)))], "features")


@pytest.mark.parametrize(
    "query",
    [
        {"lesson": "walks", "step": "1", "data": "iris"},
        {"lesson": "walks", "step": "2", "data": "iris", "pair": "0.999"},
        {"lesson": "crowd", "step": "2", "data": points, "k": "3"},
        {"lesson": "members", "step": "3", "m": "1"},
        {"lesson": "votes", "step": "5", "data": "circles", "switched_off": ".".join(map(str, range(19)))},
    ],
    ids=["pair", "beyond", "classes", "one", "ratio"],
)
def test_a_step_of_a_lesson_in_another_state_is_brought_back_to_its_own(app, query):
    asked = {name: value() if callable(value) else value for name, value in query.items()}
    at = at_rest(app, "lessons", **asked)
    if any(one.key == "answer_1" for one in at.button):
        at.button(key="answer_1").click().run()
        at.run()
    assert not at.exception
    own = find(query["lesson"]).steps[int(query["step"]) - 1].config
    assert at.session_state.run_config == own.with_(lesson=query["lesson"], step=int(query["step"]))


@pytest.mark.long
def test_a_lesson_one_comes_back_to_with_other_data_goes_on(app):
    at = app("lessons")
    at.button(key="open_walks").click().run()
    at.switch_page(page_file("ensemble")).run()
    at.selectbox(key="data").set_value("iris").run()
    at.switch_page(page_file("lessons")).run()
    at.run()
    assert not at.exception


@pytest.mark.parametrize("page", ["compare", "published_tables"])
@pytest.mark.parametrize("compared", ["methods", "settings"])
def test_a_study_of_one_draw_is_looked_at_where_a_slider_begins_at_two(page, compared, app, monkeypatch, tmp_path):
    monkeypatch.setenv("CONCORD_DATA", str(write_small_folder(tmp_path / "pools")))  # tables stand on pools
    table = next(iter(data.published_tables()))
    at = app(page, data="iris", sets="iris", methods="eac", compared=compared, table=table, draws="1")
    assert at.slider(key="draws").value == 1
    assert "Every point is the mean" not in words(at)


def test_one_draw_has_no_spread_and_no_test():
    cells = score_tables.cells(np.array([[[0.5], [0.7]], [[0.4], [0.7]]]))
    assert [[cell.text for cell in row] for row in cells] == [["0.500", "0.700"], ["0.400", "0.700"]]
    assert not any(cell.tied for row in cells for cell in row)
    assert tuning_panels.mean_and_sd(np.array([0.5])) == "**0.500**"


def test_a_data_set_that_is_gone_can_be_taken_out_of_a_comparison(app):
    at = app("compare", data="iris", m="4", methods="eac", sets="upload-gone,iris")
    sets = at.multiselect(key="sets")
    assert sets.value == ["upload-gone", "iris"]
    at = sets.set_value(["iris"]).run()
    assert not at.error


def test_start_says_that_nothing_is_told_apart(app):
    equal = uploads.keep_file("equal.csv", b"a,b\n" + b"1,1\n" * 6, "labels").id
    at = app("start", data=equal)
    assert not at.error
    assert "no base clustering tells any two objects apart, and they agree on everything" in words(at)


def test_start_does_not_say_that_no_two_agree_where_two_do(app):
    alike = uploads.keep_file("alike.csv", b"a,b\n" + b"1,2\n" * 4 + b"0,5\n" * 4, "labels").id
    assert "They need not agree" in words(app("start", data=alike))
    assert "No two agree" in words(app("start", data="iris", m="3"))


def test_switched_off_base_clusterings_keep_their_numbers_and_are_counted_nowhere(app):
    scene = scene_of(data="iris", m="8", switched_off="0.3", method="weac")
    bars = drawn("clustering_weights", scene, "light").data[0]
    assert np.asarray(bars["x"]).tolist() == [2, 3, 5, 6, 7, 8]
    assert bars["hovertext"][0] == "base clustering 2"
    assert np.sum(drawn("clusters_of_each", scene, "light").data[0]["y"]) == 6
    assert "8 base clusterings (2 switched off)" in words(app("start", data="iris", m="8", switched_off="0.3"))


def test_a_sample_has_one_consensus_on_every_page():
    scene = scene_of(data="iris", sample="100")
    assert (scene.recorded.labels == scene.consensus.labels).all()
    assert "sampled_objects" in scene.recorded.trace


def test_a_slider_leads_to_no_k_that_LAC_cannot_make(app):
    id = uploads.keep_file("six.csv", b"a,b\n1,2\n2,1\n8,9\n9,8\n5,1\n4,4\n", "features").id
    at = app("subspaces", data=id, lac_k="3")
    assert at.slider(key="subspace_k").max == 6
    at.slider(key="subspace_k").set_value(6).run()
    assert not at.exception
    assert at.slider(key="subspace_k").value == 6


def test_a_part_of_a_method_is_not_called_the_method(app):
    assert "**The answer** of EC-CMS:" in words(app("enhanced_matrix", data="wine", m="8"))
    assert "**The answer** of EC-CMS without spreading:" in words(
        app("enhanced_matrix", data="wine", m="8", ablation="no_laplacian")
    )


def test_labels_alone_are_told_nothing_of_scaling(app):
    id = uploads.keep_file("labels.csv", b"0,0\n0,1\n1,2\n1,2\n", "labels").id
    text = words(app("data", data=id))
    assert "scaling" not in text
    assert "before scaling" in words(app("data", data="iris"))


def test_k_is_the_one_that_the_answer_has(app):
    id = uploads.keep_file("few.csv", b"0,0,1\n0,1,1\n1,2,0\n1,0,2\n2,2,2\n2,1,0\n", "labels").id
    at = app("how_many", data=id, k="30")
    assert "k = 6 for the consensus on every page" in words(at)
