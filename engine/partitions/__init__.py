"""What lies between partitions: how far apart they are, a map of them, and who goes where from one to the next."""

from .distances import DISTANCES, partition_distances
from .maps import PartitionMap, partition_map, stress_scree
from .trees_over_k import Flow, PartitionTree, TreeNode, partition_tree

__all__ = [
    "DISTANCES",
    "Flow",
    "PartitionMap",
    "PartitionTree",
    "TreeNode",
    "partition_distances",
    "partition_map",
    "partition_tree",
    "stress_scree",
]
