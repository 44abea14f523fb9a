"""What a method will take on an ensemble, by laws that `bench.bench_costs` measured."""

import csv
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..ensemble import Ensemble
from ..runtime.blocks import limited_threads
from ..runtime.memory import memory_limit
from ..trees.agglomeration import MANY
from ..trees.profile_merging import reads_much
from .running import find_method, run_consensus

FILE = Path(__file__).with_name("costs.csv")
#: What time and memory are sums of.
TIME = ("1", "nM", "nK", "n^2", "n^2 M", "n^2 M/K", "n^3", "K^2", "K^3", "EM", "En/N", "EMn/N")
MEMORY = ("1", "nM", "nK", "n^2", "K^2", "E")
COLUMNS = ("method", *(f"s {one}" for one in TIME), *(f"MB {one}" for one in MEMORY), "largest_n", "off", "yardstick")
#: How a law is called that holds where a tree grows without a matrix.
WITHOUT = "{} without a matrix"


class Size(NamedTuple):
    """What laws are told of an ensemble: n, M and K, edges of its graph and objects where it has one."""

    n: float
    n_clusterings: float
    n_clusters: float
    n_edges: float = 0
    n_objects: float = 1


def size_of(made: Ensemble) -> Size:
    """That of an ensemble."""
    edges = 0 if made.graph is None else made.graph.n_edges
    return Size(len(made.microclusters), made.n_clusterings, made.n_clusters_total, edges, made.n_objects)


def term_values(terms: Sequence[str], size: Size) -> np.ndarray:
    """Values of terms such as "n^2 M": (T,)."""
    n, n_clusterings, n_clusters, n_edges, n_objects = size
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
        "E": n_edges,
        "EM": n_edges * n_clusterings,
        "En/N": n_edges * n / n_objects,
        "EMn/N": n_edges * n_clusterings * n / n_objects,
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

    def expected(self, size: Size, factor: float = 1.0) -> tuple[float, float]:
        """Seconds, on a machine that takes `factor` times as long, and megabytes."""
        seconds, megabytes = term_values(TIME, size) @ self.seconds, term_values(MEMORY, size) @ self.megabytes
        return factor * float(seconds), float(megabytes)


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
    """CPU seconds of EAC on 600 objects, the same everywhere, whatever other threads do."""
    labels = np.random.default_rng(0).integers(0, 8, (600, 20))
    with limited_threads(1):
        start = time.thread_time()
        run_consensus("eac", Ensemble.from_labels(labels), 5)
        return time.thread_time() - start


@cache
def slowness() -> float:
    """How many times as long as where the laws were measured this machine takes."""
    here = min(yardstick_run() for _ in range(4))
    return float(np.clip(here / next(iter(laws().values())).yardstick, 0.1, 10))


def law_of(key: str, made: Ensemble) -> Law | None:
    """The law of a method at its defaults on this ensemble; None if it was not measured, or has not what it needs."""
    if "graph" in find_method(key).needs and made.graph is None:
        return None
    without = laws().get(WITHOUT.format(key))
    if without is not None and made.complete and not _in_a_matrix(made):
        return without
    return laws().get(key)


def _in_a_matrix(made: Ensemble) -> bool:
    n = len(made.microclusters)
    return 4 * n * n <= memory_limit() and (n <= MANY or reads_much(made.canonical.clusters))


def expected(key: str, made: Ensemble) -> tuple[float, float] | None:
    """Seconds of one core and megabytes of a method on this ensemble and this machine; None if it was not measured."""
    law = law_of(key, made)
    if law is None:
        return None
    return law.expected(size_of(made), slowness())
