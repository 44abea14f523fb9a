"""The colour switch of matrices: which value is the brightest, and a way to fit it to what is there."""

import numpy as np
import streamlit as st

from ui.parts.echoes import is_echo, show
from ui.parts.widgets import bound
from ui.session.state import change, config

#: Values that may get the brightest colour of a matrix.
STOPS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)


def slider(name: str, pictures: str) -> None:
    """The value that gets the brightest colour, chosen once for several pictures; `name` is the setting."""
    bound(
        st.select_slider,
        "Brightest at",
        name,
        options=sorted({*STOPS, getattr(config(), name)}),
        width=220,
        help=f"The value that gets the brightest colour; the same for {pictures}.",
    )


def fitted(name: str) -> None:
    """The switch that fits the colours of every picture to its own values; off, the slider for all of them."""
    key = f"fit_{name}"
    show(key, getattr(config(), name) is None)
    words = "Each matrix has its own largest value in the brightest colour, as its bar says. Off: one scale for both."
    st.toggle("Fit the colours", key=key, on_change=_switch_fit, args=(name, key), help=words)
    if getattr(config(), name) is not None:
        slider(name, "both pictures")


def _switch_fit(name: str, key: str) -> None:
    if not is_echo(key, name):
        change(**{name: None if st.session_state[key] else 1.0})


def fit(name: str, top: float) -> None:
    """The button that gives the brightest colour to the largest value there is."""
    if 0 < top < 1 and top != getattr(config(), name):
        st.button(
            "Fit the colours",
            key=f"fit_{name}",
            on_click=change,
            kwargs={name: top},
            width="content",
            help=f"The brightest colour goes to {top:g}, the largest value between two objects.",
        )


def rounded_up(top: float) -> float:
    """A largest value as the end of a scale: up to the next 1 %, at most 1."""
    return float(min(1.0, np.ceil(round(top * 100, 6)) / 100))
