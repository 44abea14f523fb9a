"""Why two objects are together: one file a kind of evidence, each ends in a `REASON`.

A reason looks at a pair and contributes sentences (Markdown) and tables; the panel shows what it finds, in order.
New evidence joins by a new file.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from engine import Consensus, Ensemble
from ui.scene import Scene
from ui.session.run_config import RunConfig


@dataclass(frozen=True, eq=False)
class Pair:
    """Two objects, and all there is to say something about them.

    `result.trace` holds the n x n matrices where they fit; `a` and `b` are the microclusters of objects i and j.
    """

    i: int
    j: int
    scene: Scene

    @property
    def ensemble(self) -> Ensemble:
        """The base clusterings."""
        return self.scene.ensemble

    @property
    def result(self) -> Consensus:
        """The consensus, with its matrices."""
        return self.scene.recorded

    @property
    def truth(self) -> np.ndarray | None:
        """Classes, (N,), where they are known."""
        return self.scene.truth

    @property
    def config(self) -> RunConfig:
        """The settings."""
        return self.scene.config

    @property
    def a(self) -> int:
        """Microcluster of object i."""
        return int(self.ensemble.microclusters.assignment[self.i])

    @property
    def b(self) -> int:
        """Microcluster of object j."""
        return int(self.ensemble.microclusters.assignment[self.j])


@dataclass(frozen=True)
class Reason:
    """A kind of evidence: its place in the panel, and what it says about a pair."""

    place: int
    explain: Callable[[Pair], Iterable[str | pd.DataFrame]]


@cache
def reasons() -> tuple[Reason, ...]:
    """Every `REASON` in this package, in their places."""
    modules = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    return tuple(sorted((module.REASON for module in modules), key=lambda reason: reason.place))
