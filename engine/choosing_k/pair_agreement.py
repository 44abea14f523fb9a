"""Consensus clustering of features: k-means on shares of the objects for every k, and how often pairs agree.

Monti, Tamayo, Mesirov and Golub, "Consensus clustering: a resampling-based method for class discovery", Machine
Learning 52, 2003; the share of ambiguous pairs after Senbabaoglu, Michailidis and Li, Scientific Reports 4, 2014.
"""

from dataclasses import dataclass
from threading import Lock

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..ensemble.reading_labels import as_points
from ..medians.lloyd import n_draws, run_on_subset
from ..params import Float, Int, require, require_integer
from ..runtime.blocks import map_blocks, single_threaded_libraries
from ..runtime.errors import InvalidParameterError, shown
from ..runtime.memory import require_memory
from ..runtime.monitor import SILENT, Monitor, Part

#: A label of an object that a run did not see, and the most runs whose counts still fit a byte.
UNSEEN, MOST_RUNS = 255, 254
#: Objects whose counts are held at once: a tile of all runs stays in the cache.
_TILE = 4096
#: Share of the objects that every run sees.
SHARE = 0.8
#: Counts are whole numbers; a share that equals a bound is not strictly between.
_LEAST = 1e-9


@dataclass(frozen=True, eq=False)
class ConsensusRuns:
    """Runs of k-means with exactly k clusters on shares of the objects, and their agreement over all pairs.

    Attributes
    ----------
    ks : (n_k,) int64
    labels : (n_k, R, N) uint8
        `UNSEEN` where a run left the object out. All k saw the same objects in run r.
    counts : (n_k, R + 1, R + 1) int64
        Pairs of different objects that s runs saw and t of them put together, at [s, t]: the consensus matrix as its
        distribution, exact.
    """

    ks: NDArray[np.int64]
    labels: NDArray[np.uint8]
    counts: NDArray[np.int64]

    @property
    def n_unseen(self) -> int:
        """Pairs no run saw together: they have no consensus value."""
        return int(self.counts[0, 0].sum())

    def _shares(self) -> NDArray[np.float64]:
        """The consensus value of every cell of `counts`, t / s: (R + 1, R + 1)."""
        r = self.counts.shape[1]
        seen, together = np.arange(r)[:, None], np.arange(r)
        return np.divide(together, seen, out=np.full((r, r), np.nan), where=seen > 0)

    def _share_where(self, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
        known = self.counts[:, 1:].sum(axis=(1, 2))
        return (self.counts * chosen).sum(axis=(1, 2)) / np.maximum(known, 1)

    def pac(self, low: float = 0.1, high: float = 0.9) -> NDArray[np.float64]:
        """Proportion of ambiguous pairs for every k: consensus strictly between the bounds, (n_k,) in [0, 1].

        Parameters
        ----------
        low, high : float
            Bounds of ambiguity, 0 <= low < high <= 1, both left out.

        Returns
        -------
        (n_k,) float64
            In [0, 1]; the lower, the clearer the k.
        """
        with np.errstate(invalid="ignore"):
            return self._share_where((self._shares() > low + _LEAST) & (self._shares() < high - _LEAST))

    def cdf(self, values: ArrayLike) -> NDArray[np.float64]:
        """Share of the pairs with at most each consensus value: (n_k, len(values)), never falling.

        Parameters
        ----------
        values : (v,) float
            Consensus values in [0, 1].

        Returns
        -------
        (n_k, v) float64
            In [0, 1]; rows do not fall where `values` rise.
        """
        shares = self._shares()
        with np.errstate(invalid="ignore"):
            return np.stack([self._share_where(shares <= value + _LEAST) for value in np.asarray(values)], axis=1)

    @property
    def area(self) -> NDArray[np.float64]:
        """Area below the CDF on [0, 1] for every k, which is 1 less the mean consensus: (n_k,)."""
        shares = np.nan_to_num(self._shares())
        return 1 - (self.counts * shares).sum(axis=(1, 2)) / np.maximum(self.counts[:, 1:].sum(axis=(1, 2)), 1)

    @property
    def delta_area(self) -> NDArray[np.float64]:
        """Relative growth of the area from the k before; of the first k the area itself: (n_k,)."""
        area = self.area
        return np.append(area[:1], np.diff(area) / np.maximum(area[:-1], _LEAST))

    def matrix(self, place: int, objects: ArrayLike) -> NDArray[np.float64]:
        """The consensus matrix of ks[place] between some objects; 0 for pairs never seen together: (a, a).

        Parameters
        ----------
        place : int
            Position of k in `ks`.
        objects : (a,) int
            Which objects, in the order of rows and columns.

        Returns
        -------
        (a, a) float64
            Symmetric, in [0, 1].
        """
        labels = self.labels[place][:, np.asarray(objects)]
        together = np.zeros((labels.shape[1],) * 2)
        seen = np.zeros_like(together)
        for row in labels:
            present = row != UNSEEN
            seen += present[:, None] & present
            together += (row[:, None] == row) & present[:, None]
        return np.divide(together, seen, out=np.zeros_like(seen), where=seen > 0)


def consensus_runs(
    points: NDArray[np.float64],
    ks: ArrayLike,
    repeats: int = 100,
    share: float = SHARE,
    seed: int | np.random.SeedSequence = 0,
    monitor: Monitor = SILENT,
) -> ConsensusRuns:
    """Cluster shares of the objects by k-means, R times for every k, and count over all pairs how often they meet.

    Parameters
    ----------
    points : (N, d) float
        Finite, and below 1e100 in absolute value.
    ks : (n_k,) int
        Each at least 2, and at most the objects of a share; no more than 255.
    repeats : int
        R, at most 254: counts are bytes.
    share : float
        Share of the objects in every run, drawn without replacement, in (0, 1].
    seed : int or SeedSequence
        The same seed, the same runs on any number of threads. All k see the same shares.
    monitor : Monitor, optional

    Returns
    -------
    ConsensusRuns
        The labels of every run, and for every k how many pairs met how often.

    Raises
    ------
    InvalidParameterError, TooLargeError, Cancelled

    Notes
    -----
    Rows of the consensus matrix are made, counted and forgotten, for every k in one pass: O(N^2 R n_k) comparisons of
    bytes, of which a processor does 32 at once, and R n_k N bytes of memory.

    References
    ----------
    monti2003consensus; senbabaoglu2014pac.
    """
    points = as_points(points)
    size = _checked(len(points), np.asarray(ks), repeats, share)
    ks = np.asarray(ks, dtype=np.int64)
    labels = _labels(points, ks, repeats, size, seed, Part(monitor, 0, 3, 2))
    return ConsensusRuns(ks, labels, count_pairs(labels, Part(monitor, 2, 3, 1)))


def _labels(points, ks, repeats, size, seed, monitor: Monitor) -> NDArray[np.uint8]:
    """Labels of all runs: (n_k, R, N)."""
    n = len(points)
    if isinstance(seed, np.random.SeedSequence):  # anew: what a sequence spawns hangs on what it has spawned before
        sequence = np.random.SeedSequence(seed.entropy, spawn_key=seed.spawn_key, pool_size=seed.pool_size)
    else:
        sequence = np.random.SeedSequence(require_integer("seed", seed))
    drawing, *starts = (np.random.default_rng(child) for child in sequence.spawn(1 + len(ks)))
    subsets = [np.sort(drawing.permutation(n)[:size]) for _ in range(repeats)]
    uniforms = [rng.random((repeats, *n_draws(int(k)))) for rng, k in zip(starts, ks, strict=True)]
    columns = np.ascontiguousarray(points.T)
    require_memory("the labels of all runs", len(ks) * repeats * n)
    out = np.full((len(ks), repeats, n), UNSEEN, np.uint8)

    def fit(start: int, stop: int) -> None:
        for task in range(start, stop):
            run, place = divmod(task, len(ks))
            out[place, run, subsets[run]] = run_on_subset(columns, subsets[run], uniforms[place][run])

    block = max(1, min(len(ks) * repeats // 64, 2_000_000 // columns.size))
    with single_threaded_libraries():
        map_blocks(fit, len(ks) * repeats, monitor, "clustering shares of the objects", block)
    return out


def count_pairs(labels: NDArray[np.uint8], monitor: Monitor = SILENT) -> NDArray[np.int64]:
    """`ConsensusRuns.counts` of labels (n_k, R, N)."""
    n_k, repeats, n = labels.shape
    total, lock = np.zeros((n_k, repeats + 1, repeats + 1), np.int64), Lock()

    def count(start: int, stop: int) -> None:
        counts = np.zeros_like(total)
        _count_kernel(start, stop, labels, counts)
        with lock:
            total[:] += counts

    map_blocks(count, n, monitor, "counting pairs that agree")
    return total


def most_clusters(n: int, share: float = SHARE) -> int:
    """The largest k that consensus clustering can have on n objects: those of a share, and a label is a byte."""
    return min(_in_a_share(n, share), UNSEEN)


def _in_a_share(n: int, share: float) -> int:
    return max(2, round(share * n))


def _checked(n: int, ks: NDArray, repeats: int, share: float) -> int:
    """Objects in every run."""
    require("repeats", Int(low=2, high=MOST_RUNS), repeats)
    require("share", Float(low=0, low_open=True, high=1), share)
    most = most_clusters(n, share)
    if ks.ndim != 1 or ks.dtype.kind not in "iu" or not len(ks) or ks.min() < 2 or ks.max() > most:
        raise InvalidParameterError(
            f"ks must be integers from 2 to {most:,}: the objects of a share, and no more than {UNSEEN}. "
            f"Got {shown(ks.tolist())}"
        )
    return _in_a_share(n, share)


@njit(cache=True, nogil=True)
def _count_kernel(start, stop, labels, counts):
    """Add the pairs i < j of rows i in start..stop: bytes are compared a tile at a time, for every k."""
    n_k, repeats, n = labels.shape
    seen, together = np.empty(_TILE, np.uint8), np.empty(_TILE, np.uint8)
    for low in range(start + 1, n, _TILE):
        for i in range(start, min(stop, low + _TILE)):
            first = max(low, i + 1)
            width = min(low + _TILE, n) - first
            if width <= 0:
                continue
            met, same, here = seen[:width], together[:width], labels[:, :, first : first + width]
            met[:] = 0
            for r in range(repeats):
                if labels[0, r, i] != UNSEEN:
                    _add_others(here[0, r], UNSEEN, met)
            for q in range(n_k):
                same[:] = 0
                for r in range(repeats):
                    if labels[q, r, i] != UNSEEN:
                        _add_equal(here[q, r], labels[q, r, i], same)
                for j in range(width):
                    counts[q, met[j], same[j]] += 1


@njit(cache=True, nogil=True)
def _add_equal(row, value, out):
    for j in range(len(out)):
        out[j] += row[j] == value


@njit(cache=True, nogil=True)
def _add_others(row, value, out):
    for j in range(len(out)):
        out[j] += row[j] != value
