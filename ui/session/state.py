"""The session's RunConfig: read from the URL once, changed by widgets, written back to the URL.

In the browser's history one press of Back is one page or one deliberate change, and the URL never lies. A change (a
widget was moved) makes an entry. Bringing the URL into its canonical form (on arrival, on a page just opened, after
Back) replaces the entry that is there: Streamlit can only add one, so a small component of our own does it in the
browser. When the browser goes back or forth, Streamlit runs the page with the query of that entry, and that component
puts a number into it, `went`: the session then becomes what the entry says. Any other query is no news: a browser that
is behind reports the address of a moment ago.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from engine.runtime.errors import shortened
from ui.session.run_config import RunConfig, from_query
from ui.session.settings import settings

PAGES = Path(__file__).parents[2] / "pages"
_UNTOUCHED, _COMPLAINTS, _WENT = "_untouched", "_complaints", "_went"


def config() -> RunConfig:
    """The RunConfig of this session, on the first run read from the URL."""
    if "run_config" not in st.session_state:
        asked, st.session_state[_WENT] = _query()
        st.session_state.run_config = _asked_for(asked)
        st.session_state[_UNTOUCHED] = None if asked else _material(st.session_state.run_config)
    return st.session_state.run_config


def _query() -> tuple[dict[str, str], str | None]:
    """What the browser's address asks for, and the number of its last step back or forth."""
    asked = st.query_params.to_dict()
    went = asked.pop("went", None)
    return asked, went


def _asked_for(query: dict[str, str]) -> RunConfig:
    """The RunConfig of an address; what it asks for in vain is kept, to be said where it leads to."""
    found, problems = from_query(query)
    twice = [name for name in query if len(st.query_params.get_all(name)) > 1]
    problems += [
        f"{shortened(name)} is there more than once. The last one counts, {shortened(query[name])}." for name in twice
    ]
    st.session_state[_COMPLAINTS] = problems, ""
    return found


def complaints() -> list[str]:
    """What the address asks for in vain: on the page that it leads to, until somebody moves a knob."""
    problems, where = st.session_state.get(_COMPLAINTS, ([], ""))
    st.session_state[_COMPLAINTS] = problems, where or place()
    return problems if where in ("", place()) else []


def heard() -> None:
    """A hand was on a knob: complaints about the address have been read."""
    st.session_state.pop(_COMPLAINTS, None)


def untouched() -> bool:
    """Whether nobody has chosen data or how base clusterings are made: no link, no lesson, and no hand on a page."""
    held = st.session_state.get(_UNTOUCHED)
    return held is not None and not config().lesson and held == _material(config())


def show_at_best(**asked: Any) -> bool:
    """Data and an ensemble that a page shows until somebody chooses others; that is no choice. Whether they are new."""
    if not untouched() or config() == config().with_(**asked):
        return False
    adjust(**asked)
    st.session_state[_UNTOUCHED] = _material(config())
    return True


def _material(chosen: RunConfig) -> tuple:
    return tuple(getattr(chosen, name) for name, one in settings().items() if one.makes_ensemble)


def first_config() -> RunConfig:
    """The RunConfig with which this session began."""
    return st.session_state.setdefault("_first_config", config())


def change(**fields: Any) -> None:
    """Change fields of the session's RunConfig."""
    if "data" in fields:
        st.session_state[_UNTOUCHED] = None  # also where it is the same again
    st.session_state.run_config = config().with_(**fields)


def adjust(**fields: Any) -> RunConfig:
    """Change fields as a page does of itself, where what was asked cannot be: no entry in the browser's history."""
    told: _Told | None = st.session_state.get(_TOLD)
    alone = told is not None and st.session_state[_BEGUN] == told.config  # a hand's change has its entry
    change(**fields)
    if told is not None and alone:
        st.session_state[_TOLD], st.session_state[_BEGUN] = _Told(config(), told.turn), config()
    return config()


def become(chosen: RunConfig) -> None:
    """Make this the session's RunConfig."""
    st.session_state.run_config = chosen


def change_by(how: Callable[[RunConfig], RunConfig]) -> None:
    """Change the session's RunConfig by what it is now: for callbacks, which may come after other changes."""
    become(how(config()))


