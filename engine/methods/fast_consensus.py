"""Fast consensus: votes on edges make a new graph, base clusterings are made anew on it, until they agree.

Tandon, Albeshri, Thayananthan, Alhalabi and Fortunato, "Fast consensus clustering in complex networks", Physical
Review E 99, 042301, 2019.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..communities.leiden import graph_of, voted_communities, votes_between
from ..consensus import ConsensusMethod
from ..ensemble import Ensemble, Graph
from ..params import Params, param
from ..runtime.monitor import Monitor


@dataclass(frozen=True)
class FastConsensusParams(Params):
    """Parameters of fast consensus."""

    tau: float = param(
        0.2,
        symbol="τ",
        word="tau",
        doc="Share of votes below which an edge is dropped in every round.",
        raising="Raising it parts communities sooner.",
        concept="votes_tau",
        low=0.0,
        high=1.0,
        slider=(0.0, 0.9),
    )
    delta: float = param(
        0.02,
        symbol="δ",
        word="delta",
        doc="Rounds end when no larger share of the edges is in dispute.",
        raising="Raising it ends sooner.",
        concept="votes_delta",
        low=0.0,
        high=1.0,
        slider=(0.0, 0.2),
    )
    rounds: int = param(
        20,
        symbol="rounds",
        word="",
        doc="Rounds after which it ends in any case.",
        raising="Raising it lets a graph settle that takes long.",
        concept="votes_rounds",
        low=1,
        high=1000,
        slider=(1, 50),
    )


@dataclass(frozen=True)
class _Votes:
    """Edges between objects, those of the graph and those that close triangles, and the share of votes of each."""

    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    weights: NDArray[np.float64]

    def kept(self, which: NDArray[np.bool_]) -> "_Votes":
        return _Votes(self.sources[which], self.targets[which], self.weights[which])

    def and_also(self, other: "_Votes") -> "_Votes":
        return _Votes(
            np.concatenate([self.sources, other.sources]),
            np.concatenate([self.targets, other.targets]),
            np.concatenate([self.weights, other.weights]),
        )

    def in_dispute(self) -> float:
        """Share of the edges about which base clusterings differ."""
        return float(((self.weights > 0) & (self.weights < 1)).mean()) if len(self.weights) else 0.0


def fast_consensus(
    ensemble: Ensemble, n_clusters: int, params: FastConsensusParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Count votes, drop edges below tau, close as many triangles as there were edges, run M times; until they agree.

    The first votes are the ensemble's; later ones those of M runs of Leiden on the graph of votes. An object that lost
    all its edges keeps the one with most votes (the published code takes the one with fewest). A microcluster is one
    node, so it is never split.
    """
    graph, of = graph_of(ensemble), ensemble.microclusters.assignment
    columns, m = ensemble.clusters.columns(), ensemble.n_clusterings
    edges = _Votes(graph.sources.astype(np.int64), graph.targets.astype(np.int64), graph.weights)
    for done in range(params.rounds):
        monitor.tick("rounds of votes", done, params.rounds)
        votes = votes_between(columns, of[edges.sources], of[edges.targets], monitor)
        counted = replace(edges, weights=votes)
        edges = _with_lost_nodes(counted, counted.kept((votes >= params.tau) & (votes > 0)), graph.n_nodes)
        if edges.in_dispute() <= params.delta or not len(edges.weights):
            break
        first, second = _open_triangles(edges, graph.n_nodes, graph.n_edges, rng)
        edges = edges.and_also(_Votes(first, second, votes_between(columns, of[first], of[second], monitor)))
        if done + 1 < params.rounds:
            columns = _runs(ensemble, edges, m, rng, monitor)
    monitor.record("vote_rounds", done + 1)
    return ensemble.microclusters.expand(_runs(ensemble, edges, 1, rng, monitor)[0])


def _runs(ensemble: Ensemble, edges: _Votes, n_runs: int, rng: np.random.Generator, monitor: Monitor) -> NDArray:
    seeds = rng.integers(2**31, size=n_runs)
    return voted_communities(ensemble, (edges.sources, edges.targets), edges.weights, "modularity", 1.0, seeds, monitor)


def _with_lost_nodes(before: _Votes, kept: _Votes, n_nodes: int) -> _Votes:
    """Edges that are kept, and of every node that lost all of its own the one with most votes; the first of equals."""
    there = np.zeros(n_nodes, bool)
    there[kept.sources] = there[kept.targets] = True
    ends = np.concatenate([before.sources, before.targets])
    order = np.lexsort((np.tile(before.weights, 2) * -1, ends))
    firsts = order[np.unique(ends[order], return_index=True)[1]]
    lost = firsts[~there[ends[firsts]]] % max(len(before.sources), 1)
    again = before.kept(np.unique(lost))
    return kept.and_also(again.kept(again.weights > 0))


def _open_triangles(
    edges: _Votes, n_nodes: int, n_draws: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of neighbours of a node, drawn so often, that no edge links yet; each once."""
    matrix = Graph.of_edges(edges.sources, edges.targets, np.ones(len(edges.sources)), n_nodes).matrix
    start, near = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
    node, count = rng.integers(n_nodes, size=n_draws), np.diff(start)
    node = node[count[node] >= 2]
    one = rng.integers(count[node])
    other = (one + 1 + rng.integers(count[node] - 1)) % count[node]  # any but the first
    first, second = near[start[node] + one], near[start[node] + other]
    codes = np.unique(np.minimum(first, second) * n_nodes + np.maximum(first, second))
    known = np.minimum(edges.sources, edges.targets) * n_nodes + np.maximum(edges.sources, edges.targets)
    codes = np.setdiff1d(codes, known)
    return codes // n_nodes, codes % n_nodes


METHOD = ConsensusMethod(
    key="fast_consensus",
    title="Fast consensus",
    formula=r"D_{ij} = \frac{1}{<M>} \sum_{m=1}^{<M>} [c_m(i) = c_m(j)], \quad D_{ij} < <tau> \Rightarrow D_{ij} = 0",
    try_this="raise τ: edges in dispute go sooner, and communities part.",
    params=FastConsensusParams,
    run=fast_consensus,
    reference="tandon2019fast",
    family="graphs",
    needs=frozenset({"graph", "igraph"}),
    takes_missing=True,
    finds_k=True,
    summary="Makes a graph of votes, finds communities on it again and again, and ends when all of them agree.",
)
