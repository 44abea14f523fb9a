"""Internal indices of one answer: by how often its objects meet, and on the features."""

import numpy as np
from numba import njit

from ..calibration import Placed
from ..registry import Criterion


def _margin(placed: Placed) -> float:
    own, other = placed.similarities
    return float(np.average(own - other, weights=placed.ground.sizes))


MARGIN = Criterion(
    key="margin",
    title="mean margin",
    index=_margin,
    summary="How much more often objects meet the members of their own cluster than those of the nearest other one.",
    reference="wilkerson2010consensus",
    place=30,
)


def _silhouette(placed: Placed) -> float:
    own, other = placed.similarities
    near, far = 1 - own, 1 - other
    larger = np.maximum(near, far)
    values = np.divide(far - near, larger, out=np.zeros_like(near), where=larger > 0)
    alone = placed.sizes[placed.labels] < 2
    return float(np.average(np.where(alone, 0, values), weights=placed.ground.sizes))


SILHOUETTE = Criterion(
    key="silhouette",
    title="silhouette on 1 - CA",
    index=_silhouette,
    summary="How near objects are to their own cluster beside the nearest other one, as often as they meet.",
    reference="rousseeuw1987silhouettes",
    place=40,
)


def _separation(placed: Placed) -> float:
    """From the contingency of base clusters and clusters alone; an object and itself are no pair."""
    table, seen = placed.table, placed.seen
    together, pairs = (table**2).sum() - table.sum(), (seen**2).sum() - seen.sum()
    all_together = (table.sum(axis=1) ** 2).sum() - table.sum()
    all_pairs = (seen.sum(axis=1) ** 2).sum() - seen.sum()
    if pairs <= 0 or all_pairs <= pairs:
        return np.nan
    return float(together / pairs - (all_together - together) / (all_pairs - pairs))


SEPARATION = Criterion(
    key="separation",
    title="within less between",
    index=_separation,
    summary="How much more often two objects of one cluster meet than two of different clusters.",
    reference="monti2003consensus",
    place=50,
)


def _modularity(placed: Placed) -> float:
    """From the contingency of base clusters and clusters alone, an object and itself being no link."""
    table = placed.table
    sizes = table.sum(axis=1)
    inside = (table**2).sum(axis=0) - table.sum(axis=0)
    degrees = (table * sizes[:, None]).sum(axis=0) - table.sum(axis=0)
    whole = degrees.sum()
    return float((inside / whole - (degrees / whole) ** 2).sum()) if whole > 0 else np.nan


MODULARITY = Criterion(
    key="modularity",
    title="modularity of CA",
    index=_modularity,
    summary="How much more often members of a cluster meet than objects that meet as many others would by chance.",
    reference="newman2006modularity",
    place=60,
)


def _feature_silhouette(placed: Placed) -> float:
    ground = placed.ground
    return float(_silhouette_kernel(ground.points, placed.labels[ground.assignment], len(placed.sizes)))


@njit(cache=True, nogil=True)
def _silhouette_kernel(points, labels, k):
    """Mean of (far - near) / max(far, near), distances to the own centre and the nearest other; 0 of who is alone."""
    centres, counts = np.zeros((k, points.shape[1])), np.zeros(k)
    for i in range(len(points)):
        counts[labels[i]] += 1
        for d in range(points.shape[1]):
            centres[labels[i], d] += points[i, d]
    for c in range(k):
        centres[c] /= counts[c]
    total = 0.0
    for i in range(len(points)):
        near, far = 0.0, np.inf
        for c in range(k):
            square = 0.0
            for d in range(points.shape[1]):
                square += (points[i, d] - centres[c, d]) ** 2
            if c == labels[i]:
                near = np.sqrt(square)
            else:
                far = min(far, np.sqrt(square))
        if max(near, far) > 0 and counts[labels[i]] > 1:
            total += (far - near) / max(near, far)
    return total / counts.sum()


FEATURE_SILHOUETTE = Criterion(
    key="feature_silhouette",
    title="silhouette on features",
    index=_feature_silhouette,
    summary="How much nearer objects are to the centre of their own cluster than to the nearest other one; alone, 0.",
    reference="rousseeuw1987silhouettes",
    needs_features=True,
    place=70,
)
