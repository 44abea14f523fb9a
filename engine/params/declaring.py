"""Parameters of a method or a generator: frozen, self-validating, and described well enough to become widgets."""

import dataclasses
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, Self

import numpy as np

from ..runtime.errors import InvalidParameterError, shown
from .kinds import Choice, Float, Int, Kind, RefusedError, Switch

#: What a plain type annotation says of the kind.
_KINDS: dict[Any, type[Kind]] = {int: Int, float: Float, bool: Switch}


@dataclass(frozen=True)
class ParamSpec:
    """One parameter, described.

    Attributes
    ----------
    name : str
        The field of the `Params`.
    kind : Kind
        What values it takes.
    default : Any
    symbol, doc, raising : str
        As in the paper; what it is; what a higher value does, in plain words.
    concept : str
        What it means. Parameters of several methods with one concept are one knob: a person who sets theta for
        LWEA has set it for LWGP. By default the name; methods that only share a letter declare different concepts.
    word : str, optional
        How people say the symbol ("lambda"); by default the name, empty where the symbol needs none.
    automatic : callable, optional
        `automatic(ensemble, n_classes)`: the value None stands for.
    """

    name: str
    kind: Kind
    default: Any
    symbol: str
    doc: str
    raising: str = ""
    concept: str = ""
    word: str | None = None
    automatic: Callable[[Any, int | None], Any] | None = None

    def validate(self, value: Any) -> Any:
        """The value in its canonical type; a refusal names the parameter, the rule and what it got."""
        return require(self.name, self.kind, value)

    @property
    def label(self) -> str:
        """Symbol and word, such as θ (theta); the symbol alone where it needs no word."""
        word = self.name if self.word is None else self.word
        return self.symbol if word in ("", self.symbol) else f"{self.symbol} ({word})"


def require(name: str, kind: Kind, value: Any) -> Any:
    """A value in the canonical type of its kind; a refusal names it, the rule and what was got.

    >>> require("share", Float(low=0, high=1), 1)
    1.0
    """
    try:
        return kind.read(value)
    except RefusedError:
        raise InvalidParameterError(f"{name} must be {kind.rule}. Got {shown(value)}") from None


