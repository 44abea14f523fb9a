"""Data: choose or bring a data set, and see what is in it."""

import numpy as np
import pandas as pd
import streamlit as st

from data import DataError, MissingValuesError, Pool
from ui import layouts, openml_panel, pipeline, uploads
from ui.chart import chart
from ui.figures import class_balance, histogram, scatter
from ui.progress import explain, settle
from ui.selection import mask, pick, picking_chart
from ui.shell import present
from ui.state import change, config, theme
from ui.widgets import bound

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
        what += f" in {source.n_clusterings:,} base clusterings made elsewhere"
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
        ks = np.array([len(np.unique(column)) for column in source.members.T])
        chart(histogram(ks, theme(), x_name="clusters k"), "pool_k")


def placed(source) -> None:
    """Scatter of the objects: the data, principal components, t-SNE, or a layout of the labels."""
    chosen = config()
    made = None
    if isinstance(source, Pool):
        made = settle(pipeline.ensemble(chosen.with_(off=())), "Reading the base clusterings", "ensemble")
        if made is None:
            return
    elif source.n_features > 2:
        names = {"plain": "principal components", "tsne": "t-SNE"}
        bound(st.segmented_control, "Projection", "view", options=list(names), format_func=names.get)
    found = settle(layouts.positions(config(), made), "Laying out the objects", "layout")
    if found is not None:
        points, axes, equal = found
        figure = scatter(
            points, pipeline.truth(chosen), theme(), axis_names=axes, equal=equal, selected=mask(len(points))
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


def page() -> None:
    """The page, top to bottom."""
    st.title("What is in the data?")
    st.markdown("Choose a data set in the sidebar, or bring one. Every other page follows.")
    bring()
    openml_panel.panel(MENDS)
    source = pipeline.dataset(config())
    describe(source)
    left, right = st.columns([2, 1], gap="large")
    with left:
        placed(source)
    with right:
        balance(source)
    preview(source)


present(page)
