"""Values in a URL: text that is read with a rule, or refused with it (ValueError)."""

import re
from collections.abc import Callable, Iterable
from typing import Any


def as_text(value: Any) -> str:
    """A value as it stands in a URL."""
    if isinstance(value, tuple):
        return ("," if value and isinstance(value[0], str) else ".").join(map(str, value))
    if value is None or isinstance(value, bool):
        return {None: "auto", True: "yes", False: "no"}[value]
    return str(value)


def one_of(options: Iterable[str] | Callable[[], Iterable[str]]) -> Callable[[str], str]:
    """A reader of one of several words; those of a registry are asked for when they are needed."""

    def read(text: str) -> str:
        known = list(options() if callable(options) else options)
        if text not in known:
            raise ValueError(f"must be one of {', '.join(known)}")
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


#: A URL holds so many ranges of picked objects; what is scattered wider stays in the session.
MAX_RANGES = 150
#: A link may pick so many objects: each takes memory before anybody knows whether it is there.
MAX_PICKED = 10_000_000


def read_ranges(text: str) -> tuple[tuple[int, int], ...]:
    """Ranges of numbers from 0, ascending and apart: "3" or "3-7", joined by commas."""
    if text.count(",") >= MAX_RANGES or not re.fullmatch(r"\d{1,9}(-\d{1,9})?(,\d{1,9}(-\d{1,9})?)*", text):
        raise ValueError(f"must be at most {MAX_RANGES} ranges of numbers, such as 0-42,50")
    found = [(int(part.split("-")[0]), int(part.split("-")[-1])) for part in text.split(",")]
    ends = [end for span in found for end in span]
    if ends != sorted(ends) or len({first for first, _ in found}) < len(found):
        raise ValueError("must be ranges in ascending order, such as 0-42,50")
    if sum(last - first + 1 for first, last in found) > MAX_PICKED:
        raise ValueError(f"must be at most {MAX_PICKED:,} objects")
    return tuple(found)


def ranges_as_text(ranges: tuple[tuple[int, int], ...]) -> str:
    """The other way round."""
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)
