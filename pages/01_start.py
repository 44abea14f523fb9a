"""Start: what do many clusterings agree on?"""

from dataclasses import replace

import streamlit as st

from data import Pool
from ui.frame.shell import present
from ui.lessons.bar import invitation
from ui.saying import all_alike
from ui.scene import Scene
from ui.start import agreement, explanation, picture, presets
from ui.widgets import stages
from ui.widgets.terms import page_title
from ui.widgets.try_this import Lesson


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    m = scene.n_clusterings - len(scene.off)
    if scene.source_if_here is None:  # nothing was clustered yet
        page_title("What do many clusterings agree on?")
    else:
        heading = st.empty()
        with heading:
            page_title(f"{m:,} clusterings disagree. What do they agree on?" if m > 1 else "One clustering alone")
    invitation(scene.config)
    presets(scene)
    made = stages.ensemble(scene)
    if made is not None and m > 1 and all_alike(made):
        with heading:
            page_title(f"{m:,} clusterings that are all equal")
    if made is None or stages.inseparable(scene, "they agree on everything"):
        return
    if stages.consensus(scene) is None or scene.placed is None:
        return
    agreement(scene)
    picture(scene)
    explanation(scene)


LESSON = Lesson(
    "move M to 1, then slowly up. Or roll the dice in the sidebar, and see whether it was luck.",
    r"a_{ij} = \frac{1}{<M>} \sum_{m=1}^{<M>} [c_m(i) = c_m(j)]",
    "The *co-association* of two objects: of all base clusterings m, the share that puts i and j into one cluster.",
)

#: Of a file of labels: it has as many as it has, and all of them are the same at every seed.
BROUGHT = replace(LESSON, try_this="move M to 1, then slowly up: from how many on does nothing change any more?")
ALONE = replace(LESSON, try_this="bring a file with several base clusterings: what one alone says, none confirms.")


def lesson(scene: Scene) -> Lesson:
    """What to try with these data."""
    source = scene.source_if_here
    if not isinstance(source, Pool):
        return LESSON
    return BROUGHT if source.n_clusterings > 1 else ALONE


present(page, lesson)
