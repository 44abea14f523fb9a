"""What lies between partitions: how far apart they are, a map of them, and who goes where from one to the next."""

from .distances import DISTANCES, distances_to, partition_distances
from .inconsistency import CONSISTENT, Inconsistency, ResolutionCurve, inconsistency, resolution_curve, rewired
from .maps import PartitionMap, map_with, partition_map, stress_scree
from .trees_over_k import Flow, PartitionTree, TreeNode, partition_tree

__all__ = [
    "CONSISTENT",
    "DISTANCES",
    "Flow",
    "Inconsistency",
    "PartitionMap",
    "PartitionTree",
    "ResolutionCurve",
    "TreeNode",
    "distances_to",
    "inconsistency",
    "map_with",
    "partition_distances",
    "partition_map",
    "partition_tree",
    "resolution_curve",
    "rewired",
    "stress_scree",
]
