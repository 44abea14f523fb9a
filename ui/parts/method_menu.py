"""The menu of methods, and what one of them may lack here."""

import streamlit as st

from data import Pool
from data.records import MISSING
from engine import Ensemble, consensus_methods
from engine.consensus import FAMILIES, takers_of_missing
from ui.compute import pipeline
from ui.compute.jobs import State
from ui.learn import costs
from ui.outside import markdown
from ui.parts.widgets import bound
from ui.parts.words import counted
from ui.session.run_config import RunConfig
from ui.session.state import change, config

#: Seconds and megabytes from which on it is said beforehand what a method takes.
_WORTH_SAYING = (1.0, 200.0)


def choose() -> None:
    """The menu of all methods; those whose package is not installed say so in their name."""
    bound(st.selectbox, "Method", "method", options=by_family(), format_func=title)


def by_family() -> list[str]:
    """Keys of all methods, those of a family beside each other, in the order of the page on methods."""
    order = list(FAMILIES)
    return sorted(consensus_methods(), key=lambda key: (order.index(consensus_methods()[key].family), key))


def title(key: str) -> str:
    """Name of a method in menus."""
    method = consensus_methods()[key]
    return method.title + (" (not installed)" if method.unavailable else "")


def about() -> None:
    """What the chosen method does, and what its partitioner insists on."""
    method = consensus_methods()[config().method]
    st.caption(method.summary)
    if method.balanced(config().method_params):
        st.caption("It cuts a graph into parts of nearly equal weight: clusters of unequal size come out wrong.")
    if told := expectation():
        st.caption(f"Expected here: {told}. Cancel is always there.")


def expectation() -> str:
    """What the chosen method will take on the present ensemble, in words; empty while unknown, or next to nothing."""
    chosen = config()
    job = pipeline.ensemble_so_far(chosen)
    if job is None or job.state is not State.DONE:
        return ""
    told = costs.expected(chosen.method, job.future.result())
    if told is None or (told[0] < _WORTH_SAYING[0] and told[1] < _WORTH_SAYING[1]):
        return ""
    return costs.words(chosen.method, job.future.result())


def _offer_setting_aside(n: int, of: int) -> None:
    """A button that leaves out the objects which miss a label, as long as some stay."""
    if of - n >= 2:
        st.button(
            f"Set {counted(n, 'object')} aside",
            key="labelled_only",
            on_click=change,
            kwargs={"labelled": True},
            help="Those that miss a label in one of the base clusterings; Consensus and Ensemble bring them back.",
        )


def offer_completion() -> None:
    """Buttons that make the ensemble complete: without the objects that miss a label, or with labels lent to them."""
    if isinstance(source := pipeline.dataset(config()), Pool):
        _offer_setting_aside(int((source.members == MISSING).any(axis=1).sum()), source.n_objects)
    st.button(
        "Lend the missing labels",
        key="lend_labels",
        on_click=change,
        kwargs={"lend": True},
        help="Each missing label is that of the most similar object which has one; Consensus and Ensemble say so.",
    )


def completion(made: Ensemble) -> None:
    """That labels were lent, or objects set aside, and how to take it back; nothing where neither was done."""
    source = pipeline.dataset(config())
    if isinstance(source, Pool) and source.rows is not None:
        st.markdown(f"**{markdown(source.notes[-1])}**")
        st.button("Bring them back", key="all_objects", on_click=change, kwargs={"labelled": False})
    if config().lend and made.provenance.get("completed"):
        st.markdown(f"**{made.provenance['completed']:,} missing labels were lent** by the most similar objects.")
        st.button("Leave them missing", key="no_lending", on_click=change, kwargs={"lend": False})


def lacking(made: Ensemble, chosen: RunConfig | None = None) -> bool:
    """Whether the chosen method cannot run here; the page then says why, and offers the remedy."""
    chosen = chosen or config()
    method = consensus_methods()[chosen.method]
    reason = method.lacking_extra(chosen.method_params)
    if reason:
        st.info(reason + ".", icon=":material/extension_off:")
        return True
    if "complete" in method.requirements(chosen.method_params) and not made.complete:
        st.info(
            f"{method.title} needs a label of every object in every base clustering; {made.n_missing:,} are missing. "
            f"{', '.join(takers_of_missing())} take them as they are.",
            icon=":material/info:",
        )
        with st.container(horizontal=True):
            st.button("Use LWEA", key="use_lwea", on_click=change, kwargs={"method": "lwea"})
            offer_completion()
        return True
    if "memberships" in method.requirements(chosen.method_params) and made.memberships is None:
        st.info(
            f"{method.title} needs soft memberships: how strongly every object belongs to every cluster. "
            "LAC gives them; these base clusterings have labels only.",
            icon=":material/info:",
        )
        st.button("Use LAC's clusterings", key="use_lac", on_click=change, kwargs={"generator": "lac"})
        return True
    return False
