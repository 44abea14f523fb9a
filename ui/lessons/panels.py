"""What the Lessons page is made of: cards, a step and its question, and the presenter's notes in a second window."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from ui.compute.jobs import State
from ui.figures.copies import bare, enlarged
from ui.lessons.handout import handout
from ui.lessons.lesson import Choice, Knob, Lesson, Step
from ui.lessons.library import (
    FOLDER,
    broken,
    enter,
    go_back,
    go_on,
    leave,
    lessons,
    present_number,
    progress,
    switch_lecture,
)
from ui.lessons.staging import Staged, ahead, staged
from ui.pictures import pictures, title_of
from ui.session.bound import is_echo, show
from ui.session.run_config import RunConfig
from ui.session.settings import settings
from ui.session.state import change, change_by, page_file, theme
from ui.widgets import terms
from ui.widgets.chart import chart
from ui.widgets.progress import boxed, settle
from ui.widgets.terms import note, page_title, say, subtitle, warn


def question(lesson: Lesson, number: int, step: Step) -> None:
    """What is asked, with a button an answer; their numbers are keys."""
    assert step.asks is not None
    with st.container(key="lesson_question"):
        note("Before you look")
        terms.question(step.asks.text)
        for place, choice in enumerate(step.asks.choices):
            st.button(
                choice.text,
                key=f"answer_{place + 1}",
                on_click=_answer,
                args=(lesson.key, number, place),
                shortcut=str(place + 1),
                width="stretch",
            )


def _answer(lesson: str, number: int, place: int) -> None:
    progress(lesson).answers[number] = place


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


COLUMNS, THUMBNAIL = 4, (176, 120)
#: Words in lecture mode are so many times larger.
LECTURE = 1.3
_NOTE = "_lesson_note"


def overview() -> None:
    """A card for every lesson, and what is wrong with those that cannot be read."""
    page_title("What would you like to understand?")
    say(
        "Each lesson is a lecture of some minutes whose pictures are live. It asks before it tells, "
        "and what it claims was tested on several ensembles."
    )
    ahead(None, theme())
    found = lessons()
    with st.container(key="lesson_cards"):
        for first in range(0, len(found), COLUMNS):
            for lesson, column in zip(found[first:], st.columns(COLUMNS, gap="small"), strict=False):
                with column:
                    _card(lesson, found.index(lesson) + 1)
    _broken()
    say(
        "> **Try this**: open a lesson, press the right arrow, and answer before you look. "
        f"Lessons of your own are files in a folder that `{FOLDER}` names."
    )


def _card(lesson: Lesson, number: int) -> None:
    """Picture, title, minutes, how far one has come."""
    with st.container(border=True, key=f"card_{lesson.key}", height="stretch"):
        _thumbnail(lesson)
        say(f"**{number}. {lesson.title}**")
        seen = len(progress(lesson.key).seen)
        note(f"{lesson.minutes} minutes, {len(lesson.steps)} steps. {lesson.audience}")
        if seen:
            st.progress(min(1.0, seen / len(lesson.steps)), text=f"{seen} of {len(lesson.steps)} steps seen")
        words = "Begin" if not seen else "Again" if seen == len(lesson.steps) else "Go on"
        with st.container(horizontal=True, gap="xsmall"):
            begin = {"on_click": enter, "args": (lesson.key, _next_unseen(lesson)), "width": "stretch"}
            st.button(words, key=f"open_{lesson.key}", **begin)
            st.download_button(
                "",
                partial(handout, lesson),
                f"{lesson.key}.html",
                "text/html",
                key=f"handout_{lesson.key}",
                on_click="ignore",
                icon=":material/print:",
                help="Handout: the lesson as one page to print, with its questions, and the answers at the end.",
                width="content",
            )
            with st.popover("", icon=":material/link:", help="For a syllabus: two lines and a link."):
                st.code(syllabus(lesson, st.context.url or ""), language=None, wrap_lines=True)


def syllabus(lesson: Lesson, url: str) -> str:
    """What stands in a syllabus: title, what it is about, minutes, and the address of the lesson."""
    there = f"{url.partition('?')[0]}?lesson={lesson.key}"
    return f"{lesson.title}\n{lesson.about or lesson.audience}\n{lesson.minutes} minutes, {there}"


def _next_unseen(lesson: Lesson) -> int:
    seen = progress(lesson.key).seen
    return next((number for number in range(1, len(lesson.steps) + 1) if number not in seen), 1)


def _thumbnail(lesson: Lesson) -> None:
    """The first picture of the lesson's cover, bare; drawn once it is there."""
    step = lesson.steps[lesson.cover]
    job = staged(step, step.config, theme(), f"cover_{lesson.key}")
    with st.container(height=THUMBNAIL[1] + 4, border=False, key=f"cover_{lesson.key}"):
        if not job.wait(0.15):
            _await_thumbnail(job)
        elif job.state is State.DONE:
            _bare(lesson, job.future.result())
        else:  # opened, the lesson says why
            note("No picture")


