"""Published tables: what can be repeated, under which protocol, and how ours stand beside theirs."""

import io
import json

import numpy as np
import pandas as pd
import pytest

import data
from data import PublishedScore
from engine import __version__
from engine.metrics import MEASURES
from engine.studies.records import Record, record_of
from tests.app.conftest import words
from tests.app.figures.checked import figures
from tests.data.small_folder import write_small_folder
from ui.published_tables import panels, publishing
from ui.session.run_config import RunConfig, from_query
from ui.studies import study_panel


@pytest.fixture
def pools(tmp_path, monkeypatch):
    """Small pools under the names of the published ones."""
    monkeypatch.setenv("CONCORD_DATA", str(write_small_folder(tmp_path / "pools")))


def score(**changes) -> PublishedScore:
    return PublishedScore(
        **{
            "column": "Iris True-k",
            "row": "LWEA",
            "dataset": "iris",
            "method": "lwea",
            "params": (),
            "measure": "nmi_max",
            "k_policy": "true",
            "n_clusterings": 10,
            "draws": 100,
            "mean": 0.7,
            "sd": 0.02,
            **changes,
        }
    )


def test_one_study_for_each_protocol():
    scores = [score(), score(dataset="wine"), score(k_policy="best"), score(method="pta", params=(("K", 4), ("T", 10)))]
    found = publishing.studies(scores, 5, 3)
    assert [len(group) for _, group in found] == [2, 1, 1]
    first, best, walk = (study for study, _ in found)
    assert (first.datasets, first.k, first.repeats, first.seed) == (("iris", "wine"), "true", 5, 3)
    assert (best.k, best.best_by) == ("best-sqrt", "nmi_max")
    assert walk.grid == {"pta": {"K": (4,), "T": (10,), "linkage": ("average",)}}


def test_the_best_k_is_the_best_by_the_printed_measure():
    pair = [score(k_policy="best"), score(k_policy="best", measure="ari")]
    assert [study.best_by for study, _ in publishing.studies(pair, 5, 3)] == ["nmi_max", "ari"]
    plan = publishing.plan(pair, 2, 0)
    assert len(plan.all_tasks) == 4
    ((study, group),) = publishing.studies([score(), score(measure="ari")], 5, 3)  # nothing is chosen: one run for both
    assert (study.best_by, len(group)) == ("nmi_max", 2)


def test_every_printed_measure_is_one_we_have():
    printed = {score.measure for table in data.published_tables().values() for score in table.rows}
    assert printed <= set(MEASURES)
    assert "ari" in printed


def test_each_number_gets_its_own_tasks():
    plan = publishing.plan([score(), score(dataset="wine"), score(k_policy="best")], 3, 0)
    assert [len(tasks) for _, tasks in plan.tasks] == [3, 3, 3]
    assert {task.dataset for task in plan.tasks[1][1]} == {"wine"}
    assert len(plan.all_tasks) == 9
    records = {
        task.key: Record(task.key, "iris", "lwea", "{}", 10, task.repeat, 0, 3, {"nmi_max": 0.6 + task.repeat / 10})
        for task in plan.tasks[0][1]
    }
    ours, nothing, _ = publishing.comparisons(plan, records)
    assert (ours.mean, ours.sd, ours.n) == (pytest.approx(0.7), pytest.approx(0.1), 3)
    assert ours.difference == pytest.approx(0)
    assert ours.within is True
    assert (nothing.n, nothing.within) == (0, None)


@pytest.mark.parametrize(("mean", "within"), [(0.0024, True), (0.0026, False)])
def test_what_print_rounds_is_no_difference(mean, within):
    assert publishing.Comparison(score(mean=0.002, sd=None), mean, 1e-5, 10).within is within


def test_the_table_names_both_spreads_and_how_ours_was_found():
    plan = publishing.plan([score()], 2, 0)
    records = {task.key: record_of(task, k=3, nmi_max=0.6 + task.repeat / 10) for task in plan.all_tasks}
    rows = publishing.comparisons(plan, records)
    shown = publishing.frame(rows)
    assert shown.columns.tolist() == [name.strip() for name in shown.columns]
    assert shown.loc[0, ["printed sd", "our sd", "within", "draws"]].tolist() == [0.02, 0.0707, "yes", 2]
    (line,) = pd.read_csv(io.StringIO(publishing.as_csv(rows)), dtype={"k": str}).to_dict("records")
    assert line["ours"] == 0.65
    assert json.loads(line["params"]) == {"theta": 0.4}
    assert json.loads(line["generator"])["generator"] == "kmeans"
    assert (line["n_clusterings"], line["k"], line["measure"], line["version"]) == (10, "true", "nmi_max", __version__)


