"""Hypergraphs cut into balanced parts, and HGPA."""

import numpy as np
import pytest
from scipy import sparse

from engine import (
    Cancelled,
    Ensemble,
    PartitionerError,
    partition,
)
from engine import run_consensus as run
from engine.methods import hgpa
from engine.runtime import side_process
from tests.monitors import stopping_at_tick
from tests.strategies import same_partition


def test_hgpa_cuts_no_cluster_it_need_not_cut():
    pytest.importorskip("mtkahypar")
    truth = np.repeat([0, 1, 2], 20)
    noisy = np.stack([truth, (truth + 1) % 3, truth * 20 + np.arange(60) % 20 // 12], axis=1)
    result = run("hgpa", Ensemble.from_labels(noisy), 3)
    assert same_partition(result.labels, truth)
    assert result.trace["repaired"] == 0


def test_hypergraphs_are_balanced_by_vertex_weight(monkeypatch):
    pytest.importorskip("mtkahypar")
    bonds = sparse.csr_array(np.repeat([[1, 0], [0, 1]], [2, 4], axis=0))
    labels, _ = partition.hypergraph_partition(bonds, np.array([2, 2, 1, 1, 1, 1]), 2, np.random.default_rng(0))
    assert same_partition(labels, [0, 0, 1, 1, 1, 1])
    seen = []
    monkeypatch.setattr(
        "engine.methods.hgpa.hypergraph_partition", lambda b, weights, *_: (seen.append(weights), (weights % 2, 0))[1]
    )
    run("hgpa", Ensemble.from_labels([[0], [1], [1], [2]]), 2)
    assert seen[0].tolist() == [2, 1, 1]


def test_an_empty_part_of_a_hypergraph_takes_those_who_share_least(monkeypatch):
    monkeypatch.setattr(hgpa, "_in_worker", lambda *_: np.zeros(4, np.int32))
    bonds = sparse.csr_array([[1, 0], [1, 1], [1, 1], [0, 1]])
    labels, repaired = partition.hypergraph_partition(bonds, np.ones(4, int), 2, np.random.default_rng(0))
    assert labels.tolist() == [1, 0, 0, 1]
    assert repaired == 1


def test_a_hypergraph_without_a_bond_is_cut_too():
    pytest.importorskip("mtkahypar")
    single = sparse.csr_array(np.eye(9, dtype=int))
    labels, _ = partition.hypergraph_partition(single, np.ones(9, int), 3, np.random.default_rng(0))
    assert sorted(set(labels.tolist())) == [0, 1, 2]


def test_a_worker_that_fails_is_named_and_one_that_hangs_is_ended(monkeypatch, tmp_path):
    bonds, ones = sparse.csr_array(np.ones((6, 2))), np.ones(6, int)
    monkeypatch.setattr(hgpa, "_WORKER", tmp_path / "worker.py")
    (tmp_path / "worker.py").write_text("import sys; sys.exit('no such preset')")
    with pytest.raises(
        PartitionerError, match="Mt-KaHyPar could not cut .* 6 vertices .* into 2 parts: no such preset"
    ):
        partition.hypergraph_partition(bonds, ones, 2, np.random.default_rng(0))
    (tmp_path / "worker.py").write_text("import os; os.kill(os.getpid(), 9)")
    with pytest.raises(PartitionerError, match="status -9, most likely for want of memory"):
        partition.hypergraph_partition(bonds, ones, 2, np.random.default_rng(0))
    (tmp_path / "worker.py").write_text("import time; time.sleep(20)")
    begun, popen = [], side_process.subprocess.Popen
    monkeypatch.setattr(side_process.subprocess, "Popen", lambda *a, **k: begun.append(popen(*a, **k)) or begun[-1])
    with pytest.raises(Cancelled):
        partition.hypergraph_partition(bonds, ones, 2, np.random.default_rng(0), stopping_at_tick(3))
    assert begun[0].returncode < 0  # ended by a signal, not by itself


def test_one_process_serves_all_cuts_of_a_path(monkeypatch):
    pytest.importorskip("mtkahypar")
    truth = np.repeat([0, 1, 2], 40)
    noisy = np.stack([truth, truth * 20 + np.arange(120) % 20 // 7, np.arange(120) % 5], axis=1)
    ensemble, begun, popen = Ensemble.from_labels(noisy), [], side_process.subprocess.Popen
    monkeypatch.setattr(side_process, "_idle", [])
    monkeypatch.setattr(side_process.subprocess, "Popen", lambda *a, **k: begun.append(popen(*a, **k)) or begun[-1])
    together = [run("hgpa", ensemble, k, seed=1).labels.tolist() for k in range(2, 9)]
    assert len(begun) == 1
    for k, labels in zip(range(2, 9), together, strict=True):  # each in a process of its own: the same
        monkeypatch.setattr(side_process, "_idle", [])
        assert run("hgpa", ensemble, k, seed=1).labels.tolist() == labels
