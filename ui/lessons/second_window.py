"""The presenter's notes in a second window, which follows the first: the two talk in the browser alone."""

from pathlib import Path

import streamlit as st

from ui.lessons.lesson import Lesson
from ui.lessons.progress import present_number
from ui.session.state import change
from ui.widgets.terms import note, page_title, say

_KEY = "second_window"
_channel = st.components.v2.component(
    "concord_second_window", js=Path(__file__).with_name("second_window.js").read_text(encoding="utf-8")
)


def tell(lesson: Lesson) -> None:
    """Tell a window with notes, if one is open, which step is shown."""
    _channel(key=_KEY, data={"lesson": lesson.key, "step": present_number(lesson)})


def notes(lesson: Lesson) -> None:
    """The window with notes: what to say here, what was asked, and what comes next."""
    _channel(key=_KEY, data={"listens": True}, on_shown_change=_follow)
    number = present_number(lesson)
    one = lesson.steps[number - 1]
    note(f"{lesson.title} Step {number} of {len(lesson.steps)}. This window follows the lecture.")
    page_title(one.heading)
    say(f"##### {one.note or 'No note for this step.'}")
    if one.asks is not None:
        say(f"**Asked**: {one.asks.text}")
        for place, choice in enumerate(one.asks.choices, 1):
            say(f"{place}. {choice.text}" + (" **(right)**" if choice.right else ""))
    if one.knob is not None:
        say(f"**To move**: {one.knob.label}")
    if number < len(lesson.steps):
        following = lesson.steps[number]
        st.divider()
        say(f"**Next**: {following.heading}")
        note(following.note)


def _follow() -> None:
    """Go to the step that the lecture shows; what is no lesson and no step is not followed."""
    shown = st.session_state[_KEY].shown
    if isinstance(shown, dict) and isinstance(shown.get("step"), int) and isinstance(shown.get("lesson"), str):
        change(lesson=shown["lesson"][:40], step=max(1, min(99, shown["step"])))
