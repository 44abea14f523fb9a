"""Probability trajectory accumulation: walkers that start alike travel alike; cut the tree of their likeness.

Huang, Lai and Wang, "Robust ensemble clustering using probability trajectories", IEEE TKDE 28(5), 2016, Algorithm 2.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from engine.consensus import ConsensusMethod
from engine.ensemble import Ensemble
from engine.evidence import (
    co_association,
    default_neighbors,
    microcluster_elite_graph,
    trajectory_form,
    trajectory_similarities,
    trajectory_similarity,
)
from engine.monitor import Monitor
from engine.params import Params, param
from engine.partition import Dendrogram, cut, linkage


@dataclass(frozen=True)
class WalkParams(Params):
    """How many links a walker may take, and how many steps: shared by PTA and PTGP."""

    K: int | None = param(
        None,
        symbol="K",
        doc="Elite neighbours: the heaviest links of a microcluster stay. Automatic: half the root of n, 1 to 20.",
        raising="Raising it keeps more links, reliable or not; lowering it leaves only the surest.",
        low=1,
        slider=(1, 50),
    )
    T: int | None = param(
        None,
        symbol="T",
        doc="Length of the random walks. Automatic: half the root of n, 1 to 20.",
        raising="Raising it lets walkers see more of the graph; lowering it keeps them near their start.",
        low=1,
        slider=(1, 50),
    )

    def on(self, n: int) -> tuple[int, int]:
        """K and T for n microclusters."""
        return min(self.K or default_neighbors(n), n - 1), self.T or default_neighbors(n)


@dataclass(frozen=True)
class PTAParams(WalkParams):
    """Parameters of PTA."""

    linkage: Literal["average", "complete", "single"] = param(
        "average",
        symbol="linkage",
        doc="How similar two groups are: the mean, the lowest or the highest similarity between their microclusters.",
    )


def elite_walk(ensemble: Ensemble, params: WalkParams, monitor: Monitor) -> tuple[sparse.csr_array, int]:
    """The graph of elite neighbours and the length of the walks on it."""
    K, T = params.on(len(ensemble.microclusters))
    graph = microcluster_elite_graph(ensemble, K, monitor)
    monitor.record("co_association", lambda: co_association(ensemble, monitor))
    monitor.record("graph", graph)
    return graph, T


def pta(
    ensemble: Ensemble, n_clusters: int, params: PTAParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Send a walker from every microcluster over the elite links, then merge those whose trajectories agree most."""
    micro = ensemble.microclusters
    graph, T = elite_walk(ensemble, params, monitor)
    form = trajectory_form(graph, T)
    monitor.record("walk", {"K": params.on(len(micro))[0], "T": T, "form": form})
    similarity = trajectory_similarity(graph, micro.sizes, T, monitor, form=form)
    for name in ("trajectories", "similarity"):  # PTS, which is also what the tree grows on
        monitor.record(name, similarity)
    tree = linkage(similarity, None, params.linkage, monitor, overwrite=True)  # counts microclusters, not objects
    monitor.record("dendrogram", replace(tree, sizes=micro.sizes))
    return micro.expand(cut(tree, n_clusters))


def pta_trees(ensemble: Ensemble, settings: Sequence[PTAParams], monitor: Monitor) -> Iterator[tuple[int, Dendrogram]]:
    """The trees of several settings: one graph serves all with its K, one walk all lengths T on it."""
    micro = ensemble.microclusters
    walks = [params.on(len(micro)) for params in settings]
    for K in sorted({K for K, _ in walks}):
        graph = microcluster_elite_graph(ensemble, K, monitor)
        lengths = {T for other, T in walks if other == K}
        for T, similarity in trajectory_similarities(graph, micro.sizes, lengths, monitor, form="auto", scratch=True):
            same = [i for i, walk in enumerate(walks) if walk == (K, T)]
            for i in same:
                tree = linkage(similarity, None, settings[i].linkage, monitor, overwrite=i == same[-1])
                yield i, replace(tree, sizes=micro.sizes)


METHOD = ConsensusMethod(
    key="pta",
    title="PTA",
    params=PTAParams,
    run=pta,
    reference="huang2016pta",
    needs=frozenset({"dense"}),
    trees=pta_trees,
    summary="Keeps only the surest links, walks along them at random, and merges what the walkers see alike.",
)
