"""The parts of the Compare page that hang on one ensemble: agreement, partitions side by side, flows."""

import numpy as np
import streamlit as st

from engine import consensus_methods
from engine.metrics import MEASURES, score
from ui.compare import comparing
from ui.compute import pipeline
from ui.figures import agreement_figure, flow_figure, scatter, small_multiples
from ui.figures.style import painted
from ui.parts import method_menu, stages
from ui.parts.chart import chart
from ui.parts.colours import alike
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
    method_menu.completion(made)
    if not made.complete and any(map(_wants_all_labels, config().methods)):
        with st.container(horizontal=True):
            method_menu.offer_completion()
    if len(found.labels) < 2:
        st.info("Choose at least two methods that can run here, and their answers stand side by side.")
        return
    truth = pipeline.truth(config())
    reference = next(iter(found.labels.values())) if truth is None else truth
    colors = {key: alike(labels, reference) for key, labels in found.labels.items()}
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.markdown("**Who agrees with whom?** (NMI, max)")
        chart(agreement_figure(found.agreement, _titles(colors), theme()), "compare_agreement")
    with right:
        partitions(found, colors, placed, truth)
    left, right = st.columns([3, 2], gap="large")
    with left:
        differing(found, colors, placed)
    with right:
        flows(found, colors)


def _wants_all_labels(method: str) -> bool:
    return "complete" in consensus_methods()[method].requirements(config().params_of(method))


def _titles(keys) -> list[str]:
    return [consensus_methods()[key].title for key in keys]


def partitions(found, colors, placed, truth) -> None:
    """The answers as small multiples, in the same colours."""
    points, _, equal = placed
    measure = config().measure
    titles = [
        title if truth is None else f"{title}, {three_digits(score(labels, truth, measure))}"
        for title, labels in zip(_titles(found.labels), found.labels.values(), strict=True)
    ]
    st.markdown("**Their answers**" + ("" if truth is None else f", each with its {MEASURES[measure]}"))
    panels = list(found.labels.values())[:12]
    options = {
        "colors": list(colors.values())[:12],
        "columns": 4,
        "equal": equal,
        "panel_height": 140,
        "selected": mask(len(points)),
    }
    chart(small_multiples(points, panels, titles[:12], theme(), **options), "answers")


def differing(found, colors, placed) -> None:
    """Two answers where they differ: only those objects in colour."""
    points, axes, equal = placed
    pair = comparing.pair(config(), found)
    both = [found.labels[key] for key in pair]
    paints = _paired(both, colors[pair[0]])
    differ = np.not_equal(*(painted(labels, paint) for labels, paint in zip(both, paints, strict=True)))
    names = _titles(pair)
    st.markdown(f"**Where {names[0]} and {names[1]} differ**: {differ.sum():,} of {len(differ):,} objects")
    if not differ.any():
        who = "All methods" if np.allclose(found.agreement, 1) else "They"
        st.caption(f"{who} say the same of every object.")
        return
    for name, labels, paint, column in zip(names, both, paints, st.columns(2), strict=True):
        with column:
            options = {"colors": paint, "axis_names": axes, "equal": equal, "height": 320, "title": name}
            figure = scatter(points, np.where(differ, labels, -1), theme(), **options)
            chart(figure, f"differ_{'ab'[name == names[1]]}")


def _paired(both, colors) -> tuple[np.ndarray, np.ndarray]:
    """Colours of the clusters of two answers: those of the first, and of the second after it."""
    return colors, alike(both[1], painted(both[0], colors))


def flows(found, colors) -> None:
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
    both = [found.labels[key] for key in pair]
    options = {"titles": tuple(_titles(pair)), "colors": _paired(both, colors[pair[0]]), "height": 300}
    chart(flow_figure(both[0], both[1], theme(), **options), "flows")


def _store_flow() -> None:
    pair = st.session_state["flow_0"], st.session_state["flow_1"]
    if pair[0] != pair[1]:
        change(flow=pair)
