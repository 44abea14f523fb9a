"""RunConfig: the one frozen value that is cache key, URL, session state and exported snippet, and what reads it."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from engine import Params, consensus_methods
from engine.generators import Recipe, generator_concepts, known_generators
from engine.metrics import MEASURES as MEASURES
from engine.runtime.errors import shortened
from ui.session.settings import ENSEMBLE, settings


class RunConfig:
    """Everything that decides what the pages show: a value for each of `settings()`, as attributes.

    >>> RunConfig(data="iris").with_(theta=0.2).to_query()
    {'data': 'iris', 'seed': '7', 'method': 'lwea', 'theta': '0.2'}
    """

    __slots__ = ("_held", "_values")
    _values: dict[str, Any]
    _held: dict[str, Any]  # what follows from the values, made when first asked for

    def __init__(self, **values: Any):
        unknown = values.keys() - settings().keys()
        if unknown:
            raise TypeError(f"no setting is called {', '.join(sorted(unknown))}")
        object.__setattr__(self, "_values", {name: values.get(name, one.default) for name, one in settings().items()})
        object.__setattr__(self, "_held", {})

    def __getattr__(self, name: str) -> Any:
        if name != "_values" and name in self._values:
            return self._values[name]
        raise AttributeError(name)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a RunConfig never changes; with_() makes another")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RunConfig) and self._values == other._values

    def __hash__(self) -> int:
        return hash(tuple(self._values.values()))

    def __repr__(self) -> str:
        return f"RunConfig({', '.join(f'{name}={value!r}' for name, value in self._chosen())})"

    def with_(self, **changes: Any) -> "RunConfig":
        """A copy with some settings changed; what no longer fits goes back to its default."""
        changed = {name for name, value in changes.items() if value != getattr(self, name)}
        if any(settings()[name].makes_ensemble for name in changed):
            changed.add(ENSEMBLE)
        reset = {name: one.default for name, one in settings().items() if changed & set(one.reset_by)}
        return RunConfig(**{**self._values, **reset, **changes})

    def differs_in(self, other: "RunConfig") -> set[str]:
        """Names of the settings that another one has otherwise."""
        return {name for name, value in self._values.items() if value != other._values[name]}

    def with_params(self, method: str, values: Mapping[str, Any]) -> "RunConfig":
        """A copy with some parameters of a method changed, by the names the method gives them."""
        made = consensus_methods()[method].params.of({**self.params_of(method).as_dict(), **values})
        specs = {spec.name: spec for spec in made.specs()}
        return self.with_(**{specs[name].concept: getattr(made, name) for name in values})

    def with_defaults(self, method: str) -> "RunConfig":
        """A copy with the method's parameters at their defaults."""
        return self.with_(**{spec.concept: spec.default for spec in consensus_methods()[method].params.specs()})

    def params_of(self, method: str) -> Params:
        """The parameters of any method, validated: methods share the knobs that mean the same."""
        made = consensus_methods()[method].params
        return made.of({spec.name: getattr(self, spec.concept) for spec in made.specs()})

    @property
    def method_params(self) -> Params:
        """Those of the chosen method."""
        if "method_params" not in self._held:
            self._held["method_params"] = self.params_of(self.method)
        return self._held["method_params"]

    def chosen_params(self, method: str) -> dict[str, Any]:
        """Those of any method that differ from their defaults, by name."""
        made = self.params_of(method)
        return {s.name: value for s in made.specs() if (value := getattr(made, s.name)) != s.default}

    @property
    def recipe(self) -> Recipe:
        """How base clusterings are made from features."""
        if "recipe" not in self._held:
            self._held["recipe"] = self._recipe_of(self.generator)
        return self._held["recipe"]

    @property
    def graph_recipe(self) -> Recipe:
        """How they are made from a graph: as chosen, else by the first generator that takes one."""
        if "graph_recipe" not in self._held:
            able = [one.key for one in known_generators().values() if one.takes_graph]
            self._held["graph_recipe"] = self._recipe_of(self.generator if self.generator in able else able[0])
        return self._held["graph_recipe"]

    def _recipe_of(self, generator: str) -> Recipe:
        return Recipe.of(generator, **{name: self._values[name] for name in _concepts()})

    def to_query(self) -> dict[str, str]:
        """The query string that `query.from_query` reads back: data, M, seed, method and what is not the default."""
        return {name: settings()[name].text(value) for name, value in self._chosen()}

    def _chosen(self) -> Iterator[tuple[str, Any]]:
        """Settings that stand in the URL, with their values."""
        for name, one in settings().items():
            if one.always or self._values[name] != one.default:
                yield name, self._values[name]


@cache
def _concepts() -> tuple[str, ...]:
    """Names of the parameters of all generators."""
    return tuple(generator_concepts())


def from_query(query: Mapping[str, str]) -> tuple[RunConfig, list[str]]:
    """The config of a query string, every value checked, and what is said of each that could not be used."""
    config, refused = read_query(query)
    return config, sorted(f"{wrong}. {instead}." for wrong, instead in refused)


def read_query(query: Mapping[str, str]) -> tuple[RunConfig, list[tuple[str, str]]]:
    """The same config; what is wrong with each value that could not be used, and what it has instead."""
    values: dict[str, Any] = {}
    refused: list[tuple[str, str]] = []
    for name, text in query.items():
        said = shortened(f"{name}={text}")  # what is wrong with it, and what is used instead, is never cut
        if name not in settings():
            refused.append((f"{said}: nothing here has that name", "It was left out"))
            continue
        try:
            values[name] = settings()[name].read(text)
        except ValueError as error:
            default = settings()[name].text(settings()[name].default) or "none"
            refused.append((f"{said}: {error}", f"Using {default} instead"))
    return RunConfig(**values), refused
