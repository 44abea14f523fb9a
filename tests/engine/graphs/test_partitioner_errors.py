"""Partitioners that give up say so in words."""

import pickle

import pymetis
import pytest

from engine import EngineError, Ensemble, PartitionerError
from engine import run_consensus as run
from engine.graphs import metis_calls
from tests.strategies import random_labels


class Failing:
    """METIS that answers with a status, in place of its library."""

    def __init__(self, status):
        self.METIS_PartGraphKway = self.METIS_PartGraphRecursive = lambda *_: status


@pytest.mark.parametrize(("status", "words"), [(-3, "too little memory"), (-2, "input for wrong"), (-4, "status -4")])
def test_metis_that_gives_up_is_an_error_in_words(status, words, monkeypatch):
    monkeypatch.setattr(metis_calls, "_library", lambda: Failing(status))
    ensemble = Ensemble.from_labels(random_labels(60, 4, 4, 2))
    with pytest.raises(PartitionerError, match=rf"METIS could not cut a graph .* 3 parts: .*{words}") as seen:
        run("cspa", ensemble, 3)
    assert isinstance(seen.value, EngineError)
    assert "such as LWGP" in str(seen.value)
    assert str(pickle.loads(pickle.dumps(seen.value))) == str(seen.value)


@pytest.mark.parametrize("error", [RuntimeError("METIS returned error"), MemoryError()])
def test_metis_through_pymetis_gives_up_in_words_too(error, monkeypatch):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(metis_calls, "_library", lambda: None)
    monkeypatch.setattr(pymetis, "part_graph", fail)
    with pytest.raises(PartitionerError, match="into 3 parts: (METIS returned error|it had too little memory)"):
        run("cspa", Ensemble.from_labels(random_labels(60, 4, 4, 2)), 3)
