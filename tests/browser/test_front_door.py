"""The front door: what a laptop shows without scrolling, how far every page is, and where old addresses lead."""

import pytest

from tests.browser.conftest import INSIDE
from ui.frame.shell import BEHIND, SECTIONS

pytestmark = [pytest.mark.browser, pytest.mark.long]


def is_inside(place) -> bool:
    """Whether the whole of it stands in the window."""
    place.first.wait_for()
    return place.first.evaluate(INSIDE)


#: Entries of the list of pages that begin before the one above has ended.
LYING_OVER = """() => {
    const entries = [...document.querySelectorAll(".st-key-section_pages a")].filter((one) => one.offsetHeight)
    const boxes = entries.map((one) => one.getBoundingClientRect()).sort((a, b) => a.top - b.top)
    const above = (at) => boxes[at - 1].top < boxes[at].top && boxes[at].top < boxes[at - 1].bottom - 1
    return boxes.map((_, at) => at).filter((at) => at && above(at))
}"""


def titles(section: str) -> list[str]:
    """What the pages of a section are called."""
    return [name.replace("_", " ").capitalize() for name in SECTIONS[section]]


@pytest.mark.parametrize("section", SECTIONS)
def test_a_laptop_shows_data_size_seed_and_the_pages_of_the_section(visitor, section):
    visitor.page.set_viewport_size({"width": 1366, "height": 768})
    visitor.open(f"/{SECTIONS[section][-1]}?data=iris&m=8")
    for key in ("data", "m", "seed", "dice"):
        assert is_inside(visitor.page.get_by_test_id("stSidebar").locator(f".st-key-{key}")), key
    behind = [name.replace("_", " ").capitalize() for name in BEHIND]
    for title in titles(section) + behind:
        assert is_inside(visitor.at("section_pages").get_by_text(title, exact=True)), title
    assert visitor.page.evaluate(LYING_OVER) == []
    for other in SECTIONS:  # the first click opens a menu, the second is one of its pages
        visitor.page.get_by_test_id("stTopNavSection").get_by_text(other, exact=True).click()
        for title in [title for title in titles(other) if title not in behind]:
            assert is_inside(visitor.page.get_by_test_id("stTopNavDropdownLink").get_by_text(title, exact=True)), title
        visitor.page.keyboard.press("Escape")


def test_a_page_of_the_section_is_one_click_away_and_any_other_two(visitor):
    visitor.open("/enhanced_matrix?data=iris&m=8").sees("What can the matrix teach itself?")
    visitor.at("section_pages").get_by_text("Walks", exact=True).click()
    visitor.sees("Which links carry the structure")
    visitor.at("section_pages").get_by_text("Published tables", exact=True).click()
    visitor.sees("Do the published numbers come out again?")
    visitor.goes_to("Lessons")
    visitor.at("section_pages").get_by_text("Glossary", exact=True).click()
    visitor.sees("What do the words mean?")


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ("/elite_neighbours?data=iris&m=8&K=4", "K = 4 keeps"),
        ("/trajectories?data=iris&m=8&K=4", "K = 4 keeps"),
        ("/tuning?data=iris&m=8&x=theta:0.1,0.4", "Every point is the mean over several"),
        ("/methods?data=iris&m=8", "What are the ways to agree?"),
        ("/start?data=iris&m=8", "What do they agree on?"),
    ],
)
def test_old_addresses_lead_to_the_new_places(visitor, old, said):
    """And Back leads to where one was before."""
    visitor.open("/glossary?data=iris&m=8").sees("What do the words mean?")
    visitor.open(old).sees(said).url_says("data=iris").url_says("m=8")
    assert not visitor.page.get_by_text("Page not found").count()
    visitor.page.go_back()
    visitor.sees("What do the words mean?")


#: What a lecturer shows in ten minutes: the clicks from Start, and the picture that must then be whole in the window.
SHOWN = [
    ([], "start_consensus"),
    (["See", "Matrices"], "matrix_right"),
    (["Methods", "Walks"], "walk_film"),
    (["Methods", "Walks"], "elite_graph"),
    (["Methods", "Enhanced matrix"], "enhanced_film"),
    (["Methods", "Growing trees"], "forest"),
    (["Methods", "Subspaces"], "ellipses"),
]


@pytest.mark.parametrize(("clicks", "picture"), SHOWN, ids=lambda one: one if isinstance(one, str) else None)
def test_a_lecturer_is_two_clicks_from_every_film_and_need_not_scroll(visitor, clicks, picture):
    visitor.page.set_viewport_size({"width": 1366, "height": 768})
    visitor.open("/").sees("The consensus scores")
    assert len(clicks) <= 2
    if clicks:
        visitor.page.get_by_test_id("stTopNavSection").get_by_text(clicks[0], exact=True).click()
        visitor.page.get_by_test_id("stTopNavDropdownLink").get_by_text(clicks[1], exact=True).click()
        visitor.idle()
    visitor.at(picture).locator(".js-plotly-plot").first.wait_for(timeout=60_000)
    for width in (1366, 1024):
        visitor.page.set_viewport_size({"width": width, "height": 768})
        visitor.page.wait_for_timeout(1500)
        assert is_inside(visitor.at(picture).locator(".js-plotly-plot"))


def test_an_old_projector_shows_the_knobs_of_a_consensus_beside_its_picture(visitor):
    visitor.page.set_viewport_size({"width": 1024, "height": 768})
    visitor.open("/consensus?data=iris&m=8").sees("It scores")
    for place in (visitor.at("consensus_labels"), visitor.at("k_input"), visitor.at("param_theta")):
        assert is_inside(place)
