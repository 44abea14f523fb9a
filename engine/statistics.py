"""Which differences are real: spread and paired tests over the repeats of one data set; over data sets, ranks.

Higher scores are better everywhere; give errors or seconds with their sign turned. Scores are compared to 12 decimals,
so that the rounding of sums is never significant and breaks no tie. Over data sets a set weighs the same whatever its
scores: Demsar, "Statistical comparisons of classifiers over multiple data sets", J. Machine Learning Research 7, 2006.
"""

from itertools import combinations
from numbers import Real
from typing import Literal, NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from .ensemble.reading_labels import as_numbers
from .params import require_integer
from .runtime.errors import InvalidParameterError, shown

#: NMI and its like are sums of thousands of terms in [0, 1]: what differs beyond these decimals is rounding.
DECIMALS = 12


def as_scores(values: ArrayLike, name: str, ndim: int) -> NDArray[np.float64]:
    """Numbers of the right number of axes, none infinite, NaN where there is no score; `name` is for the message."""
    array = as_numbers(values, name, "numbers")
    if array.ndim != ndim or (array.size == 0 and ndim > 1):
        raise InvalidParameterError(f"{name} must be an array of {ndim} axes, none empty. Got shape {array.shape}")
    if np.isinf(array).any():
        raise InvalidParameterError(f"{name} must be finite. Got {array[np.isinf(array)][0]}")
    return array


def refuse_missing(missing: NDArray, block: str) -> None:
    """Name the first of the cells (n_blocks, n_methods) that have no score; `block` is what a row is called."""
    if missing.any():
        row, column = np.argwhere(missing)[0]
        raise InvalidParameterError(
            f"every method must have a score in every {block}. Got none for method {column + 1} in {block} {row + 1}, "
            f"{missing.sum():,} missing in all"
        )


def check_alpha(alpha: float, name: str = "alpha") -> float:
    """The level of a test, or of an interval, if it lies strictly between 0 and 1."""
    if isinstance(alpha, bool) or not isinstance(alpha, Real) or not 0 < alpha < 1:
        raise InvalidParameterError(f"{name} must be between 0 and 1, both excluded. Got {shown(alpha)}")
    return float(alpha)


#: Up to so many blocks that differ the signed-rank test counts all sign patterns; beyond, it takes a normal curve.
EXACT_BLOCKS = 60


class FriedmanTest(NamedTuple):
    """Friedman's chi2 on k - 1 degrees of freedom, and F of Iman and Davenport on (k - 1, (k - 1)(n - 1))."""

    chi2: float
    p: float
    f: float
    p_f: float


def wilcoxon_holm(table: ArrayLike) -> NDArray[np.float64]:
    """Signed-rank tests between all pairs of methods over blocks (n_blocks, n_methods), adjusted by Holm for the pairs.

    Exact over all sign patterns, ties included, up to `EXACT_BLOCKS` that differ. Differences of zero are ranked and
    then dropped (Pratt, 1959): blocks without a difference count against one. Holm (1979): the i-th smallest of m p
    values times m - i + 1, made monotone.

    >>> wilcoxon_holm([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.6, 0.4], [0.9, 0.3], [0.8, 0.1]]).tolist()
    [[1.0, 0.03125], [0.03125, 1.0]]
    """
    scores = _as_table(table)
    pairs = np.array(list(combinations(range(scores.shape[1]), 2)))
    adjusted = _holm(np.array([_signed_rank_p(scores[:, a] - scores[:, b]) for a, b in pairs]))
    matrix = np.ones((scores.shape[1],) * 2)
    matrix[pairs[:, 0], pairs[:, 1]] = matrix[pairs[:, 1], pairs[:, 0]] = adjusted
    return matrix


def average_ranks(table: ArrayLike) -> NDArray[np.float64]:
    """Mean rank of each method over blocks (n_blocks, n_methods): 1 = best, ties share the mean of their ranks.

    >>> average_ranks([[0.9, 0.5, 0.5], [0.7, 0.8, 0.1]]).tolist()
    [1.5, 1.75, 2.75]
    """
    return _ranks(_as_table(table)).mean(axis=0)


