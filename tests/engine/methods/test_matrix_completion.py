"""ECMC's completion: on microclusters and on objects, and which groups survive."""

import numpy as np
import pytest

from engine import Ensemble, InvalidParameterError, TooLargeError, run_consensus
from engine.evidence import co_association, completed_co_association
from engine.methods import ecmc
from tests import naive_medians
from tests.strategies import random_labels


@pytest.mark.parametrize(("smallest", "low", "high"), [(None, 0.2, 0.8), (3, 0.2, 0.8), (6, 0.4, 0.6)])
def test_the_completion_of_microclusters_is_that_of_objects(smallest, low, high):
    ensemble = Ensemble.from_labels(random_labels(40, 5, 3, 1, noise=0.15)).canonical
    objects = ensemble.microclusters.assignment
    whole = co_association(ensemble, dtype=np.float64)[np.ix_(objects, objects)]
    share = ((whole >= high - 1e-9) | (whole <= low + 1e-9)).mean()
    price = 1 / np.sqrt(share * 40) if smallest is None else 1 / (smallest - 0.5)
    found = completed_co_association(ensemble, smallest, low, high)
    expected, _ = naive_medians.completed(whole, price, low, high)
    np.testing.assert_allclose(found.matrix[np.ix_(objects, objects)], expected, atol=1e-6)
    assert found.smallest == pytest.approx(1 / price)
    assert found.settled


@pytest.mark.long
def test_the_objective_on_iris_is_the_best_known(oracle):
    if len(oracle["E"]) != 150:
        return
    ensemble = Ensemble.from_labels(oracle["E"]).canonical
    objects = ensemble.microclusters.assignment
    found = completed_co_association(ensemble)
    x = found.matrix[np.ix_(objects, objects)]
    whole = co_association(ensemble, dtype=np.float64)[np.ix_(objects, objects)]
    certain, apart = whole >= 0.8 - 1e-9, whole <= 0.2 + 1e-9
    off = abs(certain - x)[certain | apart].sum() / found.smallest
    assert np.linalg.svd(x)[1].sum() + off == pytest.approx(141.50, abs=0.005)


@pytest.mark.parametrize(
    ("smallest", "left"),
    [(4, [1, 1, 1]), (5, [1, 1, 1]), (6, [1, 1, 0]), (12, [1, 1, 0]), (13, [1, 0, 0]), (21, [0, 0, 0])],
)
def test_groups_smaller_than_the_smallest_are_erased(smallest, left):
    labels = np.repeat([0, 1, 2], [20, 12, 5])[:, None]
    found = completed_co_association(Ensemble.from_labels(labels).canonical, smallest)
    np.testing.assert_allclose(np.diag(found.matrix), left, atol=1e-3)


def test_it_stops_when_it_does_not_settle_and_says_so(monkeypatch):
    monkeypatch.setattr(ecmc, "MAX_ROUNDS", 3)
    result = run_consensus("ecmc", Ensemble.from_labels(random_labels(60, 6, 4, 1)), 4, record=("completed",))
    assert result.trace["unsettled"] == 1
    assert result.n_clusters == 4
    assert result.trace["completed"].shape == (len(result.microclusters),) * 2


def test_bounds_the_wrong_way_round_and_little_memory_are_refused(monkeypatch):
    ensemble = Ensemble.from_labels(random_labels())
    with pytest.raises(InvalidParameterError, match=r"low must be less than high. Got 0\.9 and 0\.8"):
        run_consensus("ecmc", ensemble, 3, {"low": 0.9})
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "10K")
    with pytest.raises(TooLargeError, match="completed co-association"):
        completed_co_association(ensemble)
