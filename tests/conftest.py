"""Shared settings. Published answers come from small arrays of our own, and from all of them where CONCORD_ORACLE says.

Published data is found through CONCORD_DATA, and skipped visibly without it: it may not be copied here.
"""

import itertools
import os
import zlib
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from tests.golden.make_arrays import ARRAYS, ENSEMBLES

settings.register_profile("concord", deadline=None, derandomize=True)
settings.load_profile("concord")
_CACHES = itertools.count()
#: Of the cases of one test, `make test` runs one in so many, and `make check` all.
ONE_IN = 10
ATTACK = Path(__file__).parent / "attack"


@pytest.hookimpl(tryfirst=True)  # before those that are left out are chosen by their marks
def pytest_collection_modifyitems(items):
    """Leave to `make check` the attack, and most of many alike cases: which ones differs from test to test alone."""
    alike = defaultdict(list)
    for item in items:
        if ATTACK in item.path.parents:
            item.add_marker(pytest.mark.long)
        if hasattr(item, "callspec"):
            alike[item.nodeid.partition("[")[0]].append(item)
    for name, cases in alike.items():
        for place in set(range(len(cases))) - set(run_always(name, len(cases))):
            cases[place].add_marker(pytest.mark.long)


def run_always(name: str, n: int) -> range:
    """Places of those of n alike cases that `make test` runs: one in ten, at least one."""
    step = min(ONE_IN, n)
    return range(zlib.crc32(name.encode()) % step, n, step)


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch, tmp_path_factory):
    """No test finds what somebody fetched from OpenML before, or another test."""
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path_factory.getbasetemp() / f"cache{next(_CACHES)}"))


def _folder(variable: str) -> Path:
    if variable not in os.environ:
        pytest.skip(f"{variable} is not set")
    return Path(os.environ[variable])


@pytest.fixture(params=ENSEMBLES)
def oracle(request):
    """What the published code answers on one of two ensembles, by key; all of it, or the small arrays."""
    folder = Path(os.environ.get("CONCORD_ORACLE", ARRAYS))
    with np.load(folder / f"{request.param}.npz") as archive:
        yield archive


@pytest.fixture
def published_data() -> Path:
    """The folder of published base-clustering pools and features."""
    return _folder("CONCORD_DATA")
