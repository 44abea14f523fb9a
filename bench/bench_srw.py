"""How near the reconstruction of SRW comes to what is printed of it: `python -m bench.bench_srw --out FILE`.

Table 9 of the paper on PTA has twenty numbers for SRW, four of them N/A; pools of four of its ten sets are at hand.
"""

import itertools

import numpy as np

import data
from bench.harness import arguments, machine, pool, publish, table
from data.published import published_tables
from engine import Ensemble, metrics
from engine.methods.srw import SRWParams, srw
from engine.runtime.blocks import single_threaded_libraries
from engine.runtime.monitor import SILENT

TABLE, NAME, M = "huang2016pta-9", "SRW", 10
#: Draws for every setting of the grid, and for the defaults.
FEW, MANY = 1, 6
GRID = [
    SRWParams(beta=beta, threshold=threshold, t0=t0)
    for beta, threshold, t0 in itertools.product((1.0, 10.0, 30.0), (0.0, 0.3, 0.6), (0.3, 0.6, 0.9))
]


def printed() -> dict[str, dict[str, tuple[str, float | None]]]:
    """By data set and "best" or "true": the pool's name, where it is at hand, and the number."""
    found: dict[str, dict[str, tuple[str, float | None]]] = {}
    for score in published_tables()[TABLE].rows:
        if NAME in (score.row, score.column):
            name = (score.column if score.row == NAME else score.row).split()[0]
            found.setdefault(name, {})[score.k_policy] = score.dataset, score.mean
    return found


def scores(name: str, settings: list[SRWParams], n_draws: int, every: int) -> np.ndarray:
    """NMI (max) at the best k of 2 to the root of N, every few of them, and at the true k: (draws, settings, 2)."""
    members, truth = pool(name)
    classes, most = len(np.unique(truth)), int(np.sqrt(len(truth)))
    ks = sorted({*range(2, most + 1, every), classes})
    rng, found = np.random.default_rng(0), np.zeros((n_draws, len(settings), 2))
    for draw in found:
        columns = rng.choice(members.shape[1], M, replace=False)
        ensemble = Ensemble.from_labels(np.ascontiguousarray(members[:, columns]))
        for params, row in zip(settings, draw, strict=True):
            for k in ks:
                with single_threaded_libraries():
                    labels = srw(ensemble.canonical, k, params, rng, SILENT)
                nmi = metrics.nmi(ensemble.objects_in_given_order(labels), truth, "max")
                row[0], row[1] = max(row[0], nmi), nmi if k == classes else row[1]
    return found


def words(params: SRWParams) -> str:
    return f"beta {params.beta:g}, threshold {params.threshold:g}, t0 {params.t0:g}"


def main() -> None:
    chosen, known = arguments(), printed()
    here = {
        name: pair["true"][0] for name, pair in known.items() if pair["true"][0] in data.catalog() and pair["true"][1]
    }
    goal = {name: np.array([known[name]["best"][1], known[name]["true"][1]], dtype=float) for name in here}
    grid = {name: scores(where, GRID, FEW, 12).mean(axis=0) for name, where in here.items()}
    distance = np.mean([np.abs(grid[name] - goal[name]) for name in here], axis=(0, 2))
    order = np.argsort(distance, kind="stable")
    found = {name: scores(where, [SRWParams()], MANY, 4)[:, 0] for name, where in here.items()}
    rows = []
    for name, pair in known.items():
        ours = found.get(name)
        for i, kind in enumerate(("best", "true")):
            value = "no pool at hand" if ours is None else f"{ours[:, i].mean():.3f} ± {ours[:, i].std():.3f}"
            rows.append([name, kind, "N/A" if pair[kind][1] is None else f"{pair[kind][1]:.3f}", value])
    text = [
        f"# SRW, the reconstruction, beside Table 9\n\n{machine()}",
        f"NMI (max); means of {MANY} draws of M = {M}, at the defaults ({words(SRWParams())}); "
        "best: of every fourth k.",
        table(["data", "k", "printed", "ours"], rows),
        f"Settings by their mean distance to the printed numbers; draws of each set: {FEW}, every twelfth k.",
        table(["setting", "distance"], [[words(GRID[i]), f"{distance[i]:.3f}"] for i in order]),
    ]
    publish("\n\n".join(text), chosen.out)


if __name__ == "__main__":
    main()
