"""The classic pictures of consensus clustering: matrices, their distributions, tracking, item and cluster consensus."""

import numpy as np
import streamlit as st

from ui.scene import Scene
from ui.session.state import change
from ui.widgets.chart import sentence_of, show
from ui.widgets.dots import pick_node
from ui.widgets.terms import note

#: Pixels; the tree, the answer and the buttons stand together on the first screen of a laptop.
TREE_HEIGHT = 430


def consensus_runs(scene: Scene) -> None:
    """A strip of matrices, the CDFs in one plot, and what PAC leans to."""
    if not show(scene, "consensus_matrices", "matrices_of_k"):
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        show(scene, "consensus_cdf", "cdfs", title="")
    with right:
        for name in ("consensus_matrices", "consensus_cdf"):
            note(sentence_of(scene, name))


def tree(scene: Scene) -> None:
    """The consensus of every k below that of the k before; clicks pick the objects of a cluster, or take a k."""
    if scene.tree_over_k is None:
        return
    rows = {str(k): labels for k, labels in scene.partitions.items()}
    key = f"tree_at_{scene.wanted_k}"  # a new k is a new chart, or its ring would be reported as selected no more
    with st.container(key="tree_over_k"):
        shown = show(scene, "partition_tree", key, height=TREE_HEIGHT, drag=False, on_select=lambda: _take(key, rows))
    if shown:
        clicks = "Click a cluster, and its objects are picked; click a ring, and the app takes its k."
        note(f"{sentence_of(scene, 'partition_tree')} {clicks}")


def _take(key: str, rows: dict[str, np.ndarray]) -> None:
    """Pick the objects of the cluster that was clicked, or take the k of the row whose ring was."""
    if (row := pick_node(key, rows)) is not None:
        change(k=int(list(rows)[row]))


def over_k(scene: Scene) -> None:
    """Where objects go over k, and how often objects and clusters stay together, as ConsensusClusterPlus draws."""
    if len(scene.partitions) < 2 or scene.firmness_by_k is None:
        return
    show(scene, "tracking")
    for name, column in zip(("cluster_consensus", "item_consensus"), st.columns(2, gap="large"), strict=True):
        with column:
            show(scene, name)
    note(sentence_of(scene, "item_consensus"))
