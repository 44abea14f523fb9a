"""What windows of all sizes and paper show: no barriers, whole titles, readable pictures, no sidebar in print."""

import pytest

from bench import look

pytestmark = [pytest.mark.browser, pytest.mark.long]

#: A laptop at 200 %, a phone, an old projector, and a laptop whose sidebar was put away.
WINDOWS = [(683, 384, False), (400, 800, False), (1024, 768, False), (1366, 768, True)]
#: Whether the header stands over the place where a page begins.
COVERED = """() => {
    const page = document.querySelector('[data-testid="stMainBlockContainer"]'), look = getComputedStyle(page)
    const {left, top} = page.getBoundingClientRect(), head = document.querySelector('[data-testid="stHeader"]')
    const first = [left + parseFloat(look.paddingLeft) + 1, top + parseFloat(look.paddingTop) + 1]
    return head.contains(document.elementFromPoint(...first))
}"""
#: What the words of a picture are written in, and the ground of the button at it.
INK = """[
    document.querySelector(".js-plotly-plot .main-svg .xtick text").style.fill,
    getComputedStyle(document.querySelector(".concord-take")).backgroundColor,
]"""
#: The step of a lesson with a tall and a flat picture, after its question.
STEP = "/lessons?lesson=crowd&step=4"


def opened(visitor, path, width, height):
    visitor.page.set_viewport_size({"width": width, "height": height})
    visitor.open(path)
    look.rest(visitor.page)


@pytest.mark.parametrize("place", range(len(look.pages())), ids=look.pages())
def test_axe_finds_nothing_serious_and_no_title_is_cut(visitor, place):
    name, page = look.pages()[place], visitor.page
    page.emulate_media(color_scheme=look.THEMES[place % 2])
    opened(visitor, f"/{'' if name == 'start' else name}{look.QUERY}", 1366, 768)
    for _ in range(5):  # what is drawn anew is pale for a moment
        if not (found := look.barriers(page)):
            break
        page.wait_for_timeout(1000)
    assert not found
    for width, height, put_away in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        if put_away:
            page.get_by_test_id("stSidebar").hover()
            page.get_by_test_id("stSidebarCollapseButton").click()
            page.get_by_test_id("stExpandSidebarButton").wait_for()
        page.wait_for_timeout(800)
        assert not page.evaluate(COVERED), (width, height)


def test_what_is_scrolled_goes_under_the_sections(visitor):
    opened(visitor, f"/consensus{look.QUERY}", 1366, 768)
    color = "name => getComputedStyle(document.querySelector(`[data-testid=${name}]`)).backgroundColor"
    assert visitor.page.evaluate(color, "stHeader") == visitor.page.evaluate(color, "stApp")


def test_the_menu_switches_to_dark_and_a_button_copies_the_address(visitor):
    opened(visitor, f"/consensus{look.QUERY}", 1366, 768)
    page = visitor.page
    paper = "() => getComputedStyle(document.querySelector('[data-testid=\"stApp\"]')).backgroundColor"
    light, ink = page.evaluate(paper), page.evaluate(f"() => {INK}")
    assert ink[1] == light
    page.get_by_test_id("stMainMenu").first.click()
    page.get_by_test_id("stMainMenuItem-theme-Dark").click()
    look.rest(page)
    dark = page.evaluate(paper)
    assert dark != light
    page.wait_for_function(f"() => ({INK})[0] !== {ink[0]!r}", timeout=20_000)  # pictures are drawn for the theme
    assert page.evaluate(f"() => {INK}")[1] == dark, "so is the button at each of them"
    page.keyboard.press("Escape")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("button", has_text="Copy link").click()
    page.get_by_text("Copied").wait_for()
    assert page.evaluate("() => navigator.clipboard.readText()") == page.url


def test_a_film_that_plays_ends_where_the_theme_changes(visitor):
    opened(visitor, "/growing_trees?data=iris&m=8&seed=7", 1366, 768)
    page, errors = visitor.page, []
    page.on("pageerror", lambda error: errors.append(str(error)))
    ground = page.evaluate("() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor")
    visitor.at("forest").locator(".updatemenu-button").first.click()
    page.get_by_test_id("stMainMenu").first.click()
    page.get_by_test_id("stMainMenuItem-theme-Dark").click()
    changed = "ground => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor !== ground"
    page.wait_for_function(changed, arg=ground)
    page.wait_for_timeout(3000)
    assert not errors


