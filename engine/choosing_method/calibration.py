"""What an internal index is worth by itself: its z-value among partitions that know nothing of the answer.

Raw indexes of a partition into 2 and one into 9, or into even and uneven clusters, are not to be compared. Beside each
answer stand random partitions of the same sizes, and two kinds of stupid ones that know the ensemble a little: the
nearest of random microclusters, and chance cuts of a tree.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..consensus import run_consensus
from ..ensemble import Ensemble
from ..ensemble.renumbering import first_appearance
from ..runtime.monitor import SILENT, Monitor, Quiet
from ..trees.branches import spread_kernel

#: Random partitions of an answer's sizes, nearest centroids, and chance cuts: 200 together.
RANDOM, NEAREST, CUTS = 100, 50, 50


@dataclass(frozen=True, eq=False)
class Ground:
    """What indexes are measured on: base labels `rows` (n, M) of the microclusters, -1 where missing, and sizes (n,).

    `offsets` (M + 1,) say where the clusters of every base clustering begin; `points` (N, D) are the features of the
    objects, D = 0 without, and `assignment` (N,) says in which microcluster each is.
    """

    rows: NDArray[np.int32]
    offsets: NDArray[np.int64]
    sizes: NDArray[np.int64]
    points: NDArray[np.float64]
    assignment: NDArray[np.int32]

    @classmethod
    def of(cls, ensemble: Ensemble, points: NDArray[np.float64] | None) -> "Ground":
        """The ground of an ensemble, its microclusters in their order; `points` are (N, D) features."""
        micro = ensemble.microclusters
        rows = np.ascontiguousarray(ensemble.labels[micro.representatives])
        given = np.zeros((ensemble.n_objects, 0)) if points is None else points
        return cls(rows, ensemble.offsets, micro.sizes, given, micro.assignment)

    def __len__(self) -> int:
        return len(self.sizes)


@dataclass(frozen=True, eq=False)
class Placed:
    """A partition of whole microclusters, (n,) labels from 0, and what indexes read of it."""

    ground: Ground
    labels: NDArray[np.int64]

    @cached_property
    def sizes(self) -> NDArray[np.float64]:
        """Objects in every cluster: (k,)."""
        return np.bincount(self.labels, weights=self.ground.sizes).astype(np.float64)

    @cached_property
    def table(self) -> NDArray[np.float64]:
        """Objects that base cluster and cluster share: (K, k)."""
        table = np.zeros((int(self.ground.offsets[-1]), len(self.sizes)))
        _table_kernel(self.ground.rows, self.ground.offsets, self.ground.sizes, self.labels, table)
        return table

    @cached_property
    def seen(self) -> NDArray[np.float64]:
        """Objects of every cluster that a base clustering saw: (M, k)."""
        return np.add.reduceat(self.table, self.ground.offsets[:-1], axis=0)

    @cached_property
    def similarities(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean co-association of every microcluster with its own cluster and with the nearest other: (n,), (n,)."""
        own, other = np.zeros(len(self.ground)), np.zeros(len(self.ground))
        ground = self.ground
        _similar_kernel(ground.rows, ground.offsets, self.labels, self.table, self.seen, own, other)
        return own, other


def stupid_partitions(
    ensemble: Ensemble, ground: Ground, k: int, rng: np.random.Generator, monitor: Monitor = SILENT
) -> list[NDArray[np.int64]]:
    """Nearest of k random microclusters, and chance cuts of the tree of EAC into k: (n,) each."""
    nearest = [_nearest(ground, np.sort(rng.choice(len(ground), k, replace=False))) for _ in range(NEAREST)]
    asked = Quiet(lambda: monitor.tick("growing a tree for chance cuts", 0, 1))
    found = run_consensus("eac", ensemble, k, monitor=asked)
    merges = found.trace["dendrogram"].merges
    here = found.microclusters.assignment[ensemble.microclusters.representatives]  # the run may stand in another order
    return nearest + [_chance_cut(merges, k, rng)[here] for _ in range(CUTS)]


def random_partition(ground: Ground, sizes: NDArray, rng: np.random.Generator) -> NDArray[np.int64]:
    """Whole microclusters in random order, dealt out to clusters of such sizes, as near as they can be: (n,).

    Every cluster has one first, the larger ones larger ones: none is lost below a microcluster larger than it.
    """
    order, wanted = rng.permutation(len(ground)), np.sort(sizes)[::-1]
    first, rest = order[: len(wanted)], order[len(wanted) :]
    first = first[np.argsort(-ground.sizes[first], kind="stable")]
    left, held = np.cumsum(np.maximum(wanted - ground.sizes[first], 0)), ground.sizes[rest]
    labels = np.empty(len(ground), np.int64)
    labels[first] = np.arange(len(wanted))
    if len(rest):
        middle = (np.cumsum(held) - held / 2) * (left[-1] / held.sum())
        labels[rest] = np.searchsorted(left[:-1], middle, side="right")
    return first_appearance(labels).astype(np.int64)


