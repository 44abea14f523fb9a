"""What Compare says of scores that are not all there."""

from types import SimpleNamespace

import numpy as np
import pytest

from engine.studies.records import Record
from ui.compare import comparing, results
from ui.session.run_config import RunConfig
from ui.studies import score_tables

NAN = np.nan
CHOSEN = RunConfig(measure="ari", sets=("iris",))


def study(n_sets=1, n_draws=4, k="true"):
    names = tuple(f"set {j}" for j in range(n_sets))
    return SimpleNamespace(methods=("lwea", "lwgp", "kcc"), datasets=names, repeats=n_draws, k=k)


@pytest.fixture
def page(monkeypatch):
    """What is said and drawn, in order."""
    there = SimpleNamespace(said=[], drawn=[], tables=[])
    for name in ("say", "note", "inform"):
        monkeypatch.setattr(results, name, there.said.append)
    monkeypatch.setattr(results, "chart", lambda figure, key: there.drawn.append(figure))
    monkeypatch.setattr(results, "theme", lambda: "light")
    monkeypatch.setattr(results.st, "dataframe", lambda table, **_: there.tables.append(table))
    return there


def test_a_method_of_one_draw_has_no_difference(page):
    scores = np.array([[[0.8, 0.82, 0.81, 0.83]], [[0.7, 0.72, 0.71, 0.7]], [[NAN, NAN, 0.99, NAN]]])
    results.differences(CHOSEN, study(), scores)
    [dots] = page.drawn[0].data
    assert [text.split(":")[0] for text in dots["text"]] == ["LWGP"]
    assert "nan" not in str(dots["text"])
    assert "the same 4 draws" in page.said[-1]
    assert page.said[-1].endswith("Too few scores: KCC.")


def test_methods_that_have_no_two_draws_in_common_are_not_compared(page):
    scores = np.array([[[0.8, 0.82, NAN, NAN]], [[NAN, NAN, 0.71, 0.7]], [[NAN] * 4]])
    assert results.differences(CHOSEN, study(), scores) is None
    assert page.said == ["A difference needs two methods with scores on the same two draws."]


def test_ranks_say_over_which_data_sets_they_are(page):
    rng = np.random.default_rng(0)
    scores = rng.random((3, 5, 2))
    results.ranking(CHOSEN, study(5, 2), scores)
    assert page.said[0].endswith("Average ranks over the data sets")
    scores[1, 2] = NAN
    results.ranking(CHOSEN, study(5, 2), scores)
    assert page.said[2].endswith(
        "over the 4 of 5 data sets on which every method that answers has a score on the same draws"
    )
    told = results.pairs(study(5, 2), scores)
    assert page.said[4].startswith("Of the 4 of 5 data sets")
    wins, tests = page.tables
    assert [said for said, _ in told] == page.said[4:]
    assert [one is shown for (_, one), shown in zip(told, page.tables, strict=True)] == [True, True]
    assert f"{tests.iloc[0, 1]:.3f}" in score_tables.of_pairs(tests)
    assert "nan" not in score_tables.of_pairs(tests)
    assert sum(map(int, wins.iloc[0, 1].split(" / "))) == 4
    assert np.isfinite(tests.to_numpy()[~np.eye(3, dtype=bool)]).all()


def test_who_fails_on_the_hard_draws_is_not_ranked_by_the_easy_ones(page):
    hard = np.tile([0.1, 0.3, 0.9], (3, 4, 1)) + np.linspace(0, 0.04, 12).reshape(3, 4, 1)[::-1]
    worst = hard.copy()
    worst[2] -= 0.2
    worst[2, :, :2] = NAN  # its mean is the highest, though it is the worst wherever it is
    ranks, _ = results.ranking(CHOSEN, study(4, 3), worst)
    assert "LWEA 1.00, LWGP 2.00, KCC 3.00" in str(ranks.layout)
    results.pairs(study(4, 3), worst)
    assert len(page.tables) == 1  # of one draw there is no paired test over draws
    assert page.tables[0].iloc[2].tolist() == [0.375, 0.375, 1.0]
    compared = comparing.on_common_draws(worst)
    assert [row[0].best for row in score_tables.cells(compared)] == [True, False, False]
    assert [row[0].draws for row in score_tables.cells(compared)] == [1, 1, 1]
    assert results.draws_compared(worst) == "1 draw, without 8 that some method has not answered"


