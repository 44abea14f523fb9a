"""LAC over its range of 1/h, and the consensus of the runs: `python -m bench.bench_lac --out bench/results/lac.md`.

`--task speed --out bench/results/lac_speed.md` sets it beside plain numpy.
"""

import numpy as np

import data
from bench.harness import arguments, interleaved, machine, publish, seconds_text, table
from data.bundled import MIXTURES
from engine import consensus_methods, metrics, run_consensus
from engine.generators import INVERSE_H, LACResult, ensemble_of, lac, lac_runs

SETS = ("two_gaussian", "two_gaussian_overlap", "three_gaussian", "iris", "breast_cancer", "breast_cancer, even")
METHODS = ("wspa", "wbpa", "cspa", "mcla", "hbgf", "eac")
DRAWS = 10


def main() -> None:
    chosen = arguments()
    if chosen.task == "speed":
        publish(SPEED.format(machine=machine()) + speed_table(), chosen.out)
        return
    found = {name: [draw(name, seed) for seed in range(DRAWS)] for name in SETS}
    parts = [
        HEADING.format(draws=DRAWS, machine=machine()),
        "## Error rate of LAC by 1/h\n\nPercent of the objects, mean (sd); the best of each set in bold.\n",
        error_table(found),
        "\n## The range against the consensus of its runs\n\nPercent, mean (sd). "
        "LAC's mean, best and worst are over the range of 1/h, within each draw; the bold entries end at or below "
        "LAC's mean.\n",
        consensus_table(found),
        "\n## How many features count\n\nexp of the entropy of a cluster's weights, mean over clusters and draws: "
        "from D, all alike, to 1, one alone.\n",
        features_table(found),
        "\n## Weights by cluster\n\nMean over draws; clusters matched to the components.\n",
        weights_table(found),
    ]
    publish("\n".join(parts), chosen.out)


HEADING = """# LAC

Features at mean 0 and variance 1, k the number of classes. {draws} draws: Gaussian sets drawn anew, real sets with
fresh seeds of LAC. Error rate = 1 - accuracy under the best matching. "Even": both classes
212, the larger one thinned anew in every draw; METIS (WSPA, WBPA, CSPA) makes parts of like size.

{machine}
"""


SPEED = """# LAC beside plain numpy

{machine}

N = 20,000, D = 50, k = 10, each of ten groups close in features of its own; median and range of five interleaved runs.
Plain numpy: the same iteration, distances by matrix products.

"""


class Draw:
    """Truth, the runs over the range, their error rates in percent, and those of the consensus methods."""

    def __init__(self, truth: np.ndarray, runs: list[LACResult], seed: int):
        self.truth, self.runs, k = truth, runs, len(np.unique(truth))
        self.errors = np.array([error(run.labels, truth) for run in runs])
        ensemble = ensemble_of(runs)
        keys = [key for key in METHODS if key in consensus_methods()]
        self.consensus = {key: error(run_consensus(key, ensemble, k, seed=seed).labels, truth) for key in keys}


def draw(name: str, seed: int) -> Draw:
    features, truth = redrawn(name, seed) if name in MIXTURES else loaded(name, seed)
    runs = lac_runs(data.scale(features, "standard"), len(np.unique(truth)), INVERSE_H, seed)
    return Draw(truth, runs, seed)


