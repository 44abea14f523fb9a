"""What methods that learn a graph of k components do with it; no method itself."""

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..evidence.tri_level_graphs import LearntGraph
from ..pairs.counts import co_association
from ..partition.learnt_components import component_clusters
from ..runtime.monitor import Monitor


def learnt_partition(ensemble: Ensemble, n_clusters: int, learnt: LearntGraph, monitor: Monitor) -> NDArray[np.int32]:
    """Take the graph's components, (N,); average link on the co-association mends their number."""
    monitor.record("learnt_graph", learnt.graph)
    monitor.record("unsettled", int(not learnt.settled))
    monitor.record("breaches", learnt.breaches)
    micro, similarity = ensemble.microclusters, co_association(ensemble, monitor)
    return micro.expand(component_clusters(learnt.graph, similarity, micro.sizes, n_clusters, monitor))
