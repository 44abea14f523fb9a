"""Studies as TOML files, the same for the command line and for the pages."""

from collections.abc import Mapping
from typing import Any

from .. import __version__
from ..generators import Recipe, generator_concepts
from ..runtime.errors import InvalidParameterError
from ..runtime.extras import imported
from ..runtime.wording import listed, shortened, shown
from .study import InvalidStudyError, Study
from .study_text import plain_toml

_LISTS = ("datasets", "methods", "n_clusterings")
_PLAIN = ("name", *_LISTS, "repeats", "k", "best_by", "stability", "seed", "scaling")


def read_study(text: str) -> Study:
    """A study from the text of a TOML file.

    Parameters
    ----------
    text : str
        TOML; [grid.<method>] tables hold lists of parameter values, [files."<name>"] tables say how a file beside the
        study is read.

    Returns
    -------
    Study
        Checked, defaults filled in.

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
    content = plain_toml(text)
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
    content["grid"] = _grid(content.get("grid", {}))
    if not isinstance(content.get("files", {}), Mapping):
        raise InvalidStudyError('files must hold one table a file, such as [files."plants.csv"]')
    return Study(recipe=_recipe(content), **content)


def _recipe(content: dict[str, Any]) -> Recipe:
    """What a study says of its base clusterings, taken out of its content."""
    specs = generator_concepts()
    given = {name: specs[name].kind.from_plain(content.pop(name)) for name in specs if name in content}
    generator = content.pop("generator", Recipe.generator)
    if not isinstance(generator, str):
        raise InvalidStudyError(f"generator must be a name. Got {shown(generator)}")
    try:
        return Recipe.of(generator, **given)
    except InvalidParameterError as error:
        raise InvalidStudyError(str(error)) from None


def _as_tuple(name: str, value: Any) -> tuple:
    """A list as a tuple; one number of base clusterings may stand alone."""
    if name == "n_clusterings" and isinstance(value, int):
        return (value,)
    if not isinstance(value, list) or (name != "n_clusterings" and not all(isinstance(one, str) for one in value)):
        raise InvalidStudyError(
            f"{name} must be a list" + (f" of names. Got {shown(value)}" if name in _LISTS[:2] else "")
        )
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
    return {
        method: {name: tuple(None if v == "auto" else v for v in values) for name, values in table.items()}
        for method, table in tables.items()
    }


def write_study(study: Study) -> str:
    """The TOML text that `read_study` reads back as the same study: everything is said, defaults and version too.

    Parameters
    ----------
    study : Study
        Any.

    Returns
    -------
    str
        TOML.
    """
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
