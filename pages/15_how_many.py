"""How many: how many clusters are there?"""

import streamlit as st

from ui.frame.shell import present
from ui.howmany import panels
from ui.howmany.consensus_panels import consensus_runs, over_k
from ui.parts import method_menu, stages
from ui.parts.try_this import Lesson
from ui.session.state import config


def page() -> None:
    """The page, top to bottom."""
    st.title("How many clusters are there?")
    main, side = st.columns([8, 3], gap="large")
    with main:
        made = stages.ensemble()
    with side:
        panels.knobs(made)
    if made is None:
        return
    chosen = config()
    with main:
        if stages.inseparable(made, "there is nothing to choose") or method_menu.lacking(made):
            return
        found = panels.answers(chosen, made)
        if found is not None:
            panels.verdict(found)
            panels.curves(found)
            panels.take(found)
    with side:
        panels.effort(chosen, made)
    if found is None:
        return
    if layout := stages.layout(made):
        panels.neighbours(found, layout)
    over_k(made, found)
    if found.runs is not None:
        consensus_runs(found)
    panels.readings(found)
    panels.formula(found)


LESSON = Lesson(
    "take a k that only one criterion picks, and see below who moves.",
)

present(page, LESSON)
