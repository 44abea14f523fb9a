"""Data and records that tests of studies share."""

import numpy as np

from engine.studies.records import Record


def blobs(seed: int = 0, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=n)
    return rng.normal(size=(n, 2)) + 4 * np.eye(3, 2)[truth], truth


def without_cost(records: list[Record]) -> list[dict]:
    return [{k: v for k, v in record.as_dict().items() if k not in ("seconds", "peak_mb")} for record in records]


def sample(key: str = "a", **changes) -> Record:
    return Record.of(
        **{
            "key": key,
            "dataset": "wine",
            "method": "lwea",
            "params": "{}",
            "n_clusterings": 10,
            "repeat": 0,
            "seed": 0,
            "k": 3,
            "ari": 0.123456789012345,
            "seconds": 1.5,
            **changes,
        }
    )
