"""Random walks from every node at once, on matrices held as panels of columns that fit the cache.

A panel is WIDTH columns of an (n, n) matrix, rows contiguous. Nodes are renumbered so that connected components
(and, inside them, neighbours) are consecutive; a panel then multiplies only with the rows of its components.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numba import njit
from numpy.typing import DTypeLike, NDArray
from scipy import sparse
from scipy.sparse import csgraph

from ..runtime.blocks import map_blocks, n_threads
from ..runtime.monitor import Monitor, Part
from .vector_rows import VECTOR, WIDTH, add_rows, add_squared_rows, turn_square, zero_panels

_STAGE, _COMPARING = "sending out walkers", "comparing trajectories"
#: Multiplications below which threads cost more than they give.
_SMALL = 20_000_000
#: Places a part of a walk has at least, unless it is the last.
_PART = 1_024
#: Squares summed in the panels' precision, before their sum is added in double precision.
_SQUARES = 16


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

    def parts(self) -> Iterator["Walk"]:
        """The walk inside one component after the other, small neighbours together; `order` stays that of the whole."""
        low, n = 0, len(self)
        while low < n:
            high = int(self.last[min(low + _PART, n) - 1])
            inside = slice(low, high)
            forward, backward = (matrix[inside][:, inside] for matrix in (self.forward, self.backward))
            yield Walk(forward, backward, self.order[inside], self.first[inside] - low, self.last[inside] - low)
            low = high

    @property
    def n_panels(self) -> int:
        """Panels of WIDTH columns."""
        return -(-len(self) // WIDTH)


class GramPanels:
    """G_t = sum_{s <= t} P^s (P^s)^T for t = 1, 2, ...: Horner's rule, G_{t+1} = P (I + G_t) P^T.

    With I + G_t = U + U^T, U its tiles above the diagonal and half of those on it, this is R + R^T, R = P U P^T: half
    the work where few links leave the neighbourhood of the diagonal. Tiles below the diagonal are filled in by
    `similarity`. Two buffers of n x n; `step` overwrites both.
    """

    def __init__(self, walk: Walk):
        self.walk = walk
        shape = (walk.n_panels, walk.n_panels * WIDTH, WIDTH)
        self._gram, self._spare = (zero_panels(shape, walk.forward.dtype) for _ in range(2))
        p, n = walk.forward, len(walk)
        rows = np.repeat(np.arange(n), np.diff(p.indptr))
        entries = np.bincount(p.indices // WIDTH * n + rows, minlength=walk.n_panels * n).reshape(-1, n)
        #: First entry of every row from a panel on, (n_panels + 1, n), and the first panel that rows of one lead to.
        self._begins = p.indptr[:-1] + np.vstack([np.zeros(n, np.int64), entries.cumsum(axis=0)])
        linked = np.add.reduceat(entries, np.arange(0, n, WIDTH), axis=1) > 0
        self._leads_to = np.where(linked.any(axis=0), linked.argmax(axis=0), walk.n_panels)

    def step(self, monitor: Monitor) -> None:
        """From G_t to G_{t+1}."""
        for panel in range(self.walk.n_panels):
            self._gram[panel, panel * WIDTH : panel * WIDTH + WIDTH] /= 2
        places = np.arange(len(self.walk))
        self._gram[places // WIDTH, places, places % WIDTH] += 0.5
        p, gram, spare = self.walk.forward, self._gram, self._spare
        steps = (p.indptr, p.indices, p.data, self._begins, self._leads_to, self.walk.last)
        for done, (kernel, source, target) in enumerate(
            [(_first_kernel, gram, spare), (_second_kernel, spare, gram), (_third_kernel, spare, gram)]
        ):
            self._by_panels(partial(kernel, steps, source, target), _STAGE, Part(monitor, done, 3, steps=1))

    def similarity(self, monitor: Monitor, reuse: bool = False, out: NDArray | None = None) -> NDArray:
        """Cosines G_ij / sqrt(G_ii G_jj) on the nodes' own numbers; `reuse` gives up the spare buffer for it."""
        n = len(self.walk)
        if out is None:
            out = self._spare.reshape(-1)[: n * n].reshape(n, n) if reuse else np.empty((n, n), self._gram.dtype)
        self._by_panels(partial(_mirror_kernel, self._gram), _COMPARING, Part(monitor, 0, 2, steps=1))
        order, place = self.walk.order, np.argsort(self.walk.order)
        padded = np.arange(self._gram.shape[1])
        scale = reciprocal_root(self._gram[padded // WIDTH, padded, padded % WIDTH])
        map_blocks(
            lambda start, stop: _cosines_kernel(start, stop, self._gram, order, place, scale, out),
            n,
            Part(monitor, 1, 2, steps=1),
            _COMPARING,
        )
        return out

    def _by_panels(self, kernel: Callable[[int, int], object], stage: str, monitor: Monitor) -> None:
        n_panels = self.walk.n_panels
        small = self.walk.forward.nnz * len(self.walk) < _SMALL
        map_blocks(kernel, n_panels, monitor, stage, block=n_panels if small else max(1, n_panels // 64))


def gram_diagonal(walk: Walk, T: int, monitor: Monitor) -> NDArray[np.float64]:
    """G_ii, the squared length of every trajectory, by place: (n,). A thread holds two panels."""
    n, p, first = len(walk), walk.backward, walk.forward
    walkers = np.repeat(np.arange(n), np.diff(first.indptr))  # after one step they are where their links lead
    total = np.zeros(walk.n_panels * WIDTH)
    total[:n] = np.bincount(walkers, first.data * first.data, n)
    spare = [zero_panels((2 * n + 1, WIDTH), p.dtype) for _ in range(n_threads())]

    def of_panels(start: int, stop: int) -> None:
        room = spare.pop()
        here, there, squares = room[:n], room[n:-1], room[-1]
        for panel in range(start, stop):
            columns = np.arange(panel * WIDTH, min(panel * WIDTH + WIDTH, n))
            low, high = walk.first[columns[0]], walk.last[columns[-1]]
            links = slice(first.indptr[columns[0]], first.indptr[columns[-1] + 1])
            here[low:high] = 0
            here[first.indices[links], walkers[links] - panel * WIDTH] = first.data[links]
            sums = total[panel * WIDTH : panel * WIDTH + WIDTH]
            for _ in range(T - 1):
                _squared_product_kernel(low, high, p.indptr, p.indices, p.data, here, there, squares, sums)
                here, there = there, here
        spare.append(room)

    map_blocks(of_panels, walk.n_panels, monitor, _STAGE, block=1)
    return total[:n]


def gram_product(walk: Walk, panels: NDArray) -> NDArray:
    """G times one panel, by place: (n, WIDTH). `panels` (T + 1, n, WIDTH) are overwritten; the first holds the one.

    With U_t = (P^T)^t X, G X = P (U_1 + P (U_2 + ... + P U_T)).
    """
    n, p, q = len(walk), walk.forward, walk.backward
    for here, there in pairwise(panels):
        _product_kernel(0, n, q.indptr, q.indices, q.data, here, there)
    here, there = panels[-1], panels[0]
    for ahead in panels[-2:0:-1]:
        _added_product_kernel(p.indptr, p.indices, p.data, here, ahead, there)
        here, there = there, here
    _product_kernel(0, n, p.indptr, p.indices, p.data, here, there)
    return there


def reciprocal_root(values: NDArray) -> NDArray[np.float64]:
    """1 / sqrt(x), and 0 where x is 0."""
    return np.divide(1.0, np.sqrt(values, dtype=np.float64), out=np.zeros(len(values)), where=values > 0)


@njit(cache=True, nogil=True)
def _product_kernel(low, high, indptr, indices, data, panel, out):
    """Rows low..high of the sparse matrix times one panel."""
    for i in range(low, high):
        add_rows(indices, data, indptr[i], indptr[i + 1], panel, out, i)


@njit(cache=True, nogil=True)
def _added_product_kernel(indptr, indices, data, panel, added, out):
    """The sparse matrix times one panel, and another panel added."""
    for i in range(len(indptr) - 1):
        add_rows(indices, data, indptr[i], indptr[i + 1], panel, out, i)
        for j in range(WIDTH):
            out[i, j] += added[i, j]


@njit(cache=True, nogil=True)
def _squared_product_kernel(low, high, indptr, indices, data, panel, out, squares, total):
    """`_product_kernel`, and the squares of what comes out added to one sum a column; `squares` is scratch."""
    for first in range(low, high, _SQUARES):
        squares[:] = 0
        for i in range(first, min(first + _SQUARES, high)):
            add_squared_rows(indices, data, indptr[i], indptr[i + 1], panel, out, i, squares)
        for j in range(WIDTH):
            total[j] += squares[j]


@njit(cache=True, nogil=True)
def _first_kernel(steps, gram, target, start, stop):
    """Panels start..stop of U: target = (P U)^T, a square tile at a time, but for tiles that nothing leads to."""
    indptr, indices, data, begins, leads_to, last = steps
    tile = np.empty((WIDTH, WIDTH), gram.dtype)
    for panel in range(start, stop):
        for other in range(len(gram)):
            if leads_to[other] <= panel:
                _tile(other, indptr[:-1], begins[panel + 1], indices, data, gram[panel], tile)
                _turn(tile, target[other], panel * WIDTH)


@njit(cache=True, nogil=True)
def _second_kernel(steps, source, gram, start, stop):
    """Panels start..stop of (P U)^T: the tiles of R on and above the diagonal; on it R + R^T."""
    indptr, indices, data, begins, leads_to, last = steps
    tile = np.empty((WIDTH, WIDTH), gram.dtype)
    for panel in range(start, stop):
        row = panel * WIDTH
        low = begins[leads_to[panel]]
        for other in range(panel, (last[min(row + WIDTH, len(last)) - 1] + WIDTH - 1) // WIDTH):
            _tile(other, low, indptr[1:], indices, data, source[panel], tile)
            _turn(tile, gram[other], row)
            if other == panel:
                _add_tile(tile, gram[panel], row)


@njit(cache=True, nogil=True)
def _third_kernel(steps, source, gram, start, stop):
    """Panels start..stop of (P U)^T: what R has below the diagonal, added above it."""
    indptr, indices, data, begins, leads_to, last = steps
    tile = np.empty((WIDTH, WIDTH), gram.dtype)
    for panel in range(start, stop):
        low = begins[leads_to[panel]]
        for other in range(panel):
            rows = slice(other * WIDTH, other * WIDTH + WIDTH)
            if (low[rows] < indptr[1:][rows]).any():
                _tile(other, low, indptr[1:], indices, data, source[panel], tile)
                _add_tile(tile, gram[panel], other * WIDTH)


@njit(cache=True, nogil=True)
def _mirror_kernel(gram, start, stop):
    """Fill in the tiles of panels start..stop that are below the diagonal."""
    for panel in range(start, stop):
        for other in range(panel + 1, len(gram)):
            _turn(gram[other, panel * WIDTH : panel * WIDTH + WIDTH], gram[panel], other * WIDTH)


@njit(cache=True, nogil=True)
def _tile(other, begins, ends, indices, data, panel, tile):
    """WIDTH rows of the sparse matrix, their entries begins..ends, times one panel; 0 beyond the last row."""
    row = other * WIDTH
    height = min(WIDTH, len(ends) - row)
    for i in range(height):
        add_rows(indices, data, begins[row + i], ends[row + i], panel, tile, i)
    tile[height:] = 0


@njit(cache=True, nogil=True)
def _turn(tile, target, row):
    """Rows row, row + 1, ... of the target = the columns of a tile."""
    lanes = VECTOR // tile.itemsize
    for j in range(0, WIDTH, lanes):
        for i in range(0, WIDTH, lanes):
            turn_square(tile, i, j, target, row + j, i)


@njit(cache=True, nogil=True)
def _add_tile(tile, target, row):
    """Add a tile to rows row, row + 1, ... of the target."""
    for i in range(WIDTH):
        for j in range(WIDTH):
            target[row + i, j] += tile[i, j]


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
