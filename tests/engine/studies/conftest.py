"""Sources and a store of its own for every test of studies."""

import pytest

from engine import generators
from engine.studies.sources import Source
from engine.studies.store import Store
from tests.engine.studies.examples import blobs


@pytest.fixture
def sources():
    features, truth = blobs()
    pool = generators.kmeans_ensemble(features, 30, seed=9).labels
    return {
        "blobs": Source("blobs", features=features, truth=truth),
        "pool": Source("pool", pool=pool, truth=truth),
        "blind": Source("blind", features=features),
    }


@pytest.fixture
def store(tmp_path):
    kept = Store(tmp_path / "records.sqlite")
    yield kept
    kept.close()
