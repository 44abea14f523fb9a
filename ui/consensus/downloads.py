"""What a person takes away: the labels, and a script that makes them again."""

import io
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import streamlit as st

from engine.cells import made_by, obs_columns
from engine.partition import Dendrogram, linkage_matrix, newick
from engine.tables import labels_csv
from ui.compute.data_sets import cells_of
from ui.compute.reading import annotated
from ui.compute.uploads import File
from ui.export.downloads import download
from ui.export.script import beside, file_name, labels_name, script
from ui.report.making import report
from ui.report.printing import browser, printed
from ui.scene import Scene


def offer(scene: Scene) -> None:
    """Labels, script and report, and the script to read."""
    name = labels_name(scene.config, scene.consensus.n_clusters)
    text = script(scene, beside(scene))
    known = {"asked": scene.asked, "method_choice": scene.known("method_choice")}
    asked = scene.with_given(**known).at_once()  # a file is made where nobody knows of this session
    with st.container(horizontal=True):
        download("Labels (CSV)", partial(labels_file, asked), f"{name}.csv", "get_labels")
        download("Script (Python)", text, f"{name}.py", "get_script", ":material/code:")
        download("Report (HTML)", partial(as_html, asked), f"{name}.html", "get_report", ":material/article:")
        if browser() is not None:
            download("Report (PDF)", partial(as_pdf, asked), f"{name}.pdf", "get_report_pdf", ":material/article:")
        if (cells := cells_of(scene.config.data)) is not None:
            download("AnnData (H5AD)", partial(cells_file, asked, cells), f"{name}.h5ad", "get_cells")
    with st.expander("The script that makes exactly these labels"):
        st.code(text, language="python")


def labels_file(scene: Scene) -> bytes:
    """The labels, from 0 as their script writes them, what the file calls the objects, and how firmly they sit."""
    columns = {"support": "own", "margin": "margin"} if scene.profile is not None else {}
    extra = {title: getattr(scene.profile, name) for title, name in columns.items()}
    if scene.measured is not None and columns:
        extra["stability"] = scene.measured.stability
    return labels_csv(scene.consensus.labels, extra, getattr(scene.source, "rows", None), scene.identifiers)


def cells_file(scene: Scene, file: File | Path) -> bytes:
    """A copy of the file the data came in, with cluster and confidence of every cell in obs, and settings in uns."""
    content = file.content if isinstance(file, File) else file.read_bytes()
    profile = None if scene.consensus.n_clusters < 2 else scene.firmness
    columns, made = obs_columns(scene.consensus.labels, profile), made_by(scene.consensus, scene.ensemble)
    return annotated(file.name, content, columns, made, scene.identifiers)


def as_html(scene: Scene) -> bytes:
    """The report, made when somebody wants it."""
    return report(scene).encode()


def as_pdf(scene: Scene) -> bytes:
    """The same on paper."""
    return printed(report(scene))


def offer_tree(scene: Scene) -> None:
    """The dendrogram of the objects for other programs."""
    tree, leaf = scene.consensus.trace["dendrogram"], scene.consensus.microclusters.assignment
    name = f"{file_name(scene.config)}_{scene.config.method}"
    with st.container(horizontal=True):
        newick_file = partial(newick_bytes, tree, scene.identifiers, leaf)
        download("Tree (Newick)", newick_file, f"{name}.nwk", "get_newick")
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
