"""Studies as TOML files, the same for the command line and for the pages.

What reading a text would cost is looked at first.
"""

import codecs
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from .. import __version__
from ..generators import Recipe, generator_concepts
from ..params import Kind
from ..runtime.errors import InvalidParameterError, imported, listed, shortened, shown
from .study import InvalidStudyError, Study

_MOST_CHARACTERS = 1_000_000
_MOST_NESTED = 16
#: Dots in a row of a key or a number; names with dots stand in quotes.
_MOST_DOTS = 8
_LONGEST_WORD = 200
#: Texts and comments count as one; whatever opens, closes or parts; words; the rest a character at a time.
_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"""|\Z)|\'\'\'.*?(?:\'\'\'|\Z)|"(?:[^"\\\n]|\\.)*"?|\'[^\'\n]*\'?|#[^\n]*|\w+|.',
    re.DOTALL,
)


def plain_toml(text: str) -> dict[str, Any]:
    """What a TOML text says; one that would take unduly long or deep to read is refused before it is read.

    >>> plain_toml('datasets = ["iris"]')
    {'datasets': ['iris']}
    """
    if len(text) > _MOST_CHARACTERS:
        raise InvalidStudyError(f"a study must have at most {_MOST_CHARACTERS:,} characters. Got {len(text):,}")
    _check_shape(text)
    try:
        return tomllib.loads(text)
    except ValueError as error:  # its own, and those of numbers and dates that Python cannot hold
        raise InvalidStudyError(f"the study is not valid TOML: {shortened(str(error), 200)}") from None


def _check_shape(text: str) -> None:
    """Refuse what makes a reader of TOML slow or deep: reading costs the square of the dots in a name."""
    nested = dots = 0
    for token in _TOKEN.finditer(text):
        part = token[0]
        if part in ("[", "{"):
            nested += 1
        elif part in ("]", "}"):
            nested -= 1
        dots = dots + 1 if part == "." else 0 if part in "[]{}=,\n" else dots
        if nested > _MOST_NESTED:
            raise _refused(text, token.start(), f"brackets nested more than {_MOST_NESTED} deep")
        if dots > _MOST_DOTS:
            raise _refused(text, token.start(), f"a name of more than {_MOST_DOTS + 1} parts")
        if len(part) > _LONGEST_WORD and (part[0].isalnum() or part[0] == "_"):
            raise _refused(text, token.start(), f"a word or number of more than {_LONGEST_WORD} characters")


def _refused(text: str, at: int, reason: str) -> InvalidStudyError:
    line = text.count("\n", 0, at) + 1
    return InvalidStudyError(f"the study is not valid TOML for a study: line {line:,} has {reason}")


_LISTS = ("datasets", "methods", "n_clusterings")
_PLAIN = ("name", *_LISTS, "repeats", "k", "best_by", "stability", "select", "seed", "scaling")


def read_study(text: str | bytes) -> Study:
    """A study from a TOML file, checked, defaults filled in; InvalidStudyError names what makes no sense.

    Bytes are UTF-8, or UTF-16 with the mark that editors begin it with.

    [grid.<method>] tables hold lists of parameter values, [files."<name>"] tables say how a file beside the study is
    read.

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
    content = plain_toml(_decoded(text) if isinstance(text, bytes) else text)
    known = ("version", *_PLAIN, "generator", *generator_concepts(), "files", "grid")
    unknown = sorted(content.keys() - set(known))
    if unknown:
        raise InvalidStudyError(f"a study has {', '.join(known)}. Got {listed(unknown)}")
    missing = [name for name in ("datasets", "methods") if name not in content]
    if missing:
        raise InvalidStudyError(f"a study needs datasets and methods. Missing: {', '.join(missing)}")
    content.pop("version", None)  # whoever wrote it: what a study means does not hang on it
    content |= {name: _as_tuple(name, content[name]) for name in _LISTS if name in content}
    if isinstance(content.get("k"), list):
        content["k"] = tuple(content["k"])
        if not content["k"]:
            raise InvalidStudyError("k must be a list of integers. Got none")
    content["grid"] = _grid(content.get("grid", {}))
    if idle := [method for method in content["grid"] if method not in content["methods"]]:
        raise InvalidStudyError(f"grid must be of methods of the study. Not among methods: {listed(idle)}")
    if not isinstance(content.get("files", {}), Mapping):
        raise InvalidStudyError('files must hold one table a file, such as [files."plants.csv"]')
    return Study(recipe=_recipe(content), **content)


