"""Pictures of the documents, anew: `python -m bench.pictures [name ...]` (chromium; CONCORD_DATA names the pools).

Each is a page under a fixed address and window; where a study must run first, its button is pressed. They stand in
`docs`, and are looked at before they are committed.
"""

import sys
import tempfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image
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
    "which_method": Picture("/which_method?data=bridged_blobs&k_range=8-16&m=20&seed=7"),
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


#: The film of the README: its page, the key of its figure, and the milliseconds that a frame stands.
FILM, FIGURE, STANDS = "/growing_trees?data=bridged_blobs&k_range=8-16&seed=7", "forest", 900


def film(page: Page, server: Server) -> None:
    """The film of the README, frame by frame as its scrubber shows them, as one GIF."""
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(server.address + FILM)
    page.wait_for_selector(REST, timeout=120_000)
    rest(page)
    place = page.locator(f".st-key-{FIGURE}").first
    n = place.locator(".js-plotly-plot").evaluate("gd => gd.layout.sliders[0].steps.length")
    shots = [place.screenshot()]
    for _ in range(n - 1):  # it opens on its last frame
        place.get_by_text("Back", exact=True).click()
        page.mouse.move(5, 5)
        page.evaluate("() => document.activeElement.blur()")  # no ring around the button, no menu at the picture
        page.wait_for_timeout(400)
        shots.insert(0, place.screenshot())
    pictures = [Image.open(BytesIO(shot)).convert("P", palette=Image.Palette.ADAPTIVE, colors=64) for shot in shots]
    pictures[0].save(ROOT / "docs" / "film.gif", save_all=True, append_images=pictures[1:], duration=STANDS, loop=0)


def main() -> None:
    """Take the pictures named, or all."""
    wanted = sys.argv[1:] or [*PICTURES, "film"]
    with tempfile.TemporaryDirectory() as scratch, chromium() as browser:
        server = Server(Path.cwd(), scratch)
        try:
            for name in wanted:
                page = browser.new_page()
                film(page, server) if name == "film" else take(page, server, name)
                page.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
