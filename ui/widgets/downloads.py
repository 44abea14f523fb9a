"""A button that gives a file, made when it is pressed."""

from collections.abc import Callable

import streamlit as st

_MIME = {"csv": "text/csv", "py": "text/x-python", "html": "text/html", "pdf": "application/pdf"}


def download(
    words: str, content: str | bytes | Callable[[], bytes], name: str, key: str, icon: str = ":material/download:"
) -> None:
    """Offer a file.

    Parameters
    ----------
    words : str
        On the button.
    content : str, bytes or callable
        A callable is called when somebody presses the button; it knows nothing of the session.
    name : str
        Of the file; its ending says what it is.
    key : str
    icon : str
    """
    mime = _MIME.get(name.rpartition(".")[2], "application/octet-stream")
    st.download_button(words, content, name, mime, key=key, icon=icon, on_click="ignore")
