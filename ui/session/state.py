"""The session's RunConfig: read from the URL once, changed by widgets, written back to the URL."""

from typing import Any

import streamlit as st

from ui.session.run_config import RunConfig, from_query
from ui.session.settings import settings

_UNTOUCHED = "_untouched"


def config() -> RunConfig:
    """The RunConfig of this session, on the first run read from the URL."""
    if "run_config" not in st.session_state:
        asked = st.query_params.to_dict()
        st.session_state.run_config, st.session_state.url_problems = from_query(asked)
        st.session_state[_UNTOUCHED] = None if asked else _material(st.session_state.run_config)
    return st.session_state.run_config


def untouched() -> bool:
    """Whether nobody has chosen data or how base clusterings are made, neither by a link nor on a page."""
    held = st.session_state.get(_UNTOUCHED)
    return held is not None and held == _material(config())


def show_at_best(**asked: Any) -> None:
    """Data and an ensemble that a page shows until somebody chooses others; that is no choice."""
    change(**asked)
    st.session_state[_UNTOUCHED] = _material(config())


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


def become(chosen: RunConfig) -> None:
    """Make this the session's RunConfig."""
    st.session_state.run_config = chosen


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
    st.session_state["_place"] = page


def theme() -> str:
    """Theme of the page as it is shown: "light" or "dark"."""
    return "dark" if st.context.theme.type == "dark" else "light"
