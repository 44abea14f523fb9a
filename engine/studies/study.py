"""A study: which methods, on which ensembles, under which parameters, how often; and the tasks it comes to."""

import hashlib
import itertools
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..choosing_k import known_criteria
from ..confidence import INTERNAL
from ..consensus import consensus_methods, find_method
from ..generators import Recipe
from ..metrics import MEASURES
from ..params import Params
from ..runtime.errors import EngineError, InvalidParameterError, listed, shortened, shown
from ..selection import selection_of
from .sources import Source, recipe_text

#: Part of every task's key: results of another number are not reused.
RESULTS_VERSION = 4
#: The measure by which "best" k is the best, where nothing else is said.
BEST_BY = "nmi_max"
#: Policies that look for the best k, from 2 to what follows of the true k and N. The papers name no range; their
#: numbers for single link, whose best k lies far out, come out again up to the root of N.
BEST_UP_TO: dict[str, Callable[[int, int], int]] = {
    "best": lambda true_k, n_objects: max(2 * true_k, 30),
    "best-sqrt": lambda true_k, n_objects: math.isqrt(n_objects),
}
MOST_TASKS = 1_000_000
MOST_CLUSTERINGS = 10_000
MOST_DRAWS = 1_000
#: What files, tables and other programs hold exactly.
LARGEST_SEED = 2**53
LARGEST_K = 10_000_000
_LONGEST_NAME = 200
#: How a file is read, as `data.read_upload` calls it; of `kind` a file holds one of these.
FILE_OPTIONS = ("kind", "file", "missing", "matrix", "roles")
KINDS = ("features", "labels", "graph")


def k_criteria() -> dict[str, str]:
    """Criteria that choose k in a study, with their titles: those that read the ensemble alone."""
    known = known_criteria().items()
    return {key: one.title for key, one in known if "features" not in one.needs}


class InvalidStudyError(EngineError, ValueError):
    """A study asks for something that does not exist or makes no sense."""


@dataclass(frozen=True)
class Study:
    """Ensembles x methods x parameters x k x repeats.

    Attributes
    ----------
    datasets, methods : tuple of str
    name : str
        For people.
    n_clusterings : tuple of int
        Base clusterings of an ensemble; several values keep the first of the largest.
    repeats : int
        Ensembles of every data set; repeat r has seed `seed + r`, and so has every method on it.
    k : "true" | "best" | "best-sqrt" | str | tuple of int
        As many clusters as classes; the best k in 2..max(2 true k, 30); the best in 2..√N, rounded down; what a
        criterion picks in 2..10, such as "lifetime" (see `k_criteria`); or these.
    best_by : str
        The measure, one of `engine.metrics.MEASURES` or of `engine.confidence.INTERNAL`, that the best k has the
        highest of.
    seed : int
    grid : mapping of str to mapping of str to tuple
        For a method, values of its parameters; every combination is run. What is not given is filled in with the
        method's default, and what no method of the study has is left out: a study says what it does.
    scaling : str
        Of features; whoever makes the sources knows the names (`data.SCALINGS`) and refuses others.
    recipe : Recipe
        How base clusterings are made from features.
    stability : int
        Draws of base clusterings, at least 2, from which every partition's mean stability is found (see
        `engine.confidence.stability`); each runs the method again. 0: not asked.
    select : str
        Which of the base clusterings are kept, as `engine.selection.selection_of` reads it; "": all.
    files : mapping of str to mapping
        Of data sets that are files beside the study: how each is read, by `FILE_OPTIONS`. What a file is called there
        is its name here, unless `file` says otherwise.
    """

    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    name: str = "study"
    n_clusterings: tuple[int, ...] = (10,)
    repeats: int = 10
    k: str | tuple[int, ...] = "true"
    seed: int = 0
    grid: Mapping[str, Mapping[str, tuple[Any, ...]]] = field(default_factory=dict)
    scaling: str = "standard"
    recipe: Recipe = field(default_factory=Recipe)
    best_by: str = BEST_BY
    stability: int = 0
    select: str = ""
    files: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if isinstance(self.k, list):
            object.__setattr__(self, "k", tuple(self.k))
        _check(self)
        object.__setattr__(self, "grid", _full_grid(self))

    def settings(self, method: str) -> list[Params]:
        """Every combination of a method's parameter values, as validated params.

        Parameters
        ----------
        method : str
            One of the study's methods.

        Returns
        -------
        list of Params
            The defaults alone where the study has no grid for it.
        """
        values = self.grid.get(method, {})
        combinations = itertools.product(*values.values())
        found = [find_method(method).params.of(dict(zip(values, chosen, strict=True))) for chosen in combinations]
        return list(dict.fromkeys(found))


