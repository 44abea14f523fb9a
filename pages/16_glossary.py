"""Glossary: what do the words mean?"""

import streamlit as st

from ui.all_methods.panels import glossary
from ui.frame.shell import present
from ui.scene import Scene


def page(_: Scene) -> None:
    """The page, top to bottom."""
    st.title("What do the words mean?")
    glossary()


present(page)
