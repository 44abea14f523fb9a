"""The frame around every page: run inside app.py, with foreseen errors in plain words, and `access.js`."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from data import DataError
from engine import EngineError
from ui.compute.data_sets import FarError, drawing
from ui.export import menu
from ui.frame.leaving import LEAVING
from ui.frame.sidebar import fill_summary, sidebar
from ui.frame.warm_start import set_aside
from ui.lessons.bar import bar
from ui.scene import Scene
from ui.session import state
from ui.session.bound import run_complete
from ui.session.state import be_at, user
from ui.widgets import dots, terms
from ui.widgets.around import beside
from ui.widgets.page_scene import here
from ui.widgets.progress import explain, fetched
from ui.widgets.try_this import Lesson, draw

_armed = st.components.v2.component("concord_access", js=Path(__file__).with_name("access.js").read_text())


def arm() -> None:
    """Watch over the browser page from now on, whatever is drawn later; more than once does no harm."""
    _armed(key="access")


_FRAMED = "_inside_app"


def frame(page, section=(), following=None, question: str = "") -> None:
    """Sidebar with the pages of a section, page, the way to the next one, and what can be said once all is drawn."""
    state.arrive()
    drawing()
    terms.begin()
    be_at(page.title)
    LEAVING.arrive(user())
    st.html(Path(__file__).with_name("page.css"))
    summary = sidebar(section)
    bar(page.title)
    dots.bar(beside())
    st.session_state[_FRAMED] = True
    page.run()
    if following is not None:
        st.page_link(following, label=f"Next: {question}", icon=":material/arrow_forward:")
    fill_summary(summary)
    run_complete()
    with st.sidebar:
        state.copy_link()
        state.leave()
        arm()
        menu.arm()
    set_aside(page.title)


def present(page: Callable[[Scene], None], lesson: Lesson | Callable[[Scene], Lesson] | None = None) -> None:
    """Run a page's function on the scene of the session, and end it with what to try.

    What cannot be shown is explained where it would stand.

    Until `st.navigation` was called once in a process, Streamlit takes a folder named pages/ for its older kind
    of app and answers a deep link with the page alone, without app.py. Such a run is started over.
    """
    if not st.session_state.pop(_FRAMED, False):
        PagesManager.uses_pages_directory = False
        st.rerun()
    scene = here()
    try:
        page(scene)
        if lesson is not None:
            draw(scene, lesson)
    except FarError as far:
        fetched(far, "openml_link")
    except (EngineError, DataError) as error:
        explain(error)
