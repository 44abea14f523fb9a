"""What turns evidence into exactly k parts, for scripts: the public names of trees, cuts and graph partitioners."""

from .graphs.bipartite_graphs import BipartiteGraph, DenseGraph, LinkedGraph
from .graphs.eigenvectors import normalized_cut
from .graphs.metis_cuts import metis_bipartite, metis_partition
from .graphs.spectral_cuts import (
    require_columns,
    sharpened_graph,
    spectral_layout,
    spectral_partition,
    tcut,
    transfer_spectrum,
)
from .growth.growing import Growth, grow_trees, otsu_threshold
from .medians.label_kmeans import (
    LabelRows,
    LabelRuns,
    affordable_swaps,
    clustering_weights,
    kmeans_on_labels,
    utility_weights,
)
from .medians.restarts import fill_empty_parts, weighted_kmeans
from .methods.got import grow_as_published
from .methods.gp_mgla import farthest_first_kmeans
from .methods.hgpa import hypergraph_partition
from .methods.learnt_graphs import component_clusters
from .methods.tome import path_similarity, spectral_normalized_cut
from .trees.agglomeration import linkage
from .trees.branches import (
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
from .trees.dendrograms import Dendrogram, cut, cut_all, linkage_matrix, newick, tied_at_cut
from .walks.seeded_walks import SeededAnswer, seeded_partition
