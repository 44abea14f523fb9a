"""Shortest paths between all pairs of nodes whose distances are small whole numbers."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError
from ..runtime.memory import require_memory
from ..runtime.monitor import SILENT, Monitor


def shortest_paths(
    steps: NDArray[np.unsignedinteger], longest: int, monitor: Monitor = SILENT, overwrite: bool = False
) -> NDArray[np.unsignedinteger]:
    """Lengths of the shortest paths between all pairs of nodes, for distances that are small whole numbers.

    Parameters
    ----------
    steps : (n, n) unsigned int
        Symmetric, diagonal 0, other values in 1..longest.
    longest : int
        At least 1; the distance of nodes with no link.
    monitor : Monitor, optional
    overwrite : bool
        Work inside `steps`, saving a copy.

    Returns
    -------
    (n, n), as `steps`
        At most `steps`; obeys the triangle inequality.

    Raises
    ------
    InvalidParameterError, TooLargeError

    Notes
    -----
    Dial's buckets, one a distance, for every source; sources in threads. The links of every node are sorted by
    weight w and broken off where d + w >= longest: no answer exceeds `longest`, so that pairs at that distance need
    no link. O(n L) time, L the links read for a source, at worst all; memory n^2 bytes and 2 to 4 a link.

    References
    ----------
    li2021got.

    Examples
    --------
    >>> shortest_paths(np.array([[0, 1, 9], [1, 0, 2], [9, 2, 0]], np.uint8), 9).tolist()
    [[0, 1, 3], [1, 0, 2], [3, 2, 0]]
    """
    if steps.ndim != 2 or steps.shape[0] != steps.shape[1] or steps.dtype.kind != "u" or steps.max() > longest:
        raise InvalidParameterError(
            f"steps must be a square matrix of unsigned integers up to {longest}. Got {steps.dtype} {steps.shape}"
        )
    out = steps if overwrite else steps.copy()
    if longest > 2:  # the shortest detour has two steps, and must be shorter than the longest
        first, links = _sorted_links(steps, longest, monitor)
        map_blocks(
            lambda start, stop: _shortest_paths_kernel(start, stop, first, links, longest, out),
            len(steps),
            monitor,
            "following shortest paths",
        )
    return out


def _sorted_links(steps: NDArray, longest: int, monitor: Monitor) -> tuple[NDArray[np.int64], NDArray]:
    """Links of every node by weight: those of weight w are `links[first[i, w] : first[i, w + 1]]`.

    0 < w < longest - 1: a path of two links or more that is shorter than the longest has none heavier.
    """
    n = len(steps)
    counts = np.zeros((n, longest), np.int64)
    map_blocks(lambda start, stop: _count_kernel(start, stop, steps, counts), n, monitor, "sorting links")
    first = (np.cumsum(counts) - counts.ravel()).reshape(n, longest)
    dtype = np.dtype(np.uint16 if n <= 2**16 else np.int32)
    require_memory("the links between microclusters", dtype.itemsize * int(counts.sum()))
    links = np.empty(int(counts.sum()), dtype)
    map_blocks(lambda start, stop: _sort_kernel(start, stop, steps, first, links), n, monitor, "sorting links")
    return first, links


@njit(cache=True, nogil=True)
def _count_kernel(start, stop, steps, counts):
    """Links by weight for rows start..stop; weight longest - 1 and above are left out."""
    top = counts.shape[1] - 1
    for i in range(start, stop):
        for j in range(steps.shape[0]):
            if 0 < steps[i, j] < top:
                counts[i, steps[i, j]] += 1


@njit(cache=True, nogil=True)
def _sort_kernel(start, stop, steps, first, links):
    """Counting sort of the links of rows start..stop by weight."""
    top = first.shape[1] - 1
    for i in range(start, stop):
        position = first[i].copy()
        for j in range(steps.shape[0]):
            w = steps[i, j]
            if 0 < w < top:
                links[position[w]] = j
                position[w] += 1


@njit(cache=True, nogil=True)
def _shortest_paths_kernel(start, stop, first, links, longest, out):
    """Shorten rows start..stop of the direct steps, in place.

    Nodes at direct distance d stand sorted in the source's own links; only nodes that come nearer enter a bucket,
    each bucket at most once. Who is no longer at d when d is reached has been dealt with before.
    """
    bucket = np.empty((longest, out.shape[0]), links.dtype)
    filled = np.zeros(longest, np.int64)
    for source in range(start, stop):
        distance = out[source]
        filled[:] = 0
        for d in range(1, longest - 1):
            for t in range(first[source, d], first[source, d + 1]):
                if distance[links[t]] == d:
                    _relax(links[t], d, first, links, longest, distance, bucket, filled)
            for t in range(filled[d]):
                if distance[bucket[d, t]] == d:
                    _relax(bucket[d, t], d, first, links, longest, distance, bucket, filled)


@njit(cache=True, nogil=True)
def _relax(node, d, first, links, longest, distance, bucket, filled):
    """Follow the links of a node at distance d as long as they lead to less than the longest."""
    for w in range(1, longest - d):
        reached = d + w
        n_filled = filled[reached]
        for t in range(first[node, w], first[node, w + 1]):
            other = links[t]
            if distance[other] > reached:
                distance[other] = reached
                bucket[reached, n_filled] = other
                n_filled += 1
        filled[reached] = n_filled
