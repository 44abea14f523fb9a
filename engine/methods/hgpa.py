"""Hypergraph partitioning: every cluster is a hyperedge, and as few of them as can be are cut.

Strehl and Ghosh, "Cluster ensembles - a knowledge reuse framework for combining multiple partitions", JMLR 3, 2002,
Section 3.3. The paper cuts with hMETIS, which is not free; here Mt-KaHyPar does, with the same objective.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..consensus import ConsensusMethod, always
from ..ensemble import Ensemble
from ..medians.restarts import fill_empty_parts
from ..params import Params
from ..runtime.errors import InvalidParameterError, PartitionerError
from ..runtime.monitor import SILENT, Monitor
from ..runtime.side_process import SideProcessError, solve_aside

_WORKER = Path(__file__).parents[1] / "graphs" / "hypergraph_worker.py"


def hypergraph_partition(
    incidence: sparse.csr_array,
    vertex_weights: NDArray,
    n_parts: int,
    rng: np.random.Generator,
    monitor: Monitor = SILENT,
) -> tuple[NDArray[np.int32], int]:
    """Cut a hypergraph into k parts of near-equal weight so that few hyperedges span more than one.

    Parameters
    ----------
    incidence : (n, K) csr_array
        Vertex i lies in hyperedge c where the entry is not 0. All hyperedges weigh the same.
    vertex_weights : (n,) int
        Parts stay within 3 % of the mean weight where they can.
    n_parts : int
        k, from 1 to n.
    rng : Generator
        Gives the seed.
    monitor : Monitor, optional
        Hears a cancel within 0.1 s; the work then ends at once.

    Returns
    -------
    labels : (n,) int32
        0..k-1, every one occurs.
    n_repaired : int
        Parts left empty: the heaviest gives half, the vertices that share fewest hyperedges with its others.

    Raises
    ------
    InvalidParameterError
        If k is not in 1..n.
    PartitionerError
        If Mt-KaHyPar fails, with what it said.

    Notes
    -----
    Mt-KaHyPar (deterministic preset, objective: cut) holds Python's lock while it works and sets up threads for the
    whole program, so it gets a process of its own, which serves all cuts that follow: about 0.3 s more for the first,
    and other sessions go on.

    References
    ----------
    gottesburen2021mtkahypar
    """
    n = incidence.shape[0]
    if not 1 <= n_parts <= n:
        raise InvalidParameterError(f"n_parts must be in 1..{n}, the number of vertices. Got {n_parts}")
    if n_parts in (1, n):
        return (np.zeros(n, np.int32) if n_parts == 1 else np.arange(n, dtype=np.int32)), 0
    labels = _in_worker(incidence.tocsc(), vertex_weights, n_parts, int(rng.integers(2**31 - 1)), monitor)

    def tie(members: NDArray) -> NDArray:
        inside = incidence[members].astype(bool).astype(np.float64)
        return inside @ (inside.sum(axis=0) - 1)

    return fill_empty_parts(labels, vertex_weights, n_parts, tie, give="half")


def _in_worker(
    columns: sparse.csc_array, weights: NDArray, n_parts: int, seed: int, monitor: Monitor
) -> NDArray[np.int32]:
    """Labels from `hypergraph_worker.py`."""
    given = {"indptr": columns.indptr, "indices": columns.indices, "weights": np.asarray(weights)}
    numbers = {"k": np.array(n_parts), "seed": np.array(seed)}
    try:
        return solve_aside(_WORKER, given | numbers, "partitioning the hypergraph", monitor)
    except SideProcessError as error:
        n, n_edges = columns.shape
        what = f"a hypergraph of {n:,} vertices and {n_edges:,} hyperedges into {n_parts:,} parts"
        raise PartitionerError("Mt-KaHyPar", what, str(error)) from error


@dataclass(frozen=True)
class HGPAParams(Params):
    """HGPA has no parameters."""


def hgpa(
    ensemble: Ensemble, n_clusters: int, params: HGPAParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Cut the hypergraph of microclusters (weight r) and clusters into k parts."""
    micro = ensemble.microclusters
    monitor.tick("joining objects by clusters", 0, 1)
    labels, n_repaired = hypergraph_partition(ensemble.clusters.incidence(), micro.sizes, n_clusters, rng, monitor)
    monitor.record("repaired", n_repaired)
    return micro.expand(labels)


METHOD = ConsensusMethod(
    key="hgpa",
    title="HGPA",
    formula=r"\min_{\text{parts } 1 \ldots <k>} \sum_{C} [C \text{ is cut}]",
    try_this="lower k range in the sidebar: the larger the clusters, the harder it is to cut none of them.",
    params=HGPAParams,
    run=hgpa,
    reference="strehl2002",
    family="graphs",
    needs=frozenset({"mtkahypar"}),
    balanced=always,
    summary="Takes every cluster as a bond of all its objects, and parts them so that few bonds are cut.",
)