def user() -> str:
    """A name for this session, for sharing jobs."""
    context = st.runtime.scriptrunner.get_script_run_ctx()
    return context.session_id if context else ""


def is_here(user: str) -> bool:
    """Whether a session is still open; without a server there is one user, and it is."""
    return not st.runtime.exists() or st.runtime.get_instance().is_active_session(user)


def place() -> str:
    """The page this session is on."""
    return st.session_state.get("_place", "")


def be_at(page: str) -> None:
    """Note which page this session is on."""
    if page != place():
        st.session_state["_visit"] = visit() + 1
    st.session_state["_place"] = page


def visit() -> int:
    """How many pages this session has come to: another number each time that a page was left."""
    return st.session_state.get("_visit", 0)


def theme() -> str:
    """Theme of the page as it is shown: "light" or "dark"."""
    return "dark" if st.context.theme.type == "dark" else "light"


_TOLD, _BEGUN = "_told", "_begun"
_replace = st.components.v2.component("concord_history", js=Path(__file__).with_name("history.js").read_text())


_LINK = """button { all: unset; cursor: pointer; font: 0.875rem var(--st-font); color: var(--st-link-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }"""
_link = st.components.v2.component(
    "concord_link",
    html='<button type="button">Copy link</button>',
    css=_LINK,
    js=Path(__file__).with_name("link.js").read_text(),
)


def copy_link(lost: str) -> None:
    """The button that copies the address of what is seen, and says what of it stays behind, if anything does."""
    _link(key="copy_link", data={"lost": lost})


@dataclass(frozen=True)
class _Told:
    """What the browser was told last: the session, and how often."""

    config: RunConfig
    turn: int


def arrive(**asked: Any) -> None:
    """At the beginning of a run: follow the browser if it went back or forth; a first one shows what is asked."""
    told: _Told | None = st.session_state.get(_TOLD)
    if told is None and asked:
        become(config().with_(**asked))
    now, (query, went) = config(), _query()
    if query and went is not None and went != st.session_state.get(_WENT):
        st.session_state[_WENT] = went
        now = _asked_for(query)
        become(now)
        if told is not None:
            st.session_state[_TOLD] = _Told(now, told.turn)
    else:
        add_entry()  # at once: the end of a run may be long in coming, where others follow
    st.session_state[_BEGUN] = now


def leave(kept: str | None, given_back: Callable[[str], None]) -> None:
    """At the end of a run: make the URL say what the session shows.

    `kept` is a query that the browser's tab remembers; without it, `given_back` gets the last one, once a page load.
    """
    told: _Told | None = st.session_state.get(_TOLD)
    if told is not None and st.session_state[_BEGUN] != told.config:
        add_entry()
    else:
        st.session_state[_TOLD] = _Told(config(), told.turn + 1 if told else 1)
    said = {"query": urlencode(_query_of(config())), "turn": st.session_state[_TOLD].turn, "kept": kept}
    _replace(key="history", data=said, on_kept_change=lambda: given_back(str(st.session_state["history"].kept)))


#: Bytes of an address that are read; servers in front of this one read eight thousand of a whole line.
LONGEST_QUERY = 7_000


def off_beyond_links() -> bool:
    """Whether so many base clusterings are switched off that no address can say which."""
    return bool(config().switched_off) and "switched_off" not in _query_of(config())


def _query_of(chosen: RunConfig) -> dict[str, str]:
    """What the address says: one that a server refuses would say nothing at all."""
    query = chosen.to_query()
    if len(urlencode(query)) > LONGEST_QUERY:
        query.pop("switched_off", None)
    return query


def add_entry() -> None:
    """A deliberate change has an entry of its own; also for fragments, which run without the rest of the page.

    On a session's first run nothing was told yet: whatever a fragment finds there is no change.
    """
    told: _Told | None = st.session_state.get(_TOLD)
    if told is not None and config() != told.config:
        heard()
        st.query_params.from_dict(_query_of(config()))
        st.session_state[_TOLD] = _Told(config(), told.turn + 1)


def page_file(name: str) -> Path:
    """The file of a page, by its name in addresses ("how_many"), for links and leaps to it."""
    (path,) = PAGES.glob(f"[0-9]*_{name}.py")
    return path
