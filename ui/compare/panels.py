"""The parts of the Compare page that hang on one ensemble: agreement, partitions side by side, flows."""

import numpy as np
import streamlit as st

from data.readers import titles
from engine import Monitor, consensus_methods
from ui.compute import uploads
from ui.compute.work import start
from ui.outside import markdown
from ui.pictures.methods import differing
from ui.scene import Scene
from ui.scene.methods import own_answers
from ui.session.bound import begins, is_echo
from ui.session.bound import show as set_widget
from ui.session.state import change, user
from ui.widgets import method_menu, stages
from ui.widgets.chart import heading, sentence_of, show
from ui.widgets.dots import pick_node
from ui.widgets.progress import settle
from ui.widgets.terms import inform, note, say

#: The file that was taken last, so that one set aside stays so.
_TAKEN = "_own_taken"
#: Why one that was brought beside labels that stand could not take their place, and where that was.
_REFUSED = "_own_refused"


def on_this_ensemble(scene: Scene) -> None:
    """Every method's answer on the ensemble of the sidebar."""
    if (
        stages.ensemble(scene) is None
        or scene.placed is None
        or stages.inseparable(scene, "every method says the same")
    ):
        return
    found = scene.answers
    if found is None:
        return
    _left_out({title: reason for title, reason in found.reasons.items() if title not in scene.own_answers.reasons})
    method_menu.of_all_objects(scene)
    stages.k_beyond(scene, scene.config.methods)
    method_menu.completion(scene)
    if not scene.ensemble.complete and any(_wants_all_labels(scene, method) for method in scene.config.methods):
        with st.container(horizontal=True):
            method_menu.offer_completion(scene)
    if len(found.labels) < 2:
        inform("Choose at least two methods that can run here, and their answers stand side by side.")
        return
    left, right = st.columns([2, 3], gap="large")
    with left:
        show(scene, "method_agreement", "compare_agreement")
    with right:
        show(scene, "answers")
    left, right = st.columns([3, 2], gap="large")
    with left:
        _differing(scene)
    with right:
        _flows(scene)
    _tree(scene)


def own_labels(scene: Scene) -> None:
    """A file of one's own labels for the data of the sidebar: read once, and named by the URL."""
    with st.expander("Beside them: labels of your own", key="own_labels", icon=":material/upload_file:"):
        words = f"One row an object, one column a method ({titles()})"
        file = st.file_uploader(words, key="own_file")
        if file is None:
            note(
                "Labels that you found elsewhere for the same objects stand beside the methods, by the name of their "
                "column: object by object where file and data both name them, else row by row. A column of the data "
                "itself does, too, once Data has it as an own answer."
            )
        elif st.session_state.get(_TAKEN) != (file.file_id, scene.config.data):  # other data had let go of it
            made = settle(start(taken, uploads.File(file.name, file.getvalue()), user()), "Reading it", "own")
            if made is not None:
                st.session_state[_TAKEN] = file.file_id, scene.config.data
                _take(scene, made)
                st.rerun()
    place, refused = st.session_state.get(_REFUSED, (None, {}))
    _left_out(scene.own_answers.reasons | (refused if place == (scene.config.data, scene.config.own) else {}))
    if scene.config.own:
        st.button("Without my labels", key="no_own", on_click=change, kwargs={"own": ""})


def _take(scene: Scene, made: str) -> None:
    """Let a file stand beside the methods; where nothing of it can, one that does stays, and why is said."""
    before, found = scene.config.own, own_answers(scene.source, made)
    stands = before and len(own_answers(scene.source, before).labels) > len(scene.source.answers)
    if stands and len(found.labels) == len(scene.source.answers):
        st.session_state[_REFUSED] = (scene.config.data, before), found.reasons
    else:
        change(own=made)


def _left_out(reasons: dict[str, str]) -> None:
    """Whose labels stand beside no others, and why."""
    for title, reason in reasons.items():
        note(f"{markdown(title)} is left out: {markdown(reason.replace(' (engine.completion)', ''))}.")


def taken(file: uploads.File, user: str, monitor: Monitor) -> str:
    """Reading own labels: the id of the upload; every column but a name of objects is labels, one called class too."""
    sheet = uploads.sheet(file, "labels", None, monitor)
    proposed = uploads.columns(sheet, {}, monitor)
    roles = {column.place: "clustering" for column in proposed if column.role == "class"}
    return uploads.take(sheet, roles, "refuse", user, monitor)


def _tree(scene: Scene) -> None:
    """All answers below each other; a click picks the objects of a cluster."""
    question = "What do the methods say differently? A tree of their answers, by name"
    with st.expander(question, key="answers_as_tree", on_change="rerun") as folded:
        if not folded.open or (tree := scene.tree_of_answers) is None:
            return
        by_title = dict(zip(scene.answers.titles(), scene.answers.labels.values(), strict=True))
        rows = {title: by_title[title] for title in tree.keys}
        take = {"drag": False, "on_select": lambda: pick_node("answers_tree", rows)}
        show(scene, "answers_tree", title="", **take)
        note(sentence_of(scene, "answers_tree") + " Click a cluster, and its objects are picked.")


def _wants_all_labels(scene: Scene, method: str) -> bool:
    return "complete" in consensus_methods()[method].requirements(scene.config.params_of(method))


def _differing(scene: Scene) -> None:
    """Two answers where they differ: only those objects in colour."""
    differ, names = differing(scene), [markdown(one) for one in scene.answers.titles(scene.two_methods)]
    say(f"**Where {names[0]} and {names[1]} differ**: {differ.sum():,} of {len(differ):,} objects")
    if not differ.any():
        who = "All methods" if np.allclose(scene.answers.agreement, 1) else "They"
        note(f"{who} say the same of every object.")
        return
    for name, key, column in zip(("differs_first", "differs_second"), "ab", st.columns(2), strict=True):
        with column:
            show(scene, name, f"differ_{key}", title="")


def _flows(scene: Scene) -> None:
    """Which objects go where from one answer to another; the two are chosen here, also for where they differ."""
    heading("Who goes where?")
    for place, column in enumerate(st.columns(2)):
        with column:
            set_widget(f"flow_{place}", scene.two_methods[place])
            options, first = list(scene.answers.labels), begins(f"flow_{place}", scene.two_methods[place])
            st.selectbox(
                ("From", "to")[place],
                options,
                options.index(first if first in options else scene.two_methods[place]),
                key=f"flow_{place}",
                on_change=_store_flow,
                args=(f"flow_{place}",),
                format_func=lambda key: scene.answers.titles([key])[0],
            )
    show(scene, "flows", title="")


def _store_flow(key: str) -> None:
    pair = st.session_state["flow_0"], st.session_state["flow_1"]
    if pair[0] != pair[1] and not is_echo(key, "flow"):
        change(flow=pair)
