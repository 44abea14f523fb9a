"""Where k starts when no classes are known: at what the criteria say, as on How many, in reports and commands."""

import streamlit as st

from engine import Ensemble
from ui.compute import pipeline
from ui.compute.jobs import State
from ui.howmany import asking
from ui.parts.page_files import page_file
from ui.parts.progress import settle
from ui.session.state import change, config, mark

_KEY = "_started_at"


def taken(made: Ensemble) -> bool:
    """Whether k is settled; where nobody chose and no classes tell, the criteria are asked, and theirs is taken.

    A page that waits shows how far that is. Where they cannot be asked, or were told to stop, it goes on.
    """
    chosen = config()
    if chosen.k is not None or mark() or pipeline.truth(chosen) is not None or len(made.microclusters) < 2:
        return True
    job = asking.quick(chosen, made)
    found = None
    if job.state not in (State.FAILED, State.CANCELLED):
        found = settle(job, "Looking for a number of clusters", "starting_k")
    if found is None:
        return job.state in (State.FAILED, State.CANCELLED)
    st.session_state[_KEY] = (chosen.data, found.n_clusters, found.verdict)
    change(k=found.n_clusters)
    st.rerun()


def remark() -> None:
    """Below the knob: where its value comes from."""
    data, k, verdict = st.session_state.get(_KEY, ("", None, ""))
    if (data, k) == (config().data, config().k):
        st.caption(f"k = {k}, a start: {verdict.partition('. ')[0].removesuffix('.')}.")
        st.page_link(page_file("how_many"), label="Why?")
