"""Colours of marks: one for all, a list, or numbers on a scale."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ui.figures.style import SIMILARITY_SCALE, UNASSIGNED, scale_color


def colors_of(look: Mapping[str, Any], n: int, usual: str = UNASSIGNED) -> list[str]:
    """The colour of each of n marks."""
    color = look.get("color", usual)
    if isinstance(color, str):
        return [color] * n
    values = np.asarray(color)
    return values.tolist() if values.dtype.kind in "UO" else hexes(values, look)


def hexes(values: np.ndarray, look: Mapping[str, Any]) -> list[str]:
    """Numbers as colours of a scale."""
    low, high = look.get("cmin", np.nanmin(values)), look.get("cmax", np.nanmax(values))
    shades = shaded(values.astype(float), look.get("colorscale", SIMILARITY_SCALE), float(low), float(high))
    return ["#" + bytes(shade).hex() for shade in shades]


def shaded(values: np.ndarray, scale: Sequence, low: float, high: float) -> np.ndarray:
    """Red, green and blue of values on a scale: (..., 3) uint8; what is not there is white."""
    positions = np.clip((values - low) / (high - low or 1), 0, 1)
    shades = scale_color(scale, np.nan_to_num(positions).ravel()).reshape(*values.shape, 3)
    shades[~np.isfinite(values)] = 255
    return np.rint(shades).astype(np.uint8)


def each(value: Any, n: int, usual: float) -> np.ndarray:
    """A number for each of n marks."""
    return np.broadcast_to(np.asarray(usual if value is None else value, float), (n,))
