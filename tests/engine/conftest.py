"""What tests of the engine share."""

import pytest
from scipy import sparse

from engine.graphs import metis_cuts
from tests.engine.dask_cluster import running_cluster


@pytest.fixture
def cluster(tmp_path):
    """Address of a scheduler with two workers, and their processes."""
    with running_cluster(tmp_path) as found:
        yield found


@pytest.fixture
def to_metis(monkeypatch):
    """What METIS is given: the graph, dense, and the weights of its vertices."""
    seen, cut = {"settings": []}, metis_cuts.cut

    def spy(given, n_parts, seed, recursive, two_hop, monitor):
        n = len(given.sizes)
        graph = sparse.csr_array((given.weights, given.neighbors, given.start), shape=(n, n))
        seen.update(graph=graph.toarray(), sizes=given.sizes, settings=[*seen["settings"], (recursive, two_hop)])
        return cut(given, n_parts, seed, recursive, two_hop, monitor)

    monkeypatch.setattr(metis_cuts, "cut", spy)
    return seen
