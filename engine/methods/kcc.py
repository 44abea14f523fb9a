"""K-means-based consensus clustering: the partition that shares most with all base clusterings, found by k-means.

Wu, Liu, Xiong, Cao and Chen, "K-means-based consensus clustering: a unified view", IEEE TKDE 27(1), 2015.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..medians.label_kmeans import LabelRows, affordable_swaps, clustering_weights, kmeans_on_labels
from ..params import Params, param
from ..runtime.monitor import Monitor


@dataclass(frozen=True)
class KCCParams(Params):
    """Parameters of KCC."""

    utility: Literal["U_c", "U_H", "NU_c", "NU_H"] = param(
        "U_c",
        symbol="U",
        word="utility",
        doc="What two partitions share: U_c counts pairs (squared distances), U_H information (entropies in bits); "
        "NU_c weighs base clusterings by one over their sum of squared shares, so that many even clusters count more; "
        "NU_H by one over their entropy, so that they count no more than others.",
    )
    starts: int = param(
        8,
        symbol="starts",
        doc="How often it begins anew, from other microclusters; the best is kept.",
        raising="Raising it finds better partitions, and takes as much longer.",
        concept="kcc_starts",
        low=1,
        high=1000,
        slider=(1, 50),
    )
    polish: bool = param(
        True,
        symbol="polish",
        doc="Move single microclusters after k-means has settled, then try to swap whole clusters, the fewer the more "
        "microclusters there are. The published results come without.",
    )


def kcc(
    ensemble: Ensemble, n_clusters: int, params: KCCParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Separate the microclusters by their labels: total distance (U_c) or entropy (U_H) is the objective.

    Single moves, random swaps (Fränti, 2018) and starts that are distinct microclusters are additions of ours: the
    published code starts from objects, two of which may coincide, and stops after 40 rounds. Where labels are missing a
    base clustering is compared on the objects it saw, which is the paper's reading of incomplete ones.
    """
    micro = ensemble.microclusters
    entropic = params.utility.endswith("H")
    rows = LabelRows.of(ensemble, weights=clustering_weights(ensemble, params.utility), entropic=entropic)
    n_swaps = affordable_swaps(len(micro)) if params.polish else 0
    runs = kmeans_on_labels(rows, n_clusters, params.starts, params.polish, rng, monitor, n_swaps)
    runs.tell((0.0 if entropic else ensemble.cluster_sizes @ rows.values) - runs.totals, monitor)
    return micro.expand(runs.labels)


METHOD = ConsensusMethod(
    key="kcc",
    title="KCC",
    formula=(
        r"\max_{\pi} \sum_{m=1}^{<M>} \frac{1}{<M>}\, U(\pi, \pi_m), \qquad U_c = \sum_a p_a \lVert P_{m|a} "
        r"\rVert^2 - \lVert P_m \rVert^2"
    ),
    try_this="change the utility from U_c to U_H, and look at the starts: how many reach the best?",
    params=KCCParams,
    run=kcc,
    reference="wu2015kcc",
    family="medians",
    takes_missing=True,
    summary="Lets k-means work on the labels themselves, so that each cluster's members have base clusters in common.",
)
