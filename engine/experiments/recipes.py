"""How base clusterings are made from features: one description for studies, pages and study files."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

from numpy.typing import NDArray

from engine.ensemble import Ensemble
from engine.errors import InvalidParameterError
from engine.generators import INVERSE_H, k_bounds, kmeans_ensemble, lac_ensemble, spread_inverse_h
from engine.monitor import SILENT, Monitor

Generator = Literal["kmeans", "subspaces", "lac"]


@dataclass(frozen=True)
class Recipe:
    """How base clusterings are made from features; pools ignore it.

    Attributes
    ----------
    generator : "kmeans" | "subspaces" | "lac"
        k-means; k-means on some of the features, drawn anew for each; LAC, one run a value of 1/h.
    k_range, init, n_init
        Of k-means, see `engine.generators.kmeans_ensemble`.
    feature_fraction : float
        Share of the features in every random subspace, in (0, 1].
    inverse_h : (low, high)
        From the lowest to the highest 1/h of LAC; the default suits features of variance 1.
    lac_k : int, optional
        Clusters of every LAC clustering; None: as many as there are classes (3 if unknown).

    Raises
    ------
    InvalidParameterError
    """

    generator: Generator = "kmeans"
    k_range: str | tuple[int, int] = "sqrt"
    init: Literal["random", "k-means++"] = "random"
    n_init: int = 1
    feature_fraction: float = 0.5
    inverse_h: tuple[float, float] = (INVERSE_H[0], INVERSE_H[-1])
    lac_k: int | None = None

    def __post_init__(self) -> None:
        for name, words in (("generator", get_args(Generator)), ("init", ("random", "k-means++"))):
            if getattr(self, name) not in words:
                raise InvalidParameterError(f"{name} must be one of {', '.join(words)}. Got {getattr(self, name)!r}")
        _check_whole("n_init", self.n_init, 1)
        if self.lac_k is not None:
            _check_whole("lac_k", self.lac_k, 2)
        if not _is_number(self.feature_fraction) or not 0 < self.feature_fraction <= 1:
            raise InvalidParameterError(f"feature_fraction must be a number in (0, 1]. Got {self.feature_fraction!r}")
        pair = self.inverse_h
        if (
            not isinstance(pair, tuple)
            or len(pair) != 2
            or not all(map(_is_number, pair))
            or not 0 < pair[0] <= pair[1]
        ):
            raise InvalidParameterError(f"inverse_h must be a pair of numbers, 0 < low <= high. Got {pair!r}")
        k_bounds(self.k_range, 10**6)

    @property
    def nested(self) -> bool:
        """Whether the first base clusterings do not depend on how many there are."""
        return self.generator != "lac"

    @property
    def kmeans_settings(self) -> dict[str, Any]:
        """Arguments of `kmeans_ensemble`, but for data, number and seed."""
        fraction = self.feature_fraction if self.generator == "subspaces" else 1.0
        return {"k_range": self.k_range, "init": self.init, "n_init": self.n_init, "feature_fraction": fraction}

    @property
    def essentials(self) -> tuple:
        """What decides the base clusterings: equal for recipes that make the same."""
        if self.generator == "lac":
            return "lac", self.inverse_h, self.lac_k
        return "kmeans", *self.kmeans_settings.values()

    def inverse_hs(self, n_clusterings: int) -> list[float]:
        """Values of 1/h for so many LAC clusterings."""
        return spread_inverse_h(*self.inverse_h, n_clusterings)

    def ensemble(
        self, features: NDArray, true_k: int | None, n_clusterings: int, seed: int, monitor: Monitor = SILENT
    ) -> Ensemble:
        """Base clusterings of scaled features (N, D); `true_k` classes, if they are known.

        Raises
        ------
        InvalidParameterError, Cancelled
        """
        if self.generator == "lac":
            k = self.lac_k or true_k or 3
            return lac_ensemble(features, k, self.inverse_hs(n_clusterings), seed, monitor=monitor)
        return kmeans_ensemble(features, n_clusterings, seed=seed, monitor=monitor, **self.kmeans_settings)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check_whole(name: str, value: Any, low: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        raise InvalidParameterError(f"{name} must be an integer of at least {low}. Got {value!r}")
