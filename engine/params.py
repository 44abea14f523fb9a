"""Parameters of a method: frozen, self-validating, and described well enough to become widgets."""

import dataclasses
import math
import numbers
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

from engine.errors import InvalidParameterError


@dataclass(frozen=True)
class ParamSpec:
    """One parameter, described.

    `kind` is "int", "float", "bool" or "choice"; `optional` means None is legal and stands for "automatic".
    `low` and `high` are the hard range (`low_open`: low itself is excluded), `slider` the range a person
    moves in, `raising` what a higher value does, in plain words.
    """

    name: str
    kind: str
    default: Any
    symbol: str
    doc: str
    raising: str = ""
    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    slider: tuple[float, float] | None = None
    log: bool = False
    choices: tuple[str, ...] = ()
    optional: bool = False

    def validate(self, value: Any) -> Any:
        """Return `value` in its canonical type.

        Raises
        ------
        InvalidParameterError
            With the name, the rule, and the value got.
        """
        if value is None and self.optional:
            return None
        accepted, canonical = getattr(self, f"_read_{self.kind}")(value)
        if not accepted:
            raise InvalidParameterError(f"{self.name} must be {self.rule}. Got {value!r}")
        return canonical

    @property
    def rule(self) -> str:
        """The constraint in words: "a number in (0, inf)"."""
        if self.kind == "choice":
            return "one of " + ", ".join(map(repr, self.choices))
        if self.kind == "bool":
            return "True or False"
        noun = "an integer" if self.kind == "int" else "a number"
        bracket = "(" if self.low_open or math.isinf(self.low) else "["
        close = ")" if math.isinf(self.high) else "]"
        tail = ", or None (automatic)" if self.optional else ""
        return f"{noun} in {bracket}{self.low:g}, {self.high:g}{close}{tail}"

    def _in_range(self, value: float) -> bool:
        above = value > self.low if self.low_open else value >= self.low
        return bool(above and value <= self.high and math.isfinite(value))

    def _read_int(self, value: Any) -> tuple[bool, Any]:
        accepted, number = self._read_float(value)
        if not accepted or number != math.floor(number):
            return False, None
        return True, int(number)

    def _read_float(self, value: Any) -> tuple[bool, Any]:
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            return False, None
        return self._in_range(float(value)), float(value)

    def _read_bool(self, value: Any) -> tuple[bool, Any]:
        return type(value).__name__ in ("bool", "bool_"), bool(value)

    def _read_choice(self, value: Any) -> tuple[bool, Any]:
        return value in self.choices, value


def param(default: Any, symbol: str, doc: str, **description: Any) -> Any:
    """Declare a field of a `Params` class; the keywords are those of `ParamSpec`."""
    return dataclasses.field(default=default, metadata={"symbol": symbol, "doc": doc, **description})


def same_as(other: "type[Params]", name: str, doc: str) -> Any:
    """Declare a field that another method has too, all but what it is for."""
    found = next(field for field in dataclasses.fields(other) if field.name == name)
    return dataclasses.field(default=found.default, metadata={**found.metadata, "doc": doc})


@dataclass(frozen=True)
class Params:
    """Base of every method's parameters: a frozen dataclass that checks itself.

    >>> from engine.methods.lwea import LWEAParams
    >>> LWEAParams(theta=0.2)
    LWEAParams(theta=0.2)
    >>> LWEAParams(theta=-1)
    Traceback (most recent call last):
    engine.errors.InvalidParameterError: theta must be a number in (0, inf). Got -1
    """

    def __post_init__(self) -> None:
        for spec in self.specs():
            object.__setattr__(self, spec.name, spec.validate(getattr(self, spec.name)))

    @classmethod
    def specs(cls) -> tuple[ParamSpec, ...]:
        """The parameters in the order of declaration."""
        hints = typing.get_type_hints(cls)
        return tuple(
            ParamSpec(name=f.name, default=f.default, **_kind(hints[f.name]), **f.metadata)
            for f in dataclasses.fields(cls)
        )

    @classmethod
    def of(cls, values: "Mapping[str, Any] | Params | None") -> Self:
        """Build from a mapping; an unknown name is refused with the names that exist."""
        if isinstance(values, Params):
            if not isinstance(values, cls):
                raise InvalidParameterError(f"params must be {cls.__name__}. Got {type(values).__name__}")
            return values
        given = dict(values or {})
        known = [spec.name for spec in cls.specs()]
        for name in given:
            if name not in known:
                raise InvalidParameterError(f"{name!r} is no parameter here; known: {', '.join(known) or 'none'}")
        return cls(**given)

    def as_dict(self) -> dict[str, Any]:
        """The values by name."""
        return dataclasses.asdict(self)


def _kind(hint: Any) -> dict[str, Any]:
    """Read kind, choices and optional off a type annotation."""
    if typing.get_origin(hint) is Literal:
        return {"kind": "choice", "choices": typing.get_args(hint)}
    if isinstance(hint, types.UnionType):
        inner = [a for a in typing.get_args(hint) if a is not types.NoneType]
        return {**_kind(inner[0]), "optional": True}
    return {"kind": {int: "int", float: "float", bool: "bool"}[hint]}
