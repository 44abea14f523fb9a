"""The classic pictures of consensus clustering: matrices, their distributions, tracking, item and cluster consensus."""

import numpy as np
import streamlit as st

from ui.figures.numbering import carried, number
from ui.scene import Scene
from ui.session.selection import pick
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


def tree(scene: Scene) -> None:
    """The consensus of every k below that of the k before; a click on a cluster picks its objects."""
    if scene.tree_over_k is None:
        return
    partitions, keys = scene.partitions, scene.tree_over_k.keys
    if show(scene, "partition_tree", drag=False, on_select=lambda: _take_node(partitions, list(keys))):
        st.caption(sentence_of(scene, "partition_tree") + " Click a cluster, and its objects are picked.")


def _take_node(partitions: dict[int, np.ndarray], keys: list[int]) -> None:
    """Pick the objects of the cluster that was clicked; a flow picks nobody."""
    points = [one for one in st.session_state["partition_tree"].selection.points if "customdata" in one]
    if points and len(where := carried(points[0])) == 2:
        k, cluster = keys[where[0]], where[1]
        pick(np.flatnonzero(partitions[k] == cluster), f"cluster {number(cluster)} of {k}")


def over_k(scene: Scene) -> None:
    """Where objects go over k, and how often objects and clusters stay together, as ConsensusClusterPlus draws."""
    if len(scene.partitions) < 2 or scene.firmness_by_k is None:
        return
    show(scene, "tracking")
    for name, column in zip(("cluster_consensus", "item_consensus"), st.columns(2, gap="large"), strict=True):
        with column:
            show(scene, name)
    st.caption(sentence_of(scene, "item_consensus"))
