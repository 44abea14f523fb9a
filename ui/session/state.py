"""The session's RunConfig: read from the URL once, changed by widgets, written back to the URL."""

from typing import Any

import streamlit as st

from ui.session.query import from_query
from ui.session.run_config import RunConfig


def config() -> RunConfig:
    """The RunConfig of this session, on the first run read from the URL."""
    if "run_config" not in st.session_state:
        st.session_state.run_config, st.session_state.url_problems = from_query(st.query_params.to_dict())
    return st.session_state.run_config


def first_config() -> RunConfig:
    """The RunConfig with which this session began."""
    return st.session_state.setdefault("_first_config", config())


def change(**fields: Any) -> None:
    """Change fields of the session's RunConfig."""
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
