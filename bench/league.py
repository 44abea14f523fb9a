"""The league: every method with its defaults on frozen ensembles: `python -m bench.league --store FILE --minutes 60`.

Every run becomes a line of the file, kept outside the repository; a later call goes on where it ends, and runs anew
those methods whose own file has changed since. `--minutes 0` only writes what is there: the page, and the table that
`engine.choosing_method` reads. Pools and more features are found under CONCORD_DATA.
"""

import argparse
import base64
import csv
import hashlib
import inspect
import json
import time
import zlib
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from pyarrow import parquet
from pyarrow import table as arrow_table

from bench.harness import cpu_seconds, machine, publish, table
from data import catalog
from engine import EngineError, Ensemble, consensus_methods, metrics, run_consensus
from engine.choosing_method.criteria.other_answers import agreement
from engine.choosing_method.league import COLUMNS, CUT, FILE, GENERATED, OBJECTS, M, ensemble_of, frozen, structured
from engine.choosing_method.own_labels import DIGITS
from engine.choosing_method.registry import pairwise_ari
from engine.runtime.errors import Cancelled
from engine.runtime.monitor import Monitor
from engine.statistics import Interval, average_ranks, critical_difference, friedman, paired_interval, wilcoxon_holm

#: CPU seconds of a run at most.
LIMIT = 10.0
#: Methods that take no ensemble of hard labels are not in the league.
METHODS = [key for key, one in consensus_methods().items() if not one.needs & {"memberships", "graph"}]


class _Limited(Monitor):
    """Ends a run that takes more CPU seconds than it may."""

    def __init__(self) -> None:
        self.end = cpu_seconds() + LIMIT

    def tick(self, stage: str, done: int, total: int) -> None:
        """See `Monitor`."""
        if cpu_seconds() > self.end:
            raise Cancelled


@cache
def source_of(key: str) -> str:
    """Hash of a method's own file."""
    return _hash(Path(inspect.getfile(consensus_methods()[key].run)).read_bytes())


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def run_of(name: str, draw: int, key: str) -> dict[str, Any]:
    """One line of the store."""
    made, truth, k = ensemble_of(name, draw)
    row: dict[str, Any] = {"set": name, "draw": draw, "method": key, "source": source_of(key), "k": k}
    row |= {"n": len(truth), "micro": len(made.microclusters), "failed": "", "pool": frozen(name).is_pool}
    start = cpu_seconds()
    try:
        labels = run_consensus(key, made, min(k, len(made.microclusters)), seed=draw, monitor=_Limited()).labels
    except Cancelled:
        return row | {"failed": "out of time", "seconds": LIMIT}
    except EngineError as error:
        return row | {"failed": type(error).__name__, "seconds": cpu_seconds() - start}
    small = labels.astype(np.uint8 if labels.max() < 256 else np.uint16)
    row |= {"seconds": cpu_seconds() - start, "hash": _hash(small.tobytes()), "wide": small.itemsize}
    row["labels"] = base64.b64encode(zlib.compress(small.tobytes(), 9)).decode()
    if structured(name):
        row |= {"nmi": metrics.nmi(labels, truth, "max"), "ari": metrics.ari(labels, truth)}
    return row


def labels_of(row: dict[str, Any]) -> np.ndarray:
    """The label vector of a line that has one: (N,)."""
    packed = zlib.decompress(base64.b64decode(row["labels"]))
    return np.frombuffer(packed, np.uint8 if row["wide"] == 1 else np.uint16).astype(np.int32)


def read(store: Path) -> dict[tuple[str, int, str], dict[str, Any]]:
    """The lines of the file by set, draw and method, without those of methods that have changed since."""
    lines = [json.loads(line) for line in store.read_text().splitlines()] if store.exists() else []
    known = {(row["set"], row["draw"], row["method"]): row for row in lines}
    return {key: row for key, row in known.items() if key[2] in METHODS and row["source"] == source_of(key[2])}


def sets() -> list[str]:
    """All sets on this machine, those of few objects first."""
    return sorted([*catalog(), *GENERATED], key=lambda name: len(frozen(name).truth))


def waiting(known: dict, draws: int) -> Iterator[tuple[str, int, str]]:
    """What is not there yet: every set once, then every set once more."""
    for draw in range(draws):
        for name in sets():
            yield from ((name, draw, key) for key in METHODS if (name, draw, key) not in known)


