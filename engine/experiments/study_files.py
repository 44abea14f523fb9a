"""Studies as TOML files, the same for the command line and for the pages."""

import dataclasses
import json
import tomllib
from collections.abc import Mapping
from typing import Any

from engine.errors import InvalidParameterError
from engine.experiments.recipes import Recipe
from engine.experiments.studies import InvalidStudyError, Study

_LISTS = ("datasets", "methods", "n_clusterings")
_PLAIN = ("name", *_LISTS, "repeats", "k", "seed", "scaling")
_RECIPE = tuple(field.name for field in dataclasses.fields(Recipe))
_KNOWN = (*_PLAIN, *_RECIPE, "grid")


def read_study(text: str) -> Study:
    """A study from the text of a TOML file.

    Raises
    ------
    InvalidStudyError
        If it is no TOML, a name is unknown, or a value makes no sense; the message names it.

    Examples
    --------
    >>> study = read_study('''
    ... datasets = ["wine"]
    ... methods = ["lwea", "lwgp"]
    ... repeats = 3
    ... [grid.lwea]
    ... theta = [0.2, 0.4, 1.0]
    ... ''')
    >>> len(study.settings("lwea")), study.k
    (3, 'true')
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidStudyError(f"the study is not valid TOML: {error}") from None
    unknown = sorted(content.keys() - set(_KNOWN))
    if unknown:
        raise InvalidStudyError(f"a study has {', '.join(_KNOWN)}. Got {', '.join(unknown)}")
    missing = [name for name in ("datasets", "methods") if name not in content]
    if missing:
        raise InvalidStudyError(f"a study needs datasets and methods. Missing: {', '.join(missing)}")
    content |= {name: _as_tuple(name, content[name]) for name in _LISTS if name in content}
    for name in ("k", "k_range", "inverse_h"):
        if isinstance(content.get(name), list):
            content[name] = tuple(content[name])
    content["grid"] = _grid(content.get("grid", {}))
    try:
        recipe = Recipe(**{name: content.pop(name) for name in _RECIPE if name in content})
    except InvalidParameterError as error:
        raise InvalidStudyError(str(error)) from None
    return Study(**content, recipe=recipe)


def _as_tuple(name: str, value: Any) -> tuple:
    """A list as a tuple; one number of base clusterings may stand alone."""
    if name == "n_clusterings" and isinstance(value, int):
        return (value,)
    if not isinstance(value, list) or (name != "n_clusterings" and not all(isinstance(one, str) for one in value)):
        raise InvalidStudyError(f"{name} must be a list" + (f" of names. Got {value!r}" if name in _LISTS[:2] else ""))
    return tuple(value)


def _grid(tables: Any) -> dict[str, dict[str, tuple]]:
    """Tables of lists as tuples; the word "auto" in a list stands for a parameter's None."""
    if not isinstance(tables, Mapping) or not all(isinstance(table, Mapping) for table in tables.values()):
        raise InvalidStudyError("grid must hold one table a method, such as [grid.lwea]")
    for method, table in tables.items():
        for name, values in table.items():
            if not isinstance(values, list):
                raise InvalidStudyError(f"grid.{method}.{name} must be a list of values. Got {values!r}")
    return {
        method: {name: tuple(None if v == "auto" else v for v in values) for name, values in table.items()}
        for method, table in tables.items()
    }


def write_study(study: Study) -> str:
    """The TOML text that `read_study` reads back as the same study."""
    lines = [f"{name} = {_toml(getattr(study, name))}" for name in _PLAIN]
    given = dataclasses.asdict(study.recipe)
    lines += [f"{name} = {_toml(given[name])}" for name in _RECIPE if given[name] != getattr(Recipe, name)]
    for method, values in study.grid.items():
        lines += ["", f"[grid.{method}]", *(f"{name} = {_toml(choices)}" for name, choices in values.items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """Strings, numbers, booleans and lists of them are written as in JSON."""
    if isinstance(value, tuple | list):
        return "[" + ", ".join(_toml("auto" if one is None else one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)
