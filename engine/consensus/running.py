"""All consensus methods, the one call that runs them, and how much an answer hangs on each base clustering.

One method may run under many settings on one ensemble: what the settings share is done once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble, Microclusters
from ..ensemble.ensembles import require_complete, require_ensemble
from ..ensemble.renumbering import first_appearance
from ..metrics import ari
from ..params import Params, one_of, require_integer
from ..runtime.blocks import kept_threads, single_threaded_libraries
from ..runtime.discovery import declared
from ..runtime.errors import (
    Cancelled,
    EngineError,
    InvalidEnsembleError,
    InvalidParameterError,
    MissingEvidenceError,
    MissingExtraError,
    TooLargeError,
    shown,
)
from ..runtime.kernel_cache import seconds_worked
from ..runtime.monitor import SILENT, Monitor, Quiet
from ..trees.dendrograms import Dendrogram, cut
from .method import ConsensusMethod, Trace


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
        Wall-clock time of the run, but for compiling kernels.
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

    def at(self, n_clusters: int) -> "Consensus":
        """The same run with its tree cut into another number of clusters, as if it had been run for that.

        Parameters
        ----------
        n_clusters : int
            k, from 1 to the number of microclusters.

        Returns
        -------
        Consensus

        Raises
        ------
        InvalidParameterError
            If the method grows no tree, or it cannot be cut so.

        Examples
        --------
        >>> ensemble = Ensemble.from_labels([[0, 0], [0, 0], [1, 1], [1, 1], [1, 2]])
        >>> run_consensus("lwea", ensemble, n_clusters=2).at(3).labels.tolist()
        [0, 0, 1, 1, 2]
        """
        if "dendrogram" not in self.trace:
            raise InvalidParameterError(
                f"{self.method} grows no tree that could be cut. Run it for {shown(n_clusters)}"
            )
        labels = first_appearance(self.microclusters.expand(cut(self.trace["dendrogram"], n_clusters)))
        labels.setflags(write=False)
        return replace(self, labels=labels, n_clusters=int(labels.max()) + 1)

    def provenance(self, ensemble: Ensemble | None = None) -> dict[str, Any]:
        """What made the labels: method, parameters, k and seed.

        Parameters
        ----------
        ensemble : Ensemble, optional
            What made it is said, too.

        Returns
        -------
        dict
            Plain values, by name.
        """
        said = {"method": self.method, "params": self.params.as_dict(), "k": self.n_clusters, "seed": self.seed}
        return said if ensemble is None else said | {"generator": ensemble.provenance, "m": ensemble.n_clusterings}


@cache
def consensus_methods() -> dict[str, ConsensusMethod]:
    """All methods by key, in alphabetical order: every `ConsensusMethod` in `engine/methods/`.

    >>> {"eac", "lwea", "lwgp"} <= set(consensus_methods())
    True
    """
    found = declared(f"{__package__.rpartition('.')[0]}.methods", ConsensusMethod)
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
        Names of n x n intermediates to keep in the trace (`engine.consensus.method.LARGE`). A method that does
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
    method, seed = find_method(key), require_integer("seed", seed)
    chosen, ensemble = method.params.of(params), require_ensemble(ensemble).tossed(seed)
    k = 0 if method.finds_k else check_n_clusters(n_clusters, ensemble)
    check_needs(method, ensemble, chosen)
    trace = Trace(monitor or SILENT, record)
    start = seconds_worked()
    with single_threaded_libraries(), kept_threads():
        trace.record("symmetric_clusters", ensemble.form.n_symmetric)
        try:
            found = method.run(ensemble.canonical, k, chosen, np.random.default_rng(seed), trace)
        except TooLargeError as error:
            lean = _lean_methods(ensemble, chosen, error.limit)
            raise TooLargeError(error.what, error.needed, error.limit, lean, error.in_use, error.given) from None
    labels = first_appearance(ensemble.objects_in_given_order(found))
    labels.setflags(write=False)
    return Consensus(
        labels=labels,
        method=key,
        params=chosen,
        n_clusters=int(labels.max()) + 1,
        seed=seed,
        seconds=seconds_worked() - start,
        trace=trace.in_order_of(ensemble),
        microclusters=ensemble.microclusters,
    )


def find_method(key: str) -> ConsensusMethod:
    """The method under a key."""
    return consensus_methods()[one_of("method", key, consensus_methods())]


def check_n_clusters(n_clusters: int | None, ensemble: Ensemble) -> int:
    """K if it is an integer in 2..n: fewer is no clustering, more would split inseparable objects.

    Raises
    ------
    InvalidParameterError, InvalidEnsembleError
    """
    n, k = len(ensemble.microclusters), several_clusters(n_clusters)
    if n == 1:
        raise InvalidEnsembleError("there is one microcluster: no base clustering tells any two objects apart")
    if k > n:
        raise InvalidParameterError(
            f"n_clusters must be at most {n:,}: no base clustering tells the objects inside a microcluster apart, "
            f"and this ensemble has {n:,} microclusters. Got {shown(k)}"
        )
    return k


def several_clusters(n_clusters: int | None) -> int:
    """K if it is an integer of at least 2; whether an ensemble can be cut into so many is another question.

    Raises
    ------
    InvalidParameterError
    """
    return require_integer("n_clusters", n_clusters, 2)


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
        require_complete(ensemble, method.title, f"{takers} take")
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


def _lean_methods(ensemble: Ensemble, refused: Params, limit: int) -> tuple[str, ...]:
    """Titles of the methods that would do without n x n here, and without K x K or n x K where those are too large."""
    lacking = {"dense"} if ensemble.memberships is not None else {"dense", "memberships"}
    lacking |= set() if ensemble.graph is not None else {"graph"}
    lacking |= set() if ensemble.complete else {"complete", "dense where labels are missing"}
    n = len(ensemble.microclusters) if ensemble.memberships is None else ensemble.n_objects  # which those tell apart
    n_clusters = ensemble.n_clusters_total
    lacking |= {"dense between clusters"} if 24 * n_clusters**2 > limit else set()  # three of doubles
    lacking |= {"dense between objects and clusters"} if 40 * n * n_clusters > limit else set()  # or a graph of as much
    found = []
    for method in consensus_methods().values():
        if method.requirements() & lacking or method.unavailable or refused == method.params():
            continue
        found.append(method.title + " with its default parameters" * isinstance(refused, method.params))
    return tuple(found)


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
        0 where nothing changes; nan where the rest has fewer than k microclusters, or is refused by the method. Objects
        that the rest does not label are left out.

    Raises
    ------
    InvalidEnsembleError
        If there is just one base clustering.
    """
    if (n := require_ensemble(ensemble).n_clusterings) < 2:
        raise InvalidEnsembleError("leaving one out needs at least 2 base clusterings. Got 1")
    least = 1 if find_method(key).finds_k else several_clusters(n_clusters)
    at = [
        partial(monitor.tick, "leaving out one base clustering after the other", done, n + 1) for done in range(n + 1)
    ]
    whole = run_consensus(key, ensemble, n_clusters, params, seed, Quiet(at[0])).labels
    moved = np.full(n, np.nan)
    for m in range(n):
        at[m + 1]()
        rest, objects = ensemble.drawn(np.delete(np.arange(n), m))
        if len(rest.microclusters) >= least:
            with suppress(EngineError):
                labels = run_consensus(key, rest, n_clusters, params, seed, Quiet(at[m + 1])).labels
                moved[m] = 1 - ari(whole[objects], labels)
    return moved


