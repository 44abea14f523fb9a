"""From a TOML file to a Lesson: every value is read by a rule, nothing is executed, and errors name their line."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ui.lessons.lesson import MOST_WORDS, Broken, Choice, Knob, Lesson, Question, Step, Text, read_claim, read_quantity
from ui.pictures import pictures
from ui.session.run_config import RunConfig, read_query
from ui.session.settings import method_concepts, settings
from ui.session.state import PAGES

#: A file of more bytes is no lesson.
MOST_BYTES = 200_000
_LESSON = {
    "title": str,
    "for": str,
    "about": str,
    "minutes": int,
    "paper": str,
    "cover": int,
    "state": dict,
    "step": list,
}
_STEP = {"heading": str, "state": dict, "page": str, "shows": list, "text": str, "note": str, "claims": list} | {
    "knob": dict,
    "asks": dict,
}
_ASKS, _ANSWER, _KNOB = (
    {"question": str, "answers": list},
    {"text": str, "right": bool, "why": str},
    {"name": str, "values": list, "label": str},
)
#: Markdown may hold no HTML, no pictures and no addresses: what a lesson shows, it shows with the app.
_FORBIDDEN = (
    (re.compile(r"<\s*[a-zA-Z/!]"), "HTML is not allowed"),
    (re.compile(r"!\["), "pictures by address are not allowed"),
    (re.compile(r"\]\("), "links are not allowed"),
)


class LessonError(ValueError):
    """What is wrong with a lesson, and in which line."""

    def __init__(self, error: str, line: int = 1):
        super().__init__(error)
        self.line = line


def read_file(path: Path, built_in: bool = False) -> Lesson | Broken:
    """The lesson of a file, or what is wrong with it."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise LessonError(f"the file has more than {MOST_BYTES:,} bytes")
        text = path.read_text(encoding="utf-8-sig")  # editors of Windows begin a file with a mark
        return read_lesson(text, key_of(path), built_in)
    except LessonError as error:
        return Broken(path.name, error.line, str(error), built_in)
    except (OSError, UnicodeDecodeError) as error:
        return Broken(path.name, 1, str(error), built_in)


def key_of(path: Path) -> str:
    """Name of a lesson's file without its number."""
    return re.sub(r"^\d+_", "", path.stem)


def read_lesson(text: str, key: str, built_in: bool = False) -> Lesson:
    """A lesson from the text of its file, or LessonError."""
    if not re.fullmatch(r"\w{1,40}", key):
        raise LessonError("the name of the file must be letters, digits and underscores")
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        line = re.search(r"line (\d+)", str(error))
        raise LessonError(str(error), int(line[1]) if line else len(text.splitlines())) from error
    lines = _Lines(text)
    with _at(lines, 0):
        _check(found, _LESSON, ("title", "for", "minutes", "step"))
        shared = _strings(found.get("state", {}))
        _config(shared)
    steps = []
    for number, raw in enumerate(found["step"], 1):
        with _at(lines, number):
            steps.append(_step(raw, shared, lines.of_step(number)))
    with _at(lines, 0, "minutes"):
        if found["minutes"] < 1:
            raise ValueError(f"a lesson takes 1 minute or more. Got {found['minutes']}")
    with _at(lines, 0, "cover"):
        cover = found.get("cover", 1)
        if not 1 <= cover <= len(steps):
            raise ValueError(f"cover must be the number of a step, from 1 to {len(steps)}. Got {cover}")
    texts = [_plain(found.get(name, ""), name) for name in ("title", "for", "about")]
    paper = found.get("paper", "")
    return Lesson(key, texts[0], texts[1], found["minutes"], paper, tuple(steps), cover - 1, built_in, texts[2])


def _step(raw: Any, shared: Mapping[str, str], line: int) -> Step:
    _check(raw, _STEP, ("heading", "page", "shows", "text"))
    config = _config({**shared, **_strings(raw.get("state", {}))})
    pages = {path.stem.split("_", 1)[1] for path in PAGES.glob("[0-9]*_*.py")}
    if raw["page"] not in pages - {"lessons"}:
        raise _NamedError(
            "page", f"there is no page {raw['page']!r}; there are {', '.join(sorted(pages - {'lessons'}))}"
        )
    unknown = [name for name in raw["shows"] if not isinstance(name, str) or name not in pictures()]
    if unknown or not 1 <= len(raw["shows"]) <= 2:
        known = ", ".join(sorted(pictures()))
        raise _NamedError("shows", f"one or two of {known}. Got {', '.join(map(str, raw['shows'])) or 'none'}")
    with _naming("claims"):
        claims = tuple(read_claim(str(claim)) for claim in raw.get("claims", []))
    return Step(
        _plain(raw["heading"], "heading"),
        config,
        raw["page"],
        tuple(raw["shows"]),
        read_text(raw["text"], "text", MOST_WORDS),
        _plain(raw.get("note", ""), "note"),
        _question(raw["asks"]) if "asks" in raw else None,
        _knob(raw["knob"], config) if "knob" in raw else None,
        claims,
        line,
    )


def _config(state: Mapping[str, str]) -> RunConfig:
    """The state, read exactly as a URL is."""
    config, refused = read_query(state)
    if refused:
        raise _NamedError("state", "; ".join(wrong for wrong, _ in refused), refused[0][0].split("=")[0])
    return config


