"""Points painted by hand: what comes from the browser, and the data set it becomes."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import streamlit as st

from data import DataError
from tests.app.conftest import words
from ui.compute import uploads
from ui.data import panels


def blobs(n, n_classes=2):
    """What the browser sends for n points in so many groups."""
    rng = np.random.default_rng(0)
    labels = np.arange(n) % n_classes
    places = 0.2 + 0.2 * labels[:, None] + rng.uniform(-0.05, 0.05, (n, 2))
    return [[float(x), float(y), int(label)] for (x, y), label in zip(places.tolist(), labels, strict=True)]


@pytest.fixture
def painted(app, monkeypatch):
    """A function that opens Data and has its paper send something."""

    def paper(key, data, on_painted_change):
        st.button("send", key="send", on_click=on_painted_change)

    monkeypatch.setattr(panels, "_paper", paper)
    at = app("data", data="iris", m="8")

    def send(sent):
        at.session_state["paint"] = SimpleNamespace(painted=sent)
        at.button(key="send").click().run()
        assert not at.exception
        return at

    return send


@pytest.mark.parametrize("n", [panels.LEAST, panels.MOST])
def test_a_painting_is_a_data_set_of_all_pages(painted, n):
    at = painted(blobs(n))
    (made,) = at.session_state["uploads"]
    upload = uploads.UPLOADS.find(made, "")
    assert (upload.filename, upload.content.features.shape) == ("painted.csv", (n, 2))
    assert list(upload.content.feature_names) == ["x", "y"]
    assert len(set(upload.content.labels)) == 2
    assert f"{n:,} objects with 2 features" in words(at)
    assert not at.error


def test_a_new_painting_takes_the_place_of_the_one_before(painted):
    painted(blobs(20))
    (first,) = painted(blobs(20)).session_state["uploads"]
    at = painted(blobs(20))
    at.session_state["run_config"] = at.session_state["run_config"].with_(sets=(first, "iris"))  # as Compare takes it
    at = painted(blobs(30))
    (second,) = at.session_state["uploads"]
    assert first != second
    assert at.session_state["run_config"].sets == (second, "iris")
    assert "30 objects" in words(painted(blobs(30)))


def test_what_was_used_is_the_painting_that_is_looked_at(painted, monkeypatch):
    given = {}
    monkeypatch.setattr(st, "download_button", lambda words, made, *rest, key, **more: given.update({key: made}))
    (first,) = painted(blobs(20)).session_state["uploads"]
    at = painted(blobs(30))
    for data, lines in ((at.session_state["run_config"].data, 31), (first, 21), ("iris", None)):
        given.clear()
        at.session_state["run_config"] = at.session_state["run_config"].with_(data=data)  # as Back does
        at.run()
        assert not at.exception
        assert (given["get_painted"].count(b"\n") if "get_painted" in given else None) == lines


def test_one_colour_is_no_class(painted):
    at = painted(blobs(20, 1))
    assert "**Classes** are not known" in words(at)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ([], "this one 0 points"),
        (blobs(1), "this one 1 point."),
        (blobs(panels.MOST + 1), "10 to 2,000 points, and this one 2,001 points"),
        ("rubbish", "did not arrive whole"),
        ({"points": []}, "did not arrive whole"),
    ],
)
def test_what_is_no_painting_is_refused_and_the_data_stay(painted, sent, said):
    at = painted(sent)
    assert said in at.error[0].value
    assert "150 objects" in words(at)
    painted(blobs(12))
    assert not at.error


@pytest.mark.parametrize(
    "bad",
    [
        [0.1, 0.2],
        [0.1, 0.2, 0.5],
        [0.1, 0.2, panels.N_CLASSES],
        [0.1, 0.2, -1],
        [math.nan, 0.2, 0],
        [0.1, math.inf, 0],
        [panels.WIDTH + 0.01, 0.2, 0],
        [0.1, -0.01, 0],
        ["0.1", 0.2, 0],
        [0.1, 0.2, True],
        [0.1, 0.2, None],
        7,
    ],
)
def test_a_point_off_the_paper_is_refused(bad):
    with pytest.raises(DataError, match="no point"):
        panels.points([*blobs(20), bad])
