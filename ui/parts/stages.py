"""The first steps of nearly every page, each shown while it runs: base clusterings, layout, consensus."""

from collections.abc import Iterable

import streamlit as st

from engine import Consensus, Ensemble, consensus_methods
from ui.compute import layouts, pipeline
from ui.parts import method_menu, sampled, starting_k
from ui.parts.progress import settle
from ui.session.run_config import RunConfig
from ui.session.state import config


def ensemble(chosen: RunConfig | None = None) -> Ensemble | None:
    """The base clusterings that are switched on, or None while they are made, or k is looked for."""
    made = settle(pipeline.ensemble(chosen or config()), "Making base clusterings", "ensemble")
    if made is not None and made.finding:
        st.warning(made.finding, icon=":material/info:")
    return made if made is not None and starting_k.taken(made) else None


def k_is_settled() -> bool:
    """For pages that run studies: whether k is chosen, or told by classes; else it is looked for first."""
    return config().k is not None or pipeline.truth(config()) is not None or ensemble() is not None


def layout(made: Ensemble | None):
    """(points, axis names, whether the axes share a unit), or None while there is none."""
    return made and settle(layouts.positions(config()), "Laying out the objects", "layout")


def consensus(made: Ensemble | None, record: Iterable[str] = (), chosen: RunConfig | None = None) -> Consensus | None:
    """The consensus into the wanted number of clusters, as far as the ensemble allows; or None while it is found.

    That of a sample says so.
    """
    if made is None:
        return None
    chosen = chosen or config()
    if method_menu.lacking(made, chosen):
        return None
    k = min(pipeline.wanted_k(chosen), len(made.microclusters))
    name = "recorded" if record else "consensus"
    found = settle(pipeline.consensus(chosen, made, k, record), "Finding the consensus", name)
    if found is not None and (words := sampled.words(found.trace, made.n_objects)):
        st.caption(f"{consensus_methods()[found.method].title} joined {words}.")
    return found


def inseparable(made: Ensemble, consequence: str) -> bool:
    """Whether there is just one microcluster; the page then says so, and what follows from it."""
    if len(made.microclusters) > 1:
        return False
    st.info(f"There is one microcluster: no base clustering tells any two objects apart, and {consequence}.")
    return True
