"""What answers a knob is drawn before what follows it."""

import time
from types import SimpleNamespace

import pytest
import streamlit as st

from tests.app.compute.test_jobs import until
from tests.app.conftest import charts, words
from tests.scenes import scene_of
from ui import ensemble as panels
from ui.widgets import chart

FEW = {"data": "iris", "m": "8", "k": "3", "method": "pta"}


@pytest.fixture
def shown(monkeypatch):
    """Keys of figures, and pauses, as they come."""
    seen, plotly_chart = [], st.plotly_chart

    def noted(figure, key, **options):
        seen.append(key)
        return plotly_chart(figure, key=key, **options)

    monkeypatch.setattr(st, "plotly_chart", noted)
    monkeypatch.setattr(chart, "time", SimpleNamespace(sleep=lambda seconds: seen.append("pause")))
    monkeypatch.setattr(panels, "_MANY_DOTS", 8)
    return seen


@pytest.mark.parametrize(
    ("page", "pictures", "again"),
    # what answers comes first, but dots of a map, which stay as they are; where its marks stay, too, none is waited for
    [("walks", ["elite_graph"], 1), ("ensemble", ["partition_map", "partition_map_marks"], 0)],
)
def test_a_pause_follows_the_picture_that_answers_and_no_other(app, monkeypatch, shown, page, pictures, again):
    at, end = app(page, **FEW), time.monotonic() + 60
    while pictures[-1] not in charts(at) and time.monotonic() < end:
        time.sleep(0.2)
        at.run()
    pauses = [place for place, one in enumerate(shown) if one == "pause"]
    assert all(shown[place - len(pictures) : place] == pictures for place in pauses)
    assert pauses
    assert pictures[-1] in shown
    shown.clear()
    at.run()
    assert pictures[-1] in shown
    assert shown.count("pause") == again


def test_marks_that_have_moved_are_waited_for(app, monkeypatch, shown):
    at = app("ensemble", **FEW)

    def settled():
        shown.clear()
        at.run()
        return "partition_map_marks" in shown and "pause" not in shown

    until(settled, 30)
    shown.clear()
    at.selectbox(key="map_distance").set_value("nmi").run()
    until(lambda: "pause" in shown or not at.run(), 30)
    assert shown[: shown.index("pause")][-2:] == ["partition_map", "partition_map_marks"]


def test_who_is_left_out_is_ringed_before_the_consensus_is_asked(app, monkeypatch, shown):
    room_of_marks = panels._room_of_marks
    monkeypatch.setattr(panels, "_room_of_marks", lambda *of: shown.append("consensus") or room_of_marks(*of))
    at = app("ensemble", **FEW)
    until(lambda: at.run() and panels._ROOM in at.session_state, 30)
    shown.clear()
    at.session_state.run_config = at.session_state.run_config.with_(switched_off=(2,))
    at.run()
    order = [one for one in shown if "partition_map" in one or one == "consensus"]
    assert order[:3] == ["partition_map_rings", "partition_map", "consensus"]


def test_dots_of_many_that_are_left_out_follow_with_the_whole_page():
    every = scene_of(data="iris", m="9")
    one, many, more = (every.varied(switched_off=tuple(range(n))) for n in (1, 5, 6))
    assert panels._left_out_below(many, every.config) == []  # rings, until the page has it too
    assert panels._left_out_below(many, many.config) == many.off
    assert panels._left_out_below(more, many.config) == many.off
    assert panels._left_out_below(many, more.config) == many.off  # a ring cannot take one back
    assert panels._left_out_below(one, one.config) == panels._left_out_below(one, many.config) == []


def test_marks_beyond_their_room_have_the_map_drawn_anew(app, shown):
    at = app("ensemble", **FEW)
    until(lambda: at.run() and panels._ROOM in at.session_state, 30)
    given, room = at.session_state[panels._ROOM]
    at.session_state[panels._ROOM] = given, ([-9.0, 9.0], [-9.0, 9.0])
    at.run()
    assert at.session_state[panels._ROOM] == (given, room)
    wider = tuple([low - 0.1, high + 0.1] for low, high in room)
    at.session_state[panels._ROOM] = given, wider
    at.run()
    assert at.session_state[panels._ROOM] == (given, wider)  # room that marks had is kept
    at.session_state[panels._ROOM] = given, room
    at.run()
    for key in ("partition_map", "partition_map_marks"):
        assert charts(at)[key]["layout"]["xaxis"]["range"] == room[0]


def test_a_pinned_picture_is_not_waited_for(app, monkeypatch, shown):
    at = app("walks", **FEW)
    at.button(key="pin").click().run()
    at.select_slider(key="param_T").set_value(9).run()
    until(lambda: "moved to another cluster" in words(at.run()), 30)
    assert "elite_graph_A" in shown
    assert shown.count("pause") == shown.count("elite_graph")
