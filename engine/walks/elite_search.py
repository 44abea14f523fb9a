"""The most similar microclusters of every microcluster, without its whole row of the co-association matrix."""

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from ..ensemble.clusters import Clusters
from ..runtime.blocks import map_blocks, n_threads
from ..runtime.memory import require_memory
from ..runtime.monitor import Monitor

#: Bytes a link takes while the graph is put together: row, column and count, sorted and not, and both directions.
_LINK_BYTES = 48
_SEARCHES = 500
#: Members of a list that cost as much as comparing two microclusters label by label.
_MEMBERS_A_COMPARISON = 8


def elite_links(clusters: Clusters, n_kept: int, monitor: Monitor) -> sparse.csr_array:
    """Of every row (n,) of M times the co-association matrix, the counts that are among its `n_kept` largest.

    All that tie with the K-th largest stay, and all that are not 0 where a row has fewer; the diagonal is empty. The
    members of a microcluster's M clusters are counted, the smallest cluster first. Whoever was in none of the first v
    shares at most M - v: once K were met more often, nobody new can be among the K largest. What is left is compared
    label by label.
    """
    n = len(clusters.weights)
    require_memory("the graph of elite neighbours", _LINK_BYTES * n * n_kept)
    order = clusters.label_order()
    table = clusters.ids.reshape(n, -1)[order]
    here = Clusters.of_table(table, clusters.offsets, clusters.weights[order])
    found: dict[int, tuple[NDArray, NDArray, NDArray]] = {}
    spare = [(np.zeros(n, np.int32), np.empty(n + 1, np.int32)) for _ in range(n_threads())]

    def search(start: int, stop: int) -> None:
        scratch = spare.pop()
        found[start] = _links_of_rows(start, stop, table, here.members, n_kept, scratch)
        spare.append(scratch)

    map_blocks(search, n, monitor, "searching for elite neighbours", block=_SEARCHES)
    lengths, columns, shared = (np.concatenate(parts) for parts in zip(*(found[s] for s in sorted(found)), strict=True))
    rows = np.repeat(order, lengths)
    return sparse.coo_array((shared, (rows, order[columns])), shape=(n, n)).tocsr().astype(np.int64)


def _links_of_rows(
    start: int, stop: int, table: NDArray, members: tuple[NDArray, NDArray], n_kept: int, scratch: tuple
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """How many links each of these rows has, their columns and counts."""
    lengths, parts, done = np.zeros(stop - start, np.int64), [], 0
    room = (stop - start) * 2 * n_kept
    while done < stop - start:
        columns, shared = np.empty(room, np.int32), np.empty(room, np.int32)
        rows, used = _elite_kernel(start, done, lengths, table, members, n_kept, scratch, columns, shared)
        parts.append((columns[:used].copy(), shared[:used].copy()))
        done, room = rows, 2 * room
    columns, shared = (np.concatenate(pieces) for pieces in zip(*parts, strict=True))
    return lengths, columns, shared


@njit(cache=True, nogil=True)
def _elite_kernel(start, done, lengths, table, lists, n_kept, scratch, columns, shared):
    """Links of rows start + done.. until all are there or `columns` is full: the rows done, and what is used.

    `scratch` is `met_in` (n,), zeros and left so, and `met` (n + 1,).
    """
    (first, members), (met_in, met), used = lists, scratch, 0
    for row in range(done, len(lengths)):
        a = start + row
        n_met, floor, visited, order = _count(a, table, first, members, n_kept, met_in, met)
        n_met = _narrow(a, table, first, members, met_in, met, n_met, floor, visited, order)
        tally = np.zeros(table.shape[1] + 1, np.int64)
        for t in range(n_met):
            met_in[met[t]] = 0
            met_in[met[t]] = _shared(table[a], table[met[t]])
            tally[met_in[met[t]]] += 1
        threshold = max(_largest(tally, n_kept), 1)
        n_links = tally[threshold:].sum()
        if used + n_links > len(columns):
            met_in[met[:n_met]] = 0
            return row, used
        for t in range(n_met):
            if met_in[met[t]] >= threshold:
                columns[used], shared[used] = met[t], met_in[met[t]]
                used += 1
            met_in[met[t]] = 0
        lengths[row] = n_links
    return len(lengths), used


@njit(cache=True, nogil=True)
def _count(a, table, first, members, n_kept, met_in, met):
    """Count in how many of its clusters a microcluster meets the others, until nobody new can be among the largest.

    Returns how many were met, a count that K of them reach, how many clusters were visited, and in what order.
    """
    m = table.shape[1]
    order = np.argsort(first[table[a] + 1] - first[table[a]])
    n_met, floor = 0, 0
    met_in[a] = -m - 1  # never its own neighbour
    for visit in range(m):
        if floor > m - visit:
            return n_met, floor, visit, order
        c = table[a, order[visit]]
        for t in range(np.uint64(first[c]), np.uint64(first[c + 1])):  # unsigned: no index counts from the end
            g = np.uint64(members[t])
            met[np.uint64(n_met)] = members[t]  # stays if it is new
            n_met += met_in[g] == 0
            met_in[g] += 1
        floor = _floor(met_in, met, n_met, m, n_kept)
    met_in[a] = 0
    return n_met, floor, m, order


@njit(cache=True, nogil=True)
def _narrow(a, table, first, members, met_in, met, n_met, floor, visit, order):
    """Drop those that cannot reach the floor, and visit further clusters as long as that costs less than comparing."""
    m = table.shape[1]
    n_met = _contenders(met_in, met, n_met, floor - (m - visit))
    while visit < m:
        c = table[a, order[visit]]
        if first[c + 1] - first[c] > _MEMBERS_A_COMPARISON * n_met:
            break
        for t in range(np.uint64(first[c]), np.uint64(first[c + 1])):
            g = np.uint64(members[t])
            met_in[g] += met_in[g] > 0
        visit += 1
        n_met = _contenders(met_in, met, n_met, floor - (m - visit))
    met_in[a] = 0
    return n_met


@njit(cache=True, nogil=True)
def _contenders(met_in, met, n_met, least):
    """Move those met at least so often to the front, forget the others; how many are left."""
    kept = 0
    for t in range(n_met):
        g = met[t]
        if met_in[g] >= least:
            met[kept] = g
            kept += 1
        else:
            met_in[g] = 0
    return kept


@njit(cache=True, nogil=True)
def _floor(met_in, met, n_met, m, n_kept):
    """The K-th largest count of those met, 0 where there are fewer."""
    tally = np.zeros(m + 1, np.int64)
    for t in range(n_met):
        tally[met_in[met[t]]] += 1
    return _largest(tally, n_kept)


@njit(cache=True, nogil=True)
def _largest(tally, n_kept):
    """The K-th largest value, `tally` saying how often each occurs; 0 where there are fewer."""
    reached = 0
    for value in range(len(tally) - 1, 0, -1):
        reached += tally[value]
        if reached >= n_kept:
            return value
    return 0


@njit(cache=True, nogil=True)
def _shared(row, other):
    """In how many base clusterings two microclusters lie in the same cluster."""
    shared = 0
    for m in range(len(row)):
        shared += row[m] == other[m]
    return shared
