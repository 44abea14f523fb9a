"""What methods that learn a graph of k components share; no method itself.

The smoothest vectors on a weighted graph whose nodes may stand for many objects each, and the clusters that are its
components, mended where there are not k of them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ..ensemble import Ensemble
from ..graphs.library_calls import smallest_eigenvectors
from ..pairs.counts import co_association
from ..runtime.monitor import SILENT, Monitor, Quiet
from ..trees.agglomeration import linkage
from ..trees.dendrograms import cut

#: The k smallest eigenvalues add up to more: fewer than k components. The k + 1 smallest to less: more than k.
_TOO_FEW, _TOO_MANY = 1e-9, 1e-11


@dataclass(frozen=True, eq=False)
class LearntGraph:
    """A graph between microclusters and how it came to be.

    Attributes
    ----------
    graph : (n, n) float64
        S, symmetric, non-negative; what is linked belongs together.
    settled : bool
        Whether it has k components.
    breaches : int
        Rounds, the start among them, in which vectors that part the objects of a microcluster would have come first
        (see `SmoothVectors`).
    """

    graph: NDArray[np.float64]
    settled: bool
    breaches: int


@dataclass(frozen=True, eq=False)
class SmoothVectors:
    """Eigenvectors of L = D - S on objects, read off the graph between their groups.

    `values` (k + 1,) are the smallest eigenvalues whose vectors are constant on every group, `vectors` (n, k) F,
    `inside` the smallest whose vectors part the objects of one group, inf if every group is one object.
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


def has_components(graph: NDArray[np.float64], k: int) -> bool:
    """Whether what is linked makes up k components: eigenvalues next to 0 may be those of weak links, or rounding."""
    return connected_components(sparse.csr_array(graph > 0), directed=False)[0] == k


def smooth_vectors(graph: NDArray[np.float64], sizes: NDArray, k: int, monitor: Monitor = SILENT) -> SmoothVectors:
    """The k smallest eigenvectors of the Laplacian, k < n; the graph's diagonal is the weight inside a group.

    D_i = sum_j r_j S_ij; eigenvectors of diag(D) - R^1/2 S R^1/2, over sqrt(r), are those of the objects that are
    constant on groups. The rest, r_i - 1 for each group, have the eigenvalue D_i. O(n^3): components make eigenvalues
    repeat, which iterative solvers miss.
    """
    root, degrees = np.sqrt(sizes), graph @ sizes
    laplacian = -graph * root
    laplacian *= root[:, None]
    laplacian[np.diag_indices_from(laplacian)] += degrees
    values, vectors = smallest_eigenvectors(laplacian, k, monitor)
    inside = degrees[np.asarray(sizes) > 1].min(initial=np.inf)
    return SmoothVectors(values, np.ascontiguousarray(vectors / root[:, None]), float(inside))


def component_clusters(
    graph: NDArray[np.float64],
    similarity: NDArray,
    sizes: NDArray[np.int64],
    n_clusters: int,
    monitor: Monitor = SILENT,
) -> NDArray[np.int32]:
    """Components of a graph; the most similar are merged, or the least coherent split, until there are k.

    Parameters
    ----------
    graph : (n, n) float64
        Links are entries above 0.
    similarity : (n, n) float
        By which components are merged, and split, both by average link; the diagonal is not read.
    sizes : (n,) int64
        Objects each node stands for.
    n_clusters : int
        k, at most n.
    monitor : Monitor, optional
        Receives `repaired`, the merges or splits it took.

    Returns
    -------
    (n,) int32
        Labels 0..k - 1, none empty.
    """
    found, labels = connected_components(sparse.csr_array(graph > 0), directed=False)
    monitor.record("repaired", abs(found - n_clusters))
    asked = Quiet(lambda: monitor.tick("mending components", 0, 1))
    if found > n_clusters:
        share = np.zeros((found, len(labels)))
        share[labels, np.arange(len(labels))] = sizes
        weight = share.sum(axis=1)
        means = (share @ similarity @ share.T) / np.outer(weight, weight)
        return cut(linkage(means, weight.astype(np.int64), monitor=asked), n_clusters)[labels]
    if found < n_clusters:
        inside = np.where(labels[:, None] == labels, similarity, -1).astype(similarity.dtype)
        return cut(linkage(inside, sizes, monitor=asked, overwrite=True), n_clusters)
    return labels.astype(np.int32)


def learnt_partition(ensemble: Ensemble, n_clusters: int, learnt: LearntGraph, monitor: Monitor) -> NDArray[np.int32]:
    """Take the graph's components, (N,); average link on the co-association mends their number."""
    monitor.record("learnt_graph", learnt.graph)
    monitor.record("unsettled", int(not learnt.settled))
    monitor.record("breaches", learnt.breaches)
    micro, similarity = ensemble.microclusters, co_association(ensemble, monitor)
    return micro.expand(component_clusters(learnt.graph, similarity, micro.sizes, n_clusters, monitor))
