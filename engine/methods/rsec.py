"""RSEC, a reconstruction: robust spectral ensemble clustering, by a low-rank representation of the co-association.

The representation is robust to bad columns, and found together with its spectrum. Tao, Liu, Li and Fu, "Robust spectral
ensemble clustering", CIKM 2016; Tao, Liu, Li, Ding and Fu, ACM TKDD 13(1), 2019. See `robust_representation`.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..ensemble.ensembles import require_complete
from ..graphs.eigenvectors import top_eigenvectors
from ..graphs.library_calls import all_eigenvectors, inverse, lower_rank, right_vectors, spectral_norm
from ..graphs.spectral_cuts import degree_scaled, reciprocal, sharpened_graph, spectral_partition
from ..medians.restarts import weighted_kmeans
from ..pairs.counts import co_association
from ..params import Int, Params, param, require, same_as
from ..runtime.blocks import map_blocks
from ..runtime.memory import require_square
from ..runtime.monitor import SILENT, Monitor, Part, Quiet

#: Rounds after which it stops in any case, and the largest residual at which it has settled.
MAX_ROUNDS, TOLERANCE = 300, 1e-7
_GROWTH, _LARGEST_PENALTY = 1.1, 1e10
_STAGE = "representing"
#: Rows of a product that are found at a time.
_ROWS = 256


@dataclass(frozen=True)
class RepresentationParams(Params):
    """What rank and noise cost."""

    l1: float = param(
        0.1,
        symbol="λ₁",
        word="lambda 1",
        doc="Price of rank; 0.1 to 1 is advised.",
        raising="Raising it leaves fewer and coarser groups.",
        concept="rsec_l1",
        low=1e-6,
        high=1e6,
        slider=(0.01, 10.0),
        log=True,
    )
    l2: float = param(
        0.1,
        symbol="λ₂",
        word="lambda 2",
        doc="Price of writing an object off as noise; 0.1 to 1 is advised.",
        raising="Raising it writes less off, so that the representation stays detailed.",
        concept="rsec_l2",
        low=1e-6,
        high=1e6,
        slider=(0.01, 10.0),
        log=True,
    )


@dataclass(frozen=True, eq=False)
class RobustRepresentation:
    """What the rounds came to, for objects that share their rows inside microclusters.

    Attributes
    ----------
    matrix : (n, n) float64
        Z: column j is the mixture of objects, one of each microcluster counted r times, that stands for j.
    spectrum : (n, k) float64
        H: the top eigenvectors, an object's entries for each microcluster.
    settled : bool
    """

    matrix: NDArray[np.float64]
    spectrum: NDArray[np.float64]
    settled: bool

    def graph(self, sizes: NDArray, monitor: Monitor = SILENT) -> NDArray[np.float64]:
        """Z sharpened, from its right singular vectors: (n, n).

        Parameters
        ----------
        sizes : (n,) int
            Objects each microcluster stands for.
        monitor : Monitor, optional

        Returns
        -------
        (n, n) float64
            Symmetric, not negative.
        """
        root = np.sqrt(sizes)
        values, right = right_vectors(self.matrix * root * root[:, None], "sharpening the graph", monitor)
        return sharpened_graph(right.T, values, monitor)


def robust_representation(
    ensemble: Ensemble, n_clusters: int, l1: float = 0.1, l2: float = 0.1, monitor: Monitor = SILENT
) -> RobustRepresentation:
    """Minimise tr(H' L_Z H) + l1 |Z|_* + l2 |E|_2,1 with S = SZ + E and H'H = I, S the co-association.

    A round of the augmented Lagrangian renews J (singular values of Z + Y2 / mu less l1 / mu), Z by least squares,
    E (columns shortened by l2 / mu), H, Y1, Y2 and mu, which grows by a tenth.

    Parameters
    ----------
    ensemble : Ensemble
    n_clusters : int
        k, less than n.
    l1, l2 : float
        Price of rank and of what is written off as noise, greater than 0.
    monitor : Monitor, optional

    Returns
    -------
    RobustRepresentation

    Raises
    ------
    InvalidParameterError, MissingEvidenceError, TooLargeError

    Notes
    -----
    As printed, the first, arbitrary HH' feeds itself and the results are useless. Here (Z + Z') / 2 + HH' is sharpened
    before D and H are taken from it, as the authors' code does by report of others; the code itself was not at hand.
    Matrices over objects are kept as R^1/2 V R^1/2, V the values on microclusters: products, singular values and norms
    are then those over objects. O(n^3) a round, about a hundred rounds.

    References
    ----------
    tao2016rsec; liu2013lrr.
    """
    require_complete(ensemble, "a robust representation")
    n, sizes = len(ensemble.microclusters), ensemble.microclusters.sizes.astype(np.float64)
    price = RepresentationParams(l1, l2)
    n_clusters = require("n_clusters", Int(low=1, high=n - 1), n_clusters)
    require_square("the robust representation", n, n_arrays=16, itemsize=8)
    steps = 1 + MAX_ROUNDS
    rounds = _Rounds(
        co_association(ensemble, monitor, np.float64), sizes, n_clusters, price, Part(monitor, 0, steps, steps=1)
    )
    residual, done = np.inf, 0
    while residual >= TOLERANCE and done < MAX_ROUNDS:
        residual, done = rounds.step(Part(monitor, 1 + done, steps, steps=1)), done + 1
    monitor.tick(_STAGE, steps, steps)
    root = np.sqrt(sizes)[:, None]
    return RobustRepresentation(rounds.z / rounds.scale, rounds.spectrum / root, residual < TOLERANCE)


class _Rounds:
    """The variables of the augmented Lagrangian, all times sqrt(r_i r_j)."""

    def __init__(self, similarity: NDArray, sizes: NDArray, k: int, price: RepresentationParams, monitor: Monitor):
        n, self.sizes, self.k, self.l1, self.l2 = len(sizes), sizes, k, price.l1, price.l2
        self.scale = np.sqrt(np.outer(sizes, sizes))
        self.given = similarity * self.scale
        self.square = _product(self.given.T, self.given, Part(monitor, 0, 3, steps=1))
        self.inverse = inverse(self.square + np.eye(n), _STAGE, Part(monitor, 1, 3, steps=1))
        self.z, self.e, self.y1, self.y2, self.pull = (np.zeros((n, n)) for _ in range(5))
        self.spectrum, self.mu = np.zeros((n, k)), 1.5 / spectral_norm(self.given, _STAGE, Part(monitor, 2, 3, steps=1))

    def step(self, monitor: Monitor) -> float:
        """One round; the largest residual of the two constraints, between objects."""
        parts = [Part(monitor, done, 5, steps=1) for done in range(5)]
        j = lower_rank(self.z + self.y2 / self.mu, self.l1 / self.mu, _STAGE, parts[0])
        known = _product(self.given.T, self.y1 / self.mu - self.e, parts[1]) + (self.pull - self.y2) / self.mu
        self.z = _product(self.inverse, self.square + j + known, parts[2])
        missing = self.given - _product(self.given, self.z, parts[3])
        self.e = _shortened(missing + self.y1 / self.mu, self.l2 / self.mu, np.sqrt(self.sizes))
        links = (self.z + self.z.T) / 2 + self.spectrum @ self.spectrum.T
        self.spectrum, degrees = _spectrum(links, self.sizes, self.k, parts[4])
        scaled = self.spectrum * reciprocal(np.sqrt(degrees))[:, None]  # where no link is left, nothing pulls
        self.pull = scaled @ scaled.T
        first, second = missing - self.e, self.z - j
        self.y1 += self.mu * first
        self.y2 += self.mu * second
        self.mu = min(_GROWTH * self.mu, _LARGEST_PENALTY)
        return float(max(np.abs(first / self.scale).max(), np.abs(second / self.scale).max()))


def _product(left: NDArray, right: NDArray, monitor: Monitor) -> NDArray[np.float64]:
    """The product, so many rows at a time that a cancel is heard: (n, n)."""
    found = np.empty((len(left), right.shape[1]))
    map_blocks(
        lambda start, stop: np.matmul(left[start:stop], right, out=found[start:stop]), len(left), monitor, _STAGE, _ROWS
    )
    return found


def _shortened(columns: NDArray, by: float, root: NDArray) -> NDArray:
    """Columns with their norms over objects less `by`, none below 0."""
    norms = np.linalg.norm(columns, axis=0) / root
    return columns * np.maximum(1 - by / np.maximum(norms, 1e-300), 0)


def _spectrum(
    links: NDArray, sizes: NDArray, k: int, monitor: Monitor
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Top eigenvectors of the links once sharpened, times sqrt(r), and the degrees of the sharpened graph."""
    values, vectors = all_eigenvectors(links, _STAGE, monitor)
    monitor.tick(_STAGE, 1, 1)
    order = np.argsort(-np.abs(values), kind="stable")
    graph = sharpened_graph(vectors[:, order], np.abs(values[order]), Quiet(lambda: monitor.tick(_STAGE, 1, 1)))
    degrees = graph @ sizes
    return top_eigenvectors(degree_scaled(graph, sizes), k), degrees


