"""A server of the app and a real Chromium; skipped visibly without one, unless CONCORD_BROWSER=required."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Error

from bench import serving
from bench.serving import REST
from ui.frame.shell import SECTIONS

ROOT = Path(__file__).parents[2]
#: Whether a place stands whole in the window.
INSIDE = "one => { const r = one.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight && r.width > 0 }"


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Address of a running app, with a store of records of its own."""
    served = serving.Server(ROOT, tmp_path_factory.mktemp("store"))
    yield served.address
    served.stop()


@pytest.fixture(scope="session")
def chromium():
    """A browser, closed at the end."""
    if serving.chromium_path() is None:
        if os.environ.get("CONCORD_BROWSER") == "required":
            pytest.fail("CONCORD_BROWSER=required, and there is no chromium on the path")
        pytest.skip("no chromium on the path")
    with serving.chromium() as browser:
        yield browser


class Visitor:
    """A person at the browser: opens, waits, moves widgets, reads figures."""

    def __init__(self, page, server):
        self.page, self.server = page, server

    def open(self, path: str = "/") -> "Visitor":
        self.page.goto(self.server + path)
        return self.idle()

    def idle(self) -> "Visitor":
        """Wait until the script has come to rest (fragments that poll never do)."""
        self.page.wait_for_selector(REST, timeout=60_000)
        return self

    def sees(self, text: str, timeout: float = 60_000, at_rest: bool = True) -> "Visitor":
        """Wait until a text is there, and the script at rest (a page that shows progress never is)."""
        self.page.get_by_text(text, exact=False).first.wait_for(timeout=timeout)
        return self.idle() if at_rest else self

    def url_says(self, part: str) -> "Visitor":
        """Wait until the address has this part: it changes as the script begins, before the page shows it."""
        self.page.wait_for_url(lambda url: part in url)
        return self

    def goes_to(self, title: str) -> "Visitor":
        """By the menu of the section that has this page, as everybody does who is in another section."""
        section = next(name for name, pages in SECTIONS.items() if title.lower().replace(" ", "_") in pages)
        self.page.get_by_test_id("stTopNavSection").get_by_text(section, exact=True).click()
        self.page.get_by_test_id("stTopNavDropdownLink").get_by_text(title, exact=True).click()
        return self.idle()

    def at(self, key: str):
        """The widget or figure with this key."""
        return self.page.locator(f".st-key-{key}")

    def figure(self, key: str, trace: int = 0) -> dict:
        """What a figure shows: length of a trace, its x, and the title of its x axis."""
        self.at(key).locator(".js-plotly-plot").first.wait_for(timeout=60_000)
        return self.page.evaluate(READ, [key, trace])

    def presses(self, key: str, name: str, times: int = 1) -> "Visitor":
        """Press a key on the slider of a widget."""
        self.idle()
        thumb = self.at(key).get_by_role("slider").first
        thumb.focus()
        for _ in range(times):
            thumb.press(name)
        return self.idle()


READ = """([key, trace]) => {
    const gd = document.querySelector(`.st-key-${key} .js-plotly-plot`);
    const t = gd._fullData[trace];
    return {traces: gd._fullData.length, x: Array.from(t.x || []), y: Array.from(t.y || []), type: t.type,
            color: Array.from((t.marker && t.marker.color && t.marker.color.length) ? t.marker.color : []),
            annotations: (gd._fullLayout.annotations || []).map(a => a.text), title: gd._fullLayout.xaxis.title.text};
}"""


def _report(message, troubles: list[str]) -> None:
    if message.type == "error":
        troubles.append(f"{message.text} ({message.location['url']})")


class Tab:
    """One tab for one visitor after the other: a new one would read and compile the app's files again each time."""

    SIZE = {"width": 1440, "height": 900}

    def __init__(self, browser):
        self.context = browser.new_context(viewport=self.SIZE, accept_downloads=True)
        self.page = self.context.new_page()

    def left(self, server) -> list[str]:
        """What errors the page shows; then the tab is as it was, or a new one where it does not answer."""
        for other in set(self.context.pages) - {self.page}:
            other.close()
        try:
            errors = self.page.get_by_test_id("stException").all_inner_texts()
            self.page.goto(f"{server}/_stcore/health")  # whatever the last page was, this one may clear what is kept
            self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
            self.page.goto("about:blank")
        except Error:
            self.page.close()
            self.page = self.context.new_page()
            raise
        finally:
            self.context.clear_cookies()
            self.context.clear_permissions()
        self.page.set_viewport_size(self.SIZE)
        self.page.emulate_media(media="null", color_scheme="null")
        self.page.mouse.move(0, 0)
        return errors


@pytest.fixture(scope="session")
def tab(chromium):
    """That of this worker."""
    return Tab(chromium)


@pytest.fixture
def visitor(tab, server):
    """A visitor whose browser had no error of any kind."""
    page, troubles = tab.page, []
    notes = {
        "console": lambda message: _report(message, troubles),
        "pageerror": lambda error: troubles.append(str(error)),
        "requestfailed": lambda request: troubles.append(f"{request.url}: {request.failure}"),
    }
    for event, note in notes.items():
        page.on(event, note)
    yield Visitor(page, server)
    for event, note in notes.items():
        page.remove_listener(event, note)
    errors = tab.left(server)
    assert not errors + [text for text in troubles if "net::ERR_ABORTED" not in text]
