"""Random walks on a graph of microclusters, and how alike they travel (Huang et al. 2016).

Walks of any length have one price, through the eigenvectors of the walk; walks over the graph of clusters are compared
the same way (Huang et al. 2021).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy import linalg, sparse
from scipy.sparse import csgraph

from ..clusters.overlaps import cluster_links, shared_objects
from ..ensemble import Ensemble
from ..params import one_of
from ..runtime.blocks import map_blocks
from ..runtime.memory import require_square
from ..runtime.monitor import SILENT, Monitor, Part
from .transitions import check_graph, check_length, transition_matrix
from .walk_panels import GramPanels, Walk

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
            between *= geometric_sum(np.clip(np.multiply.outer(self.values[start:stop], self.values), -1, 1), T)
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


Form = Literal["auto", "horner", "spectral"]
#: From more nodes than this on, eigenvectors take too much memory and too long without a word.
_SPECTRAL_LIMIT = 4_000
_WHAT = "trajectory similarities"


def trajectory_similarity(
    graph: sparse.csr_array,
    sizes: NDArray,
    T: int,
    monitor: Monitor = SILENT,
    dtype: DTypeLike = np.float32,
    form: Form = "auto",
) -> NDArray:
    """How alike walkers travel from two nodes, PTS_ij = cos(PT_i, PT_j)   (eqs. 12 and 13).

    PTS = G_ij / sqrt(G_ii G_jj), G = sum_{t=1..T} P^t (P^t)^T.

    Parameters
    ----------
    graph, sizes
        See `transition_matrix`.
    T : int
        Length of the walk, at least 1.
    monitor : Monitor, optional
    dtype : float32 | float64
    form : "auto" | "horner" | "spectral"
        How G is summed; "auto" takes what `trajectory_form` says.

    Returns
    -------
    (n, n) array
        Symmetric, in [0, 1], diagonal 1; 0 between connected components. An isolated node is like itself alone.

    Raises
    ------
    InvalidParameterError, TooLargeError

    Notes
    -----
    Horner: G_{t+1} = P (I + G_t) P^T, O(T nnz(P) n) time, two matrices of memory. Spectral: O(n^3) time for any
    T, five matrices in float64. Both work inside connected components, and agree to rounding.

    References
    ----------
    huang2016pta, Definition 10.

    Examples
    --------
    >>> graph = sparse.csr_array([[0, 0, 0.7], [0, 0, 0.7], [0.7, 0.7, 0]])
    >>> trajectory_similarity(graph, np.array([4, 1, 2]), T=3).round(3).tolist()
    [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    graph, sizes = check_graph(graph, sizes)
    if (trajectory_form(graph, T) if one_of("form", form, _FORMS) == "auto" else form) == "spectral":
        return next(spectral_similarities(graph, sizes, [T], monitor, dtype))
    panels = _gram_panels(graph, sizes, 2, dtype)
    for t in range(T):
        panels.step(Part(monitor, t, T, steps=1))
    return panels.similarity(monitor, reuse=True)


def trajectory_similarities(
    graph: sparse.csr_array,
    sizes: NDArray,
    lengths: Iterable[int],
    monitor: Monitor = SILENT,
    dtype: DTypeLike = np.float32,
    form: Form = "horner",
    scratch: bool = False,
) -> Iterator[tuple[int, NDArray]]:
    """`trajectory_similarity` for several T in one walk, at little more than the price of the longest.

    Parameters
    ----------
    graph, sizes
        See `transition_matrix`.
    lengths : iterable of int
        The T wanted, each at least 1.
    monitor : Monitor, optional
    dtype : float32 | float64
    form : "horner" | "spectral" | "auto"
        How G is summed; "auto" takes for every T what `trajectory_form` says, as `trajectory_similarity` does.
    scratch : bool
        Whether every T may overwrite the array of the one before: for callers that are done with it.

    Returns
    -------
    iterator of (int, (n, n) array)
        T, ascending, and its similarities, in an array of their own; computed as they are asked for.

    Raises
    ------
    InvalidParameterError, TooLargeError

    Examples
    --------
    >>> graph = sparse.csr_array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    >>> [(T, round(float(matrix[0, 1]), 3)) for T, matrix in trajectory_similarities(graph, np.ones(3), [1, 3])]
    [(1, 0.5), (3, 0.731)]
    """
    graph, sizes = check_graph(graph, sizes)
    wanted = sorted({check_length(T) for T in lengths})
    forms = {T: trajectory_form(graph, T) if form == "auto" else one_of("form", form, _FORMS) for T in wanted}
    walked = [T for T in wanted if forms[T] == "horner"]  # the shorter ones: each step costs, eigenvectors cost once
    mixed = [T for T in wanted if forms[T] == "spectral"]
    return chain(_walked(walked, graph, sizes, monitor, dtype, scratch), _mixed(mixed, graph, sizes, monitor, dtype))


def _walked(
    wanted: list[int], graph: sparse.csr_array, sizes: NDArray, monitor: Monitor, dtype: DTypeLike, scratch: bool
) -> Iterator[tuple[int, NDArray]]:
    """Similarities at some lengths of one walk."""
    if not wanted:
        return
    panels = _gram_panels(graph, sizes, 3, dtype)
    out = np.empty((len(sizes), len(sizes)), dtype) if scratch else None
    for t in range(1, wanted[-1] + 1):
        panels.step(Part(monitor, t - 1, wanted[-1], steps=1))
        if t in wanted:
            yield t, panels.similarity(monitor, out=out)


def _mixed(
    wanted: list[int], graph: sparse.csr_array, sizes: NDArray, monitor: Monitor, dtype: DTypeLike
) -> Iterator[tuple[int, NDArray]]:
    """Similarities at some lengths from one spectral factor."""
    if wanted:
        yield from zip(wanted, spectral_similarities(graph, sizes, wanted, monitor, dtype), strict=True)


_FORMS = ("auto", "horner", "spectral")


def trajectory_form(graph: sparse.csr_array, T: int) -> Literal["horner", "spectral"]:
    """The cheaper way to `trajectory_similarity`: by size, links and length alone, so on every machine the same.

    Seconds measured on two cores, float32: T (7e-11 nnz n + 1.3e-9 n^2 + 4e-5) for Horner, and for the spectral
    form 2.3e-10 n^3 + 1e-7 n^2 + 4e-4 whatever T is.

    Parameters
    ----------
    graph : (n, n) sparse array
        Of the walkers, symmetric.
    T : int
        Steps, at least 1.

    Returns
    -------
    {"horner", "spectral"}
        The form; both give the same similarity to rounding.

    Examples
    --------
    >>> chain = sparse.diags_array([np.ones(99), np.ones(99)], offsets=[-1, 1]).tocsr()
    >>> trajectory_form(chain, 5), trajectory_form(chain, 1000)
    ('horner', 'spectral')
    """
    n, T = graph.shape[0], check_length(T)
    horner = T * (7e-11 * graph.nnz * n + 1.3e-9 * n**2 + 4e-5)
    spectral = 2.3e-10 * n**3 + 1e-7 * n**2 + 4e-4
    return "spectral" if n <= _SPECTRAL_LIMIT and spectral < horner else "horner"


def _gram_panels(graph: sparse.csr_array, sizes: NDArray, n_arrays: int, dtype: DTypeLike) -> GramPanels:
    require_square(_WHAT, len(sizes), n_arrays, np.dtype(dtype).itemsize)
    return GramPanels(Walk.of(transition_matrix(graph, sizes), dtype))


def propagated_similarity(ensemble: Ensemble, T: int = 20, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Cosine of the trajectories of two clusters, Z_ij = G_ij / sqrt(G_ii G_jj).

    G = sum_{t=1..T} P^t (P^t)^T, P the walk that steps to another cluster in proportion to their Jaccard index.

    Parameters
    ----------
    ensemble : Ensemble
    T : int
        Length of the walks, t in the paper; at least 1.
    monitor : Monitor, optional

    Returns
    -------
    (K, K) float64
        Symmetric, diagonal 1, in [0, 1]; clusters as in `Ensemble.clusters`.

    Raises
    ------
    InvalidParameterError, TooLargeError

    Notes
    -----
    Time as `trajectory_similarity` on K nodes: O(K^3) for any T in the spectral form. A cluster that meets no other
    (M = 1) is like itself alone, where the paper leaves 0.

    References
    ----------
    huang2021ecpcs.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [2, 2]])
    >>> propagated_similarity(ensemble, 1)[:3, :3].round(3).tolist()
    [[1.0, 0.555, 0.0], [0.555, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    links = sparse.csr_array(cluster_links(shared_objects(ensemble, monitor)))
    return trajectory_similarity(links, np.ones(links.shape[0]), T, monitor, np.float64)