@dataclass(frozen=True)
class Task:
    """One result to find: a method under one setting, on one ensemble, with one k or policy.

    `params` is JSON with sorted keys, as in the table of results: all parameters of the method, defaults too.
    `generator` says how the base clusterings are made (see `recipe_text`). `key` is the content hash under which the
    result is kept. `best_by` is the measure that chooses among several k, `stability` the number of draws for it,
    `select` the base clusterings that are kept.
    """

    dataset: str
    method: str
    setting: Params
    params: str
    generator: str
    n_clusterings: int
    repeat: int
    seed: int
    k: int | str
    key: str
    best_by: str = BEST_BY
    stability: int = 0
    select: str = ""

    @property
    def k_asked(self) -> str:
        """The number, or how it is chosen; by which measure where one chooses."""
        return f"{self.k} by {self.best_by}" if self.k in BEST_UP_TO else str(self.k)

    @property
    def unit(self) -> tuple[str, int, str]:
        """Tasks of one unit run together: data set, repeat, method."""
        return self.dataset, self.repeat, self.method


def expand(study: Study, sources: Mapping[str, Source]) -> list[Task]:
    """The tasks of a study, those of one unit beside each other, units of one ensemble too."""
    for name in study.datasets:
        _check_source(study, name, sources.get(name))
    return [
        task
        for name in study.datasets
        for repeat in range(study.repeats)
        for method in study.methods
        for task in _tasks(study, sources[name], repeat, method)
    ]


def _tasks(study: Study, source: Source, repeat: int, method: str) -> Iterator[Task]:
    for m, setting in itertools.product(study.n_clusterings, study.settings(method)):
        generator = recipe_text(study.recipe, study.scaling, source.pool is not None, source.redrawn(m), study.select)
        params = json.dumps(setting.as_dict(), sort_keys=True)
        for k in [study.k] if isinstance(study.k, str) else study.k:
            key = _key(study, source, repeat, method, setting, m, k)
            asked = source.name, method, setting, params, generator, m, repeat, study.seed + repeat, k, key
            yield Task(*asked, study.best_by, study.stability, study.select)


def _key(study: Study, source: Source, repeat: int, method: str, setting: Params, m: int, k: int | str) -> str:
    """Hash of everything the result depends on; the name of the data set is kept apart from its content."""
    made = None if source.pool is not None else study.recipe.essentials
    content = [
        RESULTS_VERSION,
        source.name,
        source.fingerprint,
        made,
        m,
        repeat,
        study.seed + repeat,
        method,
        setting.as_dict(),
        k,
    ]
    if k in BEST_UP_TO and study.best_by != BEST_BY:
        content.append(study.best_by)  # keys from before there was a choice stay as they are
    if study.stability:
        content.append({"stability": study.stability})
    if source.redrawn(m):
        content.append("with replacement")
    if study.select:
        content.append({"select": study.select})
    return hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=16).hexdigest()


def _check(study: Study) -> None:
    """Refuse at the door what could only fail later, task by task."""
    for name in ("datasets", "methods", "n_clusterings"):
        if not getattr(study, name):
            raise InvalidStudyError(f"{name} must name at least one. Got none")
    _check_words(study)
    unknown = [method for method in (*study.methods, *study.grid) if method not in consensus_methods()]
    if unknown:
        raise InvalidStudyError(f"methods must be among {', '.join(consensus_methods())}. Got {listed(unknown)}")
    _check_numbers(study)
    for name, how in study.files.items():
        _check_file(study, name, how)
    for method, values in study.grid.items():
        _check_grid(method, values)
    for name in ("datasets", "methods", "n_clusterings", "k"):
        if not isinstance(getattr(study, name), str):
            _check_once(name, getattr(study, name))
    n_tasks = _n_tasks(study)
    if n_tasks > MOST_TASKS:
        raise InvalidStudyError(f"a study must have at most {MOST_TASKS:,} tasks. Got {n_tasks:,}")


