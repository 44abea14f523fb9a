"""Consensus methods as plain data, and the one call that runs them."""

import importlib
import importlib.util
import pkgutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.blocks import single_threaded_libraries
from engine.ensemble import Ensemble, Microclusters
from engine.errors import InvalidParameterError, MissingEvidenceError, MissingExtraError, TooLargeError
from engine.monitor import SILENT, Monitor
from engine.params import Params
from engine.renumbering import first_appearance
from engine.tracing import Trace

#: Packages that only some methods need, with the words pip installs them by.
EXTRAS = {"mtkahypar": "pip install mtkahypar"}


@dataclass(frozen=True)
class ConsensusMethod:
    """A published method, described.

    Attributes
    ----------
    key, title : str
        Name in code ("lwea") and in menus ("LWEA").
    params : type of Params
        Its parameters.
    run : callable
        `run(ensemble, n_clusters, params, rng, monitor) -> labels (N,)`.
    reference : str
        Bib key of the paper (docs/references.bib).
    needs : frozenset of str
        "dense" = an n x n matrix; "memberships" = soft memberships; "mtkahypar" = that package (see `EXTRAS`).
    summary : str
        What it does, in a sentence a student understands.
    balanced : bool
        Its partitioner keeps parts of near-equal weight, also where the clusters are not.
    trees : callable, optional
        `trees(ensemble, settings, monitor)` yields (index, dendrogram) for a list of params, doing once what they
        share; the trees are those `run` records.
    """

    key: str
    title: str
    params: type[Params]
    run: Callable[[Ensemble, int, Any, np.random.Generator, Monitor], NDArray]
    reference: str
    needs: frozenset[str] = frozenset()
    summary: str = ""
    balanced: bool = False
    trees: Callable[[Ensemble, Sequence[Any], Monitor], Iterator[tuple[int, Any]]] | None = None

    @property
    def unavailable(self) -> str | None:
        """Why it cannot run on this machine, with the remedy; None if it can."""
        for name in sorted(self.needs & EXTRAS.keys()):
            if importlib.util.find_spec(name) is None:
                return f"{self.title} needs the package {name}, which is not installed. Install it: {EXTRAS[name]}"
        return None


@dataclass(frozen=True, eq=False)
class Consensus:
    """What a method answered.

    Attributes
    ----------
    labels : (N,) int32
        0..k-1, numbered by first appearance; every label occurs.
    n_clusters : int
        The number of clusters found.
    seconds : float
        Wall-clock time of the run.
    trace : dict
        Named intermediates, on the microclusters in `microclusters`.
    """

    labels: NDArray[np.int32]
    method: str
    params: Params
    n_clusters: int
    seed: int
    seconds: float
    trace: dict[str, Any] = field(repr=False)
    microclusters: Microclusters = field(repr=False)


@cache
def consensus_methods() -> dict[str, ConsensusMethod]:
    """All methods by key, in alphabetical order: every `METHOD` in `engine/methods/`.

    >>> {"eac", "lwea", "lwgp"} <= set(consensus_methods())
    True
    """
    package = importlib.import_module("engine.methods")
    modules = (importlib.import_module(f"engine.methods.{m.name}") for m in pkgutil.iter_modules(package.__path__))
    found = (module.METHOD for module in modules if hasattr(module, "METHOD"))
    return {method.key: method for method in sorted(found, key=lambda method: method.key)}