def measure(store: Path, minutes: float, draws: int) -> None:
    """Go on until the time is over."""
    end, known = time.monotonic() + 60 * minutes, read(store)
    for name, draw, key in list(waiting(known, draws)):
        if time.monotonic() > end:
            return
        row = run_of(name, draw, key)
        with store.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


def by_ensemble(known: dict) -> dict[tuple[str, int], dict[str, dict[str, Any]]]:
    """The lines of ensembles that every method has met, by set and draw, then by method."""
    found: dict[tuple[str, int], dict[str, dict[str, Any]]] = {}
    for (name, draw, key), row in sorted(known.items()):
        found.setdefault((name, draw), {})[key] = row
    return {which: rows for which, rows in found.items() if len(rows) == len(METHODS)}


def scores_of(rows: dict[str, dict[str, Any]], measure: str = "ari") -> np.ndarray:
    """A measure of all methods on one ensemble, in the order of `METHODS`; who failed has 0, and is last: (P,)."""
    return np.array([rows[key].get(measure, 0.0) for key in METHODS])


def failed_of(rows: dict[str, dict[str, Any]]) -> np.ndarray:
    """Who gave no answer: (P,)."""
    return np.array([bool(rows[key]["failed"]) for key in METHODS])


def losses_of(rows: dict[str, dict[str, Any]]) -> np.ndarray:
    """ARI below the best method on one ensemble: (P,)."""
    scores = scores_of(rows)
    return scores.max() - scores


def agreements_of(rows: dict[str, dict[str, Any]]) -> np.ndarray:
    """Agreement with the other families, as `choose_method` has it; nan for who failed: (P,)."""
    there = [i for i, key in enumerate(METHODS) if not rows[key]["failed"]]
    alike = pairwise_ari([labels_of(rows[METHODS[i]]) for i in there])
    values = np.full(len(METHODS), np.nan)
    values[there] = agreement(alike, [consensus_methods()[METHODS[i]].family for i in there])
    return values


def standings(known: dict) -> list[list[Any]]:
    """Lines of the committed table: one a set with groups and method."""
    found, lines = by_ensemble(known), []
    for name in sorted({name for name, _ in found if structured(name)}):
        draws = [rows for (of, _), rows in found.items() if of == name]
        ari, lost = (
            np.mean([scores_of(rows) for rows in draws], axis=0),
            np.mean([losses_of(rows) for rows in draws], axis=0),
        )
        nmi, failed = (
            np.mean([scores_of(rows, "nmi") for rows in draws], axis=0),
            np.mean([failed_of(rows) for rows in draws], axis=0),
        )
        for i, key in enumerate(METHODS):
            seconds = np.mean([rows[key]["seconds"] for rows in draws])
            stamp = _hash("".join(rows[key].get("hash", "none") for rows in draws).encode())
            numbers = [f"{value:.{DIGITS}f}" for value in (nmi[i], ari[i], lost[i], seconds, failed[i])]
            lines.append([name, draws[0][key]["n"], draws[0][key]["k"], len(draws), key, *numbers, stamp])
    return lines


@cache
def keeps_order(key: str) -> bool:
    """Whether an answer is the same once rows, columns and names of labels are shuffled: an audit on iris."""
    made, _, k = ensemble_of("iris", 0)
    rng = np.random.default_rng(1)
    rows, columns = rng.permutation(made.n_objects), rng.permutation(made.n_clusterings)
    names = [rng.permutation(int(n)) for n in made.n_clusters_each]
    renamed = np.stack([names[m][made.labels[:, m]] for m in columns], axis=1)[rows]
    own, other = (run_consensus(key, one, k).labels for one in (made, Ensemble.from_labels(renamed)))
    return metrics.ari(own[rows], other) == 1


