"""Matrices that count, plainly or weighted, how often two objects share a cluster.

`Similarity` is what methods ask of one between microclusters, which need not be a matrix.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ..clusters.reliability import ensemble_driven_cluster_index
from ..ensemble import Ensemble
from ..ensemble.clusters import Clusters
from ..ensemble.reading_labels import as_numbers
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError, shown
from ..runtime.memory import memory_limit, require_square
from ..runtime.monitor import SILENT, Monitor

#: Pairs counted for a cell from which half the matrix and its mirror are faster: many base clusterings.
_MANY_PAIRS = 16


@dataclass(frozen=True, eq=False)
class Similarity:
    """Dense when asked for, and where possible a factor: S = B diag(w) B' / M.

    `fill(monitor)` makes the matrix (n, n), which belongs to whoever asks; `clusters` are B and `weights` (K,) w, None
    where there is no such factor; `name` is what a trace calls the matrix (see `engine.consensus.method`).
    """

    n: int
    fill: Callable[[Monitor], NDArray[np.floating]]
    clusters: Clusters | None = None
    weights: NDArray[np.float64] | None = None
    name: str = "similarity"

    @property
    def factor(self) -> tuple[Clusters, NDArray[np.float64]] | None:
        """B and w, or None."""
        return None if self.clusters is None or self.weights is None else (self.clusters, self.weights)

    @property
    def fits(self) -> bool:
        """Whether the matrix may be made (see `engine.runtime.memory`)."""
        return 4 * self.n**2 <= memory_limit()

    def dense(self, monitor: Monitor = SILENT) -> NDArray[np.floating]:
        """The matrix: (n, n) float32, float64 where weights are far apart; the caller's own."""
        return self.fill(monitor)

    def record(self, monitor: Monitor) -> None:
        """Offer the matrix to a trace; where it does not fit, the trace does without."""
        if self.fits:
            monitor.record(self.name, lambda: self.dense(monitor))


def co_association(ensemble: Ensemble, monitor: Monitor = SILENT, dtype: DTypeLike = np.float32) -> NDArray:
    """Share of base clusterings that put two objects together, a_ij = (1/M) sum_m [same_m(i, j)]   (eq. 12).

    Where labels are missing, M is the number of base clusterings that saw both objects (Monti et al. 2003); 0 for
    objects that were never seen together.

    Parameters
    ----------
    ensemble : Ensemble
    monitor : Monitor, optional
    dtype : float32 | float64

    Returns
    -------
    (n, n) array
        On microclusters; symmetric, diagonal 1, values in {0, 1/M, ..., 1}.

    Raises
    ------
    TooLargeError
        If the matrix would not fit.

    References
    ----------
    fred2005eac; huang2018lwea, Definition 6.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1]])
    >>> co_association(ensemble).tolist()
    [[1.0, 0.5, 0.5], [0.5, 1.0, 0.0], [0.5, 0.0, 1.0]]
    """
    return weighted_co_association(ensemble, np.ones(ensemble.n_clusters_total), monitor, dtype)


def locally_weighted_co_association(
    ensemble: Ensemble, theta: float = 0.4, monitor: Monitor = SILENT, dtype: DTypeLike = np.float32
) -> NDArray:
    """Co-association in which every cluster counts with its reliability, w = ECI(C; theta)   (eq. 15).

    Parameters
    ----------
    ensemble : Ensemble
    theta : float
        Greater than 0; see `ensemble_driven_cluster_index`.
    monitor : Monitor, optional
    dtype : float32 | float64

    Returns
    -------
    (n, n) array
        On microclusters; symmetric, in [0, 1]. The diagonal is the value between two objects of the same
        microcluster: the mean ECI of its clusters.

    Raises
    ------
    InvalidParameterError, TooLargeError

    Notes
    -----
    The published code writes 1 on the diagonal; linkage never reads it, expansion to objects does.

    References
    ----------
    huang2018lwea, Definition 7.
    """
    eci = ensemble_driven_cluster_index(ensemble, theta, monitor)
    return weighted_co_association(ensemble, eci, monitor, dtype)


