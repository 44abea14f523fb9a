"""Data: what is in the data?"""

import streamlit as st

from ui.data import panels
from ui.data.bringing import MENDS, bring
from ui.data.panels import balance, describe, paint, preview, projection
from ui.frame.shell import present
from ui.scene import Scene
from ui.widgets.dots import dots
from ui.widgets.terms import page_title, say
from ui.widgets.try_this import Lesson


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    page_title("What is in the data?")
    say("Choose a data set in the sidebar, bring one, or paint one. Every other page follows.")
    paint(scene)
    with st.expander("Bring your own data, labels or graph", icon=":material/upload_file:"):
        from_file, from_openml = st.tabs(["From a file", "From OpenML"])
        with from_file:
            bring(scene.config)
        with from_openml:
            panels.from_openml(scene, MENDS)
    left, right = st.columns([2, 1], gap="large")
    with left:
        dots(scene, "data", "data_scatter", "the data")
    with right:
        describe(scene)
        projection(scene)
        balance(scene)
    preview(scene)


SCALED = Lesson(
    "change the scaling in the sidebar, and see which feature no longer decides alone.",
    r"z_{if} = \frac{x_{if} - \bar x_f}{s_f}, \qquad i = 1 \ldots <N>",
    "What the standard scaling makes of feature f of object i: mean 0 and standard deviation 1.",
)

LINKED = Lesson(
    "take a graph whose communities are harder to find, and see on Ensemble how far base clusterings differ.",
    r"\mu = \frac{1}{<N>} \sum_{i} \frac{\text{edges of } i \text{ that leave its community}}{\text{edges of } i}",
    "The mixing μ of a graph: from about .5 on communities are hard to find.",
)

LABELLED = Lesson(
    "go on to Ensemble, and see which base clusterings resemble each other, and which nobody resembles.",
    r"\text{microclusters} = \bigl|\{(c_1(i), \ldots, c_{<M>}(i)) : i = 1 \ldots <N>\}\bigr|",
    "How many rows of labels differ: objects with the same row are told apart by no base clustering.",
)


def lesson(scene: Scene) -> Lesson:
    """What to try with these data."""
    if scene.linked is not None:
        return LINKED
    return SCALED if scene.has_features and scene.source.n_features > 1 else LABELLED


present(page, lesson)
