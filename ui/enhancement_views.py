"""What the Enhanced matrix page shows: the input, what is certain of it, and what it becomes."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from engine import Ensemble
from engine.evidence import (
    Enhancement,
    LinkQuality,
    co_association,
    enhance,
    high_confidence,
    link_quality,
    locally_weighted_co_association,
    require_enhancement,
)
from engine.methods.ec_cms import ITERATIONS
from engine.partition import Dendrogram, cut, leaf_order, linkage
from ui import pipeline
from ui.jobs import Job
from ui.run_config import RunConfig

VARIANTS = {"full": {}, "no_laplacian": {"laplacian": False}, "no_completion": {"completion": False}}
PIXELS = 200


def on_page(config: RunConfig) -> RunConfig:
    """The config with EC-CMS as its method, whatever the other pages use."""
    return config if config.method == "ec_cms" else config.with_(method="ec_cms")


@dataclass(frozen=True, eq=False)
class Inputs:
    """Plain co-association, the matrix to enhance, and the order of microclusters by the latter's tree."""

    plain: np.ndarray
    similarity: np.ndarray
    order: np.ndarray


def inputs(config: RunConfig, made: Ensemble) -> Job:
    """Job: the matrices that no slider of the page changes but theta."""
    params = config.method_params
    key = ("enhance in", pipeline.ensemble_key(config), params.evidence, params.theta, params.K, params.T)
    require_enhancement(len(made.microclusters), n_more=3)

    def compute(monitor) -> Inputs:
        plain = co_association(made, monitor)
        if params.evidence == "ca":
            similarity = plain
        elif params.evidence == "lwca":
            similarity = locally_weighted_co_association(made, params.theta, monitor)
        else:
            similarity = _walked(config, made, monitor)
        tree = linkage(similarity, made.microclusters.sizes, "average", monitor)
        return Inputs(plain, similarity, leaf_order(tree))

    return pipeline.start(key, compute, "enhance_in")


def _walked(config: RunConfig, made: Ensemble, monitor) -> np.ndarray:
    from engine import run_consensus

    result = run_consensus("ec_cms", made, 2, {**config.method_params.as_dict(), "max_iter": 1}, monitor=monitor,
                           record=("similarity",))  # fmt: skip
    return result.trace["similarity"]


@dataclass(frozen=True, eq=False)
class Enhanced:
    """The run, its tree, and pixels of the matrix at the iterations kept."""

    run: Enhancement
    tree: Dendrogram
    images: dict[int, np.ndarray]


def enhanced(config: RunConfig, made: Ensemble, given: Inputs, order: np.ndarray, variant: str, warm: bool) -> Job:
    """Job: Enhanced. With `warm` it starts from what this session enhanced last, which is faster but not the rule."""
    params, micro = config.method_params, made.microclusters
    knobs = (params.alpha, params.lam, params.tol, params.max_iter)
    base = ("enhanced", pipeline.ensemble_key(config), params.evidence, params.theta, params.K, params.T)
    key = (*base, *knobs, variant, order.tobytes()[:2000])
    last = st.session_state.get("_last_enhanced")
    start = None
    if warm and last and last[0] == base and last[1] != key:
        job = pipeline.jobs().find(last[1])
        if job is not None and job.future.done() and not job.future.exception():
            start, key = job.future.result().run.matrix, (*key, "after", hash(last[1]))

    def compute(monitor) -> Enhanced:
        run = enhance(given.similarity, given.plain, micro.sizes, *knobs, start=start, monitor=monitor,
                      keep=ITERATIONS if len(micro) <= 1500 else (), **VARIANTS[variant])  # fmt: skip
        images = {t: micro.block_means(matrix, order, order, PIXELS) for t, matrix in run.snapshots.items()}
        tree = linkage(run.matrix, micro.sizes, "average", monitor)
        run.snapshots.clear()
        return Enhanced(run, tree, images)

    st.session_state["_last_enhanced"] = (base, key)
    return pipeline.start(key, compute, "enhanced")


def object_order(config: RunConfig, made: Ensemble, given: Inputs) -> np.ndarray:
    """Objects by class if known, inside it by the tree of the input: the same order before and after."""
    rank = np.empty(len(given.order), np.int64)
    rank[given.order] = np.arange(len(given.order))
    by_tree = rank[made.microclusters.assignment]
    classes = pipeline.truth(config)
    return np.lexsort((by_tree,) if classes is None else (by_tree, classes))


def certain(given: Inputs, alpha: float) -> np.ndarray:
    """The high-confidence matrix H."""
    return high_confidence(given.plain, alpha)


def labels(made: Ensemble, tree: Dendrogram, k: int) -> np.ndarray:
    """The consensus: (N,)."""
    return made.microclusters.expand(cut(tree, min(k, tree.n_leaves)))


def qualities(made: Ensemble, classes: np.ndarray, matrices: dict[str, np.ndarray]) -> dict[str, LinkQuality]:
    """LinkQuality of several matrices over the values 0.01 .. 1."""
    edges = np.arange(1, 101) / 100
    return {name: link_quality(matrix, made.microclusters, classes, edges) for name, matrix in matrices.items()}
