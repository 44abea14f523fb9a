"""Compare: which method would you bet on?"""

from functools import partial

import streamlit as st

from ui.compare import comparing
from ui.compare import panels as compare_panels
from ui.compare.results import knobs, live, results
from ui.frame.shell import present
from ui.parts import stages
from ui.parts.terms import say
from ui.parts.try_this import Lesson
from ui.parts.words import counted
from ui.session.state import config
from ui.studies import study_panel


def page() -> None:
    """The page, top to bottom."""
    st.title("Which method would you bet on?")
    say("Every method on every data set, over several ensembles; differences count only if they repeat.")
    knobs()
    if not stages.k_is_settled():
        return
    if not config().methods or not config().sets:
        st.info("Choose at least one method and one data set.")
        return
    study = comparing.study(config())
    wanted = study_panel.tasks(study)
    found, running = study_panel.control([study], wanted, live=partial(live, study))
    if found and not running:
        results(study, found)
    elif not running:
        st.caption(f"Here the table appears, over {counted(len(wanted), 'task')}.")
    study_panel.failures(found)
    study_panel.files(study, found, "comparison")
    study_panel.imported(comparing.taken_over, comparing.study)
    study_panel.workers()
    st.subheader("On the data set of the sidebar")
    compare_panels.on_this_ensemble()


LESSON = Lesson(
    "take five draws, then thirty: which differences are still there?",
    r"\mathrm{CD} = q_{0.05} \sqrt{\frac{<R> (<R> + 1)}{6 \cdot <D>}}",
    "Two of R methods differ if their mean ranks over D data sets are further apart than CD (Nemenyi).",
    numbers={"R": lambda chosen: len(chosen.methods), "D": lambda chosen: len(chosen.sets)},
)

present(page, LESSON)
