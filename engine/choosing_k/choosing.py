"""All criteria on one ensemble, counted, and said in a sentence."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..consensus import check_needs, find_method
from ..ensemble import Ensemble
from ..ensemble.ensembles import require_ensemble
from ..ensemble.reading_labels import as_points
from ..params import Params, one_of, require_integer
from ..runtime.blocks import kept_threads
from ..runtime.errors import InvalidParameterError, TooLargeError
from ..runtime.monitor import SILENT, Monitor, Part
from .pair_agreement import ConsensusRuns, most_clusters
from .questions import Effort, Looks, Question
from .registry import NEEDS, Band, Criterion, Curve, find_criterion, known_criteria
from .sentences import all_of, beyond, verdict_of
from .structure_test import LEVEL, Structure

#: How much is computed, by name.
EFFORTS = {
    "quick": Effort(repeats=25, null_sets=20, splits=5, objects=500, microclusters=2_000),
    "full": Effort(repeats=100, null_sets=25, splits=20),
}
#: The largest k looked at unless told otherwise.
DEFAULT_K_MAX = 10


@dataclass(frozen=True, eq=False)
class ChosenK:
    """What the criteria say about the number of clusters.

    Attributes
    ----------
    k : int
        What most votes say, of equals that of the first criterion; the largest number looked at where more votes than
        these are lost at the edge; 1 if the data look like one group.
    ks : (n_k,) int64
        The numbers looked at.
    curves, spread : dict of str to (n_k,) float64
        By criterion; the spread where its values are means.
    null : dict of str to Band
        What the curve would be for data without clusters, where that was asked.
    picks : dict of str to int
        By criterion; empty if there is no structure.
    votes : dict of str to int
        What is counted: criteria that say the same thing share a vote, and a pick at the edge of the range has none.
    counted : tuple of str
        The criteria whose pick is a vote: of those that share one, who agree with it.
    readings, left_out : dict of str to str
        Why each picks what it picks; why others were left out.
    verdict : str
        All of it in a sentence or two.
    structure : Structure or None
        None where it was not asked: without features, or without null sets.
    partitions : dict of int to (N,) int32
        The consensus for every k.
    runs : ConsensusRuns or None
        The k-means runs behind PAC.
    drawn : (n,) int64
        The objects that took part in them, in the order of their labels: that of the features.
    largest : int
        The largest k that can be looked at.
    """

    k: int
    ks: NDArray[np.int64]
    curves: dict[str, NDArray[np.float64]]
    spread: dict[str, NDArray[np.float64]]
    null: dict[str, Band]
    picks: dict[str, int]
    votes: dict[str, int]
    counted: tuple[str, ...]
    readings: dict[str, str]
    left_out: dict[str, str]
    verdict: str
    structure: Structure | None
    partitions: dict[int, NDArray[np.int32]] = field(repr=False)
    runs: ConsensusRuns | None = field(repr=False)
    drawn: NDArray[np.int64] = field(repr=False)
    largest: int

    @property
    def n_clusters(self) -> int:
        """What a consensus takes where nobody chose: k, at least 2. The one rule of pages, reports and commands."""
        return max(2, self.k)


def choose_k(
    ensemble: Ensemble,
    method: str = "lwea",
    params: Mapping[str, Any] | Params | None = None,
    k_max: int | None = None,
    features: ArrayLike | None = None,
    criteria: Sequence[str] | None = None,
    seed: int = 0,
    monitor: Monitor | None = None,
    *,
    effort: str | Effort = "full",
    looks: str | Path | None = None,
) -> ChosenK:
    """Ask every criterion which number of clusters it would take, after asking whether there are clusters at all.

    Parameters
    ----------
    ensemble : Ensemble
    method, params
        As for `engine.run_consensus`: whose partitions are judged.
    k_max : int, optional
        The largest k looked at, at most the number of microclusters; by default 10, or as many as there are. With
        features no more than the objects in a share, four fifths, which are clustered again, and than 255.
    features : (N, D) float, optional
        Scaled as for the ensemble. Without them nothing is compared with data that have no clusters.
    criteria : sequence of str, optional
        Keys of `choosing_k.known_criteria()`; by default all.
    seed : int
    monitor : Monitor, optional
    effort : "full" | "quick" | Effort
        100 or 25 runs of k-means for every k, 25 or 20 null sets, 20 or 5 splits; quick, features of at most 500
        objects.
    looks : path, optional
        A folder where what clusters the features again is kept as it is made: asked once more, also by another
        process or for another method, `choose_k` goes on from there.

    Returns
    -------
    ChosenK

    Raises
    ------
    InvalidParameterError
        Also if the features are constant. And what the method raises if it finds no consensus for any k.
    Cancelled

    Notes
    -----
    O(R n_k (1 + B)) k-means runs, and as many consensus runs as k, splits and halves; a method that grows a tree
    grows one for all k.

    References
    ----------
    monti2003consensus; senbabaoglu2014pac; john2020m3c; fred2005eac; strehl2002.

    Examples
    --------
    >>> labels = np.tile(np.repeat([0, 1, 2], 6)[:, None], 8)
    >>> labels[0, :2] = 1
    >>> choose_k(Ensemble.from_labels(labels), k_max=4, effort="quick").k
    3
    """
    question = ask(ensemble, method, params, k_max, features, seed, effort, looks)
    return answer(question, criteria, monitor or SILENT)


def ask(
    ensemble: Ensemble,
    method: str,
    params: Mapping[str, Any] | Params | None,
    k_max: int | None,
    features: ArrayLike | None,
    seed: int,
    effort: str | Effort,
    looks: str | Path | None = None,
) -> Question:
    """What `choose_k` is asked, checked; whoever keeps it can go on after a cancel.

    Parameters
    ----------
    ensemble, method, params, k_max, features, seed, effort, looks
        As for `choose_k`.

    Returns
    -------
    Question
        With the range of k and the seeds settled; nothing is computed yet.

    Raises
    ------
    InvalidParameterError
        If a name is unknown, the seed is none, or features do not belong to the ensemble's objects.
    """
    require_integer("seed", seed)
    chosen = find_method(method).params.of(params)
    if find_method(method).finds_k:
        raise InvalidParameterError(f"{find_method(method).title} finds the number of clusters itself: run it alone")
    check_needs(find_method(method), require_ensemble(ensemble), chosen)
    points, kept, spent = _features(ensemble, features), None if looks is None else Looks(looks), _effort(effort)
    ks = _ks(ensemble, k_max)
    ks = ks[ks <= _largest_k(ensemble, points, spent)]
    return Question(ensemble, method, chosen, ks, points, spent, seed, kept)


@kept_threads()
def answer(question: Question, criteria: Sequence[str] | None = None, monitor: Monitor = SILENT) -> ChosenK:
    """Ask the criteria, by key (all by default), and count what they say. See `choose_k`.

    Parameters
    ----------
    question : Question
        From `ask`; what it has computed before is not computed again.
    criteria : sequence of str, optional
        Keys of `known_criteria()`, by default all.
    monitor : Monitor, optional

    Returns
    -------
    ChosenK
        The curves and picks of the criteria, those left out with the reason, and the k most of them name.

    Raises
    ------
    InvalidParameterError
        If there is no such criterion.
    """
    asked = _asked(criteria)
    most = 3 * len(asked)  # the share of what clusters the features again
    whole = 1 + most + len(asked)
    question.partitions(monitor=Part(monitor, 0, whole, 1))
    left_out = {one.key: reason for one in asked if (reason := _lacking(one, question))}
    found_structure = _structure(question, asked, Part(monitor, 1, whole, most))
    found: dict[str, Curve] = {}
    for done, one in enumerate(asked, 1 + most):
        if one.key in left_out:
            continue
        try:
            found[one.key] = one.run(question, Part(monitor, done, whole, 1))
        except TooLargeError as error:  # the others may do with less
            left_out[one.key] = str(error)
    largest = _largest_k(question.ensemble, question.features, question.effort)
    further = bool(question.ks[-1] < largest)
    picks = {key: curve.pick for key, curve in found.items() if curve.pick is not None}
    structured = found_structure is None or found_structure.found
    vote = counted(asked if structured else [], found, question.ks)
    k = vote.k if structured else 1
    return ChosenK(
        k=k,
        ks=question.ks,
        curves={key: curve.values for key, curve in found.items()},
        spread={key: curve.spread for key, curve in found.items() if curve.spread is not None},
        null={key: curve.null for key, curve in found.items() if curve.null is not None},
        picks=picks if structured else {},
        votes=vote.votes,
        counted=vote.keys,
        readings={one.key: one.reading(found[one.key], question.ks) for one in asked if one.key in found},
        left_out=left_out,
        verdict=verdict_of(k, vote.votes, vote.at_edge, found, question.ks, found_structure, further)
        + _on_components(question)
        + _beyond(question),
        structure=found_structure,
        partitions=question.partitions(),
        runs=question.runs() if _has_runs(asked, left_out) else None,
        drawn=question.drawn(),
        largest=largest,
    )


def _on_components(question: Question) -> str:
    """Where there are more features than objects: what null sets are drawn on, to be said."""
    n = len(question.drawn())
    if question.features is None or not question.effort.null_sets or question.features.shape[1] <= n:
        return ""
    found, some = question.n_components(), n < question.ensemble.n_objects
    than = f"the {n:,} objects that are looked at" if some else "objects"
    components = "principal component" + "s" * (found != 1)
    return f" There are more features than {than}: sets are drawn on their {found:,} {components}."


def _beyond(question: Question) -> str:
    words = beyond(question.ensemble.n_clusters_each, int(question.ks[-1]))
    return words and f" {words}"


def _asked(keys: Sequence[str] | None) -> list[Criterion]:
    return list(known_criteria().values()) if keys is None else [find_criterion(key) for key in keys]


def _has_runs(asked: list[Criterion], left_out: dict[str, str]) -> bool:
    return any("features" in one.needs and one.key not in left_out for one in asked)


def _structure(question: Question, asked: list[Criterion], monitor: Monitor) -> Structure | None:
    wanted = question.features is not None and any("features" in one.needs for one in asked)
    enough = 1 / (1 + question.effort.null_sets) < LEVEL  # with fewer sets no data could come out as structured
    return question.structure(monitor) if wanted and enough else None


@dataclass(frozen=True)
class Count:
    """What is voted for, by the name of the vote; the criteria whose pick it is, and the outcome.

    `at_edge`: by title, the picks without a vote, as they are the last k that their criterion has a value for.
    """

    k: int
    votes: dict[str, int]
    keys: tuple[str, ...]
    at_edge: dict[str, int]


def counted(asked: Sequence[Criterion], curves: Mapping[str, Curve], ks: NDArray[np.int64]) -> Count:
    """Count the picks: criteria that say the same thing share a vote, and a pick at the edge of their range has none.

    The outcome is what most votes say, of equals the first; the largest k where more votes than these are lost at the
    edge, for then the range is too short to tell; 2 where nobody prefers anything.
    """
    picks = [(one, curves[one.key].pick) for one in asked if one.counts and one.key in curves]
    edge = {one.key: pick for one, pick in picks if pick is not None and _at_edge(pick, curves[one.key], ks)}
    inside = [(one, pick) for one, pick in picks if pick is not None and one.key not in edge]
    voting: dict[str, list[tuple[Criterion, int]]] = {}
    for one, pick in inside:
        voting.setdefault(one.shares or one.key, []).append((one, pick))
    votes = dict(map(_vote, voting.values()))
    won = [one.key for members in voting.values() for one, pick in members if pick == _vote(members)[1]]
    lost = {one.shares or one.key for one, _ in picks if edge.get(one.key) == ks[-1]} - voting.keys()
    k = _most(votes.values()) if votes else 2
    if len(lost) > list(votes.values()).count(k):
        k = int(ks[-1])
    at_edge = {one.title: edge[one.key] for one, _ in picks if one.key in edge}
    return Count(k, votes, tuple(one.key for one, _ in inside if one.key in won), at_edge)


def _vote(members: Sequence[tuple[Criterion, int]]) -> tuple[str, int]:
    """What criteria that share a vote say, and the names of those among them that say it."""
    vote = _most(pick for _, pick in members)
    names = [one.title for one, pick in members if pick == vote]
    return (names[0] if len(names) == 1 else f"{all_of(names)} (one vote)"), vote


def _at_edge(pick: int, curve: Curve, ks: NDArray[np.int64]) -> bool:
    """Whether a pick is the largest k that was valued: what lies beyond it might be better still."""
    valued = ks[np.isfinite(curve.values)]
    return len(valued) > 0 and pick == valued[-1]


def _most(picks: Iterable[int]) -> int:
    """The most frequent, of equals the first."""
    return Counter(picks).most_common(1)[0][0]


def _largest_k(ensemble: Ensemble, features: NDArray | None, effort: Effort) -> int:
    """The largest k that can be looked at: each cluster has a microcluster, and an object in a share of those drawn."""
    n = len(ensemble.microclusters)
    return n if features is None else min(n, most_clusters(min(len(features), effort.objects or len(features))))


def _ks(ensemble: Ensemble, k_max: int | None) -> NDArray[np.int64]:
    n = len(ensemble.microclusters)
    if n < 2:
        raise InvalidParameterError("an ensemble must tell objects apart for k to be chosen. Got one microcluster")
    highest = min(DEFAULT_K_MAX, n) if k_max is None else k_max
    if isinstance(highest, bool) or not isinstance(highest, int | np.integer) or not 2 <= highest <= n:
        raise InvalidParameterError(
            f"k_max must be an integer from 2 to {n:,}, the microclusters of this ensemble. Got {k_max!r}"
        )
    return np.arange(2, highest + 1)


def _features(ensemble: Ensemble, features: ArrayLike | None) -> NDArray[np.float64] | None:
    return None if features is None else as_points(features, ensemble.n_objects)


def _effort(effort: str | Effort) -> Effort:
    if isinstance(effort, Effort):
        return effort
    return EFFORTS[one_of("effort", effort, EFFORTS)]


def _lacking(criterion: Criterion, question: Question) -> str:
    """Why a criterion cannot be asked here, in words; empty if it can."""
    ensemble = question.ensemble
    there = {
        "features": lambda: question.features is not None,
        "tree": lambda: "dendrogram" in question.result().trace,
        "prototypes": lambda: "capacity" in question.result().trace,
        "several": lambda: ensemble.n_clusterings >= 4,
        "sets": lambda: question.effort.null_sets >= 3,
        "time": lambda: len(ensemble.microclusters) <= (question.effort.microclusters or np.inf),
    }
    return next((NEEDS[need] for need in sorted(criterion.needs) if not there[need]()), "")
