"""The iterates of Algorithm 1 of Jia et al. 2023, collapsed onto microclusters and advanced in place."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..runtime.blocks import map_blocks, n_threads
from ..runtime.monitor import SILENT, Monitor
from .laplacian_system import TILE, LaplacianSystem, TiledPairs, flip, half

_STAGE = "enhancing the matrix"
#: Where a row keeps its sums of squares, ten of them, and what of the next right-hand side is known already.
_KNOWN = 10 * TILE
#: Tiles of scratch: C and Z of the mirror image, flipped, and F.
_C, _Z, _F = range(3)


class Iterates:
    """C, E, F, Y1 and Y2 in four matrices, in tiles.

    After every step E = Y1 / lambda off the locked pairs and 0 on them, so Y1 holds both. Z, which is C + Y2 before the
    projection, holds F = min(max((Z + Z^T) / 2, 0), 1) and Y2 = Z - F. Beside Y1 and Z there are C before the step and
    the right-hand sides A - E + Y1 + F - Y2, which the step turns into the new C.
    """

    def __init__(self, pairs: TiledPairs, lam: float):
        kind = pairs.dtype.type
        self.pairs, self.lam, self.shrink = pairs, kind(lam), kind(1 / (1 + lam))
        self.error_share = kind(0)
        self.c, self.sides, self.y1, self.z = (pairs.zeros() for _ in range(4))
        self.squares = np.zeros((pairs.n_tiles, 10))
        self.width = min(4, -(-pairs.n_tiles // (2 * n_threads())))  # few tiles: two tasks a thread, not one a tile
        map_blocks(lambda a, b: _begin_kernel(a, b, pairs.given, self.y1, self.sides), pairs.n_tiles, block=1)

    def start_from(self, matrix: NDArray, gradient: NDArray) -> None:
        """Take C from a solution nearby, and from its optimality 2 Phi C = Y1 - Y2 the multipliers it implies."""
        pairs = self.pairs
        pairs.tiled(matrix, self.c)
        pairs.tiled(gradient, self.y1)
        self.error_share = 1 / self.lam
        constants = pairs.given, pairs.locked, self.lam, self.error_share
        map_blocks(
            lambda a, b: _multipliers_kernel(a, b, *constants, self.c, self.sides, self.y1, self.z),
            pairs.n_tiles,
            block=1,
        )

    def step(self, system: LaplacianSystem, monitor: Monitor = SILENT) -> NDArray[np.float64]:
        """One iteration: updates C, E, Y1 (eqs. 9, 11, 14), then F, Y2 (eqs. 13, 14).

        Squared norms over pairs of objects come back, (2, 5): how far C, E and F moved, and how far A is from C + E and
        C from F; below each the size of what it is measured against (C, E, F, Y1, Y2 before the step).
        """
        n_tiles, width = self.pairs.n_tiles, self.width
        map_blocks(lambda a, b: self._solve(a, b, system), n_tiles, monitor, _STAGE, block=width)
        self.c, self.sides = self.sides, self.c
        pairs = self.pairs
        constants = pairs.given, pairs.locked, pairs.locking, pairs.sizes, self.error_share, self.lam, self.shrink
        matrices = self.c, self.sides, self.y1, self.z, self.squares
        map_blocks(lambda a, b: _advance_kernel(a, b, *constants, *matrices), n_tiles, monitor, _STAGE, block=width)
        self.error_share = 1 / self.lam
        return self.squares.sum(axis=0)[[[0, 2, 6, 4, 8], [1, 3, 7, 5, 9]]]

    def _solve(self, start: int, stop: int, system: LaplacianSystem) -> None:
        """Right-hand sides become solutions, a block of columns at a time."""
        for s in range(start, stop):
            system.solve(self.sides[s].reshape(-1, TILE))


@njit(cache=True, nogil=True)
def _begin_kernel(start, stop, given, y1, sides):
    """Y1 = A, and 2 A on the right-hand side: all else is 0."""
    for s in range(start, stop):
        for u in range(s, len(y1)):
            tile = given[half(s, u)]
            y1[s, u], sides[s, u] = tile, tile + tile
            y1[u, s], sides[u, s] = tile.T, tile.T + tile.T


@njit(cache=True, nogil=True)
def _advance_kernel(start, stop, given, locked, locking, sizes, error_share, lam, shrink, c, sides, y1, z, squares):
    """All but the solution of the system, for tiles [s, u] and their mirror images, s in start..stop and u >= s."""
    scratch, row = np.empty((3, TILE, TILE), c.dtype), np.empty(11 * TILE, c.dtype)
    lock_back = np.empty((TILE, TILE), np.bool_)
    weights = error_share, lam, shrink
    for s in range(start, stop):
        squares[s] = 0
        of_s = sizes[s * TILE : (s + 1) * TILE]
        for u in range(s, len(c)):
            of_u, here = sizes[u * TILE : (u + 1) * TILE], half(s, u)
            flip(c[u, s], scratch[_C])
            flip(z[u, s], scratch[_Z])
            _project(of_u, c[s, u], scratch[_C], z[s, u], scratch[_Z], scratch[_F], row)
            _flush(row, of_s, 6, 8, 1 if u == s else 2, squares[s])
            _flush(row, of_s, 8, 10, 0.5 if u == s else 1, squares[s])  # there the tile is its own mirror image
            parts = weights, c[s, u], z[s, u], scratch[_F], row, y1[s, u], sides[s, u], squares[s]
            _relax(of_u, of_s, given[here], locked[here], locking[here], *parts)
            if u > s:
                flip(scratch[_Z], z[u, s])
                flip(scratch[_F], scratch[_C])
                flip(given[here], scratch[_Z])
                if locking[here]:
                    flip(locked[here], lock_back)
                parts = weights, c[u, s], z[u, s], scratch[_C], row, y1[u, s], sides[u, s], squares[s]
                _relax(of_s, of_u, scratch[_Z], lock_back, locking[here], *parts)


@njit(cache=True, nogil=True)
def _project(of_rows, c, c_flipped, z, z_flipped, f, row):
    """Z = C + Y2 for the pairs of a tile and their mirror images, F, and the squares of dF, F, C - F and Y2.

    Rows are told by two indices, here and below: a view of each would cost more than what is done with it.
    """
    zero, half_, one = z.dtype.type(0), z.dtype.type(0.5), z.dtype.type(1)
    row[:_KNOWN] = 0
    for i in range(TILE):
        weight = of_rows[i]
        for k in range(TILE):
            f_old = min(max(half_ * (z[i, k] + z_flipped[i, k]), zero), one)
            y, y_flipped = z[i, k] - f_old, z_flipped[i, k] - f_old
            new, new_flipped = c[i, k] + y, c_flipped[i, k] + y_flipped
            f_new = min(max(half_ * (new + new_flipped), zero), one)
            moved, gap, gap_flipped = f_new - f_old, c[i, k] - f_new, c_flipped[i, k] - f_new
            row[6 * TILE + k] += weight * (moved * moved)
            row[7 * TILE + k] += weight * (f_old * f_old)
            row[8 * TILE + k] += weight * (gap * gap + gap_flipped * gap_flipped)
            row[9 * TILE + k] += weight * (y * y + y_flipped * y_flipped)
            z[i, k], z_flipped[i, k], f[i, k] = new, new_flipped, f_new


@njit(cache=True, nogil=True)
def _relax(of_rows, of_columns, given, locked, locking, weights, c, z, f, row, y1, sides, squares):
    """E and Y1 of a tile, and its next right-hand sides, which take the place of C before the step."""
    row[:_KNOWN] = 0
    for i in range(TILE):
        if locking:
            _relax_row(i, of_rows[i], given, locked, weights, c, row, y1)
        else:  # most tiles have no locked pair
            _relax_row(i, of_rows[i], given, None, weights, c, row, y1)
        _side_row(i, of_rows[i], c, z, f, row, sides)
    _flush(row, of_columns, 0, 6, 1, squares)


@njit(cache=True, nogil=True)
def _relax_row(i, weight, given, locked, weights, c, row, y1):
    """E and Y1 of some pairs; A - E + Y1, and the squares of dE, E, A - C - E and Y1, go to `row`."""
    error_share, lam, shrink = weights
    zero = c.dtype.type(0)
    for k in range(TILE):
        gap, y = given[i, k] - c[i, k], y1[i, k]
        free = locked is None or not locked[i, k]
        e_old = error_share * y if free else zero
        e = shrink * (gap + y) if free else zero
        y_new = lam * e if free else gap + y
        moved, missing = e - e_old, gap - e
        row[2 * TILE + k] += weight * (moved * moved)
        row[3 * TILE + k] += weight * (e_old * e_old)
        row[4 * TILE + k] += weight * (missing * missing)
        row[5 * TILE + k] += weight * (y * y)
        row[_KNOWN + k] = given[i, k] - e + y_new
        y1[i, k] = y_new


@njit(cache=True, nogil=True)
def _side_row(i, weight, c, z, f, row, sides):
    """Right-hand sides of some pairs where C was before the step; the squares of dC and C go to `row`."""
    two = z.dtype.type(2)
    for k in range(TILE):
        old = sides[i, k]
        moved = c[i, k] - old
        row[k] += weight * (moved * moved)
        row[TILE + k] += weight * (old * old)
        sides[i, k] = row[_KNOWN + k] + two * f[i, k] - z[i, k]


@njit(cache=True, nogil=True)
def _flush(row, weights, first, last, factor, squares):
    """Add some sums of a tile to those of the matrix, in float64."""
    for q in range(first, last):
        total = 0.0
        for k in range(TILE):
            total += np.float64(row[q * TILE + k]) * weights[k]
        squares[q] += factor * total


@njit(cache=True, nogil=True)
def _multipliers_kernel(start, stop, given, locked, lam, error_share, c, sides, y1, z):
    """Y1, Z and right-hand sides from C and 2 Phi C = Y1 - Y2, given in `y1`; what a bound holds back is in Y2."""
    for s in range(start, stop):
        for u in range(s, len(c)):
            a, lock = given[half(s, u)], locked[half(s, u)]
            for i in range(TILE):
                for k in range(i if s == u else 0, TILE):
                    near, far, at = y1[s, u, i, k], y1[u, s, k, i], c[s, u, i, k]
                    smooth, twist = (near + far) / 2, (near - far) / 2
                    y = smooth if lock[i, k] else lam * (a[i, k] - at)
                    held = 0 * y
                    if at <= 0:
                        held = min(y - smooth, 0)
                    elif at >= 1:
                        held = max(y - smooth, 0)
                    f = min(max(at, 0), 1) + held
                    inside = min(max(f, 0), 1)
                    known = a[i, k] + (y if lock[i, k] else y - error_share * y) + 2 * inside
                    y1[s, u, i, k] = y1[u, s, k, i] = y
                    z[s, u, i, k], z[u, s, k, i] = f - twist, f + twist
                    sides[s, u, i, k], sides[u, s, k, i] = known - f + twist, known - f - twist
