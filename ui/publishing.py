"""Printed scores beside our own: the studies that repeat a table, and what each cell comes to."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import data
from data import PublishedScore, PublishedTable
from engine import consensus_methods
from engine.experiments.records import Record
from engine.experiments.statistics import spread
from engine.experiments.studies import Study, Task
from ui import study_panel


@dataclass(frozen=True)
class Comparison:
    """One printed number and ours."""

    printed: PublishedScore
    mean: float
    sd: float
    n: int

    @property
    def difference(self) -> float:
        """Ours minus theirs."""
        return self.mean - (self.printed.mean or math.nan)

    @property
    def within(self) -> bool | None:
        """Whether they differ by no more than the larger of both standard deviations; None before two draws."""
        if self.n < 2 or math.isnan(self.difference):
            return None
        return abs(self.difference) <= max(self.sd, self.printed.sd or 0.0)


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


def studies(scores: Sequence[PublishedScore], draws: int, seed: int) -> list[tuple[Study, list[PublishedScore]]]:
    """One study for every method, setting, k policy and M, under the paper's protocol; with the numbers it gives."""
    groups: dict[tuple, list[PublishedScore]] = defaultdict(list)
    for score in scores:
        groups[score.method, score.params, score.k_policy, score.n_clusterings].append(score)
    return [(_study(group, draws, seed), group) for group in groups.values()]


def _study(group: Sequence[PublishedScore], draws: int, seed: int) -> Study:
    one = group[0]
    grid = {one.method: {name: (value,) for name, value in one.params}} if one.params else {}
    return Study(
        datasets=tuple(dict.fromkeys(score.dataset for score in group)), methods=(one.method,), name="published",
        n_clusterings=(one.n_clusterings,), repeats=draws, k=one.k_policy, seed=seed, grid=grid,
    )  # fmt: skip


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
        rows.append(Comparison(score, *found))
    return rows
