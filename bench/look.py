"""Look at every page: `python -m bench.look [page ...]` (needs chromium); complaints are printed, pictures are kept.

Every page at four sizes, light and dark, at rest. What can be checked by geometry is (`look.js`): the main picture, its
knob and its sentence inside the first screen of a laptop; no sideways scrolling; no text that is cut, overlaps another
or leaves its figure; figure text of at least 13 px; contrast; names of whatever can be used; errors in the console; and
what axe-core finds serious.
Screenshots stand in `bench/screens`, which git ignores, for a person to look at.
"""

import sys
import tempfile
from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page

from bench.serving import REST, Server, chromium

HERE = Path(__file__).parent
ROOT, SCREENS = HERE.parent, HERE / "screens"
SIZES = ((1366, 768), (1440, 900), (1024, 768), (400, 800))
#: Where the first screen must show picture, knob and sentence.
LAPTOP = SIZES[0]
THEMES = ("light", "dark")
QUERY = "?data=iris&m=20&seed=7"
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
#: Pages with one main picture: the keys of picture and knob, and words of the sentence.
SCENES = {
    "data": ("data_scatter", "view", "objects with"),
    "start": ("start_consensus", "start_m", "The consensus scores"),
    "consensus": ("consensus_labels", "param_theta", "It scores"),
    "matrices": ("matrix_right", "param_theta", "Every cell"),
    "walks": ("walk_film", "param_K", "After "),
    "enhanced_matrix": ("enhanced_film", "param_alpha", "pairs"),
    "growing_trees": ("forest", "grow_k", "trees"),
}


def pages() -> list[str]:
    """Names of all pages, as their addresses have them."""
    return [path.stem.split("_", 1)[1] for path in sorted((ROOT / "pages").glob("[0-9]*.py"))]


def rest(page: Page) -> None:
    """Wait until nothing is computed and nothing is drawn any more."""
    for _ in range(100):
        page.wait_for_selector(REST, timeout=120_000)
        page.wait_for_timeout(500)
        if not page.get_by_test_id("stProgress").count() and page.locator(REST).count():
            break
    page.wait_for_timeout(1200)


def look(page: Page, name: str, size: tuple[int, int], theme: str) -> list[str]:
    """Complaints about one page at one size; its picture is kept."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(1200)
    scene = dict(zip(("picture", "knob", "words"), SCENES.get(name, ()), strict=False)) if size == LAPTOP else None
    found = page.evaluate((HERE / "look.js").read_text(encoding="utf-8"), scene or None)
    page.screenshot(path=SCREENS / f"{name}_{size[0]}_{theme}.png")
    return found


def barriers(page: Page) -> list[str]:
    """What axe-core finds serious or worse: the rule, the help, and the first place."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
    return [
        f"axe {one['id']}: {one['help']} ({len(one['nodes'])}, first {one['nodes'][0]['html'][:120]})"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def open_at_rest(browser, server: Server, name: str, theme: str, troubles: list[str]) -> Page:
    """A page of the app in a browser of its own; errors of its console are added to `troubles`."""
    context = browser.new_context(viewport={"width": LAPTOP[0], "height": LAPTOP[1]}, color_scheme=theme)
    page = context.new_page()
    page.on(
        "console",
        lambda message: troubles.append(f"console: {message.text}") if message.type == "error" else None,
    )
    page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
    page.goto(f"{server.address}/{'' if name == 'start' else name}{QUERY}")
    rest(page)
    return page


def main() -> None:
    """Look at the pages named, or at all; the exit status says whether there was anything to complain about."""
    SCREENS.mkdir(exist_ok=True)
    wanted, complaints = sys.argv[1:] or pages(), 0
    with tempfile.TemporaryDirectory() as scratch, chromium() as browser:
        server = Server(ROOT, scratch)
        try:
            for name in wanted:
                complaints += report(name, look_at(browser, server, name))
        finally:
            server.stop()
    print(f"{complaints} complaints about {len(wanted)} pages; pictures in {SCREENS.relative_to(ROOT)}")  # noqa: T201
    raise SystemExit(complaints > 0)


def look_at(browser, server: Server, name: str) -> dict[str, list[str]]:
    """Every complaint about a page, with the sizes and themes that have it."""
    found: dict[str, list[str]] = {}
    for theme in THEMES:
        troubles: list[str] = []
        page = open_at_rest(browser, server, name, theme, troubles)
        for size in SIZES:
            for complaint in look(page, name, size, theme):
                found.setdefault(complaint, []).append(f"{size[0]} {theme}")
        for trouble in barriers(page):
            found.setdefault(trouble, []).append(theme)
        for trouble in troubles:
            found.setdefault(trouble, []).append(theme)
        page.context.close()
    return found


def report(name: str, found: dict[str, list[str]]) -> int:
    """Print the complaints about one page; how many there are."""
    print(f"{name}: {'nothing to complain about' if not found else ''}")  # noqa: T201
    for complaint, where in found.items():
        print(f"  {complaint}  [{'all' if len(where) == len(SIZES) * len(THEMES) else ', '.join(where)}]")  # noqa: T201
    return len(found)


if __name__ == "__main__":
    main()