def z_value(value: float, null: NDArray[np.float64]) -> float:
    """How many standard deviations above the mean of the null; nan where that has no spread."""
    known = null[np.isfinite(null)]
    spread = known.std(ddof=1) if len(known) > 2 else 0.0
    return float((value - known.mean()) / spread) if spread > 1e-12 else float("nan")


def calibrated(
    ground: Ground,
    answers: dict[str, NDArray],
    stupid: list[NDArray[np.int64]],
    indexes: dict[str, Callable[[Placed], float]],
    rng: np.random.Generator,
    monitor: Monitor = SILENT,
) -> dict[str, dict[str, tuple[float, float]]]:
    """Value and z-value of every index, by method and index.

    Answers into clusters of the same sizes are judged among the same random partitions. After hennig2019calibration.
    """
    shared = {name: [index(placed) for placed in map_placed(ground, stupid)] for name, index in indexes.items()}
    random: dict[tuple[float, ...], dict[str, list[float]]] = {}
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for done, (key, labels) in enumerate(answers.items()):
        placed = Placed(ground, labels)
        sizes = np.sort(placed.sizes)[::-1]
        if (name := tuple(sizes.tolist())) not in random:
            values: dict[str, list[float]] = {index: [] for index in indexes}
            for _ in range(RANDOM):
                monitor.tick("calibrating indexes", done, len(answers))
                other = Placed(ground, random_partition(ground, sizes, rng))
                for index in indexes:
                    values[index].append(indexes[index](other))
            random[name] = values
        raw = {index: indexes[index](placed) for index in indexes}
        nulls = {index: np.array(random[name][index] + shared[index]) for index in indexes}
        found[key] = {index: (raw[index], z_value(raw[index], nulls[index])) for index in indexes}
    return found


def map_placed(ground: Ground, partitions: list[NDArray[np.int64]]) -> list[Placed]:
    """Partitions with what indexes read of them."""
    return [Placed(ground, labels) for labels in partitions]


def _nearest(ground: Ground, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
    labels = np.zeros(len(ground), np.int64)
    _nearest_kernel(ground.rows, seeds, labels)
    return labels


def _chance_cut(merges: NDArray[np.int32], k: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Split a random node of those there, until there are k."""
    n = len(merges) + 1
    nodes = [2 * n - 2]
    while len(nodes) < k:
        inner = [place for place, node in enumerate(nodes) if node >= n]
        split = nodes.pop(inner[int(rng.integers(len(inner)))])
        nodes += [int(merges[split - n, 0]), int(merges[split - n, 1])]
    label = np.full(2 * n - 1, -1, np.int64)
    label[nodes] = np.arange(k)
    spread_kernel(merges, label)
    return label[:n]


@njit(cache=True, nogil=True)
def _nearest_kernel(rows, seeds, labels):
    """The seed that shares most base clusters, the first of equals; a seed is its own."""
    for i in range(rows.shape[0]):
        best = -1
        for s in range(len(seeds)):
            shared = 0
            for m in range(rows.shape[1]):
                shared += rows[i, m] >= 0 and rows[i, m] == rows[seeds[s], m]
            if i == seeds[s]:
                shared = rows.shape[1] + 1
            if shared > best:
                best, labels[i] = shared, s


@njit(cache=True, nogil=True)
def _table_kernel(rows, offsets, sizes, labels, table):
    for i in range(rows.shape[0]):
        for m in range(rows.shape[1]):
            if rows[i, m] >= 0:
                table[offsets[m] + rows[i, m], labels[i]] += sizes[i]


@njit(cache=True, nogil=True)
def _similar_kernel(rows, offsets, labels, table, seen, own, other):
    """S(i, C) over shared and seen, as in `engine.confidence.profiles`, of one object of every microcluster."""
    k = table.shape[1]
    shared, pairs = np.empty(k), np.empty(k)
    for i in range(rows.shape[0]):
        shared[:], pairs[:] = 0.0, 0.0
        for m in range(rows.shape[1]):
            if rows[i, m] >= 0:
                c = offsets[m] + rows[i, m]
                for j in range(k):
                    shared[j] += table[c, j]
                    pairs[j] += seen[m, j]
                shared[labels[i]] -= 1
                pairs[labels[i]] -= 1
        for j in range(k):
            value = shared[j] / pairs[j] if pairs[j] > 0 else 0.0
            if j == labels[i]:
                own[i] = value
            else:
                other[i] = max(other[i], value)
