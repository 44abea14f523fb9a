"""ECMC, a reconstruction: complete the certain part of the co-association, and cut its tree.

Doubtful entries are struck out, and what is left is completed so that its rank is low. Yi, Yang, Jin, Jain and Mahdavi,
"Robust ensemble clustering by matrix completion", ICDM 2012. See `completed_co_association`.
"""

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..ensemble.ensembles import require_complete
from ..graphs.library_calls import drawn_to_zero, spectral_norm
from ..pairs.counts import co_association
from ..params import Params, param, same_as
from ..runtime.errors import InvalidParameterError
from ..runtime.memory import require_square
from ..runtime.monitor import SILENT, Monitor, Quiet
from ..trees.agglomeration import linkage
from ..trees.dendrograms import cut
from .eac import EACParams

#: Rounds after which it stops in any case, and the relative residual at which it has settled.
MAX_ROUNDS, TOLERANCE = 1000, 1e-6
#: The penalty of the constraint, over the largest singular value of what is observed: kept fixed, for a growing one
#: stops where it is feasible, short of the optimum.
_PENALTY = 3.0


@dataclass(frozen=True)
class CompletionParams(Params):
    """What is struck out, and what survives."""

    smallest: int | None = param(
        None,
        symbol="smallest group",
        word="",
        doc="The smallest group of objects that survives; smaller ones are erased. Automatic: the root of N times the "
        "share of pairs that are certain.",
        raising="Raising it erases larger groups, and noise with them.",
        concept="ecmc_smallest",
        low=1,
        slider=(1, 100),
    )
    low: float = param(
        0.2,
        symbol="low",
        doc="Pairs that meet in at most this share of the base clusterings are taken as apart.",
        raising="Raising it strikes out fewer pairs.",
        concept="ecmc_low",
        low=0.0,
        high=1.0,
        slider=(0.0, 0.5),
    )
    high: float = param(
        0.8,
        symbol="high",
        doc="Pairs that meet in at least this share of the base clusterings are taken as together.",
        raising="Raising it strikes out more pairs.",
        concept="ecmc_high",
        low=0.0,
        high=1.0,
        slider=(0.5, 1.0),
    )


@dataclass(frozen=True, eq=False)
class Completion:
    """What the rounds came to.

    Attributes
    ----------
    matrix : (n, n) float64
        X, between microclusters; on the diagonal the value between two objects of one. Values may leave [0, 1].
    smallest : float
        1 / C: groups of fewer objects are erased.
    settled : bool
    """

    matrix: NDArray[np.float64]
    smallest: float
    settled: bool


def completed_co_association(
    ensemble: Ensemble,
    smallest: int | None = None,
    low: float = 0.2,
    high: float = 0.8,
    monitor: Monitor = SILENT,
) -> Completion:
    """Minimise |X|_* + C |E|_1 with X + E = B on the pairs observed: B is 1 where a_ij >= high, 0 where a_ij <= low.

    Parameters
    ----------
    ensemble : Ensemble
    smallest : int, optional
        The smallest group that survives, in objects: a group of s that meets in nobody's doubt survives if C s > 1, so
        that C = 1 / (smallest - 1/2). By default C = 1 / sqrt(p N), p the share of pairs observed.
    low, high : float
        0 <= low < high <= 1.
    monitor : Monitor, optional

    Returns
    -------
    Completion

    Raises
    ------
    InvalidParameterError, MissingEvidenceError, TooLargeError

    Notes
    -----
    Neither the paper nor code was at hand. Alternating directions with a fixed penalty; an eigen-decomposition of n x n
    a round, a hundred to a thousand rounds. Matrices over objects are kept as R^1/2 V R^1/2: a solution that is alike
    for the objects of a microcluster costs no more than any other.

    References
    ----------
    yi2012ecmc.
    """
    require_complete(ensemble, "completion")
    asked = CompletionParams(smallest, low, high)
    smallest, low, high = asked.smallest, asked.low, asked.high
    if low >= high:
        raise InvalidParameterError(f"low must be less than high. Got {low:g} and {high:g}")
    n, sizes = len(ensemble.microclusters), ensemble.microclusters.sizes.astype(np.float64)
    require_square("the completed co-association", n, n_arrays=10, itemsize=8)
    plain = co_association(ensemble, monitor, np.float64)
    certain = plain >= high - 1e-9
    observed = certain | (plain <= low + 1e-9)
    if smallest is None:
        price = 1 / np.sqrt(sizes @ observed @ sizes / sizes.sum())
    else:
        price = 1 / (smallest - 0.5)
    monitor.tick("completing", 0, MAX_ROUNDS)
    scale = np.sqrt(np.outer(sizes, sizes))
    monitor.tick("completing", 0, MAX_ROUNDS)
    matrix, settled = _solved(certain * scale, observed, price * scale, monitor)
    return Completion(matrix / scale, float(1 / price), settled)