def test_what_was_run_before_says_by_which_rules():
    """The older file looked for the best k by NMI, as far as 30, also for tables of ARI."""
    rows = [row for found in publishing.run_already().values() for row in found]
    best = [row for row in rows if row.printed.k_policy == "best"]
    kinds = {row.k for row in best}
    assert {"best by nmi_max", "best-sqrt by nmi_max"} <= kinds
    assert {row.k for row in rows if row.printed.k_policy == "true"} == {"true"}
    assert all(json.loads(row.params) == dict(row.printed.params) for row in rows if row.printed.params)
    table = pd.read_csv(io.StringIO(publishing.as_csv(rows, ["a title"] * len(rows))))
    assert table["table"].unique().tolist() == ["a title"]
    assert table["k"].tolist() == [row.k for row in rows]
    assert "table" not in publishing.as_csv(rows).splitlines()[0].split(",")


def test_within_means_within_the_larger_spread():
    assert publishing.Comparison(score(), 0.75, 0.06, 5).within is True
    assert publishing.Comparison(score(), 0.75, 0.03, 5).within is False
    assert publishing.Comparison(score(sd=0.06), 0.75, 0.03, 5).within is True
    assert publishing.Comparison(score(sd=None), 0.71, 0.03, 5).within is True
    assert publishing.Comparison(score(), 0.75, 0.0, 1).within is None


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_sets_ours_beside_theirs(theme):
    fig = figures.printed_figure(
        np.array([0.5, 0.6]),
        np.array([0.5, 0.9]),
        np.array([0.02, np.nan]),
        np.array([0.01, 0.01]),
        [True, False],
        ["a", "b"],
        theme,
    )
    inside, outside = fig.data[1:]
    assert (list(inside.x), list(inside.y)) == ([0.5], [0.5])
    assert (list(outside.y), list(outside.error_x.array)) == ([0.9], [0.0])
    assert "1 within the spread" in fig.layout.meta["alt"]


def lines_of(path):
    """Every line of numbers in a file of results: the title of its table, and its cells."""
    title = ""
    for line in path.read_text().splitlines():
        title = line[3:] if line.startswith("## ") else title
        if line.startswith("| ") and not line.startswith(("| row", "| ---")):
            yield title, [cell.strip() for cell in line.strip("|").split("|")]


@pytest.mark.parametrize("path", publishing.FOUND, ids=lambda path: path.stem)
def test_every_number_that_was_run_is_printed_and_found_again(path):
    tables = {f"{one.title} (Table {one.table})": key for key, one in data.published_tables().items()}
    newer = [] if path == publishing.FOUND[-1] else list(lines_of(publishing.FOUND[-1]))
    replaced = {(title, *cells[:2]) for title, cells in newer}
    lines = [(title, cells) for title, cells in lines_of(path) if (title, *cells[:2]) not in replaced]
    assert len(lines) == {"published": 122, "published_rivals": 340}[path.stem]
    for title, cells in lines:
        row, column, printed, printed_sd, ours, our_sd, *_, within = cells
        (one,) = [
            found
            for found in publishing.run_already()[tables[title]]
            if (found.printed.row, found.printed.column) == (row, column)
        ]
        assert f"{one.printed.mean:.3f}" == printed
        assert ("" if one.printed.sd is None else f"{one.printed.sd:.3f}") == printed_sd
        assert (f"{one.mean:.3f}", f"{one.sd:.3f}", publishing.VERDICTS[one.within]) == (ours, our_sd, within)
        assert one.n == (int(cells[6]) if len(cells) == 9 else one.printed.draws)


def test_of_two_runs_the_newer_one_has_no_fewer_draws():
    older, newer = ({(title, *cells[:2]): cells for title, cells in lines_of(path)} for path in publishing.FOUND)
    tables = {f"{one.title} (Table {one.table})": one for one in data.published_tables().values()}
    both = set(older) & set(newer)
    assert len(both) == 41
    for title, row, column in both:
        (draws,) = {score.draws for score in tables[title].rows if (score.row, score.column) == (row, column)}
        assert int(newer[title, row, column][6]) >= draws


def test_a_number_that_no_table_prints_is_refused(tmp_path, monkeypatch):
    changed = tmp_path / "published.md"
    changed.write_text(publishing.FOUND[0].read_text().replace("| PTGP | Ecoli |", "| PTGP | Ecolly |"))
    monkeypatch.setattr(publishing, "FOUND", (changed,))
    with pytest.raises(data.DataError, match=r"EC-CMS: ARI, PTGP, Ecolly"):
        publishing.run_already.__wrapped__()