def _n_tasks(study: Study) -> int:
    """How many tasks a study comes to, multiplied out: none of them is built for it."""
    n_settings = sum(math.prod(map(len, study.grid.get(method, {}).values())) for method in study.methods)
    n_ks = 1 if isinstance(study.k, str) else len(study.k)
    return len(study.datasets) * study.repeats * len(study.n_clusterings) * n_settings * n_ks


def _check_words(study: Study) -> None:
    for name in ("name", "scaling"):
        word = getattr(study, name)
        if not isinstance(word, str) or len(word) > _LONGEST_NAME:
            raise InvalidStudyError(f"{name} must be a name of at most {_LONGEST_NAME} characters. Got {shown(word)}")
    for name in ("datasets", "methods"):
        if not all(isinstance(one, str) and len(one) <= _LONGEST_NAME for one in getattr(study, name)):
            known = f"a list of names of at most {_LONGEST_NAME} characters"
            raise InvalidStudyError(f"{name} must be {known}. Got {shown(getattr(study, name))}")


def _check_file(study: Study, name: str, how: Mapping[str, Any]) -> None:
    """A file of the study, in its own folder, and words on how it is read."""
    here = f"files.{shortened(name)}"
    if name not in study.datasets:
        raise InvalidStudyError(f"files must be among datasets. Got {shown(name)}")
    if not isinstance(how, Mapping) or how.get("kind") not in KINDS:
        raise InvalidStudyError(f"{here} must have kind, one of {', '.join(KINDS)}. Got {shown(how)}")
    if unknown := sorted(map(str, how.keys() - set(FILE_OPTIONS))):
        raise InvalidStudyError(f"{here} has {', '.join(FILE_OPTIONS)}. Got {listed(unknown)}")
    words = {option: how[option] for option in FILE_OPTIONS if option in how and option != "roles"}
    roles = how.get("roles", {})
    if not isinstance(roles, Mapping) or not all(isinstance(one, str) for one in (*words.values(), *roles.values())):
        raise InvalidStudyError(f"{here} must hold words, and in roles one for each column. Got {shown(dict(how))}")
    if how["kind"] == "graph" and (vain := sorted(how.keys() & {"missing", "roles"})):
        raise InvalidStudyError(f"{here} is a graph, which has no {' and no '.join(vain)}")
    file = how.get("file", name)
    if file in ("", ".", "..") or "/" in file or "\\" in file:
        raise InvalidStudyError(f"{here} must be a file beside the study, without a folder. Got {shown(file)}")


def _check_numbers(study: Study) -> None:
    if not isinstance(study.k, str | tuple | list):
        raise _bad_k(study)
    if not isinstance(study.n_clusterings, tuple | list):
        raise InvalidStudyError(f"n_clusterings must be a list of integers. Got {shown(study.n_clusterings)}")
    whole = {"repeats": (study.repeats, 1, MOST_TASKS), "seed": (study.seed, 0, LARGEST_SEED)}
    whole |= {f"n_clusterings[{i}]": (m, 1, MOST_CLUSTERINGS) for i, m in enumerate(study.n_clusterings)}
    if not isinstance(study.k, str):
        whole |= {f"k[{i}]": (k, 2, LARGEST_K) for i, k in enumerate(study.k)}
    for name, bounds in whole.items():
        _check_whole(name, *bounds)
    if study.k not in ("true", *BEST_UP_TO, *k_criteria()) and (isinstance(study.k, str) or not study.k):
        raise _bad_k(study)
    if study.best_by not in (*MEASURES, *INTERNAL):
        known = ", ".join((*MEASURES, *INTERNAL))
        raise InvalidStudyError(f"best_by must be one of {known}. Got {shown(study.best_by)}")
    _check_stability(study)
    _check_selection(study)


