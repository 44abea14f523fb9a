"""Widgets bound to the session's RunConfig, and widgets made from a parameter's description."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from engine.params import ParamSpec
from ui.state import change, change_param, config, first_config

_NOTHING = object()


def bound(widget: Callable[..., Any], label: str, name: str, *, key: str | None = None, **options: Any) -> Any:
    """A widget that shows and changes one field of the RunConfig.

    The session's config is the one truth: the widget is set from it on every run, and writes to it on change.
    Several widgets may be bound to one field, under keys of their own.
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
    if widget in (st.slider, st.number_input) and options["min_value"] <= first <= options["max_value"]:
        return {"value": first}
    return {}


def show(key: str, value: Any) -> None:
    """Make a widget show a value; one that shows it is left alone, so that a hand on it is not pulled back.

    When the hand is on another widget of the same field, a rerun can come before the browser has heard of the
    value set here; it then reports the old one, as if a person had chosen it. Until a run is complete, such an
    echo is recognised by its value (see `is_echo`), and the value is set again: the browser may have missed it.
    """
    if key in _set_by_us() or st.session_state.get(key, _NOTHING) != value:
        _set_by_us().setdefault(key, st.session_state.get(key, _NOTHING))
        st.session_state[key] = value


def is_echo(key: str) -> bool:
    """Whether a widget's "change" is just the browser not having heard yet what was set here."""
    return _set_by_us().get(key, _NOTHING) == st.session_state[key]


def run_complete() -> None:
    """At the end of a run the browser has been told everything: what widgets report from now on is meant."""
    _set_by_us().clear()


def _set_by_us() -> dict[str, Any]:
    """Widgets set in runs that were cut short, with the value each showed before."""
    return st.session_state.setdefault("_set_by_us", {})


def _store(key: str, name: str) -> None:
    value = st.session_state[key]
    if value is not None and not is_echo(key):
        change(**{name: tuple(value) if isinstance(value, list) else value})


#: Values that may get the brightest colour of a matrix.
BRIGHTEST = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)


def brightness(name: str, pictures: str) -> float:
    """The value that gets the brightest colour, chosen once for several pictures."""
    stops = sorted({*BRIGHTEST, getattr(config(), name)})
    bound(st.select_slider, "Brightest at", name, options=stops, width=220,
          help=f"The value that gets the brightest colour; the same for {pictures}.")  # fmt: skip
    return getattr(config(), name)


def param_widgets(specs: Sequence[ParamSpec], values: dict[str, Any]) -> None:
    """One widget for each parameter of the current method, made from its description."""
    for spec in specs:
        param_widget(spec, values[spec.name])


def param_widget(spec: ParamSpec, value: Any) -> None:
    """Choose the widget by the parameter's kind; None ("automatic") is a switch beside it."""
    if spec.optional:
        show(f"auto_{spec.name}", value is None)
        automatic = st.toggle(
            f"{label_of(spec)}: automatic", key=f"auto_{spec.name}", help=spec.doc,
            on_change=_store_automatic, args=(spec,),
        )  # fmt: skip
        if automatic:
            return
    {"choice": _choice, "bool": _switch}.get(spec.kind, _slider)(spec, value)


def label_of(spec: ParamSpec) -> str:
    """Symbol and name, such as θ (theta); the name alone where it is its own symbol."""
    return spec.name if spec.symbol == spec.name else f"{spec.symbol} ({spec.name})"


def _help(spec: ParamSpec) -> str:
    return f"{spec.doc} {spec.raising}".strip()


def _choice(spec: ParamSpec, value: Any) -> None:
    show(_key(spec), value)
    st.segmented_control(
        label_of(spec), spec.choices, key=_key(spec), help=_help(spec), on_change=_store_param, args=(spec,)
    )


def _switch(spec: ParamSpec, value: Any) -> None:
    show(_key(spec), value)
    st.toggle(label_of(spec), key=_key(spec), help=_help(spec), on_change=_store_param, args=(spec,))


def _slider(spec: ParamSpec, value: Any) -> None:
    """A slider over the useful range; on a logarithmic parameter its stops are evenly spaced ratios.

    A legal value that is no stop of the slider (from a URL) becomes one.
    """
    stops = slider_stops(spec)
    value = value if value is not None else stops[len(stops) // 2]
    if value not in stops:
        stops = sorted([*stops, value])
    show(_key(spec), value)
    st.select_slider(label_of(spec), stops, key=_key(spec), help=_help(spec), format_func=_short,
                     on_change=_store_param, args=(spec,))  # fmt: skip


def slider_stops(spec: ParamSpec, n: int = 40) -> list[float]:
    """Values a person can move through: all integers of a short range, else about n."""
    low, high = spec.slider or (spec.low, spec.high)
    if spec.kind == "int":
        step = max(1, round((high - low) / 100))
        return sorted({*range(int(low), int(high) + 1, step), int(high), int(spec.default or low)})
    if spec.log:
        ratios = (low * (high / low) ** (i / n) for i in range(n + 1))
        return sorted({*(float(f"{value:.2g}") for value in ratios), spec.default})
    return sorted({*(round(low + (high - low) * i / n, 4) for i in range(n + 1)), spec.default})


def _short(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"


def _key(spec: ParamSpec) -> str:
    return f"param_{spec.name}"


def _store_param(spec: ParamSpec) -> None:
    value = st.session_state[_key(spec)]
    if value is not None:
        change_param(spec.name, value)


def _store_automatic(spec: ParamSpec) -> None:
    stops = slider_stops(spec) if spec.kind in ("int", "float") else list(spec.choices)
    change_param(spec.name, None if st.session_state[f"auto_{spec.name}"] else stops[len(stops) // 2])


def three_digits(value: float) -> str:
    """A number with three significant digits."""
    return "0" if value == 0 else f"{value:.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"


def duration(seconds: float) -> str:
    """A time for people: 26.0 ms, 4.12 s."""
    return f"{three_digits(1000 * seconds)} ms" if seconds < 1 else f"{three_digits(seconds)} s"


def counted(n: int, noun: str) -> str:
    """A count with its noun: 1 object, 1,200 objects."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
