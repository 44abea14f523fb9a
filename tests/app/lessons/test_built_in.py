"""Every claim of the app's own lessons, evaluated: a lesson that lies fails the build."""

import pytest

from ui.lessons.checking import check_step
from ui.lessons.library import BUILT_IN, in_folder

LESSONS = {lesson.key: lesson for lesson in in_folder(BUILT_IN, built_in=True)}
STEPS = [(key, number) for key, lesson in LESSONS.items() for number in range(1, len(lesson.steps) + 1)]


@pytest.mark.long
@pytest.mark.parametrize(("key", "number"), STEPS)
def test_a_step_can_be_shown_and_its_claims_hold(key, number):
    lesson = LESSONS[key]
    assert not list(check_step(lesson, number, lesson.steps[number - 1]))


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
