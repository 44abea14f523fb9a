"""What a report is about: data, ensemble, answer, and whatever else is known of them."""

from dataclasses import dataclass

import numpy as np

from data import Dataset, Pool
from engine import Consensus, Ensemble
from engine.choosing_k import ChosenK
from engine.confidence import Profile
from ui.figures.numbering import FIRST
from ui.session.run_config import RunConfig


@dataclass(frozen=True, eq=False)
class Session:
    """Everything a report needs, computed already.

    Attributes
    ----------
    config : RunConfig
    title : str
        Of the data set.
    source : Dataset or Pool
    ensemble : Ensemble
    result : Consensus
    colors : (k,) int
        Places in the palette of the clusters, as on the page.
    truth : (N,) int or None
        Classes, numbered from 0.
    placed : (points (N, 2), axis names, whether the axes share a unit)
    script : str
        Makes the same labels again.
    profile : Profile or None
        How firmly objects sit.
    stability : (N,) float or None
    chosen : ChosenK or None
        What the criteria say about k.
    """

    config: RunConfig
    title: str
    source: Dataset | Pool
    ensemble: Ensemble
    result: Consensus
    colors: np.ndarray
    truth: np.ndarray | None
    placed: tuple
    script: str
    profile: Profile | None = None
    stability: np.ndarray | None = None
    chosen: ChosenK | None = None

    @property
    def labels(self) -> np.ndarray:
        """Clusters (N,), numbered as in every file."""
        return self.result.labels

    @property
    def names(self) -> list[str]:
        """What every object is called: by its file, else by its number in it, the first being 1."""
        own = getattr(self.source, "identifiers", None)
        rows = getattr(self.source, "rows", None)
        places = range(self.ensemble.n_objects) if rows is None else rows.tolist()
        return [str(own[i]) if own is not None and own[i] else str(place + FIRST) for i, place in enumerate(places)]
