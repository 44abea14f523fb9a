"""One rule for k where nobody chose it and no classes tell: on every page, in the report, from the command."""

import csv

import numpy as np
import pytest

from engine import Ensemble, cli
from engine.choosing_k import choose_k
from engine.generators import kmeans_ensemble
from tests.app.compute.test_jobs import endless, until
from tests.app.conftest import words
from tests.scenes import scene_of
from tests.strategies import random_labels
from ui.compute import uploads
from ui.compute.jobs import State
from ui.compute.work import jobs, key_of
from ui.report.making import gathered
from ui.scene import Scene, nodes
from ui.session.run_config import from_query
from ui.widgets import method_menu

PAGES = ("start", "consensus", "how_many", "growing_trees", "enhanced_matrix")


def as_csv(table) -> bytes:
    names = [f"c{place}" for place in range(table.shape[1])]
    return "\n".join([",".join(names), *(",".join(map(str, row)) for row in table.tolist())]).encode()


@pytest.fixture(scope="module")
def points():
    rng = np.random.default_rng(3)
    return np.concatenate([rng.normal(at, 0.5, (40, 2)) for at in ((0, 0), (4, 0), (0, 4), (4, 4))])


@pytest.fixture(scope="module")
def labels(points):
    return kmeans_ensemble(points, 12, (2, 9), seed=5).labels


@pytest.mark.parametrize("page", PAGES)
def test_labels_without_classes_have_one_k(app, labels, page):
    name = uploads.keep_file("runs.csv", as_csv(labels), "labels").id
    found = choose_k(Ensemble.from_labels(labels), "lwea", seed=7, effort="quick")
    at = app(page, data=name)
    at.run()
    assert at.session_state.run_config.k == found.k
    if page in ("consensus", "how_many"):
        first = found.verdict.partition(". ")[0].removesuffix(".")
        assert first in words(at)
    assert gathered(from_query({"data": name})[0]).consensus.n_clusters == found.k


def test_features_without_classes_have_one_k(app, points):
    name = uploads.keep_file("points.csv", as_csv(points.round(4)), "features").id
    pages = {page: app(page, data=name) for page in ("consensus", "how_many")}
    session = gathered(from_query({"data": name})[0])
    assert {at.session_state.run_config.k for at in pages.values()} == {session.consensus.n_clusters} == {4}
    assert session.asked.verdict.partition(". ")[0].removesuffix(".") in words(pages["how_many"])
    assert "k = 4, a start" in words(pages["consensus"])
    assert "a start" not in words(app("consensus", data=name, k="5"))


def test_k_is_looked_for_again_where_the_look_was_left(app, points):
    """Who goes to other data while it is looked for stops it, and may come back."""
    name = uploads.keep_file("left.csv", as_csv(points.round(3)), "features").id
    scene = scene_of(data=name)
    key = key_of(nodes()["quick_look"].make, *scene.inputs("quick_look"))
    job = jobs().submit(key, endless, "somebody")
    jobs().release(key, "somebody")
    until(lambda: job.state is State.CANCELLED)
    assert "k = 4, a start" in words(app("consensus", data=name))


def test_a_look_that_was_cancelled_is_said_and_goes_on_when_asked(app, points, monkeypatch):
    """Another k was taken without a word, and with it other labels."""
    name = uploads.keep_file("cancelled.csv", as_csv(points.round(2)), "features").id
    with monkeypatch.context() as patched:
        patched.setattr("ui.scene.how_many.answer", lambda question, monitor: endless(monitor))
        at = app("consensus", data=name)
        (cancel,) = [one for one in at.button if str(one.key).startswith("cancel_")]
        cancel.click().run()
        until(lambda: not any(job.future.running() for job in jobs()._jobs.values()))
        at.run()
        assert "k = 3: asking the criteria was stopped" in words(at)
    at.button(key="ask_for_k").click().run()
    assert "k = 4, a start" in words(at)
    assert not [one for one in at.button if one.key == "ask_for_k"]


