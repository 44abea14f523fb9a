"""Small pictures of the preset data sets, drawn as SVG."""

from urllib.parse import quote

import numpy as np
import streamlit as st

from ui.figures import cluster_colors


@st.cache_data(show_spinner=False, max_entries=64)
def thumbnail(key: str, _points: np.ndarray, _labels: np.ndarray | None, width: int = 120, height: int = 76) -> str:
    """The URL of an SVG with at most 250 dots, coloured by class; pages take no SVG as it is."""
    shown = np.linspace(0, len(_points) - 1, min(250, len(_points))).astype(int)
    points = _points[shown]
    low, high = points.min(axis=0), points.max(axis=0)
    wide = high > low  # all objects may stand in one place, or on a line
    scale = min(((np.array([width, height]) - 10)[wide] / (high - low)[wide]), default=1.0)
    placed = (points - (low + high) / 2) * [scale, -scale] + [width / 2, height / 2]
    truth = np.zeros(len(_points), int) if _labels is None else _labels
    colors = cluster_colors(truth[shown])
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.7" fill="{color}"/>'
        for (x, y), color in zip(placed, colors, strict=True)
    )
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{dots}</svg>'
    return f"data:image/svg+xml,{quote(svg)}"
