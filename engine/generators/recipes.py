"""A recipe of base clusterings: a generator and its parameters, for studies, pages and study files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from ..ensemble import Ensemble, Graph
from ..params import Params, ParamSpec
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor
from .registry import Generator, check_asked, find_generator, known_generators


@dataclass(frozen=True)
class Recipe:
    """How base clusterings are made from features; pools ignore it.

    Attributes
    ----------
    generator : str
        Key of a generator.
    params : Params
        Its parameters; by default its defaults.

    Raises
    ------
    InvalidParameterError

    Examples
    --------
    >>> Recipe.of("kmeans", k_range=(2, 9)).params.k_range
    (2, 9)
    """

    generator: str = "kmeans"
    params: Params = field(default=None)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        object.__setattr__(self, "params", self.made_by.params.of(self.params))

    @classmethod
    def of(cls, generator: str = "kmeans", **values: Any) -> "Recipe":
        """A recipe from parameters by what they mean (their concepts: `lac_k` is the k of LAC).

        Values that only other generators know are left out, so that one set of knobs serves all generators.

        Parameters
        ----------
        generator : str
            One of `known_generators()`.
        values : value
            Parameters by concept.

        Returns
        -------
        Recipe
            With the generator's defaults for what is not said.

        Raises
        ------
        InvalidParameterError
            If there is no such generator, no generator knows a concept, or a value is not allowed.
        """
        specs, known = find_generator(generator).params.specs(), generator_concepts()
        unknown = sorted(values.keys() - known.keys())
        if unknown:
            raise InvalidParameterError(f"a recipe has {', '.join(known)}. Got {', '.join(unknown)}")
        for name, value in values.items():
            known[name].validate(value)
        return cls(
            generator,
            find_generator(generator).params.of(
                {spec.name: values[spec.concept] for spec in specs if spec.concept in values}
            ),
        )

    @property
    def made_by(self) -> Generator:
        """The generator."""
        return find_generator(self.generator)

    @property
    def values(self) -> dict[str, Any]:
        """The parameters by concept."""
        return self.params.by_concept()

    @property
    def essentials(self) -> dict[str, Any]:
        """Everything that decides the base clusterings, as plain data."""
        specs = {spec.name: spec.kind.plain(getattr(self.params, spec.name)) for spec in self.params.specs()}
        return {"generator": self.generator, **specs}

    def ensemble(
        self,
        features: NDArray | Graph,
        n_classes: int | None,
        n_clusterings: int,
        seed: int,
        monitor: Monitor = SILENT,
        first: int = 0,
    ) -> Ensemble:
        """Base clusterings of scaled features (N, D), or of a graph; `n_classes` classes, if they are known.

        Parameters
        ----------
        features : (N, D) float or Graph
            Scaled, finite.
        n_classes : int or None
            Number of classes, for values that follow from it.
        n_clusterings : int
            M >= 1.
        seed : int
            The same seed gives the same base clusterings.
        monitor : Monitor, optional
        first : int
            Number of the first base clustering made, where the generator is nested: earlier ones are left out.

        Returns
        -------
        Ensemble
            Of N objects in M base clusterings.

        Raises
        ------
        InvalidParameterError, Cancelled
        """
        check_asked(self.made_by, features, n_clusterings, seed)
        return self.made_by.make(features, n_clusterings, self.params, seed, first, n_classes, monitor)


def generator_concepts() -> Mapping[str, ParamSpec]:
    """The parameters of all generators by concept.

    Returns
    -------
    mapping of str to ParamSpec
        Where several generators declare a concept, as the last of them says it.
    """
    return {spec.concept: spec for one in known_generators().values() for spec in one.params.specs()}
