"""Solvers that serve evidence and partition alike: k-means, eigenvectors, shortest paths."""