def redrawn(name: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """300 new points of each component of a mixture."""
    mixture = MIXTURES[name]
    truth = np.repeat(np.arange(len(mixture.means)), 300)
    noise = np.random.default_rng(seed).standard_normal((len(truth), 2))
    return np.array(mixture.means)[truth] + np.array(mixture.sds)[truth] * noise, truth


def loaded(name: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A real set; "even" = every class thinned at random to the size of the smallest, as the paper does for METIS."""
    found = data.load(name.removesuffix(", even"))
    if not name.endswith(", even"):
        return found.features, found.labels
    order = np.random.default_rng(seed).permutation(found.n_objects)
    size = np.bincount(found.labels).min()
    kept = np.concatenate([order[found.labels[order] == j][:size] for j in np.unique(found.labels)])
    return found.features[kept], found.labels[kept]


def error(labels: np.ndarray, truth: np.ndarray) -> float:
    return 100 * (1 - metrics.accuracy(labels, truth))


def spread(values: np.ndarray, bold: bool = False) -> str:
    text = f"{np.mean(values):.1f} ({np.std(values):.1f})"
    return f"**{text}**" if bold else text


def error_table(found: dict[str, list[Draw]]) -> str:
    errors = {name: np.array([one.errors for one in draws]) for name, draws in found.items()}
    best = {name: values.mean(axis=0).argmin() for name, values in errors.items()}
    rows = [
        [f"{value:g}", *(spread(errors[name][:, i], i == best[name]) for name in SETS)]
        for i, value in enumerate(INVERSE_H)
    ]
    bayes = [data.bayes_error(name) for name in SETS]
    rows.append(["Bayes error", *("" if value is None else f"{100 * value:.2f}" for value in bayes)])
    return table(["1/h", *SETS], rows)


def consensus_table(found: dict[str, list[Draw]]) -> str:
    keys = list(found[SETS[0]][0].consensus)
    titles = [consensus_methods()[key].title for key in keys]
    rows = []
    for name, draws in found.items():
        errors = np.array([one.errors for one in draws])
        mean = errors.mean(axis=1)
        ends = [np.array([one.consensus[key] for one in draws]) for key in keys]
        rows.append(
            [
                name,
                spread(mean),
                spread(errors.min(axis=1)),
                spread(errors.max(axis=1)),
                *(spread(end, end.mean() <= mean.mean()) for end in ends),
            ]
        )
    return table(["set", "LAC, mean", "LAC, best", "LAC, worst", *titles], rows)


def features_table(found: dict[str, list[Draw]]) -> str:
    def counted(run: LACResult) -> float:
        return np.exp(-(run.weights * np.log(np.maximum(run.weights, 1e-300))).sum(axis=1)).mean()

    counts = {name: np.mean([[counted(run) for run in one.runs] for one in draws], 0) for name, draws in found.items()}
    rows = [[f"{value:g}", *(f"{counts[name][i]:.2f}" for name in SETS)] for i, value in enumerate(INVERSE_H)]
    return table(["1/h", *SETS], rows)


def weights_table(found: dict[str, list[Draw]]) -> str:
    names = [name for name in SETS if name in MIXTURES]
    means = {
        name: np.mean([[matched(run, one.truth) for run in one.runs] for one in found[name]], axis=0) for name in names
    }
    rows = [
        [f"{value:g}", *("; ".join(f"({w[0]:.2f}, {w[1]:.2f})" for w in means[name][i]) for name in names)]
        for i, value in enumerate(INVERSE_H)
    ]
    return table(["1/h", *names], rows)


def matched(run: LACResult, truth: np.ndarray) -> np.ndarray:
    """Weights (k, D) in the order of the components."""
    names = metrics.align(run.labels, truth)
    return run.weights[[run.labels[np.flatnonzero(names == j)[0]] for j in range(len(run.weights))]]


def speed_table() -> str:
    rng = np.random.default_rng(0)
    groups = [rng.normal(rng.normal(0, 1, 50), rng.uniform(0.3, 3, 50), (2000, 50)) for _ in range(10)]
    points = data.scale(np.concatenate(groups), "standard")
    rows = []
    for value in (0.1, 1.0, 10.0, 100.0, 1000.0):
        n = len(lac(points, 10, value).objective)
        candidates = {"lac": lambda v=value: lac(points, 10, v), "numpy": lambda v=value, n=n: plain(points, 10, v, n)}
        seconds = interleaved(candidates)
        ratio = np.median(seconds["numpy"]) / np.median(seconds["lac"])
        rows.append([f"{value:g}", str(n), *(seconds_text(seconds[name]) for name in candidates), f"{ratio:.1f}x"])
    return table(["1/h", "iterations", "lac", "plain numpy", "ratio"], rows)


def plain(points: np.ndarray, k: int, inverse_h: float, n_iterations: int) -> np.ndarray:
    """LAC as one would write it in numpy: labels after so many iterations from random objects."""
    centroids = points[np.random.default_rng(0).choice(len(points), k, replace=False)]
    weights = np.full(centroids.shape, 1 / points.shape[1])
    squared = points**2

    def partition() -> np.ndarray:
        cross = points @ (weights * centroids).T
        return (squared @ weights.T - 2 * cross + (weights * centroids**2).sum(axis=1)).argmin(axis=1)

    for _ in range(n_iterations):
        labels = partition()
        deviations = [((points[labels == j] - centroids[j]) ** 2) for j in range(k)]
        dispersion = np.array([d.mean(axis=0) if len(d) else np.zeros(points.shape[1]) for d in deviations])
        raw = np.exp(-inverse_h * (dispersion - dispersion.min(axis=1, keepdims=True)))
        weights = raw / raw.sum(axis=1, keepdims=True)
        labels = partition()
        occupied = np.unique(labels)
        centroids[occupied] = [points[labels == j].mean(axis=0) for j in occupied]
    return labels


if __name__ == "__main__":
    main()
