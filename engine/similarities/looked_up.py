"""Evidence between objects that is looked up in a similarity of their clusters."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..clusters.pair_lookups import Pairs, mean_of_pair, mean_over_clusters
from ..ensemble import Ensemble
from ..params import Params
from ..runtime.monitor import SILENT, Monitor
from .registry import PairEvidence


def looked_up(
    key: str,
    title: str,
    params: type[Params],
    between: Callable[[Ensemble, Any, Monitor], NDArray[np.float64]],
    pairs: Pairs,
    place: int,
) -> PairEvidence:
    """The kind of evidence that averages a similarity of clusters, `between(ensemble, params, monitor)`: (K, K)."""

    def matrix(ensemble: Ensemble, params: Any, monitor: Monitor) -> NDArray[np.float32]:
        return mean_over_clusters(ensemble, between(ensemble, params, monitor), pairs, monitor)

    def value(ensemble: Ensemble, params: Any, i: int, j: int) -> float:
        return mean_of_pair(ensemble, _latest(ensemble, params), pairs, i, j)

    def _latest(ensemble: Ensemble, params: Any) -> NDArray[np.float64]:
        """The clusters' similarity, kept under the latest parameters: a person asks for one pair after the other."""
        kept: dict[Any, NDArray[np.float64]] = ensemble.remember(f"{key} between clusters", dict)
        found = kept.get(params)
        if found is None:
            found = between(ensemble, params, SILENT)
            kept.clear()
            kept[params] = found
        return found

    return PairEvidence(key=key, title=title, params=params, matrix=matrix, value=value, place=place)
