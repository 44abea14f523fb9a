"""Which differences are real: spread and paired tests over the repeats of one data set; over data sets, ranks.

Higher scores are better everywhere; give errors or seconds with their sign turned. Differences are taken to 12
decimals, so that the rounding of sums is never significant. What compares methods over data sets is in `rank_tests`
and offered here as well.
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from ..runtime.errors import InvalidParameterError
from .rank_tests import (
    DECIMALS,
    FriedmanTest,
    as_scores,
    average_ranks,
    check_alpha,
    cliques,
    critical_difference,
    friedman,
    refuse_missing,
    wilcoxon_holm,
)

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
    half = float(stats.t.ppf(1 - check_alpha(1 - level) / 2, found.n - 1)) * found.sd / found.n**0.5
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

    >>> tied_with_best([[0.8, 0.9, 0.8], [0.8, 0.8, 0.9], [0.1, 0.2, 0.2]]).tolist()
    [True, True, False]
    """
    scores, alpha = as_scores(scores, "scores", 2), check_alpha(alpha)
    counts = (~np.isnan(scores)).sum(axis=1)
    there = counts > 0
    means = np.where(there, np.nansum(scores, axis=1) / np.maximum(counts, 1), -np.inf)
    return there & (_outcomes(*_paired_t(scores - scores[means.argmax()]), alpha) >= 0)


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
    return t, 2 * stats.t.sf(np.abs(t), np.maximum(n - 1, 1))


def _outcomes(t: NDArray, p: NDArray, alpha: float) -> NDArray[np.int64]:
    """1 where significantly better, -1 where worse, else 0; nan is no evidence."""
    return np.where(p < alpha, np.sign(t), 0).astype(np.int64)
