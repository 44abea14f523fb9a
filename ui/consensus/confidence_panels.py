"""How firmly objects sit: in the scatter, as a silhouette plot, as a list of the least sure, and in the download."""

import numpy as np
import pandas as pd
import streamlit as st

from engine import Ensemble, Monitor, confidence
from engine.confidence import Profile, Resampled
from ui.compute.work import find, start
from ui.consensus.snippet import DRAWS
from ui.figures import silhouette_figure
from ui.figures.numbering import numbers
from ui.parts import search
from ui.parts.chart import chart
from ui.parts.names import object_keys
from ui.parts.progress import settle
from ui.parts.widgets import bound
from ui.parts.words import counted, three_digits
from ui.session.selection import pick
from ui.session.state import config, theme

#: The faintest an unsure object is drawn.
_FAINTEST = 0.12
_SHARES = (0.02, 0.05, 0.1, 0.2)


def profiled(made: Ensemble, labels: np.ndarray, monitor: Monitor) -> Profile:
    """Support and margin of every object."""
    return confidence.cluster_profile(made, labels, monitor=monitor)


def profile(made, result) -> Profile | None:
    """Support and margin of every object; None for a single cluster, and while they are measured."""
    if result.n_clusters < 2:
        return None
    return settle(start(profiled, made, result.labels), "Measuring how firmly objects sit", "profile")


def switch() -> None:
    """Whether the scatter shows how firmly objects sit."""
    bound(
        st.toggle,
        "Show confidence",
        "confidence",
        help="Faint objects sit loosely: they meet the members of the nearest other cluster nearly as often.",
    )


def opacity(found: Profile | None) -> np.ndarray | None:
    """Opacity of every object by its margin, or None where it is not asked."""
    if found is None or not config().confidence:
        return None
    return np.clip(_FAINTEST + (1 - _FAINTEST) * np.maximum(found.margin, 0), _FAINTEST, 1.0)


def bars(found: Profile, labels: np.ndarray, colors: np.ndarray) -> None:
    """The silhouette plot, the clusters' means, and the objects that sit most loosely."""
    st.markdown("**How firmly does each object sit?** Silhouettes on 1 - co-association, by cluster")
    left, right = st.columns([3, 2], gap="large")
    with left:
        chart(silhouette_figure(found.silhouette, labels, theme(), colors=colors), "silhouettes")
    with right:
        _means(found, labels)
        _least_sure(found, labels)


def _means(found: Profile, labels: np.ndarray) -> None:
    """Support and margin of every cluster, with their spread."""
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


def _least_sure(found: Profile, labels: np.ndarray) -> None:
    """The share of objects with the lowest margins, to be looked at or set aside."""
    shares = sorted({*_SHARES, config().unsure})
    bound(st.segmented_control, "Least sure objects", "unsure", options=shares, format_func=_percent)
    n = max(1, round(config().unsure * len(labels)))
    least = np.argsort(found.margin, kind="stable")[:n]
    wrong = int((found.margin < 0).sum())
    st.caption(
        f"{counted(n, 'object')} with margins up to {three_digits(float(found.margin[least].max()))}; "
        f"{counted(wrong, 'object')} would rather be in another cluster (margin below 0)."
    )
    rows = search.rows(least, "find_least_sure")
    shown = pd.DataFrame(
        {"cluster": numbers(labels[rows]), "margin": found.margin[rows], "support": found.own[rows]},
        index=pd.Index(object_keys(rows), name="object"),
    )
    st.dataframe(shown.style.format({"margin": "{:.2f}", "support": "{:.2f}"}), key="least_sure", height=190)
    words = f"the {_percent(config().unsure)} least sure"
    rest = np.setdiff1d(np.arange(len(labels)), least)
    with st.container(horizontal=True):
        st.button("Pick them", key="pick_unsure", on_click=pick, args=(least, words))
        st.button("Set them aside", key="pick_sure", on_click=pick, args=(rest, f"all but {words}"))


def stability(made, result) -> Resampled | None:
    """What drawing the base clusterings again says, once somebody asked for it."""
    chosen = config()
    inputs = made, chosen.method, result.n_clusters, chosen.method_params, DRAWS, chosen.seed
    if made.n_clusterings < 2:
        return None
    st.markdown("**Would it come out again?**")
    if find(confidence.resampled, *inputs) is None:
        st.caption(
            f"Draws the base clusterings again, {DRAWS} times with replacement, and runs the method on each draw."
        )
        st.button(
            "Measure stability",
            key="measure_stability",
            icon=":material/play_circle:",
            on_click=start,
            args=(confidence.resampled, *inputs),
        )
        return None
    found = settle(start(confidence.resampled, *inputs), "Drawing base clusterings again", "stability")
    if found is not None:
        st.caption(
            f"An object keeps its cluster in {100 * found.stability.mean():.0f} % of the draws (sd "
            f"{100 * found.stability.std():.0f} %); element-centric consistency {found.consistency.mean():.2f}. "
            "The labels to take away now have a column of it."
        )
    return found


def columns(made, result, found: Profile | None) -> dict[str, np.ndarray]:
    """What stands beside the labels in the download: support, margin, and stability once it was measured."""
    if found is None:
        return {}
    chosen = config()
    inputs = made, chosen.method, result.n_clusters, chosen.method_params, DRAWS, chosen.seed
    job = find(confidence.resampled, *inputs)
    extra = {"support": found.own, "margin": found.margin}
    if job is not None and job.future.done() and not job.future.cancelled() and job.future.exception() is None:
        extra["stability"] = job.future.result().stability
    return extra


def _percent(share: float) -> str:
    return f"{100 * share:g} %"
