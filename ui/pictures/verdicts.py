"""Pictures of scores: over base clusterings, over seeds, along a knob."""

from collections.abc import Callable

import numpy as np

from engine import consensus_methods
from ui.figures import confusion_figure, error_figure, line_figure, score_curve, score_strip
from ui.figures.numbering import clusterings_on_hover, number
from ui.figures.spec import Figure
from ui.pictures import trials
from ui.pictures.catalog import Reading, on_line, picture
from ui.saying import alone, spread_words, three_digits
from ui.scene import Scene
from ui.session.run_config import MEASURES

#: Sizes of ensembles along the curve.
SIZES = (1, 2, 3, 5, 8, 12, 20, 35, 60, 100)
#: Ensembles that are looked at, one after the other.
SEEDS = 40
#: The two methods whose lead is followed.
RIVALS = ("lwea", "eac")


def _chosen(scene: Scene, words: tuple[str, ...]) -> bool:
    """Whether a quantity is about the chosen method."""
    return not words or words[0] == scene.config.method


def _title(words: tuple[str, ...]) -> str:
    return consensus_methods()[words[0]].title


_STRIP = {
    "score": Reading(lambda fig, scene, words: float(fig.data[2]["x"][0]) if _chosen(scene, words) else None),
    "base_mean": Reading(lambda fig, *_: float(fig.data[1]["x"][0])),
    "base_best": Reading(lambda fig, *_: float(np.max(fig.data[0]["x"]))),
}


def _beaten(scene: Scene) -> str:
    """The consensus beside its base clusterings, with the live numbers."""
    if scene.consensus is None:
        return ""
    if scene.truth is None:
        return _believed(scene)
    scores, agreed = scene.base_scores, scene.score(scene.consensus.labels)
    words = f"The consensus scores **{three_digits(agreed)}** ({MEASURES[scene.config.measure]}; 1 is perfect); "
    if len(scores) == 1:
        words += f"its only base clustering scores {three_digits(scores[0])}. "
        return words + alone(scene.ensemble, scene.consensus, scored=True)
    words += f"of its {len(scores):,} base clusterings it beats {int((scores < agreed).sum()):,}: "
    return words + f"{spread_words(scores)}."


def _believed(scene: Scene) -> str:
    """What can be said of agreement where nobody knows the truth."""
    if scene.mean_agreement is None or scene.likeness is None or len(scene.likeness) < 2:
        return ""
    between, beside = (float(values.mean()) for values in (scene.mean_agreement, scene.likeness))
    return (
        f"Two base clusterings agree by {three_digits(between)} on average (NMI (max); 1 is the same), the consensus "
        f"with them by **{three_digits(beside)}**. Which is right, nobody here knows."
    )


@picture(
    "Scores: base clusterings as dots, their mean as a line, the consensus as a bold line",
    says=_beaten,
    flat=True,
    reads=_STRIP,
)
def strip(scene: Scene, theme: str) -> Figure | None:
    """One dot a base clustering, their mean as a line, the consensus as a bold line."""
    if scene.truth is None or scene.consensus is None:
        return None
    name, agreed = f"{MEASURES[scene.config.measure]} with the truth", scene.score(scene.consensus.labels)
    figure = score_strip(scene.base_scores, agreed, theme, name=name, height=200)
    return clusterings_on_hover(figure, scene.clustering_names)


@picture("Which class went where")
def confusion(scene: Scene, theme: str) -> Figure | None:
    """Objects of every class in every cluster there is."""
    if scene.truth is None or scene.consensus is None:
        return None
    truth = scene.truth
    clusters, column = np.unique(scene.consensus.labels, return_inverse=True)
    counts = np.zeros((int(truth.max()) + 1, len(clusters)), np.int64)
    np.add.at(counts, (truth, column), 1)
    return confusion_figure(counts, scene.class_names, [number(c) for c in clusters], theme)


@picture("How the score depends on k")
def score_of_k(scene: Scene, theme: str) -> Figure | None:
    """Score of the chosen method for every number of clusters nearby; none where the method finds k itself."""
    if scene.truth is None or consensus_methods()[scene.config.method].finds_k or scene.scores_by_k is None:
        return None
    names = {"x_name": "clusters k", "y_name": MEASURES[scene.config.measure]}
    marked = scene.consensus.n_clusters
    return score_curve(scene.k_choices, scene.scores_by_k, theme, marked=marked, height=300, **names)


def _by_m(figure: Figure, scene: Scene, words: tuple[str, ...]) -> float | None:
    return on_line(figure, "this seed", scene.config.m) if _chosen(scene, words) else None


@picture("The score against the number of base clusterings", reads={"score": Reading(_by_m, along=("m",))})
def score_by_m(scene: Scene, theme: str) -> Figure:
    """Score of the consensus against M, for this seed and the mean over five."""
    seeds = [scene.config.seed + draw for draw in range(5)]
    rows = np.array([[trials.score(scene.varied(seed=seed, m=m)) for m in SIZES] for seed in seeds])
    lines = {"this seed": rows[0], "mean of five seeds": rows.mean(axis=0)}
    options = {"x_name": "base clusterings M", "y_name": MEASURES[scene.config.measure], "log_x": True}
    return line_figure(SIZES, lines, theme, marked=scene.n_clusterings, **options)


