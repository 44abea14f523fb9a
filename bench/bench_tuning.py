"""What choosing a parameter without a truth costs on the sets of the league: `python -m bench.bench_tuning --out F`.

Values over the useful range, and the default, on the first draw of every set with groups: the ARI of
its answer, and its stability beside that on sets of one group. Sets that stand in the table already are not run again
unless `--anew` is given; the table is what `engine.choosing_method.tuning` reads. Needs CONCORD_DATA, as the league.
"""

import argparse
import csv
from pathlib import Path
from typing import Any

import numpy as np

from bench.harness import machine, publish, table
from bench.league import sets
from engine import EngineError, consensus_methods, metrics
from engine.choosing_method.league import ensemble_of, frozen, structured
from engine.choosing_method.null_answers import null_ensembles, part_of
from engine.choosing_method.tuning import COLUMNS, FILE, RULES, SPLITS, choose_setting, stability, tuning_losses
from engine.statistics import Interval

#: What is measured: the parameters that people move.
SWEPT = (("lwea", "theta"), ("ec_cms", "alpha"), ("ec_cms", "lam"), ("pta", "K"))
VALUES, NULL_SETS = 5, 5


def values_of(method: str, parameter: str) -> list[Any]:
    """The ladder that the page makes of a range, and the default."""
    spec = {one.name: one for one in consensus_methods()[method].params.specs()}[parameter]
    found = spec.kind.ladder(n=VALUES)
    return list(found) if spec.default in found else [spec.default, *found]


def lines_of(name: str) -> list[list[Any]]:
    """Lines of the table for one set; the default's value has a star."""
    made, truth, k = ensemble_of(name, 0)
    features = None if frozen(name).is_pool else frozen(name).values
    rng = np.random.default_rng([0, 43])
    drawn = [list(one) for one in null_ensembles(part_of(made, features, rng), made.n_clusterings, NULL_SETS, rng)]
    nothing = [one[b % len(one)] for b, one in enumerate(drawn)]
    lines = []
    for method, parameter in SWEPT:
        params, values = consensus_methods()[method].params, values_of(method, parameter)
        default = params.of({}).as_dict()[parameter]
        settings = [params.of({parameter: value}) for value in values]
        found = choose_setting(made, method, k, settings)
        for i, value in enumerate(values):
            answer = found.answers[i]
            score = 0.0 if answer is None else metrics.ari(answer, truth)
            null = [0.0] if answer is None else [stability(one, method, k, settings[i]) for one in nothing]
            own = float(np.nan_to_num(found.stability[i]))
            numbers = [f"{one:.4f}" for one in (score, own, np.mean(null), np.std(null, ddof=len(null) > 1))]
            lines.append([name, method, parameter, f"{value}{'*' if value == default else ''}", *numbers])
    return lines


def measure(anew: bool) -> None:
    """Run what is not in the table, and write it set by set."""
    known: list[list[Any]] = []
    if FILE.exists() and not anew:
        with FILE.open(encoding="utf-8", newline="") as file:
            known = list(csv.reader(file))[1:]
    there = {line[0] for line in known}
    for name in (one for one in sets() if structured(one) and one not in there):
        try:
            known += lines_of(name)
        except EngineError as error:
            print(f"{name}: {error}", flush=True)
            continue
        with FILE.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([COLUMNS, *sorted(known, key=lambda line: line[0])])
        print(name, flush=True)


def report() -> str:
    """What every rule loses, as Markdown."""

    def said(found: Interval) -> str:
        return f"{found.mean:.3f} ({found.low:.3f} to {found.high:.3f})"

    lines = []
    for method, parameter in SWEPT:
        lost = tuning_losses(method, parameter) or {}
        number = len(values_of(method, parameter))
        title = consensus_methods()[method].title
        lines.append([title, parameter, number, *(said(lost[rule]) for rule in RULES), lost["default"].n])
    words = (
        "ARI lost to the best of the values on each set (its first frozen ensemble): mean over sets, with its 95 % "
        f"interval. Stability: the value with the largest stability over {SPLITS} splits into halves, on at most 400 "
        f"objects; above one group: after its mean on {NULL_SETS} sets of one group was taken off; any value: the mean "
        "over all. The values are spread over the useful range, as Compare spreads them, with the default among them. "
        "GoT is not here: refining its distances changes no answer, and its variant is no parameter to tune."
    )
    header = ["method", "parameter", "values", *RULES, "sets"]
    return "\n\n".join(["# Choosing a setting without a truth", machine(), words, table(header, lines)])


def main() -> None:
    """Measure, and write page and table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, required=True, help="where to write the page")
    parser.add_argument("--anew", action="store_true")
    given = parser.parse_args()
    measure(given.anew)
    publish(report(), given.out)


if __name__ == "__main__":
    main()
