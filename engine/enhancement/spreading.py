"""The co-association matrix that enhances itself (EC-CMS, Jia et al. 2023)."""

import math
from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..params import Float, require, require_integer
from ..runtime.blocks import kept_threads, single_threaded_libraries
from ..runtime.errors import InvalidParameterError, TooLargeError
from ..runtime.memory import memory_limit, require_square
from ..runtime.monitor import SILENT, Monitor, Part
from .alternating_directions import Iterates
from .high_confidence_graph import HighConfidenceGraph, check_square, confidence_threshold
from .laplacian_system import LaplacianSystem, TiledPairs, laplacian_gradient

#: n x n arrays alive at the peak, by eighths 5 in tiles (A and what is locked), four of the iteration, and the rest of
#: what the inverses of dense components take, which are rare.
N_ARRAYS = 5


@dataclass(frozen=True, eq=False)
class Enhancement:
    """What `enhance` found.

    Attributes
    ----------
    matrix : (n, n)
        C, symmetrised, in the type of the input.
    residuals : (iterations, 5) float64
        How far C, E and F moved and how far A is from C + E and C from F, each relative to C, E, F, Y1 and Y2
        before the iteration; infinite where that was 0.
    iterations : int
    converged : bool
        Whether all residuals fell below the tolerance before the iterations ran out.
    n_components : int
        Connected components of the high-confidence graph (n without the Laplacian term).
    snapshots : dict of int to (n, n)
        The matrix after the iterations asked for, symmetrised.
    """

    matrix: NDArray
    residuals: NDArray[np.float64]
    iterations: int
    converged: bool
    n_components: int
    snapshots: dict[int, NDArray] = field(default_factory=dict)


def enhance(
    similarity: NDArray,
    co_association: NDArray,
    sizes: ArrayLike,
    alpha: float = 0.8,
    lam: float = 0.4,
    tol: float = 1e-2,
    max_iter: int = 100,
    start: NDArray | None = None,
    monitor: Monitor = SILENT,
    *,
    laplacian: bool = True,
    completion: bool = True,
    keep: Collection[int] = (),
) -> Enhancement:
    """Spread what is certain, and clean what is not: the enhanced co-association matrix C.

    min_{C,E} tr(C^T Phi C) + lambda/2 ||E||^2   s.t.  A = C + E,  E = 0 on Omega,  C = C^T,  0 <= C <= 1   (eq. 5)

    Omega holds the pairs that meet in at least a share alpha of the base clusterings, H their co-association
    and Phi = diag(H 1) - H its Laplacian, all over objects. Solved by alternating directions (Algorithm 1 with
    gamma_1 = gamma_2 = 1, from C = E = F = Y2 = 0, Y1 = A).

    Parameters
    ----------
    similarity : (n, n) float32 or float64
        A, any symmetric similarity on microclusters; the diagonal is read.
    co_association : (n, n) of the same type
        Plain co-association, from which Omega and H are taken.
    sizes : (n,) int
        Objects in each microcluster, r.
    alpha : float
        In [0, 1]; the paper advises 0.8.
    lam : float
        lambda, in [1e-6, 1e6]; the paper advises 0.4. Large values stay close to A, small ones smooth more.
    tol : float
        > 0; iteration stops when the largest of the five residuals is below it.
    max_iter : int
        At least 1.
    start : (n, n), optional
        The matrix found for values nearby. Its optimality gives the multipliers, so that few iterations are
        left. What is found then depends on it, within what `tol` leaves open.
    monitor : Monitor, optional
    laplacian : bool
        False drops tr(C^T Phi C), the paper's "w/o tr" (Table VIII); then C = A solves the problem.
    completion : bool
        False drops E = 0 on Omega, the paper's "w/o Psi(E) = 0" (Table VIII).
    keep : collection of int
        Iterations, from 1, whose matrix is kept too.

    Returns
    -------
    Enhancement
        Its matrix is symmetric, and in [0, 1] up to what `tol` leaves open.

    Raises
    ------
    InvalidParameterError, TooLargeError

    Notes
    -----
    Exact on microclusters: C is constant on their blocks, so that D = H r, the system diag(2 D + 2) -
    2 H diag(r) and norms weighted by r_i r_j replace the N x N problem. The system is factored once: sparse
    factors in a fill-reducing order, which split by component of H, and inverses for components that are dense
    themselves. An iteration takes O(n |factors|) for the solve and two passes over the matrices, which lie in tiles
    so that every pass reads memory in one go. Beside the two matrices given five n x n arrays are alive, and one
    more for `start` and for each iteration kept; `enhancement_limit` says how many microclusters fit.

    Deviations. The paper prints squared ratios in its stopping rule; the published results come from plain
    ratios below 1e-2, and so do ours. That is an early stop: C lies several per cent from the optimum, which a
    small `tol` approaches. A ratio 0/0, or a change below rounding, counts as 0. The published code returns C
    with a slight asymmetry; here it is symmetrised.

    References
    ----------
    jia2023eccms, eqs. 5 to 14 and Algorithm 1.

    Examples
    --------
    Objects 0 and 1 meet nine times in ten: what object 2 shares with one of them spreads to the other.

    >>> a = np.array([[1, 0.9, 0.6], [0.9, 1, 0.0], [0.6, 0.0, 1]])
    >>> enhance(a, a, sizes=[1, 1, 1], alpha=0.8, tol=1e-6, max_iter=1000).matrix.round(2).tolist()
    [[1.0, 0.9, 0.35], [0.9, 1.0, 0.25], [0.35, 0.25, 1.0]]
    """
    check_square("similarity", similarity)
    require_enhancement(len(similarity), similarity.itemsize, 2 + (start is not None) + len(set(keep)))
    switches = {"laplacian": laplacian, "completion": completion}
    problem = EnhancementProblem(similarity, co_association, sizes, alpha, start, monitor, **switches)
    return problem.solve(lam, tol, max_iter, monitor, keep)


