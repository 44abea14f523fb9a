"""What a person takes away: the labels, and a script that makes them again."""

from functools import partial

import numpy as np
import streamlit as st

from engine import Consensus
from ui.run_config import RunConfig
from ui.snippet import snippet


def offer(config: RunConfig, result: Consensus) -> None:
    """Two buttons, and the script to read."""
    script = snippet(config, result.n_clusters)
    name = f"{config.data.replace('/', '-')}_{config.method}_k{result.n_clusters}"
    with st.container(horizontal=True):
        st.download_button("Labels (CSV)", partial(labels_csv, result.labels), f"{name}.csv", "text/csv",
                           key="get_labels", icon=":material/download:", on_click="ignore")  # fmt: skip
        st.download_button("Script (Python)", script, f"{name}.py", "text/x-python", key="get_script",
                           icon=":material/code:", on_click="ignore")  # fmt: skip
    with st.expander("The script that makes exactly these labels"):
        st.code(script, language="python")


def labels_csv(labels: np.ndarray) -> bytes:
    """Two columns: object (from 0, in the order of the data) and label (from 0)."""
    rows = "\n".join(f"{i},{label}" for i, label in enumerate(labels.tolist()))
    return f"object,label\n{rows}\n".encode()
