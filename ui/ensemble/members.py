"""The ensemble as a whole: a map on which members are left out, whom a strategy keeps, and how many are enough."""

import numpy as np
import streamlit as st

from engine import consensus_methods
from engine.metrics import MEASURES
from engine.selection import known_strategies
from ui.figures import small_multiples
from ui.figures.numbering import carried
from ui.figures.spec import MOST_SVG
from ui.pictures.objects import colors_of
from ui.saying import counted, three_digits
from ui.scene import Scene
from ui.session.bound import bound
from ui.session.run_config import RunConfig
from ui.session.state import change, config, theme
from ui.widgets import method_menu
from ui.widgets.chart import chart, heading, sentence_of, show
from ui.widgets.dots import answer, pick_node
from ui.widgets.page_scene import asked_before, begin, here, job_of, part
from ui.widgets.terms import meanings, note, say, subtitle

_PICKED = "_members_picked"
#: What bench/results/selection.md found, which a test reads again.
_MEASURED = (
    "Over 26 data sets, 20 draws each, what gained under LWEA and LWGP had more clusters, which may explain it; "
    "agreement helped EAC. Under EC-CMS nothing was seen beyond chance."
)


@part
def on_a_map(drawn_for: RunConfig) -> None:
    """The map of partitions, and beside it what the consensus of those that are switched on comes to.

    A click on it draws this part again alone; what changes more than the map is drawn with the whole page.
    """
    if config() != drawn_for:
        st.rerun()
    scene = here()
    if not method_menu.can_run(scene):
        return  # below it is said what the method lacks
    if (asked := asked_before(scene, "method_answers")) is not None:
        titles = {consensus_methods()[key].title: labels for key, labels in asked.labels.items()}
        own = consensus_methods()[scene.config.method].title
        scene = scene.with_given(other_answers={title: one for title, one in titles.items() if title != own})
    left, right = st.columns([3, 2], gap="large")
    with left:
        bound(st.selectbox, "Distance between partitions", "map_distance", width=280)
        given = scene.ensemble.fingerprint
        take = {"on_select": lambda: _take(given), "selection_mode": ("points", "lasso", "box"), "drag": "lasso"}
        if show(scene, "partition_map", **take):
            note(sentence_of(scene, "partition_map"))
            _measured(scene, "map_scree", "map_scree", "", "How many dimensions would it need?")
    with right:
        _choices(scene)
        if scene.consensus is not None:
            title = consensus_methods()[scene.consensus.method].title
            answer(scene, scene.consensus.labels, title, "map_answer", height=230)
            if scene.profile is not None:
                note(f"Mean margin of the objects: {three_digits(float(scene.profile.margin.mean()))}.")


def _take(fingerprint: str) -> None:
    """Note the base clusterings of the dots that were clicked or looped."""
    points = [one for one in st.session_state["partition_map"].selection.points if "customdata" in one]
    st.session_state[_PICKED] = fingerprint, sorted({member for one in points for member in carried(one)})


def _choices(scene: Scene) -> None:
    """What can be done with the members that were picked, and the way back to all."""
    fingerprint, picked = st.session_state.get(_PICKED, ("", []))
    picked = picked if fingerprint == scene.ensemble.fingerprint else []
    on = scene.switched_on
    if picked:
        names = ", ".join(scene.clustering_names[member] for member in picked[:3])
        names += ", ..." if picked[3:] else ""
        if len(picked) == 1 and scene.base_scores is not None:
            names += f", {MEASURES[scene.config.measure]} {three_digits(scene.base_scores[picked[0]])}"
        say(f"**{counted(len(picked), 'base clustering')}** picked: {names}.")
    else:
        note("Draw a loop around dots, or click one, and leave these base clusterings out, or all others.")
    chosen = on[picked]
    if len(picked) == 1:
        _beside_the_truth(scene, picked[0])
    with st.container(horizontal=True):
        some, rest = bool(picked), len(on) - len(picked)
        _switch("Keep only these", "keep_members", scene, np.setdiff1d(on, chosen), some and rest > 0)
        _switch("Leave these out", "drop_members", scene, chosen, some and rest > 0)
        if scene.off:
            st.button("All of them again", key="all_members", on_click=change, kwargs={"switched_off": ()})


