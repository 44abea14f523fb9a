"""Merge trees."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Dendrogram:
    """A merge tree over n leaves, most similar merge first.

    Attributes
    ----------
    merges : (n - 1, 2) int32
        Nodes joined by each merge: leaves are 0..n-1, merge t creates node n + t.
    similarities : (n - 1,) float64
        Similarity at which each merge happens; never increasing.
    sizes : (n,) int64
        Objects each leaf stands for.
    """

    merges: NDArray[np.int32]
    similarities: NDArray[np.float64]
    sizes: NDArray[np.int64]

    @property
    def n_leaves(self) -> int:
        """N."""
        return len(self.sizes)

    @property
    def n_tied_merges(self) -> int:
        """Merges at exactly the similarity of another merge: a rule, not the data, decides which of them comes first.

        With complete link the rule may also decide what they join.
        """
        tied = np.diff(self.similarities) == 0
        return int((np.append(tied, False) | np.append(False, tied)).sum())
