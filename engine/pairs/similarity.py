"""A similarity between microclusters that need not be a matrix."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..ensemble.clusters import Clusters
from ..runtime.memory import memory_limit
from ..runtime.monitor import SILENT, Monitor


@dataclass(frozen=True, eq=False)
class Similarity:
    """Dense when asked for, and where possible a factor: S = B diag(w) B' / M.

    `fill(monitor)` makes the matrix (n, n), which belongs to whoever asks; `clusters` are B and `weights` (K,) w, None
    where there is no such factor; `name` is what a trace calls the matrix (see `engine.consensus.traces`).
    """

    n: int
    fill: Callable[[Monitor], NDArray[np.float32]]
    clusters: Clusters | None = None
    weights: NDArray[np.float64] | None = None
    name: str = "similarity"

    @property
    def factor(self) -> tuple[Clusters, NDArray[np.float64]] | None:
        """B and w, or None."""
        return None if self.clusters is None or self.weights is None else (self.clusters, self.weights)

    @property
    def fits(self) -> bool:
        """Whether the matrix may be made (see `engine.runtime.memory`)."""
        return 4 * self.n**2 <= memory_limit()

    def dense(self, monitor: Monitor = SILENT) -> NDArray[np.float32]:
        """The matrix: (n, n) float32, the caller's own."""
        return self.fill(monitor)

    def record(self, monitor: Monitor) -> None:
        """Offer the matrix to a trace; where it does not fit, the trace does without."""
        if self.fits:
            monitor.record(self.name, lambda: self.dense(monitor))
