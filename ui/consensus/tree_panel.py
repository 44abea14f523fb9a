"""The hierarchy of a method that makes one: its top, or a branch of it that was opened."""

import numpy as np
import streamlit as st

from engine.partition import leaves_below, totals_below
from ui.compute.keys import token
from ui.consensus.downloads import offer_tree
from ui.figures.numbering import carried
from ui.saying import counted
from ui.scene import Scene
from ui.session.selection import pick
from ui.widgets.chart import show
from ui.widgets.terms import note

#: Which tree was opened, and the merges that lead to what is shown, the present one last.
_OPENED = "_tree_opened"
_DOES = "tree_click"


def tree(scene: Scene) -> None:
    """The top of the dendrogram with its cut, or a branch of it."""
    result = scene.consensus
    made, path = result.trace["dendrogram"], opened(result)
    where = f" inside a branch of {_objects(made, path[-1])}" if path else ""
    title = f"How they were joined (the last 60 merges{where}, coloured below the cut)"
    seen = scene.with_given(branch=path[-1] if path else None)
    show(seen, "dendrogram", title=title, drag=False, on_select=lambda: _take(result))
    _switch(made, path)
    offer_tree(scene)


def opened(result) -> tuple[int, ...]:
    """Merges that were opened on the way to what is shown; none where it is the whole tree, or another one."""
    tree, path = st.session_state.get(_OPENED, (None, ()))
    return path if tree == token(result.trace["dendrogram"]) else ()


def _switch(made, path: tuple[int, ...]) -> None:
    """What a click does, and the ways back."""
    with st.container(horizontal=True, vertical_alignment="center"):
        options = ["picks its objects", "opens it"]
        st.segmented_control(
            "A click on a branch", options, default=options[0], key=_DOES, label_visibility="collapsed"
        )
        if path:
            st.button("One level up", key="tree_up", icon=":material/arrow_upward:", on_click=_go_up)
            st.button("The whole tree", key="tree_whole", icon=":material/account_tree:", on_click=_forget)
        note(f"A click on a dot {_does()}.")


def _does() -> str:
    return st.session_state.get(_DOES) or "picks its objects"


def _take(result) -> None:
    """Open the branch that was clicked, or pick what hangs below it."""
    points = st.session_state["dendrogram"].selection.points
    if not points:
        return
    made, node = result.trace["dendrogram"], carried(points[0])[0]
    if _does() == "opens it":
        path = opened(result)
        if node >= made.n_leaves and node not in path:  # below a leaf there is nothing to open
            st.session_state[_OPENED] = token(made), (*path, node)
        return
    leaves = leaves_below(made, node)
    pick(np.flatnonzero(np.isin(result.microclusters.assignment, leaves)), "a branch of the tree")


def _go_up() -> None:
    tree, path = st.session_state[_OPENED]
    st.session_state[_OPENED] = tree, path[:-1]


def _forget() -> None:
    st.session_state.pop(_OPENED, None)


def _objects(made, node: int) -> str:
    return counted(int(totals_below(made.merges, made.sizes)[node]), "object")
