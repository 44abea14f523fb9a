"""What the Enhanced matrix page shows: the input, what is certain of it, and what it becomes."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from engine import Ensemble, Monitor, Params
from engine.enhancement.enhanced_evidence import ITERATIONS
from engine.evidence import (
    Enhancement,
    LinkQuality,
    co_association,
    enhance,
    high_confidence,
    link_quality,
    require_enhancement,
)
from engine.monitor import SILENT
from engine.partition import Dendrogram, cut, leaf_order, linkage
from engine.renumbering import first_appearance
from engine.similarities import find_evidence
from ui.compute import pipeline
from ui.compute.jobs import Job, State
from ui.compute.keys import token
from ui.compute.work import start
from ui.session.run_config import RunConfig

VARIANTS = {"full": {}, "no_laplacian": {"laplacian": False}, "no_completion": {"completion": False}}
PIXELS = 200


@dataclass(frozen=True, eq=False)
class Inputs:
    """Plain co-association, the matrix to enhance, and the order of microclusters by the latter's tree."""

    plain: np.ndarray
    similarity: np.ndarray
    order: np.ndarray


def inputs(made: Ensemble, evidence: str, params: Params, monitor: Monitor = SILENT) -> Inputs:
    """The matrices that neither alpha nor lambda changes: `params` are those of the evidence to enhance."""
    require_enhancement(len(made.microclusters), n_more=3 + len(_filmed(made)))
    plain = co_association(made, monitor)
    similarity = plain if evidence == "ca" else find_evidence(evidence).matrix(made, params, monitor)
    tree = linkage(similarity, made.microclusters.sizes, "average", monitor)
    return Inputs(plain, similarity, leaf_order(tree))


def _filmed(made: Ensemble) -> tuple[int, ...]:
    """Iterations whose matrices are kept for the film."""
    return ITERATIONS if len(made.microclusters) <= 1500 else ()


@dataclass(frozen=True, eq=False)
class Enhanced:
    """The run, its tree, and pixels of the matrix at the iterations kept."""

    run: Enhancement
    tree: Dendrogram
    images: dict[int, np.ndarray]


def enhanced(config: RunConfig, made: Ensemble, given: Inputs, order: np.ndarray) -> Job:
    """Job: Enhanced. A warm start takes what this session enhanced last, which is faster but not the rule."""
    settings = config.alpha, config.lam, config.tol, config.max_iter, config.ablation
    held = st.session_state.get("_enhanced")
    same = held is not None and held.given == token(given)
    last = held.start if same and held.settings == settings else _done(held.job) if same else None
    before = last if config.warm else None
    job = start(enhance_once, given, made, order, settings, before)
    st.session_state["_enhanced"] = _Held(token(given), settings, before, job)
    return job


@dataclass(frozen=True, eq=False)
class _Held:
    """What this session enhanced last: from what, how, started where."""

    given: Hashable
    settings: tuple
    start: Enhanced | None
    job: Job


def _done(job: Job) -> Enhanced | None:
    return job.future.result() if job.state is State.DONE else None


def enhance_once(
    given: Inputs,
    made: Ensemble,
    order: np.ndarray,
    settings: tuple,
    before: Enhanced | None,
    monitor: Monitor = SILENT,
) -> Enhanced:
    """Enhance under (alpha, lambda, tolerance, iterations, version), from zero or from an earlier solution."""
    alpha, lam, tol, max_iter, ablation = settings
    micro = made.microclusters
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
        keep=_filmed(made),
        **VARIANTS[ablation],
    )
    images = {t: micro.block_means(matrix, order, order, PIXELS) for t, matrix in run.snapshots.items()}
    tree = linkage(run.matrix, micro.sizes, "average", monitor)
    run.snapshots.clear()
    return Enhanced(run, tree, images)


def object_order(config: RunConfig, made: Ensemble, given: Inputs) -> np.ndarray:
    """Objects by class if known, inside it by the tree of the input: the same order before and after."""
    rank = np.empty(len(given.order), np.int64)
    rank[given.order] = np.arange(len(given.order))
    by_tree = rank[made.microclusters.assignment]
    truth = pipeline.truth(config)
    return np.lexsort((by_tree,) if truth is None else (by_tree, truth))


def certain(given: Inputs, alpha: float) -> np.ndarray:
    """The high-confidence matrix H."""
    return high_confidence(given.plain, alpha)


def largest(matrix: np.ndarray) -> float:
    """The largest value between two microclusters."""
    if len(matrix) < 2:
        return 0.0
    flat = matrix.ravel()[1:].reshape(len(matrix) - 1, -1)  # every row of it ends on an entry of the diagonal
    return float(flat[:, :-1].max())


def clusters(config: RunConfig, made: Ensemble) -> int:
    """Into how many clusters the tree is cut."""
    return min(pipeline.wanted_k(config), len(made.microclusters))


def labels(made: Ensemble, tree: Dendrogram, k: int) -> np.ndarray:
    """The consensus, numbered like that of the method: (N,)."""
    return first_appearance(made.microclusters.expand(cut(tree, min(k, tree.n_leaves))))


def qualities(made: Ensemble, truth: np.ndarray, matrices: dict[str, np.ndarray]) -> dict[str, LinkQuality]:
    """LinkQuality of several matrices over the values 0.01 .. 1."""
    edges = np.arange(1, 101) / 100
    return {name: link_quality(matrix, made.microclusters, truth, edges) for name, matrix in matrices.items()}
