"""The classic pictures of consensus clustering: matrices, their distributions, tracking, item and cluster consensus."""

import numpy as np
import streamlit as st

from engine import Ensemble, Monitor, confidence
from engine.confidence import Profile
from ui.compute import pipeline
from ui.compute.work import start
from ui.figures import cdf_figure, cluster_consensus_figure, item_consensus_figure, matrix_strip, tracking_figure
from ui.figures.style import painted
from ui.howmany import asking
from ui.parts.chart import chart
from ui.parts.colours import alike
from ui.parts.progress import settle
from ui.session.state import config, theme

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


def firmness(made: Ensemble, partitions: dict[int, np.ndarray], monitor: Monitor) -> dict[int, Profile]:
    """How firmly objects sit in the consensus of every k."""
    found = {}
    for done, (k, labels) in enumerate(partitions.items()):
        monitor.tick("measuring how firmly objects sit", done, len(partitions))
        found[k] = confidence.cluster_profile(made, labels)
    return found


def over_k(made: Ensemble, found) -> None:
    """Where objects go over k, and how often objects and clusters stay together, as ConsensusClusterPlus draws."""
    partitions = {k: labels for k, labels in sorted(found.partitions.items()) if labels.max() > 0}
    if len(partitions) < 2:
        return
    profiles = settle(start(firmness, made, partitions), "Measuring how firmly objects sit", "firmness")
    if profiles is None:
        return
    colors = tracked(partitions)
    order = np.lexsort([partitions[k] for k in partitions])
    st.markdown("**Who goes where as k grows?** Tracking plot: one row a k, a colour stays with its objects")
    chart(tracking_figure(partitions, colors, order, theme()), "tracking")
    left, right = st.columns(2, gap="large")
    now = min(partitions, key=lambda k: abs(k - pipeline.wanted_k(config())))
    with left:
        st.markdown("**Which clusters hold together?** Cluster consensus, the mean of their items")
        summed = {k: confidence.cluster_means(one.own, one.labels) for k, one in profiles.items()}
        means, sizes = ({k: getattr(one, name) for k, one in summed.items()} for name in ("mean", "sizes"))
        chart(cluster_consensus_figure(means, sizes, colors, theme()), "cluster_consensus")
    with right:
        st.markdown(f"**Which objects hold to their cluster?** Item consensus for k = {now}")
        one = profiles[now]
        figure = item_consensus_figure(one.own, one.other, one.labels, one.neighbour, colors[now], theme())
        chart(figure, "item_consensus")
    st.caption(
        "Item consensus: the share of base clusterings in which an object meets the members of its cluster (on average "
        "over them); the dot is the same for the nearest other cluster. A dot above its bar would rather be elsewhere."
    )


def tracked(partitions: dict[int, np.ndarray]) -> dict[int, np.ndarray]:
    """Colours (k,) of the clusters of every k: each takes that of the cluster before which it overlaps most."""
    colors: dict[int, np.ndarray] = {}
    before = None
    for k, labels in partitions.items():
        colors[k] = np.arange(labels.max() + 1) if before is None else alike(labels, before)
        before = painted(labels, colors[k])
    return colors
