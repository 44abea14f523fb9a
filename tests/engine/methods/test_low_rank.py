"""RSEC's representation, on microclusters and on objects."""

import numpy as np
import pytest

from engine import Cancelled, Ensemble, TooLargeError, metrics, run_consensus
from engine.evidence import co_association, robust_representation
from engine.graphs import library_calls
from engine.methods import rsec
from engine.partition import sharpened_graph
from engine.runtime import side_process
from tests import naive_medians
from tests.monitors import Heard
from tests.strategies import random_labels


@pytest.mark.parametrize(("l1", "l2"), [(0.1, 0.1), (1.0, 0.1), (0.1, 1.0)])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_representation_of_microclusters_is_that_of_objects(l1, l2, seed):
    ensemble = Ensemble.from_labels(random_labels(36, 5, 3, seed, noise=0.2)).canonical
    objects = ensemble.microclusters.assignment
    assert len(set(objects.tolist())) < 30
    found = robust_representation(ensemble, 3, l1, l2)
    whole = co_association(ensemble, dtype=np.float64)[np.ix_(objects, objects)]
    z, projector, settled = naive_medians.robust_representation(whole, 3, l1, l2)
    np.testing.assert_allclose(found.matrix[np.ix_(objects, objects)], z, atol=1e-6)
    np.testing.assert_allclose(found.spectrum[objects] @ found.spectrum[objects].T, projector, atol=1e-6)
    assert found.settled == settled
    graph = naive_medians.sharpened(z.T)
    np.testing.assert_allclose(found.graph(ensemble.microclusters.sizes)[np.ix_(objects, objects)], graph, atol=1e-4)


@pytest.mark.parametrize(("l1", "l2", "expected"), [(0.1, 0.1, 0.707), (1.0, 0.1, 0.922), (0.1, 1.0, 0.562)])
def test_outputs_agree_on_iris(oracle, l1, l2, expected):
    if len(oracle["E"]) != 150:
        return
    ensemble, truth = Ensemble.from_labels(oracle["E"]), np.repeat(np.arange(3), 50)
    for output in "HZ":
        labels = run_consensus("rsec", ensemble, 3, {"l1": l1, "l2": l2, "output": output}).labels
        assert metrics.ari(labels, truth) == pytest.approx(expected, abs=0.001)


def test_it_stops_when_it_does_not_settle_and_says_so(monkeypatch):
    monkeypatch.setattr(rsec, "MAX_ROUNDS", 5)
    result = run_consensus("rsec", Ensemble.from_labels(random_labels(60, 6, 4, 1)), 4, {"output": "Z"})
    assert result.trace["unsettled"] == 1
    assert result.n_clusters == 4


def test_little_memory_is_refused(monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "10K")
    with pytest.raises(TooLargeError, match="robust representation"):
        robust_representation(Ensemble.from_labels(random_labels()), 3)


@pytest.mark.long
@pytest.mark.parametrize("output", ["H", "Z"])
def test_many_microclusters_are_represented_in_a_process_that_can_be_ended(output, monkeypatch):
    """The same labels as in this process, whatever counts as many."""
    ensemble = Ensemble.from_labels(random_labels(60, 6, 4, 1))
    here = run_consensus("rsec", ensemble, 4, {"output": output}).labels
    asked, aside = [], side_process.solve_aside
    monkeypatch.setattr(side_process, "solve_aside", lambda *given: asked.append(given) or aside(*given))
    monkeypatch.setattr(library_calls, "_LONG", 20)
    assert (run_consensus("rsec", ensemble, 4, {"output": output}).labels == here).all()
    calls = {"_inverse", "_spectral_norm", "_lower_rank", "_all"} | ({"_right"} if output == "Z" else set())
    assert {str(given["call"]) for _, given, *_ in asked} == calls


def test_a_cancel_is_heard_inside_a_round(monkeypatch):
    monkeypatch.setattr(library_calls, "_LONG", 20)
    heard = Heard(lambda heard: heard.stage == "representing" and len(heard.ticks) > 40)
    with pytest.raises(Cancelled):
        run_consensus("rsec", Ensemble.from_labels(random_labels(60, 6, 4, 1)), 4, monitor=heard)
    whole = [done / total for stage, done, total in heard.ticks if stage == "representing"]
    assert whole == sorted(whole)


def test_a_graph_of_nothing_has_no_links():
    assert (sharpened_graph(np.zeros((3, 2)), np.ones(2)) == 0).all()


@pytest.mark.parametrize("output", ["H", "Z"])
def test_objects_that_no_link_is_left_of_pull_at_nobody(output):
    """At a high price of rank the representation vanishes, and with it all that is not in HH'."""
    apart = Ensemble.from_labels(np.random.default_rng(3).integers(5, size=(20, 1)))
    result = run_consensus("rsec", apart, 3, {"l1": 10.0, "output": output})
    assert result.n_clusters == 3
    assert np.isfinite(result.trace.get("embedding", 0)).all()
