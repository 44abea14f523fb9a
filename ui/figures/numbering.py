"""How people see objects, clusters and base clusterings numbered: from 1. Code, files and addresses count from 0."""

from collections.abc import Mapping
from typing import Any

import numpy as np

#: The number of what stands at place 0.
FIRST = 1


def numbers(indices) -> np.ndarray:
    """Numbers of what stands at these places, for axes and hover: an array of integers."""
    return np.asarray(indices) + FIRST


def number(index: int) -> str:
    """The number of what stands at a place, in words.

    Examples
    --------
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
