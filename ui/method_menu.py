"""The menu of methods, and what one of them may lack here."""

import streamlit as st

from engine import Ensemble, consensus_methods
from ui.state import change, config
from ui.widgets import bound


def choose() -> None:
    """The menu of all methods; those whose package is not installed say so in their name."""
    bound(st.selectbox, "Method", "method", options=list(consensus_methods()), format_func=title)


def title(key: str) -> str:
    """Name of a method in menus."""
    method = consensus_methods()[key]
    return method.title + (" (not installed)" if method.unavailable else "")


def about() -> None:
    """What the chosen method does, and what its partitioner insists on."""
    method = consensus_methods()[config().method]
    st.caption(method.summary)
    if method.balanced and getattr(config().method_params, "partitioner", "metis") == "metis":
        st.caption("It cuts a graph into parts of nearly equal weight: clusters of unequal size come out wrong.")


def lacking(made: Ensemble) -> bool:
    """Whether the chosen method cannot run here; the page then says why, and offers the remedy."""
    method = consensus_methods()[config().method]
    if method.unavailable:
        st.info(method.unavailable + ".", icon=":material/extension_off:")
        return True
    if "memberships" in method.needs and made.memberships is None:
        st.info(f"{method.title} needs soft memberships: how strongly every object belongs to every cluster. "
                "LAC gives them; these base clusterings have labels only.", icon=":material/info:")  # fmt: skip
        st.button("Use LAC's clusterings", key="use_lac", on_click=change, kwargs={"generator": "lac"})
        return True
    return False
