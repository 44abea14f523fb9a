"""Figures of partitions: beside each other, one below the other, against the classes, and over their k."""