def _beside_the_truth(scene: Scene, member: int) -> None:
    """One base clustering, and the classes where they are known."""
    if scene.placed is None:
        return
    points, _, equal = scene.placed
    labels = scene.ensemble.labels[:, member]
    title = f"k = {scene.ensemble.n_clusters_each[member]}"
    shown = {title: labels} if scene.truth is None else {title: labels, "the truth": scene.truth}
    options = {"colors": [colors_of(scene, one) for one in shown.values()], "selected": scene.picked_mask}
    options |= {"columns": 2, "equal": equal, "max_points": MOST_SVG, "panel_height": 130}
    chart(small_multiples(points, list(shown.values()), list(shown), theme(), **options), "picked_member", scene.mark)


def _switch(words: str, key: str, scene: Scene, away: np.ndarray, possible: bool) -> None:
    """A button that switches base clusterings off, beside those that are."""
    off = tuple(sorted({*scene.off, *away.tolist()}))
    st.button(words, key=key, on_click=change, kwargs={"switched_off": off}, disabled=not possible)


def whom_to_keep(scene: Scene) -> None:
    """A strategy and a share, whom it keeps, and whether that beats chance. `scene` has all switched on."""
    made = scene.ensemble
    subtitle("Whom to keep?")
    if made.n_clusterings < 3:
        note("Choosing some needs at least three base clusterings.")
        return
    left, right = st.columns(2, gap="large")
    with left:
        bound(st.selectbox, "Strategy", "strategy")
        shares = sorted({0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, scene.config.keep})
        bound(st.select_slider, "Share that is kept", "keep", options=shares, format_func=lambda one: f"{one:.0%}")
        note(known_strategies()[scene.config.strategy].summary)
        note(_MEASURED)
    if not method_menu.can_run(scene):
        return
    with right:
        if show(scene, "selection"):
            say(sentence_of(scene, "selection"))
            others = tuple(np.setdiff1d(np.arange(made.n_clusterings), scene.kept_members).tolist())
            words = f"Keep these {len(scene.kept_members):,}, switch the others off"
            st.button(words, key="keep_chosen", on_click=change, kwargs={"switched_off": others})
    against_chance(scene)


def against_chance(scene: Scene) -> None:
    """The cloud of random choices of the same size, and how many base clusterings are enough: when asked for."""
    left, right = st.columns(2, gap="large")
    with left:
        heading("Does it help? Strategies in the cloud of chance")
        words = "Runs the method on 60 random choices of the same size, and on the choice of every strategy."
        _measured(scene, "selections", "selection_cloud", words, "Set against chance")
    with right:
        heading("How many base clusterings are enough?")
        titles = {key: method_menu.title(key) for key in method_menu.runnable(scene)}
        options = {"options": list(titles), "format_func": titles.get, "width": 280, "help": meanings(*titles.values())}
        bound(st.selectbox, "Beside the chosen method", "method_beside", **options)
        words = "Runs both methods on 30 random subsets of every size."
        _measured(scene, "numbers_of_members", "enough", words, "Try sizes")


def _measured(scene: Scene, node: str, name: str, words: str, button: str) -> None:
    """A picture of a node that is made once somebody asks."""
    if job_of(scene, node) is None:
        if words:
            note(words)
        st.button(button, key=f"begin_{node}", icon=":material/play_circle:", on_click=begin, args=(scene, node))
        return
    if show(scene, name, title=""):
        note(sentence_of(scene, name))


def below_each_other(scene: Scene) -> None:
    """Base clusterings by k, and where their objects go; a click picks those of a cluster."""
    question = "Do fine base clusterings split coarse ones? A tree of them, by k"
    with st.expander(question, key="tree_of_members", on_change="rerun") as tree:
        if not tree.open:  # a thousand ribbons that nobody sees would keep everything above them waiting
            return
        if len(scene.members_by_k) < 2:
            note("Needs at least two base clusterings of at most 30 clusters.")
            return
        rows = {scene.clustering_names[m]: scene.ensemble.labels[:, m] for m in scene.members_by_k}
        take = {"drag": False, "on_select": lambda: pick_node("members_tree", rows)}
        if show(scene, "members_tree", title="", **take):
            note(sentence_of(scene, "members_tree") + " Click a cluster, and its objects are picked.")
