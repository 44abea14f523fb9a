"""What a keyboard, a reader of screens and a phone need beside what Streamlit gives them (`access.js`)."""

from pathlib import Path

import streamlit as st

_armed = st.components.v2.component("concord_access", js=Path(__file__).with_name("access.js").read_text())


def arm() -> None:
    """Watch over the browser page from now on, whatever is drawn later; more than once does no harm."""
    _armed(key="access")
