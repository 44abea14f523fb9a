"""All consensus methods, the one call that runs them, and how much an answer hangs on each base clustering."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble, Microclusters
from ..ensemble.renumbering import first_appearance
from ..metrics import ari
from ..params import Params
from ..runtime.blocks import kept_threads, single_threaded_libraries
from ..runtime.discovery import declared
from ..runtime.errors import (
    InvalidEnsembleError,
    InvalidParameterError,
    MissingEvidenceError,
    MissingExtraError,
    TooLargeError,
)
from ..runtime.monitor import SILENT, Monitor, Quiet
from ..runtime.wording import shown
from .method import ConsensusMethod
from .traces import Trace


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
    found = declared(f"{__package__.rpartition('.')[0]}.methods", "METHOD")
    return {method.key: method for method in sorted(found, key=lambda method: method.key)}


def run_consensus(
    key: str,
    ensemble: Ensemble,
    n_clusters: int | None,
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
    n_clusters : int or None
        k, from 2 to the number of microclusters; of no account where the method finds it (`ConsensusMethod.finds_k`).
    params : mapping or Params, optional
        Parameters by name; the method's defaults for the rest.
    seed : int
        Non-negative; the same seed gives the same labels on any number of threads. Where groups of objects are exact
        mirror images, it also draws which is which.
    monitor : Monitor, optional
        Told of progress; may stop the run.
    record : iterable of str
        Names of n x n intermediates to keep in the trace (`engine.consensus.traces.LARGE`). A method that does
        without a matrix where none fits leaves it out.

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
    PartitionerError
        igraph, METIS or Mt-KaHyPar gave up.
    Cancelled
        The monitor asked to stop.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 0], [1, 1], [1, 1], [1, 2]])
    >>> run_consensus("lwea", ensemble, n_clusters=2).labels.tolist()
    [0, 0, 1, 1, 1]
    """
    method, seed = find_method(key), _check_seed(seed)
    chosen, ensemble = method.params.of(params), ensemble.tossed(seed)
    k = 0 if method.finds_k else check_n_clusters(n_clusters, ensemble)
    check_needs(method, ensemble, chosen)
    trace = Trace(monitor or SILENT, record)
    start = time.perf_counter()
    with single_threaded_libraries(), kept_threads():
        trace.record("symmetric_clusters", ensemble.form.n_symmetric)
        try:
            found = method.run(ensemble.canonical, k, chosen, np.random.default_rng(seed), trace)
        except TooLargeError as error:
            lean = _lean_methods(ensemble, key)
            raise TooLargeError(error.what, error.needed, error.limit, lean, error.in_use) from None
    labels = first_appearance(ensemble.objects_in_given_order(found))
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
    """The method under a key."""
    methods = consensus_methods()
    if not isinstance(key, str) or key not in methods:
        raise InvalidParameterError(f"method must be one of {', '.join(methods)}. Got {shown(key)}")
    return methods[key]


def check_n_clusters(n_clusters: int | None, ensemble: Ensemble) -> int:
    """K if it is an integer in 2..n: fewer is no clustering, more would split inseparable objects.

    Raises
    ------
    InvalidParameterError
    """
    n = len(ensemble.microclusters)
    if isinstance(n_clusters, bool) or not isinstance(n_clusters, int | np.integer) or n_clusters < 2:
        raise InvalidParameterError(f"n_clusters must be an integer of at least 2. Got {shown(n_clusters)}")
    if n_clusters > n:
        raise InvalidParameterError(
            f"n_clusters must be at most {n:,}: no base clustering tells the objects inside a microcluster apart, "
            f"and this ensemble has {n:,} microcluster{'s' * (n != 1)}. Got {shown(int(n_clusters))}"
        )
    return int(n_clusters)


def _check_seed(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InvalidParameterError(f"seed must be an integer of at least 0. Got {shown(seed)}")
    return int(seed)


def check_needs(method: ConsensusMethod, ensemble: Ensemble, params: Params) -> None:
    """Refuse what a method cannot do on this ensemble and this machine under these parameters.

    Raises
    ------
    MissingExtraError, MissingEvidenceError
    """
    reason = method.lacking_extra(params)
    if reason:
        raise MissingExtraError(reason)
    if "complete" in method.requirements(params) and not ensemble.complete:
        takers = ", ".join(takers_of_missing(ensemble.graph is not None))
        raise MissingEvidenceError(
            f"{method.title} needs a label of every object in every base clustering, and {ensemble.n_missing:,} are "
            f"missing. {takers} take them as they are; or drop the objects that miss one, or "
            "complete each by its most similar labelled object (engine.completion)"
        )
    if "memberships" in method.requirements(params) and ensemble.memberships is None:
        raise MissingEvidenceError(
            f"{method.title} needs soft memberships, and this ensemble has hard labels only. "
            "Generate the ensemble with LAC, or choose another method"
        )
    if "graph" in method.requirements(params) and ensemble.graph is None:
        raise MissingEvidenceError(
            f"{method.title} needs a graph between the objects, and this ensemble has none. "
            "Generate the ensemble with Leiden, or choose another method"
        )


def takers_of_missing(graph: bool = False) -> tuple[str, ...]:
    """Titles of the methods that take missing labels as they are, and can run here, without a graph or with one."""
    found = (one for one in consensus_methods().values() if one.takes_missing and (graph or "graph" not in one.needs))
    return tuple(method.title for method in found if not method.unavailable)


def _lean_methods(ensemble: Ensemble, refused: str) -> tuple[str, ...]:
    """Titles of the methods that would do without an n x n matrix here."""
    lacking = {"dense"} if ensemble.memberships is not None else {"dense", "memberships"}
    lacking |= set() if ensemble.graph is not None else {"graph"}
    lacking |= set() if ensemble.complete else {"complete", "dense where labels are missing"}
    fitting = (method for method in consensus_methods().values() if not method.requirements() & lacking)
    found = {method.key: method.title for method in fitting if not method.unavailable}
    if refused in found:
        found[refused] += " with its default parameters"
    return tuple(found.values())


def leave_one_out(
    key: str,
    ensemble: Ensemble,
    n_clusters: int | None,
    params: Mapping[str, Any] | Params | None = None,
    seed: int = 0,
    monitor: Monitor = SILENT,
) -> NDArray[np.float64]:
    """How far the consensus moves when each base clustering is left out: 1 - ARI between the two.

    Parameters
    ----------
    key, ensemble, n_clusters, params, seed
        As for `engine.run_consensus`; the ensemble has at least 2 base clusterings.
    monitor : Monitor, optional
        Told after every run, and asked inside the runs whether to go on.

    Returns
    -------
    (M,) float64
        0 where nothing changes; nan where the rest has fewer than k microclusters. Objects that the rest does not label
        are left out.

    Raises
    ------
    InvalidEnsembleError
        If there is just one base clustering.
    """
    if ensemble.n_clusterings < 2:
        raise InvalidEnsembleError("leaving one out needs at least 2 base clusterings. Got 1")
    n = ensemble.n_clusterings
    at = [
        partial(monitor.tick, "leaving out one base clustering after the other", done, n + 1) for done in range(n + 1)
    ]
    whole = run_consensus(key, ensemble, n_clusters, params, seed, Quiet(at[0])).labels
    moved = np.full(n, np.nan)
    for m in range(n):
        at[m + 1]()
        rest, objects = ensemble.seen_by(np.arange(n) != m)
        if n_clusters is None or len(rest.microclusters) >= n_clusters:
            labels = run_consensus(key, rest, n_clusters, params, seed, Quiet(at[m + 1])).labels
            moved[m] = 1 - ari(whole[objects], labels)
    return moved
