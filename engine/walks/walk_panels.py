"""Random walks from every node at once, on matrices held as panels of columns that fit the cache.

A panel is 128 columns of an (n, n) matrix, rows contiguous. Nodes are renumbered so that connected components
(and, inside them, neighbours) are consecutive; a panel then multiplies only with the rows of its components.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import DTypeLike, NDArray
from scipy import sparse
from scipy.sparse import csgraph

from ..runtime.blocks import map_blocks
from ..runtime.monitor import Monitor, Part

WIDTH = 128
_STAGE = "sending out walkers"
#: Multiplications below which threads cost more than they give.
_SMALL = 20_000_000


@dataclass(frozen=True, eq=False)
class Walk:
    """One step of a random walk, P (n, n) and its transpose, on renumbered nodes; `order` (n,) is the node at a place.

    The component of a place is at first..last - 1.
    """

    forward: sparse.csr_array
    backward: sparse.csr_array
    order: NDArray
    first: NDArray[np.int64]
    last: NDArray[np.int64]

    @classmethod
    def of(cls, transitions: sparse.csr_array, dtype: DTypeLike) -> "Walk":
        """Renumber the nodes of a transition matrix, and round it to `dtype`."""
        order = csgraph.reverse_cuthill_mckee(transitions, symmetric_mode=True)
        component = csgraph.connected_components(transitions, directed=False)[1][order]
        starts = np.flatnonzero(np.diff(component, prepend=-1))
        lengths = np.diff(starts, append=len(order))
        forward = transitions[order][:, order].astype(dtype)
        forward.sort_indices()
        first, last = np.repeat(starts, lengths), np.repeat(starts + lengths, lengths)
        return cls(forward, forward.T.tocsr(), order, first.astype(np.int64), last.astype(np.int64))

    def __len__(self) -> int:
        return len(self.order)

    @property
    def n_panels(self) -> int:
        """Panels of 128 columns."""
        return -(-len(self) // WIDTH)


class GramPanels:
    """G_t = sum_{s <= t} P^s (P^s)^T for t = 1, 2, ...: Horner's rule, G_{t+1} = P (I + G_t) P^T.

    Two buffers of n x n; `step` overwrites both.
    """

    def __init__(self, walk: Walk):
        self.walk = walk
        shape = (walk.n_panels, walk.n_panels * WIDTH, WIDTH)
        self._gram, self._spare = (np.zeros(shape, walk.forward.dtype) for _ in range(2))

    def step(self, monitor: Monitor) -> None:
        """From G_t to G_{t+1}."""
        places = np.arange(len(self.walk))
        self._gram[places // WIDTH, places, places % WIDTH] += 1
        self._multiply(self._gram, self._spare, False, Part(monitor, 0, 2, steps=1))
        self._multiply(self._spare, self._gram, True, Part(monitor, 1, 2, steps=1))

    def similarity(self, monitor: Monitor, reuse: bool = False, out: NDArray | None = None) -> NDArray:
        """Cosines G_ij / sqrt(G_ii G_jj) on the nodes' own numbers; `reuse` gives up the spare buffer for it."""
        n = len(self.walk)
        if out is None:
            out = self._spare.reshape(-1)[: n * n].reshape(n, n) if reuse else np.empty((n, n), self._gram.dtype)
        order, place = self.walk.order, np.argsort(self.walk.order)
        padded = np.arange(self._gram.shape[1])
        scale = reciprocal_root(self._gram[padded // WIDTH, padded, padded % WIDTH])
        map_blocks(
            lambda start, stop: _cosines_kernel(start, stop, self._gram, order, place, scale, out),
            n,
            monitor,
            "comparing trajectories",
        )
        return out

    def _multiply(self, source: NDArray, target: NDArray, symmetric: bool, monitor: Monitor) -> None:
        walk, p = self.walk, self.walk.forward
        small = p.nnz * len(walk) < _SMALL
        map_blocks(
            lambda start, stop: _transposed_product_kernel(
                start, stop, p.indptr, p.indices, p.data, walk.first, walk.last, source, target, symmetric
            ),
            walk.n_panels,
            monitor,
            _STAGE,
            block=walk.n_panels if small else max(1, walk.n_panels // 64),
        )


def gram_diagonal(walk: Walk, T: int, monitor: Monitor) -> NDArray[np.float64]:
    """G_ii, the squared length of every trajectory, by place: (n,). Only one panel at a time is held."""
    n, p = len(walk), walk.backward
    total = np.zeros(walk.n_panels * WIDTH)

    def of_panels(start: int, stop: int) -> None:
        for panel in range(start, stop):
            here, there = np.zeros((n, WIDTH), p.dtype), np.zeros((n, WIDTH), p.dtype)
            columns = np.arange(panel * WIDTH, min(panel * WIDTH + WIDTH, n))
            here[columns, columns - panel * WIDTH] = 1
            low, high = walk.first[columns[0]], walk.last[columns[-1]]
            for _ in range(T):
                _product_kernel(low, high, p.indptr, p.indices, p.data, here, there)
                _add_squares_kernel(low, high, there, total[panel * WIDTH : panel * WIDTH + WIDTH])
                here, there = there, here

    map_blocks(of_panels, walk.n_panels, monitor, _STAGE, block=1)
    return total[:n]


def gram_product(walk: Walk, panel: NDArray, T: int) -> NDArray:
    """G times one panel (n, 128), by place: (n, 128). Keeps T panels.

    With U_t = (P^T)^t X, G X = P (U_1 + P (U_2 + ... + P U_T)).
    """
    n, p, q = len(walk), walk.forward, walk.backward
    ahead = np.empty((T, n, WIDTH), p.dtype)
    for t in range(T):
        _product_kernel(0, n, q.indptr, q.indices, q.data, ahead[t - 1] if t else panel, ahead[t])
    out = np.zeros((n, WIDTH), p.dtype)
    for t in range(T - 1, -1, -1):
        ahead[t] += out
        _product_kernel(0, n, p.indptr, p.indices, p.data, ahead[t], out)
    return out


def reciprocal_root(values: NDArray) -> NDArray[np.float64]:
    """1 / sqrt(x), and 0 where x is 0."""
    return np.divide(1.0, np.sqrt(values, dtype=np.float64), out=np.zeros(len(values)), where=values > 0)


@njit(cache=True, nogil=True)
def _weighted_rows(indptr, indices, data, i, panel, out, o):
    """Row o of `out` = row i of the sparse matrix times the panel; four rows of the panel at a time."""
    for j in range(WIDTH):
        out[o, j] = 0
    t, end = indptr[i], indptr[i + 1]
    while t + 4 <= end:
        a, b, c, d = indices[t], indices[t + 1], indices[t + 2], indices[t + 3]
        p, q, r, s = data[t], data[t + 1], data[t + 2], data[t + 3]
        for j in range(WIDTH):
            out[o, j] += p * panel[a, j] + q * panel[b, j] + r * panel[c, j] + s * panel[d, j]
        t += 4
    while t < end:
        a, p = indices[t], data[t]
        for j in range(WIDTH):
            out[o, j] += p * panel[a, j]
        t += 1


@njit(cache=True, nogil=True)
def _product_kernel(low, high, indptr, indices, data, panel, out):
    """Rows low..high of the sparse matrix times one panel."""
    for i in range(low, high):
        _weighted_rows(indptr, indices, data, i, panel, out, i)


@njit(cache=True, nogil=True)
def _transposed_product_kernel(start, stop, indptr, indices, data, first, last, source, target, symmetric):
    """Panels start..stop of `source`: target = (P source)^T, a tile of 128 x 128 at a time.

    If the product is symmetric, only tiles on and below the diagonal are computed, and mirrored.
    """
    n = len(first)
    tile = np.empty((WIDTH, WIDTH), source.dtype)
    for panel in range(start, stop):
        column = panel * WIDTH
        low = panel if symmetric else first[column] // WIDTH
        high = (last[min(column + WIDTH, n) - 1] + WIDTH - 1) // WIDTH
        for other in range(low, high):
            height = min(WIDTH, n - other * WIDTH)
            for i in range(height):
                _weighted_rows(indptr, indices, data, other * WIDTH + i, source[panel], tile, i)
            for j in range(WIDTH):
                for i in range(height):
                    target[other, column + j, i] = tile[i, j]
            if symmetric:
                for i in range(height):
                    for j in range(WIDTH if other > panel else i):
                        target[panel, other * WIDTH + i, j] = tile[i, j]


@njit(cache=True, nogil=True)
def _add_squares_kernel(low, high, panel, total):
    """Add the squares of rows low..high of a panel to one sum a column."""
    for i in range(low, high):
        for j in range(WIDTH):
            total[j] += panel[i, j] * panel[i, j]


@njit(cache=True, nogil=True)
def _cosines_kernel(start, stop, gram, order, place, scale, out):
    """Scale to a unit diagonal, and give the nodes at places start..stop their rows and columns back.

    By place, for neighbours in the panels are then read one after the other; a row is scaled before its entries
    are moved, in straight loops. `scale` is by place, too, and as long as the panels.
    """
    row = np.empty(gram.shape[1], gram.dtype)
    for p in range(start, stop):
        for panel in range(gram.shape[0]):
            columns = slice(panel * WIDTH, panel * WIDTH + WIDTH)
            part, factor, scaled = gram[panel, p], scale[columns], row[columns]
            for j in range(WIDTH):
                scaled[j] = min(part[j] * (scale[p] * factor[j]), 1.0)
        row[p] = 1
        line = out[order[p]]
        for j in range(len(place)):
            line[j] = row[place[j]]
