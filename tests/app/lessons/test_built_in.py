"""Every claim of the app's own lessons, evaluated: a lesson that lies fails the build."""

import itertools

import numpy as np
import pytest

from ui.lessons.checking import check_step, unsettled
from ui.lessons.lesson import read_quantity
from ui.lessons.library import BUILT_IN, in_folder
from ui.scene import Scene

LESSONS = {lesson.key: lesson for lesson in in_folder(BUILT_IN, built_in=True)}
STEPS = [(key, number) for key, lesson in LESSONS.items() for number in range(1, len(lesson.steps) + 1)]


@pytest.mark.long
@pytest.mark.parametrize(("key", "number"), STEPS)
def test_a_step_can_be_shown_and_its_claims_hold(key, number):
    lesson = LESSONS[key]
    assert not list(check_step(lesson, number, lesson.steps[number - 1]))


KNOBS = [(key, number) for key, number in STEPS if LESSONS[key].steps[number - 1].knob]


def shown(key, number):
    """A step of a lesson, and its scene."""
    step = LESSONS[key].steps[number - 1]
    return step, Scene(step.config)


@pytest.mark.parametrize(("key", "number"), KNOBS)
def test_what_names_a_setting_stays_true_as_the_knob_moves(key, number):
    """Questions name the state of their step, so their reasons do; another seed is another sample of the same."""
    step, scene = shown(key, number)
    assert not list(unsettled(step, scene))
    if step.asks is None or step.knob.name == "seed":
        return
    ends = [scene.varied(**{step.knob.name: step.knob.values[end]}) for end in (0, -1)]
    for quantity in itertools.chain(*(choice.why.quantities for choice in step.asks.choices)):
        assert {quantity.written(end) for end in ends} == {quantity.written(scene)}, quantity.text


@pytest.mark.parametrize(("key", "number"), KNOBS)
def test_nothing_is_counted_as_several_where_the_knob_leaves_one(key, number):
    step, scene = shown(key, number)
    for stop in step.knob.values:
        there = scene.varied(**{step.knob.name: stop})
        for text in (step.text, *(choice.why for choice in (step.asks.choices if step.asks else ()))):
            for quantity, words in zip(text.quantities, text.pieces[1:], strict=True):
                several = words.split()[:1] in (["parts"], ["runs"], ["rounds"], ["iterations"], ["pairs"], ["crumbs"])
                assert not several or quantity.written(there) != "1", f"{quantity.text} at {stop}: {words[:20]}"


def test_at_alpha_point_two_twice_as_much_is_certain():
    step, scene = shown("certain", 4)
    assert "to .2: twice as much is certain" in step.asks.text
    loose, strict = (read_quantity(f"certain_pairs(alpha={alpha})").of(scene) for alpha in (0.2, 0.5))
    assert 1.9 < loose / strict < 2.2


def test_a_run_with_three_clusters_joins_every_third_pair_across_the_rings():
    step, scene = shown("votes", 2)
    assert "a run with three clusters joins every third pair across them" in step.asks.choices[0].why.source
    runs, classes = scene.ensemble.labels.T, scene.classes
    across = {len(set(run)): np.mean(run[classes == 0][:, None] == run[classes == 1]) for run in runs}
    assert across[min(across)] == pytest.approx(1 / 3, abs=0.01)
    assert min(across) == 3
    assert max(share for k, share in across.items() if k > 12) < 0.01


@pytest.mark.long
def test_the_inconsistency_beside_the_curve_is_that_of_its_dot():
    step, scene = shown("seeds", 5)
    assert step.shows == ("resolution_curve",)
    (said,) = {quantity.written(scene) for quantity in step.quantities if "inconsistency" in quantity.name}
    curve = scene.resolution_runs.own
    assert said == f"{curve.found[list(curve.resolutions).index(1)].value:.2f}"


def test_the_consensus_of_one_run_is_explained_where_its_score_stands():
    """It scores less than that run: another k is asked of it, and nothing says what to join."""
    found = 0
    for lesson in LESSONS.values():
        for step in lesson.steps:
            said = {quantity.text for quantity in step.text.quantities}
            if any(text.startswith("score(") and text.endswith("m=1)") for text in said):
                found += 1
                assert {"base_best(m=1)", "most_clusters(m=1)"} <= said, step.heading
                assert "score(eac, m=1) < base_best(m=1) - 0.1" in {claim.text for claim in step.claims}
    assert found
