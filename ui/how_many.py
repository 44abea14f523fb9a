"""What the page How many is made of: criteria, pictures of consensus clustering, and resolutions of graphs."""

import numpy as np
import streamlit as st

from engine import Ensemble, consensus_methods
from engine.choosing_k import EFFORTS, ChosenK, Effort, find_criterion
from engine.choosing_k.sentences import beyond, number
from ui.compute.jobs import State
from ui.figures.numbering import carried
from ui.figures.style import painted
from ui.pictures.how_many import near
from ui.saying import counted
from ui.scene import Scene, nodes
from ui.scene.how_many import MOST_LOOKED_AT
from ui.session.bound import bound
from ui.session.selection import pick
from ui.session.state import change
from ui.widgets import method_menu, stages
from ui.widgets.around import beside
from ui.widgets.chart import heading, sentence_of, show
from ui.widgets.dots import pick_node
from ui.widgets.page_scene import begin, job_of
from ui.widgets.progress import settle
from ui.widgets.terms import note, say, subtitle


def knobs(scene: Scene, made: Ensemble | None) -> None:
    """The method whose partitions are judged, and how far to look."""
    method_menu.choose()
    most = max(3, min(MOST_LOOKED_AT, len(made.microclusters))) if made is not None else MOST_LOOKED_AT
    bound(st.slider, "Largest k looked at", "k_max", min_value=2, max_value=most, stretches=True)


def found_by_the_method(scene: Scene) -> bool:
    """Whether the method finds the number of clusters itself; the page then says which."""
    method = consensus_methods()[scene.config.method]
    if method.finds_k and scene.consensus is not None:
        say(f"**{method.title} finds {counted(scene.consensus.n_clusters, 'cluster')}** by itself.")
        note("Criteria compare the answers of a method for every k: choose one that can be asked, at the right.")
    return method.finds_k


def answers(scene: Scene) -> ChosenK | None:
    """What the criteria say, in full where that is there, else at once; None while nothing is."""
    if job_of(scene, "long_look") is None:
        there, needed = scene.sets_kept
        if there == needed:
            begin(scene, "long_look")  # what an earlier look found is on disk, and soon here
    return scene.criteria


def effort(scene: Scene) -> None:
    """How much the answer rests on, and the button of the long look."""
    long, many = job_of(scene, "long_look"), EFFORTS["full"]
    if long is None:
        few, n_objects = EFFORTS["quick"], scene.source.n_objects
        drawn = f" on {few.objects:,} of the objects" if few.objects and n_objects > few.objects else ""
        note(f"A short look: {_runs(scene, few, drawn)}{_halves(scene, few)} in halves.")
        there, needed = scene.sets_kept
        st.button(
            f"Go on looking ({there} of {needed} sets are there)" if there else "Look longer",
            key="full_k",
            help=f"{many.repeats} runs on all objects, {many.null_sets} sets without clusters, {_halves(scene, many)}."
            if scene.has_features
            else f"{_halves(scene, many).capitalize()}.",
            on_click=_look_longer,
            icon=":material/hourglass_top:",
        )
        return
    node = nodes()["long_look"]
    settle(long, node.doing, scene.slot(node.name), again=_look_longer, keeps=node.keeps)
    if long.state is State.DONE:
        note(f"A long look: {_runs(scene, many)}{_halves(scene, many)}.")


def _runs(scene: Scene, effort: Effort, drawn: str = "") -> str:
    """How often k-means is run; without features it is not."""
    return f"{effort.repeats} runs of k-means for every k and set{drawn}, " if scene.has_features else ""


def _halves(scene: Scene, effort: Effort) -> str:
    """How often the ensemble is split; fewer than four base clusterings have no halves to compare."""
    return f"{effort.splits if scene.ensemble.n_clusterings >= 4 else 'no'} splits"


def _look_longer() -> None:
    begin(beside(), "long_look")


def verdict(scene: Scene) -> None:
    """The answer in a sentence."""
    say(f"#### {scene.criteria.verdict.partition('. ')[0].removesuffix('.')}.")
    method_menu.of_all_objects(scene)
    top, goal = int(scene.criteria.ks[-1]), _worth_looking_at(scene)
    if goal > top:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                f"Look up to {goal}",
                key=f"look_up_to_{goal}",
                on_click=stages.look_further,
                args=(goal,),
                icon=":material/expand:",
                width="content",
            )
            note(beyond(scene.ensemble.n_clusters_each, top) or f"At most {top} were looked at.")


