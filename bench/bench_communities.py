"""Consensus of communities on planted partitions, and how long 20,000 nodes take: `python -m bench.bench_communities`.

The planted partition of ECG's README: 500 nodes in 5 groups, edges with chance .1 inside and .03 between; ten draws.
"""

import os
import time

import numpy as np
from sklearn.datasets import make_blobs

from bench.harness import arguments, machine, publish, seconds_text, table
from engine import Graph, run_consensus
from engine.generators import leiden_ensemble
from engine.metrics import ari

DRAWS, RUNS = 10, 16
#: Method, and the base clusterings it was published with: single levels of Louvain, or runs of Leiden.
METHODS = {"ecg": "first_level", "fast_consensus": "first_level", "fastensemble": "modularity"}


def planted(seed: int) -> tuple[Graph, np.ndarray]:
    """The graph of one draw, and its groups."""
    truth, rng = np.arange(500) // 100, np.random.default_rng(seed)
    chance = np.where(truth[:, None] == truth, 0.1, 0.03)
    return Graph.of_matrix(np.triu(rng.random((500, 500)) < chance, 1).astype(float)), truth


def scores() -> list[list[str]]:
    """ARI with the groups, and how many clusters were found."""
    found: dict[str, list[tuple[float, float]]] = {}
    for seed in range(DRAWS):
        graph, truth = planted(seed)
        made = {quality: leiden_ensemble(graph, RUNS, (1, 1), seed, quality=quality) for quality in METHODS.values()}
        for quality, ensemble in made.items():
            mean = float(np.mean([ari(one, truth) for one in ensemble.labels.T]))
            found.setdefault(f"single runs, {quality}", []).append((mean, float(ensemble.n_clusters_each.mean())))
        for key, own in METHODS.items():
            for quality in dict.fromkeys((own, "modularity")):
                answer = run_consensus(key, made[quality], None, seed=seed)
                found.setdefault(f"{key}, {quality}", []).append((ari(answer.labels, truth), answer.n_clusters))
    rows = []
    for name, pairs in found.items():
        reached, clusters = np.array(pairs).T
        spread = f"{reached.min():.2f} to {reached.max():.2f}"
        rows.append([name, f"{reached.mean():.3f}", spread, f"{clusters.mean():.1f}"])
    return rows


def times() -> list[list[str]]:
    """Seconds of 20 runs on 20,000 objects with 15 neighbours, and of what follows on the graph."""
    sets = {
        "12 blobs in 20 dimensions": make_blobs(20_000, 20, centers=12, cluster_std=4, random_state=0)[0],
        "no structure in 50 dimensions": np.random.default_rng(0).normal(size=(20_000, 50)),
    }
    rows = []
    for name, points in sets.items():
        leiden_ensemble(points[:300], 2)
        seconds = []
        for seed in range(3):
            start = time.perf_counter()
            made = leiden_ensemble(points, 20, seed=seed)
            seconds.append(time.perf_counter() - start)
        rows.append([f"20 runs, {name}", seconds_text(np.array(seconds))])
        for key in METHODS:
            start = time.perf_counter()
            run_consensus(key, made, None)
            rows.append([f"{key}, {name}", f"{time.perf_counter() - start:.3g} s"])
    return rows


def main() -> None:
    """Measure, and write the tables."""
    chosen = arguments()
    said = [
        "# Communities of graphs",
        f"Planted partition, 500 nodes, 5 groups, .1 / .03, {DRAWS} draws, M = {RUNS}; ECG's README has .73 to .75 for "
        "ECG, and .25 to .54 for Louvain.",
        table(["base clusterings or method, from", "ARI, mean", "range", "clusters"], scores()),
        "20,000 objects, 15 neighbours, resolutions .25 to 1.75, median and range of three; the load of the machine "
        f"was {os.getloadavg()[0]:.0f} at the beginning.",
        table(["what", "seconds"], times()),
        machine(),
    ]
    publish("\n\n".join(said), chosen.out)


if __name__ == "__main__":
    main()
