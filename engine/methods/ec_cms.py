"""EC-CMS: the co-association matrix enhances itself, then its tree is cut.

Jia, Tao, Wang and Wang, "Ensemble clustering via co-association matrix self-enhancement", IEEE TNNLS, 2023.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..enhancement.high_confidence_graph import high_confidence
from ..enhancement.spreading import Enhancement, EnhancementProblem, require_enhancement
from ..ensemble import Ensemble
from ..pairs.counts import co_association
from ..params import Choice, Params, param, same_as
from ..runtime.monitor import Monitor
from ..similarities import find_evidence, pair_evidence
from ..similarities.trajectories import WalkParams
from ..similarities.weighted_counts import LWCAParams
from ..trees.agglomeration import linkage
from ..trees.dendrograms import cut

#: Iterations whose matrix a trace holds on request, as far as the run goes.
ITERATIONS = (1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 48, 64, 80, 100)


@dataclass(frozen=True)
class EnhancementParams(Params):
    """What is enhanced, how much, and how closely."""

    alpha: float = param(
        0.8,
        symbol="α",
        doc="Share of the base clusterings that must keep a pair together for it to count as certain.",
        raising="Raising it trusts fewer pairs, more safely; lowering it spreads more, also what is wrong.",
        low=0.0,
        high=1.0,
        slider=(0.4, 1.0),
    )
    lam: float = param(
        0.4,
        symbol="λ",
        word="lambda",
        doc="How dearly leaving the input matrix is paid for, against smoothness along certain pairs.",
        raising="Raising it stays closer to the input; lowering it smooths harder.",
        low=1e-6,
        high=1e6,
        slider=(0.001, 10.0),
        log=True,
    )
    evidence: str = param(
        "lwca",
        kind=Choice(choices=tuple(pair_evidence()), named=tuple(one.title for one in pair_evidence().values())),
        symbol="A",
        word="input matrix",
        doc="The matrix to enhance: any evidence between two objects, such as the locally weighted co-association "
        "(lwca), the plain one (ca), or the likeness of random walks (pts).",
    )
    theta: float = same_as(
        LWCAParams, "theta", "For lwca: how hard uncertain clusters are punished; the paper takes 0.4."
    )
    K: int | None = same_as(
        WalkParams,
        "K",
        "For pts: elite neighbours, the heaviest links of a microcluster. Automatic: half the root of n, 1 to 20.",
    )
    T: int | None = same_as(
        WalkParams, "T", "For pts: length of the random walks. Automatic: half the root of n, 1 to 20."
    )
    tol: float = param(
        1e-2,
        symbol="ε",
        word="tolerance",
        doc="Iteration stops when the largest of five relative residuals is below it; the published results take 0.01.",
        raising="Raising it stops earlier, with less enhanced; lowering it comes closer to the optimum.",
        low=0.0,
        low_open=True,
        slider=(1e-4, 0.1),
        log=True,
    )
    max_iter: int = param(
        100,
        symbol="iterations",
        word="",
        doc="Iterations after which it stops in any case.",
        raising="Raising it lets a small ε be reached.",
        low=1,
        slider=(1, 500),
    )


def enhance_chosen(ensemble: Ensemble, params: EnhancementParams, monitor: Monitor) -> Enhancement:
    """Enhance the evidence that the parameters choose; its inputs are given up on return.

    The monitor receives `co_association`, `high_confidence`, `similarity` and, on request, `iterations`.
    """
    plain = co_association(ensemble, monitor)
    monitor.record("co_association", plain)
    monitor.record("high_confidence", partial(high_confidence, plain, params.alpha))
    similarity = _evidence(ensemble, plain, params, monitor)
    monitor.record("similarity", similarity)
    problem = EnhancementProblem(similarity, plain, ensemble.microclusters.sizes, params.alpha, monitor=monitor)
    del plain, similarity
    run = partial(problem.solve, params.lam, params.tol, params.max_iter, monitor)
    monitor.record("iterations", lambda: run(keep=ITERATIONS).snapshots)
    return run()


def _evidence(ensemble: Ensemble, plain: NDArray, params: EnhancementParams, monitor: Monitor) -> NDArray:
    """The matrix to enhance."""
    if params.evidence == "ca":
        return plain
    kind = find_evidence(params.evidence)
    return kind.matrix(ensemble, kind.chosen(params.by_concept()), monitor)


@dataclass(frozen=True)
class ECCMSParams(EnhancementParams):
    """Parameters of EC-CMS."""


def ec_cms(
    ensemble: Ensemble, n_clusters: int, params: ECCMSParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Enhance the evidence along the pairs that nearly all base clusterings agree on, and merge what meets most."""
    micro = ensemble.microclusters
    require_enhancement(len(micro))
    enhanced = enhance_chosen(ensemble, params, monitor)
    monitor.record("residuals", enhanced.residuals)
    monitor.record("enhanced", enhanced.matrix)
    tree = linkage(enhanced.matrix, micro.sizes, "average", monitor, overwrite=True)
    monitor.record("dendrogram", tree)
    return micro.expand(cut(tree, n_clusters))


METHOD = ConsensusMethod(
    key="ec_cms",
    title="EC-CMS",
    formula=(
        r"\min_{C, E} \operatorname{tr}(C^\top L C) + \tfrac{<lam>}{2} \lVert E \rVert_F^2 \quad \text{with } C + E = "
        r"A,\; 0 \le C \le 1,\; e_{ij} = 0 \text{ where } a_{ij} \ge <alpha>"
    ),
    try_this=("lower α step by step on the page Enhanced matrix, and see from where on wrong pairs spread too."),
    params=ECCMSParams,
    run=ec_cms,
    reference="jia2023eccms",
    family="learnt",
    needs=frozenset({"dense"}),
    summary="Takes the pairs nearly all clusterings agree on as certain, lets what is known of one spread to the "
    "other, and merges those that then meet most.",
)
