"""What the Ensemble page is made of: map, members and whom to keep, switches of clusterings, files of labels."""

import io
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from data.records import Content
from data.roles import IDENTIFIERS, LABEL_COLUMNS
from engine import Ensemble, consensus_methods, save_ensemble
from engine.metrics import MEASURES
from engine.selection import known_strategies
from engine.tables import as_csv, object_columns
from ui.export.menu import download
from ui.export.script import file_name
from ui.figures import small_multiples
from ui.figures.numbering import carried, distinct, number
from ui.figures.partitions import maps
from ui.pictures import pictures
from ui.pictures.ensembles import CLOUD, marks_of_map, members_of_map, unit_of_map
from ui.pictures.objects import PER_PAGE, colors_of
from ui.saying import counted, percent, three_digits
from ui.scene import Scene
from ui.session import selection
from ui.session.bound import bound
from ui.session.run_config import RunConfig
from ui.session.state import adjust, change, theme
from ui.widgets import method_menu
from ui.widgets.around import beside
from ui.widgets.chart import chart, drawn_alone, heading, sentence_of, show
from ui.widgets.dots import answer, pick_node
from ui.widgets.knobs import knob
from ui.widgets.page_scene import asked_before, begin, here, job_of, part
from ui.widgets.terms import meanings, note, say, subtitle

#: With more of either, running the method once for every base clustering is asked for: it would keep everybody waiting.
_FEW_OBJECTS, _FEW_CLUSTERINGS = 1_000, 100


