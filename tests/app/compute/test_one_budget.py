"""A walk through the pages that need a matrix of all pairs stays within the limit, whatever is kept on the way."""

import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from engine.runtime.memory import ACCOUNT
from tests.app.conftest import at_rest, end_all_jobs, run_app
from ui.compute import uploads

ROOT = Path(__file__).parents[3]
M = 2**20
N = 2000  # one matrix: 16 MB
LIMIT = 160 * M


def walk(n: int) -> int:
    """Go through four pages over labels that are all distinct; bytes of the account at most."""
    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.permutation(n) for _ in range(6)])
    content = "\n".join(",".join(map(str, row)) for row in rows).encode()
    name = uploads.keep_file(f"distinct {n}.csv", content, "labels").id
    most = 0
    for page in ("consensus", "matrices", "walks", "enhanced_matrix"):
        assert at_rest(run_app, page, data=name, m="6", k="3", method="eac").title
        most = max(most, ACCOUNT.held)
    return most


def measure() -> None:
    """Say what the account held at most, and Python's own memory at its peak."""
    walk(300)  # kernels that nobody has asked for yet are compiled, which takes as much
    tracemalloc.start(1)
    before = tracemalloc.get_traced_memory()[0]
    most = walk(N)
    peak = tracemalloc.get_traced_memory()[1] - before
    end_all_jobs()
    tracemalloc.stop()  # beside threads that allocate it crashes: CPython issue 128679
    sys.stdout.write(json.dumps([most, peak]))


@pytest.mark.long
def test_four_pages_over_labels_that_are_all_distinct(tmp_path):
    """In a process of its own: what other tests have imported and compiled here changes what comes beside."""
    here = {**os.environ, "PYTHONPATH": str(ROOT), "CONCORD_MEMORY_LIMIT": str(LIMIT), "CONCORD_CACHE": str(tmp_path)}
    program = "from tests.app.compute.test_one_budget import measure; measure()"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=here, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    most, peak = json.loads(done.stdout.splitlines()[-1])
    assert most <= LIMIT
    assert N * N * 4 < peak < LIMIT * 1.5  # pictures, layouts and modules come beside
