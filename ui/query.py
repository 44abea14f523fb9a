"""From a query string to a RunConfig: every value is read by a rule of its own."""

from collections.abc import Callable, Mapping
from typing import Any

import data
from engine import InvalidParameterError, consensus_methods
from ui.run_config import (
    ABLATIONS,
    GENERATORS,
    INITS,
    MAX_CLUSTERINGS,
    MEASURES,
    NODE_COLORS,
    ORDERS,
    POLICIES,
    SCALINGS,
    VIEWS,
    RunConfig,
)
from ui.url_values import (
    as_text,
    from_text,
    one_of,
    read_axis,
    read_data,
    read_krange,
    read_name,
    read_names,
    read_numbers,
    read_off,
    read_positive,
    read_share,
    read_switch,
    whole,
)


def from_query(query: Mapping[str, str]) -> tuple[RunConfig, list[str]]:
    """Read a query string; every value is checked, and what cannot be used is replaced and reported.

    Returns
    -------
    config : RunConfig
    problems : list of str
        One sentence for each value that was unknown or out of range.
    """
    values: dict[str, Any] = {}
    problems: list[str] = []
    params = {name: text for name, text in query.items() if name not in READERS}
    for name in READERS.keys() & query.keys():
        try:
            values[name] = READERS[name](query[name])
        except ValueError as error:
            problems.append(f"{name}={query[name]}: {error}. Using {_default(name)} instead.")
    config = RunConfig(**values)
    return _read_params(config, params, problems), sorted(problems)


def _read_params(config: RunConfig, texts: Mapping[str, str], problems: list[str]) -> RunConfig:
    """Values of the method's own parameters; the rest of the query is unknown."""
    specs = {spec.name: spec for spec in consensus_methods()[config.method].params.specs()}
    for name, text in texts.items():
        if name not in specs:
            problems.append(f"{name}={text}: nothing here has that name. It was left out.")
            continue
        try:
            config = config.with_param(name, from_text(text, specs[name].kind))
        except InvalidParameterError as error:
            problems.append(f"{name}={text}: {error}. Using {as_text(specs[name].default)} instead.")
    return config


def _default(name: str) -> str:
    return as_text(getattr(RunConfig, name))


def _known_method(text: str) -> str:
    return one_of(consensus_methods())(text)


#: How each field of a RunConfig is read; ValueError says what was wrong.
READERS: dict[str, Callable[[str], Any]] = {
    "data": read_data,
    "scaling": one_of(SCALINGS),
    "m": whole(1, MAX_CLUSTERINGS),
    "krange": read_krange,
    "init": one_of(INITS),
    "ninit": whole(1, 50),
    "generator": one_of(GENERATORS),
    "subspace": read_share,
    "hlow": read_positive,
    "hhigh": read_positive,
    "lack": whole(2, 100, optional=True),
    "h": read_positive,
    "axes": read_numbers(2),
    "x": read_axis,
    "y": read_axis,
    "draws": whole(1, 1000),
    "policy": one_of(POLICIES),
    "methods": read_names(_known_method),
    "sets": read_names(read_data),
    "flow": read_names(_known_method),
    "table": one_of(data.published_tables()),
    "only": read_names(read_data),
    "seed": whole(0, 2**31 - 1),
    "method": _known_method,
    "k": whole(2, optional=True),
    "measure": one_of(MEASURES),
    "view": one_of(VIEWS),
    "off": read_off,
    "left": read_name,
    "right": read_name,
    "order": one_of(ORDERS),
    "zoom": read_numbers(4),
    "pair": read_numbers(2),
    "eci": read_positive,
    "elite": whole(1, optional=True),
    "steps": whole(1, 1000, optional=True),
    "roots": read_off,
    "truth": read_switch,
    "bright": read_share,
    "glow": read_share,
    "minus": read_switch,
    "ablation": one_of(ABLATIONS),
    "warm": read_switch,
    "color": one_of(NODE_COLORS),
    "panel": whole(1, MAX_CLUSTERINGS),
    "round": whole(1),
    "nearest": read_switch,
}