def friedman(table: ArrayLike) -> FriedmanTest:
    """Whether the methods' ranks differ at all (Demsar, section 3.2.2), over blocks (n_blocks, n_methods).

    chi2 is corrected for ties, as in `scipy.stats.friedmanchisquare`; Demsar's equation is without. f is then the F
    ratio of a two-way analysis of variance on the ranks. If every block ranks alike, f is infinite and p_f 0; if every
    block is one tie, chi2 = f = 0 and p = p_f = 1.

    >>> round(friedman([[0.9, 0.5], [0.7, 0.8], [0.9, 0.1]]).f, 6)
    0.25
    """
    ranks = _ranks(_as_table(table))
    n, k = ranks.shape
    middle = (k + 1) / 2
    variation = ((ranks - middle) ** 2).sum()
    if variation == 0:
        return FriedmanTest(0.0, 1.0, 0.0, 1.0)
    chi2 = n * (k - 1) * (n * (ranks.mean(axis=0) - middle) ** 2).sum() / variation
    rest = n * (k - 1) - chi2
    f = (n - 1) * chi2 / rest if rest > 10.0**-DECIMALS else np.inf
    p, p_f = scipy.stats.chi2.sf(chi2, k - 1), scipy.stats.f.sf(f, k - 1, (k - 1) * (n - 1))
    return FriedmanTest(float(chi2), float(p), float(f), float(p_f))


def critical_difference(n_methods: int, n_blocks: int, alpha: float = 0.05) -> float:
    """Least difference of average ranks that is significant between any two methods (Nemenyi's test).

    q sqrt(k (k + 1) / (6 n)), q the studentized range at infinite degrees of freedom over sqrt 2 (Demsar, eq. 6); k
    methods, n blocks.

    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    for name, value in (("n_methods", n_methods), ("n_blocks", n_blocks)):
        require_integer(name, value, 2)
    q = scipy.stats.studentized_range.ppf(1 - check_alpha(alpha), n_methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_blocks)))


def cliques(ranks: ArrayLike, cd: float) -> list[tuple[int, ...]]:
    """Groups of methods not told apart: as many neighbours in rank as lie less than the critical difference apart.

    Indices from the best rank on; groups of at least two, none within another.

    >>> cliques([3.1, 2.0, 2.9, 1.9], cd=1.15)
    [(3, 1, 2), (1, 2, 0)]
    """
    ranks = as_scores(ranks, "ranks", 1)
    if np.isnan(ranks).any() or not isinstance(cd, Real) or not cd > 0:
        raise InvalidParameterError(f"ranks must be there and cd positive. Got {ranks.tolist()} and {shown(cd)}")
    order = np.argsort(ranks, kind="stable")
    apart = np.round(ranks[order][None] - ranks[order][:, None], DECIMALS)
    ends = (apart < cd).sum(axis=1)  # of the group that begins at each method: those before it count, being negative
    longer = np.diff(ends, prepend=0) > 0
    return [tuple(order[i : ends[i]].tolist()) for i in np.flatnonzero(longer) if ends[i] - i > 1]


def _ranks(scores: NDArray) -> NDArray[np.float64]:
    """Ranks within rows, 1 = highest, ties averaged."""
    return scipy.stats.rankdata(-np.round(scores, DECIMALS), axis=1)


def _signed_rank_p(differences: NDArray) -> float:
    """Two-sided p of Wilcoxon's signed-rank test, zeros by Pratt's rule."""
    differences = np.round(differences, DECIMALS)
    if not differences.any():
        return 1.0
    if np.count_nonzero(differences) > EXACT_BLOCKS:
        return float(scipy.stats.wilcoxon(differences, zero_method="pratt", method="asymptotic").pvalue)
    doubled = np.rint(2 * scipy.stats.rankdata(np.abs(differences))).astype(np.int64)  # ties have half ranks
    chances = _rank_sum_chances(doubled[differences != 0])
    positive = doubled[differences > 0].sum()
    return float(min(1.0, 2 * min(chances[: positive + 1].sum(), chances[positive:].sum())))


def _rank_sum_chances(ranks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Chance of each sum 0..total of the ranks that are positive, every sign being a fair coin."""
    chances = np.zeros(ranks.sum() + 1)
    chances[0] = 1
    for rank in ranks:
        shifted = np.concatenate([np.zeros(rank), chances[:-rank]])
        chances = (chances + shifted) / 2
    return chances


