"""Knobs: the widgets of parameters, made from their descriptions, of M, and of colours; one value for the whole app."""

import dataclasses
from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

from data import Pool
from engine.generators import KRange, generator_concepts, k_bounds
from engine.params import Choice, Float, Int, Interval, Kind, Params, ParamSpec, Switch
from ui.pictures.matrices import STOPS
from ui.scene import Scene
from ui.scene.ensemble import n_clusterings
from ui.session.bound import begins, bound, is_echo, show
from ui.session.settings import method_concepts
from ui.session.state import change, first_config
from ui.widgets.around import beside, quiet
from ui.widgets.terms import helped


def knobs_of(scene: Scene, params: type[Params]) -> None:
    """One knob for each parameter of a method or generator."""
    for spec in params.specs():
        knob(scene, spec.concept)


def knob(scene: Scene, concept: str, width: int | Literal["stretch"] = "stretch") -> None:
    """The knob of a parameter, one value for the whole app.

    One that is automatic stands at the value this comes to, and says so; once it was moved, there is a way back.
    """
    spec = method_concepts().get(concept) or generator_concepts()[concept]
    value = getattr(scene.config, concept)
    if not spec.kind.optional:
        WIDGETS[type(spec.kind)](spec, value, width)
        return
    comes_to = automatic(quiet(scene), spec)
    with st.container(horizontal=True, vertical_alignment="bottom", width=width):
        shown = _standing(spec, comes_to) if value is None else value
        WIDGETS[type(spec.kind)](_said(spec, value, comes_to), shown, "stretch")
        if value is not None:
            st.button(
                "auto",
                key=f"auto_{spec.concept}",
                on_click=change,
                kwargs={spec.concept: None},
                width="content",
                help="Back to automatic" + ("." if comes_to is None else f": {comes_to}."),
            )


def automatic(scene: Scene, spec: ParamSpec) -> Any | None:
    """What None stands for on the base clusterings of a scene; None while they are made, or where nobody knows."""
    if spec.automatic is None or (made := scene.ensemble) is None:
        return None
    return spec.automatic(made, None if scene.truth is None else max(2, int(scene.truth.max()) + 1))


def _said(spec: ParamSpec, value: Any, comes_to: Any) -> ParamSpec:
    """The parameter, its word saying what it is where nobody chose."""
    if value is not None:
        return spec
    words = f"{spec.label}: auto" if comes_to is None else f"{spec.label}: auto = {comes_to}"
    return dataclasses.replace(spec, symbol=words, word="")


