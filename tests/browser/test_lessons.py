"""A student goes through lesson 1 by keyboard; a lecturer shows it large."""

import pytest

from tests.browser.conftest import Visitor
from ui.lessons.handout import handout
from ui.lessons.library import lessons

pytestmark = [pytest.mark.browser, pytest.mark.long]

FIRST = lessons()[0]
CHARTS = "n => document.querySelectorAll('[data-testid=\"stMain\"] .js-plotly-plot').length === n"


def presses(visitor, key):
    """Press a key on the page itself: heard once its last element is mounted, later than its pictures are seen."""
    visitor.idle()
    visitor.page.wait_for_function("() => window.concordTurn !== undefined")
    visitor.page.keyboard.press(key)
    return visitor


def shows(visitor, number):
    """Wait until a step stands there with its pictures."""
    step = FIRST.steps[number - 1]
    visitor.page.wait_for_url("**lesson=crowd**" if number == 1 else f"**step={number}&**")
    visitor.page.get_by_role("heading", name=step.heading).wait_for()
    visitor.page.wait_for_function(CHARTS, arg=len(step.shows))
    return visitor.idle()


def test_a_student_goes_through_lesson_one_by_keyboard(visitor):
    visitor.open().sees("New here?")
    visitor.at("lesson_begin").get_by_role("button").click()
    visitor.page.wait_for_url("**lesson=crowd**")
    visitor.page.get_by_role("heading", name=FIRST.steps[0].heading).wait_for()
    asked = 0
    for number, step in enumerate(FIRST.steps, 1):
        if step.asks is not None:
            visitor.sees(step.asks.text)
            visitor.page.wait_for_function(CHARTS, arg=0)
            right = next(place for place, one in enumerate(step.asks.choices, 1) if one.right)
            wrong = right % len(step.asks.choices) + 1
            presses(visitor, str(wrong if asked == 0 else right))
            visitor.sees("Not quite:" if asked == 0 else "Right:")
            asked += 1
        visitor.page.get_by_role("heading", name=step.heading).wait_for()
        visitor.page.wait_for_function(CHARTS, arg=len(step.shows))
        if number == 4:
            _plays_and_comes_back(visitor)
        presses(visitor, "ArrowRight")
    visitor.sees("What would you like to understand?").sees(f"{len(FIRST.steps)} of {len(FIRST.steps)} steps seen")


def _plays_and_comes_back(visitor):
    """Opens the page in the state of the step, moves something, and returns to the step as it was."""
    presses(visitor, "p")
    visitor.sees("Which partition settles it?").sees("Step 4: Count who is together")
    visitor.at("k_input").get_by_role("spinbutton").fill("5")
    visitor.at("k_input").get_by_role("spinbutton").press("Enter")
    visitor.page.wait_for_url("**k=5**")
    visitor.idle()
    visitor.at("lesson_return").get_by_role("button").click()
    shows(visitor, 4)
    assert "k=5" not in visitor.page.url


def test_back_goes_a_step_back_and_a_slider_keeps_its_arrows(visitor):
    visitor.open("/lessons?lesson=crowd&step=5")
    shows(visitor, 5)
    visitor.presses("lesson_knob_m", "ArrowRight")
    visitor.page.wait_for_url("**m=35&**")
    visitor.url_says("step=5")
    presses(visitor, "l")  # the slider has the focus, and no use for letters
    visitor.page.wait_for_url("**lecture=yes**")
    visitor.page.evaluate("() => document.activeElement.blur()")
    presses(visitor, "ArrowLeft")
    visitor.page.wait_for_url("**step=4&**")
    visitor.page.wait_for_url("**m=20&**")


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1920, 1080)])
def test_lecture_mode_fills_the_window(visitor, width, height):
    visitor.page.set_viewport_size({"width": width, "height": height})
    visitor.open("/lessons?lesson=crowd&step=1")
    shows(visitor, 1)
    before = visitor.page.evaluate("() => parseFloat(getComputedStyle(document.documentElement).fontSize)")
    presses(visitor, "l")
    visitor.page.wait_for_url("**lecture=yes**")
    visitor.idle()
    now = visitor.page.evaluate("() => parseFloat(getComputedStyle(document.documentElement).fontSize)")
    assert now == pytest.approx(1.3 * before)
    assert not visitor.page.get_by_test_id("stSidebar").is_visible()
    box = visitor.page.locator(".st-key-lesson_truth .js-plotly-plot").bounding_box()
    assert box["width"] > 0.6 * width
    assert box["height"] > 0.6 * height
    assert box["y"] + box["height"] <= height
    presses(visitor, "n")
    visitor.sees(f"For you: {FIRST.steps[0].note[:30]}")
    ways = visitor.at("lesson_ways").bounding_box()
    assert ways["y"] + ways["height"] <= height