def _holm(p: NDArray) -> NDArray[np.float64]:
    """Holm's adjusted p values, in the order given."""
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(np.minimum(p[order] * np.arange(len(p), 0, -1), 1))
    return adjusted


def _as_table(table: ArrayLike) -> NDArray[np.float64]:
    """A complete table of at least two blocks by two methods."""
    scores = as_scores(table, "table", 2)
    if min(scores.shape) < 2:
        raise InvalidParameterError(f"table must have at least 2 blocks and 2 methods. Got shape {scores.shape}")
    refuse_missing(np.isnan(scores), "block")
    return scores


__all__ = [
    "FriedmanTest",
    "Interval",
    "Spread",
    "Verdict",
    "average_ranks",
    "cliques",
    "critical_difference",
    "friedman",
    "paired_interval",
    "paired_verdict",
    "spread",
    "tied_with_best",
    "wilcoxon_holm",
    "win_tie_loss",
]


class Spread(NamedTuple):
    """Mean and standard deviation of a score over n repeats."""

    mean: float
    sd: float
    n: int


class Verdict(NamedTuple):
    """Outcome of one method against another: t is positive where ours is better, p two-sided."""

    outcome: Literal["win", "tie", "loss"]
    t: float
    p: float


def spread(values: ArrayLike) -> Spread:
    """Mean, sample standard deviation and number of the repeats (R,) that are there; nan is failed, or not yet run.

    sd with n - 1 below the fraction bar, 0 for one repeat; mean and sd are nan for none.

    >>> spread([0.25, 0.75, float("nan")])
    Spread(mean=0.5, sd=0.3535533905932738, n=2)
    """
    scores = as_scores(values, "values", 1)
    there = scores[~np.isnan(scores)]
    if not len(there):
        return Spread(np.nan, np.nan, 0)
    return Spread(float(there.mean()), float(there.std(ddof=1)) if len(there) > 1 else 0.0, len(there))


def paired_verdict(ours: ArrayLike, theirs: ArrayLike, alpha: float = 0.05) -> Verdict:
    """Paired t-test over repeats: win or loss where p < alpha, as the LWEA paper's Tables VI and VIII count them.

    `ours` and `theirs` (R,) are scores on the same ensembles; a repeat that is nan on either side is left out. If all
    differences are equal: t = 0, p = 1 for zero, else t infinite, p = 0. Fewer than two pairs are a tie with t = p =
    nan.

    >>> paired_verdict([0.8, 0.9, 0.7], [0.6, 0.7, 0.5])
    Verdict(outcome='win', t=inf, p=0.0)
    """
    ours, theirs = as_scores(ours, "ours", 1), as_scores(theirs, "theirs", 1)
    if ours.shape != theirs.shape:
        raise InvalidParameterError(f"ours and theirs must be on the same repeats. Got {len(ours)} and {len(theirs)}")
    t, p = _paired_t(ours - theirs)
    sign = int(_outcomes(t, p, check_alpha(alpha)))
    outcome: Literal["win", "tie", "loss"] = "win" if sign > 0 else "loss" if sign < 0 else "tie"
    return Verdict(outcome, float(t), float(p))


class Interval(NamedTuple):
    """A mean difference with the ends of its confidence interval, over n repeats."""

    mean: float
    low: float
    high: float
    n: int