def _worth_looking_at(scene: Scene) -> int:
    """How far the range should go: beyond what all base clusterings have, or an answer at its end, or one group."""
    top, each = int(scene.criteria.ks[-1]), scene.ensemble.n_clusters_each
    if beyond(each, top):
        wanted = int(each[0]) + 2
    else:
        wanted = top + 5 if scene.criteria.k in (1, top) else top
    return min(wanted, MOST_LOOKED_AT, scene.criteria.largest)


def curves(scene: Scene) -> None:
    """What the answer rests on: all criteria on one axis of k; a click takes a k."""
    heading("What does each criterion say? Hollow picks are not counted")
    if rest := scene.criteria.verdict.partition(". ")[2]:
        say(rest)
    key = f"criteria_at_{scene.wanted_k}"  # a new k is a new chart, or its dot would be reported as selected no more
    with st.container(key="criteria"):
        show(scene, "criteria", key, title="", drag=False, on_select=lambda: _take_k(key))
    note(f"{sentence_of(scene, 'criteria')} Click a dot, and the app takes its k.")


def _take_k(key: str) -> None:
    points = [point for point in st.session_state[key].selection.points if "customdata" in point]
    if points:
        change(k=carried(points[0])[0])


def take(scene: Scene) -> None:
    """The k the app has now, and every k to take, for those who do not click dots."""
    found, now = scene.criteria, scene.n_clusters
    options = [int(k) for k in found.ks]
    st.segmented_control(
        "Take k",
        options,
        default=now if now in options else None,
        key=f"take_k_{now}",
        on_change=_take_button,
        args=(f"take_k_{now}",),
    )
    by = [find_criterion(key).title for key in found.counted if found.picks[key] == now]
    note(
        f"k = {now} for the consensus on every page"
        + (f"; picked by {', '.join(by)}." if by else "; no counted criterion picks it.")
    )


def _take_button(key: str) -> None:
    if st.session_state[key] is not None:
        change(k=int(st.session_state[key]))


def neighbours(scene: Scene) -> None:
    """The partitions for k - 1, k and k + 1 beside each other, and who moves between them."""
    if not show(scene, "neighbours"):
        return
    shown = {k: scene.criteria.partitions[k] for k in near(scene)}
    colors = scene.colors_by_k
    in_color = {k: painted(labels, colors[k]) for k, labels in shown.items()}
    for before, k in zip(list(shown), list(shown)[1:], strict=False):
        _moves(in_color[before], in_color[k], before, k)


def _moves(before: np.ndarray, after: np.ndarray, k: int, more: int) -> None:
    """Who is elsewhere with one cluster more: those of the new cluster, and all others."""
    moved = np.flatnonzero(before != after)
    new = np.setdiff1d(after, before)
    joined = np.isin(after[moved], new)
    others = int((~joined).sum())
    form = "forms" if joined.sum() == 1 else "form"
    words = f"From {k} to {more}: {counted(int(joined.sum()), 'object')} {form} the new cluster"
    changed = counted(others, "object changes", "objects change")
    words += f", and {changed} between old ones." if others else "; nobody else moves."
    with st.container(horizontal=True, vertical_alignment="center"):
        say(words, width="content")
        if len(moved):
            st.button(
                f"Pick them: {k} to {more}",
                key=f"movers_{k}",
                on_click=pick,
                args=(moved, f"those who move from {k} to {more} clusters"),
                width="content",
            )


def readings(found: ChosenK) -> None:
    """Why each criterion picks what it picks, and which were not asked."""
    with st.expander("What each criterion says, and what it is"):
        for key in found.curves:
            one = find_criterion(key)
            say(f"**{one.title}**: {found.readings[key]} *{one.summary}*")
        for key, reason in found.left_out.items():
            say(f"**{find_criterion(key).title}** was not asked: it {reason}.")