def test_notes_in_a_second_window_follow_the_lecture(visitor):
    visitor.open("/lessons?lesson=crowd&step=1&lecture=yes")
    shows(visitor, 1)
    with visitor.page.context.expect_page() as opened:
        visitor.at("lesson_ways").get_by_role("link", name="Notes").click()
    second = opened.value
    second.get_by_text(FIRST.steps[0].note[:30]).wait_for()
    presses(visitor, "ArrowRight")
    visitor.page.wait_for_url("**step=2&**")
    second.get_by_role("heading", name=FIRST.steps[1].heading).wait_for()
    assert "Step 2 of" in second.locator("body").inner_text()


@pytest.mark.parametrize("lesson", lessons(), ids=lambda one: one.key)
def test_everything_of_a_step_stands_inside_a_projector(visitor, lesson):
    visitor.page.set_viewport_size({"width": 1024, "height": 768})
    visitor.open(f"/lessons?lesson={lesson.key}&step={lesson.cover + 1}&lecture=yes")
    if lesson.steps[lesson.cover].asks is not None:
        visitor.at("lesson_next").get_by_text("Look", exact=True).click()
    name = lesson.steps[lesson.cover].shows[0]
    picture = visitor.at(f"lesson_{name}").locator(".js-plotly-plot").first
    picture.wait_for(timeout=60_000)
    for width in (1024, 1366):
        visitor.page.set_viewport_size({"width": width, "height": 768})
        visitor.page.wait_for_timeout(800)
        for place in (picture, visitor.at("lesson_next"), visitor.at("lesson_overview"), visitor.at("lesson_lecture")):
            box = place.bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= 768 + 1
            assert box["x"] + box["width"] <= width + 1


#: The first step of each lesson that shows two pictures; what stands in one column is tested above.
PAIRS = [
    (one, place)
    for one in lessons()
    if (place := next((n for n, step in enumerate(one.steps, 1) if len(step.shows) > 1), 0))
]


@pytest.mark.parametrize(("lesson", "place"), PAIRS, ids=lambda one: getattr(one, "key", str(one)))
def test_two_pictures_stand_beside_each_other_on_an_old_projector(visitor, lesson, place):
    visitor.page.set_viewport_size({"width": 1024, "height": 768})
    visitor.open(f"/lessons?lesson={lesson.key}&step={place}&lecture=yes")
    if lesson.steps[place - 1].asks is not None:
        visitor.at("lesson_next").get_by_text("Look", exact=True).click()
    visitor.page.wait_for_function(CHARTS, arg=len(lesson.steps[place - 1].shows))
    visitor.page.wait_for_timeout(800)
    for name in lesson.steps[place - 1].shows:
        box = visitor.at(f"lesson_{name}").locator(".js-plotly-plot").first.bounding_box()
        assert box["y"] + box["height"] <= 768
        assert box["x"] + box["width"] <= 1024


def test_a_much_enlarged_lecture_keeps_its_picture_readable(visitor):
    visitor.page.set_viewport_size({"width": 683, "height": 384})  # a laptop at 200 %
    visitor.open("/lessons?lesson=crowd&step=1&lecture=yes")
    shows(visitor, 1)
    box = visitor.page.locator(".st-key-lesson_truth .js-plotly-plot").bounding_box()
    assert box["height"] >= 300
    assert box["x"] + box["width"] <= 683


@pytest.mark.parametrize("width", [1366, 400])
def test_pictures_of_a_handout_have_the_room_they_are_drawn_in(visitor, tmp_path, width):
    (tmp_path / "crowd.html").write_text(handout(next(one for one in lessons() if one.key == "crowd")))
    visitor.page.set_viewport_size({"width": width, "height": 768})
    visitor.page.goto((tmp_path / "crowd.html").as_uri())
    visitor.page.locator(".js-plotly-plot .main-svg").last.wait_for()
    rooms = visitor.page.evaluate(
        """() => [...document.querySelectorAll(".pictures figure")].map((one) => [
            one.getBoundingClientRect(), one.querySelector(".main-svg").getBoundingClientRect()
        ].map((box) => [box.left, box.right]))"""
    )
    assert len(rooms) > 4
    assert all(drawn == pytest.approx(room, abs=1) for room, drawn in rooms)
    assert len({round(room[0]) for room, _ in rooms}) == (
        1 if width == 400 else 2
    )  # beside each other where there is room


