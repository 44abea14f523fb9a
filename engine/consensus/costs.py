"""What a method will take on an ensemble, by laws that `bench.bench_costs` measured."""

import csv
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from ..ensemble import Ensemble
from ..runtime.memory import memory_limit
from ..trees.agglomeration import MANY
from .running import run_consensus

FILE = Path(__file__).with_name("costs.csv")
#: What time and memory are sums of.
TIME = ("1", "nM", "nK", "n^2", "n^2 M", "n^2 M/K", "n^3", "K^2", "K^3")
MEMORY = ("1", "nM", "nK", "n^2", "K^2")
COLUMNS = ("method", *(f"s {one}" for one in TIME), *(f"MB {one}" for one in MEMORY), "largest_n", "off", "yardstick")
#: How a law is called that holds where a tree grows without a matrix.
WITHOUT = "{} without a matrix"


def term_values(terms: Sequence[str], n: float, n_clusterings: float, n_clusters: float) -> np.ndarray:
    """Values of terms such as "n^2 M": (T,)."""
    values = {
        "1": 1.0,
        "nM": n * n_clusterings,
        "nK": n * n_clusters,
        "n^2": n**2,
        "n^2 M": n**2 * n_clusterings,
        "n^2 M/K": n**2 * n_clusterings / n_clusters,
        "n^3": n**3,
        "K^2": n_clusters**2,
        "K^3": n_clusters**3,
    }
    return np.array([values[term] for term in terms])


@dataclass(frozen=True)
class Law:
    """Factors of the terms of `TIME` (seconds) and `MEMORY` (megabytes).

    `largest_n` is the largest number of microclusters it was measured on, `off` the largest factor between a run and
    the law, `yardstick` what `yardstick_run` took there.
    """

    seconds: tuple[float, ...]
    megabytes: tuple[float, ...]
    largest_n: int
    off: float
    yardstick: float

    def expected(self, n: int, n_clusterings: int, n_clusters: int, factor: float = 1.0) -> tuple[float, float]:
        """Seconds, on a machine that takes `factor` times as long, and megabytes."""
        size = n, n_clusterings, n_clusters
        return factor * float(term_values(TIME, *size) @ self.seconds), float(
            term_values(MEMORY, *size) @ self.megabytes
        )


@cache
def laws() -> dict[str, Law]:
    """The law of every method that was measured."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return {line["method"]: _law(line) for line in csv.DictReader(file)}


def _law(line: dict[str, str]) -> Law:
    numbers = [float(line[name]) for name in COLUMNS[1:]]
    end = len(TIME) + len(MEMORY)
    return Law(tuple(numbers[: len(TIME)]), tuple(numbers[len(TIME) : end]), int(numbers[end]), *numbers[end + 1 :])


def yardstick_run() -> float:
    """CPU seconds of EAC on 600 objects, the same everywhere."""
    labels = np.random.default_rng(0).integers(0, 8, (600, 20))
    start = time.process_time()
    run_consensus("eac", Ensemble.from_labels(labels), 5)
    return time.process_time() - start


@cache
def slowness() -> float:
    """How many times as long as where the laws were measured this machine takes."""
    here = min(yardstick_run() for _ in range(4))
    return float(np.clip(here / next(iter(laws().values())).yardstick, 0.1, 10))


def law_of(key: str, made: Ensemble) -> Law | None:
    """The law of a method at its defaults on this ensemble; None if it was not measured."""
    without = laws().get(WITHOUT.format(key))
    if without is not None and made.complete and not _in_a_matrix(len(made.microclusters)):
        return without
    return laws().get(key)


def _in_a_matrix(n: int) -> bool:
    return n <= MANY and 4 * n * n <= memory_limit()


def expected(key: str, made: Ensemble) -> tuple[float, float] | None:
    """Seconds of one core and megabytes of a method on this ensemble and this machine; None if it was not measured."""
    law = law_of(key, made)
    if law is None:
        return None
    return law.expected(len(made.microclusters), made.n_clusterings, made.n_clusters_total, slowness())
