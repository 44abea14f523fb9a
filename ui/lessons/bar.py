"""What other pages show of the lessons: the way back to one, and, once, the way in."""

import streamlit as st

from ui.lessons.library import enter, keep_own, leave, present_lesson, present_number
from ui.lessons.staging import ahead
from ui.session.run_config import RunConfig
from ui.session.state import page_file, theme
from ui.widgets.terms import say

_DISMISSED = "_lessons_dismissed"


def bar(title: str, now: RunConfig) -> None:
    """On every page but that of the lessons: which step one is playing with, and back."""
    keep_own(now)
    if title == "Lessons":
        st.session_state[_DISMISSED] = True  # who was here needs no invitation
        return
    ahead(None, theme())
    lesson = present_lesson(now)
    if lesson is None:
        return
    number = present_number(lesson, now)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_bar"):
        say(f"**{lesson.title}** Step {number}: {lesson.steps[number - 1].heading}", width="stretch")
        back = {"on_click": enter, "args": (lesson.key, number), "type": "primary", "icon": ":material/arrow_back:"}
        if st.button("Back to the lesson", key="lesson_return", **back):
            st.switch_page(page_file("lessons"), query_params=now.to_query())
        st.button("Leave it", key="lesson_leave", on_click=leave, help="The settings of before come back.")


def invitation(now: RunConfig) -> None:
    """On Start, once a session: where to begin, and a way to be left alone."""
    if st.session_state.get("lesson_begin"):  # pressed just now, and one is in the lesson already
        st.switch_page(page_file("lessons"), query_params=now.to_query())
    if now.lesson or st.session_state.get(_DISMISSED):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_invitation"):
        say("New here?", width="content")
        st.button("Begin with lesson 1", key="lesson_begin", icon=":material/school:", on_click=_begin)
        st.button("No, thanks", key="lesson_dismiss", type="tertiary", on_click=_dismiss)


def _begin() -> None:
    from ui.lessons.library import lessons

    enter(lessons()[0].key)


def _dismiss() -> None:
    st.session_state[_DISMISSED] = True