def multiples(scene: Scene) -> None:
    """Base clusterings as small multiples with aligned colours, a page at a time."""
    pages = -(-scene.n_clusterings // PER_PAGE)
    if scene.config.panel > pages:
        adjust(panel=pages)
        st.rerun()
    if pages > 1:
        bound(st.pagination, pages, "panel")
    show(scene, "base_by_page", "ensemble_base", title="")


def clusters(scene: Scene) -> None:
    """Every cluster by size and reliability; a click picks its objects."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        say("**Which clusters do the others confirm?** Click one to pick its objects.", width="stretch")
        knob(scene, "theta", width=220)
    made, names = scene.ensemble, scene.clustering_names
    take = {"on_select": lambda: _take_cluster(made, names), "drag": False}
    show(scene, "cluster_reliability", "cluster_cloud", title="", **take)
    note(sentence_of(scene, "cluster_reliability"))


def _take_cluster(made: Ensemble, names: list[str]) -> None:
    points = st.session_state["cluster_cloud"].selection.points
    if points:
        cluster = carried(points[0])[0]
        members = np.flatnonzero((made.cluster_index == cluster).any(axis=1))
        m = int(np.searchsorted(made.offsets, cluster, side="right") - 1)
        selection.pick(members, f"cluster {number(cluster - made.offsets[m])} of {names[m]}")


def missing(scene: Scene) -> None:
    """How many labels are missing, where, and how many pairs were never seen together."""
    made = scene.ensemble
    if made.complete:
        method_menu.completion(scene)
        return
    unseen = made.labels < 0
    say(
        f"**{counted(made.n_missing, 'label is', 'labels are')} missing** ({percent(made.n_missing, unseen.size)}): "
        f"{int(unseen.any(axis=1).sum()):,} of {counted(made.n_objects, 'object')} without one or more, at most "
        f"{int(unseen.sum(axis=1).max()):,} of {made.n_clusterings:,}. A missing label is no cluster."
    )
    show(scene, "missing_labels", title="")
    if scene.strangers is not None:
        never, pairs = scene.strangers
        were = "was" if never == 1 else "were"
        said = f"{never:,} of {pairs:,} pairs {were} never seen together: their co-association is taken to be 0."
        note(said if never else "Every two objects were seen together by some base clustering.")
    seen = (~unseen).astype(np.float32)
    if apart := int(np.triu(seen.T @ seen == 0, 1).sum()):
        share = "shares no object: its NMI is" if apart == 1 else "share no object: their NMI is"
        note(f"{counted(apart, 'pair')} of base clusterings {share} taken to be 0.")


def influence(scene: Scene) -> None:
    """How far the consensus moves when each base clustering is left out, once asked for."""
    made = scene.ensemble
    heading("Which base clustering does the consensus hang on?")
    if made.n_clusterings < 2:
        note("Needs at least two base clusterings.")
        return
    if method_menu.lacking(scene):
        return
    if (made.n_objects > _FEW_OBJECTS or made.n_clusterings > _FEW_CLUSTERINGS) and job_of(scene, "influence") is None:
        note(f"Leaves out one base clustering after the other: {made.n_clusterings:,} runs of the method.")
        if not st.button("Measure", key="measure_influence", icon=":material/play_circle:"):
            return
    if scene.influence is None:
        return
    show(scene, "influence", title="")
    note(sentence_of(scene, "influence"))
    method_menu.of_all_objects(scene)


_PICKED = "_members_picked"
#: The settings that the marks on the map were drawn for, and what they were.
_MARKED_FOR = "_marked_for"
#: Base clusterings from which on the map's marks are drawn apart from its dots.
_MANY_DOTS = 200
#: Objects in both pictures beside the map at most: small ones, which answer a click.
_BESIDE = 400
#: Keys of the sheets on the map, and the ranges of its axes as they were.
_RINGS, _MARKS, _ROOM = "partition_map_rings", "partition_map_marks", "_room_of_map"
#: How often a last base clustering was to be switched off.
_REFUSED = "_last_member_kept"
#: What bench/results/selection.md found, which a test reads again.
_MEASURED = (
    "Over 26 data sets, 20 draws each, what gained under LWEA and LWGP had more clusters, which may explain it; "
    "agreement helped EAC. Under EC-CMS nothing was seen beyond chance."
)


@part()
def on_a_map(drawn_for: RunConfig) -> None:
    """The map of partitions, and beside it what the consensus of those that are switched on comes to."""
    scene = here()
    if scene.whole_ensemble is None:
        return
    left, right = st.columns([3, 2], gap="large")
    with right:  # first: a click is answered here, and moves nothing on the map
        _choices(scene)
    with left:
        bound(st.selectbox, "Distance between partitions", "map_distance", width=280)
        given = scene.whole_ensemble.fingerprint
        take = {"on_select": lambda: _take(given), "selection_mode": ("points", "lasso", "box"), "drag": "lasso"}
        if said := _map(scene, take, drawn_for):
            note(said)
            if marks_of_map(scene := _with_others(scene)):
                _measured(scene, "map_scree", "map_scree", "", "How many dimensions would it need?")
    with right:
        if scene.can_run and scene.consensus is not None:
            title = consensus_methods()[scene.consensus.method].title
            answer(scene, scene.consensus.labels, title, "map_answer", height=230)
            if scene.profile is not None:
                note(f"Mean margin of the objects: {three_digits(float(scene.profile.margin.mean()))}.")


def _with_others(scene: Scene) -> Scene:
    """The scene with the answers of other methods that this session has asked for: they stand on the map, too."""
    if (asked := asked_before(scene, "method_answers")) is None:
        return scene
    titles = {consensus_methods()[key].title: labels for key, labels in asked.labels.items()}
    own = consensus_methods()[scene.config.method].title
    return scene.with_given(other_answers={title: one for title, one in titles.items() if title != own})


def _map(scene: Scene, take: dict[str, Any], drawn_for: RunConfig) -> str:
    """The map of partitions; what there is to say of it, with its legend where it has none. Empty while there is none.

    Of many dots there are sheets: what a page shows anew is drawn anew, and a thousand dots take longer than all else
    that a knob moves. Who is left out is seen at once, a ring in the room that the marks had; then they move. Only
    where such rings are many the dots follow, with the rest of the page.
    """
    stands = scene.members_map is None or scene.members_map.spans  # else marks move dots
    if scene.n_clusterings < _MANY_DOTS or scene.mark or not stands:
        scene = _with_others(scene)
        return sentence_of(scene, "partition_map") if show(scene, "partition_map", **take) else ""
    if (members := members_of_map(scene)) is None:
        return ""
    off, m, given = scene.off, len(members["ks"]), (scene.whole_ensemble.fingerprint, scene.config.map_distance)
    known, room = st.session_state.get(_ROOM, (None, None))
    if known != given:
        room = _room_of_marks(_with_others(scene), None) or maps.room_of_map(members["points"], m)
    look = {"theme": theme(), "unit": unit_of_map(scene), "room": room}
    away = _left_out_below(scene, drawn_for)
    below = maps.sheet_of_members(**members, off=away, **look)
    heading(pictures()["partition_map"].title, below)
    below.update_layout(dragmode=take["drag"], clickmode="event+select", meta={"above": [_RINGS, _MARKS]})
    with st.container(key="map_sheets", gap=None):
        with st.container():  # there whether or not anything is left out: what follows keeps its place
            if len(off) > len(away):
                rings = (members["points"], members["ks"], members["agreement"], off, away)
                chart(maps.sheet_of_rings(*rings, **look), _RINGS)
        chart(below, "partition_map", on_select=take["on_select"], selection_mode=take["selection_mode"])
        scene = _with_others(scene)
        now, marks = _room_of_marks(scene, room), marks_of_map(scene)
        points = members["points"] if now is None else scene.whole_map.points
        chart(maps.sheet_of_marks(points, m, marks, **look), _MARKS)
    if now is not None and (given, now) != (known, room):
        st.session_state[_ROOM] = given, now
        if now != room:
            st.rerun()
    legend = maps.legend_of(points, m, marks)
    if st.session_state.get(_MARKED_FOR) != (scene.config, legend):  # a click moves no mark
        st.session_state[_MARKED_FOR] = scene.config, legend
        drawn_alone()
    return (f"{legend}. " if legend else "") + sentence_of(scene, "partition_map")


def _left_out_below(scene: Scene, drawn_for: RunConfig) -> list[int]:
    """Who is left out in the sheet of dots: as the whole page had it, until the whole page follows."""
    before = scene.varied(switched_off=drawn_for.switched_off).off
    off = before if set(before) < set(scene.off) else scene.off
    return [] if maps.few(off, scene.whole_ensemble.n_clusterings) else off


def _room_of_marks(scene: Scene, before: tuple | None) -> tuple | None:
    """Ranges of the map's axes with all marks on it; None as long as there is no consensus."""
    m = scene.whole_ensemble.n_clusterings
    return maps.room_of_map(scene.whole_map.points, m, before) if marks_of_map(scene) else None


def _take(fingerprint: str) -> None:
    """Note the base clusterings of the dots that were clicked or looped."""
    points = [one for one in st.session_state["partition_map"].selection.points if "customdata" in one]
    st.session_state[_PICKED] = fingerprint, sorted({member for one in points for member in carried(one)})


def _choices(scene: Scene) -> None:
    """What can be done with the base clusterings that were picked, and the way back to all."""
    whole, off = scene.everything, set(scene.off)
    fingerprint, picked = st.session_state.get(_PICKED, ("", []))
    picked = picked if fingerprint == whole.ensemble.fingerprint else []
    if picked:
        names = ", ".join(whole.clustering_names[member] for member in picked[:3])
        names += ", ..." if picked[3:] else ""
        if len(picked) == 1 and whole.base_scores is not None:
            names += f", {MEASURES[scene.config.measure]} {three_digits(whole.base_scores[picked[0]])}"
        out = len(off.intersection(picked))
        names += "" if not out else ", left out" if out == len(picked) else f", {out:,} of them left out"
        say(f"**{counted(len(picked), 'base clustering')}** picked: {names}.")
    else:
        note("Draw a loop around dots, or click one, and leave these base clusterings out, or all others.")
    with st.container():  # there whether or not there is a picture: else the buttons stood twice until the map is drawn
        if len(picked) == 1:
            _beside_the_truth(whole, picked[0])
    all_of_them = range(whole.ensemble.n_clusterings)
    with st.container(horizontal=True):
        _switch_button("Keep only these", "keep_members", off, set(all_of_them).difference(picked), all_of_them)
        _switch_button("Leave these out", "drop_members", off, off.union(picked), all_of_them)
        if off.intersection(picked):
            _switch_button("Take these back", "return_members", off, off.difference(picked), all_of_them)
        if off:
            st.button("All of them again", key="all_members", on_click=change, kwargs={"switched_off": ()})


def _beside_the_truth(scene: Scene, member: int) -> None:
    """One of all base clusterings, and the classes where they are known."""
    if scene.placed is None:
        return
    points, _, equal = scene.placed
    labels = scene.ensemble.labels[:, member]
    title = f"k = {scene.ensemble.n_clusters_each[member]}"
    shown = {title: labels} if scene.truth is None else {title: labels, "the truth": scene.truth}
    options = {"colors": [colors_of(scene, one) for one in shown.values()], "selected": scene.picked_mask}
    options |= {"columns": 2, "equal": equal, "max_points": _BESIDE, "panel_height": 130}
    chart(small_multiples(points, list(shown.values()), list(shown), theme(), **options), "picked_member", scene.mark)


def _switch_button(words: str, key: str, off: set[int], then: set[int], all_of_them: range) -> None:
    """A button after which other base clusterings are switched off than now; one at least stays on."""
    possible = then != off and len(then) < len(all_of_them)
    st.button(words, key=key, on_click=change, kwargs={"switched_off": tuple(sorted(then))}, disabled=not possible)


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
    if not scene.can_run:
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
        heading(f"Does it help? Strategies in the cloud of chance ({CLOUD})")
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


def table_of_switches(scene: Scene, switched_off: Sequence[int]) -> None:
    """One row a base clustering: on or off, its clusters, its agreement with the others, its score.

    `scene` has all of them switched on.
    """
    made = scene.ensemble
    rows = {
        "on": [m not in switched_off for m in range(made.n_clusterings)],
        "clusters": made.n_clusters_each,
    }
    told = {}
    if made.n_clusterings > 1:
        rows["NMI, others"] = others(scene.agreement)
        told["NMI, others"] = "Mean NMI (max) with all other base clusterings."
    if scene.truth is not None:
        rows[truth := f"{MEASURES[scene.config.measure]}, truth"] = scene.base_scores
        told[truth] = "Agreement with the truth."
    frame = pd.DataFrame(rows, index=pd.Index(scene.clustering_keys, name="no."))
    say("**Switch base clusterings off**, and every page follows.")
    key = f"switches_{tuple(switched_off)}_{st.session_state.get(_REFUSED, 0)}"
    st.data_editor(
        frame,
        key=key,
        disabled=["_index", *frame.columns[1:]],
        height=min(300, 35 * (len(frame) + 1) + 3),
        on_change=_switch,
        args=(key,),
        column_config={name: st.column_config.NumberColumn(format="%.3f", help=words) for name, words in told.items()},
    )


def none_left(scene: Scene) -> None:
    """That a link switches all of them off, which leaves all on."""
    if scene.config.switched_off and not scene.off and scene.config.switched_off[0] < scene.n_clusterings:
        note("The link switches all of them off. Without any there is no consensus, so all are on.")


def others(agreement: np.ndarray) -> np.ndarray:
    """Mean NMI of each base clustering with all others: (M,)."""
    return (agreement.sum(axis=1) - 1) / (len(agreement) - 1)


def _switch(key: str) -> None:
    """Take over edited boxes; the last base clustering cannot be switched off."""
    scene = beside()
    off = set(scene.off)
    for row, edit in st.session_state[key]["edited_rows"].items():
        (off.discard if edit.get("on", True) else off.add)(int(row))
    if len(off) < scene.n_clusterings:
        change(switched_off=tuple(sorted(off)))
        return
    st.session_state[_REFUSED] = st.session_state.get(_REFUSED, 0) + 1  # the boxes are drawn as they are
    st.toast("One base clustering stays on: without any there is no consensus.", icon=":material/info:")


def downloads(scene: Scene) -> None:
    """The base clusterings that are switched on: with memberships and provenance, or as a table."""
    name, made = f"{file_name(scene.config)}_ensemble", scene.ensemble
    table = partial(ensemble_csv, made, scene.source, headings(scene))
    with st.container(horizontal=True):
        download("Ensemble (NPZ)", partial(ensemble_npz, made, scene.source), f"{name}.npz", "get_ensemble")
        download("Ensemble (CSV)", table, f"{name}.csv", "get_ensemble_csv")


def ensemble_npz(made: Ensemble, source: Content) -> bytes:
    """As `engine.load_ensemble` and `concord consensus` read it, with who its objects are in the file of `source`."""
    held = io.BytesIO()
    save_ensemble(made, held, getattr(source, "rows", None), getattr(source, "identifiers", None))
    return held.getvalue()


def headings(scene: Scene) -> list[str]:
    """What the columns are called: as in the file, if nothing else is read under such a name, else by their number."""
    names = [""] * len(scene.switched_on) if scene.clustering_columns is None else scene.clustering_columns
    taken = {"", *LABEL_COLUMNS, *IDENTIFIERS}
    each = zip(scene.switched_on.tolist(), names, strict=True)
    return distinct(f"clustering_{m}" if name.casefold() in taken else name for m, name in each)


def ensemble_csv(made: Ensemble, source: Content, names: Sequence[str]) -> bytes:
    """One row an object, one column a base clustering, called by `names`; a label that is missing is empty."""
    columns = object_columns(made.n_objects, getattr(source, "rows", None), getattr(source, "identifiers", None))
    for name, labels in zip(names, made.labels.T.tolist(), strict=True):
        columns[name] = ["" if label < 0 else label for label in labels]
    return as_csv(columns)
