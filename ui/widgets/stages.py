"""The first steps of nearly every page: base clusterings, where k starts without classes, and the consensus."""

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from engine import Consensus, Ensemble, consensus_methods
from engine.choosing_k.sentences import beyond
from ui.compute.jobs import State
from ui.saying import counted
from ui.scene import Scene
from ui.session.run_config import RunConfig
from ui.session.state import adjust, change_by, page_file, show_at_best
from ui.widgets import method_menu
from ui.widgets.page_scene import job_of
from ui.widgets.progress import go_on
from ui.widgets.terms import inform, note, warn


def ensemble(scene: Scene) -> Ensemble | None:
    """The base clusterings that are switched on, or None while they are made, or k is looked for."""
    made = scene.ensemble
    if made is not None and made.finding and not scene.mark:
        warn(made.finding, icon=":material/info:")
    return made if made is not None and taken(scene) else None


def k_is_settled(scene: Scene) -> bool:
    """For pages that run studies: whether k is chosen, or told by classes; else it is looked for first."""
    return scene.config.k is not None or scene.truth is not None or ensemble(scene) is not None


def consensus(scene: Scene, name: str = "consensus") -> Consensus | None:
    """The consensus, or the node of this name; None while it is found, or where its method lacks something.

    That of a sample says so.
    """
    if scene.ensemble is None or method_menu.lacking(scene):
        return None
    found = scene.get(name)
    if found is not None and (words := method_menu.sample_words(found.trace, scene.ensemble.n_objects)):
        note(f"{consensus_methods()[found.method].title} joined {words}.")
    return found


def at_best(asked: Mapping[str, Any]) -> None:
    """Until somebody chooses data, a page shows those on which what it is about is best seen."""
    if show_at_best(**asked):
        st.rerun()


def inseparable(scene: Scene, consequence: str) -> bool:
    """Whether there is just one microcluster; the page then says so, and what follows from it."""
    if len(scene.ensemble.microclusters) > 1:
        return False
    inform(f"There is one microcluster: no base clustering tells any two objects apart, and {consequence}.")
    return True


_KEY = "_started_at"


def taken(scene: Scene) -> bool:
    """Whether k is settled; where nobody chose and no classes tell, the criteria are asked, and theirs is taken.

    A page that waits shows how far that is. Where they cannot be asked, or were told to stop, it goes on.
    """
    if consensus_methods()[scene.config.method].finds_k:
        return True
    if scene.mark or scene.config.k is not None or scene.truth is not None or len(scene.ensemble.microclusters) < 2:
        return True
    job = job_of(scene, "quick_look")
    if job is not None and job.state in (State.FAILED, State.CANCELLED):
        return True
    found = scene.quick_look
    if found is None:
        job = job_of(scene, "quick_look")
        return job is None or job.state in (State.FAILED, State.CANCELLED)  # none where too many others wait
    first = found.verdict.partition(". ")[0].removesuffix(".")
    more = beyond(scene.ensemble.n_clusters_each, int(found.ks[-1]))
    st.session_state[_KEY] = (scene.config.data, found.n_clusters, f"{first}. {more}".strip())
    adjust(k=found.n_clusters)
    st.rerun()


def _start(now: RunConfig) -> str:
    """Where the app's k comes from, while it is the one that was taken for a start; else empty."""
    data, k, words = st.session_state.get(_KEY, ("", None, ""))
    return words if (data, k) == (now.data, now.k) else ""


def look_further(k_max: int) -> None:
    """Ask the criteria about more clusters; a k that they had given for a start is theirs again."""
    change_by(lambda now: now.with_(k_max=k_max, **({"k": None} if _start(now) else {})))


def k_beyond(scene: Scene, methods: Iterable[str]) -> None:
    """Say that there cannot be as many clusters as were asked of methods, but for those that find k."""
    if scene.n_clusters < scene.wanted_k and not all(consensus_methods()[method].finds_k for method in methods):
        n = len(scene.ensemble.microclusters)
        note(
            f"k = {scene.wanted_k:,} was asked for, but only {counted(n, 'group')} of objects can be told apart: "
            f"k = {scene.n_clusters:,}."
        )


def k_remark(scene: Scene) -> None:
    """Below the knob: where its value comes from."""
    if words := _start(scene.config):
        note(f"k = {scene.config.k}, a start: {words}")
        st.page_link(page_file("how_many"), label="Why?")
    job = None if scene.config.k is not None or scene.truth is not None else job_of(scene, "quick_look")
    if job is not None and job.state in (State.CANCELLED, State.FAILED):
        was = "was stopped" if job.state is State.CANCELLED else "was not possible"
        note(f"k = {scene.wanted_k}: asking the criteria {was}.")
        st.button("Ask the criteria", key="ask_for_k", on_click=go_on, args=(job,), icon=":material/play_circle:")