@boxed(run_every=0.5)
def _await_thumbnail(job) -> None:
    """Look again, until the picture is there; then the page is drawn with it."""
    note("Drawing ...")
    if job.future.done():
        st.rerun()


def _bare(lesson: Lesson, ready: Staged) -> None:
    figure = bare(ready.figures[lesson.steps[lesson.cover].shows[0]], *THUMBNAIL)
    chart(figure, f"thumbnail_{lesson.key}", width="content")


def _broken() -> None:
    """Files that are no lessons, each with its error and line."""
    for one in broken():
        warn(f"**{one.file}**, line {one.line}: {one.error}", icon=":material/error:")


# -------------------------------------------------------------------------------------------- a step


def step(lesson: Lesson, now: RunConfig) -> None:
    """One step: the picture or the question on the left, words and the knob on the right."""
    number = present_number(lesson, now)
    one, done = lesson.steps[number - 1], progress(lesson.key)
    _css(now.lecture)
    _top(lesson, number, now)
    left, right = st.columns([3, 1], gap="medium")
    if not done.open(number, one):
        with left:
            question(lesson, number, one)
        with right:
            _aside(lesson, number, now, None)
        staged(one, one.config, theme())  # made while one thinks
        return
    with left:
        ready = settle(staged(one, now, theme()), "Preparing the step", "lesson_step")
        if ready is not None:
            _show(one, ready, now.lecture)
    with right:
        _aside(lesson, number, now, ready)
    if ready is not None:
        done.seen.add(number)
        ahead(lesson.steps[number] if number < len(lesson.steps) else None, theme())


def _css(lecture: bool) -> None:
    """The lesson fills the window."""
    sheets = ["step.css", *(["lecture.css"] if lecture else [])]
    st.html("<style>" + "".join(Path(__file__).with_name(sheet).read_text() for sheet in sheets) + "</style>")


def _top(lesson: Lesson, number: int, now: RunConfig) -> None:
    """Overview, title, a button a step, lecture mode."""
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_top"):
        st.button("Overview", key="lesson_overview", icon=":material/apps:", on_click=leave, shortcut="O")
        say(f"**{lesson.title}**", width="stretch")
        with st.container(horizontal=True, key="lesson_steps", width="content", gap=None):
            for place, one in enumerate(lesson.steps, 1):
                seen = place in progress(lesson.key).seen
                st.button(
                    str(place),
                    key=f"step_{place}",
                    type="primary" if place == number else "secondary" if seen else "tertiary",
                    help=f"{one.heading}: back to how it begins" if place == number else one.heading,
                    on_click=enter,
                    args=(lesson.key, place),
                )
        if st.button("Play with this", key="lesson_play", icon=":material/tune:", shortcut="P"):
            st.switch_page(page_file(lesson.steps[number - 1].page), query_params=now.to_query())
        words = "Desk" if now.lecture else "Lecture"
        st.button(
            words,
            key="lesson_lecture",
            icon=":material/present_to_all:",
            on_click=switch_lecture,
            shortcut="L",
            help="Lecture mode: larger words, for a room.",
        )


def _show(one: Step, ready: Staged, lecture: bool) -> None:
    """One picture, or two: beside each other, or a flat one below."""
    known = pictures()
    tall = [name for name in one.shows if not known[name].flat] or list(one.shows[:1])
    flat = [name for name in one.shows if name not in tall]
    with st.container(key="lesson_stage_low" if flat else "lesson_stage"):
        for name, column in zip(tall, st.columns(len(tall), gap="medium"), strict=True):
            with column:
                _picture(name, ready, lecture)
    for name in flat:
        _picture(name, ready, lecture, flat=True)


def _picture(name: str, ready: Staged, lecture: bool, flat: bool = False) -> None:
    say(f"**{title_of(name, ready.figures[name])}**")
    figure = enlarged(ready.figures[name], LECTURE) if lecture else ready.figures[name]
    chart(figure, f"lesson_{name}", **({} if flat else {"height": "stretch"}))


