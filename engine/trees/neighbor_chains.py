"""Nearest-neighbour chains: the merges of a dense similarity matrix, worked out inside it."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..runtime.monitor import Monitor
from .dendrograms import Dendrogram

#: Which kernel code a linkage has.
CODES = {"average": 0, "complete": 1, "single": 2}
#: Columns searched at a time: where the maximum stands is then looked up in one chunk alone.
_CHUNK = 128


def run_chain(work: NDArray, sizes: NDArray, code: int, monitor: Monitor) -> tuple[NDArray, NDArray]:
    """Merge until one cluster is left, a slice of the merges at a time so that the caller can stop."""
    n = len(work)
    np.fill_diagonal(work, -np.inf)  # nothing is its own neighbour
    integer = np.int32 if work.dtype == np.float32 else np.int64
    keys, limit = work.view(integer), np.full(n, np.iinfo(integer).max, integer)
    node, seen = np.append(np.arange(n, dtype=np.int32), np.int32(-1)), np.full(n, -1, np.int32)
    links = np.tile(np.arange(n + 1), (2, 1))
    chain, state = np.zeros(n + 1, np.int64), np.zeros(1, np.int64)
    merges, heights = np.empty((n - 1, 2), np.int32), np.empty(n - 1)
    arrays = (limit, node, seen, links, chain, state, merges, heights)
    step = max(1, (n - 1) // 50)
    for done in range(0, n - 1, step):
        monitor.tick("growing the tree", done, n - 1)
        _chain_kernel(work, keys, sizes, code, done, min(done + step, n - 1), *arrays)
    monitor.tick("growing the tree", n - 1, n - 1)
    return merges, heights


def sorted_tree(merges: NDArray, heights: NDArray, sizes: NDArray) -> Dendrogram:
    """Order merges by similarity, children before parents, and renumber the inner nodes."""
    n = len(sizes)
    _monotone_kernel(merges, heights, n)
    order = np.argsort(-heights, kind="stable")
    new_id = np.arange(2 * n - 1, dtype=np.int32)
    new_id[n + order] = np.arange(n, 2 * n - 1)
    tree = Dendrogram(np.sort(new_id[merges[order]], axis=1), heights[order], sizes)
    for array in (tree.merges, tree.similarities, tree.sizes):
        array.setflags(write=False)
    return tree


@njit(cache=True, nogil=True)
def _chain_kernel(work, keys, sizes, code, first, last, limit, node, seen, links, chain, state, merges, heights):
    """Do merges first..last; `state` holds the chain's length.

    A slot is the lowest leaf of its cluster; with complete link (code 1) the highest.

    A merge writes its row alone, not its column: an entry is right in the row of whichever of the two clusters
    was born later, and `_complete_row` fetches it from there when the other's row is wanted. `seen` holds the
    latest node a slot's row knows; `links` lists the merged slots by age, slot n being both ends of the list.
    """
    length = state[0]
    for t in range(first, last):
        while limit[chain[0]] < 0:  # a chain starts at the lowest slot alive; slots below never come back
            chain[0] += 1
        length = max(length, 1)
        while True:
            a = chain[length - 1]
            previous = chain[length - 2] if length > 1 else -1
            _complete_row(work, a, node, seen, links)
            b = _nearest(work[a], keys[a], limit, a, previous)
            if b == previous:
                break
            chain[length] = b
            length += 1
        length -= 2
        _complete_row(work, b, node, seen, links)
        heights[t] = work[a, b]
        a, b = (max(a, b), min(a, b)) if code == 1 else (min(a, b), max(a, b))
        merges[t, 0], merges[t, 1] = node[a], node[b]
        _merge(work[a], work[b], sizes[a] / (sizes[a] + sizes[b]), code)
        _replace(a, b, len(work) + t, work, sizes, limit, node, seen, links)
    state[0] = length


@njit(cache=True, nogil=True)
def _complete_row(work, c, node, seen, links):
    """Fetch the similarities of c to all clusters born since its row was last complete, latest first."""
    latest = s = links[0, len(work)]
    while node[s] > seen[c]:
        work[c, s] = work[s, c]
        s = links[0, s]
    seen[c] = node[latest]


@njit(cache=True, nogil=True)
def _nearest(row, keys, limit, a, previous):
    """The slot most similar to a, whose row it is: `previous` if it ties, else the lowest.

    `keys` are the row's bits read as integers: positive floats keep their order, all others come before them.
    The maximum of integers, unlike that of floats, is compiled to vector instructions.
    """
    best, at = min(keys[0], limit[0]), 0
    for start in range(0, len(keys), _CHUNK):
        part, allowed = keys[start : start + _CHUNK], limit[start : start + _CHUNK]
        high = best
        for c in range(len(part)):
            high = max(high, min(part[c], allowed[c]))
        if high != best:
            best, at = high, start
    if best <= 0:
        return _nearest_by_value(row, limit, a, previous)
    if previous >= 0 and keys[previous] == best:
        return previous
    while min(keys[at], limit[at]) != best:
        at += 1
    return at


@njit(cache=True, nogil=True)
def _nearest_by_value(row, limit, a, previous):
    """`_nearest` for similarities of any sign, -inf included."""
    best, nearest = row[previous], previous
    for c in range(len(row)):
        if (row[c] > best or nearest < 0) and limit[c] > 0 and c != a:
            best, nearest = row[c], c
    return nearest


@njit(cache=True, nogil=True)
def _merge(row_a, row_b, share, code):
    """Let the first row stand for both; entries of dead slots come along, for straight loops are faster."""
    for c in range(len(row_a)):
        if code == 0:
            row_a[c] = share * row_a[c] + (1 - share) * row_b[c]
        elif code == 1:
            row_a[c] = min(row_a[c], row_b[c])
        else:
            row_a[c] = max(row_a[c], row_b[c])


@njit(cache=True, nogil=True)
def _replace(a, b, born, work, sizes, limit, node, seen, links):
    """Slot b dies; slot a is the new node `born`, whose row is complete, and the latest of the list."""
    for s in (a, b):
        links[1, links[0, s]] = links[1, s]
        links[0, links[1, s]] = links[0, s]
    end = len(work)
    links[0, a], links[1, a] = links[0, end], end
    links[1, links[0, end]] = a
    links[0, end] = a
    work[a, a] = -np.inf
    sizes[a] += sizes[b]
    limit[b] = -1
    node[a] = seen[a] = born


@njit(cache=True, nogil=True)
def _monotone_kernel(merges, heights, n):
    """Lower every merge to at most the heights of the merges it joins."""
    for t in range(len(heights)):
        for side in range(2):
            child = merges[t, side] - n
            if child >= 0 and heights[child] < heights[t]:
                heights[t] = heights[child]
