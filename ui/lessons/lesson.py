"""What a lesson is, and what it may say of a scene: plain data, read with a grammar of a few lines.

    quantity  name | name(word, ..., setting=value, ...)
    side      number | quantity | quantity + number | quantity - number
    claim     side OP side, where OP is one of  >=  <=  >  <  ==

A name is a fact of `ui.lessons.facts`; the words are what it takes; a setting is changed for this quantity alone.
Nothing of a text is ever executed.
"""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ui.lessons.facts import facts
from ui.lessons.facts.vocabulary import WORDS, measured
from ui.scene import Scene
from ui.session.run_config import RunConfig
from ui.session.settings import settings, value_of

_QUANTITY = re.compile(r"([a-z_]+)\s*(?:\(([^()]*)\))?")
_NUMBER = re.compile(r"\d*\.?\d+%?")
_SIDE = re.compile(r"\s*([a-z_]+\s*(?:\([^()]*\))?|\d*\.?\d+%?)\s*(?:([+-])\s*(\d*\.?\d+%?))?\s*")
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}


@dataclass(frozen=True)
class Quantity:
    """A fact, what stands in its brackets, and the settings that are changed for it."""

    name: str
    words: tuple[str, ...] = ()
    changes: tuple[tuple[str, Any], ...] = ()
    text: str = field(default="", compare=False, repr=False)

    def of(self, scene: Scene) -> float:
        """The number, in this scene."""
        return measured(self.name, scene.varied(**dict(self.changes)), self.words)

    def written(self, scene: Scene) -> str:
        """The number as it stands in a text."""
        return facts()[self.name].write(self.of(scene))


@dataclass(frozen=True)
class Side:
    """A quantity and a number that is added; or the number alone."""

    quantity: Quantity | None
    plus: float

    def of(self, scene: Scene) -> float:
        """The number, in this scene."""
        return self.plus + (self.quantity.of(scene) if self.quantity else 0.0)


@dataclass(frozen=True)
class Claim:
    """Two sides and how they compare."""

    text: str
    left: Side = field(compare=False)
    compared: str = field(compare=False)
    right: Side = field(compare=False)

    def holds(self, scene: Scene) -> bool:
        """Whether it is true in this scene."""
        return _COMPARE[self.compared](self.left.of(scene), self.right.of(scene))


def read_quantity(text: str) -> Quantity:
    """A quantity from its text; ValueError says what was wrong.

    >>> read_quantity("score(eac, m=5)")
    Quantity(name='score', words=('eac',), changes=(('m', 5),))
    """
    found = _QUANTITY.fullmatch(text.strip())
    if not found:
        raise ValueError(f"{text.strip()!r} is no quantity, such as score(eac)")
    name, inside = found[1], [part.strip() for part in (found[2] or "").split(",") if part.strip()]
    if name not in facts():
        raise ValueError(f"{name!r} is no fact; there are {', '.join(sorted(facts()))}")
    words = tuple(part for part in inside if "=" not in part)
    changes = tuple(_change(part) for part in inside if "=" in part)
    return Quantity(name, _checked(name, words), changes, text.strip())


def _checked(name: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a fact, each read by its rule."""
    kinds = facts()[name].words
    if len(words) > len(kinds):
        raise ValueError(f"{name} takes {', '.join(kinds) or 'nothing'} in its brackets. Got {', '.join(words)}")
    for kind, word in zip(kinds, words, strict=False):
        try:
            value_of(WORDS[kind], word)
        except ValueError as error:
            raise ValueError(f"{name}: its {kind} {error}. Got {word}") from error
    return words


def _change(text: str) -> tuple[str, Any]:
    """A setting and its value, read as a URL is."""
    name, value = (part.strip() for part in text.split("=", 1))
    if name not in settings():
        raise ValueError(f"{name!r} is no setting")
    try:
        return name, settings()[name].read(value)
    except ValueError as error:
        raise ValueError(f"{name}={value}: {error}") from error


def read_claim(text: str) -> Claim:
    """A claim from its text; ValueError says what was wrong."""
    comparisons = [(at.start(), at.end(), at[0]) for at in re.finditer(r">=|<=|==|>|<", text)]
    if len(comparisons) != 1:
        raise ValueError(f"{text!r} is no claim: two sides and one of {', '.join(_COMPARE)} between them")
    start, end, compared = comparisons[0]
    return Claim(text.strip(), _side(text[:start]), compared, _side(text[end:]))


def _side(text: str) -> Side:
    found = _SIDE.fullmatch(text)
    if not found:
        raise ValueError(f"{text.strip()!r} is no side of a claim: a number or a quantity, with a number added")
    plus = _number(found[3]) * (-1 if found[2] == "-" else 1) if found[2] else 0.0
    if _NUMBER.fullmatch(found[1]):
        return Side(None, plus + _number(found[1]))
    return Side(read_quantity(found[1]), plus)


def _number(text: str) -> float:
    return float(text[:-1]) / 100 if text.endswith("%") else float(text)


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
    """One screen: a state, checked as a URL is, with one or two pictures of `ui.pictures` and a text.

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
