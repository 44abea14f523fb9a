"""How far a base clustering agrees with the crowd of the others, and what it counts for that (Huang et al. 2015)."""

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..ensemble.microclusters import frozen
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor
from .agreement import clustering_agreement

#: Base clusterings whose mean agreement is below it are independent of the others, but for rounding.
_NOTHING = 1e-12


def normalized_crowd_agreement(ensemble: Ensemble, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Mean NMI of every base clustering with the others, the largest of these means set to 1: NCAI.

    Parameters
    ----------
    ensemble : Ensemble
    monitor : Monitor, optional

    Returns
    -------
    (M,) float64
        In [0, 1], the largest 1.

    Notes
    -----
    O(n M^2) time. NMI is divided by the larger entropy, as in the published code (its comment says the geometric
    mean). Two base clusterings of one cluster each agree fully, one with any other not at all. Where nobody agrees with
    anybody, and where there is one base clustering alone, all have 1: the published code divides 0 by 0.

    References
    ----------
    huang2015crowd.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]])
    >>> normalized_crowd_agreement(ensemble).tolist()
    [1.0, 1.0, 0.0]
    """
    return ensemble.remember("normalized_crowd_agreement", lambda: frozen(_measured_agreement(ensemble, monitor)))


def _measured_agreement(ensemble: Ensemble, monitor: Monitor) -> NDArray[np.float64]:
    agreement = clustering_agreement(ensemble, "max", monitor)
    np.fill_diagonal(agreement, 0)
    means = agreement.sum(axis=1) / max(1, ensemble.n_clusterings - 1)
    return means / means.max() if means.max() > _NOTHING else np.ones(len(means))


def crowd_weights(ensemble: Ensemble, beta: float = 2.0, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Weight of every base clustering, w = NCAI^beta: (M,), in [0, 1].

    Parameters
    ----------
    ensemble : Ensemble
    beta : float
        At least 0. At 0 all weigh 1; the higher, the more the best agreed with outvote the rest.
    monitor : Monitor, optional

    Returns
    -------
    (M,) float64
        In [0, 1], the largest 1 where the base clusterings agree at all.

    Raises
    ------
    InvalidParameterError

    References
    ----------
    huang2015crowd.
    """
    if not beta >= 0 or not np.isfinite(beta):
        raise InvalidParameterError(f"beta must be a number in [0, inf). Got {beta!r}")
    return normalized_crowd_agreement(ensemble, monitor) ** beta
