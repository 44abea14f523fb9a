"""Silhouette on the features, by distances to the centres of clusters: no distance between two objects is asked."""

import numpy as np
from numba import njit

from ..calibration import Placed
from ..registry import Criterion


def _index(placed: Placed) -> float:
    ground = placed.ground
    return float(_silhouette_kernel(ground.points, ground.sizes, placed.labels, len(placed.sizes)))


@njit(cache=True, nogil=True)
def _silhouette_kernel(points, weights, labels, k):
    """Weighted mean of (far - near) / max(far, near), of distances to the own centre and the nearest other."""
    centres, counts = np.zeros((k, points.shape[1])), np.zeros(k)
    for i in range(len(points)):
        counts[labels[i]] += weights[i]
        for d in range(points.shape[1]):
            centres[labels[i], d] += weights[i] * points[i, d]
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
        if max(near, far) > 0:
            total += weights[i] * (far - near) / max(near, far)
    return total / counts.sum()


METHOD_CRITERION = Criterion(
    key="feature_silhouette",
    title="silhouette on features",
    index=_index,
    summary="How much nearer objects are to the centre of their own cluster than to the nearest other one.",
    reference="rousseeuw1987silhouettes",
    needs_features=True,
    place=70,
)
