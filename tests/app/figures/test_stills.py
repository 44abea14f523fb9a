"""Figures drawn without a browser say the same as plotly's."""

import base64
import io
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from tests.app.figures.trees import hierarchy
from ui import figures
from ui.figures import spec
from ui.figures.partitions.maps import _FILLINGS, _LETTERS, partition_map_figure
from ui.figures.stills import still
from ui.figures.stills.axes import Axis
from ui.figures.stills.marks import CORNERS, dot
from ui.figures.style import finish

SVG = "{http://www.w3.org/2000/svg}"


def read(figure, width=640):
    return ET.fromstring(still(figure, width))


def dots(root):
    return np.array([(float(one.get("cx")), float(one.get("cy"))) for one in root.iter(f"{SVG}circle")])


def words(root):
    return ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]


def test_two_lines_of_a_title_take_the_room_of_two():
    below = []
    for scores in ([0.2], [0.2, 0.4]):
        root = read(figures.score_strip(scores, None, "light", height=200))
        heights = {"".join(one.itertext()): float(one.get("y")) for one in root.iter(f"{SVG}text")}
        below.append(heights["NMI with the truth"] - heights["0.4"])
    assert "2 base clusterings, mean 0.300" in words(root)
    assert below[1] == pytest.approx(below[0], abs=2)


def test_dots_stand_where_the_axes_say(rng):
    points = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 5.0], [5.0, 2.5]])
    placed = dots(read(figures.scatter(points, np.array([0, 1, 2, 0]), "light")))
    across, up = placed[1] - placed[0], placed[2] - placed[0]
    assert across[0] > 300
    assert across[1] == 0
    assert up[0] == 0
    assert up[1] < -200
    np.testing.assert_allclose(placed[3] - placed[0], across / 2 + up / 2, atol=0.11)


def test_one_unit_is_equally_long_on_both_axes(rng):
    points = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    placed = dots(read(figures.scatter(points, None, "light", equal=True)))
    np.testing.assert_allclose(placed[1][0] - placed[0][0], placed[0][1] - placed[2][1], atol=0.2)


def test_cells_have_the_colours_of_their_values():
    values = np.array([[0.0, 1.0], [1.0, 0.0]])
    root = read(figures.matrix_image(values, "light"))
    (image,) = root.iter(f"{SVG}image")
    pixels = Image.open(io.BytesIO(base64.b64decode(image.get("href").partition(",")[2]))).convert("RGB")
    corner = pixels.width - 1
    assert pixels.getpixel((0, 0)) == pixels.getpixel((corner, corner)) == (0, 0x22, 0x4E)
    assert pixels.getpixel((corner, 0)) == pixels.getpixel((0, corner)) == (0xFE, 0xE8, 0x38)
    assert abs(float(image.get("width")) - float(image.get("height"))) < 0.3


def test_numbers_stand_inside_their_bars_where_they_fit_and_can_be_read_there():
    figure = figures.class_balance(np.array([1, 913, 817]), ["a", "b", "c"], "light")
    (bars,) = figure.to_plotly().data
    root = read(figure)
    boxes = [one for one in root.iter(f"{SVG}rect") if one.get("fill") in bars.marker.color]
    said = {one.text: one for one in root.iter(f"{SVG}text") if one.text in bars.text}
    for box, count, ink in zip(boxes, bars.text, bars.insidetextfont.color, strict=True):
        end = float(box.get("x")) + float(box.get("width"))
        inside = float(said[count].get("x")) < end
        assert inside == (count != "1")
        assert said[count].get("text-anchor") == ("end" if inside else "start")
        assert not inside or said[count].get("fill") == ink


@pytest.mark.parametrize("width", [None, 1.0, [0.5, 1.0, 1.5]])
@pytest.mark.parametrize("lying", [False, True])
def test_no_bar_is_cut(width, lying):
    bars = spec.bar(x=[2.0, 4.0, 6.0], y=[3.0, 1.0, 2.0], width=width)
    if lying:
        bars.update(x=bars["y"], y=bars["x"], orientation="h")
    root = read(finish(spec.Figure([bars]), "light", "Bars.", height=240))
    (room,) = (clip[0] for clip in root.iter(f"{SVG}clipPath"))
    drawn = [one for one in root.iter(f"{SVG}rect") if one.get("fill") == "#2B6373"]
    assert len(drawn) == 3
    for start, length in (("x", "width"), ("y", "height")):
        low, high = float(room.get(start)), float(room.get(start)) + float(room.get(length))
        for one in drawn:
            assert low <= float(one.get(start)) <= float(one.get(start)) + float(one.get(length)) <= high


def test_words_of_the_figure_are_words_of_the_picture(rng):
    merges, similarities = hierarchy(rng, 12)
    found = words(read(figures.dendrogram_figure(merges, similarities, np.ones(12, int), 3, "light")))
    assert "k = 3" in found
    assert "similarity" in found
    counts = np.array([[1204, 0], [3, 40]])
    found = words(read(figures.confusion_figure(counts, ["a<b>", "&"], ["0", "1"], "light")))
    assert {"1,204", "cluster found", "&"} <= set(found)


