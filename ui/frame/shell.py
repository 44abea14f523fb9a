"""The frame around every page: run inside app.py, with foreseen errors in plain words, and `access.js`."""

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from data import DataError
from engine import EngineError
from ui.compute.data_sets import FarError, drawing
from ui.export import menu
from ui.export.script import file_name
from ui.frame.leaving import LEAVING
from ui.frame.sidebar import fill_summary, sidebar
from ui.frame.warm_start import set_aside
from ui.lessons.bar import bar
from ui.lessons.library import give_back, own_settings
from ui.scene import Scene
from ui.session import state
from ui.session.bound import run_complete
from ui.session.selection import beyond_links
from ui.session.state import be_at, user
from ui.widgets import dots, terms
from ui.widgets.around import beside
from ui.widgets.page_scene import whole
from ui.widgets.pins import pinned
from ui.widgets.progress import explain, fetched
from ui.widgets.try_this import Lesson, draw

#: Sections and their pages, by the names of their files. A page that stands nowhere comes last.
SECTIONS = {
    "See": ("start", "data", "ensemble", "matrices"),
    "Methods": ("consensus", "walks", "enhanced_matrix", "growing_trees", "subspaces"),
    "Decide": ("which_method", "how_many", "compare", "published_tables"),
    "Learn": ("lessons", "all_methods", "glossary"),
}
#: Pages to look things up in, in no menu: one click away on every page, below the pages of its section.
BEHIND = ("published_tables", "glossary")
FIRST = "start"
#: Other addresses of pages, those that they had before among them: the page, and what it is asked to show.
MOVED: dict[str, tuple[str, dict[str, str]]] = {
    FIRST: (FIRST, {}),
    "elite_neighbours": ("walks", {}),
    "trajectories": ("walks", {}),
    "tuning": ("compare", {"compared": "settings"}),
    "methods": ("all_methods", {}),
}
_REST = "More"


def sections(files: Iterable[Path]) -> dict[str, list]:
    """Every page file without a leading underscore, in its section; old addresses last. Some are in no menu."""
    found = {name_of(path): path for path in sorted(files) if not path.name.startswith("_")}
    placed = {section: [name for name in names if name in found] for section, names in SECTIONS.items()}
    placed[_REST] = [name for name in found if not any(name in names for names in SECTIONS.values())]
    pages = {section: [_page(found[name]) for name in names] for section, names in placed.items() if names}
    return pages | {"Moved": [_page(found[name], old) for old, (name, _) in MOVED.items() if name in found]}


def section_of(pages: dict[str, list], page) -> list:
    """The pages of a page's section, and those in no menu."""
    inside = next(inside for inside in pages.values() if any(one.title == page.title for one in inside))
    behind = [one for section in pages.values() for one in section if one.url_path in BEHIND]
    return [one for one in inside if one not in behind] + behind


def next_question(files: Iterable[Path], pages: dict[str, list], page) -> tuple:
    """The page that follows in the order of the menus, and what it asks; None and nothing after the last one."""
    order = [one for section in pages.values() for one in section]
    place = next(place for place, one in enumerate(order) if one.title == page.title)
    following = next((one for one in order[place + 1 :] if one.visibility == "visible"), None)
    if following is None:
        return None, ""
    return following, question_of(next(path for path in files if title_of(path) == following.title))


@cache
def question_of(path: Path) -> str:
    """What a page asks: the first line of its file, after its name."""
    written = path.read_text(encoding="utf-8").lstrip()
    words = written[3:].partition('"""')[0].partition(": ")[2] if written.startswith('"""') else ""
    return words[:1].upper() + words[1:]


def name_of(path: Path) -> str:
    """Name of a page file without its number."""
    return path.stem.split("_", 1)[1]


def title_of(path: Path) -> str:
    """Title of a page in the navigation."""
    return name_of(path).replace("_", " ").capitalize()


def _page(path: Path, old: str = ""):
    name = name_of(path)
    first = name == FIRST and not old
    address = "" if first else old or name  # the first page has no address, so that its name can be another one
    visibility = "hidden" if old or name in BEHIND else "visible"
    return st.Page(path, title=title_of(path), url_path=address, default=first, visibility=visibility)


_armed = st.components.v2.component("concord_access", js=Path(__file__).with_name("access.js").read_text())


def arm() -> None:
    """Watch over the browser page from now on, whatever is drawn later; more than once does no harm."""
    _armed(key="access", on_theme_change=lambda: None)  # what is drawn for a theme is drawn for another one


_FRAMED = "_inside_app"


def frame(page, section=(), following=None, question: str = "") -> None:
    """Sidebar with the pages of a section, page, the way to the next one, and what can be said once all is drawn."""
    state.arrive(**MOVED.get(page.url_path, ("", {}))[1])
    drawing()
    terms.begin()
    be_at(page.title)
    LEAVING.arrive(user())
    st.html(Path(__file__).with_name("page.css"))
    summary = sidebar(section)
    bar(page.title, state.config())
    dots.bar(beside())
    st.session_state[_FRAMED] = True
    page.run()
    if following is not None:
        st.page_link(following, label=f"Next: {question}", icon=":material/arrow_forward:")
    fill_summary(summary)
    run_complete()
    with st.sidebar:
        lost = {
            "A": pinned(beside()) is not None,
            "the picked objects": beyond_links(),
            "which base clusterings are off": state.off_beyond_links(),
        }
        state.copy_link(" and ".join(name for name, there in lost.items() if there))
        state.leave(own_settings(), give_back)
        arm()
        menu.arm(file_name(state.config()))
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
    scene = whole()
    try:
        page(scene)
        if lesson is not None:
            draw(scene, lesson)
    except FarError as far:
        fetched(far, "openml_link")
    except (EngineError, DataError) as error:
        explain(error)
