"""Slow, obvious references of confidence and of the number of clusters. Nothing here imports the engine.

Labels are an (N, M) array; -1 is a missing label.
"""

import itertools
import math

import numpy as np


def similarity_to(labels, partition, i, cluster):
    """S(i, C) by pairs: how often i was with the members of C, over how often it was seen with them."""
    together = seen = 0
    for j in range(len(labels)):
        if j == i or partition[j] != cluster:
            continue
        for a, b in zip(labels[i], labels[j], strict=True):
            if a >= 0 and b >= 0:
                seen += 1
                together += a == b
    return together / seen if seen else 0.0


def support_and_margin(labels, partition):
    """Own similarity, and less the nearest other."""
    names = sorted(set(partition))
    support, margin = [], []
    for i in range(len(labels)):
        own = similarity_to(labels, partition, i, partition[i])
        others = [similarity_to(labels, partition, i, name) for name in names if name != partition[i]]
        support.append(own)
        margin.append(own - max(others))
    return np.array(support), np.array(margin)


def silhouettes(distances, partition):
    """Rousseeuw 1987: 0 for an object that is alone."""
    partition, found = np.asarray(partition), []
    for i in range(len(partition)):
        own = (partition == partition[i]) & (np.arange(len(partition)) != i)
        if not own.any():
            found.append(0.0)
            continue
        near = distances[i][own].mean()
        far = min(distances[i][partition == name].mean() for name in set(partition) - {partition[i]})
        found.append((far - near) / max(far, near) if max(far, near) > 0 else 0.0)
    return np.array(found)


def element_centric_consistency(partitions):
    """Gates et al. 2019: mean over pairs of 1 - (1/2) sum_j |p_ij - q_ij|, p the uniform row of i's cluster."""

    def rows(labels):
        same = labels[:, None] == labels
        return same / same.sum(axis=1, keepdims=True)

    tables = [rows(column) for column in np.asarray(partitions).T]
    pairs = list(itertools.combinations(tables, 2))
    return sum(1 - np.abs(p - q).sum(axis=1) / 2 for p, q in pairs) / len(pairs)


def consensus_matrix(labels):
    """Monti et al. 2003, eq. 4: clusterings that put two objects together, over those that saw both."""
    n = len(labels)
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            both = [(a, b) for a, b in zip(labels[i], labels[j], strict=True) if a >= 0 and b >= 0]
            out[i, j] = sum(a == b for a, b in both) / len(both) if both else 0.0
    return out


def pac(matrix, low=0.1, high=0.9):
    """Senbabaoglu et al. 2014: share of the pairs with a value strictly between."""
    values = [matrix[i][j] for i in range(len(matrix)) for j in range(i)]
    return sum(low + 1e-9 < value < high - 1e-9 for value in values) / len(values)


def cdf_area(matrix):
    """Monti et al. 2003: area below the empirical distribution of the pairs' values on [0, 1]."""
    values = [matrix[i][j] for i in range(len(matrix)) for j in range(i)]
    return sum(1 - value for value in values) / len(values)


def nmi_sqrt(a, b):
    """Mutual information over the geometric mean of the entropies; 1 for two clusterings of one cluster."""

    def entropy(values):
        counts = [values.count(v) / len(values) for v in set(values)]
        return -sum(p * math.log(p) for p in counts)

    h_a, h_b = entropy(list(a)), entropy(list(b))
    joint = entropy(list(zip(a, b, strict=True)))
    if h_a == 0 or h_b == 0:
        return float(h_a == h_b)
    return (h_a + h_b - joint) / math.sqrt(h_a * h_b)
