"""Meta-clustering: group the clusters themselves, then let each object follow the group it is in most.

Strehl and Ghosh, "Cluster ensembles - a knowledge reuse framework for combining multiple partitions", JMLR 3, 2002,
Section 3.4.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..clusters.overlaps import participation
from ..consensus import ConsensusMethod, always
from ..ensemble import Ensemble
from ..ensemble.renumbering import first_appearance
from ..graphs.metis_cuts import metis_partition
from ..medians.restarts import fill_empty_parts
from ..params import Params
from ..runtime.errors import InvalidParameterError
from ..runtime.memory import require_memory
from ..runtime.monitor import SILENT, Monitor


def cluster_jaccard(ensemble: Ensemble, monitor: Monitor = SILENT) -> sparse.csr_array:
    """Jaccard index of every two clusters, objects in both / objects in either.

    Parameters
    ----------
    ensemble : Ensemble
    monitor : Monitor, optional

    Returns
    -------
    (K, K) csr_array of float64
        Symmetric; only pairs that share objects are stored, each with itself (1) included.

    Raises
    ------
    TooLargeError

    References
    ----------
    strehl2002, Section 3.4.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 1]])
    >>> cluster_jaccard(ensemble).toarray().round(2).tolist()
    [[1.0, 0.0, 0.5, 0.25], [0.0, 1.0, 0.0, 0.67], [0.5, 0.0, 1.0, 0.0], [0.25, 0.67, 0.0, 1.0]]
    """
    monitor.tick("comparing clusters", 0, 1)
    pairs = min(ensemble.n_clusters_total**2, len(ensemble.microclusters) * ensemble.n_clusterings**2)
    require_memory("the overlaps of clusters", 32 * pairs)
    clusters = ensemble.clusters
    shared = (clusters.incidence().T @ clusters.incidence(ensemble.microclusters.sizes)).tocoo()
    row, column = shared.coords
    sizes = ensemble.cluster_sizes
    jaccard = shared.data / (sizes[row] + sizes[column] - shared.data)
    monitor.tick("comparing clusters", 1, 1)
    return sparse.csr_array((jaccard, (row, column)), shape=shared.shape)


@dataclass(frozen=True)
class MCLAParams(Params):
    """MCLA has no parameters."""


def mcla(
    ensemble: Ensemble, n_clusters: int, params: MCLAParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Cut the graph of clusters (Jaccard) into k meta-clusters; objects join the one they take part in most."""
    micro = ensemble.microclusters
    if n_clusters == len(micro):
        monitor.record("repaired", 0)
        return micro.assignment
    if n_clusters > ensemble.n_clusters_total:
        raise InvalidParameterError(
            f"n_clusters must be at most {ensemble.n_clusters_total}, the clusters of all base clusterings together. "
            f"Got {n_clusters}"
        )
    jaccard = cluster_jaccard(ensemble, monitor)
    groups, n_repaired = metis_partition(jaccard, ensemble.cluster_sizes, n_clusters, rng, monitor)
    share = participation(ensemble, first_appearance(groups))
    labels, n_unloved = fill_empty_parts(
        share.argmax(axis=1), micro.sizes, n_clusters, lambda members: share[members].max(axis=1)
    )
    monitor.record("repaired", n_repaired + n_unloved)
    return micro.expand(labels)


METHOD = ConsensusMethod(
    key="mcla",
    title="MCLA",
    formula=(
        r"s_{ab} = \frac{|C_a \cap C_b|}{|C_a \cup C_b|}, \qquad \text{object } i \to \arg\max_{g \le <k>} "
        r"\frac{1}{|g|} \sum_{C \in g} [i \in C]"
    ),
    try_this="take few base clusterings, and see how one odd cluster changes a whole group.",
    params=MCLAParams,
    run=mcla,
    reference="strehl2002",
    family="graphs",
    needs=frozenset({"pymetis"}),
    balanced=always,
    takes_missing=True,
    summary="Groups clusters that cover the same objects, and gives each object to the group it lies in most.",
)
