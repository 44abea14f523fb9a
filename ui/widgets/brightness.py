"""The colour switch of matrices: which value is the brightest, and a way to fit it to what is there."""

import streamlit as st

from ui.pictures.matrices import STOPS
from ui.scene import Scene
from ui.session.bound import begins, bound, is_echo, show
from ui.session.state import change


def slider(scene: Scene, name: str, pictures: str) -> None:
    """The value that gets the brightest colour, chosen once for several pictures; `name` is the setting."""
    bound(
        st.select_slider,
        "Brightest at",
        name,
        options=sorted({*STOPS, getattr(scene.config, name)}),
        width=220,
        help=f"The value that gets the brightest colour; the same for {pictures}.",
    )


def fitted(scene: Scene, name: str) -> None:
    """The switch that fits the colours of every picture to its own values; off, the slider for all of them."""
    key = f"fit_{name}"
    now = getattr(scene.config, name) is None
    show(key, now)
    words = "Each matrix has its own largest value in the brightest colour, as its bar says. Off: one scale for both."
    st.toggle("Fit the colours", begins(key, now), key=key, on_change=_switch_fit, args=(name, key), help=words)
    if getattr(scene.config, name) is not None:
        slider(scene, name, "both pictures")


def _switch_fit(name: str, key: str) -> None:
    if not is_echo(key, name):
        change(**{name: None if st.session_state[key] else 1.0})


def fit(scene: Scene, name: str, top: float) -> None:
    """The button that gives the brightest colour to the largest value there is."""
    if 0 < top < 1 and top != getattr(scene.config, name):
        st.button(
            "Fit the colours",
            key=f"fit_{name}",
            on_click=change,
            kwargs={name: top},
            width="content",
            help=f"The brightest colour goes to {top:g}, the largest value between two objects.",
        )