def weighted_co_association(
    ensemble: Ensemble,
    weights: NDArray,
    monitor: Monitor = SILENT,
    dtype: DTypeLike = np.float32,
    clustering_weights: NDArray | None = None,
) -> NDArray:
    """Co-association in which cluster C counts with weight w_C, (1/M) sum_m w_C [i and j both in C].

    M is the number of base clusterings that saw both, or what these weigh; 0 for objects that were never seen together.

    Parameters
    ----------
    ensemble : Ensemble
    weights : (K,) float
        One a cluster, in the order of `Ensemble.clusters`.
    monitor : Monitor, optional
    dtype : float32 | float64
    clustering_weights : (M,) float, optional
        What every base clustering weighs, of mean 1; by default 1 each. Read where labels are missing.

    Returns
    -------
    (n, n) array
        On microclusters, symmetric; sums are taken in float64, in the order of the base clusterings.

    Raises
    ------
    InvalidParameterError, TooLargeError

    Notes
    -----
    Each row adds only where clusters are shared, so time is the number of co-occurrences, about
    n^2 sum_m 1/k_m, rather than n^2 M.
    """
    n = len(ensemble.microclusters)
    fill = row_filler(ensemble, weights, clustering_weights)
    require_square("a co-association matrix", n, itemsize=np.dtype(dtype).itemsize)
    out, stage = np.empty((n, n), dtype), "counting how often objects meet"
    clusters = ensemble.clusters
    if not clusters.complete or (clusters.n_members**2).sum() < _MANY_PAIRS * n * max(n, 1000):
        map_blocks(lambda start, stop: fill(start, stop, out[start:stop]), n, monitor, stage)
        return out
    first, members = clusters.members
    following = np.empty(len(clusters.ids), np.int64)
    _following_kernel(clusters.ids, first, following)
    half = (clusters.start, clusters.ids, first, members.view(np.uint32), following, np.asarray(weights, np.float64))
    map_blocks(
        lambda start, stop: _half_rows_kernel(start, stop, *half, ensemble.n_clusterings, out), n, monitor, stage
    )
    map_blocks(lambda start, stop: _mirror_kernel(start, stop, out), n)
    return out


#: The smallest weight beside the largest one that sums of single precision still tell from nothing.
_LEAST_SINGLE = 1e-30


def shared_cluster_similarity(
    ensemble: Ensemble, weights: NDArray, name: str = "similarity", clustering_weights: NDArray | None = None
) -> Similarity:
    """The weighted co-association as what it is made of: a matrix only where one is asked for.

    Parameters
    ----------
    ensemble : Ensemble
    weights : (K,) float
    name : str
        What a trace calls the matrix.
    clustering_weights : (M,) float, optional
        See `weighted_co_association`.

    Returns
    -------
    Similarity
        With a factor where no label is missing and no weight is negative.

    Examples
    --------
    >>> similarity = shared_cluster_similarity(Ensemble.from_labels([[0, 0], [0, 1], [1, 1]]), [1, 1, 1, 1])
    >>> similarity.dense().tolist()
    [[1.0, 0.5, 0.5], [0.5, 1.0, 0.0], [0.5, 0.0, 1.0]]
    """
    weights = np.asarray(weights, dtype=np.float64)
    row_filler(ensemble, weights)  # refuses weights of another shape
    factored = ensemble.complete and bool((weights >= 0).all())
    n, positive = len(ensemble.microclusters), weights[weights > 0]
    tiny = len(positive) > 0 and positive.min() < _LEAST_SINGLE * positive.max() and 8 * n * n <= memory_limit()
    dtype = np.float64 if tiny else np.float32
    return Similarity(
        n=n,
        fill=lambda monitor: weighted_co_association(ensemble, weights, monitor, dtype, clustering_weights),
        clusters=ensemble.clusters if factored else None,
        weights=weights if factored else None,
        name=name,
    )


