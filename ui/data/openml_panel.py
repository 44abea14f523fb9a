"""From OpenML: a data set by name and version, fetched in the background and kept on this machine."""

from collections.abc import Mapping
from typing import get_args

import streamlit as st

from data import Dataset, MissingValuesError
from data.records import Missing
from ui.compute.data_sets import fetch, keep
from ui.compute.jobs import Job, State
from ui.compute.work import forget, start
from ui.session.state import change, config
from ui.widgets.progress import settle
from ui.widgets.terms import note

_WANTED = "openml_wanted"


def panel(mends: Mapping[str, str]) -> None:
    """Name, version and a button; what was fetched is shown at once. `mends`: what to do about missing values."""
    _fields()
    if _WANTED not in st.session_state:
        note("Asks openml.org for the set, and keeps it on this machine; the next time needs no connection.")
        return
    name, version = st.session_state[_WANTED]
    job = start(fetch, name.casefold(), version, _mend())
    found = settle(job, "Fetching from OpenML", "openml")
    if found is not None:
        _use(found)
    elif _lacks_values(job):
        st.radio("Missing values", list(mends), format_func=mends.get, key="openml_missing", horizontal=True)


def _fields() -> None:
    """What a person asks for: name and version (empty: the only active one)."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name on OpenML", key="openml_name", placeholder="vehicle")
        st.number_input(
            "Version",
            min_value=1,
            max_value=999_999,
            value=None,
            step=1,
            key="openml_version",
            placeholder="the active one",
        )
        st.button("Fetch", key="openml_fetch", icon=":material/download:", disabled=not name.strip(), on_click=_want)


def _want() -> None:
    """Ask anew for what the fields say; an earlier failure may have been the connection's."""
    name, version = st.session_state["openml_name"].strip(), st.session_state["openml_version"]
    st.session_state[_WANTED] = (name, version)
    st.session_state.pop("openml_missing", None)
    for missing in get_args(Missing):
        forget(fetch, name.casefold(), version, missing)


def _mend() -> str:
    return st.session_state.get("openml_missing", "refuse")


def _lacks_values(job: Job) -> bool:
    """Whether a choice about missing values would help."""
    return job.state is State.FAILED and isinstance(job.future.exception(), MissingValuesError)


def _use(found: Dataset) -> None:
    """Switch to a set that was fetched, once."""
    del st.session_state[_WANTED]
    keep(found.name, found)
    if config().data != found.name:
        change(data=found.name)
    st.rerun()
