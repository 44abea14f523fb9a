"""Dense representation ensemble clustering: microclusters as mixtures of each other, sharpened and cut spectrally.

Every microcluster is a mixture of all, in closed form. Zhou, Zheng and Pan, "Ensemble clustering based on dense
representation", Neurocomputing 357, 2019.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..ensemble.ensembles import require_complete
from ..graphs.spectral_cuts import sharpened_graph, spectral_partition
from ..params import Params, param, require_integer
from ..runtime.errors import InvalidParameterError
from ..runtime.memory import require_memory, require_square
from ..runtime.monitor import SILENT, Monitor

#: Eigenvalues below this share of the largest count as 0.
_RANK_TOLERANCE = 1e-11


@dataclass(frozen=True)
class MixtureParams(Params):
    """What mixtures cost, and how closely their optimum is sought."""

    lam: float = param(
        100.0,
        symbol="λ",
        word="lambda",
        doc="What large mixtures cost. Up to a microcluster's own lambda* (see the trace) nothing is learnt of it.",
        raising="Raising it makes the mixtures follow how often microclusters meet; the robust norm acts around 10.",
        concept="drec_lam",
        low=0.0,
        low_open=True,
        high=1e100,
        slider=(0.5, 1000.0),
        log=True,
    )
    rounds: int = param(
        5,
        symbol="rounds",
        doc="Rounds of reweighting; the published results take 5.",
        raising="Raising it comes nearer to the optimum, by less than one per cent at lambda = 100.",
        concept="drec_rounds",
        low=1,
        high=1000,
        slider=(1, 30),
    )


@dataclass(frozen=True, eq=False)
class DenseRepresentation:
    """Z = Q (F o Q)', the mixture of all microclusters that comes near each.

    Attributes
    ----------
    basis : (n, rank) float64
        Q, orthonormal columns: eigenvectors of how many clusters two microclusters share.
    kept : (n, rank) float64
        F: what is kept of each direction in column j of Z, in (0, 1).
    lambda_star : (n,) float64
        Up to this lambda the column of a microcluster reproduces it exactly, and nothing is learnt.
    """

    basis: NDArray[np.float64]
    kept: NDArray[np.float64]
    lambda_star: NDArray[np.float64]

    @property
    def matrix(self) -> NDArray[np.float64]:
        """Z, (n, n): column j is the mixture for microcluster j."""
        return self.basis @ (self.kept * self.basis).T

    def left_singular(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Left singular vectors (n, rank) and singular values of Z, largest first, without Z.

        Returns
        -------
        vectors : (n, rank) float64
            Orthonormal columns.
        values : (rank,) float64
            Not negative, falling.
        """
        mixed = self.kept * self.basis
        squares, turned = np.linalg.eigh(mixed.T @ mixed)
        return self.basis @ turned[:, ::-1], np.sqrt(np.maximum(squares[::-1], 0))


