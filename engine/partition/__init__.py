"""What turns evidence into a partition: trees, cuts, and graph partitioners, all into exactly k parts."""

from engine.partition.agglomeration import Dendrogram, linkage
from engine.partition.bipartite import BipartiteGraph, spectral_layout, tcut
from engine.partition.cutting import cut, cut_all, tied_at_cut
from engine.partition.empty_parts import fill_empty_parts
from engine.partition.reading_trees import Meeting, leaf_order, leaves_below, meeting
from engine.partition.restarts import weighted_kmeans

__all__ = [
    "BipartiteGraph",
    "Dendrogram",
    "Meeting",
    "cut",
    "cut_all",
    "fill_empty_parts",
    "leaf_order",
    "leaves_below",
    "linkage",
    "meeting",
    "spectral_layout",
    "tcut",
    "tied_at_cut",
    "weighted_kmeans",
]
