"""The tree of a consensus, and what leaves the page: labels, tree, confidence, script and report."""

import io
from functools import partial
from pathlib import Path

import numpy as np
import streamlit as st

from engine import __version__
from engine.confidence.profiles import obs_columns
from engine.partition import Dendrogram, leaves_below, linkage_matrix, newick, totals_below
from engine.tables import labels_csv
from ui.compute import uploads
from ui.compute.data_sets import cells_of
from ui.compute.reading import annotated
from ui.compute.uploads import File
from ui.compute.work import token
from ui.export.menu import download
from ui.export.script import beside, file_name, labels_name, script
from ui.figures.numbering import carried
from ui.report.making import browser, printed, report
from ui.report.tables import called
from ui.saying import counted
from ui.scene import Scene
from ui.session.selection import pick
from ui.widgets.chart import show
from ui.widgets.terms import note


def offer(scene: Scene) -> list[str]:
    """Labels, script and report, and the script to read; returns what stands beside the labels."""
    name, columns = labels_name(scene.config, scene.consensus.n_clusters), beside(scene)
    text = script(scene, columns)
    known = {"asked": scene.asked, "method_choice": scene.known("method_choice")}
    asked = scene.with_given(**known).at_once()  # a file is made where nobody knows of this session
    with st.container(horizontal=True):
        download("Labels (CSV)", partial(labels_file, asked), f"{name}.csv", "get_labels")
        download("Script (Python)", partial(str, text), f"{name}.py", "get_script", ":material/code:")
        download("Report (HTML)", partial(as_html, asked), f"{name}.html", "get_report", ":material/article:")
        if browser() is not None:
            download("Report (PDF)", partial(as_pdf, asked), f"{name}.pdf", "get_report_pdf", ":material/article:")
        if (cells := cells_of(scene.config.data)) is not None:
            download("AnnData (H5AD)", partial(cells_file, asked, cells), f"{name}.h5ad", "get_cells")
    with st.expander("The script that makes exactly these labels"):
        st.code(text, language="python")
    return columns


def labels_file(scene: Scene) -> bytes:
    """The labels, from 0 as their script writes them, what the file calls the objects, and how firmly they sit."""
    made = {
        "support": lambda: scene.profile.own,
        "margin": lambda: scene.profile.margin,
        "stability": lambda: scene.measured.stability,
    }
    extra = {name: made[name]() for name in beside(scene)}
    return labels_csv(scene.consensus.labels, extra, getattr(scene.source, "rows", None), scene.identifiers)


def cells_file(scene: Scene, file: File | Path) -> bytes:
    """A copy of the file the data came in, with cluster and confidence of every cell in obs, and settings in uns."""
    content = file.content if isinstance(file, File) else file.read_bytes()
    profile = None if scene.consensus.n_clusters < 2 else scene.firmness
    columns = obs_columns(scene.consensus.labels, profile)
    made = scene.consensus.provenance(scene.ensemble) | {"version": __version__} | _features_of(scene)
    return annotated(file.name, content, columns, made, getattr(scene.source, "rows", None))


def _features_of(scene: Scene) -> dict[str, str]:
    """Which matrix of the file was clustered, where one was chosen, and how its columns were scaled."""
    if not scene.has_features:
        return {}
    name = scene.config.data
    matrix = uploads.find(name).matrix if name.startswith(uploads.PREFIX) else None
    return {"scaling": scene.config.scaling} | ({"matrix": matrix} if matrix else {})


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
        download("Tree (Newick)", partial(newick_bytes, scene.at_once()), f"{name}.nwk", "get_newick")
        download("Linkage matrix (NPY)", partial(linkage_bytes, tree, leaf), f"{name}_linkage.npy", "get_linkage")


def newick_bytes(scene: Scene) -> bytes:
    """The tree of the objects as Newick; one without a name of its own is called by its number, as beside its label."""
    tree, leaf = scene.consensus.trace["dendrogram"], scene.consensus.microclusters.assignment
    return (newick(tree, called(scene, in_file=True), leaf) + "\n").encode()


def linkage_bytes(tree: Dendrogram, leaf: np.ndarray) -> bytes:
    """The tree of the objects as `scipy.cluster.hierarchy` has it, in a file of numpy."""
    held = io.BytesIO()
    np.save(held, linkage_matrix(tree, leaf))
    return held.getvalue()


#: Which tree was opened, and the merges that lead to what is shown, the present one last.
_OPENED = "_tree_opened"
_DOES = "tree_click"


def tree(scene: Scene) -> None:
    """The top of the dendrogram with its cut, or a branch of it."""
    result = scene.consensus
    made, path = result.trace["dendrogram"], opened(result)
    where = f" inside a branch of {_objects(made, path[-1])}" if path else ""
    title = f"How they were joined (the last merges{where}, coloured below the cut)"
    seen = scene.with_given(branch=path[-1] if path else None)
    show(seen, "dendrogram", title=title, drag=False, on_select=lambda: _take(result))
    _switch(made, path)
    offer_tree(scene)


def opened(result) -> tuple[int, ...]:
    """Merges that were opened on the way to what is shown; none where it is the whole tree, or another one."""
    tree, path = st.session_state.get(_OPENED, (None, ()))
    return path if tree == token(result.trace["dendrogram"]) else ()


def _switch(made, path: tuple[int, ...]) -> None:
    """What a click does, and the ways back."""
    with st.container(horizontal=True, vertical_alignment="center"):
        options = ["picks its objects", "opens it"]
        st.segmented_control(
            "A click on a branch",
            options,
            default=options[0],
            key=_DOES,
            persist_state="session",
            label_visibility="collapsed",
        )
        if path:
            st.button("One level up", key="tree_up", icon=":material/arrow_upward:", on_click=_go_up)
            st.button("The whole tree", key="tree_whole", icon=":material/account_tree:", on_click=_forget)
        note(f"A click on a dot {_does()}.")


def _does() -> str:
    return st.session_state.get(_DOES) or "picks its objects"


def _take(result) -> None:
    """Open the branch that was clicked, or pick what hangs below it."""
    points = st.session_state["dendrogram"].selection.points
    if not points:
        return
    made, node = result.trace["dendrogram"], carried(points[0])[0]
    if _does() == "opens it":
        path = opened(result)
        if node >= made.n_leaves and node not in path:  # below a leaf there is nothing to open
            st.session_state[_OPENED] = token(made), (*path, node)
        return
    leaves = leaves_below(made, node)
    pick(np.flatnonzero(np.isin(result.microclusters.assignment, leaves)), "a branch of the tree")


def _go_up() -> None:
    tree, path = st.session_state[_OPENED]
    st.session_state[_OPENED] = tree, path[:-1]


def _forget() -> None:
    st.session_state.pop(_OPENED, None)


def _objects(made, node: int) -> str:
    return counted(int(totals_below(made.merges, made.sizes)[node]), "object")
