"""A walk through the pages that need a matrix of all pairs stays within the limit, whatever is kept on the way."""

import tracemalloc

import numpy as np
import pytest

from engine.runtime.memory import ACCOUNT
from tests.app.conftest import at_rest, end_all_jobs
from ui.compute import uploads

M = 2**20
N = 2000  # one matrix: 16 MB


@pytest.fixture
def limit(monkeypatch):
    end_all_jobs()
    ACCOUNT.sweep()
    bytes_ = ACCOUNT.held + 160 * M
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", str(bytes_))
    return bytes_


@pytest.mark.long
def test_four_pages_over_labels_that_are_all_distinct(app, limit):
    most = 0

    def walk(n):
        nonlocal most
        rng = np.random.default_rng(0)
        rows = np.column_stack([rng.permutation(n) for _ in range(6)])
        content = "\n".join(",".join(map(str, row)) for row in rows).encode()
        name = uploads.keep_file(f"distinct {n}.csv", content, "labels").id
        for page in ("consensus", "matrices", "walks", "enhanced_matrix"):
            assert at_rest(app, page, data=name, m="6", k="3", method="eac").title
            most = max(most, ACCOUNT.held)

    walk(300)  # kernels that nobody has asked for yet are compiled, which takes as much
    tracemalloc.start(1)
    before = tracemalloc.get_traced_memory()[0]
    walk(N)
    peak = tracemalloc.get_traced_memory()[1] - before
    end_all_jobs()
    tracemalloc.stop()  # beside threads that allocate it crashes: CPython issue 128679
    assert most <= limit
    # Room that results of other tests give back is used anew; pictures, layouts and modules come beside.
    assert peak < limit * 1.5
