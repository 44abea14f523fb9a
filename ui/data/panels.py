"""What the Data page is made of."""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from data import Pool
from data.records import MISSING, class_name
from engine.ensemble import nearly_all_alone
from ui.compute import layouts, pipeline
from ui.figures import bar_by_clustering, class_balance, histogram
from ui.outside import markdown, name
from ui.parts import search
from ui.parts.chart import chart
from ui.parts.dots import dots
from ui.parts.names import clusterings_on_hover, object_keys
from ui.parts.progress import settle
from ui.parts.widgets import bound
from ui.parts.words import counted
from ui.session.selection import mask, pick
from ui.session.state import config, theme

PREVIEW_COLUMNS = 50


def describe(source) -> None:
    """Size, origin and notes."""
    what = f"{source.n_objects:,} objects"
    if isinstance(source, Pool):
        what += f" in {counted(source.n_clusterings, 'base clustering')} made elsewhere"
    else:
        what += f" with {counted(source.n_features, 'feature')}"
    st.markdown(f"**{what}.** {name(source.source)}")
    for note in source.notes:
        st.caption(markdown(note))
    if isinstance(source, Pool) and (finding := nearly_all_alone(int(_pool_ks(source).sum()), source.members.size)):
        st.warning(finding, icon=":material/info:")


def _pool_ks(source: Pool) -> np.ndarray:
    """Clusters in each base clustering of a pool."""
    return np.array([len(np.unique(column[column != MISSING])) for column in source.members.T])


def balance(source) -> None:
    """Classes if known; for a pool, the number of clusters in each base clustering."""
    if source.labels is not None:
        names, counts = np.unique(source.labels, return_counts=True)
        order = np.argsort([np.flatnonzero(source.labels == name)[0] for name in names])
        st.markdown(f"**{len(names)} classes**")
        called = [class_name(source, n) for n in names[order].tolist()]
        chart(class_balance(counts[order], called, theme()), "balance")
    else:
        st.markdown("**Classes** are not known; scores need them, the consensus does not.")
    if isinstance(source, Pool):
        st.markdown("**Clusters in each base clustering**")
        chart(histogram(_pool_ks(source), theme(), x_name="clusters k"), "pool_k")
        gaps = source.members == MISSING
        if gaps.any():
            st.markdown("**Labels missing in each base clustering**")
            figure = bar_by_clustering(gaps.mean(axis=0), theme(), y_name="share of labels missing")
            chart(clusterings_on_hover(figure, _column_names(source)), "pool_missing")


def projection(source) -> None:
    """How more than two features are laid out in the plane."""
    if not isinstance(source, Pool) and source.n_features > 2:
        names = {"plain": "principal components", "tsne": "t-SNE"}
        bound(st.segmented_control, "Projection", "view", options=list(names), format_func=names.get)


def placed(source) -> None:
    """Scatter of the objects: the data, principal components, t-SNE, or a layout of the labels."""
    chosen = config()
    found = settle(layouts.positions(config()), "Laying out the objects", "layout")
    if found is not None:
        points, axes, equal = found
        options = {"axis_names": axes, "equal": equal, "selected": mask(len(points))}
        classes = pipeline.class_names(config())
        dots(points, pipeline.truth(chosen), "data_scatter", "the data", classes=classes, **options)


def preview(source) -> None:
    """The first rows of the file, or those that were searched for."""
    pool = isinstance(source, Pool)
    values = source.members if pool else source.features
    objects = search.rows(np.arange(len(values)), "find_rows")
    table = pd.DataFrame(values[objects, :PREVIEW_COLUMNS], columns=_column_names(source)[:PREVIEW_COLUMNS])
    table.index = pd.Index(object_keys(objects), name="object")
    if source.labels is not None:
        table.insert(0, "class", [class_name(source, label) for label in source.labels[objects].tolist()])
    st.dataframe(table, key="preview", height=320, on_select=partial(_take_rows, objects), selection_mode="multi-row")
    shown = f"{len(table):,} of {len(values):,} objects"
    if values.shape[1] > PREVIEW_COLUMNS:
        shown += f" and the first {PREVIEW_COLUMNS} of {values.shape[1]:,} columns"
    st.caption(shown + ", as in the file, before scaling.")


def _column_names(source) -> list[str]:
    """What the columns are called: as in the file, else their numbers."""
    if isinstance(source, Pool):
        return list(source.clustering_names) or [f"clustering {i + 1}" for i in range(source.n_clusterings)]
    return list(source.columns)


def _take_rows(objects: np.ndarray) -> None:
    pick(objects[st.session_state["preview"].selection.rows], "the table")
