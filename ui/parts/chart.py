"""The one way a figure reaches a page: own template, words for those who cannot see it, no tool bar."""

from typing import Any

import streamlit as st

from ui.session.state import mark, marked

#: What a person may do in a picture; in one of a pinned setting there is nothing to do but look.
_ANSWERS = ("on_select", "selection_mode")


def chart(figure, key: str, **options: Any) -> Any:
    """Show a figure of `ui.figures`; returns the selection if `on_select` is given."""
    if mark():
        options = {name: value for name, value in options.items() if name not in _ANSWERS}
    return st.plotly_chart(
        figure.as_it_is(),
        key=marked(key),
        theme=None,
        config={"displayModeBar": False},
        alt=figure.layout["meta"]["alt"],
        **options,
    )
