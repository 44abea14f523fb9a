"""Widgets bound to the session's settings."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from ui.parts.echoes import is_echo, show
from ui.session.state import change, config, first_config


def bound(widget: Callable[..., Any], label: str, name: str, *, key: str | None = None, **options: Any) -> Any:
    """A widget that shows and changes one setting.

    The session's config is the one truth: the widget is set from it on every run, and writes to it on change.
    Several widgets may be bound to one setting, under keys of their own.
    """
    key = key or name
    value = getattr(config(), name)
    show(key, list(value) if widget is st.multiselect else value)
    return widget(label, key=key, on_change=_store, args=(key, name), **_first_value(widget, name, options), **options)


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


def _store(key: str, name: str) -> None:
    value = st.session_state[key]
    if value is not None and not is_echo(key, name):
        change(**{name: tuple(value) if isinstance(value, list) else value})
