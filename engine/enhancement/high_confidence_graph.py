"""The graph H of the pairs that nearly all base clusterings keep together (Jia et al. 2023)."""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError, shown


def high_confidence(co_association: NDArray, alpha: float = 0.8) -> NDArray:
    """Co-association of the pairs that meet in at least a share alpha of the base clusterings, 0 elsewhere.

    h_ij = a_ij if a_ij >= alpha, else 0   (eq. 2)

    Parameters
    ----------
    co_association : (n, n) float32 or float64
        Plain co-association, counts over M.
    alpha : float
        In [0, 1].

    Returns
    -------
    (n, n) array
        A new array of the same type, symmetric; its diagonal is 1.

    Raises
    ------
    InvalidParameterError
        If alpha is out of its range or the matrix is none.

    Notes
    -----
    alpha is rounded to the type of the matrix before they are compared: rounding keeps order, so that
    14 of 20 passes alpha = 0.7 in float32 too.

    References
    ----------
    jia2023eccms, Section III-A.

    Examples
    --------
    >>> high_confidence(np.array([[1, 0.7, 0.2], [0.7, 1, 0.6], [0.2, 0.6, 1]]), alpha=0.7).tolist()
    [[1.0, 0.7, 0.0], [0.7, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    co_association = np.asarray(co_association)
    check_square("co_association", co_association)
    out = np.empty_like(co_association)
    threshold = confidence_threshold(alpha, co_association.dtype)
    map_blocks(lambda start, stop: _keep_kernel(start, stop, co_association, threshold, out), len(out))
    return out


def confidence_threshold(alpha: float, dtype: np.dtype) -> np.floating:
    """The smallest co-association of that type that counts as alpha."""
    if not 0 <= alpha <= 1:
        raise InvalidParameterError(f"alpha must be a number in [0, 1]. Got {alpha!r}")
    return dtype.type(alpha - 1e-9)


def check_square(name: str, matrix: NDArray) -> None:
    """Refuse what is no square matrix of floats."""
    there = isinstance(matrix, np.ndarray)
    if not there or matrix.ndim != 2 or len(set(matrix.shape)) != 1 or matrix.dtype not in (np.float32, np.float64):
        got = f"{matrix.dtype} {matrix.shape}" if there else shown(matrix)
        raise InvalidParameterError(f"{name} must be a square float32 or float64 matrix. Got {got}")


@dataclass(frozen=True, eq=False)
class HighConfidenceGraph:
    """H as a graph on microclusters, read off the co-association matrix (n, n) from a threshold on.

    The threshold is infinite for a graph without links; `sizes` (n,) are r; `component` (n,) is numbered by lowest
    node; `n_links` (n,) counts the entries of each row of H.
    """

    co_association: NDArray
    threshold: np.floating
    sizes: NDArray[np.float64]
    component: NDArray[np.int64]
    n_links: NDArray[np.int64]

    @classmethod
    def of(cls, co_association: NDArray, threshold: np.floating, sizes: NDArray) -> "HighConfidenceGraph":
        """Find the links and the components."""
        n = len(sizes)
        component, n_links = np.full(n, -1, np.int64), np.zeros(n, np.int64)
        _components_kernel(co_association, threshold, np.empty(n, np.int64), component, n_links)
        return cls(co_association, threshold, sizes, component, n_links)

    @property
    def n_components(self) -> int:
        """Connected components."""
        return int(self.component.max()) + 1

    def links(self, nodes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """Rows of H for some nodes, in CSR form: indptr, columns (numbers of all n nodes) and values."""
        indptr = np.concatenate([[0], np.cumsum(self.n_links[nodes])])
        columns, values = np.empty(indptr[-1], np.int32), np.empty(indptr[-1])
        map_blocks(
            lambda a, b: _links_kernel(a, b, self.co_association, self.threshold, nodes, indptr, columns, values),
            len(nodes),
        )
        return indptr, columns, values


@njit(cache=True, nogil=True)
def _keep_kernel(start, stop, co_association, threshold, out):
    """Copy what reaches the threshold."""
    for i in range(start, stop):
        for j in range(out.shape[1]):
            value = co_association[i, j]
            out[i, j] = value if value >= threshold else 0


@njit(cache=True, nogil=True)
def _components_kernel(co_association, threshold, queue, component, n_links):
    """Breadth-first search from the lowest node not seen (-1); counts the links on the way."""
    n = len(component)
    n_found = 0
    for first in range(n):
        if component[first] >= 0:
            continue
        component[first] = n_found
        queue[0] = first
        head, tail = 0, 1
        while head < tail:
            i = queue[head]
            head += 1
            for j in range(n):
                if co_association[i, j] >= threshold and co_association[i, j] > 0:
                    n_links[i] += 1
                    if component[j] < 0:
                        component[j] = n_found
                        queue[tail] = j
                        tail += 1
        n_found += 1


@njit(cache=True, nogil=True)
def _links_kernel(start, stop, co_association, threshold, nodes, indptr, columns, values):
    """List the entries of some rows."""
    for a in range(start, stop):
        t = indptr[a]
        for j in range(co_association.shape[1]):
            value = co_association[nodes[a], j]
            if value >= threshold and value > 0:
                columns[t] = j
                values[t] = value
                t += 1
