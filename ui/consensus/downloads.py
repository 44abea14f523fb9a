"""What a person takes away: the labels, and a script that makes them again."""

from collections.abc import Mapping
from functools import partial

import numpy as np
import streamlit as st

from engine import Consensus
from ui.compute import pipeline
from ui.consensus.snippet import snippet
from ui.session.run_config import RunConfig


def offer(config: RunConfig, result: Consensus, columns: Mapping[str, np.ndarray] | None = None) -> None:
    """Two buttons, and the script to read; `columns` stand beside the labels in their file."""
    script = snippet(config, result.n_clusters)
    name = f"{config.data.replace('/', '-')}_{config.method}_k{result.n_clusters}"
    with st.container(horizontal=True):
        st.download_button(
            "Labels (CSV)",
            partial(labels_csv, result.labels, columns or {}, getattr(pipeline.dataset(config), "rows", None)),
            f"{name}.csv",
            "text/csv",
            key="get_labels",
            icon=":material/download:",
            on_click="ignore",
        )
        st.download_button(
            "Script (Python)",
            script,
            f"{name}.py",
            "text/x-python",
            key="get_script",
            icon=":material/code:",
            on_click="ignore",
        )
    with st.expander("The script that makes exactly these labels"):
        st.code(script, language="python")


def labels_csv(
    labels: np.ndarray, columns: Mapping[str, np.ndarray] | None = None, rows: np.ndarray | None = None
) -> bytes:
    """Object (its place in the data, from 0), label (from 0), and a column for every value there is of objects.

    `rows` are the places of the objects where some were set aside.
    """
    objects = range(len(labels)) if rows is None else rows.tolist()
    extra = dict(columns or {})
    numbers = [[f"{value:.6g}" for value in values.tolist()] for values in extra.values()]
    cells = zip(map(str, objects), map(str, labels.tolist()), *numbers, strict=True)
    lines = "\n".join(",".join(row) for row in cells)
    return f"{','.join(['object', 'label', *extra])}\n{lines}\n".encode()
