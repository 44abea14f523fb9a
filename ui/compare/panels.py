"""The parts of the Compare page that hang on one ensemble: agreement, partitions side by side, flows."""

import numpy as np
import streamlit as st

from engine import consensus_methods
from engine.metrics import MEASURES, align, score
from ui.compare import comparing
from ui.compute import pipeline
from ui.figures import agreement_figure, flow_figure, scatter, small_multiples
from ui.parts import stages
from ui.parts.chart import chart
from ui.parts.echoes import show
from ui.parts.progress import settle
from ui.parts.words import three_digits
from ui.session.selection import mask
from ui.session.state import change, config, theme


def on_this_ensemble() -> None:
    """Every method's answer on the ensemble of the sidebar."""
    made = stages.ensemble()
    placed = stages.layout(made)
    if not placed or stages.inseparable(made, "every method says the same"):
        return
    found = settle(comparing.answers(config(), made), "Asking every method", "answers")
    if found is None:
        return
    for title, reason in found.reasons.items():
        st.caption(f"{title} is left out: {reason}.")
    if len(found.labels) < 2:
        st.info("Choose at least two methods that can run here, and their answers stand side by side.")
        return
    truth = pipeline.truth(config())
    reference = next(iter(found.labels.values())) if truth is None else truth
    aligned = {key: align(labels, reference) for key, labels in found.labels.items()}
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.markdown("**Who agrees with whom?** (NMI, max)")
        chart(agreement_figure(found.agreement, _titles(aligned), theme()), "compare_agreement")
    with right:
        partitions(aligned, placed, truth)
    left, right = st.columns([3, 2], gap="large")
    with left:
        differing(found, aligned, placed)
    with right:
        flows(found, aligned)


def _titles(keys) -> list[str]:
    return [consensus_methods()[key].title for key in keys]


def partitions(aligned, placed, truth) -> None:
    """The answers as small multiples, in the same colours."""
    points, _, equal = placed
    measure = config().measure
    titles = [
        title if truth is None else f"{title}, {three_digits(score(labels, truth, measure))}"
        for title, labels in zip(_titles(aligned), aligned.values(), strict=True)
    ]
    st.markdown("**Their answers**" + ("" if truth is None else f", each with its {MEASURES[measure]}"))
    panels = list(aligned.values())[:12]
    options = {"columns": 4, "equal": equal, "panel_height": 140, "selected": mask(len(points))}
    chart(small_multiples(points, panels, titles[:12], theme(), **options), "answers")


def differing(found, aligned, placed) -> None:
    """Two answers where they differ: only those objects in colour."""
    points, axes, equal = placed
    pair = comparing.pair(config(), found)
    first, second = (aligned[key] for key in pair)
    second = align(second, first)
    differ = first != second
    names = _titles(pair)
    st.markdown(f"**Where {names[0]} and {names[1]} differ**: {differ.sum():,} of {len(differ):,} objects")
    if not differ.any():
        who = "All methods" if np.allclose(found.agreement, 1) else "They"
        st.caption(f"{who} say the same of every object.")
        return
    for name, labels, column in zip(names, (first, second), st.columns(2), strict=True):
        with column:
            figure = scatter(
                points, np.where(differ, labels, -1), theme(), axis_names=axes, equal=equal, height=320, title=name
            )
            chart(figure, f"differ_{'ab'[name == names[1]]}")


def flows(found, aligned) -> None:
    """Which objects go where from one answer to another; the two are chosen here, also for where they differ."""
    pair = comparing.pair(config(), found)
    st.markdown("**Who goes where?**")
    for place, column in enumerate(st.columns(2)):
        with column:
            show(f"flow_{place}", pair[place])
            st.selectbox(
                ("From", "to")[place],
                list(found.labels),
                key=f"flow_{place}",
                on_change=_store_flow,
                format_func=lambda key: consensus_methods()[key].title,
            )
    first, second = (aligned[key] for key in pair)
    chart(flow_figure(first, align(second, first), theme(), titles=tuple(_titles(pair)), height=300), "flows")


def _store_flow() -> None:
    pair = st.session_state["flow_0"], st.session_state["flow_1"]
    if pair[0] != pair[1]:
        change(flow=pair)
