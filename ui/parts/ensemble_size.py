"""The slider of M, in the sidebar and wherever it moves a picture."""

import streamlit as st

from data import Pool
from ui.compute import pipeline
from ui.parts.echoes import is_echo, show
from ui.parts.widgets import bound
from ui.session.state import change, config

LABEL = "Base clusterings M"


def ensemble_size(key: str, top: int) -> None:
    """How many base clusterings there are; a pool shows how many it gives, and leaves a person's own M as it was."""
    source = pipeline.dataset(config())
    if not isinstance(source, Pool):
        bound(
            st.slider,
            LABEL,
            "m",
            key=key,
            min_value=1,
            max_value=max(top, config().m),
            help="More clusterings settle the consensus, and cost time.",
        )
    elif source.n_clusterings > 1:
        _of_pool(f"{key}_of_pool", source)


def _of_pool(key: str, pool: Pool) -> None:
    show(key, pipeline.n_clusterings(config()))
    st.slider(
        LABEL,
        1,
        pool.n_clusterings,
        key=key,
        on_change=_store,
        args=(key,),
        help="Drawn at random from those in the file; at the top, all of them.",
    )


def _store(key: str) -> None:
    if not is_echo(key, "m"):
        change(m=st.session_state[key])
