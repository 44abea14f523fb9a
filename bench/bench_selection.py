"""What strategies of selection are worth beside chance: `python -m bench.bench_selection --store FILE --minutes 60`.

Every draw becomes a line of the file, and a later run goes on where that ends; `--minutes 0` only writes the table of
what is there. Pools are found under CONCORD_DATA. Beside the table stands a Parquet file with all draws.
"""

import argparse
import json
import os
import time
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from functools import cache
from pathlib import Path

import numpy as np
from pyarrow import Table, parquet
from scipy.stats import spearmanr, wilcoxon
from threadpoolctl import threadpool_limits

import data
from bench.harness import machine, publish, table
from engine import Ensemble, consensus_methods
from engine.generators import kmeans_ensemble
from engine.selection import known_strategies, select
from engine.selection.judging import Judge

METHODS = ("lwea", "lwgp", "eac", "ec_cms")
OFFERED, KEPT, CLOUD = 40, 20, 60
#: Objects of a draw at most: 68 runs of every method are needed, and EC-CMS is quadratic in them.
OBJECTS = 1_000
STRATEGIES = [key for key in known_strategies() if key != "random"]
#: Choices that can lie outside by luck alone are corrected for.
TESTS = len(METHODS) * len(STRATEGIES)
ALPHA = 0.05


@cache
def loaded(name: str) -> data.Dataset | data.Pool:
    """A set, read once."""
    return data.load(name)


def sets() -> list[str]:
    """All pools, and the bundled sets."""
    return [name for name in data.catalog() if not name.startswith("features/")]


def offered(name: str, draw: int) -> tuple[Ensemble, np.ndarray]:
    """40 base clusterings of at most 2,000 objects of a set, and their classes; everything drawn anew."""
    given, rng = loaded(name), np.random.default_rng(draw)
    objects = np.sort(rng.permutation(len(given.labels))[:OBJECTS])
    if isinstance(given, data.Pool):
        columns = rng.permutation(given.members.shape[1])[:OFFERED]
        return Ensemble.from_labels(given.members[objects][:, columns]), given.labels[objects]
    features = data.scale(given.features[objects], "standard")
    return kmeans_ensemble(features, OFFERED, seed=draw), given.labels[objects]


def draw_of(name: str, draw: int, method: str) -> dict:
    """Scores of all, of every strategy's choice and of the cloud, each with its mean clusters a base clustering."""
    start = time.monotonic()
    ensemble, truth = offered(name, draw)
    k, rng = len(np.unique(truth)), np.random.default_rng(draw)
    judge = Judge(ensemble, method, k, truth=truth)

    def worth(choice: np.ndarray) -> tuple[float, float]:
        return judge.value(choice), float(ensemble.n_clusters_each[choice].mean())

    at_most = min(k, len(ensemble.microclusters))
    return {
        "set": name,
        "draw": draw,
        "method": method,
        "all": judge.value(np.arange(OFFERED)),
        "chosen": {key: worth(select(ensemble, key, KEPT, at_most)) for key in STRATEGIES},
        "cloud": [worth(judge.drawn(KEPT, rng)) for _ in range(CLOUD)],
        "seconds": time.monotonic() - start,
    }


def measure(store: Path, minutes: float, draws: int, processes: int) -> list[dict]:
    """Go on until the time is over: always the set and method that had least time so far. All lines of the file."""
    known = [json.loads(line) for line in store.read_text().splitlines()] if store.exists() else []
    end = time.monotonic() + 60 * minutes
    done: dict[tuple[str, str], set[int]] = {(name, method): set() for method in METHODS for name in sets()}
    spent = dict.fromkeys(done, 0.0)
    for one in known:
        done[one["set"], one["method"]].add(one["draw"])
        spent[one["set"], one["method"]] += one["seconds"]
    running: set = set()
    with ProcessPoolExecutor(processes, initializer=_alone) as pool:
        while True:
            waiting = [cell for cell, have in done.items() if len(have) < draws]
            while waiting and len(running) < processes and time.monotonic() < end:
                cell = min(waiting, key=lambda one: spent[one])
                draw = min(set(range(draws)) - done[cell])
                done[cell].add(draw)
                spent[cell] += spent[cell] / max(len(done[cell]) - 1, 1)  # as long as those before, until it is known
                running.add(pool.submit(draw_of, cell[0], draw, cell[1]))
                waiting = [cell for cell, have in done.items() if len(have) < draws]
            if not running:
                return known
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            with store.open("a", encoding="utf-8") as file:
                for future in ended:
                    known.append(future.result())
                    cell = known[-1]["set"], known[-1]["method"]
                    spent[cell] = sum(one["seconds"] for one in known if (one["set"], one["method"]) == cell)
                    file.write(json.dumps(known[-1]) + "\n")


