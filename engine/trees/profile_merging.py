"""Average link without a matrix between objects: groups are profiles, and reciprocal nearest ones merge in rounds.

The most similar group of every group is found by bounds over inverted lists.
"""

from dataclasses import dataclass
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble.clusters import Clusters
from ..runtime.blocks import map_blocks, n_threads
from ..runtime.memory import memory_limit, require_square
from ..runtime.monitor import SILENT, Monitor, Quiet
from .neighbor_chains import CODES, run_chain
from .profiles import InvertedLists, Profiles, sorted_microclusters

#: Searches a block: what runs before a wish to stop is heard.
SEARCHES = 1000
#: Shares are kept in float32: what the bounds promise is widened by more than they can be off.
_SLACK = 1 + 1e-6
#: Entries of a list that cost as much as one of a row: those of a row stand anywhere in memory.
_ENTRIES_A_TERM = 2
#: Weights below this share of the largest are none: sums of their terms could be 0, which says of a group that it was
#: never met.
_LEAST_WEIGHT = 1e-280


@dataclass(frozen=True, eq=False)
class Scratch:
    """What one thread searches with; a search leaves it as it was.

    `row` (K,) has the counts of the group that searches, `partial` (G,) what is known of the similarity to each group,
    0 elsewhere; `met` (G,) lists the groups met; `steps` (1,) counts the entries of lists and rows that were read.
    """

    row: NDArray[np.float64]
    partial: NDArray[np.float64]
    met: NDArray[np.int32]
    steps: NDArray[np.int64]

    @classmethod
    def of(cls, n_groups: int, n_clusters: int) -> "Scratch":
        """For so many groups and clusters."""
        return cls(np.zeros(n_clusters), np.zeros(n_groups), np.empty(n_groups + 1, np.int32), np.zeros(1, np.int64))


def search_nearest(
    groups: Profiles,
    lists: InvertedLists,
    weights: NDArray[np.float64],
    asked: NDArray[np.int64],
    nearest: NDArray[np.int32],
    values: NDArray[np.float64],
    monitor: Monitor,
    block: int = SEARCHES,
) -> int:
    """Find, for the groups asked, the group B that is largest in S(A, B) = sum_c w_c p_A(c) p_B(c); ties to the lowest.

    Lists are visited by what they promise an entry; `rest` is what those not visited can still add. Once the best
    similarity found exceeds it, a group never met cannot win; further lists only drop those that were met, as long as
    that is cheaper than working them out. What is found is the maximum, whatever the order, threads or blocks.

    `nearest` (G,) is read and written: a group that may be near, -1 where none is known, becomes the nearest; `values`
    (G,) become S(A, nearest). Sums are taken by ascending c, so that S(A, B) and S(B, A) are the same bits. Returns
    about how many entries were read.
    """
    spare = [Scratch.of(len(groups), len(weights)) for _ in range(n_threads())]
    rows = groups.start, groups.ids, groups.counts, groups.sizes, weights
    transposed = lists.first, lists.members, lists.shares, lists.largest

    def search(start: int, stop: int) -> None:
        one = spare.pop()
        _search_kernel(asked[start:stop], rows, transposed, (one.row, one.partial, one.met), nearest, values, one.steps)
        spare.append(one)

    map_blocks(search, len(asked), monitor, block=block)
    return sum(int(one.steps[0]) for one in spare)


@njit(cache=True, nogil=True)
def _search_kernel(asked, rows, lists, scratch, nearest, values, steps):
    start, ids, counts, _, _ = rows
    row, partial, met = scratch
    for a in asked:
        for t in range(start[a], start[a + 1]):
            row[ids[t]] = counts[t]
        partial[a] = -np.inf  # nothing is its own neighbour
        terms, rest, order = _visits(a, rows, lists)
        best, near, visit, n_met = _meet(a, nearest[a], terms, rest, order, rows, lists, scratch)
        best, near, visit, n_met = _narrow(a, best, near, visit, n_met, terms, rest, order, rows, lists, scratch)
        for g in met[:n_met]:
            if (partial[g] + rest[visit]) * _SLACK >= best:
                best, near = _better(best, near, g, a, rows, row)
                steps[0] += start[g + 1] - start[g]
            partial[g] = 0.0
        partial[a] = 0.0
        for c in ids[start[a] + order[:visit]]:
            steps[0] += lists[0][c + 1] - lists[0][c]
        for t in range(start[a], start[a + 1]):
            row[ids[t]] = 0.0
        nearest[a], values[a] = near, best
        if best <= 0.0:  # similar to none
            nearest[a], values[a] = 1 if a == 0 else 0, 0.0


