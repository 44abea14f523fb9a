"""Ensembles whose base clusterings cross: grids, Latin squares and cubes, as factors of a survey or a trial make them.

Their symmetry makes eigenvalues, distances and votes equal in masses.
"""

import numpy as np


def designs(names=None):
    """(name, labels): every design with one, two and three objects in a cell, or those named, in their order."""
    found = [
        *((f"grid {a} x {b}", [a, b]) for a in range(2, 16) for b in range(a, 16)),
        *((f"Latin square {a}", [a]) for a in range(2, 12)),
        *((f"cube {m}", [2] * m) for m in range(2, 8)),
    ]
    every = {}
    for name, factors in found:
        cells = _latin(*factors) if len(factors) == 1 else np.indices(factors).reshape(len(factors), -1).T
        for n in (1, 2, 3):
            every[f"{n} x {name}" if n > 1 else name] = np.repeat(cells, n, axis=0)
    return [(name, every[name]) for name in names or every]


def _latin(a):
    """Row, column and symbol of the cyclic square."""
    row, column = np.indices((a, a)).reshape(2, -1)
    return np.c_[row, column, (row + column) % a]