def test_nothing_from_outside_becomes_markup():
    figure = spec.Figure([spec.scatter(x=np.arange(2.0), y=np.arange(2.0), mode="lines", name='"><script>')])
    figure.update_layout(showlegend=True)
    figure.add_annotation(text="<script>alert(1)</script>", x=0.5, y=0.5, xref="paper", yref="paper")
    finish(figure, "light", 'a "quoted" <alt>.', height=200)
    root = read(figure)
    assert not [one for one in root.iter() if one.tag.endswith("script")]
    assert root.get("aria-label") == 'a "quoted" <alt>.'
    assert "<script>alert(1)</script>" in words(root)


@pytest.mark.parametrize("kind", ["strip", "curve", "bars", "silhouettes", "multiples", "cdfs"])
def test_every_kind_is_drawn_inside_its_box(kind, rng):
    labels = rng.integers(0, 3, 60)
    made = {
        "strip": lambda: figures.score_strip(rng.random(20), 0.8, "light"),
        "curve": lambda: figures.score_curve(np.arange(5), rng.random(5), "light", marked=2, spread=np.full(5, 0.1)),
        "bars": lambda: figures.histogram(labels, "light", x_name="k"),
        "silhouettes": lambda: figures.silhouette_figure(rng.uniform(-1, 1, 60), labels, "light"),
        "multiples": lambda: figures.small_multiples(rng.random((60, 2)), [labels] * 4, list("abcd"), "light"),
        "cdfs": lambda: figures.cdf_figure(np.linspace(0, 1, 9), rng.random((3, 9)), np.arange(2, 5), "light"),
    }[kind]()
    root = read(made, 500)
    assert root.get("width") == "500"
    texts = [(float(one.get("x")), float(one.get("y"))) for one in root.iter(f"{SVG}text")]
    assert texts
    assert all(-1 <= x <= 501 and -1 <= y <= float(root.get("height")) + 1 for x, y in texts)
    assert not re.search(r"\bnan\b|\binf\b", ET.tostring(root, encoding="unicode"))


def legend_rows(root, names):
    """The height at which every name of a legend stands."""
    return {word: float(one.get("y")) for one in root.iter(f"{SVG}text") if (word := "".join(one.itertext())) in names}


def test_marks_have_their_forms_and_the_legend_shows_them_where_the_figure_has_it():
    names = ["consensus", "truth", *(f"the answer of method number {m}" for m in range(8))]
    points = np.column_stack([np.arange(12.0), np.arange(12.0) % 5])
    parts = (points, np.array([3, 4]), np.ones(2), ["a", "b"], names)
    root = read(partition_map_figure(*parts, "light", unit="bits"))
    forms = {re.sub(r"[-\d. ]+", " ", one.get("d")) for one in root.iter(f"{SVG}path") if one.get("d").endswith("Z")}
    assert {form.count("L") for form in forms} == {2, 3, 9, 11}  # corners but one
    rows = legend_rows(root, names)
    (axis,) = legend_rows(root, ["first axis, bits"]).values()
    assert len(rows) == 10
    assert min(rows.values()) > axis + 8  # all below the plot, in rows, inside the picture
    assert len(set(rows.values())) > 1
    assert max(rows.values()) < float(root.get("height"))
    signs = [one for one in root.iter(f"{SVG}path") if one.get("d").endswith("Z") and one.get("stroke-width") == "1.5"]
    assert len(signs) == 10


def test_a_mark_of_each_filling_is_drawn_otherwise():
    drawn = {filling: dot(f"star{filling}", 5, 5, 7, "#123456", "#123456", 2) for filling in _FILLINGS}
    assert "none" in drawn["-open"]
    assert "none" not in drawn[""]
    assert drawn["-open-dot"].startswith(drawn["-open"])
    assert "<circle" in drawn["-open-dot"].removeprefix(drawn["-open"])


def test_every_form_of_a_mark_is_drawn_about_as_large_as_a_circle():
    for form, corners in CORNERS.items():
        assert 0.9 < np.abs(corners).max() < 1.5, form
    assert set(_LETTERS) == set(CORNERS)


@pytest.mark.parametrize(
    ("look", "ends", "words"),
    [
        ({}, (-3.6, 3.7), ["\N{MINUS SIGN}2", "0", "2"]),
        ({"type": "log"}, (-0.9, 0.1), ["0.2", "0.5", "1"]),
        ({"type": "log"}, (-0.26, -0.04), ["0.6", "0.7", "0.8", "0.9"]),
    ],
)
def test_a_short_axis_has_two_ticks_at_least(look, ends, words):
    axis = Axis("x", look, ends, (0.0, 230.0))
    axis.count()
    assert [word for _, word in axis.ticks] == words


@pytest.mark.parametrize("values", [[1, 1 - 1e-16], [3e-17, 4e-17], [0, 0], [2e-300, 3e-300]])
def test_values_that_hardly_differ_have_an_axis(values):
    fig = spec.Figure([spec.scatter(x=[1, 2], y=values, mode="lines")])
    assert "<svg" in still(finish(fig, "light", "Two values.", height=200), 300, 200)


def test_ticks_are_round_and_inside():
    axis = Axis("x", {}, (0.03, 0.97), (0.0, 500.0))
    axis.count()
    assert [word for _, word in axis.ticks] == ["0.2", "0.4", "0.6", "0.8"]
    axis = Axis("y", {"type": "log"}, (0.0, 3.0), (300.0, 0.0))
    axis.count()
    assert [word for _, word in axis.ticks] == ["1", "10", "100", "1,000"]
    np.testing.assert_allclose(axis([1, 1000]), [300, 0])