_SO_FAR = {"mean_score": Reading(lambda fig, scene, words: on_line(fig, _title(words), float(words[1])))}


@picture("The mean score so far, ensemble after ensemble", reads=_SO_FAR)
def seed_by_seed(scene: Scene, theme: str) -> Figure:
    """Running means of two methods over ever more ensembles."""
    counts = np.arange(1, SEEDS + 1)
    lines = {consensus_methods()[m].title: trials.scores(scene, m, SEEDS).cumsum() / counts for m in RIVALS}
    options = {"x_name": "ensembles so far", "y_name": MEASURES[scene.config.measure], "log_x": True}
    return line_figure(counts, lines, theme, **options)


def _lead(figure: Figure, scene: Scene, words: tuple[str, ...]) -> float | None:
    return float(np.ptp(figure.data[0]["x"])) if words == ("10", "5") else None


@picture("Ten copies of one method, each with its own five ensembles", flat=True, reads={"copies_lead": Reading(_lead)})
def copies(scene: Scene, theme: str) -> Figure:
    """One dot a copy: its mean score over five ensembles of its own."""
    means = trials.copies(scene, 10, 5).mean(axis=1)
    return score_strip(means, None, theme, name="mean score of a copy", dots="copies", height=200)


def _by_k(figure: Figure, scene: Scene, words: tuple[str, ...]) -> float | None:
    return on_line(figure, _title(words or (scene.config.method,)), scene.n_clusters)


@picture("The score against k, in one ensemble", reads={"score": Reading(_by_k, along=("k",))})
def score_by_k(scene: Scene, theme: str) -> Figure:
    """Score of two methods at every k, the true one marked."""
    ks = [k for k in trials.TRIED_K if k <= len(scene.ensemble.microclusters)]
    lines = {consensus_methods()[m].title: np.array([trials.score(scene.varied(k=k), m) for k in ks]) for m in RIVALS}
    options = {"x_name": "clusters k", "y_name": MEASURES[scene.config.measure]}
    return line_figure(ks, lines, theme, marked=int(scene.classes.max()) + 1, **options)


def _rank(figure: Figure, *_) -> float:
    """The share of all sets, this one among them, that look at least as structured."""
    dots, line = np.asarray(figure.data[0]["x"]), figure.data[2]["x"][0]
    return float((1 + (dots >= line).sum()) / (1 + len(dots)))


@picture("How structured these data are, and sets without clusters", flat=True, reads={"structure_p": Reading(_rank)})
def structure_test(scene: Scene, theme: str) -> Figure:
    """The statistic of the test of structure as a line, those of sets without clusters as dots, on one scale."""
    return _structure(scene.structure_of_data, theme)


@picture("The same for the twin without clusters", flat=True, reads={"twin_structure_p": Reading(_rank)})
def twin_structure(scene: Scene, theme: str) -> Figure:
    """The test of structure on the twin of the data."""
    return _structure(scene.structure_of_twin, theme)


def _structure(found, theme: str) -> Figure:
    top = max(found.statistic, found.null.max())
    low = min(found.statistic, found.null.min(), 0.0)
    span = top - low
    name = "statistic T: smallest 0, largest 1"
    words = {"name": name, "dots": "sets without clusters", "line": "this set"}
    return score_strip((found.null - low) / span, (found.statistic - low) / span, theme, height=200, **words)


def _at_h(figure: Figure, scene: Scene, words: tuple[str, ...]) -> float | None:
    nearest = np.abs(np.log(scene.tried_h / scene.config.lac_inverse_h)).argmin()
    return on_line(figure, "LAC", scene.tried_h[nearest])


def _together(figure: Figure, scene: Scene, words: tuple[str, ...]) -> float | None:
    return on_line(figure, _title(words or (scene.config.method,)), scene.config.inverse_h[0])


def _along_h(pick: Callable[[np.ndarray], float]) -> Reading:
    return Reading(lambda fig, *_: float(pick(next(t["y"] for t in fig.data if t["name"] == "LAC"))))


#: Whether a text says one run or a mean, what a reader finds here is the mean.
_ERRORS = {
    "lac_wrong": Reading(_at_h, along=("lac_inverse_h",)),
    "mean_lac_wrong": Reading(_at_h, along=("lac_inverse_h",)),
    "wrong": Reading(_together),
    "mean_wrong": Reading(_together),
    "base_wrong": _along_h(np.mean),
    "mean_lac_least": _along_h(np.min),
    "mean_lac_most": _along_h(np.max),
    "base_wrong_least": _along_h(np.min),
    "base_wrong_most": _along_h(np.max),
}


@picture("Share of objects that LAC gets wrong, against 1/h: means of three ensembles", reads=_ERRORS)
def error_by_h(scene: Scene, theme: str) -> Figure:
    """Errors of LAC over 1/h, and of WSPA and LWGP on all of its runs together, means of three ensembles."""
    together = {consensus_methods()[m].title: trials.errors_together(scene, m) for m in ("wspa", "lwgp")}
    marked = scene.config.lac_inverse_h
    return error_figure(scene.tried_h, trials.lac_errors(scene), together, theme, marked=marked)
