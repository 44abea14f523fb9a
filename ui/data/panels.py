"""What the Data page is made of: the set in a table and a plane, sets of OpenML, and points painted by hand."""

import math
import zlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
import streamlit as st

from data import DataError, Dataset, MissingValuesError, Pool
from data.records import MISSING, Missing, class_name
from engine.ensemble import nearly_all_alone
from ui.compute import uploads
from ui.compute.data_sets import fetch, keep
from ui.compute.jobs import Job, State
from ui.compute.work import find, forget, start
from ui.figures.numbering import distinct, object_keys
from ui.figures.style import PALETTE
from ui.outside import markdown, name
from ui.saying import counted
from ui.scene import Scene
from ui.session.bound import bound
from ui.session.selection import pick
from ui.session.state import change
from ui.widgets import search
from ui.widgets.around import take
from ui.widgets.chart import show
from ui.widgets.progress import explain, settle
from ui.widgets.terms import note, say, warn

PREVIEW_COLUMNS = 50


def describe(scene: Scene) -> None:
    """Size, origin and notes."""
    source = scene.source
    what = counted(source.n_objects, "object")
    if isinstance(source, Pool):
        what += f" in {counted(source.n_clusterings, 'base clustering')} made elsewhere"
    if scene.linked is not None:
        what += f" and {counted(scene.linked.n_edges, 'edge')} between them"
    if scene.has_features:
        what += f" with {counted(source.n_features, 'feature')}"
    say(f"**{what}.** {name(source.source)}")
    for words in scene.data_notes:
        note(markdown(words))
    ks = scene.clusters_in_file
    if ks is not None:
        alone = partial(_alone, source.members)
        if finding := nearly_all_alone(int(ks.sum()), source.members.size, alone):
            warn(finding, icon=":material/info:")


def _alone(members: np.ndarray) -> int:
    """Clusters of one object."""
    counts = (np.unique(column[column != MISSING], return_counts=True)[1] for column in members.T)
    return sum(int((each == 1).sum()) for each in counts)


def balance(scene: Scene) -> None:
    """Classes if known; for a pool, the number of clusters in each base clustering."""
    if scene.truth is not None:
        show(scene, "classes", "balance", title=counted(len(scene.class_names), "class", "classes"))
    else:
        say("**Classes** are not known; scores need them, the consensus does not.")
    show(scene, "clusters_in_file", "pool_k", title="Clusters in each base clustering")
    show(scene, "labels_missing_in_file", "pool_missing")


def projection(scene: Scene) -> None:
    """How more than two features are laid out in the plane."""
    if scene.has_features and (scene.source.n_features > 2 or scene.linked is not None):
        names = {"plain": "principal components" if scene.linked is None else "the graph", "tsne": "t-SNE"}
        bound(st.segmented_control, "Projection", "view", options=list(names), format_func=names.get)


def preview(scene: Scene) -> None:
    """The first rows of the file, or those that were searched for."""
    source, names = scene.source, scene.column_names[:PREVIEW_COLUMNS]
    values = source.members if isinstance(source, Pool) else source.features
    values = np.empty((source.n_objects, 0)) if values is None else values
    objects = search.rows(scene, np.arange(len(values)), "find_rows")
    table = pd.DataFrame(values[objects, :PREVIEW_COLUMNS])
    if scene.linked is not None:
        table.insert(0, "edges", scene.linked.degrees[objects])
        names = ["edges", *names]
    if source.labels is not None:
        table.insert(0, "class", [class_name(source, label) for label in source.labels[objects].tolist()])
        names = ["class", *names]
    table.columns = pd.Index(distinct(["object", *names])[1:])
    table.index = pd.Index(object_keys(objects, scene.identifiers), name="object")
    # A browser keeps which rows are chosen by their places, and other objects stand there by now.
    key = (
        f"preview_{zlib.crc32(objects.tobytes(), zlib.crc32(f'{scene.config.data} {scene.config.labelled}'.encode()))}"
    )
    take_rows = partial(_take_rows, objects, key)
    st.dataframe(table, key=key, height=320, on_select=take_rows, selection_mode="multi-row")
    shown = f"{len(table):,} of {counted(len(values), 'object')}"
    if values.shape[1] > PREVIEW_COLUMNS:
        shown += f" and the first {PREVIEW_COLUMNS} of {values.shape[1]:,} columns"
    scaled = ", before scaling" if scene.has_features else ""
    note(shown + (f", as in the file{scaled}." if values.shape[1] else ", and the edges at each."))


def _take_rows(objects: np.ndarray, key: str) -> None:
    pick(objects[st.session_state[key].selection.rows], "the table")


#: Points of a painting: fewer make no clusters, more no longer follow the hand.
LEAST, MOST = 10, 2_000
#: Classes, in the colours that truth has on all pages; how wide the paper is for a height of 1.
N_CLASSES, WIDTH = 6, 1.5
FILE = "painted.csv"

_PAINTED, _REFUSED, _TAKEN = "_painted", "_paint_refused", "_paintings_taken"
_parts = {part: Path(__file__).with_name(f"paint.{part}").read_text() for part in ("html", "css", "js")}
_paper = st.components.v2.component("concord_paint", **_parts)


