"""What lessons need beyond one state: many ensembles, copies of a method, the order of the rows."""

import numpy as np

from engine import Consensus, run_consensus
from engine.evidence import co_association
from engine.generators import ensemble_of
from engine.metrics import accuracy
from engine.partition import cut, linkage
from ui.scene import Scene

#: Seeds of copies are so far apart.
_APART = 1000
#: The ks that a table of best k looks at.
TRIED_K = range(2, 21)


def answer(scene: Scene, method: str = "") -> Consensus:
    """The consensus of a method, by default the chosen one."""
    return (scene.varied(method=method) if method else scene).consensus


def score(scene: Scene, method: str = "") -> float:
    """Agreement of a method's consensus with the truth."""
    return scene.score(answer(scene, method).labels)


def scores(scene: Scene, method: str, draws: int) -> np.ndarray:
    """Agreement of a method with the truth over ensembles of consecutive seeds: (draws,)."""
    seed = scene.config.seed
    drawn = [scene.varied(seed=seed + draw) for draw in range(draws)]
    return np.array([score(one, method) for one in drawn])


def copies(scene: Scene, n_copies: int, draws: int) -> np.ndarray:
    """Agreement of several copies of the chosen method, each with ensembles of its own: (n_copies, draws)."""
    seed, method = scene.config.seed, scene.config.method
    return np.array([scores(scene.varied(seed=seed + _APART * copy), method, draws) for copy in range(n_copies)])


def best_over_k(scene: Scene, method: str = "") -> tuple[float, int]:
    """The best agreement over many k, and that k, the smallest if they tie."""
    ks = [k for k in TRIED_K if k <= len(scene.ensemble.microclusters)]
    found = [score(scene.varied(k=k), method) for k in ks]
    return max(found), ks[int(np.argmax(found))]


def best_k_scores(scene: Scene, method: str, draws: int) -> np.ndarray:
    """Agreement at each ensemble's own best k: (draws,)."""
    return np.array([best_over_k(scene.varied(seed=scene.config.seed + draw), method)[0] for draw in range(draws)])


def toy(scene: Scene, shuffled: bool) -> np.ndarray:
    """What a toy that no method should be answers, (N,): co-association smoothed along the rows, then average link.

    Rows are sorted by class, as those of published sets often are, or shuffled. Every row of the matrix becomes the
    mean over the rows of its neighbours in the file, so that the order of the file leaks into the answer.
    """
    order = np.argsort(scene.classes, kind="stable")
    return toy_labels(scene, np.random.default_rng(scene.config.seed).permutation(order) if shuffled else order)


#: Rows to either side over which the toy smooths.
_BAND = 15


def toy_labels(scene: Scene, order: np.ndarray) -> np.ndarray:
    """What the toy answers where the rows come in this order: (N,)."""
    micro = scene.ensemble.microclusters
    similarity = micro.expand_matrix(co_association(scene.ensemble), order, order)
    smooth = _along_rows(_along_rows(similarity).T)
    tree = linkage(np.ascontiguousarray(smooth, dtype=np.float32), np.ones(len(order), np.int64), "average")
    labels = np.empty(len(order), np.int32)
    labels[order] = cut(tree, scene.n_clusters)
    return labels


def _along_rows(matrix: np.ndarray) -> np.ndarray:
    """Every row as the mean of its neighbours, by running sums."""
    n = len(matrix)
    sums = np.vstack([np.zeros((1, matrix.shape[1])), np.cumsum(matrix, axis=0, dtype=np.float64)])
    low, high = np.maximum(np.arange(n) - _BAND, 0), np.minimum(np.arange(n) + _BAND + 1, n)
    return (sums[high] - sums[low]) / (high - low)[:, None]


def lac_errors(scene: Scene) -> np.ndarray:
    """Errors of LAC over 1/h, for each of the ensembles: (draws, VALUES)."""
    return np.array([[1 - accuracy(run.labels, scene.classes) for run in runs] for runs in scene.runs_over_h])


def errors_together(scene: Scene, method: str) -> np.ndarray:
    """Errors of a method on all runs of an ensemble together: (draws,)."""
    made = [ensemble_of(runs) for runs in scene.runs_over_h]
    answers = [run_consensus(method, one, scene.n_clusters, seed=scene.config.seed) for one in made]
    return np.array([1 - accuracy(found.labels, scene.classes) for found in answers])
