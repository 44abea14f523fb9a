"""Matrices of pairs in square tiles, in the order of the linear system: a tile and its mirror image fit the cache."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

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