def test_without_pools_what_was_run_is_there_at_once(app, monkeypatch):
    monkeypatch.delenv("CONCORD_DATA", raising=False)
    at = app("published_tables")
    shown = at.dataframe[0].value
    every = [row for rows in publishing.run_already().values() for row in rows]
    assert len(shown) == len(every) == 462
    assert not shown.duplicated(["row", "column", "table"]).any()
    assert f"**{sum(row.within for row in every)} of 462** numbers lie within the spread" in words(at)
    at.multiselect(key="only").set_value(["pools/pta/IS"]).run()
    at.multiselect(key="printed_by").set_value(["ptgp"]).run()
    assert len(at.dataframe[0].value) == 15 + 2
    at.selectbox(key="table").set_value("huang2016pta-8").run()
    assert at.dataframe[0].value["row"].tolist() == ["IS"] * 15
    at.selectbox(key="table").set_value("jia2023eccms-4").run()  # it has no IS: that choice is forgotten
    assert at.multiselect(key="only").value == []
    assert set(at.dataframe[0].value["row"]) == {"PTGP"}
    assert "CONCORD_DATA" in words(at)


def test_the_state_is_in_the_url():
    config = RunConfig(table="huang2016pta-7", only=("pools/pta/IS",), printed_by=("pta",))
    assert from_query(config.to_query()) == (config, [])
    assert "must be one of" in from_query({"table": "x"})[1][0]


#: How many numbers of each table can be computed where its pools are: method and data set known, a mean printed.
COMPUTABLE = {
    "huang2016pta-7": 75,
    "huang2016pta-8": 75,
    "huang2016pta-9": 194,
    "huang2018lwea-5": 123,
    "huang2018lwea-7": 156,
    "jia2023eccms-4": 59,
    "jia2023eccms-5": 0,
    "surveydata2026-benchmark": 125,
}


@pytest.mark.parametrize("table", sorted(data.published_tables()))
def test_every_table_opens(app, table, pools):
    at = app("published_tables", table=table, draws="2")
    assert not at.error
    n_here, n = COMPUTABLE[table], len(data.published_tables()[table].rows)
    there = f"{n_here:,} of the {n:,} numbers of this table can be computed here" in words(at)
    nothing = "None of the data sets of this table is here" in words(at)
    assert (there, nothing) == ((True, False) if n_here else (False, True))
    assert bool(publishing.run_already().get(table)) is bool(n_here)


def test_only_the_data_sets_that_are_asked_for_run(pools):
    table = data.published_tables()["huang2018lwea-5"]
    chosen = publishing.repeatable(table, ["pools/lwea/IS"])
    assert {score.dataset for score in chosen} == {"pools/lwea/IS"}
    assert len(chosen) < len(publishing.repeatable(table)) == COMPUTABLE["huang2018lwea-5"]


def test_what_is_still_to_come_is_what_has_not_run(pools, monkeypatch):
    """Draws that failed are there; numbers that have some of theirs are not."""
    told = []
    monkeypatch.setattr(panels, "results", lambda *_: None)
    monkeypatch.setattr(panels, "sentence", lambda rows, words: told.append(words))
    plan = publishing.plan(publishing.repeatable(data.published_tables()["huang2018lwea-5"])[:2], 2, 7)
    (_, first), (_, second) = plan.tasks
    done = [record_of(task, k=3, nmi_max=0.5) for task in first]
    panels._shown("x", plan, done)
    panels._shown("x", plan, [*done, record_of(second[0], k=3, nmi_max=0.5)])
    panels._shown("x", plan, [*done, *(record_of(task, error="no") for task in second)])
    assert told[:2] == [" 1 number still to come, or draws of them."] * 2
    assert told[2] == " None is still to come. 1 number could not be computed."


def test_a_table_runs_and_is_judged(app, pools):
    query = {"table": "huang2018lwea-5", "only": "pools/lwea/Semeion", "draws": "2"}
    table = data.published_tables()["huang2018lwea-5"]
    plan = publishing.plan(publishing.repeatable(table, ["pools/lwea/Semeion"]), 2, 7)
    at = app("published_tables", **query)
    while any(button.label == "Cancel" for button in at.button):  # the pool is read in the background
        at.run()
    assert "Run" in at.button(key="run_study").label
    assert at.button(key="paper_draws").label == "As in the paper: 100 draws"
    study_panel.start(plan.studies, plan.all_tasks).future.result()
    at.run()
    assert "None is still to come" in words(at)
    _, shown = (one.value for one in at.dataframe if "draws" in one.value)
    assert len(shown) == len(plan.tasks)
    assert set(shown["draws"]) == {2}


@pytest.mark.long
def test_it_says_which_cells_were_left_out(app, pools):
    at = app("published_tables", table="huang2018lwea-5", draws="2")
    (opened,) = [one for one in at.expander if "left out" in one.label]
    table = data.published_tables()["huang2018lwea-5"]
    assert opened.label == "144 cells of this table left out"
    assert opened.dataframe[0].value["row"].tolist() == list(table.left_out)
    assert not [one for one in app("published_tables", table="huang2016pta-9").expander if "left out" in one.label]
