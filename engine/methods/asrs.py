"""Approximate SimRank-based similarity: clusters are alike by the links they share, in one step.

Iam-On and Garrett, "LinkCluE: a MATLAB package for link-based cluster ensembles", J. Statistical Software 36(9), 2010.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..clusters.shared_neighbours import approximate_simrank
from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..params import param
from ..runtime.monitor import Monitor
from .wct import DecayedTreeParams, cut_tree_of_clusters


@dataclass(frozen=True)
class ASRSParams(DecayedTreeParams):
    """Parameters of ASRS: decay, linkage, and which clusters escape the decay."""

    variant: Literal["paper", "published-code"] = param(
        "paper",
        symbol="variant",
        concept="asrs_variant",
        doc="Let every two different clusters decay, or, as the published code does, all but the most alike.",
    )


def asrs(
    ensemble: Ensemble, n_clusters: int, params: ASRSParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Compare all clusters by the links they share, and merge objects whose clusters are alike.

    Microclusters are kept whole. That is a choice: by this similarity an object may be more alike to others than to
    those of its own microcluster, and the published trees part some.
    """
    between = approximate_simrank(ensemble, params.dc, params.variant == "published-code", monitor)
    return cut_tree_of_clusters(ensemble, between, "all", params.linkage, n_clusters, monitor)


METHOD = ConsensusMethod(
    key="asrs",
    title="ASRS",
    formula=(
        r"F_{aa} = 1, \quad F_{ab} = \frac{<dc>}{\max} \sum_{c \ne a, b} \frac{J_{ac} J_{bc}}{\nu_a \nu_b}, \quad "
        r"J \text{ Jaccard}, \qquad S_{ij} = \frac{1}{<M>^2} \sum_{C \ni i} \sum_{C' \ni j} F_{C C'}"
    ),
    try_this="set dc to 0.1 and to 1: it scales every likeness of two different clusters.",
    params=ASRSParams,
    run=asrs,
    reference="iamon2010linkclue",
    family="trees",
    needs=frozenset({"dense"}),
    pictures=frozenset({"cluster_similarity"}),
    summary="Like SRS in a single step: clusters are alike if they share their neighbours, and objects if their "
    "clusters are.",
)
