"""Tuning: which setting would you trust?"""

from functools import partial

import streamlit as st

from ui.frame.shell import present
from ui.saying import counted
from ui.scene import Scene
from ui.studies import study_panel, sweep_knobs, sweeps
from ui.studies.tuning_panels import picture, sentence
from ui.widgets import stages
from ui.widgets.terms import say
from ui.widgets.try_this import Lesson


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    st.title("Which setting would you trust?")
    say("Every point is the mean over several ensembles, never one lucky run; the band is one sd.")
    if not stages.k_is_settled(scene):
        return
    chosen = scene.config
    sweep_knobs.knobs(chosen, *sweeps.asked(chosen))
    if scene.truth is None:
        st.caption(
            "No classes are known here. The score is *internal*: how well the partition sits in its ensemble, which is "
            "not whether it is right."
        )
    study = sweeps.study(chosen)
    wanted = study_panel.tasks(study)
    found, running = study_panel.control(
        [study], wanted, live=lambda there: picture(chosen, sweeps.scores(chosen, there))
    )
    if found and not running:
        table = sweeps.scores(chosen, found)
        picture(chosen, table)
        sentence(chosen, table)
    elif not running:
        st.caption(f"Here the score appears, over {counted(len(wanted), 'task')}: every setting on every draw.")
    study_panel.failures(found)
    study_panel.files(study, found, study.name.replace(" ", "_").replace("/", "-"))
    study_panel.imported(partial(sweeps.taken_over, chosen), sweeps.study)
    study_panel.workers()


LESSON = Lesson(
    "sweep the parameter you trust most, and see whether the best value is the same on another data set.",
    r"\bar s(v) = \frac{1}{<R>} \sum_{r=1}^{<R>} s(v, r), \qquad "
    r"\mathrm{sd}(v)^2 = \frac{1}{<R> - 1} \sum_{r=1}^{<R>} (s(v, r) - \bar s(v))^2",
    "The score s of setting v on draw r of R: a new ensemble with a seed of its own.",
    numbers={"R": lambda chosen: chosen.draws},
)

present(page, LESSON)
