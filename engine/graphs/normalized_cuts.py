"""Normalised cut of a dense graph, its eigenvectors turned into parts by rotation (Shi and Malik, Yu and Shi)."""

import numpy as np
from numpy.typing import NDArray

from ..ensemble.renumbering import first_appearance
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor
from .eigenvectors import top_eigenvectors
from .library_calls import singular_vectors

#: Weaker links are dropped, every self-loop gets so much more weight, and every degree twice as much, as published.
_WEAKEST, _REGULARISATION = 1e-6, 0.5
#: Rotations found from so many rows; rounds of each; by how much an objective must be better to count.
_N_STARTS, _ROUNDS, _BETTER = 20, 21, 1e-9


def normalized_cut(similarity: NDArray, n_parts: int, monitor: Monitor = SILENT) -> NDArray[np.int32]:
    """Parts of a graph that cut few links relative to the links they have.

    The top k eigenvectors of D^-1/2 (Z + I/2) D^-1/2 with D = Z 1 + 1, times D^-1/2, columns to one length and rows to
    unit length, are rotated towards indicators: argmax and the best rotation in turns.

    Parameters
    ----------
    similarity : (n, n) float64
        Z, symmetric, not negative.
    n_parts : int
        k, at most n.
    monitor : Monitor, optional

    Returns
    -------
    (n,) int32
        Numbered by first appearance: at most k parts, for a rotation may give nothing to one of them.

    Raises
    ------
    InvalidParameterError
        If k exceeds n.

    Notes
    -----
    O(n^3) time. The authors draw the row a rotation starts from; here min(n, 20) rows, evenly spread, are tried, and
    the highest objective wins, the first of equals: nothing is drawn.

    References
    ----------
    shi2000ncut; yu2003multiclass.

    Examples
    --------
    >>> normalized_cut(np.array([[1, 0.8, 0.1, 0], [0.8, 1, 0, 0.1], [0.1, 0, 1, 0.9], [0, 0.1, 0.9, 1]]), 2).tolist()
    [0, 0, 1, 1]
    """
    n = len(similarity)
    if n_parts > n:
        raise InvalidParameterError(
            f"n_clusters must be at most {n}, the clusters of all base clusterings together. Got {n_parts}"
        )
    rows = cut_directions(similarity, n_parts, monitor)
    n_starts = min(n, _N_STARTS)
    best, highest = np.zeros(n, np.int64), -np.inf
    for start in range(n_starts):
        monitor.tick("turning eigenvectors into parts", start, n_starts)
        labels, objective = rotated_parts(rows, start * n // n_starts)
        if objective > highest + _BETTER:
            best, highest = labels, objective
    monitor.tick("turning eigenvectors into parts", n_starts, n_starts)
    return first_appearance(best)


def cut_directions(similarity: NDArray, n_parts: int, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Rows of unit length, (n, k): what `normalized_cut` rotates."""
    monitor.tick("finding the cut of the graph", 0, 1)
    graph = np.where(similarity < _WEAKEST, 0, similarity)
    root = 1 / np.sqrt(graph.sum(axis=1) + 2 * _REGULARISATION)
    graph.flat[:: len(graph) + 1] += _REGULARISATION
    graph *= root[:, None]
    graph *= root
    vectors = root[:, None] * top_eigenvectors(graph, n_parts)
    vectors /= np.linalg.norm(vectors, axis=0)
    monitor.tick("finding the cut of the graph", 1, 1)
    length = np.linalg.norm(vectors, axis=1)[:, None]  # 0 in components beyond the first k, where there are more
    return np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)


def rotated_parts(rows: NDArray, start: int) -> tuple[NDArray[np.int64], float]:
    """Parts (n,) after rotating from one row, and the objective reached: the higher, the nearer to indicators."""
    k = rows.shape[1]
    rotation, objective = _first_rotation(rows, start), -np.inf
    for _ in range(_ROUNDS):
        labels = (rows @ rotation).argmax(axis=1)
        sums = np.zeros((k, k))
        np.add.at(sums, labels, rows)
        left, values, right = singular_vectors(sums)
        if abs(values.sum() - objective) < np.finfo(float).eps:
            break
        objective = float(values.sum())
        rotation = right.T @ left.T
    return labels, objective


def _first_rotation(rows: NDArray, start: int) -> NDArray[np.float64]:
    """The row to start from, then each time the row most orthogonal to those taken: (k, k), one a column."""
    k = rows.shape[1]
    taken, overlap = np.empty((k, k)), np.zeros(len(rows))
    taken[0] = rows[start]
    for t in range(1, k):
        overlap += np.abs(rows @ taken[t - 1])
        taken[t] = rows[overlap.argmin()]
    return taken.T