def _alone() -> None:
    """One thread for a process of several."""
    os.environ["CONCORD_THREADS"] = "1"
    threadpool_limits(1)


def percentile(value: float, cloud: np.ndarray) -> float:
    """Share of the cloud that is worth less, in percent; equal ones count half, as in `engine.selection.chance`."""
    return 100 * float(np.where(np.abs(cloud - value) < 1e-9, 0.5, cloud < value).mean())


def beside_clusters(chosen: tuple[float, float], cloud: np.ndarray) -> float:
    """The percentile once what the number of clusters explains of the cloud, along a line, is taken away."""
    if np.ptp(cloud[:, 1]) == 0:
        return percentile(chosen[0], cloud[:, 0])
    slope = np.cov(cloud.T)[0, 1] / cloud[:, 1].var(ddof=1)
    return percentile(chosen[0] - slope * chosen[1], cloud[:, 0] - slope * cloud[:, 1])


class Standing:
    """How the strategies stand on one set under one method: means over its draws, by key."""

    def __init__(self, lines: list[dict]):
        self.lines, self.clouds = lines, [np.array(one["cloud"]) for one in lines]
        self.percentile, self.gain, self.clusters, self.beside = {}, {}, {}, {}
        self.above, self.below = {}, {}
        for key in STRATEGIES:
            pairs = [(one["chosen"][key], cloud) for one, cloud in zip(lines, self.clouds, strict=True)]
            places = np.array([percentile(score, cloud[:, 0]) for (score, _), cloud in pairs])
            self.percentile[key] = float(places.mean())
            self.above[key], self.below[key] = float((places > 95).mean()), float((places < 5).mean())
            self.gain[key] = float(np.mean([score - cloud[:, 0].mean() for (score, _), cloud in pairs]))
            self.clusters[key] = float(np.mean([many / cloud[:, 1].mean() for (_, many), cloud in pairs]))
            self.beside[key] = float(np.mean([beside_clusters(chosen, cloud) for chosen, cloud in pairs]))

    def row(self, name: str) -> list[str]:
        """The set's line: scores, percentiles, and how the cloud's score goes with its clusters."""
        scores = [cloud[:, 0] for cloud in self.clouds]
        varied = [cloud.T for cloud in self.clouds if np.ptp(cloud[:, 0]) > 0 < np.ptp(cloud[:, 1])]
        tied = np.mean([spearmanr(*cloud).statistic for cloud in varied]) if varied else None
        spread = f"{np.mean(scores):.3f} ± {np.mean([one.std() for one in scores]):.3f}"
        places = [f"{self.percentile[key]:.0f}" for key in STRATEGIES]
        whole = f"{np.mean([one['all'] for one in self.lines]):.3f}"
        return [name, str(len(self.lines)), whole, spread, *places, "-" if tied is None else f"{tied:+.2f}"]


def standings(known: list[dict], method: str) -> dict[str, Standing]:
    """By set."""
    of = {name: [one for one in known if (one["set"], one["method"]) == (name, method)] for name in sets()}
    return {name: Standing(lines) for name, lines in of.items() if lines}


def chance_of(places: np.ndarray) -> float:
    """Wilcoxon's signed ranks of the sets against 50: p, for all tests together (Bonferroni)."""
    apart = places - 50
    return min(1.0, TESTS * wilcoxon(apart).pvalue) if apart.any() else 1.0


