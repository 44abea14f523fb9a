"""Printed scores beside our own: what was run already, the studies that repeat a table, and what each cell comes to."""

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd

import data
from data import PublishedScore, PublishedTable
from engine import consensus_methods
from engine.statistics import spread
from engine.studies.records import Record
from engine.studies.study import BEST_BY, Study, Task
from ui.studies import study_panel

#: Numbers are printed with three decimals.
ROUNDING = 0.0005
#: How a study repeats the k of a table.
POLICIES = {"true": "true", "best": "best-sqrt"}
#: Where `bench.bench_published` left what it found, the older file first: where both have a number, the newer one has
#: as many draws or more, and looks for the best k as far as the papers did.
FOUND = tuple(
    Path(__file__).parents[2] / "bench" / "results" / name for name in ("published.md", "published_rivals.md")
)
#: How these files say that the best k was found: the older one by NMI alone, up to the larger of 30 and twice the
#: classes.
_KEPT_BEST = {"published.md": "best by nmi_max", "published_rivals.md": "best-sqrt by {measure}"}


@dataclass(frozen=True)
class Comparison:
    """One printed number and ours: mean, sd and number of draws, and what they were found with.

    `k` is how it was chosen (`Task.k_asked`); `judged` is what was found of the draws themselves, where only their mean
    and sd, rounded, are at hand.
    """

    printed: PublishedScore
    mean: float
    sd: float
    n: int
    params: str = ""
    generator: str = ""
    version: str = ""
    k: str = ""
    judged: bool | None = None

    @property
    def difference(self) -> float:
        """Ours minus theirs."""
        return self.mean - (self.printed.mean or math.nan)

    @property
    def within(self) -> bool | None:
        """Whether they differ by no more than the larger of both standard deviations, or than print rounds.

        None before two draws.
        """
        if self.judged is not None:
            return self.judged
        if self.n < 2 or math.isnan(self.difference):
            return None
        return abs(self.difference) <= max(self.sd, self.printed.sd or 0.0, ROUNDING)


@cache
def run_already() -> dict[str, tuple[Comparison, ...]]:
    """Every number that was run and kept in `bench/results`, by the key of its table."""
    tables = data.published_tables()
    headings = {(table.title, table.table): key for key, table in tables.items()}
    found: dict[str, dict[tuple[str, str], Comparison]] = defaultdict(dict)
    for path in FOUND:
        for title, number, lines in _sections(path):
            if (key := headings.get((title, number))) is None:
                raise data.DataError(f"{path.name} has a table that is not printed: {title} (Table {number}).")
            cells = {(score.row, score.column): score for score in tables[key].rows}
            for row, column, *values in lines:
                if (score := cells.get((row, column))) is None:
                    raise data.DataError(f"{path.name} has a number that is not printed: {title}, {row}, {column}.")
                found[key][row, column] = _kept(score, values, _KEPT_BEST[path.name])
    return {key: tuple(found[key].values()) for key in tables if key in found}


def _sections(path: Path) -> Iterable[tuple[str, str, list[list[str]]]]:
    """Title, number and lines of every table of a file, cells as they stand."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise data.DataError(f"{path.name} cannot be read ({error}). Install Concord again.") from error
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        if heading := re.match(r"(.+) \(Table (\S+)\)$", part.partition("\n")[0]):
            lines = [line[1:-1].split("|") for line in part.splitlines() if line.startswith("| ")]
            yield heading[1], heading[2], [[cell.strip() for cell in line] for line in lines[2:]]


def _kept(score: PublishedScore, values: Sequence[str], best: str) -> Comparison:
    """A line behind its headings: printed, sd, ours, sd, draws (without: the paper's), difference, within."""
    _, _, mean, sd, *draws, _, within = values
    return Comparison(
        score,
        float(mean),
        float(sd),
        int(draws[0]) if draws else score.draws,
        params=json.dumps(dict(score.params), sort_keys=True) if score.params else "",
        k=best.format(measure=score.measure) if score.k_policy == "best" else score.k_policy,
        judged={"yes": True, "no": False}[within],
    )


def chosen(rows: Iterable[PublishedScore], only: Sequence[str] = (), by: Sequence[str] = ()) -> list[PublishedScore]:
    """The numbers of these data sets and methods (none: all)."""
    return [row for row in rows if (not only or row.dataset in only) and (not by or row.method in by)]


def repeatable(table: PublishedTable, only: Sequence[str] = (), by: Sequence[str] = ()) -> list[PublishedScore]:
    """The numbers of a table that can be computed here: the data are there, and so is the method."""
    here, methods = set(data.catalog()), consensus_methods()
    return [
        score
        for score in chosen(table.rows, only, by)
        if score.dataset in here
        and score.method in methods
        and not methods[score.method].unavailable
        and score.mean is not None
    ]


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
        rows.append(Comparison(score, *found, tasks[0].params, tasks[0].generator, versions, tasks[0].k_asked))
    return rows


#: Whether a difference lies within the spread, in words.
VERDICTS = {True: "yes", False: "no", None: ""}


def frame(rows: Sequence[Comparison]) -> pd.DataFrame:
    """Printed and ours, each with its spread, draws, difference, verdict: a row a number."""
    return pd.DataFrame(
        {
            "row": [row.printed.row for row in rows],
            "column": [row.printed.column for row in rows],
            "printed": [row.printed.mean for row in rows],
            "printed sd": [math.nan if row.printed.sd is None else row.printed.sd for row in rows],
            "ours": [round(row.mean, 4) for row in rows],
            "our sd": [round(row.sd, 4) for row in rows],
            "draws": [row.n for row in rows],
            "difference": [round(row.difference, 4) for row in rows],
            "within": [VERDICTS[row.within] for row in rows],
        }
    )


def as_csv(rows: Sequence[Comparison], tables: Sequence[str] | None = None) -> str:
    """The table, and behind it how every number of ours was found; `tables` are those of the rows, if of several."""
    found = {
        **({"table": tables} if tables else {}),
        **{name: [getattr(row.printed, name) for row in rows] for name in ("dataset", "method")},
        "params": [row.params for row in rows],
        "n_clusterings": [row.printed.n_clusterings for row in rows],
        "k": [row.k for row in rows],
        "measure": [row.printed.measure for row in rows],
        "generator": [row.generator for row in rows],
        "version": [row.version for row in rows],
    }
    return frame(rows).assign(**found).to_csv(index=False)
