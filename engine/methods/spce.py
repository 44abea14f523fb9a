"""Self-paced clustering ensemble: a graph of k components, learnt from the links that base clusterings agree on first.

Zhou, Du, Liu, Shen, Fan and Li, "Self-paced clustering ensemble", IEEE TNNLS 32(4), 2021.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..ensemble.ensembles import require_complete
from ..pairs.counts import co_association
from ..params import Int, Params, param, require
from ..runtime.blocks import map_blocks
from ..runtime.memory import require_square
from ..runtime.monitor import SILENT, Monitor
from .learnt_graphs import LearntGraph, SmoothVectors, has_components, learnt_partition, smooth_vectors

#: The pace: how much disagreement a link may have to count in full falls from stage to stage, with so many rounds each.
STAGES = ((0.9, 5), (0.8, 5), (0.7, 5), (0.6, 5), (0.5, 20))


def self_paced_graph(ensemble: Ensemble, n_clusters: int, g: float = 0.1, monitor: Monitor = SILENT) -> LearntGraph:
    """Learn a graph of k components near the co-association, easy links first.

    A round renews S = (sum_m A_m / p_m - lambda |F_i - F_j|^2 / (2 W^2)) / sum_m 1 / p_m, cut below
    g M / (W sqrt(sum_m 1 / p_m)) and above 1; the k smoothest vectors F on it; p_m = |(S - A_m) o W|, adding up to 1;
    and doubles or halves lambda. A stage begins with W = min(1, rho / (2 sum_m (S - A_m)^2 / p_m)),
    rho = 2 ((q - 1)^2 q + q^2 (1 - q)) M^2. Pairs that always meet keep 1, pairs that never meet 0.

    Parameters
    ----------
    ensemble : Ensemble
    n_clusters : int
        k, less than n.
    g : float
        In [0, 1): links weaker than this are cut, sooner where base clusterings disagree. The published gamma is
        (g M)^2.
    monitor : Monitor, optional

    Returns
    -------
    LearntGraph

    Raises
    ------
    InvalidParameterError, MissingEvidenceError, TooLargeError

    Notes
    -----
    O(n^2 (M + k) + n^3) a round, some 20 of them. On objects the published code may take vectors that part the objects
    of a microcluster, and then misses k; here they are left out and counted (`breaches`). A base clustering the graph
    equals has p_m = 0: it counts as a millionth of the largest.

    References
    ----------
    zhou2021spce.
    """
    require_complete(ensemble, "a learnt graph")
    n, m, g = len(ensemble.microclusters), ensemble.n_clusterings, SPCEParams(g).g
    n_clusters = require("n_clusters", Int(low=1, high=n - 1), n_clusters)
    require_square("the learnt graph and its eigenvectors", n, n_arrays=7, itemsize=8)
    state, lam, done = _Stages(ensemble, monitor), 1.0, 0
    smooth = smooth_vectors(state.graph, state.sizes, n_clusters, monitor)
    vectors, breaches, n_rounds = smooth.vectors, int(smooth.breached), sum(rounds for _, rounds in STAGES)
    for q, rounds in STAGES:
        state.pace(2 * ((q - 1) ** 2 * q + q**2 * (1 - q)) * m**2)
        for t in range(rounds):
            monitor.tick("learning a graph", done + t, n_rounds)
            smooth = state.renew(vectors, lam, g, n_clusters)
            breaches += smooth.breached
            lam *= 2.0**smooth.wanting
            vectors = smooth.vectors if smooth.wanting >= 0 else vectors
            if smooth.wanting == 0 and t > 0:
                break
        done += rounds
    monitor.tick("learning a graph", n_rounds, n_rounds)
    return LearntGraph(state.graph, has_components(state.graph, n_clusters), breaches)


class _Stages:
    """What the rounds work on: S, W, and p (M,)."""

    def __init__(self, ensemble: Ensemble, monitor: Monitor):
        n, m = len(ensemble.microclusters), ensemble.n_clusterings
        self.ids = ensemble.clusters.ids.reshape(n, m)
        self.sizes = ensemble.microclusters.sizes.astype(np.float64)
        self.n_each, self.monitor = ensemble.n_clusters_each, monitor
        self.graph, self.trust = co_association(ensemble, monitor, np.float64), np.empty((n, n))
        self.p, self.misfit = np.full(m, 1.0 / m), np.empty((n, m))

    def pace(self, rho: float) -> None:
        """W, from how far S is from every base clustering."""
        values = np.repeat(1 / self.p, self.n_each)
        own = (self.ids, values, float((1 / self.p).sum()), rho, self.graph, self.trust)
        map_blocks(lambda start, stop: _pace_kernel(start, stop, *own), len(self.ids), self.monitor, "setting the pace")

    def renew(self, vectors: NDArray, lam: float, g: float, k: int) -> SmoothVectors:
        """S, p and the smoothest vectors on S."""
        values, whole = np.repeat(1 / self.p, self.n_each), float((1 / self.p).sum())
        least = g * len(self.p) / np.sqrt(whole)
        own = (self.ids, self.sizes, values, whole, vectors, lam, least, self.trust, self.graph, self.misfit)
        map_blocks(
            lambda start, stop: _rows_kernel(start, stop, *own), len(self.ids), self.monitor, "linking microclusters"
        )
        misfit = np.sqrt(np.maximum(self.misfit.sum(axis=0), 0))
        if misfit.max() > 0:
            misfit = np.maximum(misfit, 1e-6 * misfit.max())
            self.p = misfit / misfit.sum()
        return smooth_vectors(self.graph, self.sizes, k, self.monitor)


@njit(cache=True, nogil=True)
def _agreed(i, j, ids, values):
    """Weights of the base clusterings that put i and j together."""
    total = 0.0
    for m in range(ids.shape[1]):
        if ids[i, m] == ids[j, m]:
            total += values[ids[i, m]]
    return total


@njit(cache=True, nogil=True)
def _pace_kernel(start, stop, ids, values, whole, rho, graph, trust):
    """Rows start..stop of W: A_m is 0 or 1, so that sum_m (S - A_m)^2 / p_m needs one look at each pair."""
    for i in range(start, stop):
        for j in range(len(ids)):
            s, agreed = graph[i, j], _agreed(i, j, ids, values)
            disagreement = s * s * whole - 2 * s * agreed + agreed
            trust[i, j] = 1.0 if 2 * disagreement <= rho else rho / (2 * disagreement)


@njit(cache=True, nogil=True)
def _rows_kernel(start, stop, ids, sizes, values, whole, vectors, lam, least, trust, graph, misfit):
    """Rows start..stop of S, and what they add to |(S - A_m) o W|^2 of every base clustering."""
    for i in range(start, stop):
        misfit[i] = 0.0
        everywhere = 0.0
        for j in range(len(ids)):
            agreed, w = _agreed(i, j, ids, values), trust[i, j]
            s = 1.0 if i == j else 0.0
            if agreed > 0 and i != j:
                far = 0.0
                for t in range(vectors.shape[1]):
                    far += (vectors[i, t] - vectors[j, t]) ** 2
                s = (agreed - lam * far / (2 * w * w)) / whole
                s = 0.0 if s < least / w else min(max(s, 0.0), 1.0)
            graph[i, j] = s
            weight = sizes[i] * sizes[j] * w * w
            everywhere += weight * s * s
            for m in range(ids.shape[1]):
                if ids[i, m] == ids[j, m]:
                    misfit[i, m] += weight * (1 - 2 * s)
        misfit[i] += everywhere


@dataclass(frozen=True)
class SPCEParams(Params):
    """Parameters of SPCE."""

    g: float = param(
        0.1,
        symbol="g",
        doc="Links weaker than this are cut, sooner where base clusterings disagree. The published tables tuned it on "
        "the truth.",
        raising="Raising it tears the graph: from 0.5 on into far too many pieces.",
        concept="spce_g",
        low=0.0,
        high=0.99,
        slider=(0.0, 0.9),
    )


def spce(
    ensemble: Ensemble, n_clusters: int, params: SPCEParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Learn the graph, and take its components; average link on the co-association mends their number."""
    if n_clusters == len(ensemble.microclusters):
        return ensemble.microclusters.assignment
    learnt = self_paced_graph(ensemble, n_clusters, params.g, monitor)
    return learnt_partition(ensemble, n_clusters, learnt, monitor)


METHOD = ConsensusMethod(
    key="spce",
    title="SPCE",
    formula=(
        r"\min_{S} \sum_m \lVert (S - A_m) \circ W \rVert_F \quad \text{with } S \text{ of } <k> \text{ "
        r"components},\; s_{ij} = 0 \text{ below } <g> M / (W_{ij} \sqrt{\textstyle\sum_m 1 / p_m})"
    ),
    try_this="raise g: weak links go first, and the graph falls apart sooner.",
    params=SPCEParams,
    run=spce,
    reference="zhou2021spce",
    family="learnt",
    needs=frozenset({"dense"}),
    pictures=frozenset({"learnt_graph"}),
    summary="Learns a graph that falls into k pieces by itself: links all agree on come first, doubtful ones later.",
)