@njit(cache=True, nogil=True)
def _meet(a, guess, terms, rest, order, rows, lists, scratch):
    """Visit lists until none that is left can lift a group never met to the best known.

    Returns that best similarity, its group, how many lists were visited, and how many groups were met.
    """
    row, partial, met = scratch
    best, near, n_met = -1.0, np.int32(-1), 0
    if guess >= 0:
        best, near = _better(best, near, guess, a, rows, row)
        partial[guess] = -np.inf  # known exactly: not asked again
        met[0], n_met = guess, 1
    for visit in range(len(order)):
        if rest[visit] * _SLACK < best or terms[order[visit]] == 0.0:
            return best, near, visit, n_met
        c = rows[1][rows[0][a] + order[visit]]
        lead, n_met = _add_list(c, terms[order[visit]], lists, partial, met, n_met)
        if lead >= 0:
            best, near = _better(best, near, lead, a, rows, row)
            partial[lead] = -np.inf
    return best, near, len(order), n_met


@njit(cache=True, nogil=True)
def _narrow(a, best, near, visit, n_met, terms, rest, order, rows, lists, scratch):
    """Drop groups that cannot win, and visit further lists as long as that costs less than working them all out."""
    row, partial, met = scratch
    n_met = _contenders(best, rest[visit], partial, met, n_met)
    while visit < len(order):
        c = rows[1][rows[0][a] + order[visit]]
        if lists[0][c + 1] - lists[0][c] > _ENTRIES_A_TERM * n_met * len(order):
            break
        lead = _raise(c, terms[order[visit]], lists, partial)
        visit += 1
        if lead >= 0 and (partial[lead] + rest[visit]) * _SLACK >= best:
            best, near = _better(best, near, lead, a, rows, row)
            partial[lead] = -np.inf
        n_met = _contenders(best, rest[visit], partial, met, n_met)
    return best, near, visit, n_met


@njit(cache=True, nogil=True)
def _contenders(best, rest, partial, met, n_met):
    """Move those that may still win to the front, forget the others; how many are left."""
    kept = 0
    for g in met[:n_met]:
        if (partial[g] + rest) * _SLACK >= best:
            met[kept] = g
            kept += 1
        else:
            partial[g] = 0.0
    return kept


@njit(cache=True, nogil=True)
def _add_list(c, term, lists, partial, met, n_met):
    """Add a cluster's terms to the partial sums; the group that leads among its members, and how many were met."""
    first, members, shares, _ = lists
    lead, high = np.int32(-1), 0.0
    for t in range(np.uint64(first[c]), np.uint64(first[c + 1])):  # unsigned: no index counts from the end
        g = np.uint64(members[t])
        known = partial[g]
        met[np.uint64(n_met)] = members[t]  # stays if the group is new
        n_met += known == 0.0
        known += term * shares[t]
        partial[g] = known
        if known > high:
            lead, high = members[t], known
    return lead, n_met


@njit(cache=True, nogil=True)
def _raise(c, term, lists, partial):
    """Add a cluster's terms to the sums of groups met already; the one that leads among them."""
    first, members, shares, _ = lists
    lead, high = np.int32(-1), 0.0
    for t in range(np.uint64(first[c]), np.uint64(first[c + 1])):
        g = np.uint64(members[t])
        known = partial[g]
        if known > 0.0:
            known += term * shares[t]
            partial[g] = known
            if known > high:
                lead, high = members[t], known
    return lead


@njit(cache=True, nogil=True)
def _visits(a, rows, lists):
    """w_c p_A(c) of a group's clusters, the order of visits by what a list promises an entry, the rest at each."""
    start, ids, counts, sizes, weights = rows
    first, _, _, largest = lists
    n = start[a + 1] - start[a]
    terms, promise, an_entry = np.empty(n), np.empty(n), np.empty(n)
    for s in range(n):
        c = ids[start[a] + s]
        terms[s] = weights[c] * (counts[start[a] + s] / sizes[a])
        promise[s] = terms[s] * largest[c]
        an_entry[s] = -promise[s] / (first[c + 1] - first[c])
    order, rest = np.argsort(an_entry), np.zeros(n + 1)
    for visit in range(n - 1, -1, -1):
        rest[visit] = rest[visit + 1] + promise[order[visit]]
    return terms, rest, order


@njit(cache=True, nogil=True)
def _better(best, near, g, a, rows, row):
    """The better of what was found and S(a, g), the counts of a being in `row`; of equals the lower group."""
    start, ids, counts, sizes, weights = rows
    total = 0.0
    for t in range(start[g], start[g + 1]):
        total += weights[ids[t]] * (row[ids[t]] * counts[t])
    value = total / (np.float64(sizes[a]) * np.float64(sizes[g]))
    if value > best or (value == best and g < near):
        return value, np.int32(g)
    return best, near


#: With so few groups a dense matrix of theirs and its chain finish sooner (bench/bench_scale.py).
FEW_GROUPS = 1000
#: Searches that tell what all of them read; they do so again in later rounds, about so often altogether.
_SAMPLE, _AGAIN = 200, 5
#: Searches go on unless they promise to read so many times what a matrix of the groups takes (bench/results/scale.md).
_WORTH_A_MATRIX = 2.0
#: What a pair takes in a matrix and its chain, and every base clustering more of it, in entries that a search reads.
_A_PAIR, _A_CLUSTERING = 2.0, 0.03
_STAGE = "growing the tree"


