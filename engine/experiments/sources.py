"""What a study runs on: features or a pool of base clusterings, with the truth if it is known."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.ensemble import Ensemble
from engine.errors import InvalidParameterError
from engine.generators import INVERSE_H, draw, kmeans_ensemble, lac_ensemble
from engine.monitor import SILENT, Monitor

Generator = Literal["kmeans", "subspaces", "lac"]
#: From the lowest to the highest 1/h of LAC, for features of variance 1.
LAC_RANGE = (INVERSE_H[0], INVERSE_H[-1])


@dataclass(frozen=True)
class Recipe:
    """How base clusterings are made from features; pools ignore it.

    Attributes
    ----------
    generator : "kmeans" | "subspaces" | "lac"
        k-means; k-means on half of the features, drawn anew for each; LAC, one run a value of 1/h.
    k_range : str or (low, high)
        Of k-means, see `engine.generators.k_bounds`. LAC makes as many clusters as there are classes (3 if unknown).
    """

    generator: Generator = "kmeans"
    k_range: str | tuple[int, int] = "sqrt"

    @property
    def nested(self) -> bool:
        """Whether the first base clusterings do not depend on how many there are."""
        return self.generator != "lac"


@dataclass(frozen=True, eq=False)
class Source:
    """One data set, ready for ensembles: it travels to workers as it is.

    Attributes
    ----------
    name : str
    features : (N, D) float array or None
        Scaled; ensembles are k-means clusterings of them.
    pool : (N, P) int array or None
        Base clusterings made elsewhere; ensembles are drawn from them.
    truth : (N,) int array or None
        Classes 0..k-1.
    """

    name: str
    features: NDArray | None = None
    pool: NDArray | None = None
    truth: NDArray | None = None

    def __post_init__(self) -> None:
        if (self.features is None) == (self.pool is None):
            raise InvalidParameterError(f"a source must have features or a pool. Got both or none for {self.name!r}")

    @property
    def true_k(self) -> int | None:
        """Number of classes, at least 2; None where they are unknown."""
        return None if self.truth is None else max(2, int(np.max(self.truth)) + 1)

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the content, 32 hexadecimal digits."""
        digest = hashlib.blake2b(digest_size=16)
        for array in (self.features, self.pool, self.truth):
            digest.update(b"none" if array is None else f"{array.shape} {array.dtype.str}".encode())
            if array is not None:
                digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    def ensemble(self, recipe: Recipe, n_clusterings: int, seed: int, monitor: Monitor = SILENT) -> Ensemble:
        """An ensemble of this source: a draw from its pool, or made from its features.

        Raises
        ------
        InvalidParameterError, Cancelled
        """
        if self.features is None:
            return draw(np.asarray(self.pool), n_clusterings, seed)
        if recipe.generator == "lac":
            inverse_h = np.geomspace(*LAC_RANGE, n_clusterings)
            return lac_ensemble(self.features, self.true_k or 3, inverse_h.tolist(), seed, monitor=monitor)
        fraction = 0.5 if recipe.generator == "subspaces" else 1.0
        return kmeans_ensemble(
            self.features, n_clusterings, recipe.k_range, seed, feature_fraction=fraction, monitor=monitor
        )
