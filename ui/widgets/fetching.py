"""A link or a file names a set of OpenML that was never fetched: a job with Cancel, not a page that waits."""

import streamlit as st

import data
from ui.compute import data_sets
from ui.compute.jobs import State
from ui.compute.work import forget, start
from ui.outside import markdown
from ui.widgets.progress import settle
from ui.widgets.terms import note


def fetched(far: data_sets.FarError, place: str) -> None:
    """Fetch what is far and run the page anew; until then progress, and after a cancel or a failure what to do.

    `place` keeps the widgets and jobs of several such places apart.
    """
    is_file = data.is_in_folder(far.name)
    inputs = (data_sets.read, far.name) if is_file else (data_sets.fetch, *data.openml_parts(far.name))
    job = start(*inputs, slot=place)
    found = settle(job, f"{'Reading' if is_file else 'Fetching'} {markdown(data.title(far.name))}", place)
    if found is not None:
        data_sets.keep(far.name, found)
        st.rerun()
    if job.state is State.FAILED:
        st.button("Try again", key=f"again_{place}", icon=":material/refresh:", on_click=forget, args=inputs)
    if job.state in (State.FAILED, State.CANCELLED):
        note("Or choose another data set in the sidebar; those that were fetched before are in its list.")