def merge_profiles(
    clusters: Clusters, weights: NDArray, monitor: Monitor, few: int | None = None, block: int = SEARCHES
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Merges (n - 1, 2), as in SciPy, and heights of average link on S = B diag(w) B' / M, B microclusters x clusters.

    The mean similarity of groups A and B is sum_c w_c p_A(c) p_B(c) / M with p_A(c) the share of A in base cluster c.
    Average link is reducible: pairs that are each other's nearest can merge at once, in any order, and the tree is the
    same. Only groups whose nearest one has merged search anew. Ties go to the lower group, and a merged pair keeps the
    lower place. O(n M) memory.

    A dense matrix of the groups that are left takes over where it fits, at `few` groups, or once the merges that are
    left would read much more than it takes, at what those of the last round did. `few` = 0: never.
    """
    n, few = len(clusters.weights), FEW_GROUPS if few is None else few
    monitor.tick("sorting the microclusters by their labels", 0, 1)
    groups, order = sorted_microclusters(clusters)
    weights = np.ascontiguousarray(weights, dtype=np.float64)
    _, scale = np.frexp(weights.max(initial=0.0))  # by a power of 2: sums of tiny weights keep their digits
    weights = np.ldexp(weights, -scale)
    weights[weights < _LEAST_WEIGHT] = 0.0
    merges, heights = np.empty((n - 1, 2), np.int32), np.empty(n - 1)
    node = order.astype(np.int32)
    nearest, values = np.full(n, -1, np.int32), np.zeros(n)
    asked, done, promised = np.arange(n), 0, 0.0
    while len(groups) > 1:
        monitor.tick(_STAGE, done, n - 1)
        lists = InvertedLists.of(groups, len(weights))
        quiet = Quiet(partial(monitor.tick, _STAGE, done, n - 1))
        dense = len(groups) <= few or few > 0 and promised > _WORTH_A_MATRIX * _steps_in_a_matrix(lists, len(groups))
        if dense and _itemsize(len(groups)) * len(groups) ** 2 <= memory_limit():
            _finish(groups, lists, weights, node, merges[done:], heights[done:], quiet)
            break
        read = search_nearest(groups, lists, weights, asked, nearest, values, quiet, block)
        low = _reciprocal(nearest, values)
        promised = read / len(low) * (len(groups) - len(low))
        high, after = nearest[low], done + len(low)
        merges[done:after] = np.stack([node[low], node[high]], axis=1)
        heights[done:after] = values[low]
        node[low] = n + np.arange(done, after, dtype=np.int32)
        place, survives = _places(low, high, len(groups))
        asked = _left_alone(nearest, place, low, high, survives)
        groups, node, values, done = groups.merged(place, int(survives.sum())), node[survives], values[survives], after
        nearest = nearest[survives]
    monitor.tick(_STAGE, n - 1, n - 1)
    return merges, np.ldexp(heights, scale) / (len(clusters.offsets) - 1)


def reads_much(clusters: Clusters) -> bool:
    """Whether a matrix of all microclusters and its chain are done sooner than the searches, as a few of these tell.

    Where noise makes the members of large clusters all nearly alike, bounds leave out hardly anybody, and few pairs are
    each other's nearest: searches begin again and again.
    """
    if clusters not in _READS_MUCH:
        n, m, n_clusters = len(clusters.weights), len(clusters.offsets) - 1, len(clusters)
        groups, _ = sorted_microclusters(clusters)
        asked, weights = np.arange(0, n, -(-n // _SAMPLE)), np.ones(n_clusters)
        lists, nearest, values = InvertedLists.of(groups, n_clusters), np.full(n, -1, np.int32), np.zeros(n)
        read = search_nearest(groups, lists, weights, asked, nearest, values, SILENT) / len(asked)
        _READS_MUCH[clusters] = _AGAIN * read > n * (_A_PAIR + _A_CLUSTERING * m)
    return _READS_MUCH[clusters]


_READS_MUCH: WeakKeyDictionary[Clusters, bool] = WeakKeyDictionary()


def _steps_in_a_matrix(lists: InvertedLists, n_groups: int) -> float:
    """What a matrix of the groups takes: reading the pairs of every list, and a chain that reads every pair."""
    return float((np.diff(lists.first).astype(float) ** 2).sum()) + n_groups**2


def _itemsize(n_groups: int) -> int:
    """Bytes of an entry of a matrix of groups: as many as elsewhere where there are many."""
    return 8 if n_groups <= FEW_GROUPS else 4


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
    require_square("a similarity matrix of groups", n, itemsize=_itemsize(n))
    between, held = np.empty((n, n), f"f{_itemsize(n)}"), np.empty_like(lists.members)
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