class EnhancementProblem:
    """The part of `enhance` that neither lambda nor tolerance changes: A in tiles, what is locked, and the system.

    The matrices given are not kept: whoever lets go of them has their memory for the iteration.
    """

    def __init__(
        self,
        similarity: NDArray,
        co_association: NDArray,
        sizes: ArrayLike,
        alpha: float = 0.8,
        start: NDArray | None = None,
        monitor: Monitor = SILENT,
        *,
        laplacian: bool = True,
        completion: bool = True,
    ):
        sizes = np.asarray(sizes, dtype=np.float64)
        _check(similarity, co_association, sizes, start)
        threshold = confidence_threshold(alpha, co_association.dtype)
        none = threshold.dtype.type(np.inf)
        graph = HighConfidenceGraph.of(co_association, threshold if laplacian else none, sizes)
        self.n_components = graph.n_components
        self._start = None if start is None else (start, laplacian_gradient(graph, start))
        with single_threaded_libraries():
            self._system = LaplacianSystem(graph, monitor)
        locking = threshold if completion else none
        self._pairs = TiledPairs(similarity, co_association, locking, sizes, self._system.position)

    def solve(
        self,
        lam: float = 0.4,
        tol: float = 1e-2,
        max_iter: int = 100,
        monitor: Monitor = SILENT,
        keep: Collection[int] = (),
    ) -> Enhancement:
        """Iterate from the start, or from nothing: see `enhance`."""
        _check_numbers(lam, tol, max_iter)
        with single_threaded_libraries(), kept_threads():
            iterates = Iterates(self._pairs, lam)
            if self._start is not None:
                iterates.start_from(*self._start)
            residuals, snapshots = _iterate(iterates, self._system, tol, max_iter, keep, monitor)
            found = iterates.c
            del iterates  # the matrix takes the place of the others
            matrix = self._pairs.symmetric(found, monitor)
        converged = bool(residuals[-1].max() < tol)
        return Enhancement(matrix, residuals, len(residuals), converged, self.n_components, snapshots)


