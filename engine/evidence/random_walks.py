"""Random walks on a graph of microclusters, and how alike they travel (Huang et al. 2016)."""

from collections.abc import Iterable, Iterator
from typing import Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy import sparse

from engine.errors import InvalidParameterError
from engine.evidence.spectral_walks import spectral_similarity
from engine.evidence.walk_panels import GramPanels, Share, Walk
from engine.memory import require_square
from engine.monitor import SILENT, Monitor

Form = Literal["auto", "horner", "spectral"]
#: From more nodes than this on, eigenvectors take too much memory and too long without a word.
_SPECTRAL_LIMIT = 4_000
_WHAT = "trajectory similarities"


def transition_matrix(graph: sparse.csr_array, sizes: NDArray) -> sparse.csr_array:
    """Probability of a step from node to node, p_ij = r_j w_ij / sum_k r_k w_ik   (eq. 10).

    Parameters
    ----------
    graph : (n, n) sparse
        Symmetric weights W, diagonal empty; from `elite_neighbor_graph`.
    sizes : (n,)
        Objects in each node, r, positive.

    Returns
    -------
    (n, n) csr_array of float64
        Rows sum to 1, those of isolated nodes to 0.

    Raises
    ------
    InvalidParameterError

    References
    ----------
    huang2016pta, Definition 8.

    Examples
    --------
    Fig. 6: from y_3 the four objects of y_1 are four times as likely a goal as the one of y_2.

    >>> graph = sparse.csr_array([[0, 0, 0.7], [0, 0, 0.7], [0.7, 0.7, 0]])
    >>> transition_matrix(graph, np.array([4, 1, 2])).toarray().round(3).tolist()
    [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.8, 0.2, 0.0]]
    """
    graph, sizes = _check_graph(graph, sizes)
    weights = graph.data * sizes[graph.indices]
    rows = np.repeat(np.arange(len(sizes)), np.diff(graph.indptr))
    totals = np.bincount(rows, weights=weights, minlength=len(sizes))
    return sparse.csr_array((weights / totals[rows], graph.indices, graph.indptr), shape=graph.shape)


def probability_trajectory(graph: sparse.csr_array, sizes: NDArray, start: int, T: int) -> NDArray[np.float64]:
    """Where a walker is after 1, 2, ..., T steps, PT_i = (p_i^1, ..., p_i^T)   (eq. 11).

    Parameters
    ----------
    graph, sizes
        See `transition_matrix`.
    start : int
        Node the walker leaves, i.
    T : int
        Steps, at least 1.

    Returns
    -------
    (T, n) float64
        Row t - 1 is the distribution at step t; sums to 1, or to 0 if the start is isolated.

    Raises
    ------
    InvalidParameterError

    References
    ----------
    huang2016pta, Definition 9.

    Examples
    --------
    >>> graph = sparse.csr_array([[0, 0, 0.7], [0, 0, 0.7], [0.7, 0.7, 0]])
    >>> probability_trajectory(graph, np.array([4, 1, 2]), start=2, T=2).round(3).tolist()
    [[0.8, 0.2, 0.0], [0.0, 0.0, 1.0]]
    """
    transitions = transition_matrix(graph, sizes)
    n = len(sizes)
    if not 0 <= start < n:
        raise InvalidParameterError(f"start must be a node in 0..{n - 1}. Got {start!r}")
    out = np.zeros((check_length(T) + 1, n))
    out[0, start] = 1
    backward = transitions.T.tocsr()
    for t in range(T):
        out[t + 1] = backward @ out[t]
    return out[1:]


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
    graph, sizes = _check_graph(graph, sizes)
    if form not in ("auto", "horner", "spectral"):
        raise InvalidParameterError(f"form must be one of auto, horner, spectral. Got {form!r}")
    if (trajectory_form(graph, T) if form == "auto" else form) == "spectral":
        return spectral_similarity(graph, sizes, T, monitor, dtype)
    panels = _gram_panels(graph, sizes, 2, dtype)
    for t in range(T):
        panels.step(Share(monitor, t, T))
    return panels.similarity(monitor, reuse=True)


def trajectory_similarities(
    graph: sparse.csr_array,
    sizes: NDArray,
    lengths: Iterable[int],
    monitor: Monitor = SILENT,
    dtype: DTypeLike = np.float32,
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
    graph, sizes = _check_graph(graph, sizes)
    wanted = sorted({check_length(T) for T in lengths})
    return _similarities_at(wanted, _gram_panels(graph, sizes, 3, dtype), monitor)


def _similarities_at(wanted: list[int], panels: GramPanels, monitor: Monitor) -> Iterator[tuple[int, NDArray]]:
    for t in range(1, max(wanted, default=0) + 1):
        panels.step(Share(monitor, t - 1, wanted[-1]))
        if t in wanted:
            yield t, panels.similarity(monitor)


def trajectory_form(graph: sparse.csr_array, T: int) -> Literal["horner", "spectral"]:
    """The cheaper way to `trajectory_similarity`: by size, links and length alone, so on every machine the same.

    Seconds measured on two cores, float32: T (7e-11 nnz n + 1.3e-9 n^2 + 4e-5) for Horner, and for the spectral
    form 2.3e-10 n^3 + 1e-7 n^2 + 4e-4 whatever T is.

    >>> chain = sparse.diags_array([np.ones(99), np.ones(99)], offsets=[-1, 1]).tocsr()
    >>> trajectory_form(chain, 5), trajectory_form(chain, 1000)
    ('horner', 'spectral')
    """
    n, T = graph.shape[0], check_length(T)
    horner = T * (7e-11 * graph.nnz * n + 1.3e-9 * n**2 + 4e-5)
    spectral = 2.3e-10 * n**3 + 1e-7 * n**2 + 4e-4
    return "spectral" if n <= _SPECTRAL_LIMIT and spectral < horner else "horner"


def check_length(T: int) -> int:
    """T if it is a number of steps.

    Raises
    ------
    InvalidParameterError
    """
    if isinstance(T, bool) or not isinstance(T, int | np.integer) or T < 1:
        raise InvalidParameterError(f"T must be an integer of at least 1. Got {T!r}")
    return int(T)


def _gram_panels(graph: sparse.csr_array, sizes: NDArray, n_arrays: int, dtype: DTypeLike) -> GramPanels:
    require_square(_WHAT, len(sizes), n_arrays, np.dtype(dtype).itemsize)
    return GramPanels(Walk.of(transition_matrix(graph, sizes), dtype))


def _check_graph(graph: sparse.csr_array, sizes: NDArray) -> tuple[sparse.csr_array, NDArray]:
    graph, sizes = sparse.csr_array(graph), np.asarray(sizes)
    if sizes.ndim != 1 or graph.shape != (len(sizes), len(sizes)):
        raise InvalidParameterError(
            f"graph must be square with one size a node. Got {graph.shape} and sizes {sizes.shape}"
        )
    return graph, sizes