def _decoded(content: bytes) -> str:
    utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return content.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InvalidStudyError(f"the study is not text in UTF-8: see line {line}. Save it in UTF-8") from None


def _recipe(content: dict[str, Any]) -> Recipe:
    """What a study says of its base clusterings, taken out of its content."""
    specs = generator_concepts()
    plain = {name: content.pop(name) for name in specs if name in content}
    given = {name: _read(specs[name].kind, value) for name, value in plain.items()}
    generator = content.pop("generator", Recipe.generator)
    if not isinstance(generator, str):
        raise InvalidStudyError(f"generator must be a name. Got {shown(generator)}")
    try:
        return Recipe.of(generator, **given)
    except InvalidParameterError as error:
        said = str(error).replace("None (automatic)", '"auto"')
        name, rest = said.partition(" ")[::2]
        called = next((concept for concept in given if specs[concept].name == name), name)
        raise InvalidStudyError(f"{called} {rest}") from None


def _read(kind: Kind, value: Any) -> Any:
    """A value as a file has it; a word may be how people write it, such as 2-10."""
    return kind.parse(value) if isinstance(value, str) else kind.from_plain(value)


def _as_tuple(name: str, value: Any) -> tuple:
    """A list as a tuple; one number of base clusterings may stand alone."""
    if name == "n_clusterings" and isinstance(value, int):
        return (value,)
    if not isinstance(value, list) or (name != "n_clusterings" and not all(isinstance(one, str) for one in value)):
        of = "names" if name in _LISTS[:2] else "integers"
        raise InvalidStudyError(f"{name} must be a list of {of}. Got {shown(value)}")
    return tuple(value)


def _grid(tables: Any) -> dict[str, dict[str, tuple]]:
    """Tables of lists as tuples; the word "auto" in a list stands for a parameter's None."""
    if not isinstance(tables, Mapping) or not all(isinstance(table, Mapping) for table in tables.values()):
        raise InvalidStudyError("grid must hold one table a method, such as [grid.lwea]")
    for method, table in tables.items():
        for name, values in table.items():
            if not isinstance(values, list):
                raise InvalidStudyError(
                    f"grid.{shortened(method)}.{shortened(name)} must be a list of values. Got {shown(values)}"
                )
            if not values:
                raise InvalidStudyError(
                    f"grid.{shortened(method)}.{shortened(name)} must be a list of values. Got none"
                )
    return {
        method: {name: tuple(None if v == "auto" else v for v in values) for name, values in table.items()}
        for method, table in tables.items()
    }


def write_study(study: Study) -> str:
    """The TOML text that `read_study` reads back as the same study: everything is said, defaults and version too."""
    said = {"version": __version__, **{name: getattr(study, name) for name in _PLAIN}}
    grid = {method: _lists(values) for method, values in study.grid.items() if values}
    tomli_w = imported("tomli_w", "Writing a study file", "tomli-w")
    files = {name: dict(how) for name, how in study.files.items()}
    tables = {name: table for name, table in (("files", files), ("grid", grid)) if table}
    return tomli_w.dumps(said | _said(study.recipe) | tables)


def _said(recipe: Recipe) -> dict[str, Any]:
    """The generator and its parameters by what they mean; automatic ones are left out."""
    kinds = {spec.concept: spec.kind for spec in recipe.params.specs()}
    values = {name: kinds[name].plain(value) for name, value in recipe.values.items() if value is not None}
    return {"generator": recipe.generator, **values}


def _lists(values: Mapping[str, tuple]) -> dict[str, list]:
    """A table of the grid; TOML has no None, which is "auto" there."""
    return {name: ["auto" if one is None else one for one in choices] for name, choices in values.items()}
