"""The one way a figure reaches a page: own template, words for those who cannot see it, no tool bar."""

from typing import Any

import streamlit as st


def chart(figure, key: str, **options: Any) -> Any:
    """Show a figure of `ui.figures`; returns the selection if `on_select` is given."""
    return st.plotly_chart(
        figure, key=key, theme=None, config={"displayModeBar": False}, alt=figure.layout.meta["alt"], **options
    )
