"""Printed scores beside our own: the studies that repeat a table, and what each cell comes to."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

import data
from data import PublishedScore, PublishedTable
from engine import consensus_methods
from engine.statistics.differences import spread
from engine.studies.records import Record
from engine.studies.study import BEST_BY, Study, Task
from ui.studies import study_panel

#: Numbers are printed with three decimals.
ROUNDING = 0.0005
#: How a study repeats the k of a table.
POLICIES = {"true": "true", "best": "best-sqrt"}


@dataclass(frozen=True)
class Comparison:
    """One printed number and ours: mean, sd and number of draws, and what they were found with."""

    printed: PublishedScore
    mean: float
    sd: float
    n: int
    params: str = ""
    generator: str = ""
    version: str = ""

    @property
    def difference(self) -> float:
        """Ours minus theirs."""
        return self.mean - (self.printed.mean or math.nan)

    @property
    def within(self) -> bool | None:
        """Whether they differ by no more than the larger of both standard deviations, or than print rounds.

        None before two draws.
        """
        if self.n < 2 or math.isnan(self.difference):
            return None
        return abs(self.difference) <= max(self.sd, self.printed.sd or 0.0, ROUNDING)


def repeatable(table: PublishedTable, only: Sequence[str] = ()) -> list[PublishedScore]:
    """The numbers of a table that can be computed here: the data are there, and so is the method."""
    here, methods = set(data.catalog()), consensus_methods()
    return [
        score
        for score in table.rows
        if score.dataset in here
        and score.method in methods
        and not methods[score.method].unavailable
        and score.mean is not None
        and (not only or score.dataset in only)
    ]


def first_here(tables: Mapping[str, PublishedTable]) -> str:
    """The first table of which numbers can be computed here; the first of all if there is none."""
    return next((key for key, table in tables.items() if repeatable(table)), next(iter(tables)))


def studies(scores: Sequence[PublishedScore], draws: int, seed: int) -> list[tuple[Study, list[PublishedScore]]]:
    """One study for every method, setting, k policy and M, under the paper's protocol; with the numbers it gives.

    The best k is the best in 2..√N by the measure that is printed: a table of ARI chooses by ARI.
    """
    groups: dict[tuple, list[PublishedScore]] = defaultdict(list)
    for score in scores:
        groups[score.method, score.params, score.k_policy, _best_by(score), score.n_clusterings].append(score)
    return [(_study(group, draws, seed), group) for group in groups.values()]


def _best_by(score: PublishedScore) -> str:
    """What chooses k; without a choice nothing does, and numbers under two measures share their tasks."""
    return score.measure if score.k_policy == "best" else BEST_BY


def _study(group: Sequence[PublishedScore], draws: int, seed: int) -> Study:
    one = group[0]
    grid = {one.method: {name: (value,) for name, value in one.params}} if one.params else {}
    return Study(
        datasets=tuple(dict.fromkeys(score.dataset for score in group)),
        methods=(one.method,),
        name="published",
        n_clusterings=(one.n_clusterings,),
        repeats=draws,
        k=POLICIES[one.k_policy],
        seed=seed,
        grid=grid,
        best_by=_best_by(one),
    )


@dataclass(frozen=True, eq=False)
class Plan:
    """The studies of a table, and the tasks behind every number."""

    studies: list[Study]
    tasks: list[tuple[PublishedScore, list[Task]]]

    @property
    def all_tasks(self) -> list[Task]:
        """Every task once."""
        return list({task.key: task for _, tasks in self.tasks for task in tasks}.values())


def plan(scores: Sequence[PublishedScore], draws: int, seed: int) -> Plan:
    """What must run for these numbers."""
    found = studies(scores, draws, seed)
    pairs = []
    for study, group in found:
        tasks = study_panel.tasks(study)
        pairs += [(score, [task for task in tasks if task.dataset == score.dataset]) for score in group]
    return Plan([study for study, _ in found], pairs)


def comparisons(made: Plan, records: Mapping[str, Record]) -> list[Comparison]:
    """Every number beside ours, over the draws that are there."""
    rows = []
    for score, tasks in made.tasks:
        there = [records[task.key] for task in tasks if task.key in records]
        values = [value for record in there if (value := getattr(record, score.measure)) is not None]
        found = spread(values) if values else (math.nan, math.nan, 0)
        versions = ", ".join(sorted({record.version for record in there} - {""}))
        rows.append(Comparison(score, *found, tasks[0].params, tasks[0].generator, versions))
    return rows


#: Whether a difference lies within the spread, in words.
VERDICTS = {True: "within", False: "outside", None: ""}


def frame(rows: Sequence[Comparison]) -> pd.DataFrame:
    """Printed, ours, difference, verdict: a row a number."""
    return pd.DataFrame(
        {
            "row": [row.printed.row for row in rows],
            "column": [row.printed.column for row in rows],
            "printed": [row.printed.mean for row in rows],
            "printed sd": [math.nan if row.printed.sd is None else row.printed.sd for row in rows],
            "ours": [round(row.mean, 4) for row in rows],
            "our sd": [round(row.sd, 4) for row in rows],
            "difference": [round(row.difference, 4) for row in rows],
            "spread": [VERDICTS[row.within] for row in rows],
            "draws": [row.n for row in rows],
        }
    )


def as_csv(rows: Sequence[Comparison]) -> str:
    """The table, and behind it how every number of ours was found."""
    found = pd.DataFrame(
        [
            (
                p.dataset,
                p.method,
                row.params,
                p.n_clusterings,
                POLICIES[p.k_policy],
                p.measure,
                row.generator,
                row.version,
            )
            for row in rows
            for p in [row.printed]
        ],
        columns=["dataset", "method", "params", "n_clusterings", "k", "measure", "generator", "version"],
    )
    return frame(rows).join(found).to_csv(index=False)
