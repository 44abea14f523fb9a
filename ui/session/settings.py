"""Settings: what a session keeps, each declared once, beside what it decides, and collected by looking.

A topic of `ui.scene`, or a room of `ui`, for which something is kept says so in a tuple `SETTINGS` of its own. The
parameters of all methods and generators are settings too, one for each concept. The session's RunConfig, the URL, the
rules of what resets what, and the tests of all that are read off these declarations. Kinds beside those of parameters
are here: words of a registry, names, lists, places and ranges.
"""

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine import consensus_methods
from engine.generators import generator_concepts
from engine.params import Float, Kind, ParamSpec, RefusedError, Words
from engine.runtime.errors import listed
from engine.similarities import pair_evidence

#: A URL holds so many ranges of picked objects; what is scattered wider stays in the session.
MAX_RANGES = 150
#: A link may pick so many objects: each takes memory before anybody knows whether it is there.
MAX_PICKED = 10_000_000


def value_of(kind: Kind, text: str) -> Any:
    """The value that a text stands for; ValueError says what it must be."""
    try:
        return kind.read(kind.parse(text))
    except RefusedError:
        raise ValueError(f"must be {kind.text_rule}") from None


@dataclass(frozen=True)
class Among(Words):
    """One of several words, asked for when they are needed: a registry may grow.

    Attributes
    ----------
    offered : iterable of str, or a function that gives one
        A mapping says what people call each word, or has things with a `title`.
    """

    offered: Callable[[], Iterable[str]] | Iterable[str] = ()

    def _now(self) -> Iterable[str]:
        return self.offered() if callable(self.offered) else self.offered

    @property
    def choices(self) -> tuple[str, ...]:
        """The words."""
        return tuple(self._now())

    @property
    def titles(self) -> dict[str, str]:
        """What people call each word, where that is something else."""
        named = self._now()
        if not isinstance(named, Mapping):
            return {}
        return {key: one if isinstance(one, str) else one.title for key, one in named.items()}

    @property
    def _rule(self) -> str:
        return f"one of {listed(filter(None, self.choices))}"


@dataclass(frozen=True)
class Unordered(Kind):
    """Values that nobody steps through."""

    form: str = ""

    @property
    def _rule(self) -> str:
        return self.form

    def stops(self, default: Any) -> tuple[Any, ...]:
        """The default alone."""
        return (default,)

    def ladder(self, low: Any = None, high: Any = None, n: int = 7) -> tuple[Any, ...]:
        """No values at all."""
        return ()

    def refused(self) -> list[Any]:
        """A number alone."""
        return [3.5]


@dataclass(frozen=True)
class Written(Unordered):
    """Text of a pattern; `form` says which in words."""

    pattern: str = r"\w{1,40}"
    form: str = "a name"

    def _read(self, value: Any) -> str:
        if not isinstance(value, str) or not re.fullmatch(self.pattern, value):
            raise RefusedError(value)
        return value


@dataclass(frozen=True)
class FileName(Written):
    """A name that files may have: commas, which part several names in a URL, are written as elsewhere in one."""

    def _text(self, value: Any) -> str:
        return value.replace("%", "%25").replace(",", "%2C")

    def _parse(self, text: str) -> Any:
        return text.replace("%2C", ",").replace("%25", "%")


@dataclass(frozen=True)
class Places(Unordered):
    """Numbers from 0, in a URL joined by dots: exactly `n` of them, or any number, ascending and each once."""

    n: int | None = None
    most: int = 999_999_999
    form: str = "numbers joined by dots, such as 0.3.7"

    @property
    def _rule(self) -> str:
        return self.form if self.n is None else f"{self.n} numbers joined by dots"

    def _read(self, value: Any) -> tuple[int, ...]:
        if not isinstance(value, tuple) or not all(type(one) is int and 0 <= one <= self.most for one in value):
            raise RefusedError(value)
        if self.n is not None and len(value) != self.n:
            raise RefusedError(value)
        return tuple(sorted(set(value))) if self.n is None else value

    def _text(self, value: Any) -> str:
        return ".".join(map(str, value))

    def _parse(self, text: str) -> Any:
        return tuple(map(int, text.split("."))) if re.fullmatch(r"\d{1,9}(\.\d{1,9})*", text) else text


@dataclass(frozen=True)
class Several(Unordered):
    """Values of another kind, each once; in a URL joined by commas."""

    of: Kind = Written()

    @property
    def _rule(self) -> str:
        return self.of.text_rule

    def _read(self, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, tuple):
            raise RefusedError(value)
        return tuple(dict.fromkeys(self.of.read(one) for one in value))

    def _text(self, value: Any) -> str:
        return ",".join(map(self.of.text, value))

    def _parse(self, text: str) -> Any:
        return tuple(map(self.of.parse, text.split(",")))


