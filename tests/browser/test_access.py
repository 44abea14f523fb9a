"""Nothing that axe-core finds serious, on any page; and the sidebar on a phone."""

import pytest

from bench import look

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.mark.parametrize("place", range(len(look.pages())), ids=look.pages())
def test_axe_finds_nothing_serious(place, visitor):
    name, theme, page = look.pages()[place], look.THEMES[place % 2], visitor.page
    page.set_viewport_size({"width": 1366, "height": 768})
    page.emulate_media(color_scheme=theme)
    visitor.open(f"/{'' if name == 'start' else name}{look.QUERY}")
    look.rest(page)
    for _ in range(5):  # what is drawn anew is pale for a moment
        if not (found := look.barriers(page)):
            break
        page.wait_for_timeout(1000)
    assert not found


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
