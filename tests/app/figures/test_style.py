"""Colours and inks: apart for every eye, readable on both papers, the same in the app's settings."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.app.figures.reading import seen_color
from ui.figures import class_balance, style

ROOT = Path(__file__).parents[3]


# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
DEUTERANOPIA = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
)


PROTANOPIA = np.array(
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
)


TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def linear_rgb(colors):
    rgb = np.array([list(bytes.fromhex(color[1:])) for color in colors]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def cielab(linear):
    ratio = np.clip(linear, 0, 1) @ TO_XYZ.T / TO_XYZ.sum(axis=1)
    f = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def ciede2000(one, two):
    """Sharma, Wu and Dalal (2005)."""
    (l1, a1, b1), (l2, a2, b2) = np.moveaxis(one, -1, 0), np.moveaxis(two, -1, 0)
    mean7 = ((np.hypot(a1, b1) + np.hypot(a2, b2)) / 2) ** 7
    stretch = 1.5 - 0.5 * np.sqrt(mean7 / (mean7 + 25.0**7))
    c1, c2 = np.hypot(stretch * a1, b1), np.hypot(stretch * a2, b2)
    h1, h2 = (np.degrees(np.arctan2(b, stretch * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180
    hue, chroma, light = (h1 + turn / 2) % 360, (c1 + c2) / 2, (l1 + l2) / 2
    cosines = sum(
        w * np.cos(np.radians(m * hue + p)) for w, m, p in ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63))
    )
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn) / 2) / (1 + 0.015 * chroma * (1 + cosines))
    blue = np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    rotation = -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * blue
    return np.sqrt(dl**2 + dc**2 + dh**2 + rotation * dc * dh)


def closest(colors, vision=None):
    """Smallest pairwise difference of colours under a kind of vision."""
    seen = linear_rgb(colors)
    lab = cielab(seen if vision is None else seen @ vision.T)
    return ciede2000(lab[:, None], lab[None])[np.triu_indices(len(colors), 1)].min()


def contrast(one, two):
    bright, dark = sorted((linear_rgb([c])[0] @ TO_XYZ[1] for c in (one, two)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def test_ciede2000_reference_pairs():
    one = np.array([[50, 2.6772, -79.7751], [50, 2.5, 0], [22.7233, 20.0904, -46.6940]])
    two = np.array([[50, 0, -82.7485], [73, 25, -18], [23.0331, 14.9730, -42.5619]])
    assert_allclose(ciede2000(one, two), [2.0425, 27.1492, 2.0373], atol=1e-4)


@pytest.mark.parametrize("vision", [DEUTERANOPIA, PROTANOPIA])
def test_first_eight_apart_for_colour_blind(vision):
    assert closest(style.PALETTE[:8], vision) > 11


def test_palette_apart_for_normal_vision():
    assert len(set(style.PALETTE)) == 32
    assert closest(style.PALETTE[:8]) > 20
    assert closest((*style.PALETTE, style.UNASSIGNED)) > 9


def test_palette_stands_off_both_papers():
    papers = [ink.paper for ink in style.INKS.values()]
    assert min(contrast(color, paper) for color in style.PALETTE[:8] for paper in papers) >= 2.5
    assert min(contrast(color, paper) for color in style.PALETTE for paper in papers) >= 2


def test_inks_readable(theme):
    ink = style.INKS[theme]
    assert min(contrast(tone, ink.paper) for tone in (ink.text, ink.muted, ink.accent)) >= 4.5


def test_config_agrees_with_style(theme):
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    look, ink = config["theme"], style.INKS[theme]
    mine = look[theme]
    assert (mine["backgroundColor"], mine["textColor"]) == (ink.paper, ink.text)
    assert tuple(look["chartCategoricalColors"]) == style.PALETTE[:8]
    assert contrast("#FFFFFF", mine["primaryColor"]) >= 4.5
    for paper in (ink.paper, mine["sidebar"]["backgroundColor"], mine["secondaryBackgroundColor"]):
        assert contrast(mine["linkColor"], paper) >= 4.5
        assert contrast(mine["textColor"], paper) >= 7


def test_config_is_closed():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["server"]["address"] == "127.0.0.1"
    assert config["server"]["enableXsrfProtection"] is True
    assert config["server"]["enableCORS"] is True
    assert config["client"]["showErrorDetails"] == "none"


def test_cluster_colors_stable():
    few, many = style.cluster_colors(3), style.cluster_colors(40)
    assert_array_equal(few, many[:3])
    assert many[32] == many[0]
    assert style.cluster_colors(np.array([2, -1])).tolist() == [few[2], style.UNASSIGNED]


@pytest.mark.parametrize("top", [0, 4, 40])
def test_cluster_marks_show_cluster_colors(top):
    ids = np.arange(-1, top + 1)
    marks = style.cluster_marks(ids)
    assert [seen_color(marks, number) for number in marks["color"]] == style.cluster_colors(ids).tolist()


def test_ink_on_is_readable():
    for scale in (*style.SHARE_SCALES.values(), style.SIMILARITY_SCALE):
        cells = style.scale_color(scale, np.linspace(0, 1, 21))
        backs = ["#" + bytes(np.rint(cell).astype(np.uint8)).hex() for cell in cells]
        assert min(contrast(*pair) for pair in zip(style.ink_on(cells), backs, strict=True)) >= 4.5


def test_numbers_inside_bars_of_classes_are_readable(theme):
    (bars,) = class_balance(np.arange(15) + 1, [str(c) for c in range(15)], theme).to_plotly().data
    pairs = zip(bars.insidetextfont.color, bars.marker.color, strict=True)
    assert min(contrast(*pair) for pair in pairs) >= 4.5


def test_difference_scales_centre_on_neutral(theme):
    scale = style.DIFFERENCE_SCALES[theme]
    assert scale[len(scale) // 2][0] == 0.5
    assert np.ptp(list(bytes.fromhex(scale[len(scale) // 2][1][1:]))) < 20
