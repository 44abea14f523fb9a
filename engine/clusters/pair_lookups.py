"""Similarity of objects from the similarity of their clusters, S_ij = z_i F z_j with z_i the clusters of object i.

Read up, never multiplied out: a row of S is a sum of M rows of F, looked up at the clusters of the other objects.
"""

from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import DTypeLike, NDArray

from ..ensemble import Ensemble
from ..ensemble.ensembles import require_complete
from ..params import one_of
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError
from ..runtime.memory import require_square
from ..runtime.monitor import SILENT, Monitor

#: Which pairs of clusters count: those of one base clustering, or all.
Pairs = Literal["same base", "all"]
#: Columns of a tile (few enough that its part of the look-up table stays in the cache), and its rows.
_WIDTH, _HEIGHT = 128, 64


def mean_over_clusters(
    ensemble: Ensemble,
    between: NDArray,
    pairs: Pairs,
    monitor: Monitor = SILENT,
    dtype: DTypeLike = np.float32,
) -> NDArray:
    """Mean similarity of the clusters of two objects.

    "same base": S_ij = (1/M) sum_m F(c_i^m, c_j^m). "all": S_ij = (1/M^2) sum_{m, m'} F(c_i^m, c_j^m').

    Parameters
    ----------
    ensemble : Ensemble
    between : (K, K) float64
        F, symmetric; clusters as in `Ensemble.clusters`. With "same base" only blocks of one base clustering are read,
        their diagonal (1 where sharing a cluster is all there is to ask) included.
    pairs : "same base" | "all"
    monitor : Monitor, optional
    dtype : float32 | float64

    Returns
    -------
    (n, n) array
        On microclusters, exactly symmetric. The diagonal is the value between two objects of one microcluster.

    Raises
    ------
    InvalidParameterError, TooLargeError
    MissingEvidenceError
        If labels are missing: an object has a cluster of every base clustering here.

    Notes
    -----
    O(n^2 M) time, and O(n M K) more for "all"; sums in float64. Half the tiles are computed, the others mirrored;
    beside the result a thread holds 128 K numbers.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1]])
    >>> between = np.eye(4) + np.array([[0, 0.5, 0, 0], [0.5, 0, 0, 0], [0, 0, 0, 0.25], [0, 0, 0.25, 0]])
    >>> matrix = mean_over_clusters(ensemble, between, "same base")
    >>> ensemble.microclusters.expand_matrix(matrix, [0], [0, 1, 2]).tolist()
    [[1.0, 0.625, 0.375]]
    >>> matrix = mean_over_clusters(ensemble, np.eye(4), "all")
    >>> ensemble.microclusters.expand_matrix(matrix, [0], [0, 1, 2]).tolist()
    [[0.5, 0.25, 0.0]]
    """
    require_complete(ensemble, "similarity of clusters")
    between = _checked(ensemble, between, pairs)
    n, m = len(ensemble.microclusters), ensemble.n_clusterings
    require_square("a similarity matrix", n, itemsize=np.dtype(dtype).itemsize)
    out = np.empty((n, n), dtype)
    ids = ensemble.clusters.ids.reshape(n, m)
    base = np.repeat(np.arange(m), ensemble.n_clusters_each) if pairs == "same base" else np.empty(0, np.int64)
    scale = 1 / m if pairs == "same base" else 1 / m**2
    map_blocks(
        lambda start, stop: _tiles_kernel(start * _WIDTH, min(stop * _WIDTH, n), ids, base, between, scale, out),
        -(-n // _WIDTH),
        monitor,
        "looking up the clusters of objects",
        block=1,
    )
    return out


def mean_of_pair(ensemble: Ensemble, between: NDArray, pairs: Pairs, i: int, j: int) -> float:
    """The same between two objects, i and j, without the matrix.

    Parameters
    ----------
    ensemble : Ensemble
        Of N objects, K clusters in all.
    between : (K, K) float
        Similarity of clusters, as for `mean_over_clusters`.
    pairs : str
        Which pairs of clusters count, as for `mean_over_clusters`.
    i, j : int
        Objects, 0..N - 1.

    Returns
    -------
    float
        What the matrix of objects holds in row i, column j.

    Raises
    ------
    MissingEvidenceError
        If labels are missing.
    """
    require_complete(ensemble, "similarity of clusters")
    here, there = ensemble.cluster_index[i], ensemble.cluster_index[j]
    return float(np.mean(between[here, there] if pairs == "same base" else between[np.ix_(here, there)]))


def _checked(ensemble: Ensemble, between: NDArray, pairs: str) -> NDArray[np.float64]:
    one_of("pairs", pairs, ("same base", "all"))
    shape = (ensemble.n_clusters_total,) * 2
    if np.shape(between) != shape:
        raise InvalidParameterError(f"between must have shape {shape}. Got {np.shape(between)}")
    return np.ascontiguousarray(between, dtype=np.float64)


@njit(cache=True, nogil=True)
def _tiles_kernel(begin, end, ids, base, between, scale, out):
    """Columns begin..end on and below the diagonal, and their mirror image."""
    n = len(ids)
    table = np.zeros((len(between), _WIDTH))
    tile = np.empty((_HEIGHT, _WIDTH))
    for left in range(begin, end, _WIDTH):
        width = min(_WIDTH, end - left)
        if len(base):
            _same_base_table(ids[left : left + width], base, between, table)
        else:
            _whole_table(ids[left : left + width], between, table)
        for top in range(left, n, _HEIGHT):
            height = min(_HEIGHT, n - top)
            for i in range(height):
                _sum_of_rows(ids[top + i], table, tile[i])
                line = out[top + i]
                for j in range(width):
                    line[left + j] = scale * tile[i, j]
            for j in range(width):
                line = out[left + j]
                for i in range(max(0, left + j - top), height):  # below the diagonal only, where a tile is on it
                    line[top + i] = scale * tile[i, j]


@njit(cache=True, nogil=True)
def _same_base_table(columns, base, between, table):
    """For every cluster: its similarity to the cluster of each column in its own base clustering."""
    for c in range(len(between)):
        m = base[c]
        for j in range(len(columns)):
            table[c, j] = between[c, columns[j, m]]


@njit(cache=True, nogil=True)
def _whole_table(columns, between, table):
    """For every cluster: the sum of its similarities to all clusters of each column."""
    sums = np.empty(len(between))
    for j in range(len(columns)):
        _sum_of_rows(columns[j], between, sums)
        for c in range(len(sums)):
            table[c, j] = sums[c]


@njit(cache=True, nogil=True)
def _sum_of_rows(ids, table, out):
    """Sum of some rows of the table; four at a time."""
    out[:] = 0.0
    s, n = 0, len(ids)
    while s + 4 <= n:
        a, b, c, d = table[ids[s]], table[ids[s + 1]], table[ids[s + 2]], table[ids[s + 3]]
        for j in range(len(out)):
            out[j] += a[j] + b[j] + c[j] + d[j]
        s += 4
    while s < n:
        a = table[ids[s]]
        for j in range(len(out)):
            out[j] += a[j]
        s += 1
