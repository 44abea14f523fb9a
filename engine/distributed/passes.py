"""What is done with one tile of rows on whatever machine holds it: what comes back is sums over clusters."""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..clusters.overlaps import count_kernel
from ..graphs.bipartite_graphs import BipartiteGraph, unit_rows
from ..medians.label_means import assign_kernel, tally_kernel
from ..runtime.blocks import limited_threads, single_threaded_libraries
from ..runtime.monitor import SILENT
from .tiles import Coding, Tile

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Sums:
    """What one round of k-means adds up over rows: `sums` (k, d) of coordinates, or counts (K, k) in every cluster.

    `mass` (k,); `cost`: squared distances, or what the labels cost; `worst_row` (d,) or (M,) is the costliest, at
    `worst`.
    """

    sums: NDArray
    mass: NDArray
    cost: float
    worst: float
    worst_row: NDArray

    def __add__(self, other: "Sums") -> "Sums":
        worst = self if self.worst >= other.worst else other
        total = self.cost + other.cost
        return Sums(self.sums + other.sums, self.mass + other.mass, total, worst.worst, worst.worst_row)


def sampled(tile: Tile, share: float) -> NDArray:
    """The rows of a tile that are in the sample, as they are stored: a hash of its number decides for every row."""
    rows = tile.read()
    return rows[_hashes(tile.first, len(rows)) < share] if share < 1 else rows


def _hashes(first: int, n: int) -> NDArray[np.float64]:
    """A number in [0, 1) for each of the rows first..first + n - 1 (the mixing steps of SplitMix64)."""
    with np.errstate(over="ignore"):
        z = (np.arange(first, first + n).astype(np.uint64) + np.uint64(1)) * _GOLDEN
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def shared(tile: Tile, coding: Coding) -> NDArray[np.float64]:
    """Objects that every two clusters share, on and above the diagonal: (K, K)."""
    clusters = coding.clusters(tile)
    counts = np.zeros((len(clusters), len(clusters)))
    count_kernel(0, len(clusters.weights), clusters.start, clusters.ids, clusters.weights, counts)
    return counts


def between(tile: Tile, coding: Coding, weights: NDArray) -> NDArray[np.float64]:
    """What the tile's rows add to B^T D_x^-1 B: (K, K)."""
    clusters = coding.clusters(tile)
    return BipartiteGraph(clusters, weights).between_clusters(np.ones(len(clusters.weights)), SILENT)


def embedded(tile: Tile, coding: Coding, weights: NDArray, vectors: NDArray) -> NDArray[np.float64]:
    """Spectral embedding of the tile's rows, of unit length: (rows, k), stored by columns."""
    with limited_threads(1):
        return unit_rows(BipartiteGraph(coding.clusters(tile), weights).lift(vectors, SILENT))


def cut_round(tile: Tile, coding: Coding, weights: NDArray, vectors: NDArray, centres: NDArray) -> Sums:
    """Every embedded row to its nearest centre."""
    points = embedded(tile, coding, weights, vectors)
    labels, costs = np.empty(len(points), np.int32), np.empty(len(points))
    _nearest_kernel(points.T, centres, labels, costs)
    sums, mass = np.zeros(centres.shape), np.zeros(len(centres))
    _gather_kernel(points.T, labels, sums, mass)
    worst = int(costs.argmax())
    return Sums(sums, mass, float(costs.sum()), float(costs[worst]), points[worst].copy())


def cut_labels(tile: Tile, coding: Coding, weights: NDArray, vectors: NDArray, centres: NDArray) -> NDArray[np.int32]:
    """The nearest centre of every row of the tile."""
    points = embedded(tile, coding, weights, vectors)
    labels, costs = np.empty(len(points), np.int32), np.empty(len(points))
    _nearest_kernel(points.T, centres, labels, costs)
    return labels


@dataclass(frozen=True)
class LabelCentres:
    """Centres of k-means on labels, as a row scores against them (see `engine.medians.label_means`).

    `table` (K, k), `offset` (k,), `values` (K,); `squared` distances, else entropies; `degrees`: a row is divided by
    the sizes of its clusters together, and has that mass.
    """

    table: NDArray[np.float64]
    offset: NDArray[np.float64]
    values: NDArray[np.float64]
    squared: bool
    degrees: bool


def label_round(tile: Tile, coding: Coding, centres: LabelCentres) -> Sums:
    """Every row of labels to its nearest centre."""
    ids, ones, spread, labels, costs = _assigned(tile, coding, centres)
    k = len(centres.offset)
    counts, mass, members = np.empty((len(centres.values), k)), np.empty(k), np.empty(k, np.int64)
    tally_kernel(ids, ones, spread, labels, counts, mass, members)
    worst = int(costs.argmax())
    return Sums(counts, mass, float(costs.sum()), float(costs[worst]), ids[worst].copy())


def label_labels(tile: Tile, coding: Coding, centres: LabelCentres) -> NDArray[np.int32]:
    """The nearest centre of every row of the tile."""
    return _assigned(tile, coding, centres)[3]


def _assigned(tile: Tile, coding: Coding, centres: LabelCentres) -> tuple[NDArray, ...]:
    """Clusters, ones, spread, labels and costs of the rows of a tile."""
    clusters = coding.clusters(tile)
    ids = clusters.ids.reshape(len(clusters.weights), -1)
    spread = coding.sizes[ids].sum(axis=1).astype(np.float64) if centres.degrees else np.ones(len(ids))
    labels, costs = np.zeros(len(ids), np.int32), np.empty(len(ids))
    own = centres.values, centres.squared, centres.table, centres.offset
    assign_kernel(ids, clusters.weights, spread, *own, labels, costs)
    return ids, clusters.weights, spread, labels, costs


def alone(function, *arguments):  # noqa: ANN001, ANN002
    """A function with libraries on one thread: workers have a thread for each task, and rounding stays the same."""
    with single_threaded_libraries():
        return function(*arguments)


@njit(cache=True, nogil=True)
def _nearest_kernel(columns, centres, labels, costs):
    """Nearest centre of every point, the lowest if they tie, and the squared distance to it."""
    for i in range(len(labels)):
        costs[i] = np.inf
        for c in range(len(centres)):
            distance = 0.0
            for t in range(len(columns)):
                distance += (columns[t, i] - centres[c, t]) ** 2
            if distance < costs[i]:
                costs[i], labels[i] = distance, c


@njit(cache=True, nogil=True)
def _gather_kernel(columns, labels, sums, mass):
    for i in range(len(labels)):
        mass[labels[i]] += 1
        for t in range(len(columns)):
            sums[labels[i], t] += columns[t, i]
