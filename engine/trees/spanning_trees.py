"""Single link without a matrix: the spanning tree of strongest links, whose rows are made when needed."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble.clusters import Clusters
from ..runtime.monitor import Monitor

#: Links between two looks at the monitor.
_LINKS = 200


def spanning_merges(
    clusters: Clusters, weights: NDArray, monitor: Monitor
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Merges (n - 1, 2), as in SciPy, and heights of single link on S = B diag(w) B' / M, B microclusters x clusters.

    Prim's algorithm: from the tree so far, the strongest link leads on; of equal ones that to the lowest microcluster
    in the order of labels. A row takes as many steps as the clusters of a microcluster have members: O(n^2) time at
    most times M, O(n M) memory. Reference: mullner2011.
    """
    n = len(clusters.weights)
    order = clusters.label_order()
    ids = clusters.ids.reshape(n, -1)[order]
    here = Clusters.of_table(ids, clusters.offsets, clusters.weights[order])
    best, parent, row = np.zeros(n), np.zeros(n, np.int64), np.zeros(n)
    met, links, strength = np.empty(n + 1, np.int32), np.zeros((n - 1, 2), np.int64), np.empty(n - 1)
    arrays = ids, *here.members, np.asarray(weights, dtype=np.float64), best, parent, row, met, links, strength
    newest = 0
    for done in range(0, n - 1, _LINKS):
        monitor.tick("following the strongest links", done, n - 1)
        newest = _prim_kernel(done, min(done + _LINKS, n - 1), newest, *arrays)
    monitor.tick("following the strongest links", n - 1, n - 1)
    falling = np.argsort(-strength, kind="stable")
    merges = np.empty((n - 1, 2), np.int32)
    _join_kernel(order[links[falling]], np.arange(2 * n - 1), merges)
    return merges, strength[falling] / (len(clusters.offsets) - 1)


@njit(cache=True, nogil=True)
def _prim_kernel(begin, end, newest, ids, first, members, weights, best, parent, row, met, links, strength):
    """Links begin..end: `best` is the strongest link of each one outside, -1 inside; returns the newest one inside."""
    for t in range(begin, end):
        best[newest] = -1.0
        n_met = 0
        for c in ids[newest]:  # ascending: both ends of a link add the same numbers in the same order
            if weights[c] == 0.0:
                continue
            for u in range(np.uint64(first[c]), np.uint64(first[c + 1])):  # unsigned: no index counts from the end
                g = np.uint64(members[u])
                met[np.uint64(n_met)] = members[u]  # stays if it is new
                n_met += row[g] == 0.0
                row[g] += weights[c]
        for t_met in range(n_met):
            other = met[t_met]
            if row[other] > best[other] and best[other] >= 0.0:
                best[other], parent[other] = row[other], newest
            row[other] = 0.0
        strongest = 0
        for other in range(1, len(best)):
            if best[other] > best[strongest]:
                strongest = other
        links[t, 0], links[t, 1], strength[t] = parent[strongest], strongest, best[strongest]
        newest = strongest
    return newest


@njit(cache=True, nogil=True)
def _join_kernel(links, root, merges):
    """Nodes joined by the links in their order; `root` (2 n - 1,) begins as 0, 1, 2, ..."""
    n = len(links) + 1
    for t in range(len(links)):
        for side in range(2):
            node = links[t, side]
            while root[node] != node:
                root[node] = root[root[node]]
                node = root[node]
            merges[t, side] = node
            root[node] = n + t
