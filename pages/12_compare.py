"""Compare: which method would you bet on?"""

from functools import partial

import streamlit as st

from ui.compare import comparing
from ui.compare import panels as compare_panels
from ui.compare.results import knobs, live, results
from ui.frame.shell import present
from ui.saying import counted
from ui.scene import Scene
from ui.studies import study_panel
from ui.widgets import stages
from ui.widgets.terms import say
from ui.widgets.try_this import Lesson


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    st.title("Which method would you bet on?")
    say("Every method on every data set, over several ensembles; differences count only if they repeat.")
    chosen = scene.config
    knobs(chosen)
    if not stages.k_is_settled(scene):
        return
    if not chosen.methods or not chosen.sets:
        st.info("Choose at least one method and one data set.")
        return
    study = comparing.study(chosen)
    wanted = study_panel.tasks(study)
    found, running = study_panel.control([study], wanted, live=partial(live, chosen, study))
    if found and not running:
        results(chosen, study, found)
    elif not running:
        st.caption(f"Here the table appears, over {counted(len(wanted), 'task')}.")
    study_panel.failures(found)
    study_panel.files(study, found, "comparison")
    study_panel.imported(partial(comparing.taken_over, chosen), comparing.study)
    study_panel.workers()
    st.subheader("On the data set of the sidebar")
    compare_panels.on_this_ensemble(scene)


LESSON = Lesson(
    "take five draws, then thirty: which differences are still there?",
    r"\mathrm{CD} = q_{0.05} \sqrt{\frac{<R> (<R> + 1)}{6 \cdot <D>}}",
    "Two of R methods differ if their mean ranks over D data sets are further apart than CD (Nemenyi).",
    numbers={"R": lambda chosen: len(chosen.methods), "D": lambda chosen: len(chosen.sets)},
)

present(page, LESSON)