def summary(found: dict[str, Standing]) -> list[list[str]]:
    """A line a strategy: percentiles over sets, gains, draws outside the cloud, p, and clusters."""
    rows = []
    for key in STRATEGIES:
        places = np.array([one.percentile[key] for one in found.values()])
        middle = f"{np.median(places):.0f} ({places.min():.0f} to {places.max():.0f})"
        outside = [np.mean([getattr(one, side)[key] for one in found.values()]) for side in ("above", "below")]
        p = chance_of(places)
        rows.append(
            [
                known_strategies()[key].title,
                middle,
                f"{(places > 50).sum()} of {len(found)}",
                f"{np.mean([one.gain[key] for one in found.values()]):+.3f}",
                f"{outside[0]:.0%} above, {outside[1]:.0%} below",
                "< .001" if p < 0.001 else f"{p:.2g}",
                f"{np.mean([one.clusters[key] for one in found.values()]):.2f}x",
                f"{np.median([one.beside[key] for one in found.values()]):.0f}",
            ]
        )
    return rows


def verdict(known: list[dict]) -> str:
    """What holds over the sets, in words; a test that lies inside chance is not named."""
    found = {method: standings(known, method) for method in METHODS}
    said: dict[str, list[str]] = {"beats": [], "stays below": []}
    for method, of in found.items():
        for key in STRATEGIES:
            places = np.array([one.percentile[key] for one in of.values()])
            if of and chance_of(places) < ALPHA:
                word = "beats" if np.median(places) > 50 else "stays below"
                said[word].append(f"*{known_strategies()[key].title}* under {consensus_methods()[method].title}")
    beats, below = (", ".join(which) or "nothing" for which in said.values())
    return f"Beats chance over the sets: {beats}. Stays below it: {below}. All else of the {TESTS} tests may be luck."


def report(known: list[dict]) -> str:
    """All of it as Markdown."""
    words = (
        f"Of {OFFERED} base clusterings {KEPT} are kept, by every strategy and by {CLOUD} random choices, the cloud. "
        f"Of sets with more than {OBJECTS:,} objects every draw takes {OBJECTS:,} at random, for all methods; of pools "
        f"{OFFERED} of their base clusterings, else {OFFERED} of k-means are made, k in [2, sqrt N]. Score: NMI (max) "
        "with the classes, at their number. Percentile: place in the cloud, mean over the draws of a set (the tables "
        "say how many each has); what does nothing lies at 50. Outside: draws below 5 and above 95, by luck 5 % each. "
        f"p: signed ranks of the sets against 50, times {TESTS}, the tests made; some sets come from the same data, so "
        "it is on the bold side. Clusters: mean clusters a base clustering beside that of the cloud. Beside clusters: "
        "the median percentile once a line through the cloud has taken away what the number of clusters explains; a "
        "strategy that falls back to 50 there may owe its gain to that number. Strategies that keep more clusters than "
        "any random choice lie beyond the cloud, where the line only hints. One draw gives a rough percentile; "
        "what is not named above may still be there; p near .05 is not settled. Every draw stands in selection.parquet."
    )
    parts = ["# Selection beside chance", machine(), words, verdict(known)]
    header = ["strategy", "percentile: median of sets (range)", "above 50", "mean gain", "outside", "p"]
    header += ["clusters", "beside clusters"]
    detail = ["set", "draws", "all", "cloud", *STRATEGIES, "score with clusters (rank correlation in the cloud)"]
    for method in METHODS:
        if found := standings(known, method):
            rows = [one.row(name) for name, one in found.items()]
            parts += [f"## {consensus_methods()[method].title}", table(header, summary(found)), table(detail, rows)]
    return "\n\n".join(parts)


def main() -> None:
    """Measure as long as was said, and write the table of all that is there."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    known = measure(given.store, given.minutes, given.draws, given.processes)
    if given.out:
        known.sort(key=lambda one: (one["set"], one["method"], one["draw"]))
        parquet.write_table(Table.from_pylist(known), given.out.with_suffix(".parquet"))
    publish(report(known), given.out)


if __name__ == "__main__":
    main()
