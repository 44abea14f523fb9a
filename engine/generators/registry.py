"""Generators as plain data, found like methods: whatever makes base clusterings of features.

Each draws the number of clusters of a base clustering from a range: by the papers' policies, or one's own.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..ensemble import Ensemble, Graph
from ..ensemble.reading_labels import as_points
from ..params import Float, Int, Kind, Params, RefusedError, one_of, require_integer
from ..runtime.discovery import declared
from ..runtime.errors import InvalidParameterError, shown
from ..runtime.monitor import SILENT, Monitor


def require_clusterings(n_clusterings: Any) -> int:
    """M, if it is an integer of at least 1."""
    return require_integer("n_clusterings", n_clusterings, 1)


def require_share(name: str, value: Any) -> None:
    """Raise InvalidParameterError if a value is no share of something."""
    try:
        Float(low=0, low_open=True, high=1).read(value)
    except RefusedError:
        raise InvalidParameterError(f"{name} must be a number in (0, 1]. Got {shown(value)}") from None


def streams_of(seed: Any, n_clusterings: int, first: Any = 0) -> list[np.random.SeedSequence]:
    """What base clusterings number `first`, `first` + 1, ... draw from, if seed and number are integers."""
    seed, first = require_integer("seed", seed), require_integer("first", first)
    return np.random.SeedSequence(seed).spawn(first + n_clusterings)[first:]


#: Makes base clusterings of features or a graph: (features, n_clusterings, params, seed, first, n_classes, monitor).
Make = Callable[[Any, int, Any, int, int, int | None, Monitor], Ensemble]


@dataclass(frozen=True)
class Generator:
    """What makes base clusterings, described.

    Attributes
    ----------
    key, title : str
        Name in code ("kmeans") and in menus ("k-means").
    params : type of Params
        Its parameters.
    make : callable
        `make(features, n_clusterings, params, seed, first, n_classes, monitor) -> Ensemble`: base clusterings number
        `first`, `first` + 1, ... of features (N, D). `n_classes` is the number of classes, where it is known.
    nested : bool
        The first base clusterings do not depend on how many there are; others are always asked for from the first.
    reference : str
        Bib key (docs/references.bib).
    summary : str
        What it does, in a sentence a student understands.
    takes_graph : bool
        `make` takes a `Graph` in the place of features, too.
    of_features : tuple of str
        Names of the parameters that are not read where it is given a graph.
    """

    key: str
    title: str
    params: type[Params]
    make: Make
    nested: bool
    reference: str
    summary: str
    takes_graph: bool = False
    of_features: tuple[str, ...] = ()


def by_name(function: Callable[..., Ensemble]) -> Make:
    """`Generator.make` of a function that takes its parameters by name and has no use for the number of classes."""

    def make(features, n_clusterings, params, seed, first, n_classes, monitor) -> Ensemble:
        return function(features, n_clusterings, seed=seed, first=first, monitor=monitor, **params.as_dict())

    return make


@cache
def known_generators() -> dict[str, Generator]:
    """All generators by key, in alphabetical order: every `Generator` in this package.

    >>> list(known_generators())
    ['kmeans', 'lac', 'leiden', 'pool', 'rpcl', 'subsampling', 'subspaces', 'uspec']
    """
    found = declared(__package__, Generator)
    return {generator.key: generator for generator in sorted(found, key=lambda generator: generator.key)}


def check_takes(generator: Generator, features: ArrayLike | Graph) -> None:
    """Raise InvalidParameterError if these are a graph, and the generator needs features."""
    if isinstance(features, Graph) and not generator.takes_graph:
        able = ", ".join(one.key for one in known_generators().values() if one.takes_graph)
        raise InvalidParameterError(f"{generator.title} needs features, and this is a graph; {able} takes it")


def check_asked(generator: Generator, features: ArrayLike | Graph, n_clusterings: Any, seed: Any) -> None:
    """Refuse what no generator takes, before it is asked: each says less, or later, what it was given."""
    check_takes(generator, features)
    require_clusterings(n_clusterings)
    require_integer("seed", seed)
    if not isinstance(features, Graph):
        as_points(features, least=1)


def find_generator(key: str) -> Generator:
    """The generator under a key.

    Parameters
    ----------
    key : str
        One of `known_generators()`.

    Returns
    -------
    Generator
        Plain data: title, parameters, and the function that makes base clusterings.

    Raises
    ------
    InvalidParameterError
    """
    return known_generators()[one_of("generator", key, known_generators())]


def make_ensemble(
    key: str,
    features: ArrayLike | Graph,
    n_clusterings: int,
    params: Mapping[str, Any] | Params | None = None,
    seed: int = 0,
    *,
    n_classes: int | None = None,
    monitor: Monitor = SILENT,
) -> Ensemble:
    """Make an ensemble by any generator.

    Parameters
    ----------
    key : str
        Generator, one of `known_generators()`.
    features : (N, D) float, or Graph
        Scaled as you wish; finite. A graph where the generator takes one.
    n_clusterings : int
        M >= 1.
    params : mapping or Params, optional
        Parameters by name; the generator's defaults for the rest.
    seed : int
        The same seed gives the same ensemble on any number of threads.
    n_classes : int, optional
        Number of classes, for generators that take as many clusters as classes unless told otherwise.
    monitor : Monitor, optional

    Returns
    -------
    Ensemble
        Of N objects in M base clusterings, with the recipe in `provenance`.

    Raises
    ------
    InvalidParameterError, Cancelled

    Examples
    --------
    >>> import numpy as np
    >>> points = np.random.default_rng(0).normal(size=(60, 2))
    >>> make_ensemble("kmeans", points, 5, {"k_range": (2, 4)}, seed=1).n_clusterings
    5
    """
    found = find_generator(key)
    check_asked(found, features, n_clusterings, seed)
    return found.make(features, n_clusterings, found.params.of(params), seed, 0, n_classes, monitor)


#: Ranges of k by name, each a function of N: the papers' policies.
K_POLICIES: dict[str, Callable[[int], tuple[int, int]]] = {
    "sqrt": lambda n: (2, int(n**0.5)),
    "half_sqrt": lambda n: (2, int(min(n**0.5 / 2, 50))),
    "fixed_sqrt": lambda n: (int(min(n**0.5, 50)),) * 2,
}


def k_bounds(k_range: str | tuple[int, int], n_objects: int) -> tuple[int, int]:
    """Lowest and highest k of a policy for N objects.

    Parameters
    ----------
    k_range : "sqrt" | "half_sqrt" | "fixed_sqrt" | (low, high)
        [2, sqrt N] (LWEA/LWGP, EC-CMS), [2, min(sqrt(N)/2, 50)] (PTA/PTGP), exactly min(sqrt N, 50)
        (GoT), or a range of one's own.
    n_objects : int
        At least 2.

    Returns
    -------
    low, high : int
        2 <= low <= high <= N; a policy that falls below 2 on few objects gives 2.

    Raises
    ------
    InvalidParameterError

    Examples
    --------
    >>> k_bounds("sqrt", 150), k_bounds("half_sqrt", 150), k_bounds((3, 9), 150)
    ((2, 12), (2, 6), (3, 9))
    """
    require_integer("n_objects", n_objects, 2)
    if isinstance(k_range, str):
        if k_range not in K_POLICIES:
            raise InvalidParameterError(f"k_range must be one of {', '.join(K_POLICIES)}, or a pair. Got {k_range!r}")
        low, high = (max(2, bound) for bound in K_POLICIES[k_range](n_objects))
        return low, high
    given = k_range.tolist() if isinstance(k_range, np.ndarray) else k_range
    try:
        low, high = KRange().read(tuple(given) if isinstance(given, list) else given)
    except RefusedError:
        high = n_objects + 1
    if high > n_objects:
        raise InvalidParameterError(
            f"k_range must satisfy 2 <= low <= high <= {n_objects:,} objects. Got {shown(k_range)}"
        )
    return low, high


@dataclass(frozen=True)
class KRange(Kind):
    """A policy by name, or a pair (low, high) of at least 2; as text "sqrt" or "3-9"."""

    _rule = f"one of {', '.join(K_POLICIES)}, or a range such as 2-10"

    def _read(self, value: Any) -> str | tuple[int, int]:
        if isinstance(value, str):
            if value not in K_POLICIES:
                raise RefusedError(value)
            return value
        if not isinstance(value, tuple) or len(value) != 2:
            raise RefusedError(value)
        low, high = (Int(low=2, high=10**6).read(end) for end in value)
        if low > high:
            raise RefusedError(value)
        return low, high

    def _text(self, value: str | tuple[int, int]) -> str:
        return value if isinstance(value, str) else "-".join(map(str, value))

    def _parse(self, text: str) -> Any:
        match = re.fullmatch(r"(\d{1,6})-(\d{1,6})", text)
        return (int(match[1]), int(match[2])) if match else text

    def stops(self, default: Any) -> tuple[str, ...]:
        """The policies."""
        return tuple(K_POLICIES)

    def ladder(self, low: Any = None, high: Any = None, n: int = 7) -> tuple[str, ...]:
        """The policies."""
        return tuple(K_POLICIES)

    def refused(self) -> list[Any]:
        """A word that is no policy, a number, and pairs that are no ranges."""
        return ["cubic", 3, (1, 4), (9, 3)]
