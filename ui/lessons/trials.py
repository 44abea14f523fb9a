"""What lessons need beyond one state: many ensembles, copies of a method, the order of the rows, no clusters."""

from functools import partial

import numpy as np

from engine import run_consensus
from engine.choosing_k import Structure, consensus_runs, principal_scores, structure, without_clusters
from engine.evidence import co_association
from engine.generators import LACResult, ensemble_of, lac_runs, spread_inverse_h
from engine.monitor import Quiet
from engine.partition import cut, linkage
from ui.lessons.scene import Scene
from ui.subspaces import views as subspace_views

#: Seeds of copies are so far apart.
_APART = 1000
#: The ks that a table of best k looks at.
TRIED_K = range(2, 21)


def scores(scene: Scene, method: str, draws: int) -> np.ndarray:
    """Agreement of a method with the truth over ensembles of consecutive seeds: (draws,)."""
    seed = scene.config.seed
    drawn = [scene.varied(seed=seed + draw) for draw in range(draws)]
    return np.array([one.score(one.answer(method).labels) for one in drawn])


def copies(scene: Scene, n_copies: int, draws: int) -> np.ndarray:
    """Agreement of several copies of the chosen method, each with ensembles of its own: (n_copies, draws)."""
    seed, method = scene.config.seed, scene.config.method
    return np.array([scores(scene.varied(seed=seed + _APART * copy), method, draws) for copy in range(n_copies)])


def best_over_k(scene: Scene, method: str = "") -> tuple[float, int]:
    """The best agreement over many k, and that k, the smallest if they tie."""
    ks = [k for k in TRIED_K if k <= len(scene.ensemble.microclusters)]
    found = [scene.score(scene.varied(k=k).answer(method).labels) for k in ks]
    return max(found), ks[int(np.argmax(found))]


def best_k_scores(scene: Scene, method: str, draws: int) -> np.ndarray:
    """Agreement at each ensemble's own best k: (draws,)."""
    return np.array([best_over_k(scene.varied(seed=scene.config.seed + draw), method)[0] for draw in range(draws)])


def toy(scene: Scene, shuffled: bool) -> np.ndarray:
    """What a toy that no method should be answers, (N,): co-association smoothed along the rows, then average link.

    Rows are sorted by class, as those of published sets often are, or shuffled. Every row of the matrix becomes the
    mean over the rows of its neighbours in the file, so that the order of the file leaks into the answer.
    """
    order = np.argsort(scene.truth, kind="stable")
    return toy_labels(scene, np.random.default_rng(scene.config.seed).permutation(order) if shuffled else order)


#: Rows to either side over which the toy smooths.
_BAND = 15


def toy_labels(scene: Scene, order: np.ndarray) -> np.ndarray:
    """What the toy answers where the rows come in this order: (N,)."""
    micro = scene.ensemble.microclusters
    similarity = micro.expand_matrix(co_association(scene.ensemble, scene.monitor), order, order)
    smooth = _along_rows(_along_rows(similarity).T)
    tree = linkage(np.ascontiguousarray(smooth, dtype=np.float32), np.ones(len(order), np.int64), "average")
    labels = np.empty(len(order), np.int32)
    labels[order] = cut(tree, scene.k)
    return labels


def _along_rows(matrix: np.ndarray) -> np.ndarray:
    """Every row as the mean of its neighbours, by running sums."""
    n = len(matrix)
    sums = np.vstack([np.zeros((1, matrix.shape[1])), np.cumsum(matrix, axis=0, dtype=np.float64)])
    low, high = np.maximum(np.arange(n) - _BAND, 0), np.minimum(np.arange(n) + _BAND + 1, n)
    return (sums[high] - sums[low]) / (high - low)[:, None]


#: The ks, runs and sets without clusters of the test of structure; 20 sets are what 5 % needs.
_KS, _RUNS, _SETS = (2, 3, 4), 15, 20


def twin(scene: Scene) -> np.ndarray:
    """A set without clusters, as long and as wide as the data: one Gaussian with their covariance, (N, p)."""
    return without_clusters(principal_scores(scene.features), np.random.default_rng(scene.config.seed))


def structure_of(scene: Scene, of_twin: bool = False) -> Structure:
    """The test of structure on the data of a scene, or on their twin."""
    name = f"structure of {'the twin' if of_twin else 'the data'}"
    if name not in scene.kept:
        scene.kept[name] = _structure(twin(scene) if of_twin else scene.features, scene.config.seed)
    return scene.kept[name]


def _structure(points: np.ndarray, seed: int) -> Structure:
    """The test of structure on objects with features (N, p)."""
    scores_of, rng = principal_scores(points), np.random.default_rng(seed)
    sets = [scores_of, *(without_clusters(scores_of, rng) for _ in range(_SETS))]
    pac = np.array([consensus_runs(one, _KS, _RUNS, seed=seed).pac() for one in sets])
    return structure(pac[0], pac[1:])


def twin_answer(scene: Scene) -> np.ndarray:
    """What the chosen method answers on the twin: (N,) in as many clusters as asked."""
    made = scene.config.recipe.ensemble(twin(scene), scene.k, scene.m, scene.config.seed, scene.monitor)
    return run_consensus(scene.config.method, made, scene.k, seed=scene.config.seed).labels


#: Ensembles over 1/h whose errors are averaged.
_DRAWS = 3


def _runs_over_h(scene: Scene) -> list[list[LACResult]]:
    """LAC at every value of 1/h, for each of the ensembles; several numbers come from these runs."""
    config = scene.config
    inputs = "runs over 1/h", config.data, config.scaling, config.inverse_h, scene.k, config.seed
    if inputs not in scene.family:
        scene.family[inputs] = [
            lac_runs(
                scene.features,
                scene.k,
                tried_h(scene),
                config.seed + draw,
                monitor=Quiet(partial(scene.monitor.tick, "weighing features", draw, _DRAWS)),
            )
            for draw in range(_DRAWS)
        ]
    return scene.family[inputs]


def tried_h(scene: Scene) -> np.ndarray:
    """The values of 1/h, evenly spaced in ratio: (VALUES,)."""
    low, high = scene.config.inverse_h
    return np.array(spread_inverse_h(low, high, subspace_views.VALUES))


def lac_errors(scene: Scene) -> np.ndarray:
    """Errors of LAC over 1/h, for each of the ensembles: (draws, VALUES)."""
    return np.array([[subspace_views.error(run.labels, scene.truth) for run in runs] for runs in _runs_over_h(scene)])


def errors_together(scene: Scene, method: str) -> np.ndarray:
    """Errors of a method on all runs of an ensemble together: (draws,)."""
    made = [ensemble_of(runs) for runs in _runs_over_h(scene)]
    answers = [run_consensus(method, one, scene.k, seed=scene.config.seed) for one in made]
    return np.array([subspace_views.error(answer.labels, scene.truth) for answer in answers])
