"""Choosing base clusterings, comparing partitions and ordering rows the slow, obvious way."""

import math
from collections import Counter
from itertools import combinations

import numpy as np
from scipy.spatial import ConvexHull

from engine import run_consensus


def entropy(values):
    total = len(values)
    return -sum(n / total * math.log(n / total) for n in Counter(values).values())


def both_seen(a, b):
    return [(x, y) for x, y in zip(a, b, strict=True) if x >= 0 and y >= 0]


def nmi_max(a, b):
    """I / max(H, H) on the objects both label, 0 where they share none."""
    pairs = both_seen(a, b)
    if not pairs:
        return 0.0
    h_a, h_b = entropy([x for x, _ in pairs]), entropy([y for _, y in pairs])
    if h_a == 0 or h_b == 0:
        return float(h_a == h_b)
    return (h_a + h_b - entropy(pairs)) / max(h_a, h_b)


def agreement(labels):
    columns = np.asarray(labels).T.tolist()
    return np.array([[nmi_max(a, b) for b in columns] for a in columns])


def snmi(labels):
    return agreement(labels).sum(axis=1) - 1


def joint(labels, number, alpha=0.5):
    """Greedy, every objective written out in full."""
    table, worth = agreement(labels), snmi(labels)

    def objective(kept):
        pairs = sum(1 - table[i, j] for i, j in combinations(kept, 2))
        return alpha * sum(worth[i] for i in kept) + (1 - alpha) * pairs

    kept = [int(np.argmax(worth))]
    while len(kept) < number:
        left = [i for i in range(len(table)) if i not in kept]
        kept.append(max(left, key=lambda i: objective([*kept, i])))
    return sorted(kept)


def hull(labels):
    """Members of the pairs at the corners of the upper hull, by scipy."""
    table, worth = agreement(labels), snmi(labels)
    pairs = list(combinations(range(len(table)), 2))
    points = np.array([(1 - table[i, j], (worth[i] + worth[j]) / 2) for i, j in pairs])
    low = points.min() - 1  # two points far below: what is left is the upper hull
    ends = [[points[:, 0].min(), low], [points[:, 0].max(), low]]
    corners = [v for v in ConvexHull(np.vstack([points, ends])).vertices if v < len(points)]
    return sorted({member for corner in corners for member in pairs[corner]})


def least_alike(ensemble, number, k):
    answer = run_consensus("eac", ensemble, k).labels
    likeness = [nmi_max(column, answer) for column in ensemble.labels.T.tolist()]
    return sorted(sorted(range(len(likeness)), key=lambda i: likeness[i])[:number])


def variation_of_information(a, b):
    """H(a|b) + H(b|a) in bits on the objects both label; H(a) + H(b) where they share none."""
    pairs = both_seen(a, b)
    if not pairs:
        return (entropy([x for x in a if x >= 0]) + entropy([y for y in b if y >= 0])) / math.log(2)
    h_a, h_b = entropy([x for x, _ in pairs]), entropy([y for _, y in pairs])
    return (2 * entropy(pairs) - h_a - h_b) / math.log(2)


def element_centric(a, b):
    """1 - mean over objects of 1 - sum |p - q| / 2, on the objects both label."""
    pairs = both_seen(a, b)
    if not pairs:
        return 1.0
    apart = []
    for x, y in pairs:
        p = [(u == x) / sum(v == x for v, _ in pairs) for u, _ in pairs]
        q = [(w == y) / sum(v == y for _, v in pairs) for _, w in pairs]
        apart.append(sum(abs(s - t) for s, t in zip(p, q, strict=True)) / 2)
    return sum(apart) / len(apart)


def crossings(flows, order):
    """Sum over pairs of crossing flows of the product of their objects, row after row."""
    total = 0
    for row, between in enumerate(flows):
        place = [{c: i for i, c in enumerate(one)} for one in (order[row], order[row + 1])]
        for (a, b, n), (c, d, m) in combinations(between, 2):
            if (place[0][a] - place[0][c]) * (place[1][b] - place[1][d]) < 0:
                total += n * m
    return total