def shared_and_seen(ensemble: Ensemble, i: int, j: int) -> tuple[NDArray[np.bool_], int]:
    """Which base clusterings put two objects together, (M,), and how many saw both."""
    first, second = ensemble.labels[i], ensemble.labels[j]
    seen = (first >= 0) & (second >= 0)
    return seen & (first == second), int(seen.sum())


def pairs_seen(ensemble: Ensemble, monitor: Monitor = SILENT) -> tuple[int, int]:
    """Pairs of different objects that no base clustering saw together, and all pairs; O(n^2 M / 64) time.

    >>> pairs_seen(Ensemble.from_labels([[0, -1], [0, 0], [-1, 0]]))
    (1, 3)
    """
    sizes, n = ensemble.microclusters.sizes, ensemble.n_objects
    every = n * (n - 1) // 2
    if ensemble.complete:
        return 0, every
    presence, strangers = ensemble.clusters.presence, np.zeros(len(sizes), np.int64)
    map_blocks(
        lambda a, b: _strangers_kernel(a, b, presence, sizes, strangers),
        len(sizes),
        monitor,
        "counting pairs never seen",
    )
    return int(strangers.sum()) // 2, every


def cluster_weights(ensemble: Ensemble, weights: ArrayLike) -> NDArray[np.float64]:
    """One finite weight for each of the K clusters: (K,)."""
    return _checked("weights", weights, ensemble.n_clusters_total)


def _checked(name: str, weights: ArrayLike, n: int) -> NDArray[np.float64]:
    given = as_numbers(weights, name, "numbers")
    if given.shape != (n,):
        raise InvalidParameterError(f"{name} must have shape ({n},). Got {given.shape}")
    if not np.isfinite(given).all():
        raise InvalidParameterError(f"{name} must be finite. Got {shown(given)}")
    return given


def row_filler(
    ensemble: Ensemble, weights: NDArray, clustering_weights: NDArray | None = None
) -> Callable[[int, int, NDArray], None]:
    """The weighted co-association matrix by rows: `fill(start, stop, out)` writes rows start..stop into `out`."""
    weights = cluster_weights(ensemble, weights)
    clusters, m = ensemble.clusters, ensemble.n_clusterings
    first, members = clusters.members
    # no index can be negative: asking every one of them takes half as long as all the rest
    where = (clusters.start, clusters.ids, first, members.view(np.uint32), weights)
    if not clusters.complete:
        votes = np.ones(0) if clustering_weights is None else _checked("clustering_weights", clustering_weights, m)
        return lambda start, stop, out: _seen_rows_kernel(start, stop, *where, clusters.presence, votes, out)
    arrays = (*where, m)
    return lambda start, stop, out: _rows_kernel(start, stop, *arrays, out)


@njit(cache=True, nogil=True)
def _spread(i, start, ids, first, members, weights, row):
    """Sum of the weights of the clusters that a microcluster shares with every other one."""
    row[:] = 0
    for s in range(start[i], start[i + 1]):
        c = ids[s]
        weight = weights[c]
        for j in members[first[c] : first[c + 1]]:
            row[j] += weight


@njit(cache=True, nogil=True)
def _rows_kernel(begin, end, start, ids, first, members, weights, n_clusterings, out):
    """Rows begin..end, into `out`."""
    n = len(start) - 1
    row = np.empty(n)
    for i in range(begin, end):
        _spread(i, start, ids, first, members, weights, row)
        for j in range(n):
            out[i - begin, j] = row[j] / n_clusterings


@njit(cache=True, nogil=True)
def _following_kernel(ids, first, out):
    """Where in `members` the next microcluster of the same cluster stands, for every one in `ids`."""
    at = first[:-1].copy()
    for s in range(len(ids)):
        at[ids[s]] += 1
        out[s] = at[ids[s]]