def test_base_clusterings_of_more_clusters_than_were_looked_at_are_named(app):
    """They may all say the same, and nobody has asked it."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(12), 20)
    runs = np.stack([np.where(rng.random(240) < 0.15, rng.integers(0, 12, 240), groups) for _ in range(12)], axis=1)
    said = "Every base clustering has 12 clusters, and at most 10 were looked at."
    name = uploads.keep_file("runs.csv", as_csv(runs), "labels").id
    assert said in words(app("consensus", data=name))
    page = app("how_many", data=name)
    assert said in words(page)
    page.button(key="look_up_to_14").click().run()
    assert (page.session_state.run_config.k_max, page.session_state.run_config.k) == (14, 12)
    assert "votes say 12" in words(page)
    assert not [one for one in page.button if str(one.key).startswith("look_up_to")]
    assert said in choose_k(Ensemble.from_labels(runs), "lwea", seed=7, effort="quick").verdict
    assert (
        "Every base clustering"
        not in choose_k(Ensemble.from_labels(runs), "lwea", k_max=12, seed=7, effort="quick").verdict
    )


def test_where_an_answer_stands_at_the_end_of_the_range_one_looks_further(app):
    """And no further than the objects that the base clusterings tell apart."""
    groups = np.repeat(np.arange(6), 20)
    runs = np.stack([groups, groups, groups, groups, np.where(groups == 5, 4, groups)], axis=1)
    page = app("how_many", data=uploads.keep_file("six.csv", as_csv(runs), "labels").id, k_max="4")
    assert "the range is too short to tell" in words(page)
    page.segmented_control(key=f"take_k_{page.session_state.run_config.k}").set_value(3).run()
    page.button(key="look_up_to_6").click().run()  # so many microclusters there are
    assert "6, the most that can be tried here" in words(page)
    assert page.session_state.run_config.k == 3  # somebody's own
    few = uploads.keep_file("few.csv", as_csv(np.array([[0, 0], [0, 1], [1, 2], [2, 2]])), "labels").id
    assert not [one for one in app("how_many", data=few).button if str(one.key).startswith("look_up_to")]


def test_where_one_group_is_seen_the_range_is_named_and_one_looks_further(app):
    page = app("how_many", data="circles", m="20", k_max="3")
    assert "To k-means with 2 to 3 clusters these data look like one group" in words(page)
    page.button(key="look_up_to_8").click().run()
    until(lambda: "with 2 to 8 clusters" in words(page.run()), 30)


def test_the_command_takes_the_same(labels, tmp_path, capsys):
    file = tmp_path / "runs.csv"
    file.write_bytes(as_csv(labels))
    found = choose_k(Ensemble.from_labels(labels), "lwea", seed=7, effort="quick")
    assert cli.main(["consensus", str(file), "--seed", "7", "--out", str(tmp_path / "out.csv")]) == 0
    rows = list(csv.DictReader((tmp_path / "out.csv").open()))
    assert len({row["label"] for row in rows}) == found.k
    assert f"k = {found.k}: {found.verdict}" in capsys.readouterr().err


def test_all_columns_of_a_file_are_taken_unless_a_person_takes_fewer(app, labels):
    many = np.column_stack([labels] * 3)
    name = uploads.keep_file("many.csv", as_csv(many), "labels").id
    at = app("consensus", data=name, k="4")
    assert at.slider(key="m_of_pool").value == 36
    assert "36 base clusterings" in words(at)
    fewer = app("consensus", data=name, k="4", m="20")
    assert "20 of the 36 base clusterings in the file, drawn at random" in words(fewer)
    assert gathered(from_query({"data": name, "k": "4"})[0]).ensemble.n_clusterings == 36


@pytest.mark.parametrize(
    ("settings", "many"),
    [
        ({"data": "own"}, True),
        ({"data": "own", "k": "3"}, False),
        ({"data": "own", "method": "ecg"}, False),  # finds it itself
        ({"data": "iris", "m": "4"}, False),  # has classes
    ],
)
def test_what_is_expected_of_a_run_is_not_said_of_looking_for_k(settings, many, monkeypatch):
    if settings["data"] == "own":
        content = "\n".join(",".join(map(str, row)) for row in random_labels(30, 6, 3).tolist()).encode()
        settings = settings | {"data": uploads.keep_file("runs.csv", content, "labels").id}
    said = []
    monkeypatch.setattr(method_menu, "note", said.append)
    monkeypatch.setattr(method_menu, "expectation", lambda _: "about 7 s")
    method_menu.about(Scene(from_query(settings)[0]))
    assert ("Expected here: about 7 s. Looking for k runs it many times." in said[-1]) is many
    assert said[-1].endswith("Cancel is always there.")
