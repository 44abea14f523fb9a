"""HBGF, by METIS and spectrally."""

import numpy as np

from engine import (
    Ensemble,
    consensus_methods,
)
from engine import run_consensus as run
from tests import naive
from tests.strategies import random_labels, same_partition


def test_hbgf_cuts_objects_and_clusters(to_metis):
    ensemble = Ensemble.from_labels(random_labels(60, 4, 4, 2))
    micro = ensemble.microclusters
    given = [group for clustering in naive.clusters(ensemble.labels.tolist()) for group in clustering]
    flat = [given[c] for c in np.argsort(ensemble.form.numbers)]
    inside = [[len(group & set(np.flatnonzero(micro.assignment == a))) for group in flat] for a in range(len(micro))]
    run("hbgf", ensemble, 3, {"partitioner": "metis"})
    assert (to_metis["graph"] == naive.two_sided(inside)).all()
    assert to_metis["sizes"].tolist() == [*micro.sizes.tolist(), *[0] * len(flat)]


def test_hbgf_cuts_spectrally_by_default_and_then_keeps_unequal_sizes(to_metis):
    truth = np.repeat([0, 1, 2], [60, 20, 10])
    labels = np.tile(truth[:, None], 12)
    labels[np.arange(12) * 5, np.arange(12)] = 2
    ensemble = Ensemble.from_labels(labels)
    method = consensus_methods()["hbgf"]
    assert [method.balanced(method.params(cut)) for cut in ("spectral", "metis")] == [False, True]
    assert same_partition(run("hbgf", ensemble, 3).labels, truth)
    assert not to_metis["settings"]
    assert np.bincount(run("hbgf", ensemble, 3, {"partitioner": "metis"}).labels).max() < 60
