"""The smoothest vectors on a weighted graph whose nodes may stand for many objects each."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: The k smallest eigenvalues add up to more: fewer than k components. The k + 1 smallest to less: more than k.
_TOO_FEW, _TOO_MANY = 1e-9, 1e-11


@dataclass(frozen=True, eq=False)
class SmoothVectors:
    """Eigenvectors of L = D - S on objects, read off the graph between their groups.

    Attributes
    ----------
    values : (k + 1,) float64
        The smallest eigenvalues whose vectors are constant on every group.
    vectors : (n, k) float64
        F: the first k of them, an object's entry for each group.
    inside : float
        The smallest eigenvalue whose vectors part the objects of one group, inf if every group is one object.
    """

    values: NDArray[np.float64]
    vectors: NDArray[np.float64]
    inside: float

    @property
    def wanting(self) -> int:
        """1 where the graph has fewer than k components, -1 where it has more, 0 where it has k."""
        if self.values[:-1].sum() > _TOO_FEW:
            return 1
        return -1 if self.values.sum() < _TOO_MANY else 0

    @property
    def breached(self) -> bool:
        """Whether a vector inside a group would have come before the last of `vectors`."""
        return bool(self.values[-2] >= self.inside)


def smooth_vectors(graph: NDArray[np.float64], sizes: NDArray, k: int) -> SmoothVectors:
    """The k smallest eigenvectors of the Laplacian.

    D_i = sum_j r_j S_ij; eigenvectors of diag(D) - R^1/2 S R^1/2, over sqrt(r), are those of the objects that are
    constant on groups. The rest, r_i - 1 for each group, have the eigenvalue D_i.

    Parameters
    ----------
    graph : (n, n) float64
        Symmetric, non-negative; the diagonal is the weight between two objects of one group.
    sizes : (n,)
        Objects in each group, r.
    k : int
        Less than n.

    Notes
    -----
    O(n^3): components make eigenvalues repeat, which iterative solvers miss.
    """
    root, degrees = np.sqrt(sizes), graph @ sizes
    laplacian = -graph * root
    laplacian *= root[:, None]
    laplacian[np.diag_indices_from(laplacian)] += degrees
    values, vectors = np.linalg.eigh(laplacian)
    inside = degrees[np.asarray(sizes) > 1].min(initial=np.inf)
    return SmoothVectors(values[: k + 1], np.ascontiguousarray(vectors[:, :k] / root[:, None]), float(inside))
