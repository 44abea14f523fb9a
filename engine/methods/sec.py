"""Spectral ensemble clustering: the normalised cut of the co-association matrix, found by weighted k-means.

Liu, Wu, Liu, Tao and Fu, "Spectral ensemble clustering via weighted k-means: theoretical and practical evidence",
IEEE TKDE 29(5), 2017.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..medians.label_kmeans import LabelRows, kmeans_on_labels
from ..params import Params, param
from ..runtime.monitor import Monitor


@dataclass(frozen=True)
class SECParams(Params):
    """Parameters of SEC."""

    starts: int = param(
        20,
        symbol="starts",
        doc="How often it begins anew, from other microclusters; the best is kept. One start is no result.",
        raising="Raising it finds better partitions, and takes as much longer.",
        concept="sec_starts",
        low=1,
        high=1000,
        slider=(1, 100),
    )


def sec(
    ensemble: Ensemble, n_clusters: int, params: SECParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Divide each object's labels by w, the sum of its clusters' sizes, and separate them with weights w.

    The objective is the normalised cut of the co-association matrix, diagonal included: k - sum_a |c_a|^2 / vol_a,
    with c_a the counts of cluster a in all base clusters and vol_a the sum of w over its members. Many starts and
    single moves are additions of ours: the paper makes one start, and lets emptied clusters vanish. A missing label is
    a meeting that did not happen: rows have fewer entries, and w fewer terms.
    """
    micro = ensemble.microclusters
    degrees = np.add.reduceat(ensemble.cluster_sizes[ensemble.clusters.ids], ensemble.clusters.start[:-1])
    rows = LabelRows.of(ensemble, spread=degrees, one_mass=True)
    runs = kmeans_on_labels(rows, n_clusters, params.starts, True, rng, monitor)
    runs.tell(n_clusters - runs.totals, monitor)
    return micro.expand(runs.labels)


METHOD = ConsensusMethod(
    key="sec",
    title="SEC",
    formula=(
        r"\mathrm{Ncut} = <k> - \sum_{a=1}^{<k>} \frac{\lVert \sum_{i \in a} b_i \rVert^2}{\sum_{i \in a} "
        r"w_i}, \qquad w_i = \sum_{m=1}^{<M>} |c_m(i)|"
    ),
    try_this="raise the number of starts, and see whether the best one was luck.",
    params=SECParams,
    run=sec,
    reference="liu2017sec",
    family="medians",
    takes_missing=True,
    summary="Cuts the graph of how often objects meet where it is thinnest, by k-means on the labels instead of "
    "eigenvectors.",
)
