"""A question before the picture, and afterwards what was said and why."""

import streamlit as st

from ui.lessons.lesson import Choice, Lesson, Step
from ui.lessons.progress import progress
from ui.lessons.progress import say as give_answer
from ui.lessons.staging import Staged
from ui.widgets import terms
from ui.widgets.terms import note, say


def question(lesson: Lesson, step: Step) -> None:
    """What is asked, with a button an answer; their numbers are keys."""
    assert step.asks is not None
    with st.container(key="lesson_question"):
        note("Before you look")
        terms.question(step.asks.text)
        for place, choice in enumerate(step.asks.choices):
            st.button(
                choice.text,
                key=f"answer_{place + 1}",
                on_click=give_answer,
                args=(lesson, place),
                shortcut=str(place + 1),
                width="stretch",
            )


def answered(lesson: Lesson, number: int, step: Step, ready: Staged) -> None:
    """What one said, whether it was right, and why; without an answer, which one is right."""
    if step.asks is None:
        return
    said = progress(lesson.key).answers.get(number)
    right = next(choice for choice in step.asks.choices if choice.right)
    with st.container(key="lesson_verdict"):
        if said is not None and not step.asks.choices[said].right:
            wrong = step.asks.choices[said]
            say(f":material/close: Not quite: *{wrong.text}* {reason(wrong, ready)}")
            say(f":material/check: *{right.text}*")
        else:
            say(f":material/check: {'Right: ' if said is not None else ''}*{right.text}* {reason(right, ready)}")


def reason(choice: Choice, ready: Staged) -> str:
    """Why an answer is right or wrong, with the numbers of now."""
    return choice.why.filled([ready.numbers[quantity.text] for quantity in choice.why.quantities])
