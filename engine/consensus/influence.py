"""How much a consensus hangs on each base clustering."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..metrics import ari
from ..params import Params
from ..runtime.errors import InvalidEnsembleError
from ..runtime.monitor import SILENT, Monitor, Quiet
from .running import run_consensus


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
        Told after every run, and asked inside the runs whether to go on.

    Returns
    -------
    (M,) float64
        0 where nothing changes; nan where the rest has fewer than k microclusters. Objects that the rest does not label
        are left out.

    Raises
    ------
    InvalidEnsembleError
        If there is just one base clustering.
    """
    if ensemble.n_clusterings < 2:
        raise InvalidEnsembleError("leaving one out needs at least 2 base clusterings. Got 1")
    n = ensemble.n_clusterings
    at = [
        partial(monitor.tick, "leaving out one base clustering after the other", done, n + 1) for done in range(n + 1)
    ]
    whole = run_consensus(key, ensemble, n_clusters, params, seed, Quiet(at[0])).labels
    moved = np.full(n, np.nan)
    for m in range(n):
        at[m + 1]()
        rest, objects = ensemble.seen_by(np.arange(n) != m)
        if len(rest.microclusters) >= n_clusters:
            labels = run_consensus(key, rest, n_clusters, params, seed, Quiet(at[m + 1])).labels
            moved[m] = 1 - ari(whole[objects], labels)
    return moved
