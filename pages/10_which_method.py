"""Which method: whom can one believe without a truth?"""

import streamlit as st

from data import Pool
from ui.frame.shell import present
from ui.scene import Scene
from ui.which_method import common, knobs, several, table, verdict
from ui.widgets import stages
from ui.widgets.terms import inform, page_title, say
from ui.widgets.try_this import Lesson


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    page_title("Whom can one believe without a truth?")
    say("Every method that fits into the time answers on these base clusterings. The record of each speaks first.")
    if stages.ensemble(scene) is None or stages.inseparable(scene, "all methods say the same"):
        return
    if scene.ensemble.n_clusterings < 2:
        alone = isinstance(scene.source, Pool) and scene.source.n_clusterings < 2
        more = "Bring a file with more of them" if alone else "Raise M in the sidebar"
        inform(f"One base clustering is its own consensus. {more}.")
        return
    left, right = st.columns([3, 2], gap="large")
    with right:
        knobs(scene)
    found = scene.method_choice
    if found is None:
        return
    with left:
        verdict(scene, found)
        several(scene, found)
    with right:
        common(scene, found)
    table(scene, found)


LESSON = Lesson(
    "take other data with two natural answers, and see whether the methods fall into two groups.",
    r"L(a) = \frac{1}{S} \sum_{s=1}^{S} \frac{1}{R_s} \sum_{r=1}^{R_s} "
    r"\left( \max_b \mathrm{ARI}_{sr}(b) - \mathrm{ARI}_{sr}(a) \right)",
    "What method a lost to the best one of each draw r, on the S sets of the league, those at hand left out.",
)

present(page, LESSON)
