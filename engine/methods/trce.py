"""Tri-level robust clustering ensemble: a graph of k components, learnt from all base clusterings at once.

It is robust to bad clusterings, objects and links. Zhou, Du, Shen and Li, "Tri-level robust clustering ensemble with
multiple graph learning", AAAI 2021.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..ensemble.ensembles import require_complete
from ..params import Int, Params, param, require
from ..runtime.blocks import map_blocks
from ..runtime.memory import require_square
from ..runtime.monitor import SILENT, Monitor
from .learnt_graphs import LearntGraph, SmoothVectors, has_components, learnt_partition, smooth_vectors

#: What objects all base clusterings agree on may come to, where exact arithmetic has 0.
_ROUNDING = 1e-10
#: Rounds after which it stops in any case: the published code's, and ours.
PUBLISHED_ROUNDS, MAX_ROUNDS = 10, 50


def tri_level_graph(
    ensemble: Ensemble, n_clusters: int, gamma: float = 1.0, published: bool = False, monitor: Monitor = SILENT
) -> LearntGraph:
    """Learn a graph of k components near the graphs of all base clusterings.

    Minimises sum_i w_i^2 sum_m alpha_m KL(A_m,i || B_i) + gamma |B - S|^2 - age |w|_1 + 2 rho tr F'LF, where A_m links
    the objects of a cluster with 1/size, and rows of B and S add up to 1. Each round renews w (objects few base
    clusterings explain count less), B, S, F (the k smoothest vectors on S), alpha, and doubles or halves rho.

    Parameters
    ----------
    ensemble : Ensemble
    n_clusters : int
        k, less than n.
    gamma : float
        How close S stays to B, at least 1e-100.
    published : bool
        As the published code: at most 10 rounds, and a slip of an index lets the base clustering given last alone
        decide w.
    monitor : Monitor, optional

    Returns
    -------
    LearntGraph

    Raises
    ------
    InvalidParameterError, MissingEvidenceError, TooLargeError

    Notes
    -----
    O(n^2 (M + k) + n^3) a round. Objects of one microcluster share all rows: nothing is approximated by it. The
    published code looks for theta, which makes a row of B add up to 1, below 10,000; here it is bounded by the row sum
    of C = w^2 sum_m alpha_m A_m.

    References
    ----------
    zhou2021trce.
    """
    require_complete(ensemble, "a learnt graph")
    n, gamma = len(ensemble.microclusters), TRCEParams(gamma=gamma).gamma
    n_clusters = require("n_clusters", Int(low=1, high=n - 1), n_clusters)
    require_square("the learnt graph and its eigenvectors", n, n_arrays=6, itemsize=8)
    state = _Rounds(ensemble, gamma, monitor)
    n_rounds, last = PUBLISHED_ROUNDS if published else MAX_ROUNDS, ensemble.given_last
    alpha, rho = np.full(ensemble.n_clusterings, float(ensemble.n_clusterings)), 1.0
    smooth = state.renew(np.ones(n), alpha / ensemble.n_clusterings**2, 0.0, np.zeros((n, 1)), n_clusters)
    vectors, age, breaches = smooth.vectors, 0.0, int(smooth.breached)
    for done in range(n_rounds):
        monitor.tick("learning a graph", done, n_rounds)
        badness = len(alpha) * alpha[last] * state.divergence[:, last] if published else state.divergence @ alpha
        age = 1.1 * age or 2 * _first_doubt(badness, state.sizes)
        trust = np.minimum(1, np.divide(age, 2 * badness, out=np.ones(n), where=badness > _ROUNDING))
        smooth = state.renew(trust, alpha, rho, vectors, n_clusters)
        alpha = state.clustering_weights(trust, alpha)
        breaches += smooth.breached
        if smooth.wanting == 0:
            break
        rho *= 2.0**smooth.wanting
        vectors = smooth.vectors if smooth.wanting > 0 else vectors
    monitor.tick("learning a graph", n_rounds, n_rounds)
    return LearntGraph(state.graph, has_components(state.graph, n_clusters), breaches)


class _Rounds:
    """What the rounds work on: S, and KL(A_m,i || B_i) in `divergence`, (n, M)."""

    def __init__(self, ensemble: Ensemble, gamma: float, monitor: Monitor):
        n, m = len(ensemble.microclusters), ensemble.n_clusterings
        self.ids = ensemble.clusters.ids.reshape(n, m)
        self.sizes = ensemble.microclusters.sizes.astype(np.float64)
        self.cluster_sizes, self.n_each = ensemble.cluster_sizes, ensemble.n_clusters_each
        self.gamma, self.monitor = gamma, monitor
        self.graph, self.divergence = np.empty((n, n)), np.empty((n, m))

    def renew(self, trust: NDArray, alpha: NDArray, rho: float, vectors: NDArray, k: int) -> SmoothVectors:
        """B and S from the other variables, and the smoothest vectors on the new S."""
        values = np.repeat(alpha, self.n_each) / self.cluster_sizes
        own = (self.ids, self.sizes, self.cluster_sizes, trust**2, values, rho, self.gamma, vectors)
        map_blocks(
            lambda start, stop: _rows_kernel(start, stop, *own, self.graph, self.divergence),
            len(self.ids),
            self.monitor,
            "linking microclusters",
        )
        self.graph = (self.graph + self.graph.T) / 2
        return smooth_vectors(self.graph, self.sizes, k, self.monitor)

    def clustering_weights(self, trust: NDArray, before: NDArray) -> NDArray[np.float64]:
        """Renew alpha_m, proportional to 1 / sqrt(o_m), with o_m the divergence of base clustering m."""
        roots = np.sqrt(np.maximum((trust**2 * self.sizes) @ self.divergence, 0))
        return roots.sum() / np.maximum(roots, 1e-6 * roots.max()) if roots.max() > 0 else before


def _first_doubt(badness: NDArray, sizes: NDArray) -> float:
    """The badness up to which objects are trusted at first: more than rounding, or worse ones would count nothing."""
    doubtful = badness[badness > _ROUNDING]
    return max(_quantile(badness, sizes), float(doubtful.min())) if len(doubtful) else 0.0


def _quantile(values: NDArray, sizes: NDArray) -> float:
    """The (N/10)-th smallest value of the objects, the smallest where there are fewer than ten."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(sizes[order])
    return float(values[order[np.searchsorted(reached, max(1, reached[-1] // 10))]])


@njit(cache=True, nogil=True)
def _rows_kernel(start, stop, ids, sizes, cluster_sizes, trust, values, rho, gamma, vectors, graph, divergence):
    """Rows start..stop: C, theta, B, the divergences, and S before it is made symmetric."""
    n = len(ids)
    far, linked, b = np.empty(n), np.empty(n), np.empty(n)
    for i in range(start, stop):
        _links(i, ids, trust[i], values, rho, vectors, far, linked)
        theta = _theta(i, far, linked, sizes)
        divergence[i] = 0.0
        for j in range(n):
            b[j] = linked[j] / (far[j] + theta)
            for m in range(ids.shape[1]):
                if ids[i, m] == ids[j, m]:
                    divergence[i, m] -= sizes[j] * np.log(b[j])
        for m in range(ids.shape[1]):
            size = cluster_sizes[ids[i, m]]
            divergence[i, m] = divergence[i, m] / size - np.log(size)
        for j in range(n):
            b[j] -= far[j] / (2 * gamma)
        _on_simplex(b, sizes, graph[i])


@njit(cache=True, nogil=True)
def _links(i, ids, trust, values, rho, vectors, far, linked):
    """Row i of rho d and of C."""
    for j in range(len(ids)):
        far[j], linked[j] = 0.0, 0.0
        for t in range(vectors.shape[1]):
            far[j] += rho * (vectors[i, t] - vectors[j, t]) ** 2
        for m in range(ids.shape[1]):
            if ids[i, m] == ids[j, m]:
                linked[j] += trust * values[ids[i, m]]


@njit(cache=True, nogil=True)
def _theta(i, far, linked, sizes):
    """Root of sum_j r_j C_j / (rho d_j + theta) = 1, by Newton's steps from below: the sum is convex."""
    theta = sizes[i] * linked[i]
    for _ in range(100):
        total, slope = -1.0, 0.0
        for j in range(len(far)):
            if linked[j] > 0:
                part = sizes[j] * linked[j] / (far[j] + theta)
                total += part
                slope += part / (far[j] + theta)
        step = total / slope
        theta += step
        if step <= 1e-15 * theta:
            break
    return theta


@njit(cache=True, nogil=True)
def _on_simplex(row, sizes, out):
    """The nearest non-negative row with sum_j r_j out_j = 1: what is below the mean excess leaves, until none is."""
    out[:] = row
    low, n_left, before = -np.inf, len(row), len(row) + 1
    while n_left < before:
        before, n_left, total, weight = n_left, 0, -1.0, 0.0
        for j in range(len(row)):
            if row[j] > low:
                total += sizes[j] * row[j]
                weight += sizes[j]
        low = total / weight
        for j in range(len(row)):
            n_left += row[j] > low
    for j in range(len(row)):
        out[j] = max(row[j] - low, 0.0)


@dataclass(frozen=True)
class TRCEParams(Params):
    """Parameters of TRCE."""

    gamma: float = param(
        1.0,
        symbol="γ",
        word="gamma",
        doc="How close the learnt graph stays to what the base clusterings say.",
        raising="Raising it far leaves everything linked; lowering it far tears the graph into too many pieces.",
        concept="trce_gamma",
        low=1e-100,
        slider=(1e-5, 1e5),
        log=True,
    )
    variant: Literal["paper", "published-code"] = param(
        "paper",
        symbol="variant",
        doc="The paper's rounds until they settle; or those of the published code, at most 10, in which only the last "
        "base clustering says which objects to trust.",
        concept="trce_variant",
    )


def trce(
    ensemble: Ensemble, n_clusters: int, params: TRCEParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Learn the graph, and take its components; average link on the co-association mends their number."""
    if n_clusters == len(ensemble.microclusters):
        return ensemble.microclusters.assignment
    published = params.variant == "published-code"
    learnt = tri_level_graph(ensemble, n_clusters, params.gamma, published, monitor)
    return learnt_partition(ensemble, n_clusters, learnt, monitor)


METHOD = ConsensusMethod(
    key="trce",
    title="TRCE",
    formula=(
        r"\min \sum_i w_i^2 \sum_m \alpha_m \mathrm{KL}(A_{m,i} \,\Vert\, B_i) + <gamma> \lVert B - S "
        r"\rVert^2 - \text{age} \sum_i w_i \quad \text{with } S \text{ of } <k> \text{ components}"
    ),
    try_this="raise γ: the graph that falls apart stays closer to what the clusterings say.",
    params=TRCEParams,
    run=trce,
    reference="zhou2021trce",
    family="learnt",
    needs=frozenset({"dense"}),
    pictures=frozenset({"learnt_graph"}),
    summary="Learns a graph that falls into k pieces by itself, and trusts bad clusterings, odd objects and doubtful "
    "links less.",
)
