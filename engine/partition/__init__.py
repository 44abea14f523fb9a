"""What turns evidence into a partition: trees, cuts, and graph partitioners, all into exactly k parts."""

from ..graphs.bipartite_graphs import BipartiteGraph, DenseGraph, LinkedGraph
from ..graphs.hypergraph_cuts import hypergraph_partition
from ..graphs.metis_cuts import metis_bipartite, metis_partition
from ..graphs.normalized_cuts import normalized_cut
from ..graphs.sharpened_graphs import sharpened_graph, spectral_partition
from ..graphs.transfer_cuts import require_columns, spectral_layout, tcut, transfer_spectrum
from ..growth.growing import Growth, grow_trees, otsu_threshold
from ..medians.label_kmeans import LabelRuns, affordable_swaps, kmeans_on_labels
from ..medians.label_rows import LabelRows, clustering_weights, utility_weights
from ..medians.restarts import fill_empty_parts, weighted_kmeans
from ..trees.agglomeration import linkage
from ..trees.branches import (
    Branch,
    Meeting,
    branch,
    first_leaves,
    leaf_order,
    leaves_below,
    meeting,
    node_spans,
    roots_above,
    totals_below,
)
from ..trees.dendrograms import Dendrogram, cut, cut_all, tied_at_cut
from ..trees.formats import linkage_matrix, newick
from .best_paths import path_similarity, spectral_normalized_cut
from .farthest_first import farthest_first_kmeans
from .learnt_components import component_clusters
from .published_growth import grow_as_published

__all__ = [
    "affordable_swaps",
    "BipartiteGraph",
    "Branch",
    "DenseGraph",
    "Dendrogram",
    "Growth",
    "LinkedGraph",
    "LabelRows",
    "LabelRuns",
    "Meeting",
    "branch",
    "clustering_weights",
    "component_clusters",
    "cut",
    "cut_all",
    "farthest_first_kmeans",
    "fill_empty_parts",
    "first_leaves",
    "grow_as_published",
    "grow_trees",
    "hypergraph_partition",
    "kmeans_on_labels",
    "leaf_order",
    "leaves_below",
    "linkage",
    "linkage_matrix",
    "meeting",
    "metis_bipartite",
    "metis_partition",
    "node_spans",
    "newick",
    "normalized_cut",
    "otsu_threshold",
    "path_similarity",
    "require_columns",
    "roots_above",
    "sharpened_graph",
    "spectral_layout",
    "spectral_normalized_cut",
    "spectral_partition",
    "tcut",
    "tied_at_cut",
    "totals_below",
    "transfer_spectrum",
    "utility_weights",
    "weighted_kmeans",
]
