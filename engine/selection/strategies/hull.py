"""Convex hull: pairs of base clusterings that are both good and different (Fern and Lin 2008)."""

import numpy as np
from numba import njit

from ..registry import DIGITS, Candidates, Strategy


def _run(candidates: Candidates, number: int):
    """Members of the pairs on the upper hull of mean SNMI against 1 - NMI.

    The hull says itself how many these are. Where it has too few, the hull of the pairs with a member that is not
    chosen yet is taken too, and so on; of the last one those with the largest SNMI.
    """
    one, other = np.triu_indices(len(candidates), 1)
    snmi = np.round(candidates.snmi, DIGITS)
    quality = np.round((snmi[one] + snmi[other]) / 2, DIGITS)
    diversity = np.round(1 - candidates.agreement[one, other], DIGITS)
    order = np.lexsort((-quality, diversity))  # stable: of equal points the first pair
    left, chosen = order, np.zeros(len(candidates), bool)
    while chosen.sum() < number:
        on_hull = left[_upper_hull(diversity[left], quality[left])]
        fresh = np.unique(np.concatenate([one[on_hull], other[on_hull]]))
        fresh = fresh[~chosen[fresh]]
        best = fresh[np.argsort(-snmi[fresh], kind="stable")]
        chosen[best[: number - chosen.sum()]] = True
        left = left[~(chosen[one[left]] & chosen[other[left]])]
    return np.flatnonzero(chosen)


@njit(cache=True, nogil=True)
def _upper_hull(x, y):
    """Places of the corners of the upper hull of points sorted by x, of equal x the highest first."""
    stack = np.empty(len(x), np.int64)
    n = 0
    for i in range(len(x)):
        if i > 0 and x[i] == x[i - 1]:
            continue
        while n >= 2:
            a, b = stack[n - 2], stack[n - 1]
            if (x[b] - x[a]) * (y[i] - y[a]) - (y[b] - y[a]) * (x[i] - x[a]) < 0:
                break
            n -= 1
        stack[n] = i
        n += 1
    return stack[:n]


STRATEGY = Strategy(
    key="hull",
    title="convex hull",
    run=_run,
    summary="Keeps the members of pairs that no mixture of other pairs beats in agreement and difference together.",
    reference="fern2008selection",
    place=50,
)
