"""The iterates of Algorithm 1 of Jia et al. 2023, collapsed onto microclusters and advanced in place."""

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..runtime.blocks import map_blocks
from ..runtime.monitor import SILENT, Monitor
from .laplacian_system import LaplacianSystem

_STAGE = "enhancing the matrix"
#: Pairs (i, j) and (j, i) meet in tiles of this side.
TILE = 64


class Iterates:
    """C, E, F, Y1 and Y2 in three matrices.

    After every step E = Y1 / lambda off the locked pairs and 0 on them, so Y1 holds both. Z, which is C + Y2
    before the projection, holds F = min(max((Z + Z^T) / 2, 0), 1) and Y2 = Z - F.

    Parameters
    ----------
    similarity : (n, n)
        A.
    co_association : (n, n)
    locking : float
        Pairs whose co-association reaches it are locked, C_ij = A_ij.
    sizes : (n,) float64
        Objects in each microcluster, r.
    lam : float
        Weight of ||E||^2.
    """

    def __init__(self, similarity: NDArray, co_association: NDArray, locking: np.floating, sizes: NDArray, lam: float):
        dtype = similarity.dtype.type
        self.similarity, self.meetings, self.locking = similarity, co_association, locking
        self.sizes, self.lam, self.shrink = sizes.astype(dtype), dtype(lam), dtype(1 / (1 + lam))
        self.error_share = dtype(0)
        self.c, self.y1, self.z = np.zeros_like(similarity), similarity.copy(), np.zeros_like(similarity)
        self.squares = np.zeros((10, len(similarity)))
        self.width = 256 if len(similarity) > 1024 else 128  # wide strips miss less, if all threads get some

    def start_from(self, matrix: NDArray, system: LaplacianSystem) -> None:
        """Take C from a solution nearby, and from its optimality 2 Phi C = Y1 - Y2 the multipliers it implies."""
        self.c[:] = matrix
        system.gradient(matrix, self.y1)
        self._over_tiles(
            lambda a, b: _multipliers_kernel(
                a, b, self.c, self.y1, self.z, self.similarity, self.meetings, self.locking, self.lam
            )
        )
        self.error_share = 1 / self.lam

    def step(self, system: LaplacianSystem, monitor: Monitor = SILENT) -> NDArray[np.float64]:
        """One iteration: updates C, E, Y1 (eqs. 9, 11, 14), then F, Y2 (eqs. 13, 14).

        Returns
        -------
        (2, 5) float64
            Squared norms over pairs of objects: how far C, E and F moved, and how far A is from C + E and C
            from F; below each the size of what it is measured against (C, E, F, Y1, Y2 before the step).
        """
        map_blocks(lambda a, b: self._solve_columns(a, b, system), len(self.c), monitor, _STAGE, block=self.width)
        self.error_share = 1 / self.lam
        self._over_tiles(lambda a, b: _project_kernel(a, b, self.c, self.z, self.sizes, self.squares), monitor)
        return self.squares.sum(axis=1)[[[0, 2, 6, 4, 8], [1, 3, 7, 5, 9]]]

    def symmetric(self, out: NDArray) -> NDArray:
        """(C + C^T) / 2, in `out`, which may be C itself."""
        if out is not self.c:
            out[:] = self.c
        self._over_tiles(lambda a, b: _symmetrise_kernel(a, b, out))
        return out

    def _solve_columns(self, start: int, stop: int, system: LaplacianSystem) -> None:
        """Columns start..stop of C, E and Y1."""
        panel = np.empty((len(self.c), stop - start), self.c.dtype)
        pairs = (self.similarity, self.meetings, self.locking)
        _right_sides_kernel(start, stop, *pairs, self.error_share, self.y1, self.z, system.position, panel)
        system.solve(panel)
        _absorb_kernel(
            start,
            stop,
            panel,
            system.position,
            *pairs,
            self.error_share,
            self.lam,
            self.shrink,
            self.sizes,
            self.c,
            self.y1,
            self.squares,
        )

    def _over_tiles(self, kernel: Callable[[int, int], object], monitor: Monitor = SILENT) -> None:
        map_blocks(kernel, len(self.c), monitor, _STAGE, block=TILE)


@njit(cache=True, nogil=True)
def _right_sides_kernel(start, stop, similarity, meetings, locking, error_share, y1, z, position, panel):
    """Columns start..stop of A - E + Y1 + F - Y2, rows at their `position`."""
    n, width = len(z), stop - start
    zero, two = z.dtype.type(0), z.dtype.type(2)
    flipped = np.empty((TILE, width), z.dtype)
    for top in range(0, n, TILE):
        bottom = min(top + TILE, n)
        flipped[: bottom - top] = z[start:stop, top:bottom].T
        for i in range(top, bottom):
            a, h, y = similarity[i, start:stop], meetings[i, start:stop], y1[i, start:stop]
            here, there, out = z[i, start:stop], flipped[i - top], panel[position[i]]
            for k in range(width):
                share = zero if h[k] >= locking else error_share
                f_twice = min(max(here[k] + there[k], zero), two)
                out[k] = a[k] - share * y[k] + y[k] + f_twice - here[k]


