"""How much a consensus hangs on each base clustering."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.consensus import run_consensus
from engine.ensemble import Ensemble
from engine.errors import InvalidEnsembleError
from engine.metrics import ari
from engine.monitor import SILENT, Monitor
from engine.params import Params


def leave_one_out(
    key: str,
    ensemble: Ensemble,
    n_clusters: int,
    params: Mapping[str, Any] | Params | None = None,
    seed: int = 0,
    monitor: Monitor = SILENT,
) -> NDArray[np.float64]:
    """How far the consensus moves when each base clustering is left out: 1 - ARI between the two.

    Parameters
    ----------
    key, ensemble, n_clusters, params, seed
        As for `engine.run_consensus`; the ensemble has at least 2 base clusterings.
    monitor : Monitor, optional
        Told after every run.

    Returns
    -------
    (M,) float64
        0 where nothing changes; nan where the rest has fewer than k microclusters.

    Raises
    ------
    InvalidEnsembleError
        If there is just one base clustering.
    """
    if ensemble.n_clusterings < 2:
        raise InvalidEnsembleError("leaving one out needs at least 2 base clusterings. Got 1")
    whole = run_consensus(key, ensemble, n_clusters, params, seed).labels
    moved = np.full(ensemble.n_clusterings, np.nan)
    for m in range(ensemble.n_clusterings):
        monitor.tick("leaving out one base clustering after the other", m, ensemble.n_clusterings)
        rest = ensemble.select(np.arange(ensemble.n_clusterings) != m)
        if len(rest.microclusters) >= n_clusters:
            moved[m] = 1 - ari(whole, run_consensus(key, rest, n_clusters, params, seed).labels)
    return moved
