"""From a query string to a RunConfig: every value is read by the rule of its setting."""

from collections.abc import Mapping
from typing import Any

from ui.session.run_config import RunConfig
from ui.session.settings import settings


def from_query(query: Mapping[str, str]) -> tuple[RunConfig, list[str]]:
    """The config of a query string, every value checked, and a sentence for each that could not be used."""
    values: dict[str, Any] = {}
    problems: list[str] = []
    for name, text in query.items():
        if name not in settings():
            problems.append(f"{name}={text}: nothing here has that name. It was left out.")
            continue
        try:
            values[name] = settings()[name].read(text)
        except ValueError as error:
            default = settings()[name].text(settings()[name].default) or "none"
            problems.append(f"{name}={text}: {error}. Using {default} instead.")
    return RunConfig(**values), sorted(problems)
