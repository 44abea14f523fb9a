"""The distribution of Monti's matrix, streamed, against the matrix made by loops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Cancelled, InvalidParameterError, TooLargeError
from engine.choosing_k import ConsensusRuns, consensus_runs
from engine.choosing_k.pair_agreement import UNSEEN, count_pairs
from tests import naive_confidence
from tests.monitors import stopping_at_stage


def blobs(n=60, k=3, d=2, seed=0, apart=8.0):
    rng = np.random.default_rng(seed)
    return apart * rng.normal(size=(k, d))[np.arange(n) % k] + rng.normal(size=(n, d))


def as_runs(labels):
    """(R, N) labels with -1 for unseen, of one k."""
    packed = np.where(labels < 0, UNSEEN, labels).astype(np.uint8)[None]
    return ConsensusRuns(np.array([3]), packed, count_pairs(packed))


@settings(max_examples=40)
@given(st.integers(3, 25), st.integers(2, 12), st.integers(0, 10_000))
def test_counts_are_the_matrix_by_loops(n, repeats, seed):
    labels = np.random.default_rng(seed).integers(-1, 3, size=(repeats, n))
    runs, both = as_runs(labels), (labels.T[:, None] >= 0) & (labels.T >= 0)
    matrix = naive_confidence.consensus_matrix(labels.T)
    assert runs.matrix(0, np.arange(n)) == pytest.approx(matrix)
    assert runs.counts.sum() == n * (n - 1) // 2
    known = [(i, j) for i in range(n) for j in range(i) if both[i, j].any()]
    assert runs.n_unseen == n * (n - 1) // 2 - len(known)
    if not known:
        return
    values = np.array([matrix[i, j] for i, j in known])
    assert runs.pac()[0] == pytest.approx(((values > 0.1 + 1e-9) & (values < 0.9 - 1e-9)).mean())
    assert runs.area[0] == pytest.approx((1 - values).mean())
    grid = np.linspace(0, 1, 11)
    assert runs.cdf(grid)[0] == pytest.approx([(values <= x + 1e-9).mean() for x in grid])


def test_pac_of_runs_that_saw_everything_is_counting():
    runs = consensus_runs(blobs(), [2, 3], repeats=20, share=1.0)
    for place in range(2):
        matrix = naive_confidence.consensus_matrix(runs.labels[place].T.astype(int))
        assert runs.pac()[place] == pytest.approx(naive_confidence.pac(matrix))
        assert runs.area[place] == pytest.approx(naive_confidence.cdf_area(matrix))
    first, second = runs.area
    assert first != second
    assert runs.delta_area == pytest.approx([first, (second - first) / first])  # Monti et al. 2003


def test_tiles_and_blocks_change_nothing(monkeypatch):
    from engine.choosing_k import pair_agreement as module

    labels = np.random.default_rng(0).integers(0, 4, size=(2, 7, 300)).astype(np.uint8)
    labels[:, 2, :50] = UNSEEN
    expected = count_pairs(labels)
    alone = np.zeros_like(expected)
    for start in range(0, 300, 7):
        module._count_kernel(start, min(start + 7, 300), labels, alone)
    assert (alone == expected).all()
    few = labels[:, :, 30:70]
    whole, several = count_pairs(np.ascontiguousarray(few)), np.zeros_like(expected)
    monkeypatch.setattr(module, "_TILE", 8)  # compiled code has its own; so there are five tiles
    module._count_kernel.py_func(0, 40, few, several)
    assert (several == whole).all()


def test_every_run_sees_its_share_and_all_k_the_same_objects():
    runs = consensus_runs(blobs(50), [2, 4], repeats=10, share=0.8)
    seen = runs.labels != UNSEEN
    assert (seen.sum(axis=2) == 40).all()
    assert (seen[0] == seen[1]).all()
    assert runs.labels[1][seen[1]].max() == 3


def test_clear_blobs_are_undecided_for_the_wrong_k_only():
    pac = consensus_runs(blobs(90), [2, 3, 4, 5], repeats=40, seed=1).pac()
    assert pac.argmin() == 1
    assert pac[1] < 0.02 < pac[2:].min()


def test_the_same_seed_gives_the_same_runs_on_any_number_of_threads(monkeypatch):
    first = consensus_runs(blobs(), [2, 3], repeats=8, seed=4)
    for threads in ("1", "2"):
        monkeypatch.setenv("CONCORD_THREADS", threads)
        again = consensus_runs(blobs(), [2, 3], repeats=8, seed=4)
        assert (again.labels == first.labels).all()
        assert (again.counts == first.counts).all()
    assert (consensus_runs(blobs(), [2, 3], repeats=8, seed=5).labels != first.labels).any()
    sequence = np.random.SeedSequence(4)  # also one that gave its numbers away before
    for _ in range(2):
        assert (consensus_runs(blobs(), [2, 3], repeats=8, seed=sequence).labels == first.labels).all()


def test_what_cannot_be_counted_is_refused(monkeypatch):
    with pytest.raises(InvalidParameterError, match="ks must be"):
        consensus_runs(blobs(10), [9])
    with pytest.raises(InvalidParameterError, match="repeats must be"):
        consensus_runs(blobs(10), [2], repeats=255)
    with pytest.raises(InvalidParameterError, match="share must be"):
        consensus_runs(blobs(10), [2], share=0.0)
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "1K")
    with pytest.raises(TooLargeError, match="labels of all runs"):
        consensus_runs(blobs(60), [2, 3])


def test_cancel_is_heard_while_clustering_and_while_counting():
    for stage in ("clustering shares of the objects", "counting pairs that agree"):
        with pytest.raises(Cancelled):
            consensus_runs(blobs(), [2, 3], repeats=4, monitor=stopping_at_stage(stage))
