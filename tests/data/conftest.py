"""Most of these tests are of readers themselves, with limits lowered: they read in the process of the tests."""

import pytest

from data.reading.elsewhere import ELSEWHERE
from data.reading.opening import HERE


@pytest.fixture(autouse=True)
def _read_here(request, monkeypatch):
    if "elsewhere" not in request.node.path.name:
        for name in ("look", "table", "graph", "annotate"):
            monkeypatch.setattr(ELSEWHERE, name, getattr(HERE, name))