def run_consensus(
    key: str,
    ensemble: Ensemble,
    n_clusters: int,
    params: Mapping[str, Any] | Params | None = None,
    seed: int = 0,
    monitor: Monitor | None = None,
    record: Iterable[str] = (),
) -> Consensus:
    """Find the consensus of an ensemble.

    Parameters
    ----------
    key : str
        Method, one of `consensus_methods()`.
    ensemble : Ensemble
    n_clusters : int
        k, from 2 to the number of microclusters.
    params : mapping or Params, optional
        Parameters by name; the method's defaults for the rest.
    seed : int
        Non-negative; the same seed gives the same labels on any number of threads.
    monitor : Monitor, optional
        Told of progress; may stop the run.
    record : iterable of str
        Names of n x n intermediates to keep in the trace (see `engine.vocabulary.LARGE`).

    Returns
    -------
    Consensus

    Raises
    ------
    InvalidParameterError
        Unknown method, parameter or record name; k or a value out of range.
    MissingEvidenceError
        The ensemble lacks what the method needs.
    MissingExtraError
        An optional package is not installed; the message has the line that installs it.
    TooLargeError
        A dense matrix would not fit; the message names the methods that would do.
    Cancelled
        The monitor asked to stop.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 0], [1, 1], [1, 1], [1, 2]])
    >>> run_consensus("lwea", ensemble, n_clusters=2).labels.tolist()
    [0, 0, 1, 1, 1]
    """
    method = find_method(key)
    chosen = method.params.of(params)
    k, seed = check_n_clusters(n_clusters, ensemble), _check_seed(seed)
    check_needs(method, ensemble)
    trace = Trace(monitor or SILENT, record)
    start = time.perf_counter()
    with single_threaded_libraries():
        try:
            found = method.run(ensemble.canonical, k, chosen, np.random.default_rng(seed), trace)
        except TooLargeError as error:
            raise TooLargeError(error.what, error.needed, error.limit, _lean_methods(ensemble)) from None
    labels = first_appearance(found)
    labels.setflags(write=False)
    return Consensus(
        labels=labels,
        method=key,
        params=chosen,
        n_clusters=int(labels.max()) + 1,
        seed=seed,
        seconds=time.perf_counter() - start,
        trace=trace.in_order_of(ensemble),
        microclusters=ensemble.microclusters,
    )


def find_method(key: str) -> ConsensusMethod:
    """The method under a key.

    Raises
    ------
    InvalidParameterError
    """
    methods = consensus_methods()
    if key not in methods:
        raise InvalidParameterError(f"method must be one of {', '.join(methods)}. Got {key!r}")
    return methods[key]


def check_n_clusters(n_clusters: int, ensemble: Ensemble) -> int:
    """K if it is an integer in 2..n: fewer is no clustering, more would split inseparable objects.

    Raises
    ------
    InvalidParameterError
    """
    n = len(ensemble.microclusters)
    if isinstance(n_clusters, bool) or not isinstance(n_clusters, int | np.integer) or n_clusters < 2:
        raise InvalidParameterError(f"n_clusters must be an integer of at least 2. Got {n_clusters!r}")
    if n_clusters > n:
        raise InvalidParameterError(
            f"n_clusters must be at most {n:,}: no base clustering tells the objects inside a microcluster apart, "
            f"and this ensemble has {n:,} microclusters. Got {n_clusters:,}"
        )
    return int(n_clusters)


def _check_seed(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InvalidParameterError(f"seed must be an integer of at least 0. Got {seed!r}")
    return int(seed)


def check_needs(method: ConsensusMethod, ensemble: Ensemble) -> None:
    """Refuse what a method cannot do on this ensemble and this machine.

    Raises
    ------
    MissingExtraError, MissingEvidenceError
    """
    if method.unavailable:
        raise MissingExtraError(method.unavailable)
    if "memberships" in method.needs and ensemble.memberships is None:
        raise MissingEvidenceError(
            f"{method.title} needs soft memberships, and this ensemble has hard labels only. "
            "Generate the ensemble with LAC, or choose another method"
        )


def _lean_methods(ensemble: Ensemble) -> tuple[str, ...]:
    """Titles of the methods that would do without an n x n matrix here."""
    lacking = {"dense"} if ensemble.memberships is not None else {"dense", "memberships"}
    fitting = (method for method in consensus_methods().values() if not method.needs & lacking)
    return tuple(method.title for method in fitting if not method.unavailable)
