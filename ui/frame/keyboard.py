"""What a keyboard needs beside what Streamlit gives it: films that play, and charts that are one stop less."""

from pathlib import Path

import streamlit as st

_armed = st.components.v2.component("concord_keyboard", js=Path(__file__).with_name("keyboard.js").read_text())


def arm() -> None:
    """Let the keyboard reach the buttons of films; once a browser page, whatever is drawn later."""
    _armed(key="keyboard")
