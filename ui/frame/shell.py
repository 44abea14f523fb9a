"""The frame around every page: run inside app.py, with foreseen errors in plain words."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from data import DataError
from engine import EngineError
from ui.compute.pipeline import FarError
from ui.export import menu
from ui.frame import access, history
from ui.frame.leaving import LEAVING
from ui.frame.sidebar import fill_summary, sidebar
from ui.frame.warm_start import set_aside
from ui.lessons.bar import bar
from ui.parts import terms
from ui.parts.echoes import run_complete
from ui.parts.fetching import fetched
from ui.parts.progress import explain
from ui.parts.try_this import Lesson, draw
from ui.session import selection
from ui.session.state import be_at, user

_FRAMED = "_inside_app"


def frame(page, following=None, question: str = "") -> None:
    """Sidebar, page, the way to the page that follows with its question, and what can be said once all is drawn."""
    history.arrive()
    terms.begin()
    be_at(page.title)
    LEAVING.arrive(user())
    st.html(Path(__file__).with_name("page.css"))
    summary = sidebar()
    bar(page.title)
    selection.bar()
    st.session_state[_FRAMED] = True
    page.run()
    if following is not None:
        st.page_link(following, label=f"Next: {question}", icon=":material/arrow_forward:")
    fill_summary(summary)
    run_complete()
    with st.sidebar:
        history.copy_link()
        history.leave()
        access.arm()
        menu.arm()
    set_aside(page.title)


def present(page: Callable[[], None], lesson: Lesson | Callable[[], Lesson] | None = None) -> None:
    """Run a page's function, and end it with what to try; what cannot be shown is explained where it would stand.

    Until `st.navigation` was called once in a process, Streamlit takes a folder named pages/ for its older kind
    of app and answers a deep link with the page alone, without app.py. Such a run is started over.
    """
    if not st.session_state.pop(_FRAMED, False):
        PagesManager.uses_pages_directory = False
        st.rerun()
    try:
        page()
        if lesson is not None:
            draw(lesson)
    except FarError as far:
        fetched(far, "openml_link")
    except (EngineError, DataError) as error:
        explain(error)