@dataclass(frozen=True, eq=False)
class Outcome:
    """What became of one setting, by its index, and one k: labels (N,), or None and what the method raised.

    `seconds` count since the outcome before: work that is shared counts where it was done.
    """

    setting: int
    n_clusters: int
    labels: NDArray[np.int32] | None
    seconds: float
    error: str = ""


def run_settings(
    key: str,
    ensemble: Ensemble,
    settings: Sequence[Params],
    n_clusters: Sequence[int],
    seed: int = 0,
    monitor: Monitor = SILENT,
) -> Iterator[Outcome]:
    """Run a method under every setting with every k, as they are asked for.

    One tree serves all k, where a method grows one; settings share what the method can share
    (`ConsensusMethod.trees`). An error of a method ends its setting, not the others. All k of a setting come after
    each other, settings in any order.

    >>> from engine.methods.lwea import LWEAParams
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 0], [1, 1], [1, 1], [1, 2]])
    >>> found = run_settings("lwea", ensemble, [LWEAParams(0.2), LWEAParams(2.0)], [2, 3])
    >>> [(one.setting, one.n_clusters, one.labels.tolist()) for one in found][:2]
    [(0, 2, [0, 0, 1, 1, 1]), (0, 3, [0, 0, 1, 1, 2])]
    """
    method, ensemble = find_method(key), ensemble.tossed(seed)
    watch = _Watch()
    left = set(range(len(settings)))
    if method.trees is not None and len(settings) > 1:
        for i, tree in _shared_trees(method, ensemble, settings, monitor):
            left.discard(i)
            yield from _cuts(i, tree, ensemble, n_clusters, watch)
    for i in sorted(left):  # all of them, or those the shared run did not reach
        yield from _alone(key, i, settings[i], ensemble, n_clusters, seed, monitor, watch)


