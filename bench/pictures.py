"""Pictures of the documents, anew: `python -m bench.pictures [name ...]` (chromium; CONCORD_DATA names the pools).

Each is a page under a fixed address and window; where a study must run first, its button is pressed. They stand in
`docs`, and are looked at before they are committed.
"""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from bench.look import ROOT, rest
from bench.serving import REST, Server, chromium

#: Longest a study of theirs may take, in milliseconds.
STUDY = 900_000


@dataclass(frozen=True)
class Picture:
    """A page, its window, and whether its study is run first."""

    address: str
    width: int = 1440
    height: int = 900
    study: bool = False


PICTURES = {
    "start": Picture("/?data=moons&m=20&seed=7", height=1000),
    "lesson": Picture("/lessons?lesson=crowd&step=4", 1366, 768),
    "matrices": Picture("/matrices?data=wine&m=20&seed=7&brightest=0.7", height=960),
    "walks": Picture("/walks?data=moons&m=20&seed=7"),
    "enhanced": Picture("/enhanced_matrix?data=wine&m=20&seed=7", height=1060),
    "trees": Picture("/growing_trees?data=moons&m=20&seed=7"),
    "subspaces": Picture("/subspaces?data=two_gaussian_overlap"),
    "tuning": Picture(
        "/compare?compared=settings&data=iris&method=pta&x=K:1,2,4,8,16,20&y=T:1,2,4,8,16,20&draws=5",
        height=960,
        study=True,
    ),
    "compare": Picture("/compare?data=wine&draws=5", height=1000, study=True),
    "published": Picture("/published_tables?data=moons", 1366, 768),
}


def take(page: Page, server: Server, name: str) -> None:
    """One picture, once nothing moves any more."""
    one = PICTURES[name]
    page.set_viewport_size({"width": one.width, "height": one.height})
    page.goto(server.address + one.address)
    page.wait_for_selector(REST, timeout=120_000)
    if one.study:
        page.get_by_test_id("stMain").get_by_role("button", name="Run").first.click()
        page.wait_for_timeout(2000)
        page.get_by_text("running tasks").first.wait_for(state="detached", timeout=STUDY)
    rest(page)
    page.screenshot(path=ROOT / "docs" / f"{name}.png")


def main() -> None:
    """Take the pictures named, or all."""
    wanted = sys.argv[1:] or list(PICTURES)
    with tempfile.TemporaryDirectory() as scratch, chromium() as browser:
        server = Server(Path.cwd(), scratch)
        try:
            for name in wanted:
                page = browser.new_page()
                take(page, server, name)
                page.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