def _check_whole(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise InvalidStudyError(f"{name} must be an integer of at least {low}. Got {shown(value)}")
    if value > high:
        raise InvalidStudyError(f"{name} must be at most {high:,}. Got {shown(value)}")


def _bad_k(study: Study) -> InvalidStudyError:
    known = ", ".join(k_criteria())
    return InvalidStudyError(
        f'k must be "true", "best", "best-sqrt", a criterion ({known}) or a list of integers. Got {shown(study.k)}'
    )


def _check_once(name: str, values: Sequence[Any]) -> None:
    """Refuse what is named twice: its tasks would be the same."""
    twice = [value for value, times in Counter(values).items() if times > 1]
    if twice:
        raise InvalidStudyError(f"{name} must name each once. Got {listed(map(shown, twice))} twice or more")


def _check_stability(study: Study) -> None:
    asked = study.stability
    if isinstance(asked, bool) or not isinstance(asked, int) or asked == 1 or not 0 <= asked <= MOST_DRAWS:
        raise InvalidStudyError(
            f"stability must be 0 or a number of draws, at least 2 and at most {MOST_DRAWS:,}. Got {shown(asked)}"
        )
    if study.best_by == "stability" and not asked:
        raise InvalidStudyError('best_by = "stability" needs stability, a number of draws such as 20. Got 0')


def _check_selection(study: Study) -> None:
    """A selection must be possible in the smallest ensemble, too."""
    if not isinstance(study.select, str):
        raise InvalidStudyError(f'select must be a text such as "snmi:10". Got {shown(study.select)}')
    if study.select:
        try:
            selection_of(study.select, min(study.n_clusterings))
        except InvalidParameterError as error:
            raise InvalidStudyError(f"select: {error}") from None


def _check_grid(method: str, values: Mapping[str, Sequence[Any]]) -> None:
    """Every value of a grid must be one its method takes, and stand there once."""
    specs = {spec.name: spec for spec in find_method(method).params.specs()}
    for name, choices in values.items():
        if name not in specs:
            known = ", ".join(specs) or "none"
            raise InvalidStudyError(f"grid.{method} must have parameters of {method} ({known}). Got {shortened(name)}")
        if isinstance(choices, str) or not isinstance(choices, Sequence) or not choices:
            raise InvalidStudyError(f"grid.{method}.{name} must be a list of values. Got {shown(choices)}")
        try:
            read = [specs[name].validate(value) for value in choices]
        except InvalidParameterError as error:
            raise InvalidStudyError(f"grid.{method}: {error}") from None
        _check_once(f"grid.{method}.{name}", read)


def _full_grid(study: Study) -> dict[str, dict[str, tuple[Any, ...]]]:
    """The grid with every parameter of every method, values in their canonical types."""
    full = {}
    for method in study.methods:
        specs = {spec.name: spec for spec in find_method(method).params.specs()}
        given = {name: tuple(map(specs[name].validate, values)) for name, values in study.grid.get(method, {}).items()}
        full[method] = given | {name: (spec.default,) for name, spec in specs.items() if name not in given}
    return full


def _check_source(study: Study, name: str, source: Source | None) -> None:
    if source is None:
        raise InvalidStudyError(f"datasets must be ones that are here. Got {shown(name)}")
    by_classes = study.k == "true" or (study.k in BEST_UP_TO and study.best_by not in INTERNAL)
    needs_classes = by_classes and not all(find_method(method).finds_k for method in study.methods)
    if needs_classes and source.truth is None:
        raise InvalidStudyError(
            f'k = "{study.k}" needs classes, and {name} has none. Give a criterion such as "lifetime", or a list of k'
        )
    most = None if source.pool is None else source.pool.shape[1]
    if most is not None and max(study.n_clusterings) > most:
        raise InvalidStudyError(
            f"n_clusterings must be at most {most}, the base clusterings of {name}. Got {max(study.n_clusterings)}"
        )
