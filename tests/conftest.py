"""Shared settings: published answers and data are found through the environment, and skipped visibly without it."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("concord", deadline=None, derandomize=True)
settings.load_profile("concord")


def _folder(variable: str) -> Path:
    if variable not in os.environ:
        pytest.skip(f"{variable} is not set")
    return Path(os.environ[variable])


@pytest.fixture(params=["iris", "moons500"])
def oracle(request):
    """What the published code answers on one of two ensembles, by key."""
    with np.load(_folder("CONCORD_ORACLE") / f"{request.param}.npz") as archive:
        yield archive


@pytest.fixture
def published_data() -> Path:
    """The folder of published base-clustering pools and features."""
    return _folder("CONCORD_DATA")
