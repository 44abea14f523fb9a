"""Partitions in the middle: k-means on points and on labels."""
