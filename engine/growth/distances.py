"""Distances between objects along shortest paths through the co-association matrix (Li, Qian and Wang 2021).

The distances on links are small whole numbers, so all shortest paths are found with buckets.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..ensemble.ensembles import require_complete
from ..pairs.counts import row_filler
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError
from ..runtime.memory import require_memory, require_square
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


_WHAT = "a refined distance matrix"
#: Objects up to which `refined_log_distance` works: it takes N^3 steps, some 5 s at this size on two cores.
OBJECT_LIMIT = 2_000
_NEVER_TOGETHER = 1e-4


def refined_distance(ensemble: Ensemble, monitor: Monitor = SILENT) -> NDArray[np.float32]:
    """Length of the shortest path between two objects, p_ij = min over paths of the sum of d = 1 - a.

    Parameters
    ----------
    ensemble : Ensemble
    monitor : Monitor, optional

    Returns
    -------
    (n, n) float32
        On microclusters; symmetric, diagonal 0, values in {0, 1/M, ..., 1}, at most 1 - a_ij; obeys the triangle
        inequality.

    Raises
    ------
    MissingEvidenceError
        A label is missing: the formula knows none.
    TooLargeError

    Notes
    -----
    **Equal to 1 - a.** M (1 - a_ij) counts the base clusterings that part i and j, and whoever parts i and j parts at
    least one of them from any third object: 1 - a obeys the triangle inequality, so that no detour is shorter. The
    paper's refinement acts only on distances that do not, such as the published code's -ln a (see
    `refined_log_distance`).

    See `distance_steps`, which gives the same in whole multiples of 1/M and a quarter of the memory.

    References
    ----------
    li2021got.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0, 0, 0], [0, 0, 0, 1], [0, 1, 1, 1], [1, 1, 1, 1]])
    >>> refined_distance(ensemble)[0].tolist()
    [0.0, 0.5, 0.25, 0.75]
    """
    n = len(ensemble.microclusters)
    require_square(_WHAT, n, itemsize=np.dtype(np.float32).itemsize)
    return np.divide(distance_steps(ensemble, True, monitor), ensemble.n_clusterings, dtype=np.float32)


def distance_steps(ensemble: Ensemble, refine: bool = True, monitor: Monitor = SILENT) -> NDArray[np.unsignedinteger]:
    """Distance between two objects in whole steps of 1/M, M (1 - a), or its refinement.

    Parameters
    ----------
    ensemble : Ensemble
    refine : bool
        The length of shortest paths instead of the direct distance: the same (see `refined_distance`), so that none
        is followed.
    monitor : Monitor, optional

    Returns
    -------
    (n, n) uint8, uint16 if M > 255
        On microclusters; symmetric, diagonal 0, other values in 1..M.

    Raises
    ------
    MissingEvidenceError
        A label is missing.
    TooLargeError

    References
    ----------
    li2021got.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0, 0, 0], [0, 0, 0, 1], [0, 1, 1, 1], [1, 1, 1, 1]])
    >>> distance_steps(ensemble, refine=False)[0].tolist(), distance_steps(ensemble)[3].tolist()
    ([0, 2, 1, 3], [3, 1, 4, 0])
    """
    del refine
    return _direct_steps(ensemble, monitor)


def refined_log_distance(ensemble: Ensemble, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Refined distance of the published code, on objects: shortest paths over edges of length -ln a.

    Pairs that never meet have a = 1e-4; pairs that always meet have no edge (the code stores length 0, which a
    sparse graph drops), and reach each other through others.

    Parameters
    ----------
    ensemble : Ensemble
        At most `OBJECT_LIMIT` objects.
    monitor : Monitor, optional

    Returns
    -------
    (N, N) float64
        On objects; diagonal 0; infinite where all objects always meet.

    Raises
    ------
    InvalidParameterError
        More than `OBJECT_LIMIT` objects: this variant cannot work on microclusters.
    MissingEvidenceError
    TooLargeError

    Notes
    -----
    Dijkstra's algorithm on the full matrix: O(N^3) time.

    References
    ----------
    li2021got, published code.
    """
    n = ensemble.n_objects
    if n > OBJECT_LIMIT:
        raise InvalidParameterError(
            f"the published-code variant of GoT compares objects, not microclusters, and takes at most "
            f"{OBJECT_LIMIT:,} of them; the paper variant has no such limit. Got {n:,}"
        )
    require_square("refined distances between objects", n, n_arrays=3, itemsize=8)
    shared = 1 - _direct_steps(ensemble, monitor) / ensemble.n_clusterings
    lengths = -np.log(np.where(shared > 0, shared, _NEVER_TOGETHER))
    lengths[shared == 1] = np.inf
    everyone = np.arange(n)
    lengths = ensemble.microclusters.expand_matrix(lengths, everyone, everyone)
    out = np.empty((n, n))
    map_blocks(
        lambda start, stop: _dijkstra_kernel(start, stop, lengths, out),
        n,
        monitor,
        "following shortest paths",
    )
    return out


def _direct_steps(ensemble: Ensemble, monitor: Monitor) -> NDArray[np.unsignedinteger]:
    """Base clusterings that part two microclusters: (n, n), in the smallest unsigned type that holds M."""
    require_complete(ensemble, "a distance in steps of 1/M")
    n, longest = len(ensemble.microclusters), ensemble.n_clusterings
    dtype = np.min_scalar_type(longest)
    require_square(_WHAT, n, itemsize=dtype.itemsize)
    fill = row_filler(ensemble, np.ones(ensemble.n_clusters_total))
    out = np.empty((n, n), dtype)

    def rows(start: int, stop: int) -> None:
        block = np.empty((stop - start, n), np.float32)
        fill(start, stop, block)
        out[start:stop] = longest - np.rint(block * longest)

    map_blocks(rows, n, monitor, "counting how often objects meet")
    return out


@njit(cache=True, nogil=True)
def _dijkstra_kernel(start, stop, lengths, out):
    """Shortest paths from sources start..stop through a full matrix; an edge that is infinite is none."""
    n = lengths.shape[0]
    waiting = np.empty(n)
    for source in range(start, stop):
        distance = out[source]
        distance[:] = np.inf
        distance[source] = 0
        waiting[:] = distance
        for _ in range(n):
            node = np.argmin(waiting)
            here = waiting[node]
            if here == np.inf:
                break
            waiting[node] = np.inf
            for j in range(n):
                through = here + lengths[node, j]
                if through < distance[j]:
                    distance[j] = through
                    waiting[j] = through
