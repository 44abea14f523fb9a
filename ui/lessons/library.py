"""All lessons, those of the app and of the folder that `CONCORD_LESSONS` names; and where a person is in them.

Steps seen and questions answered stay in the session, and go nowhere.
"""

import os
import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from ui.compute import uploads
from ui.lessons.facts import Fact, facts
from ui.lessons.lesson import Broken, Lesson, Step
from ui.lessons.reading import read_file
from ui.pictures import pictures
from ui.session.run_config import RunConfig, from_query
from ui.session.settings import settings
from ui.session.state import adjust, change_by

BUILT_IN = Path(__file__).parent / "built_in"
#: The environment variable that names a lecturer's folder.
FOLDER = "CONCORD_LESSONS"


def lessons() -> list[Lesson]:
    """Every lesson that can be read, the app's own first."""
    return [one for one in _found() if isinstance(one, Lesson)]


def broken() -> list[Broken]:
    """Every file that cannot, with its error."""
    return [one for one in _found() if isinstance(one, Broken)]


def find(key: str) -> Lesson | None:
    """The lesson of this name."""
    return next((one for one in lessons() if one.key == key), None)


def _found() -> list[Lesson | Broken]:
    own = os.environ.get(FOLDER, "")
    return in_folder(BUILT_IN, built_in=True) + (in_folder(Path(own)) if own else [])


def in_folder(folder: Path, built_in: bool = False) -> list[Lesson | Broken]:
    """The lessons of a folder in the order of their names, and what is wrong with the others."""
    if not folder.is_dir():
        return [Broken(str(folder), 1, "there is no such folder", built_in)]
    builtin = [] if built_in else in_folder(BUILT_IN, built_in=True)
    taken = {one.key: "the app" for one in builtin if isinstance(one, Lesson)}
    return [_named(path, built_in, taken) for path in sorted(folder.glob("*.toml"), key=_by_number)]


def _named(path: Path, built_in: bool, taken: dict[str, str]) -> Lesson | Broken:
    """A file, unless another lesson has its name: an address could mean either. `taken` says who has which."""
    found = _read(path, path.stat().st_mtime_ns, built_in)
    if isinstance(found, Lesson):
        if found.key in taken:
            return Broken(path.name, 1, f"a lesson of {taken[found.key]} has this name", built_in)
        taken[found.key] = path.parent.name
    return found


def _by_number(path: Path) -> list[str | int]:
    """Numbers in a name count as such: 10 comes after 9."""
    return [int(part) if part.isdigit() else part for part in re.split("([0-9]+)", path.name)]


@lru_cache(maxsize=256)
def _read(path: Path, changed: int, built_in: bool) -> Lesson | Broken:
    """A file, read anew once it changes."""
    return read_file(path, built_in)


def vocabulary() -> str:
    """All facts and pictures as two tables in Markdown, as they stand in `docs/writing_a_lesson.md`."""
    rows = ["| fact | what it is |", "|---|---|"]
    rows += [f"| `{_called(one)}` | {one.sentence} |" for one in facts().values()]
    rows += ["", "| picture | what it shows |", "|---|---|"]
    rows += [f"| `{one.name}` | {one.what} |" for one in pictures().values()]
    return "\n".join(rows)


def _called(one: Fact) -> str:
    return one.name + (f"({', '.join(one.words)})" if one.words else "")


_KEY, _OWN, _LOST, _LARGE = "_lessons", "_own_settings", "_own_lost", "_lecture"


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


def present_lesson(now: RunConfig) -> Lesson | None:
    """The lesson one is in, if it is here."""
    return find(now.lesson) if now.lesson else None


def present_number(lesson: Lesson, now: RunConfig) -> int:
    """Its step, as far as it has so many."""
    return min(now.step, len(lesson.steps))


def keep_own(now: RunConfig) -> None:
    """On every run outside a lesson: these are the person's own settings, which come back on leaving one."""
    if not now.lesson:
        st.session_state[_OWN] = now
        st.session_state.pop(_LOST, None)


def own_settings() -> str | None:
    """The person's own settings as a query, for the browser's tab to remember; None where they are not known."""
    own: RunConfig | None = st.session_state.get(_OWN)
    return None if own is None or _LOST in st.session_state else urlencode(own.to_query())


def give_back(query: str) -> None:
    """Take the own settings that the tab remembers, as long as nothing else is known of them."""
    if st.session_state.pop(_LOST, None) or _OWN not in st.session_state:
        own = from_query(dict(parse_qsl(query)))[0].with_(lesson="", step=1, lecture=False)
        st.session_state[_OWN] = own
        for name in {own.data, *own.sets}:
            with suppress(uploads.MissingUploadError):
                uploads.find(name)  # which this session uses, though nothing shows it yet


def enter(key: str, number: int = 1) -> None:
    """Put the session into the state of a step."""
    lesson = find(key)
    if lesson is not None:
        change_by(lambda now: _entered(lesson, number, now))


def _entered(lesson: Lesson, number: int, now: RunConfig) -> RunConfig:
    keep_own(now)
    large = now.lecture if now.lesson else st.session_state.get(_LARGE, now.lecture)
    return _state(lesson, max(1, min(number, len(lesson.steps))), large)


def _state(lesson: Lesson, number: int, large: bool) -> RunConfig:
    return lesson.steps[number - 1].config.with_(lesson=lesson.key, step=number, lecture=large)


def kept_to_step(lesson: Lesson, now: RunConfig) -> RunConfig:
    """A step stands in its own state, but for its knob: whoever comes with another one is brought back to it.

    So does a link that names a lesson and a step, and nothing else.
    """
    number = present_number(lesson, now)
    own, knob = _state(lesson, number, now.lecture), lesson.steps[number - 1].knob
    lost = _OWN not in st.session_state
    plain = lost and now.with_(lesson="", step=1, lecture=False) == RunConfig()
    if lost:  # by a link, or by a reload of the page: then the tab has them
        st.session_state[_OWN], st.session_state[_LOST] = RunConfig(), True
    if plain or now.differs_in(own) - ({knob.name} if knob else set()):
        return adjust(**{name: getattr(own, name) for name in settings()})
    return now


def leave() -> None:
    """Back to the person's own settings; the next lesson is as large as this one."""
    change_by(_left)


def _left(now: RunConfig) -> RunConfig:
    st.session_state[_LARGE] = now.lecture
    return st.session_state.get(_OWN, RunConfig())


def go_on(lesson: Lesson) -> None:
    """Show the picture if it was asked before; else the next step; after the last one, the overview."""

    def further(now: RunConfig) -> RunConfig:
        number, done = present_number(lesson, now), progress(lesson.key)
        if not done.open(number, lesson.steps[number - 1]):
            done.looked.add(number)
            return now
        done.seen.add(number)  # also one whose picture a quick key did not wait for
        return _entered(lesson, number + 1, now) if number < len(lesson.steps) else _left(now)

    change_by(further)


def go_back(lesson: Lesson) -> None:
    """The step before; before the first one, the overview."""

    def before(now: RunConfig) -> RunConfig:
        number = present_number(lesson, now)
        return _entered(lesson, number - 1, now) if number > 1 else _left(now)

    change_by(before)


def switch_lecture() -> None:
    """Into lecture mode, or out of it."""
    change_by(lambda now: now.with_(lecture=not now.lecture))
