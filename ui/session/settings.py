"""Settings: what a session keeps, each declared once, beside the page that uses it, and collected by looking.

A room of `ui` that keeps something says so in a tuple `SETTINGS` of its own module. The parameters of all methods and
generators are settings too, one for each concept. The session's RunConfig, the URL, the rules of what resets what, and
the tests of all that are read off these declarations.
"""

import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine import consensus_methods
from engine.generators import generator_concepts
from engine.params import Kind, ParamSpec
from ui.session.setting_kinds import value_of

#: What a setting may name in `reset_by` besides other settings: anything that changes the base clusterings.
ENSEMBLE = "ensemble"
#: Rooms whose settings stand first in a URL: data and ensemble, then the method.
_FIRST = ("ensemble", "consensus")


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
    """What every room declares."""
    rooms = importlib.import_module("ui").__path__
    names = [room.name for room in pkgutil.iter_modules(rooms) if room.ispkg and room.name != "session"]
    names.sort(
        key=lambda name: (_FIRST.index(name) if name in _FIRST else len(_FIRST), name)
    )  # the order of the URL: data and ensemble, then the method
    return [one for name in names for one in getattr(importlib.import_module(f"ui.{name}"), "SETTINGS", ())]


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
    """The parameters of all methods by concept: one value of a knob for the whole app."""
    return {spec.concept: spec for method in consensus_methods().values() for spec in method.params.specs()}


def _knob(spec: ParamSpec, **rest: Any) -> Setting:
    """A parameter as a setting."""
    return Setting(spec.concept, spec.default, spec.kind, spec.doc, **rest)
