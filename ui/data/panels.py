"""What the Data page is made of."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from data import Pool
from data.records import class_name
from engine.ensemble import nearly_all_alone
from ui.figures.numbering import distinct, object_keys
from ui.outside import markdown, name
from ui.saying import counted
from ui.scene import Scene
from ui.session.bound import bound
from ui.session.selection import pick
from ui.widgets import search
from ui.widgets.chart import show
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
    if ks is not None and (finding := nearly_all_alone(int(ks.sum()), source.members.size)):
        warn(finding, icon=":material/info:")


def balance(scene: Scene) -> None:
    """Classes if known; for a pool, the number of clusters in each base clustering."""
    if scene.truth is not None:
        show(scene, "classes", "balance", title=f"{len(scene.class_names)} classes")
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
    st.dataframe(table, key="preview", height=320, on_select=partial(_take_rows, objects), selection_mode="multi-row")
    shown = f"{len(table):,} of {counted(len(values), 'object')}"
    if values.shape[1] > PREVIEW_COLUMNS:
        shown += f" and the first {PREVIEW_COLUMNS} of {values.shape[1]:,} columns"
    note(shown + (", as in the file, before scaling." if values.shape[1] else ", and the edges at each."))


def _take_rows(objects: np.ndarray) -> None:
    pick(objects[st.session_state["preview"].selection.rows], "the table")