@pytest.mark.parametrize("mode", ["", "&lecture=yes"])
def test_a_step_shows_its_picture_and_the_way_on(visitor, mode):
    opened(visitor, STEP + mode, 683, 384)
    visitor.page.keyboard.press("ArrowRight")
    look.rest(visitor.page)
    for width, height in ((683, 384), (1024, 768), (1366, 768)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.wait_for_timeout(800)
        tall = visitor.at("lesson_consensus").locator(".js-plotly-plot").bounding_box()
        assert visitor.at("lesson_consensus").get_by_test_id("stPlotlyChart").bounding_box()["height"] >= 240
        if width > 800:  # beside each other, nothing below the fold
            for place in ("lesson_ways", "lesson_words_low"):
                box = visitor.at(place).bounding_box()
                assert box["y"] + box["height"] <= height
                assert box["x"] > tall["x"] + tall["width"] - 1


@pytest.mark.parametrize("name", ["matrices", "consensus"])
def test_paper_has_no_sidebar_and_whole_figures(visitor, name):
    opened(visitor, f"/{name}{look.QUERY}", 1366, 768)
    page = visitor.page
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1030})  # A4 within its margins
    page.wait_for_timeout(1000)
    assert not page.get_by_test_id("stSidebar").is_visible()
    assert not page.get_by_test_id("stHeader").is_visible()
    plots = [plot.bounding_box() for plot in page.locator(".js-plotly-plot").all() if plot.is_visible()]
    assert len(plots) >= 2
    for box in plots:
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 703
    assert plots[0]["y"] == pytest.approx(plots[1]["y"], abs=2), "beside each other, as on the screen"
    assert plots[0]["width"] > 150


@pytest.mark.parametrize(("path", "title"), [("/", "Start"), ("/how_many?data=iris", "How many")])
def test_the_browsers_tab_is_named_after_the_page(visitor, path, title):
    visitor.open(path)
    visitor.page.wait_for_function("words => document.title === words", arg=f"{title} · Concord", timeout=20_000)
    visitor.goes_to("Matrices")
    visitor.page.wait_for_function("() => document.title === 'Matrices · Concord'", timeout=20_000)


def test_on_a_phone_the_sidebar_gives_way_to_what_was_chosen(visitor):
    page = visitor.page
    page.set_viewport_size({"width": 400, "height": 800})
    visitor.open(f"/consensus{look.QUERY}")
    look.rest(page)
    sidebar = page.get_by_test_id("stSidebar")
    page.get_by_test_id("stExpandSidebarButton").click()
    sidebar.locator(".st-key-data").get_by_role("combobox").click()
    page.keyboard.type("Wine")
    page.get_by_role("option", name="Wine", exact=True).click()
    page.locator('[data-testid="stSidebar"][data-collapsed="true"]').wait_for(state="attached")
    look.rest(page)
    assert "data=wine" in page.url
    page.get_by_test_id("stExpandSidebarButton").click()
    sidebar.get_by_text("Matrices", exact=True).click()
    page.locator('[data-testid="stSidebar"][data-collapsed="true"]').wait_for(state="attached")
    page.get_by_role("heading", name="Which pairs can we trust?").wait_for()


@pytest.mark.parametrize(("path", "key"), [("/consensus", "consensus_labels"), ("/growing_trees", "forest")])
def test_a_window_there_and_back_leaves_a_picture_as_it_was(visitor, path, key):
    opened(visitor, path + look.QUERY, 1366, 768)
    ranges = f"""() => {{
        const {{ xaxis, yaxis }} = document.querySelector(".st-key-{key} .js-plotly-plot")._fullLayout
        return [...xaxis.range, ...yaxis.range]
    }}"""
    before = visitor.page.evaluate(ranges)
    for width, height in ((900, 768), (400, 800), (1366, 768)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.wait_for_timeout(1500)
    assert visitor.page.evaluate(ranges) == pytest.approx(before)


def test_a_copied_link_says_what_stays_behind(visitor):
    opened(visitor, f"/consensus{look.QUERY}", 1366, 768)
    visitor.at("pin").get_by_role("button").click()
    visitor.sees("pinned as A")
    visitor.page.locator("button", has_text="Copy link").click()
    visitor.sees("Copied, but for A")