def lost_by_choosing(found: dict, values: Callable[[dict, np.ndarray], np.ndarray]) -> Interval:
    """What a rule loses: the largest of `values`, made of an ensemble's lines and mean losses on other sets, wins."""
    names = sorted({name for name, _ in found})
    losses = {which: losses_of(rows) for which, rows in found.items()}
    of_set = {name: np.mean([losses[which] for which in found if which[0] == name], axis=0) for name in names}
    lost = []
    for name in names:
        prior = np.mean([of_set[other] for other in names if other != name], axis=0)
        own = [which for which in found if which[0] == name]
        chosen = [np.where(failed_of(found[which]), -np.inf, values(found[which], prior)).argmax() for which in own]
        lost.append(np.mean([losses[which][i] for which, i in zip(own, chosen, strict=True)]))
    return paired_interval(lost, np.zeros(len(lost)))


def _interval(found: Interval) -> str:
    return f"{found.mean:.3f} ({found.low:.3f} to {found.high:.3f})"


def rules(found: dict) -> str:
    """What it costs to choose by a rule that sees no truth."""
    agreed = {id(rows): np.nan_to_num(agreements_of(rows), nan=-1.0) for rows in found.values()}
    known: dict[str, Callable[[dict, np.ndarray], np.ndarray]] = {
        "least mean loss on the other sets (what `choose_method` does)": lambda rows, prior: -prior,
        "agreement with the other families": lambda rows, prior: agreed[id(rows)],
        **{
            f"{weight:g} agreement - mean loss on the other sets": partial(
                lambda rows, prior, weight: weight * agreed[id(rows)] - prior, weight=weight
            )
            for weight in (0.1, 0.25, 0.5, 1.0)
        },
        "any method (the mean over all)": lambda rows, prior: np.zeros(len(prior)),
    }
    lines = [[name, _interval(lost_by_choosing(found, values))] for name, values in list(known.items())[:-1]]
    everyone = [np.mean([losses_of(rows).mean() for (of, _), rows in found.items() if of == name])
                for name in sorted({name for name, _ in found})]  # fmt: skip
    lines.append([list(known)[-1], _interval(paired_interval(everyone, np.zeros(len(everyone))))])
    return table(["rule", "ARI lost: mean over sets, 95 %"], lines)


def ranking(found: dict) -> str:
    """The league: a line a method, and which ranks differ."""
    names = sorted({name for name, _ in found})
    groups = [[rows for (of, _), rows in found.items() if of == name] for name in names]
    means = [np.array([np.mean([of(rows) for rows in draws], axis=0) for draws in groups])
             for of in (scores_of, partial(scores_of, measure="nmi"), losses_of, failed_of)]  # fmt: skip
    ari, nmi, lost, failed = means
    failing = np.where(failed > 0, ari - failed, ari)  # no answer is worse than any
    ranks, cd = average_ranks(failing), critical_difference(len(METHODS), len(names))
    test, p = friedman(failing), wilcoxon_holm(failing)
    best = int(ranks.argmin())
    seconds = np.array([np.median([rows[key]["seconds"] for draws in groups for rows in draws]) for key in METHODS])
    lines = [
        [
            consensus_methods()[METHODS[i]].title,
            f"{ranks[i]:.1f}",
            _interval(paired_interval(lost[:, i], np.zeros(len(lost)))),
            f"{ari[:, i].mean():.3f}",
            f"{nmi[:, i].mean():.3f}",
            f"{seconds[i]:.2g} s",
            f"{failed[:, i].mean():.0%}",
            "-" if i == best else ("< .001" if p[best, i] < 0.001 else f"{p[best, i]:.2g}"),
            "same" if keeps_order(METHODS[i]) else "CHANGES",
        ]
        for i in np.argsort(lost.mean(axis=0), kind="stable")
    ]
    header = ["method", "mean rank (ARI)", "ARI lost: mean, 95 %", "ARI", "NMI (max)", "median CPU", "no answer"]
    header += [f"p beside {consensus_methods()[METHODS[best]].title}", "shuffled"]
    said = (
        f"Friedman's test over {len(names)} sets: p {'< .001' if test.p_f < 0.001 else f'= {test.p_f:.2g}'}; two mean "
        f"ranks differ where they are {cd:.1f} apart (Nemenyi, 5 %). p: signed ranks over sets, all pairs of methods "
        "corrected (Holm)."
    )
    return table(header, lines) + "\n\n" + said


