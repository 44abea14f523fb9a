"""Walks over the links of elite neighbours, which PTA and PTGP begin with; no method itself."""

from collections.abc import Iterator, Sequence

from numpy.typing import NDArray
from scipy import sparse

from ..ensemble import Ensemble
from ..pairs.counts import co_association
from ..runtime.monitor import Monitor
from ..similarities.trajectories import WalkParams
from ..walks.elite_neighbors import microcluster_elite_graph
from ..walks.trajectories import trajectory_similarities


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