def paired_interval(ours: ArrayLike, theirs: ArrayLike, level: float = 0.95) -> Interval:
    """How much better ours is on the same repeats, with Student's confidence interval of the mean difference.

    Scores (R,) that are nan on either side are left out; the ends are nan for fewer than two pairs.

    >>> paired_interval([0.5, 0.75, 1.0], [0.25, 0.5, 0.75])
    Interval(mean=0.25, low=0.25, high=0.25, n=3)
    """
    ours, theirs = as_scores(ours, "ours", 1), as_scores(theirs, "theirs", 1)
    if ours.shape != theirs.shape:
        raise InvalidParameterError(f"ours and theirs must be on the same repeats. Got {len(ours)} and {len(theirs)}")
    differences = np.round(ours - theirs, DECIMALS)
    found = spread(differences[~np.isnan(differences)])
    if found.n < 2:
        return Interval(found.mean, np.nan, np.nan, found.n)
    half = float(scipy.stats.t.ppf(1 - (1 - check_alpha(level, "level")) / 2, found.n - 1)) * found.sd / found.n**0.5
    return Interval(found.mean, found.mean - half, found.mean + half, found.n)


def win_tie_loss(scores: ArrayLike, alpha: float = 0.05) -> NDArray[np.int64]:
    """On how many data sets each method is significantly better than, level with, and worse than each other.

    Scores (n_methods, n_datasets, R), nan a repeat that failed; (n_methods, n_methods, 3) come back. The level of each
    paired t-test is not adjusted for their number, as in the papers.

    >>> win_tie_loss([[[0.8, 0.9, 0.8]], [[0.4, 0.5, 0.3]]])[0, 1].tolist()
    [1, 0, 0]
    """
    scores, alpha = as_scores(scores, "scores", 3), check_alpha(alpha)
    refuse_missing((~np.isnan(scores)).sum(axis=2).T == 0, "data set")
    signs = _outcomes(*_paired_t(scores[:, None] - scores[None]), alpha)
    return np.stack([(signs == sign).sum(axis=2) for sign in (1, 0, -1)], axis=2)


def tied_with_best(scores: ArrayLike, alpha: float = 0.05) -> NDArray[np.bool_]:
    """The method with the best mean, and those not significantly worse on the same repeats: (n_methods,) bool.

    Scores (n_methods, R), nan where there is none. A single repeat tells no methods apart: all that have it are tied.
    Who shares none with the best is not.

    >>> tied_with_best([[0.8, 0.9, 0.8], [0.8, 0.8, 0.9], [0.1, 0.2, 0.2]]).tolist()
    [True, True, False]
    """
    scores, alpha = as_scores(scores, "scores", 2), check_alpha(alpha)
    counts = (~np.isnan(scores)).sum(axis=1)
    there = counts > 0
    means = np.where(there, np.nansum(scores, axis=1) / np.maximum(counts, 1), -np.inf)
    differences = scores - scores[means.argmax()]
    return ~np.isnan(differences).all(axis=1) & (_outcomes(*_paired_t(differences), alpha) >= 0)


def _paired_t(differences: NDArray) -> tuple[NDArray, NDArray]:
    """Student's t and two-sided p over the last axis, nan left out; nan where fewer than two are there."""
    differences = np.round(differences, DECIMALS)
    there = ~np.isnan(differences)
    n, known = there.sum(axis=-1), np.where(there, differences, 0)
    mean = known.sum(axis=-1) / np.maximum(n, 1)
    squares = (np.where(there, differences - mean[..., None], 0) ** 2).sum(axis=-1)
    # The mean of equal numbers need not be that number: decide by comparing, not by the sum of squares.
    highest = np.where(there, differences, -np.inf).max(axis=-1, initial=-np.inf)
    lowest = np.where(there, differences, np.inf).min(axis=-1, initial=np.inf)
    squares = np.where(highest <= lowest, 0, squares)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(mean == 0, 0.0, mean / np.sqrt(squares / (n - 1) / n))
    t = np.where(n < 2, np.nan, t)
    return t, 2 * scipy.stats.t.sf(np.abs(t), np.maximum(n - 1, 1))


def _outcomes(t: NDArray, p: NDArray, alpha: float) -> NDArray[np.int64]:
    """1 where significantly better, -1 where worse, else 0; nan is no evidence."""
    return np.where(p < alpha, np.sign(t), 0).astype(np.int64)