def require_integer(name: str, value: Any, low: int = 0) -> int:
    """A value that no `Params` holds, if it is an integer of at least `low`.

    >>> require_integer("seed", 7)
    7
    >>> require_integer("seed", 1.5)
    Traceback (most recent call last):
    engine.runtime.errors.InvalidParameterError: seed must be an integer of at least 0. Got 1.5
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < low:
        raise InvalidParameterError(f"{name} must be an integer of at least {low}. Got {shown(value)}")
    return int(value)


def one_of(name: str, value: Any, known: Iterable[str]) -> str:
    """A value that is one of some words; anything else is refused, what cannot be looked up too.

    >>> one_of("form", "horner", ("auto", "horner"))
    'horner'
    """
    words = list(known)
    if not isinstance(value, str) or value not in words:
        raise InvalidParameterError(f"{name} must be one of {', '.join(words)}. Got {shown(value)}")
    return value


def param(default: Any, symbol: str, doc: str, **description: Any) -> Any:
    """Declare a field of a `Params` class.

    The keywords are those of `ParamSpec` (`raising`, `concept`, `word`, `automatic`) and of the kind that the
    annotation names (`low`, `high`, `low_open`, `slider`, `log` of numbers); `kind` itself where no annotation says it.

    Parameters
    ----------
    default : Any
    symbol, doc : str
        As in the paper; what it is.
    **description
        See above.

    Returns
    -------
    dataclasses.Field
    """
    return dataclasses.field(default=default, metadata={"symbol": symbol, "doc": doc, **description})


def same_as(other: "type[Params]", name: str, doc: str | None = None) -> Any:
    """Declare a field that another method has too."""
    found = next(field for field in dataclasses.fields(other) if field.name == name)
    return dataclasses.field(default=found.default, metadata={**found.metadata, "doc": doc or found.metadata["doc"]})


@dataclass(frozen=True)
class Params:
    """Base of all parameters: a frozen dataclass that checks itself.

    >>> from engine.methods.lwea import LWEAParams
    >>> LWEAParams(theta=0.2)
    LWEAParams(theta=0.2)
    >>> LWEAParams(theta=-1)
    Traceback (most recent call last):
    engine.runtime.errors.InvalidParameterError: theta must be a number in (0, inf). Got -1
    """

    def __post_init__(self) -> None:
        for spec in self.specs():
            object.__setattr__(self, spec.name, spec.validate(getattr(self, spec.name)))

    @classmethod
    def specs(cls) -> tuple[ParamSpec, ...]:
        """The parameters in the order of declaration.

        Returns
        -------
        tuple of ParamSpec
            Name, symbol, kind, default, concept and sentence of each.
        """
        return _specs(cls)  # type: ignore[arg-type]  # mypy takes the hash of instances for that of classes

    @classmethod
    def of(cls, values: "Mapping[str, Any] | Params | None") -> Self:
        """Build from a mapping; an unknown name is refused with the names that exist.

        Parameters
        ----------
        values : mapping of str to value, Params, or None
            By name; None and what is not named take the defaults.

        Returns
        -------
        Params
            Of this class, checked.

        Raises
        ------
        InvalidParameterError
            Naming the parameter, its rule and the value, or that params are of another method.
        """
        if isinstance(values, Params):
            if not isinstance(values, cls):
                raise InvalidParameterError(f"params must be {cls.__name__}. Got {type(values).__name__}")
            return values
        if values is not None and not isinstance(values, Mapping):
            raise InvalidParameterError(f"params must be a mapping of names to values. Got {shown(values)}")
        given = dict(values or {})
        known = [spec.name for spec in cls.specs()]
        for name in given:
            if name not in known:
                raise InvalidParameterError(f"{shown(name)} is no parameter here; known: {', '.join(known) or 'none'}")
        return cls(**given)

    @classmethod
    def of_words(cls, words: Iterable[str]) -> Self:
        """Build from words such as "theta=0.4", as a command line gives them.

        Parameters
        ----------
        words : iterable of str
            "name=value"; defaults for the names that are not there.

        Returns
        -------
        Params
            Of this class.

        Raises
        ------
        InvalidParameterError
            No such name, no value, or one that will not do.
        """
        specs = {spec.name: spec for spec in cls.specs()}
        values = {}
        for word in words:
            name, equals, text = word.partition("=")
            if name not in specs or not equals:
                raise InvalidParameterError(
                    f"parameters are name=value, of {', '.join(specs) or 'none'}. Got {shown(word)}"
                )
            values[name] = specs[name].kind.parse(text)
        return cls.of(values)

    def as_dict(self) -> dict[str, Any]:
        """The values by name.

        Returns
        -------
        dict of str to value
            Canonical values, in the order of declaration.
        """
        return {spec.name: getattr(self, spec.name) for spec in self.specs()}

    def by_concept(self) -> dict[str, Any]:
        """The values by what they mean.

        Returns
        -------
        dict of str to value
            Parameters of other methods with the same concept mean the same.
        """
        return {spec.concept: getattr(self, spec.name) for spec in self.specs()}


@cache
def _specs(cls: type[Params]) -> tuple[ParamSpec, ...]:
    hints = typing.get_type_hints(cls)
    return tuple(_spec(field, hints[field.name]) for field in dataclasses.fields(cls))


def _spec(field: dataclasses.Field, hint: Any) -> ParamSpec:
    """One field: its metadata say part of the spec, and part of its kind."""
    own = {"concept": field.name} | {
        name: value for name, value in field.metadata.items() if name in ParamSpec.__dataclass_fields__
    }
    rest = {name: value for name, value in field.metadata.items() if name not in own}
    own.setdefault("kind", None)
    kind = own.pop("kind") or _kind(hint, rest)
    return ParamSpec(name=field.name, kind=kind, default=field.default, **own)


def _kind(hint: Any, description: dict[str, Any]) -> Kind:
    """The kind a type annotation names."""
    if typing.get_origin(hint) is Literal:
        return Choice(choices=typing.get_args(hint), **description)
    if isinstance(hint, types.UnionType):
        inner = next(one for one in typing.get_args(hint) if one is not types.NoneType)
        return _kind(inner, {**description, "optional": True})
    return _KINDS[hint](**description)
