"""What turns evidence into a partition: trees, cuts, and graph partitioners, all into exactly k parts."""

from ..numerics.sharpening import sharpened_graph
from .agglomeration import linkage
from .best_paths import path_similarity, spectral_normalized_cut
from .bipartite import require_columns, spectral_layout, tcut, transfer_spectrum
from .bipartite_graphs import BipartiteGraph, DenseGraph, LinkedGraph
from .branches import Branch, branch, first_leaves, leaves_below, roots_above, totals_below
from .cutting import cut, cut_all, tied_at_cut
from .dendrograms import Dendrogram
from .empty_parts import fill_empty_parts
from .farthest_first import farthest_first_kmeans
from .growing_trees import Growth, grow_trees
from .hypergraph_cuts import hypergraph_partition
from .label_kmeans import LabelRuns, affordable_swaps, kmeans_on_labels
from .label_rows import LabelRows
from .learnt_components import component_clusters
from .metis_cuts import metis_bipartite, metis_partition
from .normalized_cuts import normalized_cut
from .published_growth import grow_as_published
from .reading_trees import Meeting, leaf_order, meeting, node_spans
from .restarts import weighted_kmeans
from .sharpened_graphs import spectral_partition
from .thresholds import otsu_threshold
from .trees_elsewhere import linkage_matrix, newick
from .utility_weights import clustering_weights, utility_weights

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
