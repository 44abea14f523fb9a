"""Trees of merges, and cutting them into exactly k clusters."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..runtime.errors import InvalidParameterError


@dataclass(frozen=True, eq=False)
class Dendrogram:
    """A merge tree over n leaves, most similar merge first.

    Attributes
    ----------
    merges : (n - 1, 2) int32
        Nodes joined by each merge: leaves are 0..n-1, merge t creates node n + t.
    similarities : (n - 1,) float64
        Similarity at which each merge happens; never increasing.
    sizes : (n,) int64
        Objects each leaf stands for.
    """

    merges: NDArray[np.int32]
    similarities: NDArray[np.float64]
    sizes: NDArray[np.int64]

    @property
    def n_leaves(self) -> int:
        """N."""
        return len(self.sizes)

    @property
    def n_tied_merges(self) -> int:
        """Merges at exactly the similarity of another merge: a rule, not the data, decides which of them comes first.

        With complete link the rule may also decide what they join.
        """
        tied = np.diff(self.similarities) == 0
        return int((np.append(tied, False) | np.append(False, tied)).sum())


def cut(tree: Dendrogram, n_clusters: int) -> NDArray[np.int32]:
    """Labels of the leaves after the n - k most similar merges.

    Parameters
    ----------
    tree : Dendrogram
        Over n leaves.
    n_clusters : int
        k in 1..n.

    Returns
    -------
    (n,) int32
        0..k-1 by first appearance: exactly k clusters, also where heights tie. Of tied merges, those that
        stand first in the tree are applied (see `linkage`).

    Raises
    ------
    InvalidParameterError
        If k is not in 1..n.

    Examples
    --------
    >>> tree = Dendrogram(np.array([[0, 1], [2, 3], [4, 5]], np.int32), np.array([0.5] * 3), np.ones(4, np.int64))
    >>> cut(tree, 3).tolist()
    [0, 0, 1, 2]
    """
    n = tree.n_leaves
    if not 1 <= n_clusters <= n:
        raise InvalidParameterError(f"n_clusters must be in 1..{n:,}, the leaves of the tree. Got {n_clusters}")
    labels = np.empty(n, np.int32)
    _cut_kernel(tree.merges, n - n_clusters, np.arange(2 * n - 1), labels)
    return labels


def cut_all(tree: Dendrogram, n_clusters: Iterable[int]) -> NDArray[np.int32]:
    """Cuts of one tree into several numbers of clusters: (n, len(n_clusters)).

    Parameters
    ----------
    tree : Dendrogram
        Of n leaves.
    n_clusters : iterable of int
        Each in 1..n.

    Returns
    -------
    (n, len(n_clusters)) int32
        Each column what `cut` gives.

    Raises
    ------
    InvalidParameterError
        If a number of clusters is not in 1..n.
    """
    return np.stack([cut(tree, k) for k in n_clusters], axis=1)


def tied_at_cut(tree: Dendrogram, n_clusters: int, tolerance: float = 1e-7) -> bool:
    """Whether the last merge applied and the first one left out have the same similarity.

    Then other partitions into k clusters are as good, and a rule rather than the data chose this one.

    Parameters
    ----------
    tree : Dendrogram
        Of n leaves.
    n_clusters : int
        k, in 1..n.
    tolerance : float
        Similarities that differ by no more are the same.

    Returns
    -------
    bool
        False where k is 1 or n: there is nothing to choose.
    """
    last = tree.n_leaves - n_clusters
    if not 0 < last < tree.n_leaves - 1:
        return False
    return bool(tree.similarities[last - 1] - tree.similarities[last] <= tolerance)


@njit(cache=True, nogil=True)
def _cut_kernel(merges, n_applied, root, labels):
    """Hand the roots of the applied merges down to the leaves, and number them by first appearance."""
    n = len(labels)
    for t in range(n_applied - 1, -1, -1):
        root[merges[t, 0]] = root[n + t]
        root[merges[t, 1]] = root[n + t]
    number = np.full(len(root), -1, np.int32)
    following = 0
    for i in range(n):
        if number[root[i]] < 0:
            number[root[i]] = following
            following += 1
        labels[i] = number[root[i]]
