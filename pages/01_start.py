"""Start: what do many clusterings agree on?"""

import streamlit as st

from ui.compute import pipeline
from ui.frame.shell import present
from ui.lessons.bar import invitation
from ui.parts import stages
from ui.parts.try_this import Lesson
from ui.session.state import config
from ui.start.panels import agreement, explanation, picture, presets


def page() -> None:
    """The page, top to bottom."""
    chosen = config()
    m = pipeline.n_clusterings(chosen)
    st.title(f"{m} clusterings disagree. What do they agree on?" if m > 1 else "One clustering alone")
    invitation()
    presets(chosen)
    made = stages.ensemble()
    result, placed = stages.consensus(made), stages.layout(made)
    if result is None or placed is None:
        return
    agreement(chosen, made, result)
    picture(chosen, made, result, *placed)
    explanation()


LESSON = Lesson(
    "move M to 1, then slowly up. Or roll the dice in the sidebar, and see whether it was luck.",
    r"a_{ij} = \frac{1}{<M>} \sum_{m=1}^{<M>} [c_m(i) = c_m(j)]",
    "The *co-association* of two objects: of all base clusterings m, the share that puts i and j into one cluster.",
)

present(page, LESSON)
