"""Matrices by name, evidence or what the consensus recorded: the order of their objects, and windows as pixels."""

import hashlib
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from engine import Consensus, Ensemble, Monitor, Params, consensus_methods
from engine.consensus.method import LARGE
from engine.ensemble import Microclusters, find_microclusters
from engine.evidence import LinkQuality, block_means, block_profiles, link_quality, link_quality_by_rows
from engine.pairs.counts import shared_cluster_similarity
from engine.params import Switch
from engine.partition import Dendrogram, leaf_order, linkage
from engine.similarities import pair_evidence
from ui.session.run_config import RunConfig
from ui.session.settings import BRIGHTEST, Among, Places, Setting

#: Where the first of many bins begins: what is 0 is no link, and an edge reaches a millionth below itself.
_ABOVE_0 = 2e-6
#: Recorded matrices whose values may be below 0, and those whose values are not how alike two objects are.
SIGNED = frozenset({"representation"})
NO_SIMILARITY = SIGNED | {"refined_distance"}
#: Orders of the objects along a matrix.
ORDERS = ("truth", "consensus", "tree", "input")


def _known() -> tuple[str, ...]:
    """What a side may show: evidence, what some method records, the classes."""
    return (*pair_evidence(), *LARGE, "truth")


SETTINGS = (
    Setting("left", "ca", Among(offered=_known), "The matrix on the left."),
    Setting("right", "lwca", Among(offered=_known), "The matrix on the right."),
    Setting("order", "truth", Among(offered=ORDERS), "Order of the objects."),
    Setting(
        "zoom",
        (),
        Places(n=4),
        "First and past-the-last row, then column, that are seen.",
        ("data", "labelled", "order"),
    ),
    Setting("brightest", None, BRIGHTEST, "The value with the brightest colour; auto fits each matrix to its own."),
    Setting("right_minus_left", False, Switch(), "The right picture shows right minus left."),
)

#: Pixels along a matrix image: 400 x 400 bytes are 0.16 MB a picture.
PIXELS = 400
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


def recorded_names(consensus: Consensus) -> list[str]:
    """The n x n matrices of a run that are no evidence of their own."""
    n, trace = len(consensus.microclusters), consensus.trace
    same = {"co_association", "trajectories"}  # CA and PTS
    if "trajectories" in trace:
        same.add("similarity")  # what is cut is PTS itself
    return [name for name in LARGE if name not in same and getattr(trace.get(name), "shape", None) == (n, n)]


def recorded_titles(consensus: Consensus, recorded_names: list[str]) -> dict[str, str]:
    """Their names and titles."""
    method = consensus_methods()[consensus.method].title
    return {name: f"{LARGE[name]} of {method}" for name in recorded_names}


def matrix_titles(ensemble: Ensemble, recorded_titles: dict[str, str], truth: np.ndarray | None) -> dict[str, str]:
    """Names and titles of the matrices there are: the evidence there is, what the method recorded, and the truth."""
    able = {key: one.title for key, one in pair_evidence().items() if ensemble.complete or one.takes_missing}
    found = able | recorded_titles
    return found if truth is None else found | {"truth": TRUTH}


def matrix_left(scene) -> Named | Factored | None:
    """The matrix that the setting `left` names."""
    return _matrix(scene, scene.config.left, "left")


def matrix_right(scene) -> Named | Factored | None:
    """The matrix that the setting `right` names."""
    return _matrix(scene, scene.config.right, "right")


def _matrix(scene, name: str, side: str) -> Named | Factored | None:
    here = scene.with_given(side, matrix_name=name)
    if name == "truth":
        return here.truth_matrix
    if name not in pair_evidence():
        return here.recorded_matrix
    if scene.ensemble is None:
        return None
    return here.factor if here.factored else here.evidence_matrix


def matrix_name() -> str:
    """Which matrix: the scene of each side has its own."""
    return "ca"


def factored(ensemble: Ensemble, matrix_name: str) -> bool:
    """Whether the matrix is a weighted co-association, which can be seen through the clusters."""
    return ensemble.complete and pair_evidence()[matrix_name].weights is not None


def matrix_params(config: RunConfig, matrix_name: str) -> Params:
    """Parameters of an evidence: the knobs that methods share."""
    evidence = pair_evidence()[matrix_name]
    return evidence.chosen({spec.concept: getattr(config, spec.concept) for spec in evidence.params.specs()})


def evidence_matrix(ensemble: Ensemble, matrix_name: str, matrix_params: Params, monitor: Monitor) -> Named:
    """Comparing objects: a kind of evidence between microclusters."""
    evidence = pair_evidence()[matrix_name]
    return Named(evidence.matrix(ensemble, matrix_params, monitor), ensemble.microclusters, evidence.title)