@njit(cache=True, nogil=True)
def _absorb_kernel(
    start, stop, panel, position, similarity, meetings, locking, error_share, lam, shrink, sizes, c, y1, squares
):
    """Take over columns start..stop of C, and update E and Y1 from them."""
    width, zero = stop - start, lam * 0
    work, sums = np.zeros((7, width), c.dtype), np.zeros((6, width), c.dtype)
    squares[:6, start:stop] = 0
    for i in range(len(sizes)):
        a, h, new = similarity[i, start:stop], meetings[i, start:stop], panel[position[i]]
        old, y = c[i, start:stop], y1[i, start:stop]
        for k in range(width):
            gap = a[k] - new[k]
            e_old = zero if h[k] >= locking else error_share * y[k]
            e = zero if h[k] >= locking else shrink * (gap + y[k])
            work[0, k], work[1, k] = new[k] - old[k], old[k]
            work[2, k], work[3, k] = e - e_old, e_old
            work[4, k], work[5, k] = gap - e, y[k]
            work[6, k] = y[k] + gap if h[k] >= locking else lam * e
        y[:] = work[6]
        old[:] = new
        _add_squares(sizes[i], work, sums)
        if i % TILE == TILE - 1 or i == len(sizes) - 1:
            _flush(sums, sizes[start:stop], squares[:6, start:stop])


@njit(cache=True, nogil=True)
def _add_squares(weight, work, sums):
    """Add weighted squares, entry by entry: sums that stay apart can be taken side by side."""
    for q in range(len(sums)):
        for k in range(sums.shape[1]):
            sums[q, k] += weight * (work[q, k] * work[q, k])


@njit(cache=True, nogil=True)
def _flush(sums, weights, squares):
    """Move the weighted sums of a tile into float64."""
    for q in range(len(sums)):
        for k in range(len(weights)):
            squares[q, k] += np.float64(sums[q, k]) * weights[k]
        sums[q] = 0


@njit(cache=True, nogil=True)
def _project_kernel(start, stop, c, z, sizes, squares):
    """Update Z, and with it F and Y2, for pairs (i, j) and (j, i), i in start..stop and j from its tile on."""
    work, sums, total = np.zeros((6, TILE), z.dtype), np.zeros((6, TILE), z.dtype), np.zeros((6, TILE))
    z_flipped, c_flipped = np.empty((TILE, TILE), z.dtype), np.empty((TILE, TILE), z.dtype)
    for left in range(start, len(z), TILE):
        right = min(left + TILE, len(z))
        height, width = stop - start, right - left
        z_flipped[:height, :width] = z[left:right, start:stop].T
        c_flipped[:height, :width] = c[left:right, start:stop].T
        for i in range(start, stop):
            _project_row(c[i, left:right], c_flipped[i - start], z[i, left:right], z_flipped[i - start], work)
            _add_squares(sizes[i], work, sums)
        if left > start:
            _flush(sums, sizes[left:right], total)
            z[left:right, start:stop] = z_flipped[:height, :width].T
        else:  # a tile on the diagonal holds both (i, j) and (j, i)
            _flush(sums, sizes[left:right] / 2, total)
    for k in range(stop - start):
        squares[6, start + k], squares[7, start + k] = 2 * total[0, k], 2 * total[1, k]
        squares[8, start + k], squares[9, start + k] = total[2, k] + total[3, k], total[4, k] + total[5, k]


@njit(cache=True, nogil=True)
def _project_row(c, c_flipped, z, z_flipped, work):
    """Z = C + Y2 for some pairs and their mirror images; dF, F, C - F and Y2 go to `work`."""
    zero, half, one = z.dtype.type(0), z.dtype.type(0.5), z.dtype.type(1)
    for k in range(len(z)):
        f_old = min(max(half * (z[k] + z_flipped[k]), zero), one)
        y, y_flipped = z[k] - f_old, z_flipped[k] - f_old
        f = min(max(half * (c[k] + y + c_flipped[k] + y_flipped), zero), one)
        work[0, k], work[1, k] = f - f_old, f_old
        work[2, k], work[3, k] = c[k] - f, c_flipped[k] - f
        work[4, k], work[5, k] = y, y_flipped
    for k in range(len(z)):
        z[k] = c[k] + work[4, k]
    for k in range(len(z)):
        z_flipped[k] = c_flipped[k] + work[5, k]


@njit(cache=True, nogil=True)
def _multipliers_kernel(start, stop, c, y1, z, similarity, meetings, locking, lam):
    """Y1 and Z from C and the gradient 2 Phi C = Y1 - Y2 that comes in `y1`; what a bound holds back is in Y2."""
    for left in range(start, len(c), TILE):
        for i in range(start, stop):
            for j in range(max(i, left), min(left + TILE, len(c))):
                smooth, twist = (y1[i, j] + y1[j, i]) / 2, (y1[i, j] - y1[j, i]) / 2
                y = smooth if meetings[i, j] >= locking else lam * (similarity[i, j] - c[i, j])
                held = 0 * y
                if c[i, j] <= 0:
                    held = min(y - smooth, 0)
                elif c[i, j] >= 1:
                    held = max(y - smooth, 0)
                y1[i, j] = y1[j, i] = y
                f = min(max(c[i, j], 0), 1) + held
                z[i, j], z[j, i] = f - twist, f + twist


@njit(cache=True, nogil=True)
def _symmetrise_kernel(start, stop, c):
    """Means of the pairs (i, j) and (j, i), i in start..stop and j > i."""
    for left in range(start, len(c), TILE):
        for i in range(start, stop):
            for j in range(max(i, left), min(left + TILE, len(c))):
                c[i, j] = c[j, i] = (c[i, j] + c[j, i]) / 2
