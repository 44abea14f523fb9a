"""Compare: which method, and which setting, would you bet on?"""

from functools import partial

import streamlit as st

from ui.compare import COMPARED, comparing
from ui.compare import panels as compare_panels
from ui.compare.results import knobs, live, methods_knob, results
from ui.frame.shell import present
from ui.saying import counted
from ui.scene import Scene
from ui.session.bound import bound
from ui.session.state import page_file
from ui.studies import study_panel, sweeps
from ui.studies.tuning_panels import picture, sentence, without_classes
from ui.widgets import stages
from ui.widgets.terms import inform, note, page_title, say, subtitle
from ui.widgets.try_this import Lesson


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    page_title("Which method, and which setting, would you bet on?")
    with st.container(horizontal=True, vertical_alignment="center"):
        bound(st.segmented_control, "Compare", "compared", options=COMPARED, label_visibility="collapsed")
        if scene.config.compared == "methods":
            say("Side by side on the data set of the sidebar; below, over several data sets and ensembles.")
        else:
            several = "Every point is the mean over several ensembles, never one lucky run; the band is one sd."
            say(several if scene.config.draws > 1 else "Every point is a single draw, which may be a lucky one.")
    if scene.config.compared == "methods":
        methods(scene)
    else:
        settings(scene)
    study_panel.workers()
    st.page_link(page_file("published_tables"), label="What the papers print, beside ours", icon=":material/menu_book:")


def methods(scene: Scene) -> None:
    """Methods side by side on the ensemble at hand; below, over data sets."""
    chosen = scene.config
    methods_knob()
    if not stages.k_is_settled(scene):
        return
    if not chosen.methods:
        inform("Choose at least one method.")
        return
    compare_panels.on_this_ensemble(scene)
    compare_panels.own_labels(scene)
    subtitle("Which differences repeat?")
    say("Every method on every data set, over several ensembles: one draw of one data set is no evidence.")
    study_panel.as_they_are(chosen)
    knobs(chosen)
    if not chosen.sets:
        inform("Choose at least one data set.")
        return
    study = comparing.study(chosen)
    wanted = study_panel.tasks(study)
    found, running = study_panel.control([study], wanted, live=partial(live, scene, study))
    if found and not running:
        results(scene, study, found)
    elif not running:
        note(f"Here the table appears, over {counted(len(wanted), 'task')}.")
    study_panel.failures(found)
    study_panel.files(study, found, "comparison")
    study_panel.imported(partial(comparing.taken_over, chosen), comparing.study)


def settings(scene: Scene) -> None:
    """Values of one or two parameters of the method of the session, on the data set of the sidebar."""
    if not stages.k_is_settled(scene):
        return
    chosen = scene.config
    sweeps.knobs(chosen, *sweeps.asked(chosen))
    sweeps.note_without_classes([chosen.data], chosen.data)
    words = "By their stability: how far the answers to two halves of the base clusterings agree."
    bound(st.toggle, "Choose without the classes", "blind", help=words)
    if chosen.blind:
        without_classes(scene)
    study_panel.as_they_are(chosen)
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
        note(f"Here the score appears, over {counted(len(wanted), 'task')}: every setting on every draw.")
    study_panel.failures(found)
    study_panel.files(study, found, study.name.replace(" ", "_").replace("/", "-"))
    study_panel.imported(partial(sweeps.taken_over, chosen), sweeps.study)


def lesson(scene: Scene) -> Lesson:
    """That of what is compared."""
    if scene.config.compared == "settings":
        return Lesson(
            "sweep the parameter you trust most, and see whether the best value is the same on another data set.",
            r"\bar s(v) = \frac{1}{<R>} \sum_{r=1}^{<R>} s(v, r), \qquad "
            r"\mathrm{sd}(v)^2 = \frac{1}{<R> - 1} \sum_{r=1}^{<R>} (s(v, r) - \bar s(v))^2",
            "The score s of setting v on draw r of R: a new ensemble with a seed of its own.",
            numbers={"R": lambda chosen: chosen.draws},
        )
    return Lesson(
        "take five draws, then thirty: which differences are still there?",
        r"\mathrm{CD} = q_{0.05} \sqrt{\frac{<R> (<R> + 1)}{6 \cdot <D>}}",
        "Two of R methods differ if their mean ranks over D data sets, here all that were chosen, are further apart "
        "than CD (Nemenyi); methods and data sets without scores do not count.",
        numbers={"R": lambda chosen: len(chosen.methods), "D": lambda chosen: len(chosen.sets)},
    )


present(page, lesson)
