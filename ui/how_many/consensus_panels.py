"""The classic pictures of consensus clustering: matrices, their distributions, tracking, item and cluster consensus."""

import streamlit as st

from ui.scene import Scene
from ui.widgets.chart import sentence_of, show


def consensus_runs(scene: Scene) -> None:
    """A strip of matrices, the CDFs in one plot, and what PAC leans to."""
    if not show(scene, "consensus_matrices", "matrices_of_k"):
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        show(scene, "consensus_cdf", "cdfs", title="")
    with right:
        for name in ("consensus_matrices", "consensus_cdf"):
            st.caption(sentence_of(scene, name))


def over_k(scene: Scene) -> None:
    """Where objects go over k, and how often objects and clusters stay together, as ConsensusClusterPlus draws."""
    if len(scene.partitions) < 2 or scene.firmness_by_k is None:
        return
    show(scene, "tracking")
    for name, column in zip(("cluster_consensus", "item_consensus"), st.columns(2, gap="large"), strict=True):
        with column:
            show(scene, name)
    st.caption(sentence_of(scene, "item_consensus"))
