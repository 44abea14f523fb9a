"""Every step of every lesson opens from its own address, with every value its knob offers."""

import pytest

from tests.app.opening import opened
from ui.lessons.library import BUILT_IN, in_folder
from ui.session.settings import settings

LESSONS = in_folder(BUILT_IN, built_in=True)
STEPS = [(lesson, number) for lesson in LESSONS for number in range(1, len(lesson.steps) + 1)]
#: A knob whose values are pairs is looked at with every change, the others with `make check`.
PAIRS = [(lesson, n) for lesson, n in STEPS if (k := lesson.steps[n - 1].knob) and isinstance(k.values[0], tuple)]


def states(step):
    """The state of a step, and those into which its knob brings it."""
    return [step.config.with_(**{step.knob.name: value}) for value in step.knob.values] if step.knob else [step.config]


def pictured(query):
    """The Lessons page at an address, its picture shown."""
    at = opened("lessons", query, timeout=120)
    for _ in range(400):
        assert not at.exception
        assert not at.error
        if at.get("plotly_chart"):
            return at
        (asked,) = [button for button in at.button if button.key == "lesson_next"]
        at = asked.click().run() if asked.label == "Look" else at.run()
    raise AssertionError("the step never came")


def walk(lesson, number):
    step = lesson.steps[number - 1]
    for state in states(step):
        at = pictured(state.with_(lesson=lesson.key, step=number).to_query())
        assert at.session_state.run_config == state.with_(lesson=lesson.key, step=number)
        assert len(at.get("plotly_chart")) == len(step.shows)
        if step.knob is None:
            continue
        slider = at.select_slider(key=f"lesson_knob_{step.knob.name}")
        write = settings()[step.knob.name].text
        assert slider.value == write(getattr(state, step.knob.name)), "one stop, not a range"
        assert len(slider.options) == len(step.knob.values)


def name(case):
    return f"{case.key}" if hasattr(case, "key") else str(case)


@pytest.mark.parametrize(("lesson", "number"), PAIRS, ids=name)
def test_a_knob_of_pairs_opens_at_every_value(lesson, number):
    walk(lesson, number)


@pytest.mark.long
@pytest.mark.parametrize(("lesson", "number"), [case for case in STEPS if case not in PAIRS], ids=name)
def test_every_step_opens_from_its_own_address(lesson, number):
    walk(lesson, number)


@pytest.mark.parametrize(("lesson", "number"), PAIRS, ids=name)
def test_a_knob_of_pairs_moves_from_stop_to_stop(lesson, number):
    step = lesson.steps[number - 1]
    at = pictured(step.config.with_(lesson=lesson.key, step=number).to_query())
    for value in step.knob.values:
        slider = at.select_slider(key=f"lesson_knob_{step.knob.name}")
        slider.set_value(settings()[step.knob.name].text(value)).run()
        assert getattr(at.session_state.run_config, step.knob.name) == value


def test_there_is_a_knob_of_pairs():
    assert PAIRS
