"""Average link without a matrix between objects: groups are profiles, and reciprocal nearest ones merge in rounds."""

from functools import partial

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble.clusters import Clusters
from ..runtime.blocks import map_blocks
from ..runtime.memory import memory_limit
from ..runtime.monitor import Monitor, Quiet
from .nearest_profiles import SEARCHES, search_nearest
from .neighbor_chains import CODES, run_chain
from .profiles import InvertedLists, Profiles, sorted_microclusters

#: With so few groups a dense matrix of theirs and its chain finish sooner (bench/bench_scale.py).
FEW_GROUPS = 1000
_STAGE = "growing the tree"


def merge_profiles(
    clusters: Clusters, weights: NDArray, monitor: Monitor, few: int | None = None, block: int = SEARCHES
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Merges (n - 1, 2), as in SciPy, and heights of average link on S = B diag(w) B' / M, B microclusters x clusters.

    The mean similarity of groups A and B is sum_c w_c p_A(c) p_B(c) / M with p_A(c) the share of A in base cluster c.
    Average link is reducible: pairs that are each other's nearest can merge at once, in any order, and the tree is the
    same. Only groups whose nearest one has merged search anew. Ties go to the lower group, and a merged pair keeps the
    lower place. O(n M) memory; at `few` groups a dense matrix takes over where it fits.
    """
    n, few = len(clusters.weights), FEW_GROUPS if few is None else few
    monitor.tick("sorting the microclusters by their labels", 0, 1)
    groups, order = sorted_microclusters(clusters)
    weights = np.ascontiguousarray(weights, dtype=np.float64)
    merges, heights = np.empty((n - 1, 2), np.int32), np.empty(n - 1)
    node = order.astype(np.int32)
    nearest, values = np.full(n, -1, np.int32), np.zeros(n)
    asked, done = np.arange(n), 0
    while len(groups) > 1:
        monitor.tick(_STAGE, done, n - 1)
        lists = InvertedLists.of(groups, len(weights))
        quiet = Quiet(partial(monitor.tick, _STAGE, done, n - 1))
        if len(groups) <= few and 8 * len(groups) ** 2 <= memory_limit():
            _finish(groups, lists, weights, node, merges[done:], heights[done:], quiet)
            break
        search_nearest(groups, lists, weights, asked, nearest, values, quiet, block)
        low = _reciprocal(nearest, values)
        high, after = nearest[low], done + len(low)
        merges[done:after] = np.stack([node[low], node[high]], axis=1)
        heights[done:after] = values[low]
        node[low] = n + np.arange(done, after, dtype=np.int32)
        place, survives = _places(low, high, len(groups))
        asked = _left_alone(nearest, place, low, high, survives)
        groups, node, values, done = groups.merged(place, int(survives.sum())), node[survives], values[survives], after
        nearest = nearest[survives]
    monitor.tick(_STAGE, n - 1, n - 1)
    return merges, heights / (len(clusters.offsets) - 1)


def _reciprocal(nearest: NDArray[np.int32], values: NDArray[np.float64]) -> NDArray[np.int64]:
    """The lower group of every pair that are each other's nearest; of the best pair where rounding leaves none."""
    places = np.arange(len(nearest))
    low = np.flatnonzero((nearest[nearest] == places) & (places < nearest))
    if len(low):
        return low
    best = int(values.argmax())
    pair = sorted((best, int(nearest[best])))
    nearest[pair[0]], values[pair[0]] = pair[1], values[best]
    return np.array(pair[:1])


def _places(low: NDArray, high: NDArray, n_groups: int) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Where every group goes, and which groups keep a place."""
    survives = np.ones(n_groups, bool)
    survives[high] = False
    place = (np.cumsum(survives) - 1).astype(np.int32)
    place[high] = place[low]
    return place, survives


def _left_alone(
    nearest: NDArray[np.int32], place: NDArray, low: NDArray, high: NDArray, survives: NDArray
) -> NDArray[np.int64]:
    """The new groups whose nearest one has merged; `nearest` is renumbered, and is -1 for the groups that merged."""
    changed = np.zeros(len(nearest), bool)
    changed[low] = changed[high] = True
    alone = changed[nearest] | changed
    nearest[:] = np.where(changed, -1, place[nearest])
    return np.flatnonzero(alone[survives])


def _finish(
    groups: Profiles, lists: InvertedLists, weights: NDArray, node: NDArray, merges: NDArray, heights: NDArray,
    monitor: Monitor,
) -> None:  # fmt: skip
    """The last merges, in a dense matrix of the groups that are left."""
    n, born = len(groups), int(node.max()) + 1
    between, held = np.empty((n, n)), np.empty_like(lists.members)
    _held_kernel(groups.start, groups.ids, groups.counts, lists.first[:-1].copy(), held)
    rows = (groups.start, groups.ids, groups.counts, groups.sizes, lists.first, lists.members, held)
    map_blocks(lambda a, b: _between_kernel(a, b, *rows, weights, between), n, monitor)
    found, heights[:] = run_chain(between, groups.sizes.astype(np.float64), CODES["average"], monitor)
    merges[:] = np.append(node, born + np.arange(n - 1, dtype=np.int32))[found]


@njit(cache=True, nogil=True)
def _held_kernel(start, ids, counts, position, held):
    """The counts in the order of the inverted lists."""
    for t in range(start[-1]):
        held[position[ids[t]]] = counts[t]
        position[ids[t]] += 1


@njit(cache=True, nogil=True)
def _between_kernel(begin, end, start, ids, counts, sizes, first, members, held, weights, out):
    """S(A, B) of rows begin..end, terms by ascending c: the same bits on both sides of the diagonal."""
    for a in range(begin, end):
        out[a] = 0.0
        for t in range(start[a], start[a + 1]):
            c, count = ids[t], np.float64(counts[t])
            for u in range(first[c], first[c + 1]):
                out[a, members[u]] += weights[c] * (count * held[u])
        for b in range(len(sizes)):
            out[a, b] /= np.float64(sizes[a]) * np.float64(sizes[b])
