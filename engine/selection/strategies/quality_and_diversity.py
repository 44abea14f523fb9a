"""Base clusterings that are good and different: joint criterion, cluster and select, hull (Fern and Lin 2008)."""

import numpy as np
from numba import njit

from ...graphs.spectral_cuts import spectral_partition
from ..registry import DIGITS, Candidates, Strategy, largest

#: What agreement counts beside difference.
ALPHA = 0.5


def _joint(candidates: Candidates, number: int):
    """Begin with the largest SNMI; add what maximises alpha sum SNMI + (1 - alpha) sum of pairs' 1 - NMI."""
    apart, chosen = 1 - candidates.agreement, np.zeros(len(candidates), bool)
    gain = np.zeros(len(candidates))  # difference from those chosen so far
    taken = int(np.argmax(np.round(candidates.snmi, DIGITS)))
    for _ in range(number - 1):
        chosen[taken] = True
        gain += apart[taken]
        worth = np.round(ALPHA * candidates.snmi + (1 - ALPHA) * gain, DIGITS)
        taken = int(np.argmax(np.where(chosen, -np.inf, worth)))
    chosen[taken] = True
    return np.flatnonzero(chosen)


JOINT = Strategy(
    key="joint",
    title="joint criterion",
    run=_joint,
    summary="Adds one base clustering after the other that agrees with all, and differs from those kept so far.",
    reference="fern2008selection",
    place=20,
)


#: Runs of k-means on the eigenvectors.
RESTARTS = 20


def _cas(candidates: Candidates, number: int):
    """Spectral clustering of the NMI matrix into as many groups as wanted; of each the largest SNMI."""
    if number == 1:  # k-means is for two groups or more
        return largest(candidates.snmi, 1)
    graph = np.array(candidates.agreement)
    groups = spectral_partition(graph, np.ones(len(graph)), number, candidates.rng, RESTARTS, candidates.monitor)
    order = np.argsort(-np.round(candidates.snmi, DIGITS), kind="stable")
    return order[np.unique(groups[order], return_index=True)[1]]


CAS = Strategy(
    key="cas",
    title="cluster and select (CAS)",
    run=_cas,
    summary="Groups the base clusterings by agreement, and keeps of each group the one that agrees most with all.",
    reference="fern2008selection",
    place=30,
)


def _hull(candidates: Candidates, number: int):
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


HULL = Strategy(
    key="hull",
    title="convex hull",
    run=_hull,
    summary="Keeps the members of pairs that agree more than any mixture of other pairs which differs as much.",
    reference="fern2008selection",
    place=50,
)
