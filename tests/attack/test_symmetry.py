"""Symmetric and degenerate ensembles: exactly k clusters or a refusal, the same on any number of threads."""

from itertools import product

import numpy as np
import pytest

from engine import Ensemble, Graph, consensus_methods, run_consensus
from engine.generators import make_ensemble
from engine.metrics import ari

from .shared import VOLUME, drawn

METHODS = consensus_methods()


def _grid(n: int) -> np.ndarray:
    """Rows and columns of a square."""
    return np.array(list(product(range(n), range(n))))


def _latin(n: int) -> np.ndarray:
    """Rows, columns and letters of a Latin square: nothing tells one from another."""
    return np.array([(i, j, (i + j) % n) for i, j in product(range(n), range(n))])


def _blocks(n: int, size: int) -> np.ndarray:
    """Alike groups that every base clustering splits in the same way, turned by one."""
    label = np.repeat(np.arange(n), size)
    return np.column_stack([label, (label + 1) % n, (label // 2)])


#: Ensembles in which much or all is alike.
DEGENERATE = {
    "two objects": np.array([[0], [1]]),
    "two alike": np.array([[0, 0], [0, 0]]),
    "one column of two": np.array([[0]] * 7 + [[1]] * 7),
    "one column, all alone": np.arange(9)[:, None],
    "one column, all one": np.zeros((8, 1), int),
    "all one": np.zeros((9, 4), int),
    "all alone": np.tile(np.arange(8)[:, None], 5),
    "one against all": np.column_stack([np.arange(7), np.zeros(7, int)]),
    "copies": np.tile(np.array([0, 0, 1, 1, 2, 2])[:, None], 6),
    "one apart each": 1 * (np.arange(6)[:, None] == np.arange(6)),
    "cube 2^3": np.array(list(product(range(2), repeat=3))),
    "cube 2^5": np.array(list(product(range(2), repeat=5))),
    "cube 3^3": np.array(list(product(range(3), repeat=3))),
    "grid 4": _grid(4),
    "grid 6": _grid(6),
    "latin 4": _latin(4),
    "latin 5": _latin(5),
    "ring": np.column_stack([(np.arange(12) + s) % 12 // 3 for s in range(3)]),
    "blocks": _blocks(4, 3),
    "two islands": np.column_stack(
        [np.repeat([0, 1], 6), np.repeat([0, 1], 6), [0, 0, 0, 1, 1, 1] + [2, 2, 2, 3, 3, 3]]
    ),
    "nested": np.column_stack([np.arange(16) // 2**j for j in range(5)]),
    "gaps in a ring": np.where(np.eye(8, dtype=bool), -1, np.tile((np.arange(8) // 2)[:, None], 8)),
    "seen by halves": np.array([[i % 3, -1] if i < 6 else [i % 2, i % 3] if i < 9 else [-1, i % 3] for i in range(15)]),
}


def _ensemble(labels: np.ndarray, key: str, soft: bool = True) -> Ensemble:
    """With memberships and a graph where the method asks for them."""
    needs, memberships, graph = METHODS[key].needs, None, None
    plain = Ensemble.from_labels(labels)
    if "memberships" in needs and plain.complete:
        memberships = np.hstack([column[:, None] == np.unique(column) for column in labels.T]).astype(float)
    if "graph" in needs:
        ends = np.arange(len(labels))
        graph = Graph.of_edges(ends, np.roll(ends, 1), np.ones(len(ends)), len(labels))  # a ring
    return Ensemble.from_labels(labels, memberships, graph=graph)


def _fault(key: str, ensemble: Ensemble, k: int | None) -> str | None:
    """What is wrong with an answer."""
    found = run_consensus(key, ensemble, k, seed=1)
    n = len(np.unique(found.labels))
    if found.labels.shape != (ensemble.n_objects,) or found.labels.min() != 0 or found.labels.max() != n - 1:
        return "labels are not 0..k-1"
    if k is not None and not METHODS[key].finds_k and n != k:
        return f"{n} clusters where {k} were asked for"
    groups = ensemble.microclusters.assignment
    together = np.unique(np.column_stack([groups, found.labels]), axis=0)
    # METIS makes parts of like size of objects, not of microclusters, where memberships may tell those apart
    if len(together) > groups.max() + 1 and "memberships" not in METHODS[key].needs:
        return "inseparable objects were split"
    again = run_consensus(key, ensemble, k, seed=1).labels
    return None if again.tobytes() == found.labels.tobytes() else "another answer the second time"


@pytest.mark.parametrize("key", METHODS)
def test_degenerate_ensembles_are_answered_with_k_clusters_or_refused(tally, key):
    for name, labels in DEGENERATE.items():
        made = _ensemble(labels, key)
        n = len(made.microclusters)
        every = {None} if METHODS[key].finds_k else {0, 1, 2, 3, n - 1, n, n + 1, len(labels)}
        if VOLUME <= 1 and len(every) > 1:
            every = {2, n - 1, n, len(labels)}
        for k in every:
            tally.attempt(f"{name}, k = {k}", lambda made=made, k=k: _fault(key, made, k))
    tally.settle()
    assert tally.counts["answered"]


@pytest.mark.parametrize("key", METHODS)
def test_the_number_of_threads_decides_nothing(tally, key, monkeypatch):
    """The same bytes on one thread and on several."""
    for case, draw in drawn(1):
        labels = draw.integers(0, int(draw.integers(2, 9)), (int(draw.integers(30, 200)), int(draw.integers(2, 12))))
        made = _ensemble(labels, key)
        k = None if METHODS[key].finds_k else int(draw.integers(2, 7))

        def differ(made=made, k=k) -> str | None:
            found = []
            for threads in (1, 2, 5):
                monkeypatch.setenv("CONCORD_THREADS", str(threads))
                found.append(run_consensus(key, _ensemble(made.labels, key), k, seed=5).labels.tobytes())
            return None if len(set(found)) == 1 else "another answer on more threads"

        tally.attempt(f"{case}", differ)
    tally.settle()


@pytest.mark.parametrize("key", [key for key, one in METHODS.items() if "graph" not in one.needs])
def test_rows_and_columns_of_an_ensemble_without_symmetry_decide_nothing(tally, key):
    """Of made ensembles, whose columns are alike but not the same, and of copies of objects and of columns."""
    alike = "memberships" in METHODS[key].needs
    k = None if METHODS[key].finds_k else 3
    for case, draw in drawn(1):
        while True:  # until an ensemble has no symmetry; where k-means is sure, its clusters have some
            points = draw.normal(size=(40, 2)) + 3 * draw.integers(0, 3, (40, 1))
            base = make_ensemble("kmeans", points, 6, seed=int(draw.integers(2**31))).labels
            # whom METIS parts of objects that are alike is a toss, so there are none where it sees objects
            base = np.unique(base, axis=0) if alike else base[draw.integers(0, 40, 55)]
            labels = np.column_stack([base, base[:, :2]])
            one = _ensemble(labels, key)
            if not one.form.symmetry:
                break
        rows, columns = draw.permutation(len(labels)), draw.permutation(labels.shape[1])
        other = _ensemble(labels[rows][:, columns], key)

        def moved(one=one, other=other, rows=rows) -> str | None:
            first, second = (run_consensus(key, each, k, seed=2).labels for each in (one, other))
            return None if ari(first[rows], second) == 1 else "another partition"

        tally.attempt(f"{case}", moved)
    tally.settle()
