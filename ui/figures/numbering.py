"""What objects, clusters and base clusterings are called everywhere: numbers from 1, or names in their file."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from data.errors import shortened
from ui.figures.spec import Figure
from ui.outside import html

#: The number of what stands at place 0.
FIRST = 1


def numbers(indices) -> np.ndarray:
    """Numbers of what stands at these places, for axes and hover: an array of integers."""
    return np.asarray(indices) + FIRST


def number(index: int) -> str:
    """The number of what stands at a place, in words.

    >>> number(1200)
    '1,201'
    """
    return f"{index + FIRST:,}"


def place_of(point: Mapping[str, Any]) -> int:
    """The place of what was clicked: a point as a browser reports it, its number in `customdata`."""
    return carried(point)[0] - FIRST


def carried(point: Mapping[str, Any]) -> list[int]:
    """What a point that was clicked carries in its `customdata`: one number or several.

    Several must be drawn from a plain list: rows of an array come back from the browser as something else.

    >>> carried({"customdata": 3}), carried({"customdata": [3, 12]})
    ([3], [3, 12])
    """
    return [int(value) for value in np.atleast_1d(point["customdata"]).tolist()]


#: How a figure's hover says which object, and which base clustering, a point is.
_OBJECT = "object %{customdata:,}"
_CLUSTERING = "base clustering %{customdata}"


def object_names(objects: Iterable[int], identifiers: np.ndarray | None) -> list[str]:
    """Names of objects: "object 12", or as the file calls them by its `identifiers` (N,), "" where it does not say."""
    own = identifiers
    return [f"object {number(index)}" if own is None or not own[index] else shortened(own[index]) for index in objects]


def object_keys(objects: Iterable[int], identifiers: np.ndarray | None) -> list[Any]:
    """What stands for objects in a table or a list: as the file calls them, else their numbers; all of one type."""
    own = identifiers
    if own is None:
        return [int(index) + FIRST for index in objects]
    return [shortened(own[index]) or str(int(index) + FIRST) for index in objects]


def distinct(names: Iterable[Any]) -> list[Any]:
    """Names of columns, numbered where they come again: tables and menus tell their columns apart by them.

    >>> distinct(["a", "b", "a", "a (2)", "a"])
    ['a', 'b', 'a (2)', 'a (2) (2)', 'a (3)']
    """
    seen: dict[Any, int] = {}
    return [_numbered(name, seen) for name in names]


def _numbered(name: Any, seen: dict[Any, int]) -> Any:
    """The name if it is new, else the first number that makes it so; noted as seen."""
    made = name
    while made in seen:
        seen[name] += 1
        made = f"{name} ({seen[name]})"
    seen[made] = 1
    return made


def both_ends(name: Any, most: int = 14) -> str:
    """A name where there is little room, its middle left out: what differs often stands at the end.

    >>> both_ends("a rather long name (2)"), both_ends("gmm"), both_ends(3)
    ('a rathe…me (2)', 'gmm', '3')
    """
    words = str(name)
    return words if len(words) <= most else f"{words[: most // 2]}…{words[most // 2 + 1 - most :]}"


def on_hover(figure: Figure, identifiers: np.ndarray | None) -> Figure:
    """A figure whose points are objects, its hover naming them as their file does."""
    for trace in figure.data if identifiers is not None else ():
        if _OBJECT in (template := trace.get("hovertemplate", "")):
            objects = (np.asarray(trace["customdata"]) - FIRST).tolist()
            trace["hovertext"] = [html(name) for name in object_names(objects, identifiers)]
            trace["hovertemplate"] = template.replace(_OBJECT, "%{hovertext}")
    return figure


def clusterings_on_hover(figure: Figure, names: Sequence[str]) -> Figure:
    """A figure whose points or bars are base clusterings, its hover naming them; one name for each of them."""
    for trace in figure.data:
        if _CLUSTERING in (template := trace.get("hovertemplate", "")):
            trace["hovertext"] = [html(names[m]) for m in np.asarray(trace["customdata"]).astype(int) - FIRST]
            trace["hovertemplate"] = template.replace(_CLUSTERING, "%{hovertext}")
    return figure
