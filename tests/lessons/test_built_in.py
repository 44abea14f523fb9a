"""Every claim of the app's own lessons, evaluated: a lesson that lies fails the build."""

import pytest

from ui.lessons.checking import check_step
from ui.lessons.library import BUILT_IN, in_folder

pytestmark = pytest.mark.long

LESSONS = {lesson.key: lesson for lesson in in_folder(BUILT_IN, built_in=True)}
STEPS = [(key, number) for key, lesson in LESSONS.items() for number in range(1, len(lesson.steps) + 1)]


@pytest.mark.parametrize(("key", "number"), STEPS)
def test_a_step_can_be_shown_and_its_claims_hold(key, number):
    lesson = LESSONS[key]
    assert not list(check_step(lesson, number, lesson.steps[number - 1]))
