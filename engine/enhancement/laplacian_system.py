"""The linear system of EC-CMS, (2 Phi + 2 I) C = B, collapsed onto microclusters: factored once, solved often."""

from typing import Protocol

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.sparse.linalg import splu

from ..runtime.blocks import map_blocks
from ..runtime.monitor import SILENT, Monitor
from .tiled_pairs import TILE

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