def _question(raw: Any) -> Question:
    with _naming("asks"):
        _check(raw, _ASKS, ("question", "answers"))
        choices = []
        for answer in raw["answers"]:
            _check(answer, _ANSWER, ("text", "why"))
            why = read_text(answer["why"], "why", MOST_WORDS)
            choices.append(Choice(_plain(answer["text"], "text"), answer.get("right", False), why))
        if not 2 <= len(choices) <= 4 or sum(choice.right for choice in choices) != 1:
            raise ValueError("a question has two to four answers, and exactly one of them is right")
        return Question(_plain(raw["question"], "question"), tuple(choices))


def _knob(raw: Any, config: RunConfig) -> Knob:
    with _naming("knob"):
        _check(raw, _KNOB, ("name", "values"))
        name = raw["name"]
        if name not in settings():
            raise ValueError(f"{name!r} is no setting")
        values = []
        for text in raw["values"]:
            try:
                values.append(settings()[name].read(str(text)))
            except ValueError as error:
                raise ValueError(f"{name}={text}: {error}") from error
        if getattr(config, name) not in values:
            raise ValueError(f"the state's {name} = {settings()[name].text(getattr(config, name))} is no value of it")
        concept = method_concepts().get(name)
        return Knob(name, tuple(values), _plain(raw.get("label", concept.label if concept else name), "label"))


def read_text(source: str, name: str, most_words: int) -> Text:
    """Markdown with quantities between braces; ValueError says what was wrong."""
    _words(source, name)
    parts = re.split(r"\{([^{}]*)\}", source.strip())
    with _naming(name):
        if any(set("{}") & set(piece) for piece in parts[::2]):
            raise ValueError(f"{name}: a quantity stands between one brace and another, such as {{score(eac)}}")
        text = Text(source, tuple(read_quantity(part) for part in parts[1::2]), tuple(parts[::2]))
        n = len(text.filled(["0"] * len(text.quantities)).split())
        if n > most_words:
            raise ValueError(f"{name} has {n} words; {most_words} is the most")
    return text


def _plain(text: str, name: str) -> str:
    """Markdown that holds nothing but words, and no quantity either."""
    if set("{}") & set(text):
        raise _NamedError(name, f"{name}: quantities between braces stand in a step's text and in a why alone")
    return _words(text, name)


def _words(text: str, name: str) -> str:
    """Markdown without what no lesson may hold."""
    for pattern, error in _FORBIDDEN:
        if pattern.search(text):
            raise _NamedError(name, f"{name}: {error}")
    return text.strip()


def _check(raw: Any, known: Mapping[str, type], needed: tuple[str, ...]) -> None:
    """A table has no unknown names, the needed ones, and values of the right kind."""
    if not isinstance(raw, dict):
        raise ValueError("must be a table")
    for name, value in raw.items():
        if name not in known:
            raise _NamedError(name, f"{name!r} is unknown here; there are {', '.join(known)}")
        if not isinstance(value, known[name]) or (isinstance(value, bool) and known[name] is int):
            raise _NamedError(name, f"{name} must be {_KINDS[known[name]]}")
    missing = [name for name in needed if name not in raw]
    if missing:
        raise ValueError(f"{', '.join(missing)} missing")


_KINDS = {str: "text", int: "a whole number", dict: "a table", list: "a list", bool: "true or false"}


def _strings(raw: Mapping[str, Any]) -> dict[str, str]:
    """Settings as a URL holds them: numbers become text, true and false become yes and no."""
    words = {True: "yes", False: "no"}
    return {key: words[value] if isinstance(value, bool) else str(value) for key, value in raw.items()}


class _NamedError(ValueError):
    """An error with the names near which it stands in the file."""

    def __init__(self, name: str, error: str, inner: str = ""):
        super().__init__(error)
        self.names = [inner, name] if inner else [name]


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """An error inside stands near this name."""
    try:
        yield
    except _NamedError:
        raise
    except ValueError as error:
        raise _NamedError(name, str(error)) from error


@contextmanager
def _at(lines: "_Lines", step: int, name: str = "") -> Iterator[None]:
    """An error inside is one of this step."""
    try:
        yield
    except ValueError as error:
        names = getattr(error, "names", [name] if name else [])
        raise LessonError((f"step {step}: " if step else "") + str(error), lines.near(step, names)) from error


class _Lines:
    """Where things stand in a file."""

    def __init__(self, text: str):
        self._lines = text.splitlines()
        starts = [i for i, line in enumerate(self._lines) if re.match(r"\s*\[\[\s*step\s*\]\]", line)]
        self._starts = [0, *starts, len(self._lines)]

    def of_step(self, step: int) -> int:
        """Line of a step's beginning, from 1."""
        return self._starts[min(step, len(self._starts) - 1)] + 1

    def near(self, step: int, names: list[str]) -> int:
        """First line of a step that sets one of these names, the first one found; else where the step begins."""
        first = self._starts[min(step, len(self._starts) - 2)]
        last = self._starts[min(step + 1, len(self._starts) - 1)]
        for name in names:
            for place in range(first, last):
                if re.match(rf"\s*(\[+\s*(step\.)?{re.escape(name)}\s*\]+|{re.escape(name)}\s*=)", self._lines[place]):
                    return place + 1
        return first + 1
