"""How firmly objects sit: in the scatter, as a silhouette plot, and as a list of the least sure."""

import numpy as np
import pandas as pd
import streamlit as st

from engine import confidence
from ui.figures.numbering import numbers, object_keys
from ui.saying import counted, three_digits
from ui.scene import Scene
from ui.scene.consensus import DRAWS
from ui.session.bound import bound
from ui.session.selection import pick
from ui.widgets import search
from ui.widgets.chart import heading, show
from ui.widgets.page_scene import begin, job_of
from ui.widgets.terms import note, say

_SHARES = (0.02, 0.05, 0.1, 0.2)


def switch() -> None:
    """Whether the scatter shows how firmly objects sit."""
    bound(
        st.toggle,
        "Show confidence",
        "confidence",
        help="Faint objects sit loosely: they meet the members of the nearest other cluster nearly as often.",
    )


def bars(scene: Scene) -> None:
    """The silhouette plot, the clusters' means, and the objects that sit most loosely."""
    heading("How firmly does each object sit? Silhouettes on 1 - co-association, by cluster")
    left, right = st.columns([3, 2], gap="large")
    with left:
        show(scene, "silhouettes", title="")
    with right:
        _means(scene)
        _least_sure(scene)


def _means(scene: Scene) -> None:
    """Support and margin of every cluster, with their spread."""
    found, labels = scene.profile, scene.consensus.labels
    order = list(dict.fromkeys(labels.tolist()))
    support, margin = (confidence.cluster_means(values, labels) for values in (found.own, found.margin))
    table = pd.DataFrame(
        {
            "objects": support.sizes,
            "support, sd": _with_spread(support.mean, support.sd),
            "margin, sd": _with_spread(margin.mean, margin.sd),
        },
        index=pd.Index(numbers(order), name="cluster"),
    ).sort_index()
    st.dataframe(table, key="cluster_confidence")


def _with_spread(means: np.ndarray, spreads: np.ndarray) -> list[str]:
    return [f"{mean:.2f} ± {sd:.2f}" for mean, sd in zip(means, spreads, strict=True)]


def _least_sure(scene: Scene) -> None:
    """The share of objects with the lowest margins, to be looked at or set aside."""
    found, labels, share = scene.profile, scene.consensus.labels, scene.config.unsure
    bound(st.segmented_control, "Least sure objects", "unsure", options=sorted({*_SHARES, share}), format_func=_percent)
    n = max(1, round(share * len(labels)))
    least = np.argsort(found.margin, kind="stable")[:n]
    wrong = int((found.margin < 0).sum())
    note(
        f"{counted(n, 'object')} with margins up to {three_digits(float(found.margin[least].max()))}; "
        f"{counted(wrong, 'object')} would rather be in another cluster (margin below 0)."
    )
    rows = search.rows(scene, least, "find_least_sure")
    shown = pd.DataFrame(
        {"cluster": numbers(labels[rows]), "margin": found.margin[rows], "support": found.own[rows]},
        index=pd.Index(object_keys(rows, scene.identifiers), name="object"),
    )
    st.dataframe(shown.style.format({"margin": "{:.2f}", "support": "{:.2f}"}), key="least_sure", height=190)
    words = f"the {_percent(share)} least sure"
    rest = np.setdiff1d(np.arange(len(labels)), least)
    with st.container(horizontal=True):
        st.button("Pick them", key="pick_unsure", on_click=pick, args=(least, words))
        st.button("Set them aside", key="pick_sure", on_click=pick, args=(rest, f"all but {words}"))


def stability(scene: Scene) -> None:
    """What drawing the base clusterings again says, once somebody asked for it."""
    if scene.ensemble.n_clusterings < 2:
        return
    say("**Would it come out again?**")
    if job_of(scene, "stability") is None:
        note(f"Draws the base clusterings again, {DRAWS} times with replacement, and runs the method on each draw.")
        st.button(
            "Measure stability",
            key="measure_stability",
            icon=":material/play_circle:",
            on_click=begin,
            args=(scene, "stability"),
        )
        return
    found = scene.stability
    if found is not None:
        note(
            f"An object keeps its cluster in {100 * found.stability.mean():.0f} % of the draws (sd "
            f"{100 * found.stability.std():.0f} %); element-centric consistency {found.consistency.mean():.2f}. "
            "The labels to take away now have a column of it."
        )


def _percent(share: float) -> str:
    return f"{100 * share:g} %"
