"""Painting by mouse, by touch and by keys, and what becomes of it."""

import pytest

from tests.browser.conftest import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.long]


def opened(visitor, address="/data?data=iris&m=8"):
    """The page Data with the paper unrolled: its canvas."""
    visitor.open(address)
    visitor.page.get_by_text("Paint points").click()
    canvas = visitor.at("paint").locator("canvas")
    canvas.scroll_into_view_if_needed()
    visitor.sees("0 of 2,000 points")
    canvas.click(trial=True)  # the paper has come to rest: a place read while it unrolls is another one a moment later
    return canvas


def picks(visitor, name):
    visitor.at("paint").get_by_role("radio", name=name).check(force=True)


def at(canvas, x, y):
    """A place on the canvas, by shares of its width and height."""
    box = canvas.bounding_box()
    return {"x": x * box["width"], "y": y * box["height"]}


def n_painted(visitor):
    return int(visitor.at("paint").get_by_role("status").inner_text().split(" of ")[0].replace(",", ""))


def test_two_painted_blobs_have_a_consensus(visitor):
    canvas = opened(visitor)
    use = visitor.at("paint").get_by_role("button", name="Use these points")
    assert use.is_disabled()
    picks(visitor, "Gaussian")
    canvas.click(position=at(canvas, 0.25, 0.5))
    picks(visitor, "Class 2")
    canvas.click(position=at(canvas, 0.75, 0.5))
    visitor.sees("100 of 2,000 points")
    use.click()
    visitor.sees("100 objects with 2 features").sees("2 classes")
    visitor.sees("100 of 2,000 points")  # no longer "Taking them over"
    visitor.url_says("data=upload-")
    visitor.goes_to("Consensus").sees("Scores against the truth")
    found = visitor.figure("consensus_labels", 0)
    left, right = (
        {color for x, color in zip(found["x"], found["color"], strict=True) if (x < 0) is one} for one in (True, False)
    )
    assert len(found["x"]) == 100
    assert (len(left), len(right), left & right) == (1, 1, set())


def test_classes_that_are_used_have_no_gap_between_their_numbers(visitor):
    """As on all pages, or one colour would be two classes."""
    canvas = opened(visitor)
    picks(visitor, "Gaussian")
    for name, x in (("Class 2", 0.25), ("Class 5", 0.75)):
        picks(visitor, name)
        canvas.click(position=at(canvas, x, 0.5))
    visitor.sees("100 of 2,000 points")
    visitor.at("paint").get_by_role("button", name="Use these points").click()
    visitor.sees("100 objects with 2 features").sees("2 classes")
    on_paper = visitor.page.evaluate("window.concordPainted.points.map((point) => point[2])")
    assert on_paper == [0] * 50 + [1] * 50


def test_brush_eraser_jitter_undo_and_clear(visitor):
    canvas = opened(visitor)
    page, box = visitor.page, canvas.bounding_box()
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + 100, steps=20)
    page.mouse.up()
    brushed = n_painted(visitor)
    assert brushed > 40
    picks(visitor, "Jitter")
    before = page.evaluate("() => JSON.stringify(concordPainted.points)")
    canvas.click(position={"x": 200, "y": 100})
    assert n_painted(visitor) == brushed
    assert page.evaluate("() => JSON.stringify(concordPainted.points)") != before
    picks(visitor, "Eraser")
    canvas.click(position={"x": 200, "y": 100})
    erased = n_painted(visitor)
    assert 0 < erased < brushed
    visitor.at("paint").get_by_role("button", name="Undo").click()
    assert n_painted(visitor) == brushed
    visitor.at("paint").get_by_role("button", name="Clear").click()
    assert n_painted(visitor) == 0
    picks(visitor, "Gaussian")
    for button in ("right", "middle"):
        canvas.click(position={"x": 200, "y": 100}, button=button)
    assert n_painted(visitor) == 0
    for _ in range(41):
        canvas.click(position={"x": 200, "y": 100})
    visitor.sees("2,000 of 2,000 points. The paper is full.")


def test_keys_paint_too(visitor):
    canvas = opened(visitor)
    canvas.focus()
    for name in ("ArrowLeft", "ArrowLeft", "Space", "3", "Shift+ArrowRight", "Enter"):
        canvas.press(name)
    visitor.sees("8 of 2,000 points. 2 more are needed.")
    labels = visitor.page.evaluate("() => concordPainted.points.map(point => point[2])")
    assert labels == [0] * 4 + [2] * 4


def test_a_finger_paints_on_a_phone(chromium, server):
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    visitor = Visitor(context.new_page(), server)
    canvas = opened(visitor)
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth") <= 390
    picks(visitor, "Gaussian")
    canvas.tap(position=at(canvas, 0.5, 0.5))
    visitor.sees("50 of 2,000 points")
    context.close()