def _solved(given: NDArray, observed: NDArray, price: NDArray, monitor: Monitor) -> tuple[NDArray[np.float64], bool]:
    """X, times sqrt(r_i r_j) as all here, and whether it settled."""
    error, multiplier, matrix = np.zeros_like(given), np.zeros_like(given), given
    largest, size = spectral_norm(given, "completing", monitor), np.linalg.norm(given)
    mu, residual, done = _PENALTY / largest, np.inf, 0
    while residual >= TOLERANCE and done < MAX_ROUNDS:
        monitor.tick("completing", done, MAX_ROUNDS)
        matrix = drawn_to_zero(
            given - error + multiplier / mu,
            1 / mu,
            "completing",
            Quiet(partial(monitor.tick, "completing", done, MAX_ROUNDS)),
        )
        rest = given - matrix + multiplier / mu
        shrunk = np.sign(rest) * np.maximum(np.abs(rest) - price / mu, 0)
        before, error = error, np.where(observed, shrunk, rest)
        missing = given - matrix - error
        multiplier = multiplier + mu * missing
        residual = float(max(np.linalg.norm(missing), np.linalg.norm(error - before)) / size)
        done += 1
    monitor.tick("completing", MAX_ROUNDS, MAX_ROUNDS)
    return (matrix + matrix.T) / 2, bool(residual < TOLERANCE)


@dataclass(frozen=True)
class ECMCParams(CompletionParams):
    """Parameters of ECMC: those of the completion, and the linkage of EAC."""

    linkage: Literal["average", "complete", "single"] = same_as(
        EACParams,
        "linkage",
        "How similar two groups are: the mean, lowest or highest completed entry of their objects.",
    )


def ecmc(
    ensemble: Ensemble, n_clusters: int, params: ECMCParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Complete, then merge what meets most. Objects whose rows were erased stay single until late."""
    micro = ensemble.microclusters
    completed = completed_co_association(ensemble, params.smallest, params.low, params.high, monitor)
    monitor.record("completed", completed.matrix)
    monitor.record("unsettled", int(not completed.settled))
    monitor.record("smallest_group", completed.smallest)
    tree = linkage(completed.matrix, micro.sizes, params.linkage, monitor, overwrite=True)
    monitor.record("dendrogram", tree)
    return micro.expand(cut(tree, n_clusters))


METHOD = ConsensusMethod(
    key="ecmc",
    title="ECMC (reconstruction)",
    formula=(
        r"\min_X \lVert X \rVert_* + C \lVert E \rVert_1 \quad \text{with } X + E = \begin{cases} 1 & "
        r"a_{ij} \ge <high> \\ 0 & a_{ij} \le <low> \end{cases}"
    ),
    try_this="bring the two thresholds together: less is filled in, and more is taken as it is.",
    params=ECMCParams,
    run=ecmc,
    reference="yi2012ecmc",
    family="learnt",
    needs=frozenset({"dense"}),
    summary="Keeps the pairs nearly all clusterings agree on, fills in the others so that few groups explain all, and "
    "merges what then meets most. Rebuilt from the paper's idea.",
)
