"""Steps of a random walk on a graph of microclusters (Huang et al. 2016)."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..ensemble.microclusters import as_sizes
from ..runtime.errors import InvalidParameterError


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
    graph, sizes = check_graph(graph, sizes)
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


def check_length(T: int) -> int:
    """T if it is a number of steps."""
    if isinstance(T, bool) or not isinstance(T, int | np.integer) or T < 1:
        raise InvalidParameterError(f"T must be an integer of at least 1. Got {T!r}")
    return int(T)


def check_graph(graph: sparse.csr_array, sizes: NDArray) -> tuple[sparse.csr_array, NDArray]:
    """A graph and its sizes that fit together."""
    graph, sizes = sparse.csr_array(graph), np.asarray(sizes)
    if sizes.ndim != 1 or graph.shape != (len(sizes), len(sizes)):
        raise InvalidParameterError(
            f"graph must be square with one size a node. Got {graph.shape} and sizes {sizes.shape}"
        )
    return graph, as_sizes(sizes, len(sizes))