def _aside(lesson: Lesson, number: int, now: RunConfig, ready: Staged | None) -> None:
    """Words, what one answered, the knob, and the ways on."""
    one = lesson.steps[number - 1]
    opened = progress(lesson.key).open(number, one)
    moves = one.knob if ready is not None else None
    with st.container(key="lesson_words_low" if moves else "lesson_words"):
        if now.lecture:
            _note(lesson, number, one)
        subtitle(one.heading if opened else "A question first")
        if ready is not None:
            answered(lesson, number, one, ready)
            say(one.text.filled([ready.numbers[quantity.text] for quantity in one.text.quantities]))
        elif not opened:
            note("Answer first, by its number if you like. Or go on, and look.")
    if moves is not None:
        _knob(lesson, number, now, moves)
    with st.container(horizontal=True, key="lesson_ways", gap="xsmall"):
        st.button("Back", key="lesson_back", on_click=go_back, args=(lesson,), shortcut="Left")
        words = "Look" if not opened else "Finish" if number == len(lesson.steps) else "Next"
        st.button(words, key="lesson_next", type="primary", on_click=go_on, args=(lesson,), shortcut="Right")
        if now.lecture:
            notes = f"?lesson={lesson.key}&step={number}&notes=yes"
            st.link_button("Notes", notes, type="tertiary", help="Notes in a second window, which follows this one.")
        if now.lecture and one.note:
            st.button(
                "Note",
                key="lesson_note",
                type="tertiary",
                on_click=_switch_note,
                args=(lesson.key, number),
                shortcut="N",
            )


def _knob(lesson: Lesson, number: int, now: RunConfig, knob: Knob) -> None:
    """The one setting that moves here. Its stops are texts: pairs would make a slider with two ends."""
    setting, key = settings()[knob.name], f"lesson_knob_{knob.name}"
    present = getattr(now, knob.name)
    stops = _with(present, knob.values)
    show(key, setting.text(present))
    st.select_slider(
        knob.label,
        [setting.text(value) for value in stops],
        setting.text(getattr(lesson.steps[number - 1].config, knob.name)),
        key=key,
        format_func=lambda text: "all" if (knob.name, text) == _ALL else text.removesuffix(".0"),
        on_change=_move,
        args=(lesson.key, number, knob.name),
        help=setting.sentence,
    )


def _with(present: Any, stops: Sequence[Any]) -> list[Any]:
    """The stops, and one that a link brought in its place among them; at the end where there is no order.

    >>> _with(7, (1, 5, 20)), _with("eac", ("lwea", "pta"))
    ([1, 5, 7, 20], ['lwea', 'pta', 'eac'])
    """
    if present in stops:
        return list(stops)
    numbers = all(isinstance(one, int | float) for one in (present, *stops)) and list(stops) == sorted(stops)
    return sorted([*stops, present]) if numbers else [*stops, present]


#: A K of so many keeps every link.
_ALL = ("K", "1000")


def _move(lesson: str, number: int, name: str) -> None:
    """Change what the knob says, in the step where it stands: its news may come after one has left."""
    key = f"lesson_knob_{name}"
    if not is_echo(key, name):
        value = settings()[name].read(st.session_state[key])
        change_by(lambda now: now.with_(**{name: value}) if (now.lesson, now.step) == (lesson, number) else now)


def _note(lesson: Lesson, number: int, one: Step) -> None:
    """The presenter's note, on demand, in lecture mode; the step after it hides its own again."""
    if one.note and st.session_state.get(_NOTE) == (lesson.key, number):
        note(f"For you: {one.note}")


def _switch_note(lesson: str, number: int) -> None:
    st.session_state[_NOTE] = None if st.session_state.get(_NOTE) == (lesson, number) else (lesson, number)


_KEY = "second_window"
_channel = st.components.v2.component(
    "concord_second_window", js=Path(__file__).with_name("second_window.js").read_text(encoding="utf-8")
)


def tell_second_window(lesson: Lesson, number: int) -> None:
    """Tell a window with notes, if one is open, which step is shown."""
    _channel(key=_KEY, data={"lesson": lesson.key, "step": number})


def second_window(lesson: Lesson, number: int) -> None:
    """The window with notes: what to say here, what was asked, and what comes next."""
    _channel(key=_KEY, data={"listens": True}, on_shown_change=_follow)
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