def paint(scene: Scene) -> None:
    """The paper, and what was painted on it as a file."""
    with st.expander("Paint points", icon=":material/brush:"):
        taken = st.session_state.get(_TAKEN, 0)  # what is given anew is drawn anew: the browser hears that it arrived
        data = {"colours": PALETTE[:N_CLASSES], "least": LEAST, "most": MOST, "taken": taken}
        _paper(key="paint", data=data, on_painted_change=_take)
        if (refused := st.session_state.get(_REFUSED)) is not None:
            explain(refused)
        content = st.session_state.get(_PAINTED, {}).get(scene.config.data)
        if content is not None:
            st.download_button(
                "What was used (CSV)", content, FILE, "text/csv", key="get_painted", icon=":material/download:",
                on_click="ignore",
            )  # fmt: skip


def _take() -> None:
    """Make what the browser sent the data set of all pages, in place of an earlier painting; or keep why not."""
    sent = st.session_state["paint"].painted
    st.session_state.pop(_REFUSED, None)
    if sent is None:
        return
    st.session_state[_TAKEN] = st.session_state.get(_TAKEN, 0) + 1
    try:
        content = as_csv(points(sent))
        made = uploads.keep_file(FILE, content, "features")
    except DataError as error:
        st.session_state[_REFUSED] = error
        return
    painted = st.session_state.setdefault(_PAINTED, {})  # Back leads to earlier ones
    before = list(painted)[-1:]
    painted[made.id] = painted.pop(made.id, content)
    take(made.id, before)


def points(sent: Any) -> list[tuple[float, float, int]]:
    """What the browser sent as points: x from 0 to `WIDTH`, y from 0 to 1, number of a class; DataError otherwise."""
    if not isinstance(sent, list):
        raise DataError("What was painted did not arrive whole. Press Use these points again.")
    if not LEAST <= len(sent) <= MOST:
        raise DataError(f"A painting has {LEAST} to {MOST:,} points, and this one {counted(len(sent), 'point')}.")
    if not all(map(_is_point, sent)):
        raise DataError("What was painted holds something that is no point. Press Clear, and paint again.")
    return [(float(x), float(y), int(label)) for x, y, label in sent]


def _is_point(one: Any) -> bool:
    """Whether this is a place on the paper with a class."""
    if not isinstance(one, list | tuple) or len(one) != 3 or not all(type(value) in (int, float) for value in one):
        return False
    x, y, label = one
    return (
        all(map(math.isfinite, one))
        and 0 <= x <= WIDTH
        and 0 <= y <= 1
        and label == int(label)
        and 0 <= label < N_CLASSES
    )


def as_csv(found: list[tuple[float, float, int]]) -> bytes:
    r"""Points as a file: x, y and, where there are several, the class, numbered from 1 as on the paper.

    >>> as_csv([(0.5, 0.25, 0), (1.5, 1.0, 2)])
    b'x,y,class\n0.5,0.25,1\n1.5,1.0,3\n'
    """
    if len({label for _, _, label in found}) == 1:
        rows = ["x,y"] + [f"{x},{y}" for x, y, _ in found]
    else:
        rows = ["x,y,class"] + [f"{x},{y},{label + 1}" for x, y, label in found]
    return ("\n".join(rows) + "\n").encode()


#: The set that is being fetched, and the data that were looked at when it was asked for.
_WANTED, _BESIDE = "openml_wanted", "_openml_beside"


def from_openml(scene: Scene, mends: Mapping[str, str]) -> None:
    """Name, version and a button; what was fetched is shown at once. `mends`: what to do about missing values."""
    _fields(scene.config.data)
    if _WANTED not in st.session_state:
        note("Asks openml.org for the set, and keeps it on this machine; the next time needs no connection.")
        return
    name, version = st.session_state[_WANTED]
    job = start(fetch, name.casefold(), version, _mend())
    found = settle(job, "Fetching from OpenML", "openml")
    if found is not None:
        _use(found, scene.config.data)
    elif _lacks_values(job):
        st.radio(
            "Missing values",
            list(mends),
            format_func=mends.get,
            key="openml_missing",
            horizontal=True,
            persist_state="page",  # it is not drawn while the set is fetched again
        )


def _fields(shown: str) -> None:
    """What a person asks for: name and version (empty: the only active one)."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name on OpenML", key="openml_name", placeholder="vehicle")
        st.number_input(
            "Version",
            min_value=1,
            max_value=999_999,
            value=None,
            step=1,
            key="openml_version",
            placeholder="the active one",
        )
        asks = {"disabled": not name.strip(), "on_click": _want, "args": (shown,)}
        st.button("Fetch", key="openml_fetch", icon=":material/download:", **asks)


def _want(shown: str) -> None:
    """Ask anew for what the fields say; an earlier failure may have been the connection's."""
    name, version = st.session_state["openml_name"].strip(), st.session_state["openml_version"]
    st.session_state[_WANTED], st.session_state[_BESIDE] = (name, version), shown
    st.session_state.pop("openml_missing", None)
    for missing in get_args(Missing):
        inputs = fetch, name.casefold(), version, missing
        job = find(*inputs)
        if job is not None and job.future.done():  # one that runs is waited for, and can be cancelled
            forget(*inputs)


def _mend() -> str:
    return st.session_state.get("openml_missing", "refuse")


def _lacks_values(job: Job) -> bool:
    """Whether a choice about missing values would help."""
    return job.state is State.FAILED and isinstance(job.future.exception(), MissingValuesError)


def _use(found: Dataset, shown: str) -> None:
    """Switch to a set that was fetched, once; it is only in the list where somebody went on to other data meanwhile."""
    del st.session_state[_WANTED]
    keep(found.name, found)
    if shown != st.session_state.pop(_BESIDE):
        st.toast(f"{name(found.name)} is in the list of data sets.", icon=":material/info:")
    elif shown != found.name:
        change(data=found.name)
    st.rerun()
