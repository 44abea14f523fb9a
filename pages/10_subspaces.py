"""Subspaces: every cluster weighs the features in its own way, and an ensemble spares one the choice of 1/h (LAC)."""

import numpy as np
import streamlit as st

from data import Pool
from engine.generators import INVERSE_H
from ui import error_panel, pipeline
from ui import subspace_views as views
from ui.chart import chart
from ui.figures import coordinate_figure, ellipse_figure, line_figure, weight_figure
from ui.progress import settle
from ui.shell import present
from ui.state import change, config, theme
from ui.widgets import bound, show

#: Presets: words of the button, and what it shows.
STORIES = {
    "Two Gaussians": {"data": "two_gaussian", "h": 5.0},
    "Two that overlap": {"data": "two_gaussian_overlap", "h": 2.0},
    "Three Gaussians": {"data": "three_gaussian", "h": 0.2},
    "Iris": {"data": "iris", "h": 5.0},
    "Unequal sizes": {"data": "uneven_blobs", "h": 1.0},
}


def stories() -> None:
    """Data sets that tell something, a click away."""
    with st.container(horizontal=True):
        for words, changes in STORIES.items():
            chosen = "primary" if config().data == changes["data"] else "secondary"
            st.button(words, key=f"story_{changes['data']}", type=chosen, on_click=change, kwargs=changes)


def knobs(names, pair) -> None:
    """1/h and k of LAC, and the two features that are seen."""
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        stops = sorted({*INVERSE_H, config().h})
        bound(st.select_slider, "1/h", "h", options=stops, format_func=lambda h: f"{h:g}", width=270,
              help="Low: all features count alike. High: only the feature a cluster keeps closest to counts. It is "
                   "relative to the scaling in the sidebar.")  # fmt: skip
        show("subspace_k", pipeline.lac_k(config()))
        st.slider("Clusters k", 2, max(10, pipeline.lac_k(config())), key="subspace_k", on_change=_store_k, width=160)
        for place, label in enumerate(("Across", "Up")) if len(names) > 2 else ():
            show(f"axis_{place}", pair[place])
            st.selectbox(label, range(len(names)), key=f"axis_{place}", format_func=lambda i: names[i],
                         on_change=_store_axes, width=170)  # fmt: skip


def _store_k() -> None:
    change(lack=st.session_state["subspace_k"])


def _store_axes() -> None:
    change(axes=(st.session_state["axis_0"], st.session_state["axis_1"]))


def sentence(found, seen, names, classes) -> None:
    """What each cluster keeps to, and how many objects it cost."""
    heaviest = seen.weights.argmax(axis=1)
    parts = [f"cluster {name} puts **{seen.weights[c, f]:.0%}** on {names[f]}"
             for c, (name, f) in enumerate(zip(seen.names, heaviest, strict=True))][:4]  # fmt: skip
    words = f"At 1/h = {found.inverse_h:g} " + ", ".join(parts)
    words += ", and so on." if len(seen.names) > 4 else "."
    if classes is not None:
        wrong = round(views.error(found.labels, classes) * len(classes))
        words += f" **{wrong:,} of {len(classes):,}** objects ({wrong / len(classes):.1%}) are in a cluster "
        words += "that is not their class's."
    st.markdown(words)


def inside(found, seen, classes) -> None:
    """Relative coordinates, and the objective by iteration."""
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**How strongly does each object belong?** (relative coordinates)")
        first, second = seen.names[:2]
        figure = coordinate_figure(seen.posterior[:, :2], (first, second), seen.labels, theme(), truth=classes)
        chart(figure, "coordinates")
    with right:
        st.markdown("**When does it settle?**")
        steps = np.arange(1, len(found.objective) + 1)
        figure = line_figure(steps, {"objective": found.objective}, theme(), x_name="iteration", y_range=None,
                             y_name="objective", height=380)  # fmt: skip
        if len(steps) <= 15:
            figure.update_xaxes(dtick=1)
        chart(figure, "objective")


def formula(seen, names) -> None:
    """The weights as the paper defines them, with one cluster's numbers."""
    with st.expander("The formula, with your numbers"):
        st.latex(r"w_{ji} = \frac{e^{-X_{ji}/h}}{\sum_s e^{-X_{js}/h}}, \qquad P(C_l \mid x) = "
                 r"\frac{D - d_l + 1}{kD + k - \sum_s d_s}, \quad "
                 r"d_l = \sqrt{\textstyle\sum_i w_{li}(x_i - c_{li})^2}")  # fmt: skip
        order = np.argsort(-seen.weights[0])[:3]
        numbers = ", ".join(f"{names[f]} {seen.weights[0, f]:.3f}" for f in order)
        st.markdown(
            f"X is the mean squared distance from the centroid along one feature, D the largest d of the object. "
            f"The weights of cluster {seen.names[0]} are {numbers}" + (", and so on." if len(names) > 3 else ".")
        )


def page() -> None:
    """The page, top to bottom."""
    st.title("Which features hold a cluster together?")
    st.markdown("LAC lets every cluster weigh the features by how closely its objects keep together along each.")
    stories()
    source = pipeline.dataset(config())
    if isinstance(source, Pool):
        st.info("This page needs features; a pool has labels only. Choose a data set, or a story above.")
        return
    if source.n_features < 2:
        st.info("With a single feature there is nothing to weigh.")
        return
    found = settle(views.run(config()), "Weighing features", "lac")
    if found is None:
        return
    classes, names = pipeline.truth(config()), source.feature_names
    seen, points = views.seen(found, classes), pipeline.features(config())
    pair = views.axes(config(), seen.weights)
    knobs(names, pair)
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown("**Objects, and the metric of each cluster** (an ellipse holds half of its objects)")
        both = list(pair)
        figure = ellipse_figure(points[:, both], seen.labels, seen.names, seen.centroids[:, both],
                                seen.weights[:, both], theme(), truth=classes,
                                axis_names=[names[f] for f in pair])  # fmt: skip
        chart(figure, "ellipses")
    with right:
        st.markdown("**Weights of the features** (dotted: all alike)")
        chart(weight_figure(seen.weights, seen.names, names, theme()), "weights")
    sentence(found, seen, names, classes)
    inside(found, seen, classes)
    formula(seen, names)
    error_panel.panel(classes)
    if config().generator != "lac":
        st.button("Use LAC's clusterings on every page", key="adopt_lac", on_click=change, kwargs={"generator": "lac"})


present(page)
