"""What turns evidence into a partition: trees, cuts, and graph partitioners, all into exactly k parts."""

from engine.partition.agglomeration import Dendrogram, linkage
from engine.partition.bipartite import spectral_layout, tcut
from engine.partition.bipartite_graphs import BipartiteGraph, DenseGraph
from engine.partition.cutting import cut, cut_all, tied_at_cut
from engine.partition.empty_parts import fill_empty_parts
from engine.partition.growing_trees import Growth, grow_trees
from engine.partition.hypergraph_cuts import hypergraph_partition
from engine.partition.metis_cuts import metis_bipartite, metis_partition
from engine.partition.published_growth import grow_as_published
from engine.partition.reading_trees import Meeting, leaf_order, leaves_below, meeting
from engine.partition.restarts import weighted_kmeans
from engine.partition.thresholds import otsu_threshold

__all__ = [
    "BipartiteGraph",
    "DenseGraph",
    "Dendrogram",
    "Growth",
    "Meeting",
    "cut",
    "cut_all",
    "fill_empty_parts",
    "grow_as_published",
    "grow_trees",
    "hypergraph_partition",
    "leaf_order",
    "leaves_below",
    "linkage",
    "meeting",
    "metis_bipartite",
    "metis_partition",
    "otsu_threshold",
    "spectral_layout",
    "tcut",
    "tied_at_cut",
    "weighted_kmeans",
]
