"""Graphs of nearest neighbours: who is near whom, weighted by how many neighbours two objects share.

Levine and others, "Data-driven phenotypic dissection of AML", Cell 162(1), 2015 (PhenoGraph); Jarvis and Patrick 1973.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble.graphs import Graph
from ..runtime.blocks import map_blocks, single_threaded_libraries
from ..runtime.memory import require_memory
from ..runtime.monitor import SILENT, Monitor

_BLOCK = 1_000


def nearest_neighbours(points: NDArray[np.floating], k: int, monitor: Monitor = SILENT) -> NDArray[np.int32]:
    """The k nearest other objects of every one, the nearest first: (N, k), fewer columns where N - 1 < k.

    Exact, by scikit-learn; of objects equally far any.
    """
    from sklearn.neighbors import NearestNeighbors

    n, k = len(points), min(k, len(points) - 1)
    require_memory("nearest neighbours", 4 * n * k * 2)
    monitor.tick("finding nearest neighbours", 0, n)
    near = np.empty((n, k), np.int32)
    with single_threaded_libraries():
        index = NearestNeighbors(n_neighbors=k + 1).fit(points)

        def search(start: int, stop: int) -> None:
            found = index.kneighbors(points[start:stop], return_distance=False)
            own = found == np.arange(start, stop)[:, None]
            own[~own.any(axis=1), -1] = True  # among many copies it may not find itself
            near[start:stop] = found[~own].reshape(stop - start, k)

        map_blocks(search, n, monitor, "finding nearest neighbours", _BLOCK)
    return near


def shared_neighbours(near: NDArray[np.int32], monitor: Monitor = SILENT) -> Graph:
    """The graph that links every object to its neighbours, weighted by the neighbours that both have.

    The weight is the Jaccard index of the two sets of neighbours, each with its own object.

    >>> shared_neighbours(np.array([[1], [0], [1]], np.int32)).weights.round(2).tolist()
    [1.0, 0.33]
    """
    n, k = near.shape
    own = np.sort(np.column_stack([np.arange(n, dtype=np.int32), near]), axis=1)
    weights = np.empty((n, k))
    map_blocks(lambda start, stop: _jaccard_kernel(start, stop, near, own, weights), n, monitor, "sharing neighbours")
    return Graph.of_edges(np.repeat(np.arange(n), k), near.ravel(), weights.ravel(), n)


@njit(cache=True, nogil=True)
def _jaccard_kernel(start, stop, near, own, weights):
    size = own.shape[1]
    for i in range(start, stop):
        for place in range(near.shape[1]):
            j = near[i, place]
            a, b, both = 0, 0, 0
            while a < size and b < size:
                if own[i, a] == own[j, b]:
                    a, b, both = a + 1, b + 1, both + 1
                elif own[i, a] < own[j, b]:
                    a += 1
                else:
                    b += 1
            weights[i, place] = both / (2 * size - both)
