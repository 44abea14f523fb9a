"""A button that gives a file, made when it is pressed."""

from collections.abc import Callable

import streamlit as st

_MIME = {"csv": "text/csv", "py": "text/x-python", "html": "text/html", "pdf": "application/pdf"}


def download(
    words: str, content: str | bytes | Callable[[], bytes], name: str, key: str, icon: str = ":material/download:"
) -> None:
    """Offer a file; a callable `content`, which knows nothing of the session, is called when the button is pressed."""
    mime = _MIME.get(name.rpartition(".")[2], "application/octet-stream")
    st.download_button(words, content, name, mime, key=key, icon=icon, on_click="ignore")