#: Which of two tabs answers first is chance; the one that counts less comes last.
ANSWERS_LATE = """() => {
    const channel = window.concordLecture, answer = channel.onmessage
    channel.onmessage = (event) => setTimeout(() => answer(event), 600)
}"""


def test_notes_follow_the_tab_that_a_hand_is_on(visitor, server):
    """Another tab among the cards shows nothing, and one with another lesson is not what is talked about."""
    visitor.open("/lessons?lesson=votes&step=2").sees("A question first")
    pages = [visitor.page.context.new_page() for _ in range(3)]
    elsewhere, lecture, notes = pages
    try:
        Visitor(elsewhere, server).open("/lessons?lesson=walks&step=3").idle()
        presses(Visitor(elsewhere, server), "o").sees("What would you like to understand?")
        Visitor(lecture, server).open("/lessons?lesson=crowd&step=4&lecture=yes").sees("A question first")
        lecture.get_by_test_id("stMainBlockContainer").click(position={"x": 5, "y": 5})
        visitor.page.evaluate(ANSWERS_LATE)
        Visitor(notes, server).open("/lessons?lesson=crowd&step=1&notes=yes").sees("Step 4 of 7")
        notes.wait_for_timeout(1500)
        assert notes.get_by_text("Step 4 of 7").count()
        visitor.page.bring_to_front()
        visitor.page.get_by_test_id("stMainBlockContainer").click(position={"x": 5, "y": 5})
        presses(visitor, "ArrowRight")
        visitor.at("lesson_next").get_by_text("Next").wait_for()
        presses(visitor, "ArrowRight")
        visitor.url_says("step=3")
        Visitor(notes, server).sees("Step 3 of 6")
        presses(Visitor(lecture, server), "ArrowRight")
        Visitor(lecture, server).at("lesson_next").get_by_text("Next").wait_for()
        presses(Visitor(lecture, server), "ArrowRight")
        Visitor(notes, server).sees("Step 5 of 7")
        presses(visitor, "o").sees("What would you like to understand?")
        visitor.page.go_back()
        visitor.url_says("step=3")
        Visitor(notes, server).sees("Step 3 of 6")  # the step it told before, shown anew
    finally:
        for page in pages:
            page.close()


def test_a_film_in_a_lesson_and_a_dialog_over_it_keep_their_arrows(visitor):
    visitor.open("/lessons?lesson=trees&step=4").sees("A question first")
    presses(visitor, "ArrowRight")
    page = visitor.page
    page.locator(".js-plotly-plot .updatemenu-button[role=button]").first.wait_for()
    page.locator(".js-plotly-plot .updatemenu-button[role=button]").first.focus()
    for key in ("ArrowRight", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
        page.wait_for_timeout(700)
    assert "step=4" in page.url
    page.locator(".concord-take").first.focus()
    page.keyboard.press("Enter")
    page.locator("dialog.concord-save[open] [data-format=svg]").focus()
    for key in ("ArrowRight", "o", "l", "p"):
        page.keyboard.press(key)
        page.wait_for_timeout(300)
    assert "step=4" in page.url
    assert "lecture" not in page.url
    assert page.locator("dialog.concord-save[open]").count()
    page.keyboard.press("Escape")
    assert not page.locator("dialog.concord-save[open]").count()


def test_a_reload_inside_a_lesson_keeps_what_one_had_before(visitor):
    visitor.open("/consensus?data=wine&k=5&seed=9").sees("joins")
    visitor.goes_to("Lessons").sees("What would you like to understand?")
    visitor.at("open_crowd").get_by_role("button").first.click()
    visitor.url_says("lesson=crowd").sees(FIRST.steps[0].heading)
    visitor.page.reload()
    visitor.idle().sees(FIRST.steps[0].heading)
    visitor.page.wait_for_function("() => window.concordKeptAsked")
    visitor.idle().at("lesson_overview").get_by_role("button").click()
    visitor.url_says("data=wine").url_says("seed=9").url_says("k=5")


def test_a_reload_on_another_page_of_a_lesson_keeps_it_too(visitor):
    visitor.open("/consensus?data=wine&k=5&seed=9").sees("joins")
    visitor.goes_to("Lessons").sees("What would you like to understand?")
    visitor.at("open_crowd").get_by_role("button").first.click()
    visitor.url_says("lesson=crowd").sees(FIRST.steps[0].heading)
    visitor.at("lesson_play").get_by_role("button").click()
    visitor.at("lesson_leave").wait_for()
    visitor.page.reload()
    visitor.idle().page.wait_for_function("() => window.concordKeptAsked")
    visitor.idle().at("lesson_leave").get_by_role("button").click()
    visitor.url_says("data=wine").url_says("seed=9").url_says("k=5")