def formula(found: ChosenK) -> None:
    """How the question of structure is answered, with the numbers of these data."""
    with st.expander("The formula, with your numbers"):
        if found.structure is None:
            say("Without features nothing can be compared with data that have no clusters.")
            return
        one = found.structure
        st.latex(r"T = \max_k \frac{\overline{\log \mathrm{PAC}}_k - \log \mathrm{PAC}_k}{\mathrm{sd}_k}")
        say(
            f"For every k, log PAC is compared with its mean and spread over the other sets, and the best k counts: "
            f"T = {one.statistic:.2f} here. {number(len(one.null)).capitalize()} sets were drawn from one Gaussian "
            f"with the spread of these data and judged alike; their T goes up to {one.null.max():.2f}, and "
            f"{number(one.n_reached)} of them reached {one.statistic:.2f}: p = (1 + {one.n_reached}) / "
            f"(1 + {len(one.null)}) = {one.p:.3f}."
        )


#: Pixels; the tree, the answer and the buttons stand together on the first screen of a laptop.
TREE_HEIGHT = 430
#: Pixels that a ring to click, and the name of its row, need.
_ROW = 16


def consensus_runs(scene: Scene) -> None:
    """A strip of matrices, the CDFs in one plot, and what PAC leans to."""
    if not show(scene, "consensus_matrices", "matrices_of_k"):
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        show(scene, "consensus_cdf", "cdfs", title="")
    with right:
        for name in ("consensus_matrices", "consensus_cdf"):
            note(sentence_of(scene, name))


def tree(scene: Scene) -> None:
    """The consensus of every k below that of the k before; clicks pick the objects of a cluster, or take a k."""
    if scene.tree_over_k is None:
        return
    rows = {str(k): labels for k, labels in scene.partitions.items()}
    height = max(TREE_HEIGHT, 110 + _ROW * len(rows))
    key = f"tree_at_{scene.wanted_k}"  # a new k is a new chart, or its ring would be reported as selected no more
    with st.container(key="tree_over_k"):
        take = {"drag": False, "on_select": lambda: _take_leaf(key, rows)}
        shown = show(scene, "partition_tree", key, height=height, **take)
    if shown:
        clicks = "Click a cluster, and its objects are picked; click a ring, and the app takes its k."
        note(f"{sentence_of(scene, 'partition_tree')} {clicks}")


def _take_leaf(key: str, rows: dict[str, np.ndarray]) -> None:
    """Pick the objects of the cluster that was clicked, or take the k of the row whose ring was."""
    if (row := pick_node(key, rows)) is not None:
        change(k=int(list(rows)[row]))


def over_k(scene: Scene) -> None:
    """Where objects go over k, and how often objects and clusters stay together, as ConsensusClusterPlus draws."""
    if len(scene.partitions) < 2 or scene.firmness_by_k is None:
        return
    show(scene, "tracking")
    for name, column in zip(("cluster_consensus", "item_consensus"), st.columns(2, gap="large"), strict=True):
        with column:
            show(scene, name)
    note(sentence_of(scene, "item_consensus"))


def which_resolution(scene: Scene) -> None:
    """The curve over resolutions with its null, the tree over them, and who keeps their company."""
    if scene.ensemble.graph is None:
        return
    subtitle("Which resolution?")
    if job_of(scene, "resolution_runs") is None:
        note("Runs Leiden 15 times at each of nine resolutions, on this graph and on one by chance.")
        st.button(
            "Try resolutions",
            key="begin_resolution_runs",
            icon=":material/play_circle:",
            on_click=begin,
            args=(scene, "resolution_runs"),
        )
    else:
        _curve(scene)
    if show(scene, "consistency", height=380):
        note(sentence_of(scene, "consistency"))


def _curve(scene: Scene) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        key = f"resolutions_at_{scene.config.leiden_resolution}"
        if show(scene, "resolution_curve", key, drag=False, on_select=lambda: _take_resolution(scene, key)):
            say(sentence_of(scene, "resolution_curve"))
            note("Click a dot, and all base clusterings are made at its resolution: their consensus is on every page.")
    with right:
        if scene.tree_of_resolutions is not None:
            show(scene, "resolution_tree", height=420)
        elif scene.resolution_runs is not None:
            heading("A tree over resolutions needs two of at most 30 clusters.")


def _take_resolution(scene: Scene, key: str) -> None:
    """Make all base clusterings at the resolution of the dot that was clicked."""
    places = [place for one in st.session_state[key].selection.points if "customdata" in one for place in carried(one)]
    if places and scene.resolution_runs is not None:
        chosen = float(f"{scene.resolution_runs.own.resolutions[places[0]]:.4g}")
        change(generator="leiden", leiden_resolution=(chosen, chosen))