def _standing(spec: ParamSpec, comes_to: Any) -> Any:
    """Where an automatic knob stands: at what it comes to; in the middle before anybody knows."""
    stops = spec.kind.stops(spec.default)
    return stops[len(stops) // 2] if comes_to is None else comes_to


def _help(spec: ParamSpec, *choices: str) -> str:
    return helped(f"{spec.doc} {spec.raising}".strip(), *choices)


#: More choices than these do not fit beside each other.
SIDE_BY_SIDE = 4


def _choice(spec: ParamSpec, value: Any, width: int | Literal["stretch"]) -> None:
    show(_key(spec), value)
    choices = spec.kind.stops(None)
    options: dict[str, Any] = {"key": _key(spec), "on_change": _store_knob, "args": (spec,)}
    options["format_func"] = spec.kind.titles.get if spec.kind.titles else str
    options["help"] = _help(spec, *(spec.kind.titles or {}).values())
    if len(choices) <= SIDE_BY_SIDE:
        st.segmented_control(spec.label, choices, **options)
    else:
        st.selectbox(spec.label, choices, choices.index(begins(_key(spec), value)), **options)


def _switch(spec: ParamSpec, value: Any, width: int | Literal["stretch"]) -> None:
    show(_key(spec), value)
    first = begins(_key(spec), value)
    st.toggle(spec.label, first, key=_key(spec), help=_help(spec), on_change=_store_knob, args=(spec,))


def _slider(spec: ParamSpec, value: Any, width: int | Literal["stretch"]) -> None:
    """A slider over the useful range; on a logarithmic parameter its stops are evenly spaced ratios.

    A legal value that is no stop of the slider (from a URL) becomes one.
    """
    stops = spec.kind.stops(spec.default)
    first = getattr(first_config(), spec.concept)
    if first is None:  # automatic; in the middle only until it is known where it stands
        first = value if value == stops[len(stops) // 2] else begins(_key(spec), value)
    show(_key(spec), value)
    st.select_slider(
        spec.label,
        sorted({*stops, value, first}),
        first,
        key=_key(spec),
        help=_help(spec),
        format_func=_short,
        on_change=_store_knob,
        args=(spec,),
        width=width,
    )


def _interval(spec: ParamSpec, value: tuple[float, float], width: int | Literal["stretch"]) -> None:
    """A slider with two ends."""
    first = begins(_key(spec), value)
    stops: list[float] = sorted({*spec.kind.stops(spec.default), *value, *first})
    show(_key(spec), value)
    st.select_slider(
        f"Range of {spec.symbol}",
        stops,
        first,
        key=_key(spec),
        help=_help(spec),
        format_func=lambda end: f"{end:g}",
        on_change=_store_knob,
        args=(spec,),
        width=width,
    )


#: The papers' ranges of k, in words.
POLICY_NAMES = {
    "sqrt": "2 to √N",
    "half_sqrt": "2 to min(√N / 2, 50)",
    "fixed_sqrt": "always min(√N, 50)",
    "own": "own range",
}


def _k_range(spec: ParamSpec, value: Any, width: int | Literal["stretch"]) -> None:
    """A policy by name, or an own range."""
    own, key = not isinstance(value, str), _key(spec)
    policy = "own" if own else value
    show(f"{key}_policy", policy)
    st.selectbox(
        "Clusters in each, k",
        list(POLICY_NAMES),
        list(POLICY_NAMES).index(begins(f"{key}_policy", policy)),
        key=f"{key}_policy",
        format_func=POLICY_NAMES.get,
        on_change=_store_policy,
        args=(spec,),
        help=helped(spec.doc),
    )
    if own:
        top = max(100, value[1], st.session_state.get(f"{key}_top", 0))  # a slider with other ends would be another one
        st.session_state[f"{key}_top"] = top
        show(f"{key}_own", value, (top,))
        low, high = begins(f"{key}_own", value)
        first = low, min(high, top)
        st.slider("Range of k", 2, top, first, key=f"{key}_own", on_change=_store_own, args=(spec,))


def _store_policy(spec: ParamSpec) -> None:
    key = f"{_key(spec)}_policy"
    if not is_echo(key, key):
        policy = st.session_state[key]
        change(**{spec.concept: _own_range() if policy == "own" else policy})


def _own_range() -> tuple[int, int]:
    """Where an own range begins: near what the papers take for as many objects."""
    low, high = k_bounds("sqrt", beside().source.n_objects)
    return low, max(low + 1, min(high, 20))


def _store_own(spec: ParamSpec) -> None:
    key = f"{_key(spec)}_own"
    if not is_echo(key, key):
        change(**{spec.concept: tuple(st.session_state[key])})


#: One widget for each kind of parameter.
WIDGETS: dict[type[Kind], Callable[[ParamSpec, Any, Any], None]] = {
    Float: _slider,
    Int: _slider,
    Switch: _switch,
    Choice: _choice,
    Interval: _interval,
    KRange: _k_range,
}


def _short(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"


def _key(spec: ParamSpec) -> str:
    return f"param_{spec.concept}"


def _store_knob(spec: ParamSpec) -> None:
    value = st.session_state[_key(spec)]
    if value is not None and not is_echo(_key(spec), spec.concept):
        change(**{spec.concept: value})


def ensemble_size(scene: Scene, key: str, top: int) -> None:
    """How many base clusterings are made, up to `top` or what a link asks for; of a pool how many are taken."""
    source, m = scene.source, scene.n_clusterings
    words = "More clusterings settle the consensus, and cost time."
    if isinstance(source, Pool):
        key, top = f"{key}_of_pool", source.n_clusterings
        words = f"The file has {top:,}: at the top all of them, below it so many drawn at random."
    if top == 1:
        return
    first = n_clusterings(source, first_config().m)
    top = max(top, m, first)  # that of a link stays in reach
    show(key, m, (top,))
    st.slider("Base clusterings M", 1, top, first, key=key, on_change=_store, args=(key,), help=helped(words))


def _store(key: str) -> None:
    if not is_echo(key, "m"):
        change(m=st.session_state[key])


def brightness(scene: Scene, name: str, words: str, pictures: str) -> None:
    """The switch that fits the colours to the values there are, as `words` say; off, the slider for all `pictures`.

    `name` is the setting.
    """
    key, value = f"fit_{name}", getattr(scene.config, name)
    show(key, value is None)
    st.toggle("Fit the colours", begins(key, value is None), key=key, on_change=_fit, args=(name, key), help=words)
    if value is not None:
        bound(
            st.select_slider,
            "Brightest at",
            name,
            options=sorted({*STOPS, value}),
            width=220,
            help=f"The value that gets the brightest colour; the same for {pictures}.",
        )


def _fit(name: str, key: str) -> None:
    if not is_echo(key, name):
        change(**{name: None if st.session_state[key] else 1.0})