def factor(ensemble: Ensemble, matrix_name: str, matrix_params: Params, monitor: Monitor) -> Factored:
    """Comparing objects: a kind of evidence that is a weighted co-association."""
    evidence = pair_evidence()[matrix_name]
    assert evidence.weights is not None
    return Factored(ensemble, evidence.weights(ensemble, matrix_params, monitor), evidence.title)


def truth_matrix(classes: np.ndarray) -> Named:
    """Whether two objects are of one class, between classes."""
    groups = find_microclusters(np.ascontiguousarray(classes[:, None], dtype=np.int32))
    return Named(sparse.eye_array(len(groups), dtype=np.float32, format="csr"), groups, TRUTH)


def recorded_matrix(consensus: Consensus, recorded_titles: dict[str, str], matrix_name: str) -> Named:
    """A matrix the method recorded."""
    return Named(consensus.trace[matrix_name], consensus.microclusters, recorded_titles[matrix_name])


def plain_tree(ensemble: Ensemble, monitor: Monitor) -> Dendrogram:
    """Ordering the objects: the average-link tree of the co-association, whatever the method and its knobs."""
    plain = shared_cluster_similarity(ensemble, np.ones(ensemble.n_clusters_total))
    return linkage(plain, ensemble.microclusters.sizes, "average", monitor)


def tree(scene) -> Dendrogram | None:
    """The method's own tree, or that of the co-association where it has none."""
    if scene.consensus is None:
        return None
    return scene.consensus.trace["dendrogram"] if "dendrogram" in scene.consensus.trace else scene.plain_tree


def object_order(scene) -> np.ndarray | None:
    """Objects in the order shown: (N,). Inside a class or cluster as in the tree of the co-association.

    So nothing moves with a knob of the method but what it changes: no matrix the order of its rows.
    """
    order, ensemble = scene.config.order, scene.ensemble
    if ensemble is None or scene.consensus is None:
        return None
    if order == "input":
        return np.arange(ensemble.n_objects)
    tree = scene.tree if order == "tree" else scene.plain_tree
    if tree is None:
        return None
    rank = np.empty(tree.n_leaves, np.int64)
    rank[leaf_order(tree)] = np.arange(tree.n_leaves)
    by_tree = rank[ensemble.microclusters.assignment]
    first = {"truth": scene.truth, "consensus": scene.consensus.labels}.get(order)
    return np.lexsort((by_tree,) if first is None else (by_tree, first))


def leaf_spans(tree: Dendrogram) -> tuple[np.ndarray, np.ndarray]:
    """First and past-the-last row of each leaf when objects stand in the tree's order: two (n,)."""
    order = leaf_order(tree)
    end = np.empty(tree.n_leaves, np.int64)
    end[order] = np.cumsum(tree.sizes[order])
    return end - tree.sizes, end


def window(zoom: tuple[int, ...], ensemble: Ensemble) -> tuple[int, int, int, int]:
    """The rows and columns shown; everything if none are chosen or the chosen ones do not fit."""
    n = ensemble.n_objects
    if len(zoom) == 4:
        top, bottom, left, right = zoom
        if top < bottom <= n and left < right <= n:
            return top, bottom, left, right
    return 0, n, 0, n


def value_bins(m: int | None) -> np.ndarray:
    """Lower edges of bins of values above 0: one a share of m base clusterings, or without m a fiftieth each."""
    return np.arange(1, m + 1) / m if m is not None else np.r_[_ABOVE_0, np.arange(1, 51) / 50]


def quality_left(
    ensemble: Ensemble, matrix_left: Named | Factored, classes: np.ndarray, monitor: Monitor
) -> LinkQuality:
    """Counting links: LinkQuality of the left matrix on the microclusters, over its non-zero values."""
    m = ensemble.n_clusterings
    counts = matrix_left.title == pair_evidence()["ca"].title and m <= 100
    edges = value_bins(m if counts else None)
    if isinstance(matrix_left, Factored):
        return link_quality_by_rows(ensemble, matrix_left.weights, classes, edges, monitor)
    matrix = matrix_left.matrix
    matrix = matrix.toarray() if isinstance(matrix, sparse.sparray) else matrix
    return link_quality(matrix.astype(np.float32, copy=False), matrix_left.groups, classes, edges, monitor)


def windows(
    matrix_left: Named | Factored, matrix_right: Named | Factored, object_order: np.ndarray, window: tuple
) -> dict[str, np.ndarray]:
    """Pixels of both matrices, by side."""
    return {"left": matrix_left.window(object_order, window), "right": matrix_right.window(object_order, window)}
