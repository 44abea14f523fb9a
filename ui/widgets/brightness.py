"""The colour switch of matrices: which value is the brightest, and a way to fit it to what is there."""

import streamlit as st

from ui.pictures.matrices import STOPS
from ui.scene import Scene
from ui.session.bound import begins, bound, is_echo, show
from ui.session.state import change


def fitted(scene: Scene, name: str, words: str, pictures: str) -> None:
    """The switch that fits the colours to the values there are, as `words` say; off, the slider for all `pictures`.

    `name` is the setting.
    """
    key, value = f"fit_{name}", getattr(scene.config, name)
    show(key, value is None)
    st.toggle("Fit the colours", begins(key, value is None), key=key, on_change=_switch, args=(name, key), help=words)
    if value is not None:
        bound(
            st.select_slider,
            "Brightest at",
            name,
            options=sorted({*STOPS, value}),
            width=220,
            help=f"The value that gets the brightest colour; the same for {pictures}.",
        )


def _switch(name: str, key: str) -> None:
    if not is_echo(key, name):
        change(**{name: None if st.session_state[key] else 1.0})
