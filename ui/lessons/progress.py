"""Where a person is in the lessons: steps seen, questions answered. It stays in the session, and goes nowhere."""

from dataclasses import dataclass, field

import streamlit as st

from ui.lessons.lesson import Lesson, Step
from ui.lessons.library import find
from ui.session.run_config import RunConfig
from ui.session.state import become, change, config

_KEY, _OWN = "_lessons", "_own_settings"


@dataclass
class Progress:
    """What a person did in one lesson; steps from 1, answers from 0."""

    seen: set[int] = field(default_factory=set)
    answers: dict[int, int] = field(default_factory=dict)
    looked: set[int] = field(default_factory=set)

    def open(self, number: int, step: Step) -> bool:
        """Whether the picture of a step may be shown: nothing is asked, or it was answered, or looked up."""
        return step.asks is None or number in self.answers or number in self.looked


def progress(key: str) -> Progress:
    """That of one lesson."""
    return st.session_state.setdefault(_KEY, {}).setdefault(key, Progress())


def present_lesson() -> Lesson | None:
    """The lesson one is in, if it is here."""
    return find(config().lesson) if config().lesson else None


def present_number(lesson: Lesson) -> int:
    """Its step, as far as it has so many."""
    return min(config().step, len(lesson.steps))


def keep_own() -> None:
    """On every run outside a lesson: these are the person's own settings, which come back on leaving one."""
    if not config().lesson:
        st.session_state[_OWN] = config()


def enter(key: str, number: int = 1) -> None:
    """Put the session into the state of a step."""
    lesson = find(key)
    if lesson is None:
        return
    keep_own()
    number = max(1, min(number, len(lesson.steps)))
    become(lesson.steps[number - 1].config.with_(lesson=key, step=number, lecture=config().lecture))


def follow_link(lesson: Lesson) -> None:
    """A link that names a lesson and a step, and nothing else, means that step's own state."""
    plain = config().with_(lesson="", step=1, lecture=False)
    if _OWN not in st.session_state:
        st.session_state[_OWN] = RunConfig()
        if plain == RunConfig():
            enter(lesson.key, config().step)


def leave() -> None:
    """Back to the person's own settings."""
    become(st.session_state.get(_OWN, RunConfig()))


def go_on(lesson: Lesson) -> None:
    """Show the picture if it was asked before; else the next step; after the last one, the overview."""
    number = present_number(lesson)
    done = progress(lesson.key)
    if not done.open(number, lesson.steps[number - 1]):
        done.looked.add(number)
        return
    done.seen.add(number)  # also one whose picture a quick key did not wait for
    if number < len(lesson.steps):
        enter(lesson.key, number + 1)
    else:
        leave()


def go_back(lesson: Lesson) -> None:
    """The step before; before the first one, the overview."""
    number = present_number(lesson)
    if number > 1:
        enter(lesson.key, number - 1)
    else:
        leave()


def say(lesson: Lesson, answer: int) -> None:
    """Answer the question of the present step."""
    progress(lesson.key).answers[present_number(lesson)] = answer


def switch_lecture() -> None:
    """Into lecture mode, or out of it."""
    change(lecture=not config().lecture)
