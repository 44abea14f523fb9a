import re

import numpy as np
import pytest

from engine import evidence, run_consensus
from engine.evidence import LinkQuality
from engine.params import Params
from tests.app.compute.test_jobs import until
from tests.app.conftest import charts, words
from tests.scenes import scene_of
from ui.compute import uploads
from ui.enhanced_matrix import SAME, _one_curve
from ui.pictures import drawn, pictures
from ui.scene.enhancement import ITERATIONS, VARIANTS
from ui.why import Pair, of_enhancement, pulls


@pytest.fixture(scope="module")
def scene():
    return scene_of(data="iris", m="12", method="ec_cms", alpha="0.7", lam="0.2")


def test_the_page_enhances_as_the_method_does(scene):
    chosen = scene.config.method_params
    result = run_consensus("ec_cms", scene.ensemble, 3, chosen, record=("enhanced", "similarity"))
    np.testing.assert_allclose(scene.enhanced.run.matrix, result.trace["enhanced"], atol=1e-6)
    np.testing.assert_allclose(scene.given.similarity, result.trace["similarity"], atol=1e-6)
    assert (scene.enhanced_labels == result.labels).mean() == 1
    assert isinstance(result.params, Params)


@pytest.mark.parametrize("kind", ["ca", "pts"])
def test_other_evidence_is_the_methods_too(kind):
    scene = scene_of(data="iris", m="8", method="ec_cms", evidence=kind)
    trace = run_consensus("ec_cms", scene.ensemble, 3, scene.config.method_params, record=("similarity",)).trace
    np.testing.assert_allclose(scene.given.similarity, trace["similarity"], atol=1e-6)


def test_variants_differ_and_the_film_ends_at_the_result(scene):
    runs = {one: scene.varied(ablation=one).enhanced for one in VARIANTS}
    full = runs["full"]
    for name in ("no_laplacian", "no_completion"):
        assert np.abs(runs[name].run.matrix - full.run.matrix).max() > 0.01
    assert list(full.images) == [t for t in ITERATIONS if t <= full.run.iterations]
    assert all(image.shape == (150, 150) for image in full.images.values())


def test_objects_stand_by_class_and_precision_is_that_of_the_entries(scene):
    truth = scene.truth
    assert (np.diff(truth[scene.order_by_input]) != 0).sum() == 2
    quality = scene.entry_quality["input"]
    full = scene.ensemble.microclusters.expand_matrix(scene.given.similarity, np.arange(150), np.arange(150))
    i, j = np.triu_indices(150, 1)
    above = full[i, j] >= 0.1 - 1e-6
    same = truth[i] == truth[j]
    assert quality.precision[9] == pytest.approx(same[above].mean())
    assert quality.recall[9] == pytest.approx(above[same].mean())


def test_precision_against_recall_is_drawn_where_it_changes(app, scene):
    """Thresholds that no entry reaches have no precision: they are no reason to call two curves one."""
    before, after = scene.entry_quality["input"], scene.entry_quality["enhanced"]
    assert np.isnan(before.precision).any()
    assert after.recall[0] > before.recall[0] + SAME
    at = app("enhanced_matrix", **scene.config.to_query())
    assert "enhanced_pr" in charts(at)
    assert pictures()["entries_right"].sentence(scene) in words(at)
    same = scene.truth[:, None] == scene.truth
    for matrix, where in ((scene.given.similarity, "in the input"), (scene.enhanced.run.matrix, "in the enhanced")):
        full = scene.ensemble.microclusters.expand_matrix(matrix, np.arange(150), np.arange(150))
        reached = full[np.triu_indices(150, 1)][same[np.triu_indices(150, 1)]] >= 0.01 - 1e-6
        assert re.search(
            rf"{round(100 * reached.mean())}% of.*{where}|{round(100 * reached.mean())}% {where}", words(at)
        )
    assert "nearly the same before and after" not in words(at)


