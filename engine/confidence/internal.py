"""Scores of a partition that need no truth: they say how well it sits in its ensemble, not whether it is right."""

import numpy as np
from numpy.typing import ArrayLike

from ..ensemble import Ensemble
from ..metrics import nmi
from ..runtime.monitor import SILENT, Monitor
from .cluster_means import mean_margin

#: Internal scores, with titles that say so. Stability runs a method again and again, and is found where it is asked.
INTERNAL = {
    "margin": "mean margin (internal)",
    "anmi": "ANMI (internal)",
    "stability": "mean stability (internal)",
}


def mean_nmi(ensemble: Ensemble, labels: ArrayLike) -> tuple[float, float]:
    """Mean NMI (sqrt) of a partition with the base clusterings, each on the objects it saw, and its spread: ANMI.

    Parameters
    ----------
    ensemble : Ensemble
        Of N objects in M base clusterings.
    labels : (N,) labels of any values
        The partition.

    Returns
    -------
    mean, sd : float
        Over the M base clusterings; the mean in [0, 1].

    References
    ----------
    strehl2002, eq. 3.

    Examples
    --------
    >>> mean_nmi(Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 0]]), [3, 3, 5, 5])
    (0.5, 0.5)
    """
    partition = np.asarray(labels)
    seen = [(column[column >= 0], partition[column >= 0]) for column in ensemble.labels.T]
    values = [nmi(own, column, "sqrt") for column, own in seen]
    return float(np.mean(values)), float(np.std(values))


def internal_scores(ensemble: Ensemble, labels: ArrayLike, monitor: Monitor = SILENT) -> dict[str, float]:
    """The `INTERNAL` scores read off a partition, by name; the margin of a single cluster is not there.

    Parameters
    ----------
    ensemble : Ensemble
        Of N objects.
    labels : (N,) labels of any values
        The partition.
    monitor : Monitor, optional

    Returns
    -------
    dict of str to float
        Keys are some of `INTERNAL`.

    Examples
    --------
    >>> internal_scores(Ensemble.from_labels([[0, 0], [0, 0], [1, 1], [1, 1]]), [0, 0, 1, 1])
    {'margin': 1.0, 'anmi': 1.0}
    """
    several = len(np.unique(labels)) > 1
    found = {"margin": mean_margin(ensemble, labels, monitor)} if several else {}
    return found | {"anmi": mean_nmi(ensemble, labels)[0]}
