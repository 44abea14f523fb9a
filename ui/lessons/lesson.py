"""What a lesson is: plain data."""

from dataclasses import dataclass, field
from typing import Any

from ui.lessons.claims import Claim, Quantity
from ui.session.run_config import RunConfig

#: A text of a step has at most so many words: people look at the picture.
MOST_WORDS = 60


@dataclass(frozen=True)
class Text:
    """Markdown with quantities in it, which stand between braces."""

    source: str
    quantities: tuple[Quantity, ...]
    pieces: tuple[str, ...]

    def filled(self, numbers: list[str]) -> str:
        """The text with its numbers written in."""
        return self.pieces[0] + "".join(number + piece for number, piece in zip(numbers, self.pieces[1:], strict=True))


@dataclass(frozen=True)
class Choice:
    """An answer one may give, whether it is right, and why."""

    text: str
    right: bool
    why: Text


@dataclass(frozen=True)
class Question:
    """What is asked before the picture is shown."""

    text: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Knob:
    """The one setting that moves in a step, and the values it takes."""

    name: str
    values: tuple[Any, ...]
    label: str


@dataclass(frozen=True)
class Step:
    """One screen: a state, checked as a URL is, with one or two pictures of `ui.lessons.pictures` and a text.

    `page` is the name of the file that "play with this" opens, `note` is for whoever lectures, `line` where the step
    begins in its file.
    """

    heading: str
    config: RunConfig
    page: str
    shows: tuple[str, ...]
    text: Text
    note: str = ""
    asks: Question | None = None
    knob: Knob | None = None
    claims: tuple[Claim, ...] = ()
    line: int = 0

    @property
    def quantities(self) -> list[Quantity]:
        """Every number of the step's texts, once."""
        texts = [self.text, *(choice.why for choice in (self.asks.choices if self.asks else ()))]
        return list(dict.fromkeys(quantity for text in texts for quantity in text.quantities))


@dataclass(frozen=True)
class Lesson:
    """A lecture: its title is a question, `about` two sentences for a syllabus, `paper` what to read afterwards.

    `key` is the name of its file without the number that orders it, `cover` the step whose picture stands on its card.
    """

    key: str
    title: str
    audience: str
    minutes: int
    paper: str
    steps: tuple[Step, ...] = field(repr=False)
    cover: int = 0
    built_in: bool = True
    about: str = ""


@dataclass(frozen=True)
class Broken:
    """A file that is no lesson yet, and what is wrong with it."""

    file: str
    line: int
    error: str
    built_in: bool = False

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.error}"
