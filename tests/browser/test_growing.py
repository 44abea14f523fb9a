import pytest

from tests.browser.conftest import INSIDE

pytestmark = [pytest.mark.browser, pytest.mark.long]

WAITING = """() => { const gd = document.querySelector('.st-key-forest .js-plotly-plot');
                     const t = gd._fullData.find(t => t.name === 'forest');
                     return Array.from(t.marker.color).filter(c => c === 0).length; }"""


def test_the_growth_can_be_played(visitor):
    visitor.open("/growing_trees?data=moons&m=20&method=got").sees("2 trees")
    visitor.figure("forest")
    assert visitor.page.evaluate(WAITING) == 0  # it opens on the grown forest
    visitor.at("forest").get_by_text("Play", exact=True).click()
    visitor.page.wait_for_function(f"() => ({WAITING})() > 50", timeout=60_000)
    visitor.page.wait_for_function(f"() => ({WAITING})() === 0", timeout=60_000)


def test_more_trees_are_one_key_away(visitor):
    visitor.open("/growing_trees?data=moons&m=20&method=got").sees("2 trees")
    visitor.presses("grow_k", "ArrowRight", 2).sees("4 trees")
    visitor.url_says("k=4")


@pytest.mark.parametrize(("width", "height", "tall"), [(1366, 768, 660), (1024, 768, 660), (1920, 1080, 660)])
def test_trees_fill_the_window_with_knob_and_sentence(visitor, width, height, tall):
    visitor.open("/growing_trees?data=bridged_blobs&k_range=8-16&m=20").figure("forest")
    for size, pixels in (((900, 700), 464), ((width, height), tall)):  # the picture follows a window that changes
        visitor.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        drawn = f"document.querySelector('.st-key-forest .js-plotly-plot')?._fullLayout.height === {pixels}"
        visitor.page.wait_for_function(drawn, timeout=10_000)
    sentence = visitor.page.get_by_text("3 trees took in").last
    for part in (visitor.at("grow_k"), visitor.at("forest").locator(".js-plotly-plot"), sentence):
        assert part.evaluate(INSIDE)
