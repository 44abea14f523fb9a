"""Data for figures."""

import numpy as np
import pytest

RNG_SEED = 5


@pytest.fixture
def rng():
    return np.random.default_rng(RNG_SEED)


@pytest.fixture
def points(rng):
    return rng.normal(size=(300, 2))


@pytest.fixture
def labels(rng):
    return rng.integers(0, 5, 300)


@pytest.fixture(params=["light", "dark"])
def theme(request):
    return request.param
