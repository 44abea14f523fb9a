"""What the Matrices page shows: named matrices, the order of their objects, and windows of them as pixels."""

from dataclasses import dataclass

import numpy as np

from engine import Consensus, Ensemble
from engine.evidence import (
    LinkQuality,
    co_association,
    link_quality,
    locally_weighted_co_association,
)
from engine.microclusters import Microclusters, find_microclusters
from engine.partition import Dendrogram, leaf_order, linkage
from engine.vocabulary import LARGE
from ui import pipeline
from ui.jobs import Job
from ui.run_config import RunConfig

#: Pixels along a matrix image: 400 x 400 bytes are 0.16 MB a picture.
PIXELS = 400
#: n x n matrices of the method are recorded up to so many microclusters.
RECORDED = 6000


@dataclass(frozen=True, eq=False)
class Named:
    """A matrix between groups of objects, and how it is called."""

    matrix: object
    groups: Microclusters
    title: str

    def window(self, order: np.ndarray, zoom: tuple[int, int, int, int]) -> np.ndarray:
        """Pixels of a window: true cells if it is small, else means of blocks of true cells."""
        top, bottom, left, right = zoom
        return self.groups.block_means(self.matrix, order[top:bottom], order[left:right], PIXELS)


def choices(result: Consensus, classes: np.ndarray | None) -> dict[str, str]:
    """Names and titles of the matrices there are: plain, weighted, truth, and whatever the method recorded."""
    n = len(result.microclusters)
    found = {"co_association": LARGE["co_association"], "lwca": "locally weighted (LWCA)"}
    for name in LARGE:
        if name == "similarity" and "trajectories" in result.trace:
            continue  # the same matrix: what PTA cuts is the trajectory similarity
        if name not in found and getattr(result.trace.get(name), "shape", None) == (n, n):
            found[name] = f"{LARGE[name]} of {result.method.upper()}"
    if classes is not None:
        found["truth"] = "ground truth"
    return found


def named(config: RunConfig, made: Ensemble, result: Consensus, name: str) -> Job:
    """Job: the matrix of this name."""
    key = ("matrix", pipeline.ensemble_key(config), name, config.eci, config.method, result.params, config.seed)
    classes = pipeline.truth(config)
    title = choices(result, classes)[name]

    def compute(monitor) -> Named:
        if name == "co_association":
            return Named(co_association(made, monitor), made.microclusters, title)
        if name == "lwca":
            return Named(locally_weighted_co_association(made, config.eci, monitor), made.microclusters, title)
        if name == "truth":
            groups = find_microclusters(np.ascontiguousarray(classes[:, None], dtype=np.int32))
            return Named(np.eye(len(groups), dtype=np.float32), groups, title)
        return Named(result.trace[name], made.microclusters, title)

    return pipeline.start(key, compute, f"matrix_{name}")


def tree(config: RunConfig, made: Ensemble, result: Consensus) -> Job:
    """Job: the method's own tree, or the average-link tree of the co-association where it has none."""
    key = ("tree", pipeline.ensemble_key(config), config.method, result.params)

    def compute(monitor) -> Dendrogram:
        if "dendrogram" in result.trace:
            return result.trace["dendrogram"]
        return linkage(co_association(made, monitor), made.microclusters.sizes, "average", monitor, overwrite=True)

    return pipeline.start(key, compute, "tree")


def object_order(config: RunConfig, made: Ensemble, result: Consensus, joined: Dendrogram) -> np.ndarray:
    """Objects in the order shown: (N,). Inside a class or cluster, and without one, as in the tree."""
    if config.order == "input":
        return np.arange(made.n_objects)
    rank = np.empty(joined.n_leaves, np.int64)
    rank[leaf_order(joined)] = np.arange(joined.n_leaves)
    by_tree = rank[made.microclusters.assignment]
    first = {"truth": pipeline.truth(config), "consensus": result.labels}.get(config.order)
    return np.lexsort((by_tree,) if first is None else (by_tree, first))


def leaf_spans(made: Ensemble, joined: Dendrogram) -> tuple[np.ndarray, np.ndarray]:
    """First and past-the-last row of each leaf when objects stand in the tree's order: two (n,)."""
    order = leaf_order(joined)
    end = np.empty(joined.n_leaves, np.int64)
    end[order] = np.cumsum(joined.sizes[order])
    return end - joined.sizes, end


def zoom_of(config: RunConfig, n_objects: int) -> tuple[int, int, int, int]:
    """The window shown; everything if none is chosen or the chosen one does not fit."""
    if len(config.zoom) == 4:
        top, bottom, left, right = config.zoom
        if top < bottom <= n_objects and left < right <= n_objects:
            return config.zoom
    return 0, n_objects, 0, n_objects


def quality(config: RunConfig, made: Ensemble, shown: Named, name: str) -> Job:
    """Job: LinkQuality of a matrix on the microclusters, over its non-zero values."""
    classes = pipeline.truth(config)
    m = made.n_clusterings
    edges = np.arange(1, m + 1) / m if name == "co_association" and m <= 100 else np.arange(1, 51) / 50
    key = ("links", pipeline.ensemble_key(config), name, config.eci, config.method, config.params)

    def compute(monitor) -> LinkQuality:
        return link_quality(np.asarray(shown.matrix, dtype=np.float32), shown.groups, classes, edges, monitor)

    return pipeline.start(key, compute, "links")
