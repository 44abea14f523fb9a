"""Why are i and j together? A panel for any page, and its reasons, one function a kind of evidence.

A reason looks at a pair and says sentences (Markdown) and tables, in the order of `REASONS`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st
from scipy.sparse.csgraph import shortest_path

from engine import Consensus, Ensemble, Params
from engine.evidence import ensemble_driven_cluster_index
from engine.partition import meeting
from engine.similarities import PairEvidence, pair_evidence
from ui.figures.numbering import FIRST, object_names
from ui.outside import markdown
from ui.saying import counted, three_digits
from ui.scene import Scene
from ui.scene.matrices import matrix_params, recorded_names, recorded_titles
from ui.scene.walks import walks
from ui.session.bound import begins, is_echo, show
from ui.session.run_config import RunConfig
from ui.session.state import change, place
from ui.widgets.method_menu import parts_objects
from ui.widgets.page_scene import here
from ui.widgets.terms import inform, note, say


def panel(scene: Scene, place: str) -> None:
    """Two objects to choose, and every reason there is about them. `place` keeps the widgets of two panels apart."""
    scene = scene.with_given(place)
    if scene.ensemble is None:
        return
    i, j = choose(scene, place)
    if i == j:
        inform("Choose two different objects.")
        return
    if scene.recorded is None:
        return
    for item in explanation(scene, i, j):
        if isinstance(item, pd.DataFrame):
            st.dataframe(item, hide_index=True, height=min(248, 36 * (len(item) + 1)))
        else:
            say(item)


def choose(scene: Scene, place: str) -> tuple[int, int]:
    """The pair, with the widgets that choose it."""
    chosen, last = scene.two_objects, scene.ensemble.n_objects
    with st.container(horizontal=True):
        for side, index in zip("ij", chosen, strict=True):
            key, now = f"pair_{side}_{place}", index + FIRST
            show(key, now, (last,))
            first = min(begins(key, now), last)
            st.number_input(f"Object {side}", FIRST, last, first, key=key, on_change=_store, args=(place, key))
    if scene.identifiers is not None:
        names = zip("ij", object_names(chosen, scene.identifiers), strict=True)
        note(" and ".join(f"{side} is **{markdown(name)}**" for side, name in names))
    return chosen


def _store(place: str, key: str) -> None:
    if not is_echo(key, key):
        change(pair=tuple(int(st.session_state[f"pair_{side}_{place}"]) - FIRST for side in "ij"))


def dialog(asked: bool) -> None:
    """The panel over any page: once it was `asked` for there, until somebody closes it, also where the page runs anew.

    Its own progress ends with a run of the page, as that of the page behind it does.
    """
    if asked:
        st.session_state[_OPEN] = place()
    if st.session_state.get(_OPEN) == place():
        _dialog()
    else:  # another page: it does not come back there
        _closed()


_OPEN = "_why_open_on"


def _closed() -> None:
    st.session_state.pop(_OPEN, None)


@st.dialog("Why are i and j together?", width="large", on_dismiss=_closed)
def _dialog() -> None:
    panel(here(), "dialog")


#: Evidence without a factor is worked out for a pair up to so many clusters and microclusters: the panel stands open.
MOST_CLUSTERS, MOST_NODES = 1500, 3000


@dataclass(frozen=True, eq=False)
class Pair:
    """Two objects, and all there is to say something about them.

    `result.trace` holds the n x n matrices where they fit; `a` and `b` are the microclusters of objects i and j.
    """

    i: int
    j: int
    scene: Scene

    @property
    def ensemble(self) -> Ensemble:
        """The base clusterings."""
        return self.scene.ensemble

    @property
    def result(self) -> Consensus:
        """The consensus, with its matrices."""
        return self.scene.recorded

    @property
    def truth(self) -> np.ndarray | None:
        """Classes, (N,), where they are known."""
        return self.scene.truth

    @property
    def config(self) -> RunConfig:
        """The settings."""
        return self.scene.config

    @property
    def a(self) -> int:
        """Microcluster of object i."""
        return int(self.ensemble.microclusters.assignment[self.i])

    @property
    def b(self) -> int:
        """Microcluster of object j."""
        return int(self.ensemble.microclusters.assignment[self.j])


def of_outcome(pair: Pair) -> Iterable[str]:
    """Together or apart, rightly or not."""
    labels = pair.result.labels
    together = labels[pair.i] == labels[pair.j]
    words = f"The consensus puts them **{'together' if together else 'apart'}**"
    if pair.truth is None:
        yield words + "."
        return
    alike = pair.truth[pair.i] == pair.truth[pair.j]
    verdict = "rightly" if alike == together else "wrongly"
    yield f"{words}, {verdict}: the truth has them in {'one class' if alike else 'two classes'}."


def of_votes(pair: Pair) -> Iterable[str | pd.DataFrame]:
    """The count, and one row a base clustering that saw both."""
    table, m = votes(pair), pair.ensemble.n_clusterings
    n, seen = int(table["together"].sum()), len(table)
    if not seen:
        yield f"None of the {m:,} base clusterings saw both: nothing is known of this pair directly."
        return
    if seen < m:
        others, have = ("the other", "has") if m - seen == 1 else ("the others", "have")
        yield f"{seen:,} of the {m:,} base clusterings saw both; {others} {have} no label for one of them, or for both."
    if pair.a == pair.b:
        all_put = f"All {seen:,} base clusterings{' that saw both' if seen < m else ''} put"
        if seen == 1:
            all_put = f"The one base clustering{' that saw both' if seen < m else ''} puts"
        only = "only their soft memberships" if parts_objects(pair.config.method) else "nothing"
        yield f"{all_put} them together: they share a *microcluster*, and {only} can part them."
    else:
        yield f"**{n:,} of {seen:,}** base clusterings put them together (co-association {n / seen:.3f})."
    if 0 < n < seen:
        joining = table.loc[table["together"], "ECI, i"].mean()
        yield f"The clusters they share have a mean reliability (*ECI*) of {three_digits(joining)}."
    yield table


def votes(pair: Pair) -> pd.DataFrame:
    """One row a base clustering that saw both: together or not, and size and ECI of the clusters of both objects."""
    ensemble = pair.ensemble
    eci = ensemble_driven_cluster_index(ensemble, pair.config.theta)
    objects = ensemble.microclusters.representatives[[pair.a, pair.b]]
    both = ensemble.cluster_index[objects]
    seen = np.flatnonzero((both >= 0).all(axis=0))
    first, second = both[:, seen]
    names = pair.scene.clustering_keys
    return pd.DataFrame(
        {
            "no.": [names[m] for m in seen],
            "together": first == second,
            "size, i": ensemble.cluster_sizes[first],
            "ECI, i": eci[first],
            "size, j": ensemble.cluster_sizes[second],
            "ECI, j": eci[second],
        }
    ).sort_values(["together", "ECI, i"], ascending=False)


def of_matrices(pair: Pair) -> Iterable[str | pd.DataFrame]:
    """One row a matrix."""
    found = values(pair)
    yield "Their value in every matrix:"
    yield pd.DataFrame({"matrix": list(found), "value": list(found.values())})


def values(pair: Pair) -> dict[str, float]:
    """Value by name: every kind of evidence, and what the method recorded."""
    found = {}
    for key, evidence in pair_evidence().items():
        if not _at_once(evidence, pair):
            continue
        params = matrix_params(pair.config, key)
        found[evidence.title + _said(params)] = evidence.value(pair.ensemble, params, pair.i, pair.j)
    titles = recorded_titles(pair.result, recorded_names(pair.result))
    return found | {titles[name]: float(pair.result.trace[name][pair.a, pair.b]) for name in titles}


def _at_once(evidence: PairEvidence, pair: Pair) -> bool:
    """Whether the pair's value can be had, and while somebody waits."""
    if not (pair.ensemble.complete or evidence.takes_missing):
        return False
    small = pair.ensemble.n_clusters_total <= MOST_CLUSTERS and len(pair.ensemble.microclusters) <= MOST_NODES
    return evidence.weights is not None or small


