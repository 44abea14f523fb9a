"""Studies without classes: criteria choose k, and internal scores say how well a partition sits."""

import numpy as np
import pytest

from engine import confidence, run_consensus
from engine.choosing_k import choose_k
from engine.studies.files import read_study, write_study
from engine.studies.records import to_csv
from engine.studies.running import run_study
from engine.studies.sources import Source
from engine.studies.store import Store
from engine.studies.study import InvalidStudyError, Study, k_criteria
from tests.engine.choosing_k.test_consensus_runs import blobs


@pytest.fixture
def source():
    return Source("blobs", features=blobs(90, 3, 4, seed=2))


def run(study, source, tmp_path):
    return run_study(study, {"blobs": source}, Store(tmp_path / "records.sqlite"))


@pytest.mark.parametrize("key", ["lifetime", "margin", "eigengap", "halves"])
def test_a_criterion_chooses_k_and_the_record_says_which(key, source, tmp_path):
    (record,) = run(Study(("blobs",), ("lwea",), repeats=1, k=key), source, tmp_path)
    made = source.ensemble(Study(("blobs",), ("lwea",)).recipe, 10, 0)
    expected = choose_k(made, "lwea", k_max=10, criteria=[key], effort="quick").picks[key]
    assert (record.k, record.k_asked, record.error, record.ari) == (expected, key, "", None)
    labels = run_consensus("lwea", made, expected).labels
    assert record.margin == pytest.approx(confidence.mean_margin(made, labels))
    assert record.anmi == pytest.approx(confidence.mean_nmi(made, labels)[0])


def test_a_criterion_that_cannot_be_asked_says_why(source, tmp_path):
    (record,) = run(Study(("blobs",), ("lwgp",), repeats=1, k="lifetime"), source, tmp_path)
    assert record.k is None
    assert "this method grows none" in record.error


def test_the_best_k_may_be_that_of_an_internal_score(source, tmp_path):
    (record,) = run(Study(("blobs",), ("eac",), repeats=1, k="best", best_by="margin"), source, tmp_path)
    made = source.ensemble(Study(("blobs",), ("eac",)).recipe, 10, 0)
    scores = {k: confidence.mean_margin(made, run_consensus("eac", made, k).labels) for k in (2, 3, 4, 5)}
    assert record.k == max(scores, key=lambda k: scores[k])
    assert record.k_asked == "best by margin"
    assert record.margin == pytest.approx(max(scores.values()))


def test_with_classes_both_kinds_of_scores_are_kept(source, tmp_path):
    known = Source("blobs", features=source.features, truth=np.arange(90) % 3)
    (record,) = run(Study(("blobs",), ("lwea",), repeats=1), known, tmp_path)
    assert record.ari == 1
    assert 0 < record.margin <= 1


def test_a_study_file_names_the_criterion():
    study = Study(("blobs",), ("lwea",), k="lifetime", best_by="margin")
    assert read_study(write_study(study)) == study
    assert set(k_criteria()) >= {"lifetime", "margin", "halves"}
    assert "rcsi" not in k_criteria()


def test_what_needs_classes_offers_what_does_not(source, tmp_path):
    with pytest.raises(InvalidStudyError, match='criterion such as "lifetime"'):
        run(Study(("blobs",), ("lwea",), k="true"), source, tmp_path)
    with pytest.raises(InvalidStudyError, match="k must be"):
        Study(("blobs",), ("lwea",), k="rcsi")
    with pytest.raises(InvalidStudyError, match="best_by must be"):
        Study(("blobs",), ("lwea",), best_by="guess")


def test_stability_is_measured_where_a_study_asks_for_it(source, tmp_path):
    plain = Study(("blobs",), ("eac",), repeats=2, k=(3,), seed=5)
    asked = Study(("blobs",), ("eac",), repeats=2, k=(3,), seed=5, stability=8)
    assert [record.stability for record in run(plain, source, tmp_path)] == [None, None]
    made = [source.ensemble(plain.recipe, 10, seed) for seed in (5, 6)]
    expected = [confidence.stability(one, "eac", 3, repeats=8, seed=5 + r).mean() for r, one in enumerate(made)]
    found = run(asked, source, tmp_path)
    assert [record.stability for record in found] == pytest.approx(expected)
    assert run(asked, source, tmp_path) == found
    assert "stability" in to_csv(found).splitlines()[0]


def test_the_best_k_may_be_the_most_stable_one(source, tmp_path):
    study = Study(("blobs",), ("eac",), repeats=1, k="best", best_by="stability", stability=6)
    (record,) = run(study, source, tmp_path)
    made = source.ensemble(study.recipe, 10, 0)
    scores = {k: confidence.stability(made, "eac", k, repeats=6, seed=0).mean() for k in (2, 3, 4, 5)}
    assert record.k == max(scores, key=lambda k: scores[k])


def test_where_hardly_any_draw_tells_k_groups_apart_there_is_no_stability(tmp_path):
    labels = np.zeros((12, 3), int)
    labels[np.arange(9), np.repeat([0, 1, 2], 3)] = np.tile([1, 2, 3], 3)
    (record,) = run_study(
        Study(("own",), ("eac",), repeats=1, k=(10,), stability=4, n_clusterings=(3,), seed=12),
        {"own": Source("own", pool=labels)},
        Store(tmp_path / "records.sqlite"),
    )
    assert (record.error, record.stability) == ("", None)
    assert record.margin is not None


@pytest.mark.parametrize("draws", [1, -1, True, 2.5])
def test_draws_for_stability_are_checked(draws):
    with pytest.raises(InvalidStudyError, match="stability must be 0 or a number of draws"):
        Study(("blobs",), ("eac",), stability=draws)


def test_the_best_by_stability_needs_draws():
    with pytest.raises(InvalidStudyError, match='best_by = "stability" needs'):
        Study(("blobs",), ("eac",), k="best", best_by="stability")
