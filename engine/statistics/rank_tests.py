"""Which methods differ over data sets: tests on ranks, where a data set weighs the same whatever its scores.

Higher scores are better everywhere; give errors or seconds with their sign turned. Scores are compared to 12 decimals,
so that the rounding of sums does not break a tie.

Demsar, "Statistical comparisons of classifiers over multiple data sets", J. Machine Learning Research 7, 2006.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from ..runtime.errors import InvalidParameterError

#: NMI and its like are sums of thousands of terms in [0, 1]: what differs beyond these decimals is rounding.
DECIMALS = 12


def as_scores(values: ArrayLike, name: str, ndim: int) -> NDArray[np.float64]:
    """Numbers of the right number of axes, none infinite, NaN where there is no score; `name` is for the message."""
    array = np.asarray(values, dtype=np.float64)
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


def check_alpha(alpha: float) -> float:
    """The level of a test, if it lies strictly between 0 and 1."""
    if not 0 < alpha < 1:
        raise InvalidParameterError(f"alpha must be between 0 and 1, both excluded. Got {alpha!r}")
    return alpha


#: Up to so many blocks the signed-rank test counts all sign patterns; beyond, it uses the normal approximation.
EXACT_BLOCKS = 60


class FriedmanTest(NamedTuple):
    """Friedman's chi2 on k - 1 degrees of freedom, and F of Iman and Davenport on (k - 1, (k - 1)(n - 1))."""

    chi2: float
    p: float
    f: float
    p_f: float


def wilcoxon_holm(table: ArrayLike) -> NDArray[np.float64]:
    """Signed-rank tests between all pairs of methods over blocks (n_blocks, n_methods), adjusted by Holm for the pairs.

    Exact over all sign patterns, ties included, up to `EXACT_BLOCKS`. Differences of zero are ranked and then dropped
    (Pratt, 1959): blocks without a difference count against one. Holm (1979): the i-th smallest of m p values times m -
    i + 1, made monotone.

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
    p, p_f = stats.chi2.sf(chi2, k - 1), stats.f.sf(f, k - 1, (k - 1) * (n - 1))
    return FriedmanTest(float(chi2), float(p), float(f), float(p_f))


def critical_difference(n_methods: int, n_blocks: int, alpha: float = 0.05) -> float:
    """Least difference of average ranks that is significant between any two methods (Nemenyi's test).

    q sqrt(k (k + 1) / (6 n)), q the studentized range at infinite degrees of freedom over sqrt 2 (Demsar, eq. 6); k
    methods, n blocks.

    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    for name, value in (("n_methods", n_methods), ("n_blocks", n_blocks)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 2:
            raise InvalidParameterError(f"{name} must be an integer of at least 2. Got {value!r}")
    q = stats.studentized_range.ppf(1 - check_alpha(alpha), n_methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_blocks)))


def cliques(ranks: ArrayLike, cd: float) -> list[tuple[int, ...]]:
    """Groups of methods not told apart: as many neighbours in rank as lie less than the critical difference apart.

    Indices from the best rank on; groups of at least two, none within another.

    >>> cliques([3.1, 2.0, 2.9, 1.9], cd=1.15)
    [(3, 1, 2), (1, 2, 0)]
    """
    ranks = as_scores(ranks, "ranks", 1)
    if np.isnan(ranks).any() or not cd > 0:
        raise InvalidParameterError(f"ranks must be there and cd positive. Got {ranks.tolist()} and {cd!r}")
    order = np.argsort(ranks, kind="stable")
    apart = np.round(ranks[order][None] - ranks[order][:, None], DECIMALS)
    ends = (apart < cd).sum(axis=1)  # of the group that begins at each method: those before it count, being negative
    longer = np.diff(ends, prepend=0) > 0
    return [tuple(order[i : ends[i]].tolist()) for i in np.flatnonzero(longer) if ends[i] - i > 1]


def _ranks(scores: NDArray) -> NDArray[np.float64]:
    """Ranks within rows, 1 = highest, ties averaged."""
    return stats.rankdata(-np.round(scores, DECIMALS), axis=1)


def _signed_rank_p(differences: NDArray) -> float:
    """Two-sided p of Wilcoxon's signed-rank test, zeros by Pratt's rule."""
    differences = np.round(differences, DECIMALS)
    if not differences.any():
        return 1.0
    if len(differences) > EXACT_BLOCKS:
        return float(stats.wilcoxon(differences, zero_method="pratt", method="asymptotic").pvalue)
    doubled = np.rint(2 * stats.rankdata(np.abs(differences))).astype(np.int64)  # ties have half ranks
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
