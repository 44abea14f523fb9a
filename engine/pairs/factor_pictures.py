"""Pictures of co-association matrices at any number of objects: block means from profiles of blocks.

Where S = B diag(w) B' / M, the mean of S over rows R and columns C is sum_c w_c p_R(c) p_C(c) / M, p_R(c) being the
share of R that lies in cluster c. No pair of objects is looked at, and w may change while the profiles stay.
"""

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..ensemble import Ensemble
from ..ensemble.ensembles import require_complete
from ..params import require_integer
from ..runtime.blocks import single_threaded_libraries
from ..runtime.errors import InvalidParameterError


def block_profiles(ensemble: Ensemble, objects: ArrayLike, n_blocks: int) -> NDArray[np.float64]:
    """Share of every block of consecutive objects that lies in every cluster.

    Parameters
    ----------
    ensemble : Ensemble
        Without missing labels.
    objects : (a,) int
        Objects in the order in which they are shown.
    n_blocks : int
        At most so many blocks, of equal size up to one object; one object each where a is no larger.

    Returns
    -------
    (min(a, n_blocks), K) float64
        The profiles; those of a base clustering sum to 1.

    Raises
    ------
    InvalidParameterError
        If an object is none of 0..N - 1, or there is not one block at least.
    MissingEvidenceError
        If labels are missing: the matrix has no such factor then.

    Notes
    -----
    O(a M) time; memory for the result.

    Examples
    --------
    >>> block_profiles(Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 1]]), range(4), 2).tolist()
    [[1.0, 0.0, 0.5, 0.5], [0.0, 1.0, 0.0, 1.0]]
    """
    require_complete(ensemble, "a profile of a block")
    objects, n_blocks = np.asarray(objects, dtype=np.int64), require_integer("n_blocks", n_blocks, 1)
    if len(objects) and not 0 <= objects.min() <= objects.max() < ensemble.n_objects:
        raise InvalidParameterError(f"objects must lie in 0 to {ensemble.n_objects - 1:,}")
    n_blocks = min(n_blocks, len(objects))
    profiles = np.zeros((n_blocks, ensemble.n_clusters_total))
    clusters = ensemble.clusters
    table = clusters.ids.reshape(len(clusters.weights), -1)
    _count_kernel(objects, ensemble.microclusters.assignment, table, profiles)
    profiles /= profiles[:, : ensemble.n_clusters_each[0]].sum(axis=1, keepdims=True)
    return profiles


def block_means(rows: NDArray, columns: NDArray, weights: NDArray, n_clusterings: int) -> NDArray[np.float64]:
    """Means of a weighted co-association matrix over blocks of pairs: what `Microclusters.block_means` says of it.

    Parameters
    ----------
    rows, columns : (a, K), (b, K) float64
        From `block_profiles`.
    weights : (K,) float
        Weight of every cluster; 1 for the co-association.
    n_clusterings : int
        M.

    Returns
    -------
    (a, b) float64

    Notes
    -----
    O(a b K) time, in one product of matrices.

    Examples
    --------
    >>> profiles = block_profiles(Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 1]]), range(4), 2)
    >>> block_means(profiles, profiles, np.ones(4), 2).tolist()
    [[0.75, 0.25], [0.25, 1.0]]
    """
    scaled = rows * (np.asarray(weights) / n_clusterings)
    with single_threaded_libraries():  # a second thread of BLAS waits busily for longer than a picture takes
        return scaled @ columns.T


@njit(cache=True, nogil=True)
def _count_kernel(objects, assignment, table, counts):
    """Objects of every block in every cluster."""
    n, n_blocks = len(objects), len(counts)
    for place in range(n):
        block = counts[place * n_blocks // n]
        for c in table[assignment[objects[place]]]:
            block[c] += 1
