"""From a query string to a RunConfig: every value is read by the rule of its setting."""

from collections.abc import Mapping
from typing import Any

from ui.session.run_config import RunConfig
from ui.session.settings import settings

#: What settings were called before: old links go on working.
OLD_NAMES = {
    "krange": "k_range",
    "ninit": "n_init",
    "subspace": "feature_fraction",
    "lack": "lac_k",
    "h": "lac_inverse_h",
    "off": "switched_off",
    "eci": "theta",
    "elite": "K",
    "steps": "T",
    "variant": "got_variant",
    "bright": "brightest",
    "glow": "brightest_enhanced",
    "minus": "right_minus_left",
}
#: The two ends of a range that were settings of their own, with their old defaults.
_OLD_ENDS = {"hlow": "0.1", "hhigh": "1000"}


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
    for name, text in renamed(query).items():
        if name not in settings():
            problems.append(f"{name}={text}: nothing here has that name. It was left out.")
            continue
        try:
            values[name] = settings()[name].read(text)
        except ValueError as error:
            default = settings()[name].text(settings()[name].default) or "none"
            problems.append(f"{name}={text}: {error}. Using {default} instead.")
    return RunConfig(**values), sorted(problems)


def renamed(query: Mapping[str, str]) -> dict[str, str]:
    """The query with old names replaced; where a link has both, the present name counts."""
    found = {OLD_NAMES[name]: text for name, text in query.items() if name in OLD_NAMES}
    if _OLD_ENDS.keys() & query.keys():
        found["inverse_h"] = "-".join(query.get(name, default) for name, default in _OLD_ENDS.items())
    return found | {name: text for name, text in query.items() if name not in OLD_NAMES and name not in _OLD_ENDS}
