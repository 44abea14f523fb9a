"""Pictures of scores: over base clusterings, over seeds, along a knob."""

import numpy as np

from engine import consensus_methods
from ui.figures import error_figure, line_figure, score_strip
from ui.figures.spec import Figure
from ui.lessons import trials
from ui.lessons.facts.scores import base_scores, score
from ui.lessons.pictures.catalog import picture
from ui.lessons.scene import Scene
from ui.session.run_config import MEASURES

#: Sizes of ensembles along the curve.
SIZES = (1, 2, 3, 5, 8, 12, 20, 35, 60, 100)
#: Ensembles that are looked at, one after the other.
SEEDS = 40
#: The two methods whose lead is followed.
RIVALS = ("lwea", "eac")


@picture("Scores of the base clusterings, and of their consensus", flat=True)
def strip(scene: Scene, theme: str) -> Figure:
    """One dot a base clustering, the consensus as a line."""
    name = MEASURES[scene.config.measure]
    return score_strip(base_scores(scene), score(scene), theme, name=f"{name} with the truth", height=200)


@picture("The score against the number of base clusterings")
def score_by_m(scene: Scene, theme: str) -> Figure:
    """Score of the consensus against M, for this seed and the mean over five."""
    seeds = [scene.config.seed + draw for draw in range(5)]
    rows = np.array([[score(scene.varied(seed=seed, m=m)) for m in SIZES] for seed in seeds])
    lines = {"this seed": rows[0], "mean of five seeds": rows.mean(axis=0)}
    options = {"x_name": "base clusterings M", "y_name": MEASURES[scene.config.measure], "log_x": True}
    return line_figure(SIZES, lines, theme, marked=scene.m, **options)


@picture("The mean score so far, ensemble after ensemble")
def seed_by_seed(scene: Scene, theme: str) -> Figure:
    """Running means of two methods over ever more ensembles."""
    counts = np.arange(1, SEEDS + 1)
    lines = {consensus_methods()[m].title: trials.scores(scene, m, SEEDS).cumsum() / counts for m in RIVALS}
    options = {"x_name": "ensembles so far", "y_name": MEASURES[scene.config.measure], "log_x": True}
    return line_figure(counts, lines, theme, **options)


@picture("Ten copies of one method, each with its own five ensembles", flat=True)
def copies(scene: Scene, theme: str) -> Figure:
    """One dot a copy: its mean score over five ensembles of its own."""
    means = trials.copies(scene, 10, 5).mean(axis=1)
    return score_strip(means, None, theme, name="mean score of a copy", dots="copies", height=200)


@picture("The score against k")
def score_by_k(scene: Scene, theme: str) -> Figure:
    """Score of two methods at every k, the true one marked."""
    ks = [k for k in trials.TRIED_K if k <= len(scene.ensemble.microclusters)]
    lines = {
        consensus_methods()[m].title: np.array([scene.score(scene.varied(k=k).answer(m).labels) for k in ks])
        for m in RIVALS
    }
    options = {"x_name": "clusters k", "y_name": MEASURES[scene.config.measure]}
    return line_figure(ks, lines, theme, marked=int(scene.truth.max()) + 1, **options)


@picture("How structured these data are, and sets without clusters", flat=True)
def structure_test(scene: Scene, theme: str) -> Figure:
    """The statistic of the test of structure as a line, those of sets without clusters as dots, on one scale."""
    return _structure(trials.structure_of(scene), theme)


@picture("The same for the twin without clusters", flat=True)
def twin_structure(scene: Scene, theme: str) -> Figure:
    """The test of structure on the twin of the data."""
    return _structure(trials.structure_of(scene, of_twin=True), theme)


def _structure(found, theme: str) -> Figure:
    top = max(found.statistic, found.null.max())
    low = min(found.statistic, found.null.min(), 0.0)
    span = top - low
    name = "statistic T, the smallest as 0 and the largest as 1"
    words = {"name": name, "dots": "sets without clusters", "line": "this set"}
    return score_strip((found.null - low) / span, (found.statistic - low) / span, theme, height=200, **words)


@picture("Share of objects that LAC gets wrong, against 1/h")
def error_by_h(scene: Scene, theme: str) -> Figure:
    """Errors of the base clusterings over 1/h, and of WSPA on all of them together."""
    rows, together, inverse_h = trials.errors_over_h(scene)
    return error_figure(inverse_h, rows, together, theme, marked=scene.config.lac_inverse_h)
