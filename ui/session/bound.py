"""Widgets bound to the session's settings, and what a browser that has not heard of a change yet reports of them."""

import time
from collections.abc import Callable
from typing import Any

import streamlit as st

from engine.params import Words
from ui.session.settings import Several, settings
from ui.session.state import change, config, first_config, place


def bound(
    widget: Callable[..., Any],
    label: str | int,
    name: str,
    *,
    key: str | None = None,
    stretches: bool = False,
    instead: Any = None,
    **options: Any,
) -> Any:
    """A widget that shows and changes one setting; pages have a number instead of a label.

    The session's config is the one truth: the widget is set from it on every run, and writes to it on change.
    Several widgets may be bound to one setting, under keys of their own. Where it is one of some words, or several,
    these are the options under the names that people call them, unless others are given. One that `stretches` has its
    ends where a link wants them, for the whole session: ends that went with the value would be another widget each.
    Where the setting cannot be had it shows what stands `instead`, and the setting stays.
    """
    key = key or name
    value, kind = getattr(config(), name) if instead is None else instead, settings()[name].kind
    words = kind.of if isinstance(kind, Several) else kind
    if widget in (st.selectbox, st.segmented_control, st.multiselect) and isinstance(words, Words):
        options = {"options": words.choices, "format_func": words.titles.get if words.titles else str, **options}
    if stretches:
        known = [one for one in (value, getattr(first_config(), name)) if one is not None]
        options["min_value"] = min(options["min_value"], *known)
        options["max_value"] = max(options["max_value"], *known)
    ends = options.get("min_value"), options.get("max_value")
    show(key, list(value) if widget is st.multiselect else value, ends)
    entries = tuple(options["options"]) if widget is st.selectbox else None
    asked = {"on_change": _store, "args": (key, name, entries), **_first_value(widget, name, options), **options}
    return widget(label, key=key, **asked)


def _first_value(widget: Callable[..., Any], name: str, options: dict[str, Any]) -> dict[str, Any]:
    """The session's first value as the widget's default, where the widget can have it.

    A value set for a widget reaches the browser once; when runs follow fast, that message can be lost. A default
    is sent with every run.
    """
    first = getattr(first_config(), name)
    if widget is st.multiselect:
        return {"default": [one for one in first if one in options["options"]]}
    if widget is st.selectbox and first in options["options"]:
        return {"index": list(options["options"]).index(first)}
    if widget is st.toggle or (widget is st.select_slider and first in options["options"]):
        return {"value": first}
    ranged = widget in (st.slider, st.number_input) and first is not None
    if ranged and options["min_value"] <= first <= options["max_value"]:
        return {"value": first}
    return {}


def _store(key: str, name: str, entries: tuple | None) -> None:
    """Take over what a hand chose: of a menu one of its entries, never the words of one that is not there any more."""
    value = st.session_state[key]
    if value is not None and (entries is None or value in entries) and not is_echo(key, name):
        change(**{name: tuple(value) if isinstance(value, list) else value})
        _chosen().add(name)


_NOTHING = object()

#: Seconds a browser may take to draw what it was sent: nobody turns from one slider to its twin, and back to a
#: value of a moment before, in less. (Measured: 2.3 s behind, with the processor throttled to a sixth.)
HEARD_WITHIN = 3.0
#: Seconds in which nobody has seen a page of other data, and moved a widget there to its value of before.
DRAWN_WITHIN = 1.0
#: Seconds for which a value that was replaced is remembered at all.
REMEMBERED = 60.0

#: Values a widget has shown, each with the time since which the browser should know better; None: not yet.
Replaced = list[tuple[Any, float | None]]


def show(key: str, value: Any, ends: tuple = ()) -> None:
    """Make a widget show a value; one that shows it is left alone, so that a hand on it is not pulled back.

    The same key on another page, or between other `ends`, is another widget to the browser, which would begin at its
    default: it is always set.
    """
    shown = st.session_state.get(key, _NOTHING)
    moved_in = _pages().get(key) != (place(), ends)
    _arriving()[key] = place(), ends
    if _drawn_for().get(key, config().data) != config().data:
        _other_data()[key] = time.monotonic()
    _drawn_for()[key] = config().data
    if shown != value:
        before = [(shown, None), (_last_set().get(key, _NOTHING), None)]
        _replaced().setdefault(key, []).extend(before)
    if shown != value or moved_in or _may_be_lost(key):
        st.session_state[key] = _last_set()[key] = value


def begins(key: str, value: Any) -> Any:
    """What a widget is declared to begin at: the value that the session first showed there.

    A value that is set for a widget can be lost on its way (`_first_value`): the browser then draws the declared one
    and reports it, as if a hand had moved there.
    """
    return st.session_state.setdefault("_begins", {}).setdefault(key, value)


def is_echo(key: str, setting: str) -> bool:
    """Whether a widget's "change" is just the browser not having heard yet what was set here.

    A widget that is gone since other data are looked at is reported once more, with the value it had for those before.
    """
    if _drawn_for().get(key, config().data) != config().data:
        return True
    reported = st.session_state[key]
    since = [since for value, since in _replaced().get(key, []) if value == reported]
    if not since:
        _hands()[setting] = key, time.monotonic()
    lately = time.monotonic() - _other_data().get(key, -DRAWN_WITHIN) < DRAWN_WITHIN
    return None in since or (bool(since) and (lately or _moved_elsewhere(key, setting)))


def by_hand(setting: str) -> bool:
    """Whether a hand was on a widget of a setting in this session."""
    return setting in _chosen()


def _moved_elsewhere(key: str, setting: str) -> bool:
    """Whether a hand was on another widget of the setting, so lately that the browser may not have drawn it."""
    last, when = _hands().get(setting, (key, 0.0))
    return last != key and time.monotonic() - when < HEARD_WITHIN


def run_complete() -> None:
    """At the end of a run the browser has been sent everything."""
    now = time.monotonic()
    for key, values in _replaced().items():
        dated = [(value, now if since is None else since) for value, since in values]
        _replaced()[key] = [(value, since) for value, since in dated if now - since < REMEMBERED]
    _pages().update(_arriving())
    _arriving().clear()


def _may_be_lost(key: str) -> bool:
    """Whether the value was set in a run that was cut short."""
    return any(since is None for _, since in _replaced().get(key, []))


def _replaced() -> dict[str, Replaced]:
    return st.session_state.setdefault("_replaced", {})


def _last_set() -> dict[str, Any]:
    """The value each widget was last set to by us."""
    return st.session_state.setdefault("_last_set", {})


def _drawn_for() -> dict[str, str]:
    """The data set that each widget was last drawn for."""
    return st.session_state.setdefault("_drawn_for", {})


def _other_data() -> dict[str, float]:
    """When each widget was first drawn for the data there are, others having been there before."""
    return st.session_state.setdefault("_other_data", {})


def _pages() -> dict[str, tuple]:
    """The page that the browser last drew each widget on, and between which ends."""
    return st.session_state.setdefault("_shown_on", {})


def _arriving() -> dict[str, tuple]:
    """The same for those shown in this run, which may be cut short."""
    return st.session_state.setdefault("_arriving", {})


def _chosen() -> set[str]:
    """The settings that a hand has moved."""
    return st.session_state.setdefault("_chosen", set())


def _hands() -> dict[str, tuple[str, float]]:
    """The widget with which each setting was last moved by hand, and when."""
    return st.session_state.setdefault("_hands", {})
