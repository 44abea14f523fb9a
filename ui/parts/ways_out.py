"""What one can do where memory does not reach: each way is a button, or a line to copy."""

import streamlit as st

from engine import TooLargeError, consensus_methods
from engine.distributed import METHODS
from ui.compute import pipeline
from ui.parts.page_files import page_file
from ui.session.state import change, config, marked

#: Methods that are offered at most.
_OFFERED = 3


def offer(error: TooLargeError, name: str) -> None:
    """Methods that fit, fewer base clusterings, the pictures that need no such matrix, and the command."""
    st.markdown("**Ways out**")
    with st.container(horizontal=True):
        for key in fitting(error)[:_OFFERED]:
            words = f"Use {consensus_methods()[key].title}"
            _button(words, f"way_{key}_{name}", ":material/swap_horiz:", {"method": key})
        if (m := fewer(pipeline.n_clusterings(config()))) is not None:
            _button(f"Use {m} base clusterings", f"way_m_{name}", ":material/remove:", {"m": m})
        st.page_link(page_file("matrices"), label="Matrices, at any size", icon=":material/grid_on:")
    with st.expander("Without the app: labels in files, on this machine or several"):
        st.code(command(), language="bash")
        st.caption("Download the labels on the page Ensemble; `CONCORD_SCHEDULER` names a Dask scheduler.")


def fitting(error: TooLargeError) -> list[str]:
    """Keys of the methods that need no such matrix, the cuts through the clusters first."""
    titles = {method.title: key for key, method in consensus_methods().items()}
    found = [titles[title] for title in error.alternatives if title in titles]
    return sorted(found, key=lambda key: key not in METHODS)


def fewer(m: int) -> int | None:
    """Half of the base clusterings: they tell fewer objects apart; None where that would leave one."""
    return m // 2 if m >= 4 else None


def command() -> str:
    """The line that finds a consensus of labels in files."""
    chosen = config()
    method = chosen.method if chosen.method in METHODS else METHODS[0]
    k = pipeline.wanted_k(chosen)
    return (
        f"python -m engine.distributed run --labels 'FOLDER/*.npy' --method {method} --n-clusters {k} --out LABELS.npy"
    )


def _button(words: str, key: str, icon: str, changes: dict) -> None:
    st.button(words, key=marked(key), icon=icon, on_click=change, kwargs=changes)
