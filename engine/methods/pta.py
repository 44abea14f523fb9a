"""Probability trajectory accumulation: walkers that start alike travel alike; cut the tree of their likeness.

Huang, Lai and Wang, "Robust ensemble clustering using probability trajectories", IEEE TKDE 28(5), 2016, Algorithm 2.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..pairs.counts import co_association
from ..params import param
from ..runtime.monitor import Monitor
from ..similarities.trajectories import WalkParams
from ..trees.agglomeration import joined
from ..trees.dendrograms import Dendrogram, cut
from ..walks.elite_neighbors import microcluster_elite_graph
from ..walks.trajectories import trajectory_form, trajectory_similarities, trajectory_similarity


def elite_walk(ensemble: Ensemble, params: WalkParams, monitor: Monitor) -> tuple[sparse.csr_array, int]:
    """The graph of elite neighbours and the length of the walks on it."""
    K, T = params.on(len(ensemble.microclusters))
    graph = microcluster_elite_graph(ensemble, K, monitor)
    monitor.record("co_association", lambda: co_association(ensemble, monitor))
    monitor.record("graph", graph)
    return graph, T


def likeness_of_walks(
    ensemble: Ensemble, walks: Sequence[tuple[int, int]], monitor: Monitor
) -> Iterator[tuple[list[int], NDArray]]:
    """How alike walkers travel under several (K, T), each matrix with the indices of the walks it serves.

    One graph serves all with its K, one walk all lengths T on it; a matrix is overwritten by the next.
    """
    sizes = ensemble.microclusters.sizes
    for K in sorted({K for K, _ in walks}):
        graph = microcluster_elite_graph(ensemble, K, monitor)
        lengths = {T for other, T in walks if other == K}
        for T, similarity in trajectory_similarities(graph, sizes, lengths, monitor, form="auto", scratch=True):
            yield [i for i, walk in enumerate(walks) if walk == (K, T)], similarity


@dataclass(frozen=True)
class PTAParams(WalkParams):
    """Parameters of PTA."""

    linkage: Literal["average", "complete", "single"] = param(
        "average",
        symbol="linkage",
        doc="How similar two groups are: the mean, the lowest or the highest similarity between their microclusters.",
    )


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
    tree = joined(similarity, np.ones_like(micro.sizes), params.linkage, monitor)  # counts microclusters, not objects
    monitor.record("dendrogram", replace(tree, sizes=micro.sizes))
    return micro.expand(cut(tree, n_clusters))


def pta_trees(ensemble: Ensemble, settings: Sequence[PTAParams], monitor: Monitor) -> Iterator[tuple[int, Dendrogram]]:
    """The trees of several settings, from what their walks share."""
    sizes = ensemble.microclusters.sizes
    walks = [params.on(len(sizes)) for params in settings]
    for served, similarity in likeness_of_walks(ensemble, walks, monitor):
        for i in served:
            own = similarity if i == served[-1] else similarity.copy()
            tree = joined(own, np.ones_like(sizes), settings[i].linkage, monitor)
            yield i, replace(tree, sizes=sizes)


METHOD = ConsensusMethod(
    key="pta",
    title="PTA",
    formula=(
        r"p_{ij} = \frac{r_j\, w_{ij}}{\sum_l r_l\, w_{il}}, \qquad \mathrm{PTS}_{ij} = "
        r"\frac{\sum_{t=1}^{<T>} \langle P^t_i, P^t_j \rangle}{\sqrt{\sum_{t=1}^{<T>} \lVert P^t_i "
        r"\rVert^2\, \sum_{t=1}^{<T>} \lVert P^t_j \rVert^2}}, \qquad <K> \text{ links each}"
    ),
    try_this="set T to 50: the walkers mix, and everything becomes alike.",
    params=PTAParams,
    run=pta,
    reference="huang2016pta",
    family="trees",
    needs=frozenset({"dense"}),
    trees=pta_trees,
    summary="Keeps only the surest links, walks along them at random, and merges what the walkers see alike.",
)
