"""Values in a URL: text that is read with a rule, or refused with it (ValueError)."""

import re
from collections.abc import Callable
from typing import Any

from engine.generators import K_POLICIES


def as_text(value: Any) -> str:
    """A value as it stands in a URL."""
    if isinstance(value, tuple):
        return ("," if value and isinstance(value[0], str) else ".").join(map(str, value))
    if value is None or isinstance(value, bool):
        return {None: "auto", True: "yes", False: "no"}[value]
    return str(value)


def from_text(text: str, kind: str) -> Any:
    """Text to the type of a parameter; what cannot be read stays text, which the parameter then refuses."""
    if text == "auto":
        return None
    if kind == "bool":
        return {"yes": True, "no": False}.get(text, text)
    if kind in ("int", "float"):
        try:
            return int(text) if kind == "int" else float(text)
        except ValueError:
            return text
    return text


def one_of(options) -> Callable[[str], str]:
    """A reader of one of several words."""

    def read(text: str) -> str:
        if text not in options:
            raise ValueError(f"must be one of {', '.join(options)}")
        return text

    return read


def read_switch(text: str) -> bool:
    """A switch that is on or off."""
    return one_of({"yes": True, "no": False})(text) == "yes"


def whole(low: int, high: float = float("inf"), optional: bool = False) -> Callable[[str], int | None]:
    """A reader of a whole number in a range; "auto" is None where that is allowed."""

    def read(text: str) -> int | None:
        if optional and text == "auto":
            return None
        if not re.fullmatch(r"\d{1,12}", text) or not low <= int(text) <= high:
            raise ValueError(f"must be a whole number from {low:,}" + (f" to {high:,}" if high < 1e15 else ""))
        return int(text)

    return read


def read_krange(text: str) -> str:
    """A policy of `engine.generators`, or "low-high"."""
    match = re.fullmatch(r"(\d{1,6})-(\d{1,6})", text)
    if text not in K_POLICIES and not (match and 2 <= int(match[1]) <= int(match[2])):
        raise ValueError(f"must be one of {', '.join(K_POLICIES)}, or a range such as 2-10")
    return text


def read_share(text: str) -> float:
    """A share above 0 and at most 1."""
    if not re.fullmatch(r"[01](\.\d+)?", text) or not 0 < float(text) <= 1:
        raise ValueError("must be a share above 0 and at most 1")
    return float(text)


def read_data(text: str) -> str:
    """Name of a data set, or id of an upload."""
    if not re.fullmatch(r"[\w./+ ()-]{1,200}", text):
        raise ValueError("is no name of a data set")
    return text


def read_off(text: str) -> tuple[int, ...]:
    """Numbers from 0 joined by dots, ascending and each once."""
    if not re.fullmatch(r"\d{1,4}(\.\d{1,4})*", text):
        raise ValueError("must be numbers joined by dots, such as 0.3.7")
    return tuple(sorted({int(part) for part in text.split(".")}))


def read_numbers(n: int) -> Callable[[str], tuple[int, ...]]:
    """A reader of exactly n numbers joined by dots."""

    def read(text: str) -> tuple[int, ...]:
        if not re.fullmatch(r"\d{1,9}" + r"\.\d{1,9}" * (n - 1), text):
            raise ValueError(f"must be {n} numbers joined by dots")
        return tuple(int(part) for part in text.split("."))

    return read


def read_name(text: str) -> str:
    """A word of letters, digits and underscores."""
    if not re.fullmatch(r"\w{1,40}", text):
        raise ValueError("is no name")
    return text


def read_names(one: Callable[[str], str]) -> Callable[[str], tuple[str, ...]]:
    """A reader of names joined by commas, each read by `one`, each once."""

    def read(text: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one(part) for part in text.split(",")))

    return read


def read_axis(text: str) -> str:
    """What is swept: a name, a colon, and values joined by commas."""
    if text and not re.fullmatch(r"\w{1,40}:[\w.-]{1,20}(,[\w.-]{1,20}){0,49}", text):
        raise ValueError("must be a name and values, such as theta:0.2,0.4")
    return text


def read_positive(text: str) -> float:
    """A number above 0."""
    if not re.fullmatch(r"\d{1,4}(\.\d{1,6})?", text) or float(text) == 0:
        raise ValueError("must be a number above 0")
    return float(text)