@dataclass(frozen=True)
class RSECParams(Params):
    """Parameters of RSEC."""

    output: Literal["H", "Z"] = param(
        "H",
        symbol="output",
        doc="What is clustered in the end: the spectrum found on the way (H), or that of the representation (Z).",
        concept="rsec_output",
    )
    l1: float = same_as(RepresentationParams, "l1")
    l2: float = same_as(RepresentationParams, "l2")


def rsec(
    ensemble: Ensemble, n_clusters: int, params: RSECParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Represent, then separate H by k-means, or cut Z sharpened."""
    micro = ensemble.microclusters
    if n_clusters == len(micro):
        return micro.assignment
    found = robust_representation(ensemble, n_clusters, params.l1, params.l2, monitor)
    monitor.record("representation", found.matrix)
    monitor.record("unsettled", int(not found.settled))
    if params.output == "Z":
        graph = found.graph(micro.sizes, monitor)
        return micro.expand(spectral_partition(graph, micro.sizes, n_clusters, rng, 20, monitor))
    monitor.record("embedding", found.spectrum)
    labels, n_repaired = weighted_kmeans(found.spectrum, micro.sizes, n_clusters, rng, monitor=monitor)
    monitor.record("repaired", n_repaired)
    return micro.expand(labels)


METHOD = ConsensusMethod(
    key="rsec",
    title="RSEC (reconstruction)",
    formula=(
        r"\min_{Z, H} \operatorname{tr}(H^\top L_Z H) + <l1> \lVert Z \rVert_* + <l2> \lVert E \rVert_{2,1} "
        r"\quad \text{with } S = S Z + E,\; H^\top H = I"
    ),
    try_this="lower λ₂, and see how much more of the co-association is called noise.",
    params=RSECParams,
    run=rsec,
    reference="tao2016rsec",
    family="learnt",
    needs=frozenset({"dense"}),
    pictures=frozenset({"representation"}),
    summary="Writes the co-association as a mixture of few patterns and some noise, and cuts it spectrally. Rebuilt "
    "from reports of the authors' code; minutes beyond 1,000 microclusters.",
)
