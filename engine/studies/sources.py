"""What a study runs on: features, a graph or base clusterings, the truth if it is known, and how they came about."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble, Graph
from ..ensemble.renumbering import first_appearance
from ..generators import Recipe, draw
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor


def recipe_text(
    recipe: Recipe, scaling: str, drawn: bool = False, replacement: bool = False, selection: str = ""
) -> str:
    """JSON that says how base clusterings are made, drawn from a pool or from features, and which of them are kept."""
    kept = {"select": selection} if selection else {}
    if drawn:
        return json.dumps({"generator": "pool"} | ({"replacement": True} if replacement else {}) | kept)
    return json.dumps({**recipe.essentials, "scaling": scaling, **kept})


@dataclass(frozen=True, eq=False)
class Source:
    """One data set, ready for ensembles: it travels to workers as it is.

    Attributes
    ----------
    name : str
    features : (N, D) float array or None
        Scaled; base clusterings are made from them.
    graph : Graph or None
        What base clusterings are made from where there are no features.
    pool : (N, P) int array or None
        Base clusterings made elsewhere; ensembles are drawn from them.
    truth : (N,) int array or None
        Classes 0..k-1.
    """

    name: str
    features: NDArray | None = None
    pool: NDArray | None = None
    truth: NDArray | None = None
    graph: Graph | None = None

    def __post_init__(self) -> None:
        given = [name for name in ("features", "pool", "graph") if getattr(self, name) is not None]
        if len(given) != 1:
            got = " and ".join(given) or "none"
            raise InvalidParameterError(f"a source must have features, a graph or a pool. Got {got} for {self.name!r}")

    @property
    def true_k(self) -> int | None:
        """Number of classes, at least 2; None where they are unknown."""
        return None if self.truth is None else max(2, len(np.unique(self.truth)))

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the content, 32 hexadecimal digits; which number a class has decides nothing."""
        digest = hashlib.blake2b(digest_size=16)
        truth = None if self.truth is None else first_appearance(self.truth)
        for array in (self.features, self.pool, truth):
            digest.update(b"none" if array is None else f"{array.shape} {array.dtype.str}".encode())
            if array is not None:
                digest.update(np.ascontiguousarray(array).data)
        if self.graph is not None:
            digest.update(self.graph.fingerprint.encode())
        return digest.hexdigest()

    def redrawn(self, n_clusterings: int) -> bool:
        """Whether a draw of so many takes columns of the pool with replacement: where all are wanted.

        Without replacement ten draws of all columns would be one ensemble ten times.

        Parameters
        ----------
        n_clusterings : int
            M.

        Returns
        -------
        bool
        """
        return self.pool is not None and n_clusterings == self.pool.shape[1]

    def ensemble(self, recipe: Recipe, n_clusterings: int, seed: int, monitor: Monitor = SILENT) -> Ensemble:
        """An ensemble of this source: a draw from its pool, or made from its features or graph.

        Parameters
        ----------
        recipe : Recipe
            How base clusterings are made; a pool has its own.
        n_clusterings : int
            M >= 1, at most the pool's: all of them are drawn with replacement, fewer without.
        seed : int
            Of the draw, or of the generator.
        monitor : Monitor, optional

        Returns
        -------
        Ensemble
            Of N objects in M base clusterings.

        Raises
        ------
        InvalidParameterError, Cancelled
        """
        if self.pool is not None:
            return draw(np.asarray(self.pool), n_clusterings, seed, self.redrawn(n_clusterings))
        made_of = self.features if self.graph is None else self.graph
        assert made_of is not None
        return recipe.ensemble(made_of, self.true_k, n_clusterings, seed, monitor)
