"""The small arrays: their size, their source, and that they are the whole answers' own."""

import os
from pathlib import Path

import numpy as np

from tests.golden.make_arrays import ARRAYS, ENSEMBLES, small_oracle


def test_they_are_small_say_where_they_come_from_and_are_taken_from_the_whole():
    assert sum(path.stat().st_size for path in ARRAYS.iterdir()) < 1_000_000
    source = (ARRAYS / "SOURCE.md").read_text()
    for name in ENSEMBLES:
        assert name in source
        if "CONCORD_ORACLE" in os.environ:
            with np.load(Path(os.environ["CONCORD_ORACLE"]) / f"{name}.npz") as whole:
                expected = small_oracle(dict(whole))
            with np.load(ARRAYS / f"{name}.npz") as ours:
                assert set(ours) == set(expected)
                assert all((ours[key] == expected[key]).all() for key in ours)
