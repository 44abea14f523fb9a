"""ECMC, a reconstruction: complete the certain part of the co-association, and cut its tree.

Yi, Yang, Jin, Jain and Mahdavi, "Robust ensemble clustering by matrix completion", ICDM 2012.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..evidence import completed_co_association
from ..monitor import Monitor
from ..params import Params, param, same_as
from ..partition import cut, linkage
from .eac import EACParams


@dataclass(frozen=True)
class ECMCParams(Params):
    """Parameters of ECMC."""

    smallest: int | None = param(
        None,
        symbol="smallest group",
        word="",
        doc="The smallest group of objects that survives; smaller ones are erased. Automatic: the root of N times the "
        "share of pairs that are certain.",
        raising="Raising it erases larger groups, and noise with them.",
        concept="ecmc_smallest",
        low=1,
        slider=(1, 100),
    )
    low: float = param(
        0.2,
        symbol="low",
        doc="Pairs that meet in at most this share of the base clusterings are taken as apart.",
        raising="Raising it strikes out fewer pairs.",
        concept="ecmc_low",
        low=0.0,
        high=1.0,
        slider=(0.0, 0.5),
    )
    high: float = param(
        0.8,
        symbol="high",
        doc="Pairs that meet in at least this share of the base clusterings are taken as together.",
        raising="Raising it strikes out more pairs.",
        concept="ecmc_high",
        low=0.0,
        high=1.0,
        slider=(0.5, 1.0),
    )
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
