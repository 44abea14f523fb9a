"""What a person takes away: the labels, and a script that makes them again."""

import io
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import streamlit as st

from engine import Consensus
from engine.partition import Dendrogram, linkage_matrix, newick
from engine.tables import labels_csv
from ui.compute import pipeline
from ui.consensus.snippet import file_name, labels_name
from ui.parts.downloads import download
from ui.report.making import report
from ui.report.printing import browser, printed
from ui.report.session import Session
from ui.session.run_config import RunConfig


def offer(session: Session, columns: Mapping[str, np.ndarray] | None = None) -> None:
    """Labels, script and report, and the script to read; `columns` stand beside the labels in their file."""
    name = labels_name(session.config, session.result.n_clusters)
    with st.container(horizontal=True):
        download("Labels (CSV)", partial(labels_file, session, columns), f"{name}.csv", "get_labels")
        download("Script (Python)", session.script, f"{name}.py", "get_script", ":material/code:")
        download("Report (HTML)", partial(as_html, session), f"{name}.html", "get_report", ":material/article:")
        if browser() is not None:
            download("Report (PDF)", partial(as_pdf, session), f"{name}.pdf", "get_report_pdf", ":material/article:")
    with st.expander("The script that makes exactly these labels"):
        st.code(session.script, language="python")


def labels_file(session: Session, columns: Mapping[str, np.ndarray] | None = None) -> bytes:
    """The labels of a session, from 0 as its script writes them, with what its file calls the objects."""
    source = session.source
    return labels_csv(session.result.labels, columns, getattr(source, "rows", None), source.identifiers)


def as_html(session: Session) -> bytes:
    """The report of a session, made when somebody wants it."""
    return report(session).encode()


def as_pdf(session: Session) -> bytes:
    """The same on paper."""
    return printed(report(session))


def offer_tree(config: RunConfig, result: Consensus) -> None:
    """The dendrogram of the objects for other programs."""
    tree, leaf = result.trace["dendrogram"], result.microclusters.assignment
    name = f"{file_name(config)}_{config.method}"
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