def _iterate(
    iterates: Iterates, system: LaplacianSystem, tol: float, max_iter: int, keep: Collection[int], monitor: Monitor
) -> tuple[NDArray[np.float64], dict[int, NDArray]]:
    """Step until the residuals are below `tol`: residuals (iterations, 5), and the matrices to keep."""
    residuals: list[NDArray[np.float64]] = []
    snapshots = {}
    for iteration in range(1, max_iter + 1):
        norms = iterates.step(system, Part(monitor, iteration - 1, max_iter, steps=1))
        residuals.append(_ratios(norms, iterates.c.dtype))
        if iteration in keep:
            snapshots[iteration] = iterates.pairs.symmetric(iterates.c)
        if residuals[-1].max() < tol:
            break
    return np.array(residuals), snapshots


def enhancement_limit(itemsize: int = 4, n_more: int = 0) -> int:
    """Microclusters whose matrix can be enhanced in the memory allowed: `N_ARRAYS` of n x n.

    Parameters
    ----------
    itemsize : int
        Bytes a value: 4 for float32, 8 for float64.
    n_more : int
        Matrices of n x n that are kept beside these.

    Returns
    -------
    int
        The largest n that `require_enhancement` lets pass where no other work holds memory.

    Examples
    --------
    >>> enhancement_limit() > 1000
    True
    """
    return math.isqrt(memory_limit() // ((N_ARRAYS + n_more) * itemsize))


def require_enhancement(n: int, itemsize: int = 4, n_more: int = 0) -> None:
    """Raise TooLargeError unless n microclusters can be enhanced, with `n_more` matrices kept beside.

    Parameters
    ----------
    n : int
        Microclusters.
    itemsize : int
        Bytes a value: 4 for float32, 8 for float64.
    n_more : int
        Matrices of n x n that are kept beside those that are always there.

    Raises
    ------
    TooLargeError
        Naming the need, the limit, and methods that would do.
    """
    try:
        require_square("enhancing the matrix", n, N_ARRAYS + n_more, itemsize)
    except TooLargeError as refused:  # its limit, not that of a moment before: what was kept may have gone since
        fits = math.isqrt((refused.limit - refused.in_use) // ((N_ARRAYS + n_more) * itemsize))
        what = f"enhancing the matrix of {n:,} microclusters (at most {fits:,} fit)"
        raise TooLargeError(what, refused.needed, refused.limit, in_use=refused.in_use, given=refused.given) from None


def _ratios(norms: NDArray[np.float64], dtype: np.dtype) -> NDArray[np.float64]:
    """Ratios of the norms; 0 for what is below the rounding of C."""
    change, before = np.sqrt(norms)
    rounding = 8 * np.finfo(dtype).eps * (change[0] + before[0])
    ratios = np.divide(change, before, out=np.full(5, np.inf), where=before > 0)
    return np.where(change <= rounding, 0.0, ratios)


def _check(similarity: NDArray, co_association: NDArray, sizes: NDArray, start: NDArray | None) -> None:
    """Shapes and types that fit together."""
    matrices = {"similarity": similarity, "co_association": co_association, "start": start}
    for name, matrix in matrices.items():
        if matrix is None:
            continue
        check_square(name, matrix)
        if matrix.shape != similarity.shape or matrix.dtype != similarity.dtype:
            raise InvalidParameterError(
                f"{name} must be {similarity.dtype} {similarity.shape} as the similarity is. "
                f"Got {matrix.dtype} {matrix.shape}"
            )
        if len(matrix) and not np.isfinite([matrix.min(), matrix.max()]).all():
            raise InvalidParameterError(f"{name} must be finite. Got NaN or infinity")
    if sizes.shape != similarity.shape[:1] or not (np.isfinite(sizes) & (sizes > 0)).all() or not len(sizes):
        raise InvalidParameterError(f"sizes must be {len(similarity)} positive numbers. Got shape {sizes.shape}")


def _check_numbers(lam: float, tol: float, max_iter: int) -> None:
    require("lam", Float(low=1e-6, high=1e6), lam)
    require("tol", Float(low=0, low_open=True), tol)
    require_integer("max_iter", max_iter, 1)