def test_two_curves_are_one_if_they_are_alike_as_far_as_both_reach():
    def quality(correct, n_together=100):
        return LinkQuality(np.linspace(0.2, 0.8, 4), np.array([40, 20, 10, 0]), np.array(correct), n_together)

    assert _one_curve(quality([10, 15, 9, 0]), quality([10, 15, 9, 0]))
    assert not _one_curve(quality([10, 15, 9, 0]), quality([10, 15, 4, 0]))
    assert not _one_curve(quality([10, 15, 9, 0]), quality([10, 15, 9, 0], 50))
    values, half = np.linspace(0.2, 0.8, 4), [np.array([low, 20, 10, 0]) for low in (0, 40)]
    assert not _one_curve(*(LinkQuality(values, pairs, pairs // 2, 100) for pairs in half))  # alike, and one goes on
    nothing = LinkQuality(np.array([0.5]), np.array([0]), np.array([0]), 7)
    assert _one_curve(nothing, nothing)


def test_the_reason_names_value_and_neighbours():
    scene = scene_of(data="iris", m="12", method="ec_cms")
    trace, assignment = scene.recorded.trace, scene.ensemble.microclusters.assignment
    other = int(np.flatnonzero(assignment != assignment[0])[0])
    pair = Pair(0, other, scene)
    text = " ".join(item for item in of_enhancement(pair) if isinstance(item, str))
    assert f"**{trace['enhanced'][pair.a, pair.b]:.3f}**" in text
    certain = evidence.high_confidence(evidence.co_association(scene.ensemble), 0.8)
    for row in pulls(pair).itertuples():
        here = pair.a if row[1] == "i" else pair.b
        assert certain[here, row.microcluster - 1] > 0
    assert list(of_enhancement(Pair(0, other, scene.varied(method="eac")))) == []


def test_a_value_that_stays_neither_rose_nor_fell():
    scene = scene_of(data="moons", m="12", method="ec_cms")
    trace, micro = scene.recorded.trace, scene.ensemble.microclusters
    still = np.abs(trace["enhanced"] - trace["similarity"]) < 1e-7
    a, b = np.argwhere(still & ~np.eye(len(still), dtype=bool))[0]
    text = next(iter(of_enhancement(Pair(*map(int, micro.representatives[[a, b]]), scene))))
    assert text == f"Enhancement: their value stays at **{trace['enhanced'][a, b]:.3f}**."


def test_a_move_of_lambda_changes_the_sentence(app):
    at = app("enhanced_matrix", data="iris", m="12", method="ec_cms")
    before = words(at)
    stops = at.select_slider(key="param_lam").options
    at.select_slider(key="param_lam").set_value(0.01).run()
    assert words(at) != before
    assert at.query_params["lam"] in ("0.01", ["0.01"])
    assert "0.01" in stops


def test_knobs_are_live_whatever_method_other_pages_use(app):
    at = app("enhanced_matrix", data="iris", m="12")
    before = words(at)
    at.select_slider(key="param_alpha").set_value(0.7).run()
    assert words(at) != before
    assert at.query_params["method"] in ("lwea", ["lwea"])
    at.select_slider(key="param_alpha").set_value(0.8).run()
    at.button(key="adopt").click().run()
    assert at.query_params["method"] in ("ec_cms", ["ec_cms"])
    assert at.select_slider(key="param_alpha").value == 0.8


def test_a_warm_start_says_nothing_else(app):
    at = app("enhanced_matrix", data="iris", m="12", method="ec_cms", seed="5")
    assert not at.session_state["_enhanced"]  # as large as the matrix: kept where the next one starts from it
    at.toggle(key="warm").set_value(True).run()
    assert len(at.session_state["_enhanced"]) == 1
    at.select_slider(key="param_lam").set_value(0.5).run()
    until(lambda: "iterations" in words(at.run()), 30)  # on a busy machine it is still computed
    assert not at.error


def test_the_brightest_colour_is_the_largest_value_of_the_input_under_every_lambda():
    for lam in ("0.01", "1"):  # enhanced, the largest value is .20 and .32
        scene = scene_of(data="iris", m="8", ablation="no_completion", lam=lam)
        between = scene.given.similarity[~np.eye(len(scene.given.similarity), dtype=bool)]
        top = drawn("enhance_output", scene, "light").data[0]["meta"]["unit"] * 100
        assert between.max() <= top <= 1.1 * between.max()


@pytest.mark.parametrize(("alpha", "said"), [("1", "in all base clusterings:"), ("0.8", "in at least 80% of the base")])
def test_a_share_is_told_as_one(alpha, said):
    assert said in pictures()["certain"].sentence(scene_of(data="iris", m="12", method="ec_cms", alpha=alpha))


def test_where_labels_are_missing_a_share_is_of_those_that_saw_both():
    scene = scene_of(data="iris", m="8", generator="subsampling", method="lwea")
    assert "base clusterings that saw both:" in pictures()["certain"].sentence(scene)


def test_few_objects_are_warned_of_once_and_colours_have_their_numbers(app):
    alone = uploads.keep_file("ids.csv", b"\n".join(b"%d,%d" % (i, i // 2) for i in range(40)), "labels").id
    at = app("enhanced_matrix", data=alone, m="2", k="3")
    assert len([one for one in at.warning if "one object" in one.value]) == 1
    film = drawn("enhance_film", scene_of(data="iris", m="8"), "light")
    assert any(re.fullmatch(r"dark 0, yellow (≥ )?[\d.]+", one["text"]) for one in film.layout["annotations"])