def _said(params: Params) -> str:
    """The parameters in brackets, automatic ones left out."""
    values = {spec.symbol: getattr(params, spec.name) for spec in params.specs()}
    return "".join(f", {symbol} = {value:g}" for symbol, value in values.items() if value is not None)


def of_tree(pair: Pair) -> Iterable[str]:
    """The height at which they meet, and what meets there."""
    tree = pair.result.trace.get("dendrogram")
    if tree is None or pair.a == pair.b:
        return
    found = meeting(tree, pair.a, pair.b)
    left, right = (int(tree.sizes[side].sum()) for side in found.sides)
    most = tree.n_leaves - found.merge - 1
    yield (
        f"The tree joins them at similarity **{three_digits(found.similarity)}**, where groups of "
        f"{left:,} and {right:,} meet: they are together in every cut of up to {counted(most, 'cluster')}, and apart "
        "in finer ones."
    )


def of_walks(pair: Pair) -> Iterable[str]:
    """Strongest path and cosine of trajectories, for methods that walk."""
    graph, walk = pair.result.trace.get("graph"), pair.result.trace.get("walk")
    if graph is None or walk is None or pair.a == pair.b:
        return
    path = strongest_path(graph, pair.a, pair.b)
    cosines = walks(graph, pair.ensemble, (pair.a, pair.b), walk["T"]).cosines
    if path is None:
        yield f"Among elite neighbours (K = {walk['K']}) no path joins them; their walkers never meet."
        return
    weakest = min(float(graph[a, b]) for a, b in zip(path[:-1], path[1:], strict=True))
    steps = counted(walk["T"], "step")
    yield (
        f"Among elite neighbours (K = {walk['K']}) a path of {counted(len(path) - 1, 'link')} joins them, the weakest "
        f"of weight {weakest:.3f}; after {steps} their walkers' trajectories have a cosine of **{cosines[-1]:.3f}**."
    )


