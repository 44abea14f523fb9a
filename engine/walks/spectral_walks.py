"""Random walks of any length at one price, through the eigenvectors of the walk."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy import linalg, sparse
from scipy.sparse import csgraph

from ..runtime.blocks import map_blocks
from ..runtime.memory import require_square
from ..runtime.monitor import Monitor, Part

_STAGE = "mixing walkers"
_SMALL = 400


def spectral_similarities(
    graph: sparse.csr_array, sizes: NDArray, lengths: Sequence[int], monitor: Monitor, dtype: DTypeLike
) -> Iterator[NDArray]:
    """Cosines of trajectories of several lengths, one factor for all: (n, n) each. See `trajectory_similarities`.

    With d = W r, the walk is P = X Q X^-1, X = diag(d r)^-1/2, Q = diag(r / d)^1/2 W diag(r / d)^1/2 symmetric.
    With Q = V diag(l) V^T, G = X V [(V^T X^-2 V) o Geo_T(l l^T)] V^T X, Geo_T(q) = q + q^2 + ... + q^T.
    The outer X cancels in the cosines.
    """
    n_components, component = csgraph.connected_components(graph, directed=False)
    largest = int(np.bincount(component).max())
    require_square("trajectory similarities", len(sizes), itemsize=np.dtype(dtype).itemsize)
    require_square("the eigenvectors of the walk", largest, n_arrays=5, itemsize=8)
    order = np.argsort(component, kind="stable")
    groups = [g for g in np.split(order, np.flatnonzero(np.diff(component[order])) + 1) if len(g) > 1]
    factors = [
        _Factor.of(graph, sizes, nodes, Part(monitor, i, n_components, steps=1)) for i, nodes in enumerate(groups)
    ]
    for T in lengths:
        out = np.eye(len(sizes), dtype=dtype)  # an isolated node walks nowhere: d = 0
        for done, factor in enumerate(factors):
            out[np.ix_(factor.nodes, factor.nodes)] = factor.cosines(T, Part(monitor, done, n_components, steps=1))
        np.fill_diagonal(out, 1)
        yield out


@dataclass(frozen=True, eq=False)
class _Factor:
    """Eigenvectors of the walk inside one connected component."""

    nodes: NDArray[np.int64]  # (m,)
    values: NDArray[np.float64]  # (m,)
    vectors: NDArray[np.float64]  # (m, m)
    weighted: NDArray[np.float64]  # (m, m): X^-2 V

    @classmethod
    def of(cls, graph: sparse.csr_array, sizes: NDArray, nodes: NDArray, monitor: Monitor) -> "_Factor":
        weights = graph[nodes][:, nodes].toarray().astype(np.float64)
        r = sizes[nodes].astype(np.float64)
        degrees = weights @ r
        root = np.sqrt(r / degrees)
        monitor.tick(_STAGE, 0, len(nodes))
        weights *= root[:, None]
        weights *= root
        values, vectors = linalg.eigh(weights, overwrite_a=True, driver="evd", check_finite=False)
        return cls(nodes, values, vectors, (degrees * r)[:, None] * vectors)

    def cosines(self, T: int, monitor: Monitor) -> NDArray[np.float64]:
        """The cosines after T steps: symmetric, in [0, 1]."""
        n = len(self.nodes)
        inner, gram = np.empty((n, n)), np.empty((n, n))

        def inner_rows(start: int, stop: int) -> None:
            between = self.vectors[:, start:stop].T @ self.weighted
            between *= geometric_sum(np.multiply.outer(self.values[start:stop], self.values), T)
            inner[start:stop] = between @ self.vectors.T

        def gram_rows(start: int, stop: int) -> None:
            gram[start:stop] = self.vectors[start:stop] @ inner

        block = n if n < _SMALL else None  # threads cost more than they give
        map_blocks(inner_rows, n, monitor, _STAGE, block)
        map_blocks(gram_rows, n, monitor, _STAGE, block)
        scale = 1 / np.sqrt(np.diagonal(gram))
        gram *= scale[:, None] * scale
        return np.clip((gram + gram.T) / 2, 0, 1)


def geometric_sum(q: NDArray, T: int) -> NDArray[np.float64]:
    """Geo_T(q) = q + q^2 + ... + q^T, for |q| up to 1.

    Above 1/2 as q expm1(T log1p(q - 1)) / (q - 1), because 1 - q^T loses its digits near 1; T at q = 1.

    >>> geometric_sum(np.array([1, 0.5, -1, 1 - 1e-12]), 3).round(9).tolist()
    [3.0, 0.875, -1.0, 3.0]
    """
    short = np.where(q == 1, 0, q)  # keeps the division below away from 0 / 0
    below = short - 1
    near = short > 0.5
    powers = np.where(near, np.expm1(T * np.log1p(np.where(near, below, 0))), np.where(near, 0, short) ** T - 1)
    return np.where(q == 1, T, short * powers / below)
