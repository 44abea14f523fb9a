"""Sharpened graphs: angles between the rows of a factor, to a power that leaves the small ones.

Liu, Lin, Yan, Sun, Yu and Ma, "Robust recovery of subspace structures by low-rank representation", IEEE TPAMI 35(1),
2013, Section 5, as the codes of DREC and RSEC have it.
"""

import numpy as np
from numpy.typing import NDArray

#: Singular values below this share of the largest are left out.
_LEAST_SHARE = 1e-4


def sharpened_graph(vectors: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights of links between all rows: W = (U U')^4 by elements, U the rows of vectors * sqrt(values) at length 1.

    Parameters
    ----------
    vectors, values : (n, d), (d,) float64
        Left singular vectors and singular values of what is sharpened, largest first.

    Returns
    -------
    (n, n) float64
        Symmetric, in [0, 1], diagonal 1 but for rows of zeros.
    """
    real = values > _LEAST_SHARE * values[0]
    rows = vectors[:, real] * np.sqrt(values[real])
    rows *= reciprocal(np.linalg.norm(rows, axis=1))[:, None]
    graph = rows @ rows.T
    np.square(graph, out=graph)
    return np.square(graph, out=graph)


def degree_scaled(graph: NDArray[np.float64], sizes: NDArray) -> NDArray[np.float64]:
    """Overwrite W with R^1/2 D^-1/2 W D^-1/2 R^1/2, D = diag(W r): its eigenvectors over sqrt(r) are the objects'."""
    scale = np.sqrt(sizes * reciprocal(graph @ sizes))
    graph *= scale
    graph *= scale[:, None]
    return graph


def reciprocal(values: NDArray) -> NDArray:
    """1 / x, and 0 where x is 0.

    Parameters
    ----------
    values : array of float64

    Returns
    -------
    array of float64
        Of the same shape.
    """
    return np.divide(1.0, values, out=np.zeros(values.shape), where=values > 0)