class _Watch:
    """Seconds since the last look."""

    def __init__(self) -> None:
        self.last = seconds_worked()

    def lap(self) -> float:
        now = seconds_worked()
        self.last, before = now, self.last
        return now - before


def _shared_trees(
    method: ConsensusMethod, ensemble: Ensemble, settings: Sequence[Params], monitor: Monitor
) -> Iterator[tuple[int, Dendrogram]]:
    """Trees as far as the method gets; what it raises is then said by each setting that is left."""
    assert method.trees is not None
    try:
        trees = method.trees(ensemble.canonical, settings, monitor)
        while True:
            with single_threaded_libraries():
                found = next(trees, None)
            if found is None:
                return
            yield found
    except Cancelled:
        raise
    except Exception:  # noqa: BLE001 - whatever it is, the settings that are left meet it again and tell
        return


def _cuts(i: int, tree: Dendrogram, ensemble: Ensemble, ks: Sequence[int], watch: _Watch) -> Iterator[Outcome]:
    for k in ks:
        try:
            labels = first_appearance(ensemble.microclusters.expand(cut(tree, check_n_clusters(k, ensemble))))
        except Exception as error:  # noqa: BLE001 - becomes a record
            yield Outcome(i, k, None, watch.lap(), in_words(error))
        else:
            yield Outcome(i, k, labels, watch.lap())


def _alone(
    key: str, i: int, params: Params, ensemble: Ensemble, ks: Sequence[int], seed: int, monitor: Monitor, watch: _Watch
) -> Iterator[Outcome]:
    for k, found in run_every_k(key, ensemble, ks, params, seed, monitor):
        if isinstance(found, Consensus):
            yield Outcome(i, k, found.labels, watch.lap())
        else:
            yield Outcome(i, k, None, watch.lap(), in_words(found))


def run_every_k(
    key: str,
    ensemble: Ensemble,
    ks: Sequence[int],
    params: Params,
    seed: int = 0,
    monitor: Monitor = SILENT,
    grown: Consensus | None = None,
) -> Iterator[tuple[int, Consensus | Exception]]:
    """Every k with the answer of a method, or what it raised; one tree serves all, that of `grown` or of the first run.

    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 0], [1, 1], [1, 1], [1, 2]])
    >>> found = run_every_k("lwea", ensemble, [2, 3, 4], find_method("lwea").params())
    >>> [(k, isinstance(one, Consensus)) for k, one in found]
    [(2, True), (3, True), (4, False)]
    """
    for k in ks:
        found: Consensus | Exception
        try:
            if grown is not None and "dendrogram" in grown.trace:
                found = grown.at(check_n_clusters(k, ensemble))
            else:
                found = grown = run_consensus(key, ensemble, k, params, seed, monitor)
        except Cancelled:
            raise
        except Exception as error:  # noqa: BLE001 - whoever asked has a place for it
            found = error
        yield k, found


def in_words(error: Exception) -> str:
    """How an error is kept: its type and its sentence."""
    return f"{type(error).__name__}: {error}"
