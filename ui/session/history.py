"""The browser's history: one press of Back is one page or one deliberate change, and the URL never lies.

A deliberate change (a widget was moved) makes an entry. Bringing the URL into its canonical form (on arrival, on a page
just opened, after Back) replaces the entry that is there: Streamlit can only add one, so a small component of our own
does it in the browser. When the browser goes back or forth, Streamlit runs the page with the query of that entry, and
no widget has changed: the session then becomes what the entry says.
"""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from ui.session.run_config import RunConfig, from_query
from ui.session.state import become, config

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


def copy_link() -> None:
    """The button that copies the address of what is seen."""
    _link(key="copy_link")


@dataclass(frozen=True)
class _Told:
    """What the browser was told last: the session, the queries it reports unless somebody went back, how often."""

    config: RunConfig
    reported: tuple[dict[str, str], ...]
    turn: int


def arrive() -> None:
    """At the beginning of a run: follow the browser if it went back or forth."""
    told: _Told | None = st.session_state.get(_TOLD)
    query = st.query_params.to_dict()
    if told is not None and query and query not in told.reported and config() == told.config:
        found, st.session_state.url_problems = from_query(query)
        become(found)
        st.session_state[_TOLD] = _Told(found, (query,), told.turn)
    st.session_state[_BEGUN] = config()


def leave() -> None:
    """At the end of a run: make the URL say what the session shows."""
    told: _Told | None = st.session_state.get(_TOLD)
    if told is not None and st.session_state[_BEGUN] != told.config:
        add_entry()
    else:
        turn = told.turn + 1 if told else 1
        st.session_state[_TOLD] = _Told(config(), (st.query_params.to_dict(), config().to_query()), turn)
    _replace(key="history", data={"query": urlencode(config().to_query()), "turn": st.session_state[_TOLD].turn})


def add_entry() -> None:
    """A deliberate change has an entry of its own; also for fragments, which run without the rest of the page.

    On a session's first run nothing was told yet: whatever a fragment finds there is no change.
    """
    told: _Told | None = st.session_state.get(_TOLD)
    if told is not None and config() != told.config:
        st.query_params.from_dict(config().to_query())
        st.session_state[_TOLD] = _Told(config(), (config().to_query(),), told.turn + 1)
