"""What the Subspaces page is made of."""

import numpy as np
import streamlit as st

from engine.generators import INVERSE_H
from ui import outside
from ui.compute import pipeline
from ui.figures import coordinate_figure, line_figure
from ui.figures.numbering import number
from ui.parts.chart import chart
from ui.parts.echoes import show
from ui.parts.widgets import bound
from ui.session.state import change, config, theme
from ui.subspaces import views

#: Presets: words of the button, and what it shows.
STORIES = {
    "Two Gaussians": {"data": "two_gaussian", "lac_inverse_h": 5.0},
    "Two that overlap": {"data": "two_gaussian_overlap", "lac_inverse_h": 2.0},
    "Three Gaussians": {"data": "three_gaussian", "lac_inverse_h": 0.2},
    "Iris": {"data": "iris", "lac_inverse_h": 5.0},
    "Unequal sizes": {"data": "uneven_blobs", "lac_inverse_h": 1.0},
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
        stops = sorted({*INVERSE_H, config().lac_inverse_h})
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
        show("subspace_k", pipeline.lac_k(config()))
        st.slider("Clusters k", 2, max(10, pipeline.lac_k(config())), key="subspace_k", on_change=_store_k, width=140)
        for place, label in enumerate(("Across", "Up")) if len(names) > 2 else ():
            show(f"axis_{place}", pair[place])
            st.selectbox(
                label,
                range(len(names)),
                key=f"axis_{place}",
                format_func=lambda i: names[i],
                on_change=_store_axes,
                width=150,
            )


def _store_k() -> None:
    change(lac_k=st.session_state["subspace_k"])


def _store_axes() -> None:
    change(axes=(st.session_state["axis_0"], st.session_state["axis_1"]))


def sentence(found, seen, names, truth) -> None:
    """What each cluster keeps to, and how many objects it cost."""
    heaviest = seen.weights.argmax(axis=1)
    parts = [
        f"cluster {number(name)} puts **{seen.weights[c, f]:.0%}** on {outside.name(names[f])}"
        for c, (name, f) in enumerate(zip(seen.names, heaviest, strict=True))
    ][:4]
    words = f"At 1/h = {found.inverse_h:g} " + ", ".join(parts)
    words += ", and so on." if len(seen.names) > 4 else "."
    if truth is not None:
        wrong = round(views.error(found.labels, truth) * len(truth))
        words += f" **{wrong:,} of {len(truth):,}** objects ({wrong / len(truth):.1%}) are in a cluster "
        words += "that is not their class's."
    st.markdown(words)


def inside(found, seen, truth) -> None:
    """Relative coordinates, and the objective by iteration."""
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**How strongly does each object belong?** (relative coordinates)")
        first, second = seen.names[:2]
        figure = coordinate_figure(seen.posterior[:, :2], (first, second), seen.labels, theme(), truth=truth)
        chart(figure, "coordinates")
    with right:
        st.markdown("**When does it settle?**")
        steps = np.arange(1, len(found.objective) + 1)
        figure = line_figure(
            steps,
            {"objective": found.objective},
            theme(),
            x_name="iteration",
            y_range=None,
            y_name="objective",
            height=380,
        )
        if len(steps) <= 15:
            figure.update_xaxes(dtick=1)
        figure.layout["margin"] |= {"r": 18}  # the last iteration stands at the very edge
        chart(figure, "objective")


def formula(seen, names) -> None:
    """The weights as the paper defines them, with one cluster's numbers."""
    with st.expander("The formula, with your numbers"):
        st.latex(
            r"w_{ji} = \frac{e^{-X_{ji}/h}}{\sum_s e^{-X_{js}/h}}, \qquad P(C_l \mid x) = "
            r"\frac{D - d_l + 1}{kD + k - \sum_s d_s}, \quad "
            r"d_l = \sqrt{\textstyle\sum_i w_{li}(x_i - c_{li})^2}"
        )
        order = np.argsort(-seen.weights[0])[:3]
        numbers = ", ".join(f"{outside.name(names[f])} {seen.weights[0, f]:.3f}" for f in order)
        st.markdown(
            f"X is the mean squared distance from the centroid along one feature, D the largest d of the object. "
            f"The weights of cluster {number(seen.names[0])} are {numbers}"
            + (", and so on." if len(names) > 3 else ".")
        )
