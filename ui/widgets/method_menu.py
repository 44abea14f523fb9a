"""The menu of methods, what one of them may lack here, and the sample that one may run on."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from data import Pool
from data.records import MISSING, SET_ASIDE
from engine import consensus_methods
from engine.consensus import FAMILIES, takers_of_missing
from engine.consensus.costs import expected
from ui import learn
from ui.outside import markdown
from ui.saying import counted
from ui.scene import Scene
from ui.session.bound import bound
from ui.session.state import change
from ui.widgets.terms import inform, meanings, note, say

#: Seconds and megabytes from which on it is said beforehand what a method takes.
_WORTH_SAYING = (1.0, 200.0)


def choose() -> None:
    """The menu of all methods; those whose package is not installed say so in their name."""
    keys = by_family()
    bound(st.selectbox, "Method", "method", options=keys, format_func=title, help=meanings(*map(title, keys)))


def by_family() -> list[str]:
    """Keys of all methods, those of a family beside each other, in the order of the page on methods."""
    order = list(FAMILIES)
    return sorted(consensus_methods(), key=lambda key: (order.index(consensus_methods()[key].family), key))


def title(key: str) -> str:
    """Name of a method in menus."""
    method = consensus_methods()[key]
    return method.title + (" (not installed)" if method.unavailable else "")


def parts_objects(key: str) -> bool:
    """Whether a method sees the soft memberships of every object: then it may part a microcluster."""
    return "memberships" in consensus_methods()[key].needs


def about(scene: Scene) -> None:
    """What the chosen method does, and what its partitioner insists on."""
    method = consensus_methods()[scene.config.method]
    note(method.summary)
    if method.balanced(scene.config.method_params):
        note("It cuts a graph into parts of nearly equal weight: clusters of unequal size come out wrong.")
    if told := expectation(scene):
        looks = scene.config.k is None and scene.truth is None and not method.finds_k
        many = " Looking for k runs it many times." if looks else ""
        note(f"Expected here: {told}.{many} Cancel is always there.")


def expectation(scene: Scene) -> str:
    """What the chosen method will take on the present ensemble, in words; empty while unknown, or next to nothing."""
    method, made = scene.config.method, scene.known("ensemble")
    if made is None:
        return ""
    told = expected(method, made)
    if told is None or (told[0] < _WORTH_SAYING[0] and told[1] < _WORTH_SAYING[1]):
        return ""
    return learn.cost_in_words(method, made)


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


def offer_completion(scene: Scene) -> None:
    """Buttons that make the ensemble complete: without the objects that miss a label, or with labels lent to them."""
    if isinstance(source := scene.source, Pool):
        _offer_setting_aside(int((source.members == MISSING).any(axis=1).sum()), source.n_objects)
    st.button(
        "Lend the missing labels",
        key="lend_labels",
        on_click=change,
        kwargs={"lend": True},
        help="Each missing label is that of the most similar object which has one; Consensus and Ensemble say so.",
    )


def completion(scene: Scene) -> None:
    """That labels were lent, or objects set aside, and how to take it back; nothing where neither was done."""
    source = scene.source
    if isinstance(source, Pool) and source.notes and source.notes[-1].endswith(SET_ASIDE):
        say(f"**{markdown(source.notes[-1])}**")
        st.button("Bring them back", key="all_objects", on_click=change, kwargs={"labelled": False})
    if scene.config.lend and scene.ensemble.provenance.get("completed"):
        say(f"**{scene.ensemble.provenance['completed']:,} missing labels were lent** by the most similar objects.")
        st.button("Leave them missing", key="no_lending", on_click=change, kwargs={"lend": False})


def runnable(scene: Scene) -> list[str]:
    """The methods that can run on this ensemble, in the order of menus, and the one that the setting names."""
    chosen, known = scene.config, consensus_methods()
    able = {key for key in known if known[key].can_run(scene.ensemble, chosen.params_of(key))}
    return [key for key in by_family() if key in able or key == chosen.method_beside]


def lacking(scene: Scene, key: str = "") -> bool:
    """Whether the chosen method, or that of the page, cannot run here; it says why, and offers the remedy.

    Beside a pinned A nothing is offered: buttons change the setting of B.
    """
    chosen, made = scene.config.with_(method=key or scene.config.method), scene.ensemble
    method = consensus_methods()[chosen.method]
    asked = method.requirements(chosen.method_params)
    if reason := method.lacking_extra(chosen.method_params):
        inform(reason + ".", icon=":material/extension_off:")
        return True
    offer: Callable[[], None] | None = None
    if "complete" in asked and not made.complete:
        words = (
            f"{method.title} needs a label of every object in every base clustering; {made.n_missing:,} are missing. "
            f"{', '.join(takers_of_missing())} take them as they are."
        )
        offer = partial(_offer_labels, scene, another=not key)
    elif "memberships" in asked and made.memberships is None:
        words = (
            f"{method.title} needs soft memberships: how strongly every object belongs to every cluster. "
            "LAC gives them; these base clusterings have labels only."
        )
        if scene.has_features:
            offer = partial(_offer_generator, "use_lac", "LAC's clusterings", "lac")
        else:
            words += " It needs features, and there are none here."
    elif "graph" in asked and made.graph is None:
        words = f"{method.title} needs a graph between the objects. "
        words += "Base clusterings by Leiden bring one, of nearest neighbours."
        offer = partial(_offer_generator, "use_leiden", "communities (Leiden)", "leiden")
    else:
        return False
    inform(words, icon=":material/info:")
    if offer is not None and not scene.mark:
        offer()
    return True


def _offer_labels(scene: Scene, another: bool) -> None:
    with st.container(horizontal=True):
        if another:
            st.button("Use LWEA", key="use_lwea", on_click=change, kwargs={"method": "lwea"})
        offer_completion(scene)


def _offer_generator(key: str, name: str, generator: str) -> None:
    st.button(f"Use {name}", key=key, on_click=change, kwargs={"generator": generator})


#: The smallest sample that says anything of many objects.
LEAST = 100


def sample_words(trace: Mapping[str, Any], n_objects: int) -> str:
    """What was joined, where it was a sample; empty where it was everything."""
    if "sampled_objects" not in trace:
        return ""
    n = len(trace["sampled_objects"])
    text = f"a sample of {n:,} objects (the other {n_objects - n:,} are put into their most similar cluster"
    if strangers := trace["strangers"]:
        text += (
            f"; {counted(strangers, 'object')} of them share no base cluster with the sample: their place is a guess"
        )
    return text + ")"


def of_all_objects(scene: Scene) -> None:
    """Say that answers are those to all objects, where the consensus of other pages is one of a sample."""
    if scene.sample_size:
        n, method = scene.ensemble.n_objects, consensus_methods()[scene.config.method].title
        note(f"Asked on all {n:,} objects; on Consensus {method} runs on a sample of {scene.sample_size:,} of them.")


def sample_knob(scene: Scene) -> None:
    """The size of the sample and the way back to all objects, once a sample was asked for."""
    sample = scene.config.sample
    if sample is None:
        return
    n = scene.source.n_objects
    bound(
        st.number_input,
        "Objects in the sample",
        "sample",
        min_value=LEAST,
        max_value=n,
        stretches=True,
        step=100,
        help="The method runs on so many objects, drawn by the seed. Every other object then goes to the cluster with "
        "which it has the largest mean co-association.",
    )
    st.button(
        "Use all objects", key="sample_all", icon=":material/select_all:", on_click=change, kwargs={"sample": None}
    )
