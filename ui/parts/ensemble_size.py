"""The slider of M, in the sidebar and wherever it moves a picture."""

import streamlit as st

from data import Pool
from ui.compute import pipeline
from ui.parts.echoes import is_echo, show
from ui.session.state import change, config, first_config


def ensemble_size(key: str, top: int) -> None:
    """How many base clusterings are made, up to `top` or what a link asks for; of a pool how many are taken."""
    source, m = pipeline.dataset(config()), pipeline.n_clusterings(config())
    words = "More clusterings settle the consensus, and cost time."
    if isinstance(source, Pool):
        key, top = f"{key}_of_pool", source.n_clusterings
        words = f"The file has {top:,}: at the top all of them, below it so many drawn at random."
    if top == 1:
        return
    show(key, m)
    first = min(pipeline.clusterings_of(source, first_config().m), max(top, m))
    st.slider("Base clusterings M", 1, max(top, m), first, key=key, on_change=_store, args=(key,), help=words)


def _store(key: str) -> None:
    if not is_echo(key, "m"):
        change(m=st.session_state[key])
