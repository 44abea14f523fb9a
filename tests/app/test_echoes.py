"""Two widgets of one setting, and a browser that is behind."""

import pytest
import streamlit as st

from engine.generators import known_generators
from tests.app.conftest import at_rest
from tests.strategies import random_labels
from ui import growing_trees, why
from ui.compute import uploads
from ui.consensus import panels, specifics
from ui.session import bound
from ui.session.run_config import RunConfig
from ui.widgets import knobs


@pytest.fixture
def clock(monkeypatch):
    """A session of its own, at a time that the test sets."""
    now = [100.0]
    monkeypatch.setattr(bound.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(bound, "config", lambda: RunConfig(data="iris"))
    return now


def _run(*, hand, twin) -> None:
    """A complete run in which both widgets are shown with these values."""
    bound.show("hand", hand)
    bound.show("twin", twin)
    bound.run_complete()


def _is_echo(key: str, value) -> bool:
    """The browser reports a value of a widget; whether it is taken for an echo."""
    st.session_state[key] = value
    return bound.is_echo(key, "m")


def _moves(value) -> None:
    """A hand on the one widget, and the run that follows."""
    assert not _is_echo("hand", value)
    _run(hand=value, twin=value)


def test_a_browser_that_is_behind_reports_any_value_of_a_moment_before(clock):
    _run(hand=20, twin=20)
    _moves(21)
    assert _is_echo("twin", 20)
    _moves(23)
    assert _is_echo("twin", 21)


def test_a_value_that_was_not_shown_is_a_hand(clock):
    _run(hand=20, twin=20)
    _moves(21)
    assert not _is_echo("twin", 22)


def test_a_value_of_the_data_before_is_an_echo_though_the_run_is_complete(clock, monkeypatch):
    _run(hand=2, twin=2)
    monkeypatch.setattr(bound, "config", lambda: RunConfig(data="wine"))
    _run(hand=3, twin=3)
    assert _is_echo("hand", 2)
    assert not _is_echo("hand", 4)
    _run(hand=3, twin=3)
    clock[0] += bound.DRAWN_WITHIN
    assert not _is_echo("hand", 2)


def test_after_a_while_the_old_value_is_meant(clock):
    _run(hand=20, twin=20)
    _moves(21)
    clock[0] += bound.HEARD_WITHIN
    assert not _is_echo("twin", 20)


def test_beside_a_hand_on_the_other_widget_it_is_an_echo_however_late(clock):
    _run(hand=20, twin=20)
    _moves(21)
    clock[0] += 12
    assert not _is_echo("hand", 26)
    assert _is_echo("twin", 20)


def test_a_widget_alone_is_believed_once_the_run_is_complete(clock):
    _run(hand=20, twin=20)
    st.session_state["twin"] = 4
    _run(hand=20, twin=20)
    assert not _is_echo("twin", 4)


def test_in_a_run_cut_short_the_value_is_set_again(clock):
    _run(hand=20, twin=20)
    bound.show("twin", 21)
    clock[0] += 30
    assert _is_echo("twin", 20)
    st.session_state = Watched(st.session_state)
    bound.show("twin", 21)
    bound.show("twin", 21)
    assert st.session_state.set == ["twin", "twin"]
    bound.run_complete()
    bound.show("twin", 21)
    assert st.session_state.set == ["twin", "twin"]


def test_a_slider_of_the_data_before_decides_nothing_any_more(app):
    """Those of features and of a file of labels are two: the browser reports the one until it has drawn the other."""
    at = app("ensemble", data="iris")
    labels = "\n".join(",".join(map(str, row)) for row in random_labels(30, 40, 3).tolist())
    pool = uploads.keep_file("runs.csv", labels.encode(), "labels").id
    at.session_state.run_config = at.session_state.run_config.with_(data=pool, m=None)
    at.slider(key="m").set_value(25).run()
    assert at.session_state.run_config.m is None
    at.slider(key="m_of_pool").set_value(25).run()
    assert at.session_state.run_config.m == 25


class Watched(dict):
    """A session that notes which widgets were set."""

    def __init__(self, before):
        super().__init__(before)
        self.set = []

    def __setitem__(self, key, value):
        self.set.append(key)
        super().__setitem__(key, value)


def test_what_was_replaced_long_ago_is_forgotten(clock):
    _run(hand=20, twin=20)
    _moves(21)
    clock[0] += bound.REMEMBERED
    bound.run_complete()
    assert not _is_echo("hand", 25)
    assert not _is_echo("twin", 20)


#: A page with much that follows from the data, and one whose settings stand in the address.
ADDRESSES = [
    {"data": "communities", "m": "8"},
    {"data": "iris", "m": "8", "k_range": "5-9", "method": "pta"},
    {"data": "communities", "m": "8", "leiden_resolution": "0.5-2", "pair": "3-8", "K": "6", "k": "4"},
]


@pytest.mark.parametrize("query", ADDRESSES, ids=["automatic", "own range", "all chosen"])
@pytest.mark.parametrize("page", ["walks", "consensus", "growing_trees", "subspaces", "matrices"])
def test_what_a_browser_draws_without_being_told_is_what_stands_here(app, page, query):
    at = at_rest(app, page, **query)
    looked_at = 0
    for widget in (*at.slider, *at.select_slider, *at.number_input):
        default = widget.proto.default
        declared = list(default) if hasattr(default, "__len__") else [default]
        if widget.type == "select_slider":
            declared = [widget.proto.options[int(place)] for place in declared]
        shown = widget.value if isinstance(widget.value, list | tuple) else [widget.value]
        format_ = widget.format_func if widget.type == "select_slider" else (lambda value: value)
        assert declared == [format_(one) for one in shown], widget.key
        looked_at += 1
    for widget in at.selectbox:
        assert widget.options[widget.proto.default] == widget.format_func(widget.value), widget.key
    for widget in at.toggle:
        assert widget.proto.default == widget.value, widget.key
    assert looked_at > 1


K_RANGE = known_generators()["kmeans"].params.specs()[0]


@pytest.mark.parametrize(
    ("module", "store", "reported"),
    [
        (panels, panels._store_k, {"k_input": 2}),
        (growing_trees, growing_trees._store_k, {"grow_k": 2}),
        (why, lambda: why._store("dialog", "pair_i_dialog"), {"pair_i_dialog": 8, "pair_j_dialog": 9}),
        (specifics, lambda: specifics._store_pair("cluster_i"), {"cluster_i": 8, "cluster_j": 9}),
        (knobs, lambda: knobs._store_policy(K_RANGE), {"param_k_range_policy": "half_sqrt"}),
        (knobs, lambda: knobs._store_own(K_RANGE), {"param_k_range_own": (3, 4)}),
    ],
)
def test_a_value_of_the_data_before_that_is_reported_late_is_no_choice(module, store, reported, clock, monkeypatch):
    """Data were changed and something clicked at once: the browser had not drawn the widgets anew (k stayed at 2)."""
    made = []
    monkeypatch.setattr(module, "change", lambda **settings: made.append(settings))
    st.session_state.update(reported)
    for key in reported:
        bound._drawn_for()[key] = "moons"
    store()
    assert made == []
    for key in reported:
        bound._drawn_for()[key] = "iris"
    store()
    assert len(made) == 1
