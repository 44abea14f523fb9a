"""What the Enhanced matrix page is made of."""

import streamlit as st

from engine.similarities import find_evidence
from ui.enhanced_matrix import ABLATIONS
from ui.pictures.matrices import rounded_up
from ui.scene import Scene
from ui.session.bound import bound
from ui.session.state import change
from ui.widgets import brightness
from ui.widgets.chart import show
from ui.widgets.knobs import knob

VARIANT_NAMES = {
    "full": "as published",
    "no_laplacian": "without spreading",
    "no_completion": "without keeping certain pairs",
}


def knobs(scene: Scene) -> None:
    """alpha, lambda and the input."""
    for concept in ("alpha", "lam", "evidence"):
        knob(scene, concept)


def more_knobs(scene: Scene) -> None:
    """The variant, and what decides start and stop."""
    with st.expander("Variant, stop and start"):
        bound(
            st.selectbox,
            "Variant",
            "ablation",
            options=ABLATIONS,
            format_func=VARIANT_NAMES.get,
            help="Leave a part of the method out, and see what it was for.",
        )
        inside = [spec.concept for spec in find_evidence(scene.config.evidence).params.specs()]
        for concept in (*inside, "tol", "max_iter"):
            knob(scene, concept)
        bound(
            st.toggle,
            "Start from the last solution",
            "warm",
            help="Fewer iterations, the same answer within the tolerance. Off, so that results never depend on what "
            "was shown before.",
        )
        if scene.config.method != "ec_cms":
            st.button("Use EC-CMS on every page", key="adopt", on_click=change, kwargs={"method": "ec_cms"})


def before_and_after(scene: Scene) -> None:
    """The input beside what became of it; one order, one scale."""
    titles = {"enhance_input": "Input", "enhance_output": "Enhanced"}
    for (name, title), column in zip(titles.items(), st.columns(2, gap="medium"), strict=True):
        with column:
            show(scene, name, f"enhanced_{title.lower()}", title=title, height="stretch")
    if scene.mark:
        return  # the colours of A are those of B
    with st.container(horizontal=True, vertical_alignment="bottom"):
        brightness.slider(scene, "brightest_enhanced", "all pictures")
        brightness.fit(scene, "brightest_enhanced", rounded_up(scene.largest_entry))


def details(scene: Scene) -> None:
    """What is certain, what has changed, and the truth."""
    pictures = [
        ("certain", "**What is certain (α)**", "enhanced_what"),
        ("enhance_change", "**Enhanced minus input**", "enhanced_enhanced_minus"),
    ]
    if scene.truth is not None:
        pictures.append(("same_class", "**Ground truth**", "enhanced_ground"))
    for (name, title, key), column in zip(pictures, st.columns(len(pictures), gap="medium"), strict=True):
        with column:
            st.markdown(title)
            show(scene, name, key, title="", height="stretch")


def stopping(scene: Scene) -> None:
    """Residuals, and what an early stop means."""
    show(scene, "residuals")
    with st.expander("What an early stop means"):
        st.markdown(
            "The enhanced matrix is the solution of a convex problem, and the iteration comes closer to it with every "
            "step. The published results stop when all five residuals are below 1 %, after some 40 to 80 iterations. "
            "Going on until nothing moves changes the matrix by another 4 to 25 %: the matrix that made the published "
            "numbers is an early stop, and stopping early is part of the method. Lower the tolerance above, raise the "
            "iterations, and watch both the curves and the score."
        )
