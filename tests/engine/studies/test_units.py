"""What a worker does: ensembles made once, the best k chosen."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from engine import Monitor, metrics, run_consensus
from engine.confidence import internal_scores
from engine.consensus.running import Outcome
from engine.generators import Recipe
from engine.monitor import SILENT
from engine.selection import select
from engine.studies import units
from engine.studies.running import run_study
from engine.studies.sources import Source
from engine.studies.store import Store
from engine.studies.study import InvalidStudyError, Study, expand
from tests.engine.communities.test_leiden import planted


@pytest.mark.parametrize("policy", ["best", "best-sqrt"])
def test_best_k_is_the_best_of_all(policy, sources, store):
    (record,) = run_study(Study(("blobs",), ("lwea",), repeats=1, k=policy), sources, store)
    made = sources["blobs"].ensemble(Recipe(), 10, 0)
    top = min(30 if policy == "best" else math.isqrt(made.n_objects), len(made.microclusters))
    by_k = {
        k: metrics.nmi(run_consensus("lwea", made, k).labels, sources["blobs"].truth, "max") for k in range(2, top + 1)
    }
    assert record.nmi_max == max(by_k.values())
    assert record.k == max(by_k, key=lambda k: (by_k[k], -k))


def test_best_k_is_the_best_by_the_measure_asked_for():
    truth = np.repeat([0, 1, 2, 3], [60, 6, 6, 6])
    source = Source("s", pool=np.column_stack([truth] * 3), truth=truth)
    two, four = np.minimum(truth, 1), np.concatenate([np.arange(60) // 20, truth[60:] + 2])
    outcomes = [Outcome(0, 2, two, 0.5), Outcome(0, 6, four, 0.5)]
    found = {}
    for measure in ("nmi_max", "ari", "purity"):
        (task,) = expand(
            Study(("s",), ("lwea",), repeats=1, k="best", best_by=measure, n_clusterings=(3,)), {"s": source}
        )
        record = units._best(task, source, source.ensemble(Recipe(), 3, 0), outcomes, 10.0, SILENT)
        by_hand = {one.n_clusters: metrics.score(one.labels, truth, measure) for one in outcomes}
        assert record.k == max(by_hand, key=by_hand.get)
        found[measure] = record.k
    assert found["ari"] != found["purity"]


def test_of_equal_scores_the_fewest_clusters_are_best(sources):
    (task,) = expand(Study(("blobs",), ("lwea",), repeats=1, k="best"), sources)
    source = sources["blobs"]
    outcomes = [Outcome(0, k, source.truth.astype(np.int32), 0.5) for k in (7, 4, 9)]
    record = units._best(task, source, source.ensemble(Recipe(), 4, 0), outcomes, 10.0, SILENT)
    assert (record.k, record.nmi_max, record.seconds, record.peak_mb) == (4, pytest.approx(1.0), 1.5, 10.0)


def test_a_study_runs_on_those_that_a_strategy_keeps(sources, store):
    plain, chosen = (Study(("blobs",), ("lwea",), repeats=1, select=words) for words in ("", "least_alike:30%"))
    (every,), (record,) = (run_study(study, sources, store) for study in (plain, chosen))
    made, k = sources["blobs"].ensemble(Recipe(), 10, 0), sources["blobs"].true_k
    kept = made.select(select(made, "least_alike", 3, k, 0))
    expected = run_consensus("lwea", kept, k).labels
    assert record.anmi == internal_scores(kept, expected)["anmi"] != every.anmi
    assert record.key != every.key
    assert (json.loads(record.generator)["select"], "select" in every.generator) == ("least_alike:30%", False)


@pytest.mark.parametrize(("words", "why"), [("best", "strategy must"), ("snmi:6", "from 1 to 5"), (3, "a text")])
def test_a_selection_that_cannot_be_is_refused_with_its_study(words, why):
    with pytest.raises(InvalidStudyError, match=why):
        Study(("blobs",), ("lwea",), n_clusterings=(10, 5), select=words)


@pytest.mark.parametrize(("truth", "top"), [(3, 30), (20, 40)])
def test_the_best_k_is_looked_for_up_to_30_or_twice_the_classes(truth, top):
    labels = np.arange(200)
    source = Source("many", pool=labels[:, None] // np.array([1, 2, 3]), truth=labels % truth)
    (task,) = expand(Study(("many",), ("lwea",), repeats=1, k="best", n_clusterings=(3,)), {"many": source})
    assert units._ks([task], source, source.ensemble(Recipe(), 3, 0)) == list(range(2, top + 1))


@pytest.mark.parametrize(("n", "top"), [(120, 10), (121, 11)])
def test_the_best_k_of_the_papers_is_looked_for_up_to_the_root_of_n(n, top):
    labels = np.arange(n)
    source = Source("many", pool=labels[:, None] // np.array([1, 2, 3]), truth=labels % 20)
    (task,) = expand(Study(("many",), ("lwea",), repeats=1, k="best-sqrt", n_clusterings=(3,)), {"many": source})
    assert units._ks([task], source, source.ensemble(Recipe(), 3, 0)) == list(range(2, top + 1))


def test_smaller_ensembles_are_the_first_of_the_largest(sources, store, tmp_path, monkeypatch):
    monkeypatch.setattr(units, "ENSEMBLES", units.Ensembles())
    many = run_study(Study(("pool",), ("eac",), repeats=2, n_clusterings=(4, 20)), sources, store)
    small = [record for record in many if record.n_clusterings == 4]
    anew = Store(tmp_path / "alone")  # in the same store it would be the same record
    alone = run_study(Study(("pool",), ("eac",), repeats=2, n_clusterings=(4,)), sources, anew)
    assert [record.ari for record in small] == [record.ari for record in alone]


def test_no_k_is_tried_beyond_the_microclusters():
    source = Source("few", pool=np.arange(12)[:, None] // np.array([2, 3]), truth=np.arange(12) % 3)
    (task,) = expand(Study(("few",), ("lwea",), repeats=1, k="best", n_clusterings=(2,)), {"few": source})
    made = source.ensemble(Recipe(), 2, seed=1)  # a draw that has both columns
    assert units._ks([task], source, made) == list(range(2, len(made.microclusters) + 1))
    assert len(made.microclusters) == 8


def test_where_no_k_works_the_record_says_why(sources):
    (task,) = expand(Study(("blobs",), ("lwea",), repeats=1, k="best"), sources)
    outcomes = [Outcome(0, k, None, 0.5, f"no {k}") for k in (2, 3)]
    source = sources["blobs"]
    record = units._best(task, source, source.ensemble(Recipe(), 4, 0), outcomes, 10.0, SILENT)
    assert (record.k, record.error, record.nmi_max, record.seconds) == (None, "no 2", None, 1.0)


def test_every_setting_has_a_watch_of_its_own(sources, store, monkeypatch):
    watches = iter(range(1, 100))

    class Counted:
        def __init__(self):
            self.number = next(watches)

        def read(self):
            return float(self.number)

    monkeypatch.setattr(units, "PeakMemory", Counted)
    study = Study(("blobs",), ("eac",), repeats=1, k=(2, 3), grid={"eac": {"linkage": ("average", "single")}})
    assert sorted(record.peak_mb for record in run_study(study, sources, store)) == [1, 1, 2, 2]


def test_an_ensemble_that_hangs_on_its_size_is_made_for_each_size(sources):
    kept, recipe = units.Ensembles(), Recipe("lac")
    made = kept.get(sources["blobs"], recipe, 3, 5, 0, Monitor())
    assert made.labels.tolist() == sources["blobs"].ensemble(recipe, 3, 0).labels.tolist()
    assert made.provenance != kept.get(sources["blobs"], recipe, 5, 5, 0, Monitor()).select(np.arange(3)).provenance
    large = kept.get(sources["blobs"], Recipe(), 5, 5, 0, Monitor())
    small = kept.get(sources["blobs"], Recipe(), 3, 5, 0, Monitor())
    assert small.labels.tolist() == large.labels[:, :3].tolist()


def test_the_largest_ensemble_is_made_once_for_all_sizes(sources, store, monkeypatch):
    monkeypatch.setattr(units, "ENSEMBLES", units.Ensembles())
    sizes = []
    make = Source.ensemble
    monkeypatch.setattr(Source, "ensemble", lambda self, recipe, m, *a: (sizes.append(m), make(self, recipe, m, *a))[1])
    run_study(Study(("blobs", "pool"), ("eac",), repeats=1, n_clusterings=(4, 9, 20)), sources, store)
    assert sizes == [20, 20]


def test_only_so_many_ensembles_are_kept(sources):
    kept = units.Ensembles(kept=2)

    def seeds_after(*asked):
        for seed in asked:
            kept.get(sources["blobs"], Recipe(), 3, 3, seed, Monitor())
        return [key[-1] for key in kept._made]

    assert seeds_after(0, 1, 2, 3) == [2, 3]
    assert seeds_after(2, 4) == [2, 4]  # the one that was asked for longest ago goes


def test_one_ensemble_serves_all_methods(sources, store, monkeypatch):
    monkeypatch.setattr(units, "ENSEMBLES", units.Ensembles())
    calls = []
    make = Source.ensemble
    monkeypatch.setattr(Source, "ensemble", lambda self, *a: (calls.append(self.name), make(self, *a))[1])
    run_study(Study(("blobs",), ("eac", "lwea", "lwgp"), repeats=3), sources, store)
    assert calls == ["blobs"] * 3


def test_whatever_number_a_class_has_a_source_is_the_same():
    points, classes = np.arange(8.0).reshape(4, 2), np.array([0, 1, 1, 2])
    one = Source("points", features=points, truth=classes)
    assert Source("points", features=points, truth=np.array([2, 0, 0, 1])).fingerprint == one.fingerprint
    assert Source("points", features=points, truth=np.array([0, 1, 2, 2])).fingerprint != one.fingerprint


@pytest.mark.parametrize("k", ["best", "true", "halves"])
def test_of_a_method_that_finds_k_that_number_is_told(k, store):
    graph, truth = planted(60, 3)
    source, leiden = Source("graph", graph=graph, truth=truth), Recipe("leiden")
    study = Study(("graph",), ("ecg",), repeats=1, n_clusterings=(4,), recipe=leiden, k=k)
    (record,) = run_study(study, {"graph": source}, store)
    (asked,) = run_study(replace(study, k=(2,)), {"graph": source}, store)
    found = run_consensus("ecg", source.ensemble(leiden, 4, record.seed), None, seed=record.seed).n_clusters
    assert (record.k, record.error, asked.k, asked.k_asked) == (found, "", found, "2")
    assert found > 2
    assert record.nmi_max == asked.nmi_max


def test_classes_count_whatever_their_numbers_are():
    """Classes from 1 on counted one more, and their record was that of classes from 0 on."""
    points = np.random.default_rng(0).normal(size=(20, 2))
    named = [Source("s", features=points, truth=np.arange(20) % 2 * step + 1) for step in (1, 7)]
    assert [one.true_k for one in named] == [2, 2]
    assert named[0].fingerprint == named[1].fingerprint
    assert Study(("s",), ("eac",), k=[2, 3]) == Study(("s",), ("eac",), k=(2, 3))
