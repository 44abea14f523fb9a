"""Printed tables run again with all their draws: `python -m bench.bench_published --store FILE --minutes 60`.

Goes on where the store ends, and stops when the minutes are over: the numbers whose draws are all there are published.
`--methods` and `--draws` make a smaller run of its own; of several counts of draws the fewest are run first, and a
number is published with the most that are all there.
"""

import argparse
import itertools
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import data
from bench.harness import machine, publish, table
from data import PublishedScore, PublishedTable
from engine import Cancelled, Monitor
from engine.studies.running import run_study
from engine.studies.store import Store, default_path
from ui.published_tables import publishing
from ui.published_tables.publishing import Comparison, Plan
from ui.studies import study_panel

TABLES = ("jia2023eccms-4", "huang2016pta-7", "huang2016pta-8", "huang2018lwea-5", "huang2018lwea-7", "huang2016pta-9",
          "surveydata2026-benchmark")  # fmt: skip
SEED = 0
WORDS = (
    "Means over {draws}, seed 0; only numbers whose draws are all there. Best k is the best in 2..√N of "
    "every draw by the measure the table prints. "
    "Within: the difference is at most the larger of the two standard deviations, or what print rounds."
)


class Deadline(Monitor):
    """Asks to stop when the time is over."""

    def __init__(self, minutes: float):
        self.end = time.monotonic() + 60 * minutes

    def tick(self, stage: str, done: int, total: int) -> None:
        """Raise Cancelled after the end."""
        if time.monotonic() > self.end:
            raise Cancelled


def by_data_set(printed: PublishedTable, methods: Sequence[str]) -> list[list[PublishedScore]]:
    """The numbers that can be computed here with these methods (none: all), a list a data set."""
    scores = [score for score in publishing.repeatable(printed) if not methods or score.method in methods]
    names = dict.fromkeys(score.dataset for score in scores)
    return [[score for score in scores if score.dataset == name] for name in names]


def n_objects(plan: Plan) -> int:
    """Objects of the data set of a plan."""
    return len(data.load(plan.tasks[0][0].dataset).labels)


def plan_of(scores: Sequence[PublishedScore], draws: int) -> Plan:
    """The studies of these numbers with as many draws as the paper, or fewer."""
    return publishing.plan(scores, min(draws or 10**6, max(score.draws for score in scores)), SEED)


def run(plans: Sequence[Plan], store: Store, deadline: Deadline) -> None:
    """Find what is missing, as far as time allows."""
    for plan in plans:
        for study in plan.studies:
            run_study(study, study_panel.sources(study), store, deadline)


def best_known(levels: Sequence[Plan], store: Store) -> list[Comparison]:
    """Every number with the most draws that are all there; the plans go from many draws to few."""
    found: dict[tuple[str, str], Comparison] = {}
    for plan in levels:
        for row in complete(plan, store):
            found.setdefault((row.printed.row, row.printed.column), row)
    return list(found.values())


def complete(plan: Plan, store: Store) -> list[Comparison]:
    """The numbers whose draws are all there."""
    records = store.find(task.key for task in plan.all_tasks)
    found = publishing.comparisons(plan, records)
    return [
        row
        for row, (_, tasks) in zip(found, plan.tasks, strict=True)
        if all(task.key in records and not records[task.key].error for task in tasks)
    ]


def section(printed: PublishedTable, plans: Sequence[Sequence[Plan]], store: Store) -> str:
    """One table: what it comes to, and its numbers; a list of plans a data set, from many draws to few."""
    rows = [row for levels in plans for row in best_known(levels, store)]
    n_here = sum(len(levels[0].tasks) for levels in plans)
    head = f"## {printed.title} (Table {printed.table})\n\n{printed.protocol}\n\n"
    if not rows:
        return head + f"None of the {n_here} numbers that can be computed here was run."
    apart = np.array([row.difference for row in rows])
    inside = sum(bool(row.within) for row in rows)
    words = (
        f"{len(rows)} of the {n_here} numbers that can be computed here. {inside} lie within the larger of "
        f"the two standard deviations; difference (ours minus printed): median {np.median(apart):+.3f}, median of its "
        f"size {np.median(np.abs(apart)):.3f}, from {apart.min():+.3f} to {apart.max():+.3f}.\n\n"
    )
    lines = [
        [
            row.printed.row,
            row.printed.column,
            f"{row.printed.mean:.3f}",
            _sd(row.printed.sd),
            f"{row.mean:.3f}",
            _sd(row.sd),
            str(row.n),
            f"{row.difference:+.3f}",
            "yes" if row.within else "no",
        ]
        for row in rows
    ]
    return (
        head
        + words
        + table(["row", "column", "printed", "printed sd", "ours", "our sd", "draws", "difference", "within"], lines)
    )


def _sd(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def main() -> None:
    """Run, print, and write where `--out` says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path)
    parser.add_argument("--store", type=Path, default=default_path())
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--draws", type=int, nargs="+", default=[0], help="fewer than the papers' where time is short")
    parser.add_argument("--methods", nargs="*", default=(), help="only these are run and shown; HGPA takes hours")
    chosen = parser.parse_args()
    store, deadline = Store(chosen.store), Deadline(chosen.minutes)
    printed = [data.published_tables()[key] for key in TABLES]
    counts = sorted(chosen.draws, key=lambda draws: draws or 10**6, reverse=True)
    plans = [
        [[plan_of(scores, draws) for draws in counts] for scores in by_data_set(one, chosen.methods)] for one in printed
    ]
    try:
        for level in reversed(list(zip(*itertools.chain(*plans), strict=True))):
            run(sorted(level, key=n_objects), store, deadline)
    except Cancelled:
        print("stopped: the time is over")
    parts = [section(one, some, store) for one, some in zip(printed, plans, strict=True) if some]
    fewer = " or ".join(str(draws) for draws in counts if draws)
    draws = f"{fewer} draws, where the paper has no fewer" if fewer else "as many draws as the paper's"
    words = WORDS.format(draws=draws)
    publish("\n\n".join(["# Printed numbers beside our own", words, machine(), *parts]), chosen.out)


if __name__ == "__main__":
    main()
