"""Journeys without a mouse."""

import re

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.long]

WITHIN = "(selector) => !!document.activeElement?.closest(selector)"


def reaches(visitor, selector: str, most: int = 120) -> None:
    """Press Tab until the focus is on something inside."""
    visitor.page.locator(selector).first.wait_for(timeout=60_000)
    for _ in range(most):
        if visitor.page.evaluate(WITHIN, selector):
            return
        visitor.page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not reached by {most} tabs")


def test_a_data_set_is_chosen(visitor):
    visitor.open("/?data=moons&m=6").sees("The consensus scores")
    reaches(visitor, ".st-key-data input")
    visitor.page.keyboard.type("Wine")
    visitor.page.keyboard.press("Enter")
    visitor.sees("178 objects")
    visitor.url_says("data=wine")


def test_theta_is_moved(visitor):
    visitor.open("/consensus?data=iris&m=6&method=lwea").sees("It scores")
    reaches(visitor, ".st-key-param_theta input")
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.wait_for_url(re.compile("theta="), timeout=60_000)


CAPTION = """(words) => Array.from(document.querySelectorAll('.st-key-walk_film text.slider-label'))
                 .some(t => t.textContent.startsWith(words) && t.getBoundingClientRect().height > 8)"""


def test_a_film_is_played_and_stepped(visitor):
    visitor.open("/walks?data=moons&m=6&method=pta&T=6&pair=3.30").sees("reach a cosine of")
    visitor.figure("walk_film")
    reaches(visitor, ".st-key-walk_film [role=button]")
    visitor.page.keyboard.press("Enter")  # the first button plays
    visitor.page.wait_for_function(CAPTION, arg="step 0", timeout=60_000)
    visitor.page.wait_for_function(CAPTION, arg="step 6", timeout=60_000)
    visitor.page.wait_for_timeout(2000)  # until the last picture has come to rest
    visitor.page.keyboard.press("ArrowLeft")
    visitor.page.wait_for_function(CAPTION, arg="step 5", timeout=60_000)
    visitor.page.keyboard.press("ArrowLeft")
    visitor.page.wait_for_function(CAPTION, arg="step 4", timeout=60_000)


def test_two_objects_are_picked(visitor):
    visitor.open("/walks?data=iris&m=6").sees("After ")
    for key, number in (("pair_i_walks", "4"), ("pair_j_walks", "120")):
        reaches(visitor, f".st-key-{key} input")
        visitor.page.keyboard.press("Control+a")
        visitor.page.keyboard.type(number)
        visitor.page.keyboard.press("Enter")
        visitor.idle()
    visitor.page.wait_for_url(re.compile(r"pair=3\.119"), timeout=60_000)


def test_charts_are_no_stops_of_their_own(visitor):
    visitor.open("/?data=moons&m=6").sees("The consensus scores")
    visitor.figure("start_base")
    visitor.page.wait_for_timeout(500)
    stops = visitor.page.evaluate(
        """() => [...document.querySelectorAll('[data-testid=stPlotlyChart] [data-testid=stElementToolbar] button')]
                 .filter(b => b.tabIndex >= 0).length"""
    )
    assert stops == 0


HIDDEN = """() => { const one = document.activeElement, box = one.getBoundingClientRect();
                    const inside = !!one.closest("[data-testid=stMain]") && box.height > 0;
                    return inside && box.top < 40 ? one.outerHTML : "" }"""


def test_what_gets_the_focus_lies_not_under_the_header(visitor):
    visitor.page.set_viewport_size({"width": 1366, "height": 768})
    visitor.open("/matrices?data=iris&m=6").sees("Why are i and j together?")
    visitor.at("param_theta").locator("input").first.focus()
    for key in ["Tab"] * 45 + ["Shift+Tab"] * 45:
        visitor.page.keyboard.press(key)
        visitor.page.wait_for_timeout(40)
        assert not visitor.page.evaluate(HIDDEN)


def test_the_signs_of_a_table_show_once_they_have_the_focus(visitor):
    visitor.open("/consensus?data=iris").sees("Scores against the truth")
    toolbar = visitor.page.locator("[data-testid=stDataFrame] [data-testid=stElementToolbar]").first
    toolbar.locator("button").first.focus()
    visitor.page.wait_for_function(
        """e => getComputedStyle(e).opacity === "1" &&
               e.getBoundingClientRect().bottom <= e.parentElement.getBoundingClientRect().top""",
        arg=toolbar.element_handle(),
    )


def test_who_starts_and_cancels_by_keyboard_stays_at_the_button_that_takes_its_place(visitor):
    visitor.open("/compare?data=iris&m=10&draws=60&sets=wine,moons,iris&methods=lwea,pta,ec_cms")
    visitor.at("run_study").locator("button").focus()
    for key in ("cancel_", "continue_"):
        visitor.page.keyboard.press("Enter")
        visitor.page.wait_for_function(f"""() => document.activeElement.closest('[class*="st-key-{key}"]')""")


def test_buttons_that_look_alike_have_names_of_their_own(visitor):
    visitor.open("/lessons")
    visitor.page.locator('[class*="st-key-card_"]').nth(1).wait_for()
    role = visitor.page.get_by_role
    for words in (
        "Begin: 2. Does every vote",
        "Handout: 2. Does every vote",
        "For a syllabus: 2. Does",
        "Another seed",
    ):
        role("button", name=words).first.wait_for()
    visitor.open("/walks?data=iris&m=6")
    for film in ("walk_film", "pts_film"):
        visitor.figure(film)
    for words in ("Play (film 1)", "Play (film 2)"):
        role("button", name=words).wait_for()


SHOWN = "key => document.querySelector(`.st-key-${key} input`)?.value"


@pytest.mark.parametrize(
    ("address", "key", "setting", "least"),
    [
        ("/how_many?data=iris&m=5&k_max=40", "k_max", "k_max", 38),
        ("/compare?data=iris&m=5&draws=150&methods=lwea,eac&compared=settings&x=theta:0.1,0.4", "draws", "draws", 148),
        ("/ensemble?data=iris&m=150", "m", "m", 148),
    ],
)
def test_a_slider_beyond_its_usual_end_is_moved_and_shows_what_counts(visitor, address, key, setting, least):
    """One whose ends go with its value would be another one to the browser at every step."""
    visitor.open(address)
    reaches(visitor, f".st-key-{key} input")
    for value in (least + 1, least):
        visitor.page.keyboard.press("ArrowLeft")
        visitor.url_says(f"{setting}={value}").idle()
        assert visitor.page.evaluate(SHOWN, key) == str(value)


def test_a_slider_with_another_end_shows_what_counts(visitor):
    """Other base clusterings have other rounds, and each end of the slider is another slider to the browser."""
    visitor.open("/growing_trees?data=iris&m=15&seed=5&k=7&round=3").sees("Who was clear enough to join?")
    for step in range(4):
        reaches(visitor, ".st-key-m input")
        visitor.page.keyboard.press("ArrowLeft")
        visitor.url_says(f"m={14 - step}").sees("Who was clear enough to join?")
        assert visitor.page.evaluate(SHOWN, "round") in ("1", None)