def strongest_path(graph, a: int, b: int) -> list[int] | None:
    """Nodes of the path from a to b with the largest product of weights, or None."""
    lengths = graph.copy()
    lengths.data = -np.log(lengths.data) + 1e-9  # a link of weight 1 is short, but it is a link
    _, before = shortest_path(lengths, directed=False, indices=a, return_predecessors=True)
    if before[b] < 0:
        return None
    path = [b]
    while path[-1] != a:
        path.append(int(before[path[-1]]))
    return path[::-1]


def of_enhancement(pair: Pair) -> Iterable[str | pd.DataFrame]:
    """Value before and after, and the high-confidence neighbours that pulled it."""
    trace = pair.result.trace
    if not {"enhanced", "high_confidence", "similarity"} <= set(trace) or pair.a == pair.b:
        return
    before, after = (float(trace[name][pair.a, pair.b]) for name in ("similarity", "enhanced"))
    if f"{before:.3f}" == f"{after:.3f}":
        yield f"Enhancement: their value stays at **{after:.3f}**."
    else:
        moved = "rose" if after > before else "fell"
        yield f"Enhancement: their value {moved} from {before:.3f} to **{after:.3f}**."
    table = pulls(pair)
    if len(table):
        yield "The neighbours that are certain for one of them, and how alike they are to the other:"
        yield table


def pulls(pair: Pair, most: int = 6) -> pd.DataFrame:
    """Certain neighbours of i and of j, by how much they pull on the pair: weight times their own value."""
    certain, enhanced = pair.result.trace["high_confidence"], pair.result.trace["enhanced"]
    sizes, rows = pair.ensemble.microclusters.sizes, []
    for near, far, name in ((pair.a, pair.b, "i"), (pair.b, pair.a, "j")):
        others = np.setdiff1d(np.flatnonzero(certain[near] > 0), [near, far])
        pull = certain[near, others] * sizes[others] * enhanced[others, far]
        for other in others[np.argsort(-pull, kind="stable")[:most]]:
            rows.append((name, int(other) + FIRST, int(sizes[other]), certain[near, other], enhanced[other, far]))
    columns = ["certain for", "microcluster", "objects", "certainty", "value with the other"]
    return pd.DataFrame(rows, columns=columns)


def of_growth(pair: Pair) -> Iterable[str]:
    """Trees, rounds and margins of both, for methods that grow trees."""
    growth = pair.result.trace.get("growth")
    if growth is None or pair.a == pair.b:
        return
    same = growth.tree[pair.a] == growth.tree[pair.b]
    yield f"Growing trees: they end in {'one tree' if same else 'two trees'}; {arrival(pair, pair.a, 'i')}; " + (
        f"{arrival(pair, pair.b, 'j')}."
    )


def arrival(pair: Pair, node: int, name: str) -> str:
    """When and how clearly a node joined."""
    growth = pair.result.trace["growth"]
    if growth.round[node] == 0:
        return f"object {name} belongs to a prototype"
    return f"object {name} joined in round {growth.round[node]} with a margin of {growth.margin[node]:.3f}"


#: All reasons, in the order in which they are told.
REASONS = (of_outcome, of_votes, of_matrices, of_tree, of_walks, of_enhancement, of_growth)


def explanation(scene: Scene, i: int, j: int) -> list[str | pd.DataFrame]:
    """What every reason says of objects i and j, in order."""
    pair = Pair(i, j, scene)
    return [item for reason in REASONS for item in reason(pair)]
