"""The linear system of EC-CMS, (2 Phi + 2 I) C = B, collapsed onto microclusters: factored once, solved often."""

from typing import Protocol

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.sparse.linalg import splu

from ..runtime.blocks import map_blocks
from ..runtime.monitor import SILENT, Monitor

#: Side of a tile: four tiles of every matrix of the iteration stay in the nearer caches.
TILE = 128


class TiledPairs:
    """What every iteration reads, once for a pair (i, j) and (j, i): A, and which pairs are locked.

    A matrix of this room is (t, t, TILE, TILE), [s, u] the rows of block u in the columns of block s, so that the
    columns of a block lie one after the other; nodes stand at their `position`, and what is beyond them is 0. A tile is
    contiguous: a row of n floats would put every row of a tile on another page of memory.

    `given` and `locked` (t (t + 1) / 2, TILE, TILE) are A, and whether co-association reaches `locking`, for [s, u], s
    <= u, at `half(s, u)`; `locking` becomes whether a tile has a locked pair. `order` (n,) is the node at each
    position, `sizes` (t TILE,) r by position. Five eighths of an n x n matrix of float32, the matrices given not kept.
    """

    def __init__(
        self,
        similarity: NDArray,
        co_association: NDArray,
        locking: np.floating,
        sizes: NDArray[np.float64],
        position: NDArray[np.int64],
    ):
        n, self.dtype = len(position), similarity.dtype
        self.n_tiles = -(-n // TILE)
        self.order = np.argsort(position)
        self.sizes = np.zeros(self.n_tiles * TILE, self.dtype)
        self.sizes[:n] = sizes[self.order]
        shape = (self.n_tiles * (self.n_tiles + 1) // 2, TILE, TILE)
        self.given, self.locked = np.zeros(shape, self.dtype), np.zeros(shape, np.bool_)
        pairs = similarity, co_association, locking, self.order, self.given, self.locked
        map_blocks(lambda a, b: _gather_kernel(a, b, *pairs), self.n_tiles, block=1)
        self.locking = self.locked.any(axis=(1, 2))

    def zeros(self) -> NDArray:
        """A matrix in tiles."""
        return np.zeros((self.n_tiles, self.n_tiles, TILE, TILE), self.dtype)

    def tiled(self, matrix: NDArray, out: NDArray) -> None:
        """Put an n x n matrix into tiles."""
        map_blocks(lambda a, b: _tile_kernel(a, b, matrix, self.order, out), self.n_tiles, block=1)

    def symmetric(self, tiles: NDArray, monitor: Monitor = SILENT) -> NDArray:
        """(C + C^T) / 2 as an n x n matrix, nodes in the order given."""
        n = len(self.order)
        out = np.empty((n, n), self.dtype)
        kernel = _symmetrise_kernel
        map_blocks(lambda a, b: kernel(a, b, tiles, self.order, out), self.n_tiles, monitor, "reading the matrix", 1)
        return out


@njit(cache=True, nogil=True)
def half(s, u):
    """Place of the tile [s, u], s <= u, where one of two mirror images is kept."""
    return u * (u + 1) // 2 + s


@njit(cache=True, nogil=True)
def flip(tile, out):
    """Transpose a tile, by small squares: a column of the whole would fall out of the nearest cache."""
    for left in range(0, TILE, 16):
        for top in range(0, TILE, 16):
            for i in range(top, top + 16):
                for k in range(left, left + 16):
                    out[i, k] = tile[k, i]


@njit(cache=True, nogil=True)
def _gather_kernel(start, stop, similarity, co_association, locking, order, given, locked):
    """Tiles [s, u] for the rows of blocks u in start..stop."""
    n = len(order)
    for u in range(start, stop):
        for s in range(u + 1):
            tile, lock = given[half(s, u)], locked[half(s, u)]
            for i in range(u * TILE, min((u + 1) * TILE, n)):
                row, near = similarity[order[i]], co_association[order[i]]
                for k in range(s * TILE, min((s + 1) * TILE, n)):
                    tile[i - u * TILE, k - s * TILE] = row[order[k]]
                    lock[i - u * TILE, k - s * TILE] = near[order[k]] >= locking


@njit(cache=True, nogil=True)
def _tile_kernel(start, stop, matrix, order, out):
    """Tiles with the columns of blocks start..stop."""
    n = len(order)
    for s in range(start, stop):
        for i in range(n):
            row, tile = matrix[order[i]], out[s, i // TILE]
            for k in range(s * TILE, min((s + 1) * TILE, n)):
                tile[i % TILE, k - s * TILE] = row[order[k]]


@njit(cache=True, nogil=True)
def _symmetrise_kernel(start, stop, tiles, order, out):
    """Rows of blocks start..stop: means of a tile and its mirror image."""
    n = len(order)
    for u in range(start, stop):
        for s in range(len(tiles)):
            tile, mirrored = tiles[s, u], tiles[u, s]
            for i in range(u * TILE, min((u + 1) * TILE, n)):
                row = out[order[i]]
                for k in range(s * TILE, min((s + 1) * TILE, n)):
                    row[order[k]] = (tile[i - u * TILE, k - s * TILE] + mirrored[k - s * TILE, i - u * TILE]) / 2


#: A component of at least so many nodes whose links fill more than this share of its matrix is inverted densely:
#: there a product with the inverse overtakes the sparse factors.
_DENSE_FROM, _DENSE_SHARE = 256, 1 / 16
#: Columns eliminated at a time by the inversion.
_PANEL = 128
_STAGE = "factoring the high-confidence graph"


class LinkedNodes(Protocol):
    """What is asked of a graph H: symmetric weights (n, n) from a threshold on, and objects in each node, r (n,)."""

    @property
    def co_association(self) -> NDArray: ...  # noqa: D102
    @property
    def threshold(self) -> np.floating: ...  # noqa: D102
    @property
    def sizes(self) -> NDArray[np.float64]: ...  # noqa: D102
    @property
    def component(self) -> NDArray[np.int64]: ...  # noqa: D102
    @property
    def n_links(self) -> NDArray[np.int64]: ...  # noqa: D102

    def links(self, nodes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """Rows of H for some nodes, in CSR form: indptr, columns (numbers of all n nodes) and values."""


class LaplacianSystem:
    """diag(2 H r + 2) - 2 H diag(r), diagonally dominant, as sparse triangular factors and dense inverses.

    A fill-reducing order keeps the factors some 60 times smaller than the matrix on the high-confidence graphs of real
    ensembles, and splits them by connected component by itself. Factors are found in float64 and kept in the type of
    the iterates. `position` (n,) is the row of each node in the panels that `solve` takes: sparse components first,
    then the dense ones.
    """

    def __init__(self, graph: LinkedNodes, monitor: Monitor = SILENT):
        self.dtype = graph.co_association.dtype
        is_dense = _dense_components(graph)[graph.component]
        self.position = np.empty(len(is_dense), np.int64)
        monitor.tick(_STAGE, 0, 1)
        self._lower, self._upper, self._reciprocal = self._factorise(graph, np.flatnonzero(~is_dense))
        self._blocks = self._invert(graph, np.flatnonzero(is_dense), monitor)
        monitor.tick(_STAGE, 1, 1)

    def solve(self, panel: NDArray) -> None:
        """Replace TILE right-hand sides, (n or more, TILE) with rows at their `position`, by their solutions."""
        lower, upper = self._lower, self._upper
        _substitute_kernel(
            lower.indptr, lower.indices, lower.data, upper.indptr, upper.indices, upper.data, self._reciprocal, panel
        )
        for where, inverse in self._blocks:
            panel[where] = inverse @ panel[where]

    def _factorise(
        self, graph: LinkedNodes, nodes: NDArray[np.int64]
    ) -> tuple[sparse.csr_array, sparse.csr_array, NDArray]:
        """Sparse LU of the system over some nodes: what is off the diagonals of L and U, and 1 / the diagonal of U."""
        if not len(nodes):
            nothing = sparse.csr_array((0, 0), dtype=self.dtype)
            return nothing, nothing, np.empty(0, self.dtype)
        lu = splu(_sparse(graph, nodes), "MMD_AT_PLUS_A", diag_pivot_thresh=0, options={"SymmetricMode": True})
        self.position[nodes] = lu.perm_c
        lower, upper = sparse.tril(lu.L, -1, format="csr"), sparse.triu(lu.U, 1, format="csr")
        diagonal = lu.U.diagonal()
        return lower.astype(self.dtype), upper.astype(self.dtype), (1 / diagonal).astype(self.dtype)

    def _invert(self, graph: LinkedNodes, nodes: NDArray[np.int64], monitor: Monitor) -> list[tuple[slice, NDArray]]:
        """Inverses of the system over the dense components, with their positions after the sparse ones."""
        blocks, first = [], len(self.position) - len(nodes)
        component = graph.component[nodes]
        for c in np.unique(component):
            members = nodes[component == c]
            where = slice(first, first + len(members))
            self.position[members] = np.arange(where.start, where.stop)
            inverse = _dense(graph, members)
            invert(inverse, monitor)
            blocks.append((where, inverse.astype(self.dtype, copy=False)))
            first = where.stop
        return blocks


def laplacian_gradient(graph: LinkedNodes, matrix: NDArray) -> NDArray:
    """2 Phi C, Phi = diag(H r) - H diag(r), for C = `matrix`: (n, n)."""
    indptr, columns, values = graph.links(np.arange(len(matrix)))
    out = np.empty_like(matrix)
    map_blocks(lambda a, b: _gradient_kernel(a, b, indptr, columns, values, graph.sizes, matrix, out), len(matrix))
    return out


def _sparse(graph: LinkedNodes, nodes: NDArray[np.int64]) -> sparse.csc_array:
    """The system over whole components."""
    indptr, columns, values = graph.links(nodes)
    number = np.zeros(len(graph.sizes), np.int32)
    number[nodes] = np.arange(len(nodes), dtype=np.int32)
    links = sparse.csr_array((values, number[columns], indptr.astype(np.int32)), shape=(len(nodes),) * 2)
    sizes = graph.sizes[nodes]
    system = sparse.diags_array(2 * (links @ sizes) + 2) - links @ sparse.diags_array(2 * sizes)
    return sparse.csc_array(system)


def _dense(graph: LinkedNodes, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
    """The system over one component, read off the co-association without a list of its links."""
    out = np.empty((len(nodes), len(nodes)))
    map_blocks(
        lambda a, b: _dense_kernel(a, b, graph.co_association, graph.threshold, graph.sizes, nodes, out), len(nodes)
    )
    return out


def invert(matrix: NDArray[np.float64], monitor: Monitor = SILENT) -> None:
    """Invert a diagonally dominant matrix in place, a panel of columns at a time.

    Block Gauss-Jordan elimination; dominance makes pivoting needless. Rows are updated in threads, which one
    LAPACK call on one thread could not do, and the monitor is asked after every panel.
    """
    n = len(matrix)
    for start in range(0, n, _PANEL):
        monitor.tick("inverting a dense component", start, n)
        panel = slice(start, min(start + _PANEL, n))
        pivot = linalg.inv(matrix[panel, panel])
        column = matrix[:, panel].copy()
        matrix[:, panel] = 0
        row = pivot @ matrix[panel]
        row[:, panel], column[panel] = pivot, 0
        _eliminate(matrix, column, row)
        matrix[panel] = row


def _eliminate(matrix: NDArray, column: NDArray, row: NDArray) -> None:
    """Take a panel out of all rows."""

    def of_rows(start: int, stop: int) -> None:
        matrix[start:stop] -= column[start:stop] @ row

    map_blocks(of_rows, len(matrix), block=_PANEL)


def _dense_components(graph: LinkedNodes) -> NDArray[np.bool_]:
    """Which components are better inverted: (n_components,)."""
    counts = np.bincount(graph.component)
    links = np.bincount(graph.component, weights=graph.n_links)
    return (counts >= _DENSE_FROM) & (links > _DENSE_SHARE * counts.astype(np.float64) ** 2)


@njit(cache=True, nogil=True)
def _substitute_kernel(l_ptr, l_columns, lower, u_ptr, u_columns, upper, reciprocal, panel):
    """Forward and back substitution for all TILE columns of the panel at once."""
    n = len(reciprocal)
    for i in range(n):
        _subtract_rows(i, l_ptr[i], l_ptr[i + 1], l_columns, lower, panel)
    for i in range(n - 1, -1, -1):
        _subtract_rows(i, u_ptr[i], u_ptr[i + 1], u_columns, upper, panel)
        for k in range(TILE):
            panel[i, k] *= reciprocal[i]


@njit(cache=True, nogil=True)
def _subtract_rows(i, t, end, columns, data, panel):
    """Take entries t..end of a sparse row, times the panel, from its row i; four rows of the panel at a time."""
    while t + 4 <= end:
        a, b, c, d = columns[t], columns[t + 1], columns[t + 2], columns[t + 3]
        p, q, r, s = data[t], data[t + 1], data[t + 2], data[t + 3]
        for k in range(TILE):
            panel[i, k] -= p * panel[a, k] + q * panel[b, k] + r * panel[c, k] + s * panel[d, k]
        t += 4
    while t < end:
        a, p = columns[t], data[t]
        for k in range(TILE):
            panel[i, k] -= p * panel[a, k]
        t += 1


@njit(cache=True, nogil=True)
def _dense_kernel(start, stop, co_association, threshold, sizes, nodes, out):
    """Rows of diag(2 H r + 2) - 2 H diag(r) over nodes that no other node is linked with."""
    for a in range(start, stop):
        degree = 0.0
        for b in range(len(nodes)):
            value = co_association[nodes[a], nodes[b]]
            link = np.float64(value) * sizes[nodes[b]] if value >= threshold else 0.0
            degree += link
            out[a, b] = -2 * link
        out[a, a] += 2 * degree + 2


@njit(cache=True, nogil=True)
def _gradient_kernel(start, stop, indptr, columns, values, sizes, matrix, out):
    """Rows of 2 diag(H r) C - 2 H diag(r) C."""
    for i in range(start, stop):
        out[i] = 0
        for t in range(indptr[i], indptr[i + 1]):
            other, weight = columns[t], out.dtype.type(2 * values[t] * sizes[columns[t]])
            for j in range(out.shape[1]):
                out[i, j] += weight * (matrix[i, j] - matrix[other, j])
