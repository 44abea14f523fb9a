"""ECMC, a reconstruction: complete the certain part of the co-association, and cut its tree.

Yi, Yang, Jin, Jain and Mahdavi, "Robust ensemble clustering by matrix completion", ICDM 2012.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..evidence.matrix_completion import CompletionParams, completed_co_association
from ..params import same_as
from ..runtime.monitor import Monitor
from ..trees.agglomeration import linkage
from ..trees.dendrograms import cut
from .eac import EACParams


@dataclass(frozen=True)
class ECMCParams(CompletionParams):
    """Parameters of ECMC: those of the completion, and the linkage of EAC."""

    linkage: Literal["average", "complete", "single"] = same_as(
        EACParams,
        "linkage",
        "How similar two groups are: the mean, lowest or highest completed entry of their objects.",
    )


def ecmc(
    ensemble: Ensemble, n_clusters: int, params: ECMCParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Complete, then merge what meets most. Objects whose rows were erased stay single until late."""
    micro = ensemble.microclusters
    completed = completed_co_association(ensemble, params.smallest, params.low, params.high, monitor)
    monitor.record("completed", completed.matrix)
    monitor.record("unsettled", int(not completed.settled))
    monitor.record("smallest_group", completed.smallest)
    tree = linkage(completed.matrix, micro.sizes, params.linkage, monitor, overwrite=True)
    monitor.record("dendrogram", tree)
    return micro.expand(cut(tree, n_clusters))


METHOD = ConsensusMethod(
    key="ecmc",
    title="ECMC (reconstruction)",
    formula=(
        r"\min_X \lVert X \rVert_* + C \lVert E \rVert_1 \quad \text{with } X + E = \begin{cases} 1 & "
        r"a_{ij} \ge <high> \\ 0 & a_{ij} \le <low> \end{cases}"
    ),
    try_this="bring the two thresholds together: less is filled in, and more is taken as it is.",
    params=ECMCParams,
    run=ecmc,
    reference="yi2012ecmc",
    family="learnt",
    needs=frozenset({"dense"}),
    summary="Keeps the pairs nearly all clusterings agree on, fills in the others so that few groups explain all, and "
    "merges what then meets most. Rebuilt from the paper's idea.",
)
