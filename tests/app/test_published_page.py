"""Published tables: what can be repeated, under which protocol, and how ours stand beside theirs."""

import os

import numpy as np
import pytest

import data
from data import PublishedScore
from engine.experiments.records import Record
from tests.app.conftest import words
from ui import figures, publishing, study_panel
from ui.query import from_query
from ui.run_config import RunConfig

needs_pools = pytest.mark.skipif("CONCORD_DATA" not in os.environ, reason="CONCORD_DATA names no folder of pools")


def score(**changes) -> PublishedScore:
    return PublishedScore(**{"column": "Iris True-k", "row": "LWEA", "dataset": "iris", "method": "lwea", "params": (),
                             "measure": "nmi_max", "k_policy": "true", "n_clusterings": 10, "draws": 100, "mean": 0.7,
                             "sd": 0.02, **changes})  # fmt: skip


def test_one_study_for_each_protocol():
    scores = [score(), score(dataset="wine"), score(k_policy="best"), score(method="pta", params=(("K", 4), ("T", 10)))]
    found = publishing.studies(scores, 5, 3)
    assert [len(group) for _, group in found] == [2, 1, 1]
    first, best, walk = (study for study, _ in found)
    assert (first.datasets, first.k, first.repeats, first.seed) == (("iris", "wine"), "true", 5, 3)
    assert best.k == "best"
    assert walk.grid == {"pta": {"K": (4,), "T": (10,)}}


def test_each_number_gets_its_own_tasks():
    plan = publishing.plan([score(), score(dataset="wine"), score(k_policy="best")], 3, 0)
    assert [len(tasks) for _, tasks in plan.tasks] == [3, 3, 3]
    assert {task.dataset for task in plan.tasks[1][1]} == {"wine"}
    assert len(plan.all_tasks) == 9
    records = {task.key: Record(task.key, "iris", "lwea", "{}", 10, task.repeat, 0, 3, 0.6 + task.repeat / 10)
               for task in plan.tasks[0][1]}  # fmt: skip
    ours, nothing, _ = publishing.comparisons(plan, records)
    assert (ours.mean, ours.sd, ours.n) == (pytest.approx(0.7), pytest.approx(0.1), 3)
    assert ours.difference == pytest.approx(0)
    assert ours.within is True
    assert (nothing.n, nothing.within) == (0, None)


def test_within_means_within_the_larger_spread():
    assert publishing.Comparison(score(), 0.75, 0.06, 5).within is True
    assert publishing.Comparison(score(), 0.75, 0.03, 5).within is False
    assert publishing.Comparison(score(sd=0.06), 0.75, 0.03, 5).within is True
    assert publishing.Comparison(score(sd=None), 0.71, 0.03, 5).within is True
    assert publishing.Comparison(score(), 0.75, 0.0, 1).within is None


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_sets_ours_beside_theirs(theme):
    fig = figures.printed_figure(np.array([0.5, 0.6]), np.array([0.5, 0.9]), np.array([0.02, np.nan]),
                                 np.array([0.01, 0.01]), [True, False], ["a", "b"], theme)  # fmt: skip
    inside, outside = fig.data[1:]
    assert (list(inside.x), list(inside.y)) == ([0.5], [0.5])
    assert (list(outside.y), list(outside.error_x.array)) == ([0.9], [0.0])
    assert "1 within the spread" in fig.layout.meta["alt"]


def test_the_state_is_in_the_url():
    config = RunConfig(table="huang2016pta-7", only=("pools/pta/IS",))
    assert from_query(config.to_query()) == (config, [])
    assert "must be one of" in from_query({"table": "x"})[1][0]


@needs_pools
@pytest.mark.parametrize("table", sorted(data.published_tables()))
def test_every_table_opens(app, table):
    at = app("published_tables", table=table, draws="2")
    assert not at.error
    assert "can be computed here" in words(at) or "None of the data sets" in words(at)


@needs_pools
def test_a_table_runs_and_is_judged(app):
    query = {"table": "huang2018lwea-5", "only": "pools/lwea/Semeion", "draws": "2"}
    at = app("published_tables", **query)
    assert "Run" in at.button(key="run_study").label
    assert at.button(key="paper_draws").label == "As in the paper: 100 draws"
    table = data.published_tables()["huang2018lwea-5"]
    plan = publishing.plan(publishing.repeatable(table, ["pools/lwea/Semeion"]), 2, 7)
    study_panel.start(plan.studies, plan.all_tasks).future.result()
    at.run()
    assert "numbers lie within the spread of the printed ones" in words(at)
    assert len(at.dataframe[0].value) == len(plan.tasks)


def test_without_the_pools_it_says_what_to_do(app, monkeypatch):
    monkeypatch.delenv("CONCORD_DATA", raising=False)
    assert "CONCORD_DATA" in words(app("published_tables", table="huang2016pta-7"))