def dense_representation(
    ensemble: Ensemble, lam: float, rounds: int = 5, monitor: Monitor = SILENT
) -> DenseRepresentation:
    """Minimise |X - XZ|_2,1 + lambda |Z|_F^2 over Z by reweighted least squares.

    X (K, n) has a column a microcluster, 1 at its clusters. With X'X = Q diag(l) Q', column j of Z is Q (F_j o Q_j),
    F_jl = l_l / (l_l + mu_j), and a round of reweighting is
    mu_j <- 2 lambda |x_j - X z_j| = 2 lambda sqrt(sum_l Q_jl^2 l_l (mu_j / (l_l + mu_j))^2), from mu = lambda.

    Parameters
    ----------
    ensemble : Ensemble
    lam : float
        lambda > 0.
    rounds : int
        Solutions of the least squares, at least 1; the published code takes 5.
    monitor : Monitor, optional

    Returns
    -------
    DenseRepresentation

    Raises
    ------
    InvalidParameterError, MissingEvidenceError, TooLargeError

    Notes
    -----
    One eigen-decomposition of min(n, K) rows for all lambda, remembered with the ensemble; then O(n rank) a round. The
    published code writes |Z| in a comment and minimises its square: so does this. Microclusters count once each,
    whatever they hold.

    References
    ----------
    zhou2019drec.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1]])
    >>> dense_representation(ensemble, 1.0, rounds=1).matrix.round(3).tolist()
    [[0.571, 0.143, 0.143], [0.143, 0.619, -0.048], [0.143, -0.048, 0.619]]
    """
    require_complete(ensemble, "a dense representation")
    lam, rounds = MixtureParams(lam=lam).lam, require_integer("rounds", rounds, 1)
    basis, lengths = ensemble.remember("dense_representation", lambda: _row_space(ensemble, monitor))
    squares = basis**2
    mu = np.full(len(basis), lam)
    for done in range(rounds - 1):
        monitor.tick("weighing residuals", done, rounds)
        left = squares * lengths * (mu[:, None] / (lengths + mu[:, None])) ** 2
        mu = 2 * lam * np.sqrt(left.sum(axis=1))
    monitor.tick("weighing residuals", rounds, rounds)
    return DenseRepresentation(basis, lengths / (lengths + mu[:, None]), 0.5 / np.sqrt((squares / lengths).sum(axis=1)))


def _row_space(ensemble: Ensemble, monitor: Monitor) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Eigenvectors Q (n, rank) and eigenvalues of X'X, from the smaller of X'X and XX'."""
    monitor.tick("finding directions", 0, 1)
    rows = ensemble.clusters.incidence().astype(np.float64)
    smaller = min(rows.shape)
    require_memory("the directions of the representation", 8 * (3 * smaller**2 + 4 * rows.shape[0] * smaller))
    by_clusters = rows.shape[1] < rows.shape[0]
    values, vectors = np.linalg.eigh((rows.T @ rows if by_clusters else rows @ rows.T).toarray())
    real = values > _RANK_TOLERANCE * values[-1]
    values, vectors = values[real], vectors[:, real]
    if by_clusters:
        vectors = (rows @ vectors) / np.sqrt(values)
    monitor.tick("finding directions", 1, 1)
    return vectors, values


@dataclass(frozen=True)
class DRECParams(MixtureParams):
    """Parameters of DREC."""


def drec(
    ensemble: Ensemble, n_clusters: int, params: DRECParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Represent, sharpen, cut: microclusters count once each, whatever they hold."""
    micro, n = ensemble.microclusters, len(ensemble.microclusters)
    require_square("the sharpened representation", n, n_arrays=2, itemsize=8)
    if n_clusters < n and ensemble.clusters.n_members.max() == 1:
        raise InvalidParameterError(
            f"DREC needs two microclusters that share a cluster: here only k = {n} can be had. Got {n_clusters}"
        )
    found = dense_representation(ensemble, params.lam, params.rounds, monitor)
    monitor.record("lambda_star", found.lambda_star)
    monitor.record("representation", lambda: found.matrix)
    graph = sharpened_graph(*found.left_singular(), monitor)
    return micro.expand(spectral_partition(graph, np.ones(n), n_clusters, rng, 100, monitor))


METHOD = ConsensusMethod(
    key="drec",
    title="DREC",
    formula=r"\min_Z \lVert X - X Z \rVert_{2,1} + <lam> \lVert Z \rVert_F^2",
    try_this=(
        "lower λ below the smallest λ* of the picture: every microcluster is then reproduced as it is, and "
        "nothing is learnt."
    ),
    params=DRECParams,
    run=drec,
    reference="zhou2019drec",
    family="learnt",
    needs=frozenset({"dense"}),
    pictures=frozenset({"representation"}),
    summary="Writes every microcluster as a mixture of all, lets those with like mixtures meet, and cuts where few do.",
)
