"""Partitioners that give up say so in words."""

import pickle
from pathlib import Path

import pytest

from engine import EngineError, Ensemble, PartitionerError
from engine import run_consensus as run
from engine.graphs import metis_calls, metis_cuts
from tests.strategies import random_labels

_GIVES_UP = """
import pymetis
def fail(*_, **__):
    {deed}
pymetis.part_graph = fail
"""


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        ("raise RuntimeError('METIS returned error')", "METIS returned error"),
        ("raise MemoryError", "it had too little memory"),
        ("import os; os.kill(os.getpid(), 11)", "its process ended with status -11"),
    ],
)
def test_metis_that_gives_up_is_an_error_in_words(deed, words, monkeypatch, tmp_path):
    script = tmp_path / "calls.py"
    script.write_text(Path(metis_calls.__file__).read_text() + _GIVES_UP.format(deed=deed))
    monkeypatch.setattr(metis_cuts, "_SCRIPT", script)
    with pytest.raises(PartitionerError, match=rf"METIS could not cut a graph .* 3 parts: {words}") as seen:
        run("cspa", Ensemble.from_labels(random_labels(60, 4, 4, 2)), 3)
    assert isinstance(seen.value, EngineError)
    assert "such as LWGP" in str(seen.value)
    assert str(pickle.loads(pickle.dumps(seen.value))) == str(seen.value)
