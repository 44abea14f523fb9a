"""What the Tuning page sweeps: axes of values, the study they come to, and its records as a table."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import consensus_methods
from engine.experiments.records import Record
from engine.experiments.studies import Study
from engine.params import ParamSpec
from ui import generating, pipeline, state
from ui.run_config import RunConfig
from ui.url_values import as_text, from_text
from ui.widgets import label_of

#: Axes every method has: base clusterings of the ensemble, and clusters of the consensus.
ENSEMBLE_SIZE = ParamSpec("M", "int", 20, "M", "Base clusterings kept of the ensemble.", low=1, slider=(2, 50))
CLUSTERS = ParamSpec("k", "int", 3, "k", "Clusters of the consensus.", low=2, slider=(2, 20))
#: Values along an axis that nobody has chosen yet.
DEFAULT_VALUES = 7


@dataclass(frozen=True)
class Axis:
    """One parameter and the values it takes."""

    spec: ParamSpec
    values: tuple[Any, ...]

    @property
    def name(self) -> str:
        """Of the parameter."""
        return self.spec.name

    @property
    def label(self) -> str:
        """For people."""
        return {"M": "M, base clusterings", "k": "k, clusters"}.get(self.name) or label_of(self.spec)

    @property
    def text(self) -> str:
        """As it stands in the URL."""
        return f"{self.name}:" + ",".join(as_text(value) for value in self.values)


def candidates(method: str) -> dict[str, ParamSpec]:
    """What can be swept with a method, by name."""
    specs = (*consensus_methods()[method].params.specs(), ENSEMBLE_SIZE, CLUSTERS)
    return {spec.name: spec for spec in specs}


def read(text: str, method: str) -> Axis | None:
    """The axis a URL describes, as far as the method has it and takes its values; None without."""
    name, _, listed = text.partition(":")
    spec = candidates(method).get(name)
    if spec is None:
        return None
    values = [from_text(part, spec.kind) for part in listed.split(",")]
    legal = tuple(value for value in dict.fromkeys(values) if _legal(spec, value))
    return Axis(spec, legal or default(spec).values)


def _legal(spec: ParamSpec, value: Any) -> bool:
    try:
        spec.validate(value)
    except ValueError:
        return False
    return True


def default(spec: ParamSpec) -> Axis:
    """An axis over the useful range of a parameter."""
    if spec.kind in ("int", "float"):
        low, high = spec.slider or (spec.low, spec.high)
        return Axis(spec, between(spec, low, high, DEFAULT_VALUES))
    return Axis(spec, spec.choices if spec.kind == "choice" else (False, True))


def between(spec: ParamSpec, low: float, high: float, n: int) -> tuple[Any, ...]:
    """About n values from low to high: even ratios on a logarithmic parameter, even steps on others."""
    spread = np.geomspace if spec.log or (spec.kind == "int" and low > 0 and high / low > 20) else np.linspace
    values = spread(low, high, n)
    if spec.kind == "int":
        return tuple(sorted({round(float(value)) for value in values}))
    return tuple(sorted({float(f"{value:.2g}") for value in values}))


def axes(config: RunConfig) -> tuple[Axis, Axis | None]:
    """What is swept: the axes asked for, each with the present value among its own."""
    first, second = asked(config)
    return _with_present(config, first), second and _with_present(config, second)


def _with_present(config: RunConfig, axis: Axis) -> Axis:
    value = present(config, axis)
    if value in axis.values:
        return axis
    numbers = [one for one in (*axis.values, value) if one is not None]
    return Axis(axis.spec, (None,) * (None in (*axis.values, value)) + tuple(sorted(numbers)))


def asked(config: RunConfig) -> tuple[Axis, Axis | None]:
    """The first parameter of the method unless the URL says otherwise, and perhaps a second one."""
    first = read(config.x, config.method) or default(next(iter(candidates(config.method).values())))
    second = read(config.y, config.method)
    return first, second if second and second.name != first.name else None


def study(config: RunConfig) -> Study:
    """The study of the page: this data set and method, its axes, and all else as it is set."""
    swept = {axis.name: axis.values for axis in axes(config) if axis}
    grid = {name: (value,) for name, value in config.params if name not in swept}
    grid |= {name: values for name, values in swept.items() if name not in ("M", "k")}
    policy = swept.get("k") or ((pipeline.wanted_k(config),) if config.policy == "page" else config.policy)
    return Study(
        datasets=(config.data,), methods=(config.method,), name=f"{config.method} on {config.data}",
        n_clusterings=swept.get("M", (config.m,)), repeats=config.draws, k=policy, seed=config.seed,
        grid={config.method: grid}, scaling=config.scaling, recipe=generating.recipe(config),
    )  # fmt: skip


def scores(config: RunConfig, records: Sequence[Record]) -> np.ndarray:
    """Score of every cell and draw: (first axis, second axis or 1, draws); nan where there is none yet."""
    first, second = axes(config)
    across = second.values if second else (None,)
    table = np.full((len(first.values), len(across), config.draws), np.nan)
    for record in records:
        at = _place(record, first, second)
        value = getattr(record, config.measure)
        if at is not None and value is not None and record.repeat < config.draws:
            table[*at, record.repeat] = value
    return table


def _place(record: Record, first: Axis, second: Axis | None) -> tuple[int, int] | None:
    known = {"M": record.n_clusterings, "k": record.k, **json.loads(record.params)}
    i = _index(first, known)
    j = _index(second, known) if second else 0
    return None if i is None or j is None else (i, j)


def _index(axis: Axis, known: dict[str, Any]) -> int | None:
    value = known.get(axis.name)
    return axis.values.index(value) if value in axis.values else None


def present(config: RunConfig, axis: Axis) -> Any:
    """What the session uses now."""
    return {"M": config.m, "k": pipeline.wanted_k(config), **config.method_params.as_dict()}[axis.name]


def moved_to(config: RunConfig, places: Sequence[tuple[Axis, int]]) -> RunConfig:
    """The session with the values at these places."""
    for axis, place in places:
        value = axis.values[place]
        if axis.name in ("M", "k"):
            config = config.with_(**{axis.name.lower(): value})
        else:
            config = config.with_param(axis.name, value)
    return config


def taken_over(study: Study) -> RunConfig:
    """The session as a study has it: its first data set and method, up to two swept parameters, and all else."""
    method = study.methods[0]
    specs = candidates(method)
    lists = {**study.grid.get(method, {}), "M": study.n_clusterings, "k": study.k}
    swept = [Axis(specs[name], tuple(v)) for name, v in lists.items() if not isinstance(v, str) and len(v) > 1]
    x, y = (swept[i].text if i < len(swept) else "" for i in (0, 1))
    fields = common_fields(study) | {"data": study.datasets[0], "method": method, "x": x, "y": y}
    taken = with_fixed_params(state.config().with_(**fields, params=()), study)
    outside = [(axis, 0) for axis in swept[:2] if present(taken, axis) not in axis.values]
    return moved_to(taken, outside)


def with_fixed_params(config: RunConfig, study: Study) -> RunConfig:
    """The session with those parameters of its method that a study holds at one value."""
    for name, values in study.grid.get(config.method, {}).items():
        if len(values) == 1:
            config = config.with_param(name, values[0])
    return config


def common_fields(study: Study) -> dict[str, Any]:
    """Fields of the session that every page of studies sets alike."""
    fields = {"draws": study.repeats, "seed": study.seed, "m": max(study.n_clusterings), "scaling": study.scaling}
    fields |= generating.fields_of(study.recipe)
    return fields | ({"policy": study.k} if isinstance(study.k, str) else {"policy": "page", "k": study.k[0]})
