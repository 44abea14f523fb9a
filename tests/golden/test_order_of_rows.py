"""Published ensembles with their rows shuffled: the same partitions from every method."""

import pytest

from engine import Ensemble, consensus_methods, run_consensus
from tests.strategies import same_partition, shuffled_rows

HARD = [key for key, method in consensus_methods().items() if not method.needs & {"memberships", "graph"}]


@pytest.mark.parametrize("key", HARD)
def test_partitions_do_not_follow_the_order_of_rows(oracle, key):
    method = consensus_methods()[key]
    if method.unavailable:
        pytest.skip(method.unavailable)
    ensemble = Ensemble.from_labels(oracle["E"])
    shuffled, objects = shuffled_rows(ensemble, seed=1)
    settings = [{}] if key != "eac" else [{"linkage": "complete"}, {"linkage": "single"}, {}]
    for params in settings:
        for k in (2, 3, 10):
            ours = run_consensus(key, ensemble, k, params)
            assert ours.trace["symmetric_clusters"] == 0
            assert same_partition(run_consensus(key, shuffled, k, params).labels, ours.labels[objects])
