"""The contract of methods, where average link works on the factor: no matrix between microclusters is made."""

import numpy as np
import pytest

from engine import TooLargeError, consensus_methods, run_consensus
from engine.trees import agglomeration, profile_merging
from tests.contract import test_methods as contract
from tests.contract.test_methods import ensemble  # noqa: F401 - a fixture of the suite
from tests.strategies import random_labels

FACTORED = [
    key for key, method in consensus_methods().items() if "dense where labels are missing" in method.requirements()
]
SUITE = {
    name: test
    for name, test in vars(contract).items()
    if name.startswith("test_") and contract.of_dense_methods.mark not in getattr(test, "pytestmark", ())
}
globals().update(SUITE)


def pytest_generate_tests(metafunc):
    if "key" in metafunc.fixturenames:
        metafunc.parametrize("key", FACTORED)


@pytest.fixture(autouse=True)
def the_factor(monkeypatch, request):
    """Nothing is small enough for a matrix, also of the last groups."""
    monkeypatch.setattr(agglomeration, "MANY", 0)
    monkeypatch.setattr(agglomeration, "reads_much", lambda clusters: False)
    monkeypatch.setattr(profile_merging, "FEW_GROUPS", 0)


def test_these_are_the_methods_of_the_suite():
    assert FACTORED == ["eac", "lwea", "weac"]
    assert len(SUITE) > 15


def test_little_memory_is_no_refusal(key, monkeypatch):
    made = contract.ensemble_for(key, random_labels(120, 8, 5, seed=1))
    plain = run_consensus(key, made, 3)
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "2K")
    assert (run_consensus(key, made, 3).labels == plain.labels).all()


def test_what_needs_a_matrix_names_the_way_out(key, monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "2K")
    if "linkage" in {spec.name for spec in consensus_methods()[key].params.specs()}:
        made = contract.ensemble_for(key, random_labels(120, 8, 5, seed=1))
        with pytest.raises(TooLargeError, match=f"{key.upper()} with its default parameters.*fewer base clusterings"):
            run_consensus(key, made, 3, {"linkage": "complete"})
    gappy = contract.ensemble_for(key, contract.gappy_labels())
    with pytest.raises(TooLargeError, match="KCC") as refusal:
        run_consensus(key, gappy, 3)
    assert not {"EAC", "LWEA", "WEAC", "LWGP"} & set(refusal.value.alternatives)
    assert np.isfinite(refusal.value.needed)
