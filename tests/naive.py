"""Slow, obvious references, straight from the papers. Nothing here imports the engine.

Everything works on objects: labels is an (N, M) list or array of integers.
"""

import itertools
import math

import numpy as np


def clusters(labels):
    """All clusters as sets of objects: by base clustering, then by first appearance."""
    found = []
    for m in range(len(labels[0])):
        seen = {}
        for i, row in enumerate(labels):
            seen.setdefault(row[m], set()).add(i)
        found.append(list(seen.values()))
    return found


def cluster_uncertainty(labels):
    """LWEA paper, eqs. 7-9: bits."""
    by_clustering = clusters(labels)
    result = []
    for group in itertools.chain(*by_clustering):
        total = 0.0
        for other in by_clustering:
            for cell in other:
                p = len(group & cell) / len(group)
                total -= p * math.log2(p) if p > 0 else 0.0
        result.append(total)
    return np.array(result)


def cluster_index(labels, theta):
    """LWEA paper, eq. 10."""
    return np.exp(-cluster_uncertainty(labels) / (theta * len(labels[0])))


def weighted_co_association(labels, weights):
    """LWEA paper, eq. 15; unit weights give eq. 12. N x N."""
    n, m_total = len(labels), len(labels[0])
    flat = list(itertools.chain(*clusters(labels)))
    matrix = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for weight, group in zip(weights, flat, strict=True):
                if i in group and j in group:
                    matrix[i, j] += weight / m_total
    return matrix


def agglomerate(similarity, k, linkage="average"):
    """Merge the two most similar groups until k are left; ties to the lowest indices."""
    groups = [[i] for i in range(len(similarity))]
    while len(groups) > k:
        best, pair = -np.inf, None
        for a, b in itertools.combinations(range(len(groups)), 2):
            values = [similarity[i, j] for i in groups[a] for j in groups[b]]
            value = {"average": np.mean, "complete": np.min, "single": np.max}[linkage](values)
            if value > best + 1e-12:
                best, pair = value, (a, b)
        a, b = pair
        groups[a] += groups.pop(b)
    labels = np.empty(len(similarity), int)
    for name, group in enumerate(groups):
        labels[group] = name
    return labels


def tcut_embedding(bipartite, k):
    """Tcut on objects, all in dense matrices: rows of the row-normalised embedding."""
    b = np.asarray(bipartite, float)
    d_x = b.sum(axis=1)
    w_y = b.T @ np.diag(1 / d_x) @ b
    d_y = w_y.sum(axis=1)
    normalised = np.diag(d_y**-0.5) @ w_y @ np.diag(d_y**-0.5)
    values, vectors = np.linalg.eigh(normalised)
    v = np.diag(d_y**-0.5) @ vectors[:, np.argsort(values)[::-1][:k]]
    x = np.diag(1 / d_x) @ b @ v
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def mutual_information(a, b):
    """I(a; b), H(a), H(b) in nats, from joint counts."""
    n = len(a)
    joint, count_a, count_b = {}, {}, {}
    for x, y in zip(a, b, strict=True):
        joint[x, y] = joint.get((x, y), 0) + 1
        count_a[x] = count_a.get(x, 0) + 1
        count_b[y] = count_b.get(y, 0) + 1
    information = sum(c / n * math.log(c * n / (count_a[x] * count_b[y])) for (x, y), c in joint.items())
    entropies = [-sum(c / n * math.log(c / n) for c in counts.values()) for counts in (count_a, count_b)]
    return information, *entropies


def pair_table(a, b):
    """Pairs together in both, in a only, in b only, in neither."""
    both = only_a = only_b = neither = 0
    for i, j in itertools.combinations(range(len(a)), 2):
        in_a, in_b = a[i] == a[j], b[i] == b[j]
        both += in_a and in_b
        only_a += in_a and not in_b
        only_b += in_b and not in_a
        neither += not in_a and not in_b
    return both, only_a, only_b, neither


def accuracy(labels, truth):
    """Best over all one-to-one matchings, by trying them all."""
    names, classes = sorted(set(labels)), sorted(set(truth))
    classes = classes + [None] * max(0, len(names) - len(classes))
    best = 0
    for matching in itertools.permutations(classes, len(names)):
        renamed = dict(zip(names, matching, strict=True))
        best = max(best, sum(renamed[x] == t for x, t in zip(labels, truth, strict=True)))
    return best / len(labels)