def without_structure(found: dict) -> str:
    """How alike the answers of a method to two draws are where there is nothing to find."""
    lines = []
    for i, key in enumerate(METHODS):
        values = []
        for name in sorted({name for name, _ in found}):
            rows = [of[key] for (which, _), of in found.items() if which == name and not of[key]["failed"]]
            pairs = combinations([labels_of(row) for row in rows], 2)
            values += [metrics.ari(a, b) for a, b in pairs]
        if values:
            lines.append([consensus_methods()[METHODS[i]].title, f"{np.mean(values):.2f}", f"{np.max(values):.2f}"])
    return table(["method", "ARI of two draws: mean", "largest"], sorted(lines, key=lambda line: line[1]))


def by_set(found: dict) -> str:
    """A line a set: who won, and what there was to win."""
    lines = []
    for name in sorted({name for name, _ in found}):
        draws = [rows for (of, _), rows in found.items() if of == name]
        ari, first = np.mean([scores_of(rows) for rows in draws], axis=0), draws[0][METHODS[0]]
        title = consensus_methods()[METHODS[int(ari.argmax())]].title
        numbers = [
            f"{first['n']:,}",
            str(first["k"]),
            str(len(draws)),
            title,
            f"{ari.max():.3f}",
            f"{np.median(ari):.3f}",
        ]
        lines.append([name, *numbers])
    return table(["set", "objects", "k", "draws", "best method", "its ARI", "median ARI"], lines)


def report(known: dict) -> str:
    """All of it as Markdown."""
    everything = by_ensemble(known)
    found = {which: rows for which, rows in everything.items() if structured(which[0])}
    nothing = {which: rows for which, rows in everything.items() if not structured(which[0])}
    count = len({name for name, _ in found})
    words = (
        f"{len(METHODS)} methods on {len(found):,} ensembles of {count} sets (draws by set below), M = {M}. Rules, the "
        "same for all: parameters at their defaults, none chosen by the classes; k is the number of classes; of sets "
        f"with more than {OBJECTS:,} objects always the same {OBJECTS:,}; of pools {M} of their members, else {M} of "
        f"k-means, k in [2, sqrt N]. A method without an answer, or that takes more than {LIMIT:g} s of a core (heard "
        "at its next tick), has an ARI of 0 and is last. Draws of a set are averaged first, so sets count alike; some "
        "sets come from the same data (features and pools), so intervals and p are on the bold side. ARI lost: that of "
        "the best method of each ensemble less the own one. Shuffled: the same answer after rows, columns and names of "
        "labels were shuffled (iris). The methods that need soft memberships or a graph are not in it: the ensembles "
        "have none. Two methods of a published survey, CELTA and GTLEC, are not here: they owe their rank to rows that "
        "lie sorted by class (NMI on MNIST as stored and shuffled, by ports: CELTA .829 and .083 on 416 objects, where "
        "EAC has .61; GTLEC .96 and .56 on 300, EAC .63). Every run stands in league.parquet, with the hash of its "
        "labels."
    )
    apart = (
        f"{len({name for name, _ in nothing})} sets are one group, cut into {CUT}; whatever a method answers there is "
        "made up, and how far it repeats itself in another draw is what stability owes to nothing."
    )
    return "\n\n".join(
        ["# The league", machine(), words, ranking(found)]
        + ["## Choosing without a truth", "Every rule sees the other sets alone.", rules(found)]
        + ["## No structure", apart, without_structure(nothing), "## Sets", by_set(found)]
    )


def _write_table(lines: list[list[Any]]) -> None:
    with FILE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *lines])


def write_runs(known: dict, path: Path) -> None:
    """Every run as a row of a Parquet file, with the hash of its labels: a rerun is compared with it."""
    columns = ("set", "draw", "method", "n", "micro", "k", "nmi", "ari", "seconds", "failed", "hash")
    rows = [known[key] for key in sorted(known)]
    parquet.write_table(arrow_table({name: [row.get(name) for row in rows] for name in columns}), path)


def main() -> None:
    """Measure as long as was said, and write what is there."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=110)
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--out", type=Path, help="where to write the page; then the table is written, too")
    given = parser.parse_args()
    measure(given.store, given.minutes, given.draws)
    if given.out:
        known = read(given.store)
        write_runs(known, given.out.with_suffix(".parquet"))
        _write_table(standings(known))
        publish(report(known), given.out)


if __name__ == "__main__":
    main()
