"""The frame around every page: run inside app.py, with foreseen errors in plain words."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from data import DataError
from engine import EngineError
from ui.progress import explain
from ui.sidebar import fill_summary, sidebar
from ui.state import be_at, url_shown
from ui.widgets import run_complete

_FRAMED = "_inside_app"


def frame(page) -> None:
    """Sidebar, page, and what can be said once the page is drawn."""
    be_at(page.title)
    st.html(Path(__file__).with_name("page.css"))
    summary = sidebar()
    st.session_state[_FRAMED] = True
    page.run()
    fill_summary(summary)
    run_complete()
    url_shown()


def present(page: Callable[[], None]) -> None:
    """Run a page's function; what cannot be shown is explained where it would stand.

    Until `st.navigation` was called once in a process, Streamlit takes a folder named pages/ for its older kind
    of app and answers a deep link with the page alone, without app.py. Such a run is started over.
    """
    if not st.session_state.pop(_FRAMED, False):
        PagesManager.uses_pages_directory = False
        st.rerun()
    try:
        page()
    except (EngineError, DataError) as error:
        explain(error)