@intrinsic
def _add_four(_, sums, place, four):
    """`sums[place : place + 4] += four` in one step of the processor: numba makes four of it, in twice the time."""

    def generate(context, builder, signature, args):
        vector = ir.VectorType(ir.DoubleType(), 4)
        whole = context.make_array(signature.args[0])(context, builder, args[0])
        where = builder.bitcast(builder.gep(whole.data, [args[1]]), vector.as_pointer())
        added = ir.Constant(vector, ir.Undefined)
        for lane in range(4):
            value = builder.extract_value(args[2], lane)
            added = builder.insert_element(added, value, ir.Constant(ir.IntType(32), lane))
        before = builder.load(where)
        before.align = 8
        builder.store(builder.fadd(before, added), where).align = 8
        return context.get_dummy_value()

    return types.void(sums, place, four), generate


@njit(cache=True, nogil=True)
def _half_rows_kernel(begin, end, start, ids, first, members, following, weights, n_clusterings, out):
    """`_rows_kernel` from the diagonal on: the same sums in the same order, of four rows at a time.

    Neighbours share most of their clusters: whose members are gone through once for all rows that have the cluster.
    Those that have another one add 0, which changes no sum.
    """
    n = len(start) - 1
    sums = np.empty(4 * n)
    for top in range(begin, end, 4):
        rows = min(4, end - top)
        sums[4 * top :] = 0
        for m in range(n_clusterings):
            done = 0
            for r in range(rows):
                if done >> r & 1:
                    continue
                s = start[top + r] + m
                c = ids[s]
                having = 0
                for t in range(r, rows):
                    if ids[start[top + t] + m] == c:
                        having |= 1 << t
                done |= having
                w = weights[c]
                four = (
                    w if having & 1 else 0.0,
                    w if having & 2 else 0.0,
                    w if having & 4 else 0.0,
                    w if having & 8 else 0.0,
                )
                for j in members[following[s] - 1 : first[c + 1]]:
                    _add_four(sums, 4 * np.int64(j), four)  # type: ignore[call-arg]
        for r in range(rows):
            for j in range(top + r, n):
                out[top + r, j] = sums[4 * j + r] / n_clusterings


@njit(cache=True, nogil=True)
def _mirror_kernel(begin, end, out):
    """Rows begin..end below the diagonal, in tiles that stay at hand."""
    for left in range(0, end, 32):
        for i in range(begin, end):
            for j in range(left, min(left + 32, i)):
                out[i, j] = out[j, i]


@njit(cache=True, nogil=True)
def _seen_rows_kernel(begin, end, start, ids, first, members, weights, presence, votes, out):
    """`_rows_kernel` where labels are missing: every count is divided by the base clusterings that saw both.

    Their number, or the sum of their `votes` (M,), added in the order in which a row adds what is shared.
    """
    n = len(start) - 1
    row = np.empty(n)
    for i in range(begin, end):
        _spread(i, start, ids, first, members, weights, row)
        for j in range(n):
            both = np.float64(shared_bits(presence[i], presence[j]))
            if len(votes) and both > 0:
                both = _votes_of_both(presence[i], presence[j], votes)
            out[i - begin, j] = row[j] / both if both > 0 else 0.0


@njit(cache=True, nogil=True)
def _votes_of_both(a, b, votes):
    total = 0.0
    for m in range(len(votes)):
        if (a[m >> 6] & b[m >> 6]) >> np.uint64(m & 63) & np.uint64(1):
            total += votes[m]
    return total


@njit(cache=True, nogil=True)
def shared_bits(a, b):
    """Bits set in both, counted by halves, quarters, bytes."""
    total = np.int64(0)
    for w in range(len(a)):
        x = a[w] & b[w]
        x -= (x >> np.uint64(1)) & np.uint64(0x5555555555555555)
        x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
        x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
        total += np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))
    return total


@njit(cache=True, nogil=True)
def _strangers_kernel(start, stop, presence, sizes, out):
    for i in range(start, stop):
        for j in range(len(sizes)):
            if shared_bits(presence[i], presence[j]) == 0:
                out[i] += sizes[i] * sizes[j]