def test_who_answers_nowhere_takes_no_data_set_from_the_others(page):
    scores = np.random.default_rng(0).random((3, 4, 2))
    four = study(4, 2)
    four.methods = (*four.methods, "ecg")
    silent = np.concatenate([scores, np.full((1, 4, 2), NAN)])
    with_it, told = results.ranking(CHOSEN, four, silent)
    without, _ = results.ranking(CHOSEN, study(4, 2), scores)
    assert str(with_it.layout) == str(without.layout)
    assert told.endswith("Without any score: ECG.")
    results.pairs(four, silent)
    assert [len(table) for table in page.tables] == [3, 3]
    silent[3, 0] = 0.5
    assert results.ranking(CHOSEN, four, silent) is None
    assert page.said[-1].endswith("with all scores. ECG lacks those of 3.")


def test_one_of_one_lies_behind(page):
    scores = np.array([[[0.8, 0.82, 0.81]], [[0.7, 0.72, 0.71]], [[NAN] * 3]])
    _, told = results.differences(CHOSEN, study(1, 3), scores)
    assert "1 of 1 lies surely behind" in told


def test_draws_that_nobody_shares_stay_and_rank_nobody(page):
    apart = np.array([[[0.8, NAN]] * 3, [[NAN, 0.7]] * 3, [[0.6, 0.6]] * 3])
    np.testing.assert_array_equal(comparing.on_common_draws(apart), apart)
    assert results.draws_compared(apart) == "1 to 2 draws"
    assert results.ranking(CHOSEN, study(3, 2), apart) is None
    one_less = np.array([[[0.8, 0.9]], [[0.7, NAN]], [[NAN, NAN]]])  # a method without any score holds nobody up
    np.testing.assert_array_equal(comparing.on_common_draws(one_less)[:, 0, 0], [0.8, 0.7, NAN])
    assert np.isnan(comparing.on_common_draws(one_less)[:, 0, 1]).all()


def record(method, draw, seconds):
    return Record("", "set 0", method, {}, 3, draw, 0, seconds=seconds)


def test_quality_and_its_price_are_means_over_the_same_ensembles(page):
    given = study(1, 2)
    found = [record(method, draw, 10.0 ** (draw - 1)) for method in given.methods for draw in (0, 1)]
    scores = np.array([[[0.5, 0.9]], [[0.4, 0.8]], [[0.6, NAN]]])
    results.cost(CHOSEN, given, found, scores)
    dots = page.drawn[0].data[-1]
    np.testing.assert_allclose(dots["x"], [0.1] * 3)
    np.testing.assert_allclose(dots["y"], [0.5, 0.4, 0.6])
    assert page.said == [
        "**What does quality cost?** Means over the 1 of 2 ensembles that every method here has answered"
    ]
    scores[2] = NAN  # not begun: the others are compared on all
    results.cost(CHOSEN, given, found, scores)
    np.testing.assert_allclose(page.drawn[1].data[-1]["y"], [0.7, 0.6])
    assert page.said[1].endswith("Means over all data sets and draws")
    scores[:, 0] = [[0.5, NAN], [NAN, 0.8], [NAN, NAN]]
    results.cost(CHOSEN, given, found, scores)
    np.testing.assert_allclose(page.drawn[2].data[-1]["x"], [0.1, 1])
    assert "no ensemble that all of them answered" in page.said[2]


def test_seconds_are_of_a_run_only_where_k_is_given(page):
    scores = np.full((3, 1, 1), 0.5)
    for k in ("true", (3,), "best", "lifetime"):
        given = study(1, 1, k)
        results.cost(CHOSEN, given, [record(method, 0, 1.0) for method in given.methods], scores)
    titles = [figure.layout["xaxis"]["title"]["text"] for figure in page.drawn]
    assert titles == ["seconds a run"] * 2 + ["seconds to look for k and answer"] * 2


def test_bold_is_what_prints_like_the_best():
    unlike = score_tables.cells(np.array([[[0.007, 0.008]], [[0.008, 0.008]]]))
    alike = score_tables.cells(np.array([[[0.002, 0.003]], [[0.003, 0.003]]]))
    for table in (unlike, alike):
        (first,), (second,) = table
        assert second.best
        assert first.best == (first.text.split()[0] == second.text.split()[0])
    assert [row[0].best for row in (*unlike, *alike)] == [False, True, True, True]
