"""A consensus of labels that fit no machine: rows in files or chunks, sums over clusters between workers."""

from .running import METHODS, DistributedConsensus, distributed_consensus

__all__ = ["METHODS", "DistributedConsensus", "distributed_consensus"]
