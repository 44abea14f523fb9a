"""What the Subspaces page is made of: weights of features in clusters, and the error of LAC against 1/h."""

import numpy as np
import streamlit as st

from data import bayes_error
from engine.generators import INVERSE_H
from engine.runtime.errors import listed
from ui import outside
from ui.figures import error_figure
from ui.figures.numbering import number
from ui.saying import ROUNDING
from ui.scene import Scene, nodes
from ui.scene.subspaces import CURVE_DRAWS, ErrorCurve
from ui.session.bound import begins, bound, is_echo
from ui.session.bound import show as set_widget
from ui.session.state import change, theme
from ui.widgets.around import beside
from ui.widgets.chart import chart, show
from ui.widgets.page_scene import begin, here, job_of
from ui.widgets.progress import settle
from ui.widgets.terms import inform, note, say, subtitle

#: Presets: words of the button, and what it shows.
STORIES = {
    "Two Gaussians": {"data": "two_gaussian", "lac_inverse_h": 5.0},
    "Two that overlap": {"data": "two_gaussian_overlap", "lac_inverse_h": 2.0},
    "Three Gaussians": {"data": "three_gaussian", "lac_inverse_h": 0.2},
    "Iris": {"data": "iris", "lac_inverse_h": 5.0},
    "Unequal sizes": {"data": "uneven_blobs", "lac_inverse_h": 1.0},
}


def stories(scene: Scene) -> None:
    """Data sets that tell something, a click away."""
    with st.container(horizontal=True):
        for words, changes in STORIES.items():
            chosen = "primary" if scene.config.data == changes["data"] else "secondary"
            st.button(words, key=f"story_{changes['data']}", type=chosen, on_click=change, kwargs=changes)


def knobs(scene: Scene) -> None:
    """1/h and k of LAC, and the two features that are seen."""
    names, k = scene.feature_names, scene.n_subspaces
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom", key="metric_knobs"):
        stops = sorted({*INVERSE_H, scene.config.lac_inverse_h})
        bound(
            st.select_slider,
            "1/h",
            "lac_inverse_h",
            options=stops,
            format_func=lambda h: f"{h:g}",
            width=220,
            help="Low: all features count alike. High: only the feature a cluster keeps closest to counts. It is "
            "relative to the scaling in the sidebar.",
        )
        most = min(max(10, k), scene.source.n_objects)  # LAC makes no more clusters than objects
        set_widget("subspace_k", k, (most,))
        if most > 2:
            help_ = "That of LAC alone: the consensus on other pages has its own."
            first = min(begins("subspace_k", k), most)
            st.slider("Clusters k", 2, most, first, key="subspace_k", help=help_, on_change=_store_k, width=140)
        for place, label in enumerate(("Across", "Up")) if len(names) > 2 else ():
            now = scene.feature_pair[place]
            set_widget(f"axis_{place}", now)
            first = begins(f"axis_{place}", now)
            st.selectbox(
                label,
                range(len(names)),
                first if first < len(names) else now,
                key=f"axis_{place}",
                format_func=lambda i: names[i],
                on_change=_store_axes,
                args=(f"axis_{place}",),
                width=150,
            )


def _store_k() -> None:
    if not is_echo("subspace_k", "lac_k"):
        change(lac_k=st.session_state["subspace_k"])


def _store_axes(key: str) -> None:
    if not is_echo(key, "lac_inverse_h"):  # until somebody chooses axes, they follow that knob
        change(axes=(st.session_state["axis_0"], st.session_state["axis_1"]))


def inside(scene: Scene) -> None:
    """Relative coordinates, and the objective by iteration."""
    for name, column in zip(("coordinates", "objective"), st.columns(2, gap="large"), strict=True):
        with column:
            show(scene, name)


def formula(scene: Scene) -> None:
    """The weights as the paper defines them, with one cluster's numbers."""
    seen, names = scene.subspaces, scene.feature_names
    with st.expander("The formula, with your numbers"):
        st.latex(
            r"w_{ji} = \frac{e^{-X_{ji}/h}}{\sum_s e^{-X_{js}/h}}, \qquad P(C_l \mid x) = "
            r"\frac{D - d_l + 1}{kD + k - \sum_s d_s}, \quad "
            r"d_l = \sqrt{\textstyle\sum_i w_{li}(x_i - c_{li})^2}"
        )
        order = np.argsort(-seen.weights[0])[:3]
        numbers = ", ".join(f"{outside.name(names[f])} {seen.weights[0, f]:.3f}" for f in order)
        say(
            f"X is the mean squared distance from the centroid along one feature, D the largest d of the object. "
            f"The weights of cluster {number(seen.names[0])} are {numbers}"
            + (", and so on." if len(names) > 3 else ".")
        )


def error_over_h(scene: Scene) -> None:
    """The error curve: made on request, in the background, and shown while it fills."""
    subtitle("Does an ensemble spare us the choice of 1/h?")
    if scene.truth is None:
        inform("This data set has no classes to count errors against.", icon=":material/info:")
        return
    job = job_of(scene, "error_curve")
    if job is None:
        say(
            f"Runs LAC at {len(scene.tried_h)} values of 1/h from {CURVE_DRAWS} different starts, gives all runs of a "
            "start to WSPA, WBPA, CSPA and MCLA, and draws the share of objects that each gets wrong."
        )
        st.button("Draw the error curve", key="draw_errors", on_click=_draw)
        return
    held, node = scene.curve_so_far, nodes()["error_curve"]
    settle(job, node.doing, node.name, live=lambda: _shown(here()), again=_draw, keeps=node.keeps)
    if job.future.done() and held.lac:
        _shown(scene)
        _verdict(held, scene.truth)


def _draw() -> None:
    begin(beside(), "error_curve")


def _shown(scene: Scene) -> None:
    """The picture of the draws that are there, also while others are made."""
    held = scene.curve_so_far
    n = len(held.lac)  # another draw may end at any moment
    if not n:
        return
    by_method = {name: values[:n] for name, values in held.by_method().items()}
    options = {"bayes": bayes_error(scene.config.data), "marked": scene.config.lac_inverse_h}
    chart(error_figure(held.inverse_h, np.array(held.lac[:n]), by_method, theme(), **options), "error_curve")


def _verdict(held: ErrorCurve, truth: np.ndarray) -> None:
    """Who errs least on average, and what METIS's balance has to do with it."""
    by_value = np.mean(held.lac, axis=0)
    best = np.flatnonzero(by_value < by_value.min() + ROUNDING)
    values = listed(f"{held.inverse_h[place]:.3g}" for place in best)
    scores = ", ".join(f"{name} {v.mean():.1%} (sd {v.std():.1%})" for name, v in held.by_method().items())
    say(
        f"Over {len(held.lac)} draws LAC errs **{by_value.mean():.1%}** on average over all values of 1/h, "
        f"{by_value.min():.1%} at the best (1/h = {values}) and {by_value.max():.1%} at the worst. "
        f"On all runs together: {scores}."
    )
    sizes = np.bincount(truth)
    words = "All four cut a graph with METIS, which makes parts of nearly equal weight. "
    if sizes.max() > 1.5 * sizes.min():
        words += f"The classes here have {sizes.min():,} to {sizes.max():,} objects, which equal parts cannot match."
    else:
        words += "Here the classes are of like size, and that does no harm."
    note(words)
