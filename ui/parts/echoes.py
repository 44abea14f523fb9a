"""Widgets that are set by us, and what a browser that has not heard of it yet still reports of them.

Several widgets may show one setting. When the hand is on one of them, the others are set here; until the browser
has drawn that, every rerun it asks for reports a value they showed before, as if a person had chosen it. Such an
echo is recognised by its value: while a run is not complete (what it sent may be lost), and, where the hand was
on another widget of the setting, for as long after that as a slow browser takes to draw.
"""

import time
from typing import Any

import streamlit as st

from ui.session.state import place

_NOTHING = object()

#: Seconds a browser may take to draw what it was sent: nobody turns from one slider to its twin, and back to a
#: value of a moment before, in less. (Measured: 2.3 s behind, with the processor throttled to a sixth.)
HEARD_WITHIN = 3.0
#: Seconds for which a value that was replaced is remembered at all.
REMEMBERED = 60.0

#: Values a widget has shown, each with the time since which the browser should know better; None: not yet.
Replaced = list[tuple[Any, float | None]]


def show(key: str, value: Any) -> None:
    """Make a widget show a value; one that shows it is left alone, so that a hand on it is not pulled back.

    The same key on another page is another widget to the browser, which would begin at its default: it is always set.
    """
    shown = st.session_state.get(key, _NOTHING)
    moved_in = _pages().get(key) != place()
    _arriving()[key] = place()
    if shown != value:
        before = [(shown, None), (_last_set().get(key, _NOTHING), None)]
        _replaced().setdefault(key, []).extend(before)
    if shown != value or moved_in or _may_be_lost(key):
        st.session_state[key] = _last_set()[key] = value


def is_echo(key: str, setting: str) -> bool:
    """Whether a widget's "change" is just the browser not having heard yet what was set here."""
    reported = st.session_state[key]
    since = [since for value, since in _replaced().get(key, []) if value == reported]
    if not since:
        _hands()[setting] = key, time.monotonic()
    return None in since or (bool(since) and _moved_elsewhere(key, setting))


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


def _pages() -> dict[str, str]:
    """The page that the browser last drew each widget on."""
    return st.session_state.setdefault("_shown_on", {})


def _arriving() -> dict[str, str]:
    """The same for those shown in this run, which may be cut short."""
    return st.session_state.setdefault("_arriving", {})


def _hands() -> dict[str, tuple[str, float]]:
    """The widget with which each setting was last moved by hand, and when."""
    return st.session_state.setdefault("_hands", {})
