"""What the Matrices page shows: named matrices, the order of their objects, and windows of them as pixels."""

import hashlib
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from engine import Consensus, Ensemble, Monitor, Params, consensus_methods
from engine.consensus.traces import LARGE
from engine.ensemble import Microclusters, find_microclusters
from engine.evidence import LinkQuality, block_means, block_profiles, link_quality, link_quality_by_rows
from engine.monitor import SILENT
from engine.pairs.counts import shared_cluster_similarity
from engine.partition import Dendrogram, leaf_order, linkage
from engine.similarities import pair_evidence
from ui.compute import pipeline
from ui.compute.jobs import Job
from ui.compute.work import start
from ui.session.run_config import RunConfig

#: Pixels along a matrix image: 400 x 400 bytes are 0.16 MB a picture.
PIXELS = 400
#: n x n matrices of the method are recorded up to so many microclusters.
RECORDED = 6000
#: Title of the matrix of the classes.
TRUTH = "ground truth"


@dataclass(frozen=True, eq=False)
class Named:
    """A matrix between groups of objects, and how it is called."""

    matrix: np.ndarray | sparse.csr_array
    groups: Microclusters
    title: str

    def window(self, order: np.ndarray, zoom: tuple[int, int, int, int]) -> np.ndarray:
        """Pixels of a window: true cells if it is small, else means of blocks of true cells."""
        top, bottom, left, right = zoom
        return self.groups.block_means(self.matrix, order[top:bottom], order[left:right], PIXELS)


@dataclass(frozen=True, eq=False)
class Factored:
    """A matrix that is a weighted co-association, seen through the clusters: no cell of it is ever made."""

    made: Ensemble
    weights: np.ndarray
    title: str

    def window(self, order: np.ndarray, zoom: tuple[int, int, int, int]) -> np.ndarray:
        """Pixels of a window, as `Named.window`."""
        top, bottom, left, right = zoom
        rows = self._profiles(order[top:bottom])
        columns = rows if (top, bottom) == (left, right) else self._profiles(order[left:right])
        return block_means(rows, columns, self.weights, self.made.n_clusterings)

    def _profiles(self, objects: np.ndarray) -> np.ndarray:
        """Profiles of the blocks; both pictures, and every move of theta, look at the same ones."""
        digest = hashlib.blake2b(objects.tobytes(), digest_size=16).digest()
        latest: dict[bytes, np.ndarray] = self.made.remember("block profiles", dict)
        found = latest.get(digest)
        if found is None:
            found = block_profiles(self.made, objects, PIXELS)
            while len(latest) >= 2:
                latest.pop(next(iter(latest)), None)
            latest[digest] = found
        return found


def choices(result: Consensus, truth: np.ndarray | None) -> dict[str, str]:
    """Names and titles of the matrices there are: every evidence, whatever the method recorded, and the truth."""
    found = {key: evidence.title for key, evidence in pair_evidence().items()}
    found |= {name: f"{LARGE[name]} of {consensus_methods()[result.method].title}" for name in recorded(result)}
    if truth is not None:
        found["truth"] = TRUTH
    return found


def recorded(result: Consensus) -> list[str]:
    """The n x n matrices of a run that are no evidence of their own."""
    n, trace = len(result.microclusters), result.trace
    same = {"co_association", "trajectories"}  # CA and PTS
    if "trajectories" in trace:
        same.add("similarity")  # what is cut is PTS itself
    return [name for name in LARGE if name not in same and getattr(trace.get(name), "shape", None) == (n, n)]


def named(config: RunConfig, made: Ensemble, result: Consensus, name: str, slot: str) -> Job:
    """Job: the matrix of this name."""
    if name in pair_evidence():
        if made.complete and pair_evidence()[name].weights is not None:
            return start(evidence_factor, made, name, params_of(config, name), slot=slot)
        return start(evidence_matrix, made, name, params_of(config, name), slot=slot)
    if name == "truth":
        return start(truth_matrix, pipeline.truth(config), slot=slot)
    return start(recorded_matrix, result, name, choices(result, None)[name], slot=slot)


def params_of(config: RunConfig, name: str) -> Params:
    """Parameters of an evidence: the knobs that methods share."""
    evidence = pair_evidence()[name]
    return evidence.chosen({spec.concept: getattr(config, spec.concept) for spec in evidence.params.specs()})


def concepts(*names: str) -> list[str]:
    """The knobs of these matrices, each once."""
    kinds = [pair_evidence()[name] for name in names if name in pair_evidence()]
    return list(dict.fromkeys(spec.concept for kind in kinds for spec in kind.params.specs()))


def evidence_matrix(made: Ensemble, name: str, params: Params, monitor: Monitor = SILENT) -> Named:
    """A kind of evidence between microclusters."""
    evidence = pair_evidence()[name]
    return Named(evidence.matrix(made, params, monitor), made.microclusters, evidence.title)


def evidence_factor(made: Ensemble, name: str, params: Params, monitor: Monitor = SILENT) -> Factored:
    """A kind of evidence that is a weighted co-association."""
    evidence = pair_evidence()[name]
    assert evidence.weights is not None
    return Factored(made, evidence.weights(made, params, monitor), evidence.title)


def truth_matrix(truth: np.ndarray, monitor: Monitor = SILENT) -> Named:
    """Whether two objects are of one class, between classes."""
    groups = find_microclusters(np.ascontiguousarray(truth[:, None], dtype=np.int32))
    return Named(np.eye(len(groups), dtype=np.float32), groups, TRUTH)


def recorded_matrix(result: Consensus, name: str, title: str, monitor: Monitor = SILENT) -> Named:
    """A matrix the method recorded."""
    return Named(result.trace[name], result.microclusters, title)


def tree(made: Ensemble, result: Consensus, monitor: Monitor = SILENT) -> Dendrogram:
    """The method's own tree, or the average-link tree of the co-association where it has none."""
    if "dendrogram" in result.trace:
        return result.trace["dendrogram"]
    plain = shared_cluster_similarity(made, np.ones(made.n_clusters_total))
    return linkage(plain, made.microclusters.sizes, "average", monitor)


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


def quality(made: Ensemble, shown: Named | Factored, truth: np.ndarray, monitor: Monitor = SILENT) -> LinkQuality:
    """LinkQuality of a matrix on the microclusters, over its non-zero values."""
    m = made.n_clusterings
    counts = shown.title == pair_evidence()["ca"].title and m <= 100
    edges = np.arange(1, m + 1) / m if counts else np.arange(1, 51) / 50
    if isinstance(shown, Factored):
        return link_quality_by_rows(made, shown.weights, truth, edges, monitor)
    matrix = shown.matrix.toarray() if isinstance(shown.matrix, sparse.sparray) else shown.matrix
    return link_quality(matrix.astype(np.float32, copy=False), shown.groups, truth, edges, monitor)
