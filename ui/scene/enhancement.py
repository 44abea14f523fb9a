"""EC-CMS on a state: the input, what is certain of it, and what it becomes."""

from dataclasses import dataclass

import numpy as np

from engine import Ensemble, Monitor, Params
from engine.evidence import (
    Enhancement,
    LinkQuality,
    co_association,
    enhance,
    high_confidence,
    link_quality,
    require_enhancement,
)
from engine.methods.ec_cms import ITERATIONS
from engine.params import Switch
from engine.partition import Dendrogram, cut, leaf_order, linkage
from engine.renumbering import first_appearance
from engine.similarities import find_evidence
from ui.session.run_config import RunConfig
from ui.session.settings import BRIGHTEST, Among, Setting

#: Versions of EC-CMS: as published, and with a part left out.
VARIANTS = {"full": {}, "no_laplacian": {"laplacian": False}, "no_completion": {"completion": False}}

SETTINGS = (
    Setting("brightest_enhanced", None, BRIGHTEST, "The value with the brightest colour; auto fits it to the input."),
    Setting("ablation", "full", Among(offered=tuple(VARIANTS)), "The version of EC-CMS on the page Enhanced matrix."),
    Setting("warm", False, Switch(), "Whether it starts from the last solution."),
)

#: Pixels along an image.
PIXELS = 200


@dataclass(frozen=True, eq=False)
class Inputs:
    """Plain co-association, the matrix to enhance, and the order of microclusters by the latter's tree."""

    plain: np.ndarray
    similarity: np.ndarray
    order: np.ndarray


def evidence_params(config: RunConfig) -> Params:
    """Parameters of the evidence that is enhanced: the knobs that methods share."""
    evidence = find_evidence(config.evidence)
    return evidence.chosen({spec.concept: getattr(config, spec.concept) for spec in evidence.params.specs()})


def given(ensemble: Ensemble, evidence: str, evidence_params: Params, monitor: Monitor) -> Inputs:
    """Counting how often objects meet: the matrices that neither alpha nor lambda changes."""
    require_enhancement(len(ensemble.microclusters), n_more=3 + len(_filmed(ensemble)))
    plain = co_association(ensemble, monitor)
    similarity = plain if evidence == "ca" else find_evidence(evidence).matrix(ensemble, evidence_params, monitor)
    tree = linkage(similarity, ensemble.microclusters.sizes, "average", monitor)
    return Inputs(plain, similarity, leaf_order(tree))


def _filmed(made: Ensemble) -> tuple[int, ...]:
    """Iterations whose matrices are kept for the film."""
    return ITERATIONS if len(made.microclusters) <= 1500 else ()


def order_by_input(ensemble: Ensemble, given: Inputs, truth: np.ndarray | None) -> np.ndarray:
    """Objects by class if known, inside it by the tree of the input: the same order before and after, (N,)."""
    rank = np.empty(len(given.order), np.int64)
    rank[given.order] = np.arange(len(given.order))
    by_tree = rank[ensemble.microclusters.assignment]
    return np.lexsort((by_tree,) if truth is None else (by_tree, truth))


def certain(given: Inputs, alpha: float) -> np.ndarray:
    """The high-confidence matrix H: (n, n)."""
    return high_confidence(given.plain, alpha)


@dataclass(frozen=True, eq=False)
class Enhanced:
    """The run, its tree, and pixels of the matrix at the iterations kept."""

    run: Enhancement
    tree: Dendrogram
    images: dict[int, np.ndarray]


def before() -> Enhanced | None:
    """An earlier solution to start from: faster, but not the rule; a page knows one."""
    return None


def enhanced(
    given: Inputs,
    ensemble: Ensemble,
    order_by_input: np.ndarray,
    alpha: float,
    lam: float,
    tol: float,
    max_iter: int,
    ablation: str,
    before: Enhanced | None,
    monitor: Monitor,
) -> Enhanced:
    """Enhancing the matrix: from zero, or from an earlier solution."""
    micro = ensemble.microclusters
    run = enhance(
        given.similarity,
        given.plain,
        micro.sizes,
        alpha,
        lam,
        tol,
        max_iter,
        start=before and before.run.matrix,
        monitor=monitor,
        keep=_filmed(ensemble),
        **VARIANTS[ablation],
    )
    shown = {
        t: micro.block_means(matrix, order_by_input, order_by_input, PIXELS) for t, matrix in run.snapshots.items()
    }
    tree = linkage(run.matrix, micro.sizes, "average", monitor)
    run.snapshots.clear()
    return Enhanced(run, tree, shown)


def enhanced_labels(ensemble: Ensemble, enhanced: Enhanced, n_clusters: int) -> np.ndarray:
    """The partition cut from the enhanced matrix, numbered like that of the method: (N,)."""
    k = min(n_clusters, enhanced.tree.n_leaves)
    return first_appearance(ensemble.microclusters.expand(cut(enhanced.tree, k)))


def entry_quality(ensemble: Ensemble, given: Inputs, enhanced: Enhanced, classes: np.ndarray) -> dict[str, LinkQuality]:
    """LinkQuality of the entries before and after, over the values 0.01 .. 1."""
    edges = np.arange(1, 101) / 100
    matrices = {"input": given.similarity, "enhanced": enhanced.run.matrix}
    return {name: link_quality(one, ensemble.microclusters, classes, edges) for name, one in matrices.items()}


def largest_of_input(given: Inputs) -> float:
    """The largest value between two microclusters that EC-CMS starts from."""
    matrix = given.similarity
    if len(matrix) < 2:
        return 0.0
    flat = matrix.ravel()[1:].reshape(len(matrix) - 1, -1)  # every row of it ends on an entry of the diagonal
    return float(flat[:, :-1].max())
