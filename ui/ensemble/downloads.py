"""The base clusterings as files."""

import io
from functools import partial

import streamlit as st

from data.records import Content
from engine import Ensemble, save_ensemble
from engine.tables import as_csv
from ui.export.downloads import download
from ui.export.script import file_name
from ui.scene import Scene


def offer(scene: Scene) -> None:
    """The base clusterings that are switched on: with memberships and provenance, or as a table."""
    name, made = f"{file_name(scene.config)}_ensemble", scene.ensemble
    kept = [m for m in range(scene.n_clusterings) if m not in scene.config.switched_off]
    with st.container(horizontal=True):
        download("Ensemble (NPZ)", partial(ensemble_npz, made), f"{name}.npz", "get_ensemble")
        download("Ensemble (CSV)", partial(ensemble_csv, made, scene.source, kept), f"{name}.csv", "get_ensemble_csv")


def ensemble_npz(made: Ensemble) -> bytes:
    """As `engine.load_ensemble` and `concord consensus` read it."""
    held = io.BytesIO()
    save_ensemble(made, held)
    return held.getvalue()


def ensemble_csv(made: Ensemble, source: Content, kept: list[int]) -> bytes:
    """One row an object, one column a base clustering of those `kept`; a label that is missing is empty."""
    rows, identifiers = getattr(source, "rows", None), getattr(source, "identifiers", None)
    columns: dict[str, list] = {"object": list(range(made.n_objects)) if rows is None else rows.tolist()}
    if identifiers is not None:
        columns["identifier"] = list(map(str, identifiers))
    for m, labels in zip(kept, made.labels.T.tolist(), strict=True):
        columns[f"clustering_{m}"] = ["" if label < 0 else label for label in labels]
    return as_csv(columns)
