"""Trees to draw."""

import numpy as np


def hierarchy(rng, n):
    """Random merges with falling similarities, SciPy's ids."""
    alive, merges = list(range(n)), []
    for t in range(n - 1):
        pair = [alive.pop(rng.integers(len(alive))) for _ in range(2)]
        merges.append(pair)
        alive.append(n + t)
    return np.array(merges), np.sort(rng.random(n - 1))[::-1]


def leaves_under(merges, node):
    n = len(merges) + 1
    return {node} if node < n else set.union(*(leaves_under(merges, int(c)) for c in merges[node - n]))
