"""Which method to believe: every method that fits into the time, side by side, and the one we would take."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..choosing_k import Structure
from ..consensus import check_n_clusters, consensus_methods, find_method, run_consensus
from ..consensus.costs import expected
from ..ensemble import Ensemble
from ..ensemble.ensembles import require_ensemble
from ..ensemble.reading_labels import as_points
from ..params import require_integer
from ..runtime.blocks import kept_threads
from ..runtime.errors import Cancelled, EngineError, InvalidParameterError, shown
from ..runtime.kernel_cache import seconds_worked
from ..runtime.memory import memory_limit
from ..runtime.monitor import SILENT, Monitor, Part
from ..statistics import Interval
from .league import expected_losses, expected_ranks
from .null_answers import structure_of_answers
from .opinions import Common, Opinions, common, opinions
from .registry import SPLITS, Limit, Question, known_criteria

#: From so much more agreement on, the method that others agree with most is named.
_NOTED = 0.05
#: No method is stopped before so many seconds: its kernels may have to be compiled.
AT_LEAST = 5.0


@dataclass(frozen=True, eq=False)
class Row:
    """A method beside the others.

    Attributes
    ----------
    method : str
    labels : (N,) int32
        Its answer.
    seconds : float
        What the answer took.
    agreement : float
        Mean ARI with the answers of the other families, each counted once; nan where there is no other.
    stability : float
        Mean ARI of its answers to two halves of the base clusterings; nan where it refuses a half, or takes too long.
    calibrated, raw : dict of str to float
        Internal indexes by criterion: z-values among 200 partitions that know nothing of the answer, and the values
        themselves. Empty where k leaves nothing to compare.
    expected_loss : float
        Mean ARI below the best method of each draw, on the sets of the league; nan for a method that is not in it.
    interval : (float, float)
        Its 95 % interval over those sets; nan where there is one set or none.
    rank : Interval or None
        Mean rank by ARI there, among the methods of the league, with its 95 % interval; None for one that is not in it.
    """

    method: str
    labels: NDArray[np.int32]
    seconds: float
    agreement: float
    stability: float
    calibrated: dict[str, float]
    raw: dict[str, float]
    expected_loss: float
    interval: tuple[float, float]
    rank: Interval | None


@dataclass(frozen=True, eq=False)
class ChosenMethod:
    """What methods answer, and which we would take.

    Attributes
    ----------
    method : str or None
        The one we would take; None where answers do not show that there are so many clusters. Then the first row is
        still the one least likely to lose.
    rows : tuple of Row
        By rising expected loss, of equals by falling agreement.
    structure : Structure or None
        Stability beside that on sets of one group; None where it could not be asked.
    reasons : tuple of str
        Why, in sentences.
    left_out : dict of str to str
        Methods that were not asked or gave no answer, and why.
    opinions : Opinions
        Groups of answers; places are those of the rows.
    common : Common or None
        What the answers agree on, in the clusters of the first row; None for a single answer.
    """

    method: str | None
    rows: tuple[Row, ...]
    structure: Structure | None
    reasons: tuple[str, ...]
    left_out: dict[str, str]
    opinions: Opinions = field(repr=False)
    common: Common | None = field(repr=False)


@kept_threads()
def choose_method(
    ensemble: Ensemble,
    n_clusters: int,
    features: ArrayLike | None = None,
    budget: float = 20.0,
    seed: int = 0,
    monitor: Monitor = SILENT,
    *,
    methods: Sequence[str] | None = None,
    leave_out: Collection[str] = (),
) -> ChosenMethod:
    """Ask every method that fits into the time, and say which answer we would take, and why, without a truth.

    No index without truth, agreement included, chooses better than what is known of methods beforehand
    (bench/results/league.md). So the choice goes by what each lost on the sets of the league; agreement decides between
    equals, and all else is shown beside it.

    Parameters
    ----------
    ensemble : Ensemble
        Of at least 2 base clusterings.
    n_clusters : int
        k.
    features : (N, D) float, optional
        Scaled as for the ensemble: for an index more, and for sets of one group that have their covariance.
    budget : float
        Seconds of one core that answers and their stability may take, by the laws of what methods cost (`bench_costs`)
        on this machine: the cheapest are asked first, and what takes one so long by itself is stopped.
    seed : int
    monitor : Monitor, optional
    methods : sequence of str, optional
        Ask these, whatever they cost; then the answer does not depend on the machine.
    leave_out : collection of str, optional
        Sets of the league that do not count, because they are those at hand; see `league`.

    Returns
    -------
    ChosenMethod

    Raises
    ------
    InvalidParameterError
        If a number is out of range, features do not belong to the objects, a set that is left out is not in the
        league, or no method gives an answer.
    Cancelled

    Notes
    -----
    One run of a method and two splits into halves each; 200 partitions for the indexes, on at most 2,000 objects;
    O(P^2) comparisons of P answers. Nothing is kept between objects.

    References
    ----------
    hennig2007stability; gates2019element.

    Examples
    --------
    >>> labels = np.tile(np.repeat([0, 1, 2], 8)[:, None], 6)
    >>> labels[[0, 9, 17], [1, 2, 3]] = 3
    >>> found = choose_method(Ensemble.from_labels(labels), 3, methods=["eac", "lwea", "kcc"])
    >>> len(found.rows), found.rows[0].agreement
    (3, 1.0)
    """
    k, seed = check_n_clusters(n_clusters, require_ensemble(ensemble)), require_integer("seed", seed)
    points = _points(ensemble, features)
    if not isinstance(budget, Real) or not budget > 0:
        raise InvalidParameterError(f"budget must be a number of seconds above 0. Got {shown(budget)}")
    if ensemble.n_clusterings < 2:
        raise InvalidParameterError("choosing a method needs at least 2 base clusterings. Got 1")
    record = expected_losses(leave_out), expected_ranks(leave_out)
    asked, left_out = _asked(ensemble, budget, methods)
    most = np.inf if methods is not None else max(budget, AT_LEAST)
    parts = [Part(monitor, done, 5, 1) for done in range(5)]
    question, seconds = _answers(ensemble, k, points, seed, asked, most, left_out, parts[0])
    criteria = list(known_criteria().values())
    values = {one.key: one.run(question, parts[1]) for one in criteria if one.run}
    indexes = question.calibrated(criteria, parts[2])
    rows = _rows(question, seconds, values, indexes, record)
    structure = structure_of_answers(ensemble, k, points, seed, parts[3])
    answers = np.stack([row.labels for row in rows], axis=1)
    groups = opinions(answers, seed, parts[4])
    shared = common(answers, 0, parts[4]) if len(rows) > 1 else None
    chosen = rows[0].method if structure is None or structure.found else None
    reasons = _reasons(rows, structure, groups, shared, points is not None)
    return ChosenMethod(chosen, tuple(rows), structure, reasons, left_out, groups, shared)


def _points(ensemble: Ensemble, features: ArrayLike | None) -> NDArray[np.float64] | None:
    return None if features is None else as_points(features, ensemble.n_objects)


def _asked(ensemble: Ensemble, budget: float, methods: Sequence[str] | None) -> tuple[list[str], dict[str, str]]:
    """The methods to be asked, in alphabetical order, and why others are not."""
    if methods is not None:
        return sorted({find_method(key).key for key in methods}), {}
    left_out, costs = {}, {}
    for key, method in consensus_methods().items():
        if method.finds_k:
            left_out[key] = "finds a number of clusters of its own"
            continue
        if (unmet := method.unmet(ensemble)) is not None:
            left_out[key] = unmet
        elif (told := expected(key, ensemble)) is None:
            left_out[key] = "what it takes was never measured, so that no budget holds it: ask for it by name"
        elif told[1] * 1e6 > memory_limit():
            left_out[key] = f"would take about {told[1]:,.0f} MB"
        else:
            costs[key] = told[0] * (1 + SPLITS)  # two halves take as long as the whole
    asked, spent = [], 0.0
    for key in sorted(costs, key=lambda one: (costs[one], one)):
        if spent + costs[key] > budget:
            left_out[key] = f"would take about {costs[key]:.2g} s, beyond the budget of {budget:g} s"
        else:
            asked.append(key)
            spent += costs[key]
    return sorted(asked), left_out


def _answers(
    ensemble: Ensemble,
    k: int,
    points: NDArray[np.float64] | None,
    seed: int,
    asked: list[str],
    most: float,
    left_out: dict[str, str],
    monitor: Monitor,
) -> tuple[Question, dict[str, float]]:
    """Run the methods; who cannot answer, or not in `most` seconds, is left out, and says why."""
    question, seconds = Question(ensemble, k, points, seed, most), {}
    for done, key in enumerate(asked):
        start, limit = seconds_worked(), Limit(Part(monitor, done, len(asked), 1), most)
        try:
            found = run_consensus(key, ensemble, k, seed=seed, monitor=limit)
        except Cancelled:
            if not limit.over:
                raise
            left_out[key] = f"took longer than expected, and was stopped after {most:g} s"
            continue
        except EngineError as error:
            left_out[key] = str(error)
            continue
        question.answers[key], seconds[key] = found.labels, seconds_worked() - start
    if not question.answers:
        why = "; ".join(f"{key}: {reason}" for key, reason in left_out.items())
        raise InvalidParameterError(f"no method gives an answer. {why}")
    return question, seconds


def _rows(
    question: Question,
    seconds: dict[str, float],
    values: dict[str, dict[str, float]],
    indexes: dict[str, dict[str, tuple[float, float]]],
    record: tuple[dict[str, Interval], dict[str, Interval]],
) -> list[Row]:
    """A row a method that answered, in their places; `values` by criterion and method, `indexes` the other way.

    `record` has losses and ranks in the league.
    """
    losses, ranks = record
    rows = [
        Row(
            method=key,
            labels=question.answers[key],
            seconds=seconds[key],
            agreement=values["agreement"][key],
            stability=values["stability"][key],
            calibrated={name: z for name, (_, z) in indexes[key].items()},
            raw={name: value for name, (value, _) in indexes[key].items()},
            expected_loss=losses[key].mean if key in losses else np.nan,
            interval=(losses[key].low, losses[key].high) if key in losses else (np.nan, np.nan),
            rank=ranks.get(key),
        )
        for key in question.answers
    ]
    return sorted(rows, key=_place)


def _place(row: Row) -> tuple[float, float, str]:
    """What rows are sorted by; who is not in the league, or has no other family, comes after."""
    lost, agreed = row.expected_loss, row.agreement
    return np.inf if np.isnan(lost) else lost, 1.0 if np.isnan(agreed) else -round(agreed, 9), row.method


def _of_structure(structure: Structure | None, k: int, featured: bool) -> str:
    """Whether answers are more stable than those to sets of one group."""
    if structure is None:
        return (
            f"Whether there are {k} clusters at all could not be asked: that takes at least four base clusterings, "
            "each of fewer clusters than objects are looked at (400 at most), and more groups of these than clusters."
        )
    stable, sets = f"{structure.statistic:z.2f}", f"{len(structure.null)} sets of one group"
    if structure.found:
        words = f"Answers are more stable ({stable}) than those to any of {sets} (at most {structure.null.max():z.2f})"
        return words + ("." if featured else ", drawn without knowing the features.")
    many = f"{structure.n_reached} of {sets}"
    if featured:
        return (
            f"Nothing in the answers shows that there are {k} clusters: {many} give answers as stable ({stable}). "
            "No method is recommended; groups that k-means does not see would look the same."
        )
    return (
        f"Labels alone do not tell whether there are {k} clusters: {many}, Gaussians that k-means clusters, give "
        f"answers as stable ({stable}). No method is recommended; with features the question is asked of sets like "
        "them."
    )


def _reasons(
    rows: list[Row], structure: Structure | None, groups: Opinions, shared: Common | None, featured: bool
) -> tuple[str, ...]:
    """Why, in sentences."""
    first = rows[0]
    title = consensus_methods()[first.method].title
    said = [_of_structure(structure, len(np.unique(first.labels)), featured)]
    if np.isfinite(first.expected_loss):
        low, high = first.interval
        between = f" ({low:.3f} to {high:.3f})" if np.isfinite(first.interval).all() else ""
        agreed = (
            f"the other families agree with it here by {first.agreement:.2f}"
            if np.isfinite(first.agreement)
            else "no other family answered here"
        )
        said.append(f"{title} lost {first.expected_loss:.3f} of ARI on the sets of the league{between}, and {agreed}.")
    closest = max(rows, key=lambda row: row.agreement if np.isfinite(row.agreement) else -1.0)
    if closest is not first and closest.agreement > first.agreement + _NOTED:
        other = consensus_methods()[closest.method].title
        said.append(f"The other families agree more with {other}, by {closest.agreement:.2f}.")
    if len(groups.medoids) > 1:
        each = ", ".join(
            f"{share:.0%} around {consensus_methods()[rows[int(medoid)].method].title}"
            for share, medoid in zip(groups.shares, groups.medoids, strict=True)
        )
        said.append(f"The answers fall into {len(groups.medoids)} groups: {each}.")
    if shared is not None:
        shift = "" if shared.core.all() else "; the others shift"
        said.append(f"Nine of ten methods put {shared.core_percent}% of the objects where {title} does{shift}.")
    return tuple(said)
