"""Density of objects: what is shaded where, in which colours, and what a box does to it."""

import base64
from io import BytesIO

import datashader
import numpy as np
import pytest
from PIL import Image

from tests.scenes import scene_of
from ui.figures import density, small_multiples
from ui.figures.objects.density import PIXELS, SMALL
from ui.figures.style import PALETTE
from ui.widgets import dots


def raster(figure, number=0):
    """Pixels of an image of a figure, (rows, columns, 4), the lowest row last."""
    source = figure.layout["images"][number]["source"]
    return np.asarray(Image.open(BytesIO(base64.b64decode(source.partition(",")[2]))))


def rgb(color):
    return [int(color[i : i + 2], 16) for i in (1, 3, 5)]


@pytest.fixture
def corners():
    """Thirty objects of cluster 0 at the lower left, ten of cluster 2 at the upper right."""
    points = np.repeat([[0.0, 0.0], [1.0, 1.0]], [30, 10], axis=0)
    return points, np.repeat([0, 2], [30, 10])


@pytest.mark.long
def test_a_pixel_has_the_colour_of_its_cluster_and_its_place(corners):
    image = raster(density(*corners, "light", extent=(-0.1, 1.1, -0.1, 1.1)))
    assert image.shape == (PIXELS[1], PIXELS[0], 4)
    rows, columns = np.nonzero(image[:, :, 3])
    quarters = set(zip((rows > PIXELS[1] / 2).tolist(), (columns > PIXELS[0] / 2).tolist(), strict=True))
    assert quarters == {(False, True), (True, False)}
    seen = {tuple(image[row, column, :3].tolist()) for row, column in zip(rows, columns, strict=True)}
    assert seen == {tuple(rgb(PALETTE[0])), tuple(rgb(PALETTE[2]))}


@pytest.mark.long
def test_the_note_counts_who_is_shown_and_who_disagrees(corners):
    points, labels = corners
    truth = np.where(np.arange(40) < 4, 1, labels)
    whole = density(points, labels, "light", truth=truth)
    assert "at most 30 objects a pixel" in whole.layout["annotations"][0]["text"]
    assert "4 disagree with the truth" in whole.layout["annotations"][0]["text"]
    part = density(points, labels, "light", extent=(0.5, 1.5, 0.5, 1.5))
    assert "10 shown, at most 10 objects a pixel" in part.layout["annotations"][0]["text"]
    assert part.layout["xaxis"]["range"] == [0.5, 1.5]


@pytest.mark.long
def test_the_selected_stand_out(corners):
    points, labels = corners
    figure = density(points, labels, "dark", selected=np.arange(40) < 30, extent=(-0.1, 1.1, -0.1, 1.1))
    faint, strong = figure.layout["images"]
    assert faint["opacity"] < strong["opacity"] == 1
    assert np.count_nonzero(raster(figure)[:, :, 3]) == 2 * np.count_nonzero(raster(figure, 1)[:, :, 3]) > 0


def test_objects_without_a_cluster_and_an_empty_window_are_drawn(corners):
    points, _ = corners
    assert raster(density(points, None, "light"))[:, :, 3].any()
    empty = density(points, None, "light", extent=(5, 6, 5, 6))
    assert not raster(empty)[:, :, 3].any()
    assert "0 shown, at most 0 objects a pixel" in empty.layout["annotations"][0]["text"]


@pytest.fixture
def crowd(monkeypatch):
    """Two corners of more objects than dots are drawn for, and two clusterings of them."""
    monkeypatch.setattr("ui.figures.objects.scatter.MOST_DOTS", 39)
    points = np.repeat([[0.0, 0.0], [1.0, 1.0]], [30, 10], axis=0)
    return points, [np.repeat([0, 2], [30, 10]), np.repeat([1, 0], [30, 10])]


@pytest.mark.long
def test_small_multiples_of_many_are_shaded_too(crowd):
    points, panels = crowd
    figure = small_multiples(points, panels, ["a", "b"], "light")
    first, second = figure.layout["images"]
    assert (first["xref"], first["yref"], second["xref"], second["yref"]) == ("x", "y", "x2", "y2")
    for number, clusters in enumerate(([0, 2], [1, 0])):
        image = raster(figure, number)
        assert image.shape == (SMALL[1], SMALL[0], 4)
        left, right = image[:, : SMALL[0] // 2], image[:, SMALL[0] // 2 :]
        seen = [{tuple(pixel[:3].tolist()) for pixel in half[half[:, :, 3] > 0]} for half in (left, right)]
        assert seen == [{tuple(rgb(PALETTE[cluster]))} for cluster in clusters]
    assert "at most 30 objects a pixel" in figure.layout["annotations"][-1]["text"]
    assert "drawn" not in str(figure.layout["annotations"])


@pytest.mark.long
def test_the_selected_stand_out_in_every_panel(crowd):
    points, panels = crowd
    figure = small_multiples(points, panels, ["a", "b"], "light", selected=np.arange(40) < 30)
    assert [image["opacity"] for image in figure.layout["images"]] == [0.2, 1, 0.2, 1]
    assert [image["xref"] for image in figure.layout["images"]] == ["x", "x", "x2", "x2"]


@pytest.mark.long
def test_what_was_shaded_is_not_shaded_again(monkeypatch):
    rng, shaded = np.random.default_rng(5), []
    points, labels = rng.normal(size=(500, 2)), rng.integers(0, 3, 500)
    points_of = datashader.Canvas.points
    monkeypatch.setattr(
        datashader.Canvas, "points", lambda *words, **more: shaded.append(1) or points_of(*words, **more)
    )
    first = density(points, labels, "light").to_plotly()
    for again in (points.copy(), points):
        assert density(again, labels.copy(), "light").to_plotly() == first
    assert len(shaded) == 1
    density(points, labels, "dark", height=300)
    density(points, labels, "light", selected=np.ones(500, bool))
    assert len(shaded) == 1
    others = [{"labels": labels[::-1]}, {"extent": (0, 1, 0, 1)}, {"selected": labels == 1}, {"points": points[::-1]}]
    for place, other in enumerate(others, 2):
        density(**{"points": points, "labels": labels, "theme": "light", **other})
        assert len(shaded) == place


@pytest.mark.parametrize(("most", "shaded"), [(149, True), (150, False)])
def test_a_small_picture_of_too_many_objects_is_shaded_too(most, shaded, monkeypatch):
    shown = []
    monkeypatch.setattr(dots, "MOST_DOTS", most)
    monkeypatch.setattr(dots, "theme", lambda: "light")
    monkeypatch.setattr(dots, "chart", lambda figure, *_: shown.append(figure))
    scene = scene_of(data="iris", m="6")
    dots.small(scene, scene.consensus.labels, "answer")
    assert bool(shown[0].layout.get("images")) is shaded
    assert ("objects a pixel" in str(shown[0].layout)) is shaded
