"""The knobs of a sweep: method, axes, draws, score, and how k is chosen."""

import streamlit as st

from engine.confidence import INTERNAL
from engine.metrics import MEASURES
from engine.params import Number, ParamSpec
from engine.studies.study import k_criteria
from ui.session.bound import bound, show
from ui.session.run_config import RunConfig
from ui.session.state import change, config
from ui.studies import sweeps
from ui.widgets import method_menu
from ui.widgets.terms import meanings

POLICY_NAMES = {
    "true": "as many as classes",
    "best": "the best of 2 to 30 or more, by NMI",
    "best-sqrt": "the best of 2 to √N, by NMI",
    "page": "as on the pages",
    **{key: f"by {title}" for key, title in k_criteria().items()},
}


def score_and_k(chosen: RunConfig, classes: bool, swept: bool = False, width: int = 240) -> None:
    """The score, and how k is chosen: without classes, internal scores and what needs no classes."""
    name, scores = ("measure", MEASURES) if classes else ("internal", INTERNAL)
    told = meanings(*scores.values())
    bound(st.selectbox, "Score", name, options=list(scores), format_func=scores.get, width=width, help=told)
    if swept:
        return
    options = [key for key in POLICY_NAMES if classes or key not in sweeps.BY_CLASSES]
    if chosen.policy not in options:
        change(policy=sweeps.policy_of(chosen, classes))
    told = meanings(*map(POLICY_NAMES.__getitem__, options))
    bound(st.selectbox, "Clusters k", "policy", options=options, format_func=POLICY_NAMES.get, width=width, help=told)


def knobs(chosen: RunConfig, first, second) -> None:
    """Method, what is swept, and how often."""
    left, middle, right = st.columns(3, gap="large")
    with left:
        method_menu.choose()
        bound(
            st.slider,
            "Draws",
            "draws",
            min_value=2,
            max_value=max(30, chosen.draws),
            help="Ensembles made or drawn anew, each with a seed of its own.",
        )
    with middle:
        axis_knobs(chosen.method, "x", "Sweep", first, [])
    with right:
        axis_knobs(chosen.method, "y", "and", second, [first.name])
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        score_and_k(chosen, sweeps.has_classes([chosen.data]), swept="k" in (first.name, second and second.name))


def axis_knobs(method: str, field: str, label: str, axis, taken: list[str]) -> None:
    """Which parameter, over which range, at how many values."""
    names = [name for name in sweeps.candidates(method) if name not in taken]
    options = names if field == "x" else ["", *names]
    show(f"sweep_{field}", axis.name if axis else "")
    specs = sweeps.candidates(method)
    st.selectbox(
        label,
        options,
        key=f"sweep_{field}",
        on_change=_store_name,
        args=(field,),
        format_func=lambda name: sweeps.Axis(specs[name], ()).label if name else "nothing else",
    )
    if axis is None or not isinstance(axis.spec.kind, Number):
        return
    numbers = [value for value in axis.values if value is not None]
    if not numbers:  # "auto" alone
        return
    stops = sorted({*axis.spec.kind.stops(axis.spec.default), *numbers})
    show(f"range_{field}", (numbers[0], numbers[-1]))
    show(f"count_{field}", len(numbers))
    st.select_slider(
        "from … to", stops, (stops[0], stops[-1]), key=f"range_{field}", on_change=_store_range, args=(field, axis.spec)
    )
    st.slider("values", 1, max(20, len(numbers)), key=f"count_{field}", on_change=_store_range, args=(field, axis.spec))


def _store_name(field: str) -> None:
    name = st.session_state[f"sweep_{field}"]
    change(**{field: sweeps.default(sweeps.candidates(config().method)[name]).text if name else ""})


def _store_range(field: str, spec: ParamSpec) -> None:
    low, high = st.session_state[f"range_{field}"]
    if low < high:
        count = max(2, st.session_state[f"count_{field}"])
        change(**{field: sweeps.Axis(spec, spec.kind.ladder(low, high, count)).text})
