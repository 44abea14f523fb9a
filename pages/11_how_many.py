"""How many: how many clusters are there?"""

import streamlit as st

from ui import how_many as panels
from ui.frame.shell import present
from ui.how_many import consensus_runs, over_k, tree, which_resolution
from ui.scene import Scene
from ui.widgets import method_menu, stages
from ui.widgets.terms import page_title
from ui.widgets.try_this import Lesson


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    page_title("How many clusters are there?")
    main, side = st.columns([8, 3], gap="large")
    with main:
        made = stages.ensemble(scene)
    with side:
        panels.knobs(scene, made)
    if made is None:
        return
    with main:
        if stages.inseparable(scene, "there is nothing to choose") or method_menu.lacking(scene):
            return
        if panels.found_by_the_method(scene):
            which_resolution(scene)
            return
        found = panels.answers(scene)
        if found is not None:
            panels.verdict(scene)
            tree(scene)
            panels.take(scene)
    with side:
        panels.effort(scene)
    if found is None:
        return
    which_resolution(scene)
    panels.neighbours(scene)
    panels.curves(scene)
    over_k(scene)
    if found.runs is not None:
        consensus_runs(scene)
    panels.readings(found)
    panels.formula(found)


LESSON = Lesson(
    "take a k that only one criterion picks, and see below who moves.",
)

present(page, LESSON)
