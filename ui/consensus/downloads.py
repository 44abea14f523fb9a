"""What a person takes away: the labels, and a script that makes them again."""

import io
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from engine import Consensus
from engine.partition import Dendrogram, linkage_matrix, newick
from engine.tables import as_csv
from ui.compute import pipeline
from ui.parts.downloads import download
from ui.report.making import report
from ui.report.printing import browser, printed
from ui.report.session import Session
from ui.session.run_config import RunConfig


def offer(session: Session, columns: Mapping[str, np.ndarray] | None = None) -> None:
    """Labels, script and report, and the script to read; `columns` stand beside the labels in their file."""
    config, result, source = session.config, session.result, session.source
    name = f"{name_of(config)}_k{result.n_clusters}"
    given = columns or {}, getattr(source, "rows", None), getattr(source, "identifiers", None)
    with st.container(horizontal=True):
        download("Labels (CSV)", partial(labels_csv, result.labels, *given), f"{name}.csv", "get_labels")
        download("Script (Python)", session.script, f"{name}.py", "get_script", ":material/code:")
        download("Report (HTML)", partial(as_html, session), f"{name}.html", "get_report", ":material/article:")
        if browser() is not None:
            download("Report (PDF)", partial(as_pdf, session), f"{name}.pdf", "get_report_pdf", ":material/article:")
    with st.expander("The script that makes exactly these labels"):
        st.code(session.script, language="python")


def as_html(session: Session) -> bytes:
    """The report of a session, made when somebody wants it."""
    return report(session).encode()


def as_pdf(session: Session) -> bytes:
    """The same on paper."""
    return printed(report(session))


def labels_csv(
    labels: np.ndarray,
    columns: Mapping[str, np.ndarray] | None = None,
    rows: np.ndarray | None = None,
    identifiers: Sequence[str] | None = None,
) -> bytes:
    """Object (its place in the data, from 0), what its file calls it, label (from 0), and a column for what is known.

    `rows` are the places of the objects where some were set aside.
    """
    objects: dict[str, Any] = {"object": range(len(labels)) if rows is None else rows.tolist()}
    if identifiers is not None:
        objects["identifier"] = list(map(str, identifiers))
    extra = {name: [f"{value:.6g}" for value in values.tolist()] for name, values in (columns or {}).items()}
    return as_csv({**objects, "label": labels.tolist(), **extra})


def offer_tree(config: RunConfig, result: Consensus) -> None:
    """The dendrogram of the objects for other programs."""
    tree, leaf, name = result.trace["dendrogram"], result.microclusters.assignment, name_of(config)
    names = getattr(pipeline.dataset(config), "identifiers", None)
    with st.container(horizontal=True):
        download("Tree (Newick)", partial(newick_bytes, tree, names, leaf), f"{name}.nwk", "get_newick")
        download("Linkage matrix (NPY)", partial(linkage_bytes, tree, leaf), f"{name}_linkage.npy", "get_linkage")


def newick_bytes(tree: Dendrogram, names: Sequence[str] | None, leaf: np.ndarray) -> bytes:
    """The tree of the objects as Newick; an object without a name of its own is called by its number."""
    words = None if names is None else [str(name) or str(place) for place, name in enumerate(names)]
    return (newick(tree, words, leaf) + "\n").encode()


def linkage_bytes(tree: Dendrogram, leaf: np.ndarray) -> bytes:
    """The tree of the objects as `scipy.cluster.hierarchy` has it, in a file of numpy."""
    held = io.BytesIO()
    np.save(held, linkage_matrix(tree, leaf))
    return held.getvalue()


def name_of(config: RunConfig) -> str:
    """What files about a data set and a method are called."""
    return f"{config.data.replace('/', '-')}_{config.method}"
