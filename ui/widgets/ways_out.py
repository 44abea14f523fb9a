"""What one can do where memory does not reach: each way is a button, or a line to copy."""

import math

import streamlit as st

from data import Pool
from engine import TooLargeError, consensus_methods
from engine.distributed import METHODS
from ui.session.state import change
from ui.widgets.around import beside
from ui.widgets.method_menu import LEAST
from ui.widgets.page_files import page_file
from ui.widgets.terms import note, say

#: Methods that are offered at most.
_OFFERED = 3
#: Bytes a pair of microclusters that a method with matrices takes at least: what is refused first may be a small one.
_SQUARES = 8
#: What is to be had may change a little until a button is pressed.
_SPARE = 0.95
#: The widgets of the job whose answer can come from a sample.
CONSENSUS = "consensus"
#: Objects of a sample at most: what more of them say takes much longer.
MOST = 20_000


def offer(error: TooLargeError, name: str) -> None:
    """Methods that fit, fewer base clusterings, the pictures that need no such matrix, and the command."""
    say("**Ways out**")
    with st.container(horizontal=True):
        for key in fitting(error)[:_OFFERED]:
            words = f"Use {consensus_methods()[key].title}"
            _button(words, f"way_{key}_{name}", ":material/swap_horiz:", {"method": key})
        if (m := fewer(error)) is not None:
            _button(f"Use {m} base clusterings", f"way_m_{name}", ":material/remove:", {"m": m})
        if name == CONSENSUS and (n := sample(error)) is not None:
            _button(f"Use a sample of {n:,} objects", f"way_sample_{name}", ":material/casino:", {"sample": n})
        st.page_link(page_file("matrices"), label="Matrices, at any size", icon=":material/grid_on:")
    with st.expander("Without the app: labels in files, on this machine or several"):
        st.code(command(), language="bash")
        note("Download the labels on the page Ensemble; `CONCORD_SCHEDULER` names a Dask scheduler.")


def fitting(error: TooLargeError) -> list[str]:
    """Keys of the methods that need no such matrix, the cuts through the clusters first."""
    titles = {method.title: key for key, method in consensus_methods().items()}
    found = [titles[title] for title in error.alternatives if title in titles]
    return sorted(found, key=lambda key: key not in METHODS)


def fewer(error: TooLargeError) -> int | None:
    """The most base clusterings, by halving, that tell so few objects apart that it fits; None where none are known to.

    What is refused grows at most with the square of microclusters or of clusters. Generators whose first runs depend
    on how many there are would have to be run to know.
    """
    scene = beside()
    chosen, whole = scene.config, scene.known("ensemble")
    nested = isinstance(scene.source, Pool) or scene.making.made_by.nested
    if whole is None or not nested:
        return None
    m = scene.n_clusterings // 2
    lean = consensus_methods()[chosen.method].title in error.alternatives
    needed = error.needed if lean else max(error.needed, _SQUARES * len(whole.microclusters) ** 2)
    while m >= 2:
        part = scene.varied("fewer", m=m).ensemble
        if part is None:
            return None
        left = max(len(part.microclusters) / len(whole.microclusters), part.n_clusters_total / whole.n_clusters_total)
        if needed * left**2 <= _SPARE * (error.limit - error.in_use):
            return m
        m //= 2
    return None


def sample(error: TooLargeError) -> int | None:
    """Objects for which a square matrix fits with room to spare, in round numbers; None where they are too few."""
    scene = beside()
    n = scene.source.n_objects
    fits = 0.8 * n * math.sqrt(max(0, error.limit - error.in_use) / error.needed)
    found = round_down(min(fits, MOST, n / 2))
    return found if found >= max(LEAST, 2 * scene.wanted_k) else None


def round_down(value: float) -> int:
    """The largest number of one digit and zeros below a value.

    >>> round_down(27_345.6), round_down(0.4)
    (20000, 0)
    """
    if value < 1:
        return 0
    unit = 10 ** math.floor(math.log10(value))
    return int(value // unit * unit)


def command() -> str:
    """The line that finds a consensus of labels in files."""
    scene = beside()
    chosen = scene.config
    method = chosen.method if chosen.method in METHODS else METHODS[0]
    k = scene.wanted_k
    return (
        f"python -m engine.distributed run --labels 'FOLDER/*.npy' --method {method} --n-clusters {k} --out LABELS.npy"
    )


def _button(words: str, key: str, icon: str, changes: dict) -> None:
    st.button(words, key=key, icon=icon, on_click=change, kwargs=changes)