@dataclass(frozen=True)
class Ranges(Unordered):
    """Ranges of numbers from 0, both ends included, ascending and apart; in a URL "3" or "3-7", joined by commas."""

    form: str = f"at most {MAX_RANGES} ranges of numbers in ascending order, such as 0-42,50, and {MAX_PICKED:,} in all"

    def _read(self, value: Any) -> tuple[tuple[int, int], ...]:
        if not isinstance(value, tuple) or not len(value) <= MAX_RANGES:
            raise RefusedError(value)
        ends = [end for span in value for end in span]
        apart = ends == sorted(ends) and len({first for first, _ in value}) == len(value)
        if not apart or sum(last - first + 1 for first, last in value) > MAX_PICKED:
            raise RefusedError(value)
        return value

    def _text(self, value: Any) -> str:
        return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in value)

    def _parse(self, text: str) -> Any:
        one = r"\d{1,9}(-\d{1,9})?"
        if text.count(",") >= MAX_RANGES or not re.fullmatch(f"{one}(,{one})*", text):
            return text
        return tuple((int(part.split("-")[0]), int(part.split("-")[-1])) for part in text.split(","))


#: A share of something.
SHARE = Float(low=0, low_open=True, high=1)
#: The value of a matrix with the brightest colour; automatic: fitted to what is there.
BRIGHTEST = Float(low=0, low_open=True, high=1, optional=True)
#: A name of the catalog, of a file of one's folder, or of an upload.
DATA = FileName(pattern=r"[\w./+ ()\[\],;:=@#~'&%!-]{1,200}", form="the name of a data set")


#: What a setting may name in `reset_by` besides other settings: anything that changes the base clusterings.
ENSEMBLE = "ensemble"
#: Whose settings stand first in a URL: data and ensemble, then the method.
_FIRST = ("ui.scene.ensemble", "ui.consensus")


@dataclass(frozen=True)
class Setting:
    """One thing a session keeps, of a kind as a parameter is of one.

    A change of those named in `reset_by` (or `ENSEMBLE`) brings it back to its default. `makes_ensemble`: it decides
    the base clusterings; `always`: it stands in the URL even at its default.
    """

    name: str
    default: Any
    kind: Kind
    sentence: str
    reset_by: tuple[str, ...] = ()
    makes_ensemble: bool = False
    always: bool = False

    def read(self, text: str) -> Any:
        """The value of a text in a URL; ValueError says what it must be."""
        return value_of(self.kind, text)

    def text(self, value: Any) -> str:
        """A value as it stands in a URL."""
        return self.kind.text(value)


@cache
def settings() -> Mapping[str, Setting]:
    """All settings by name: those of the rooms, then the knobs of methods and generators."""
    found: dict[str, Setting] = {}
    for setting in (*_of_rooms(), *_of_generators(), *_of_methods()):
        if setting.name in found:
            raise ValueError(f"two settings are called {setting.name!r}")
        found[setting.name] = setting
    return found


def _of_rooms() -> list[Setting]:
    """What topics of scenes and rooms declare, in the order of the URL: data and ensemble, then the method."""
    rooms = [f"ui.{one.name}" for one in pkgutil.iter_modules(importlib.import_module("ui").__path__) if one.ispkg]
    topics = [f"ui.scene.{one.name}" for one in pkgutil.iter_modules(importlib.import_module("ui.scene").__path__)]
    names = sorted({*rooms, *topics} - {"ui.session"}, key=lambda name: (*(name != one for one in _FIRST), name))
    return [one for name in names for one in getattr(importlib.import_module(name), "SETTINGS", ())]


def _of_generators() -> list[Setting]:
    """Parameters of generators; an automatic one is found anew for other data."""
    return [
        _knob(spec, makes_ensemble=True, reset_by=("data",) if spec.kind.optional else ())
        for spec in generator_concepts().values()
    ]


def _of_methods() -> list[Setting]:
    return [_knob(spec) for spec in method_concepts().values()]


@cache
def method_concepts() -> Mapping[str, ParamSpec]:
    """The parameters of all methods by concept, one value of a knob for the whole app; then what evidence alone has."""
    found = {spec.concept: spec for method in consensus_methods().values() for spec in method.params.specs()}
    alone = {spec.concept: spec for one in pair_evidence().values() for spec in one.params.specs()}
    return found | {concept: spec for concept, spec in alone.items() if concept not in found}


def _knob(spec: ParamSpec, **rest: Any) -> Setting:
    """A parameter as a setting."""
    return Setting(spec.concept, spec.default, spec.kind, spec.doc, **rest)
