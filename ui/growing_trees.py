"""What the Growing trees page is made of."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ui.figures.numbering import place_of
from ui.saying import counted
from ui.scene import Scene
from ui.session.bound import begins, bound, is_echo
from ui.session.bound import show as set_widget
from ui.session.state import adjust, change
from ui.widgets.chart import heading, show
from ui.widgets.terms import note

#: Prototypes that a hand may pick at most.
MOST_ROOTS = 40


def knobs(scene: Scene) -> None:
    """k, and the way back from prototypes picked by hand."""
    if scene.config.roots:
        st.button("Back to the k best prototypes", key="drop_roots", on_click=change, kwargs={"roots": ()})
    most = max(3, min(len(scene.ensemble.microclusters), max(MOST_ROOTS, scene.n_clusters)))
    first = min(begins("grow_k", scene.n_clusters), most)
    set_widget("grow_k", scene.n_clusters, (most,))
    said = "How many trees grow. Too few, and one tree takes two groups; too many, and trees share a group."
    st.slider("k, trees", 2, most, first, key="grow_k", on_change=_store_k, help=said)


def why_these(scene: Scene, best: Mapping[str, Any]) -> None:
    """Why these data, where nobody chose any."""
    if all(getattr(scene.config, name) == value for name, value in best.items()):
        note(
            "Blobs joined by a bridge: trees stop where they meet, and whoever goes to the nearest prototype alone "
            "(below) is often wrong. Other data: in the sidebar."
        )


def _store_k() -> None:
    if not is_echo("grow_k", "k"):
        change(k=st.session_state["grow_k"], roots=())


def take_roots() -> None:
    """Grow from the dots that were picked in the decision graph."""
    points = [p for p in st.session_state["decision"].selection.points if "customdata" in p]
    chosen = sorted({place_of(point) for point in points})
    if 2 <= len(chosen) <= MOST_ROOTS:
        change(roots=tuple(chosen))
    elif chosen:
        said = "grow from two dots or more" if len(chosen) == 1 else f"grow from at most {MOST_ROOTS} dots"
        st.toast(f"Trees {said}; {counted(len(chosen), 'dot')} picked.", icon=":material/info:")


def margins(scene: Scene) -> None:
    """The margins of one round, and the threshold that told the clear from the unclear."""
    grown = scene.growth
    if not grown.n_rounds:
        return
    heading("Who was clear enough to join?")
    if scene.config.round > grown.n_rounds:
        adjust(round=grown.n_rounds)
    if grown.n_rounds > 1:
        bound(st.slider, "Round", "round", min_value=1, max_value=grown.n_rounds)
    show(scene, "margins", title="")


def distances(scene: Scene) -> None:
    """The distances in the order of the trees, prototypes marked."""
    heading("Do paths change the distances? Between objects, ordered by tree, prototypes marked")
    with st.columns(2, gap="large")[0]:
        show(scene, "distances_direct", "distance_distance")
    note(
        "Paths shorten none of the distances. With 1 - co-association they cannot: a clustering that "
        "parts two objects parts at least one of them from every third object, so no way round is shorter than the "
        "direct one. The method's refinement acts on other distances only, such as the logarithmic one of its authors' "
        "code (variant *published-code* on the Consensus page)."
    )


def instead(scene: Scene) -> None:
    """What assigning everybody to the nearest prototype would have done."""
    if not bound(st.toggle, "Compare with: everybody to the nearest prototype", "nearest"):
        return
    names = {"trees": "Grown", "nearest_root": "Nearest prototype"}
    for (name, title), column in zip(names.items(), st.columns(2), strict=True):
        with column:
            show(scene, name, f"instead_{title.split()[0].lower()}", title=title, height=380)
    differ = int((scene.growth.tree != scene.nearest_tree) @ scene.ensemble.microclusters.sizes)
    note(f"The two differ in {differ:,} of {scene.ensemble.n_objects:,} objects.")
