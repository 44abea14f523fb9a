"""What the Data page is made of."""

import numpy as np
import pandas as pd
import streamlit as st

from data import DataError, MissingValuesError, Pool
from data.records import MISSING
from ui.compute import layouts, pipeline, uploads
from ui.figures import bar_by_clustering, class_balance, histogram, scatter
from ui.parts.chart import chart
from ui.parts.progress import explain, settle
from ui.parts.widgets import bound
from ui.parts.words import counted
from ui.session.selection import mask, pick, picking_chart
from ui.session.state import change, config, theme

TYPES = ["csv", "tsv", "txt", "npy", "npz", "mat", "parquet"]


KINDS = {
    "features": "Features: one row an object, one column a feature",
    "labels": "Labels only: one base clustering a column",
}


MENDS = {"refuse": "leave as it is", "drop": "drop those rows", "mean": "put in the column means"}


PREVIEW_ROWS, PREVIEW_COLUMNS = 200, 50


def bring() -> None:
    """Upload features or base clusterings; a refusal says why, and what is shown below stays."""
    with st.expander("Bring your own data or labels", icon=":material/upload_file:", expanded=True):
        kind = st.radio("What the file holds", list(KINDS), format_func=KINDS.get, key="upload_kind", horizontal=True)
        file = st.file_uploader(
            "A file of numbers (CSV, TSV, TXT, NPY, NPZ, MAT or Parquet)", TYPES, key=f"file_{kind}"
        )
        if file is None:
            st.caption("A column named label, class or target is taken as the truth. Nothing leaves this machine.")
            return
        try:
            use(uploads.keep(file.name, file.getvalue(), kind, mend()))
        except MissingValuesError as error:
            explain(error)
            st.radio("Missing values", list(MENDS), format_func=MENDS.get, key="upload_missing", horizontal=True)
        except DataError as error:
            explain(error)


def mend() -> str:
    """What to do about missing values, once a person has chosen."""
    return st.session_state.get("upload_missing", "refuse")


def use(upload: uploads.Upload) -> None:
    """Offer the upload, and switch to it once when it is new to this session."""
    known = st.session_state.setdefault("uploads", [])
    if upload.id in known:
        show = "is shown below" if config().data == upload.id else "is in the list of data sets"
        st.success(f"{upload.filename} was read and {show}.", icon=":material/check:")
        return
    known.append(upload.id)
    size = {"m": min(1000, upload.content.n_clusterings)} if isinstance(upload.content, Pool) else {}
    change(data=upload.id, **size)
    st.rerun()


def describe(source) -> None:
    """Size, origin and notes."""
    what = f"{source.n_objects:,} objects"
    if isinstance(source, Pool):
        what += f" in {counted(source.n_clusterings, 'base clustering')} made elsewhere"
    else:
        what += f" with {source.n_features:,} features"
    st.markdown(f"**{what}.** {source.source}")
    for note in source.notes:
        st.caption(note)


def balance(source) -> None:
    """Classes if known; for a pool, the number of clusters in each base clustering."""
    if source.labels is not None:
        names, counts = np.unique(source.labels, return_counts=True)
        order = np.argsort([np.flatnonzero(source.labels == name)[0] for name in names])
        st.markdown(f"**{len(names)} classes**")
        chart(class_balance(counts[order], [str(n) for n in names[order]], theme()), "balance")
    else:
        st.markdown("**Classes** are not known; scores need them, the consensus does not.")
    if isinstance(source, Pool):
        st.markdown("**Clusters in each base clustering**")
        ks = np.array([len(np.unique(column[column != MISSING])) for column in source.members.T])
        chart(histogram(ks, theme(), x_name="clusters k"), "pool_k")
        gaps = source.members == MISSING
        if gaps.any():
            st.markdown("**Labels missing in each base clustering**")
            chart(bar_by_clustering(gaps.mean(axis=0), theme(), y_name="share of labels missing"), "pool_missing")


def placed(source) -> None:
    """Scatter of the objects: the data, principal components, t-SNE, or a layout of the labels."""
    chosen = config()
    if not isinstance(source, Pool) and source.n_features > 2:
        names = {"plain": "principal components", "tsne": "t-SNE"}
        bound(st.segmented_control, "Projection", "view", options=list(names), format_func=names.get)
    found = settle(layouts.positions(config()), "Laying out the objects", "layout")
    if found is not None:
        points, axes, equal = found
        figure = scatter(
            points,
            pipeline.truth(chosen),
            theme(),
            axis_names=axes,
            equal=equal,
            selected=mask(len(points)),
            noun="class",
        )
        picking_chart(figure, "data_scatter", "the data")


def preview(source) -> None:
    """The first rows of the file."""
    pool = isinstance(source, Pool)
    values = source.members if pool else source.features
    names = [] if pool else list(source.feature_names)
    columns = names or [f"{'clustering' if pool else 'feature'} {i + 1}" for i in range(values.shape[1])]
    table = pd.DataFrame(values[:PREVIEW_ROWS, :PREVIEW_COLUMNS], columns=columns[:PREVIEW_COLUMNS])
    if source.labels is not None:
        table.insert(0, "class", source.labels[:PREVIEW_ROWS])
    st.dataframe(table, key="preview", height=320, on_select=_take_rows, selection_mode="multi-row")
    shown = f"The first {len(table):,} of {len(values):,} objects"
    if values.shape[1] > PREVIEW_COLUMNS:
        shown += f" and the first {PREVIEW_COLUMNS} of {values.shape[1]:,} columns"
    st.caption(shown + ", as in the file, before scaling.")


def _take_rows() -> None:
    pick(st.session_state["preview"].selection.rows, "the table")
