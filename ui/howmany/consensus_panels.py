"""The classic pictures of consensus clustering: a matrix for every k, and the distributions of their values."""

import numpy as np
import streamlit as st

from ui.figures import cdf_figure, matrix_strip
from ui.howmany import asking
from ui.parts.chart import chart
from ui.parts.progress import settle
from ui.session.state import theme

_GRID = np.linspace(0, 1, 101)


def consensus_runs(found) -> None:
    """A strip of matrices, the CDFs in one plot, and what PAC leans to."""
    st.markdown("**How often k-means puts two objects together, on 80 % of the objects again and again**")
    drawn = settle(asking.matrices(found), "Drawing consensus matrices", "matrices_k")
    if drawn is None:
        return
    pac = found.runs.pac()
    titles = [f"k = {k}<br>PAC {100 * value:.0f} %" for k, value in zip(found.ks, pac, strict=True)]
    chart(matrix_strip(drawn, titles, theme()), "matrices_of_k")
    n = drawn.shape[1]
    left, right = st.columns([3, 2], gap="large")
    with left:
        chart(cdf_figure(_GRID, found.runs.cdf(_GRID), found.ks, theme()), "cdfs")
    with right:
        st.caption(
            f"{n:,} objects, each matrix in the order of its own tree: dark is never together, bright always. "
            "A clear number of clusters gives bright squares on dark, and a line that is flat between .1 and .9."
        )
        smallest = int(found.ks[pac.argmin()])
        st.caption(
            f"Fewest pairs are undecided at k = {smallest}. PAC alone tends to pick the largest k tried, for small "
            "clusters leave few pairs undecided: read it against the grey band, which is what RCSI does."
        )
