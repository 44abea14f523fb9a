"""Look at every page: `python -m bench.look [page ...]` (needs chromium); complaints are printed, pictures are kept.

Every page at six sizes (the last is a laptop at 200 %), light and dark, at rest; then with somebody's labels, with
20,000 objects, with a graph, and with data that are not there, on a laptop and on a phone. What can be checked by
geometry is (`look.js`): the main picture, its knob and its sentence inside the first screen of a laptop; no sideways
scrolling; no text that is cut, overlaps another or leaves its figure; figure text of at least 13 px; contrast; names of
whatever can be used; errors in the console; and what axe-core finds serious.
Screenshots stand in `bench/screens`, which git ignores, for a person to look at.
"""

import sys
import tempfile
from itertools import product
from pathlib import Path

import axe_playwright_python
import numpy as np
from playwright.sync_api import Page

from bench.serving import REST, Server, chromium

HERE = Path(__file__).parent
ROOT, SCREENS = HERE.parent, HERE / "screens"
SIZES = ((1366, 768), (1440, 900), (1024, 768), (1920, 1080), (390, 844), (683, 384))
#: Where the first screen must show picture, knob and sentence.
LAPTOP, PHONE = SIZES[0], SIZES[4]
THEMES = ("light", "dark")
QUERY = "?data=iris&m=20&seed=7"
#: What pages are looked at with; all but the first on a laptop and on a phone alone.
STATES = {"iris": QUERY, "own labels": "?data=own_members&m=12&seed=7", "large": "?data=large&m=20&k=8"}
STATES |= {"a graph": "?data=communities&m=10&seed=7", "nothing": "?data=upload-gone"}
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
#: What stands there while something is computed, fetched, or pale because it is drawn anew.
UNSETTLED = '[data-testid="stProgress"], [data-testid="stSkeleton"], [data-stale="true"]'
#: Pages with one main picture: the keys of picture and knob, and words of the sentence.
SCENES = {
    "data": ("data_scatter", "view", "objects with"),
    "start": ("start_consensus", "start_m", "The consensus scores"),
    "consensus": ("consensus_labels", "param_theta", "It scores"),
    "matrices": ("matrix_right", "param_theta", "Every cell"),
    "walks": ("walk_film", "param_K", "After "),
    "enhanced_matrix": ("enhanced_film", "param_alpha", "pairs"),
    "growing_trees": ("forest", "grow_k", "trees"),
    "subspaces": ("ellipses", "lac_inverse_h", "cluster 1 puts"),
}


def pages() -> list[str]:
    """Names of all pages, as their addresses have them."""
    return [path.stem.split("_", 1)[1] for path in sorted((ROOT / "pages").glob("[0-9]*.py"))]


def rest(page: Page) -> None:
    """Wait until nothing is computed and nothing is drawn any more."""
    for _ in range(100):
        page.wait_for_selector(REST, timeout=120_000)
        page.wait_for_timeout(500)
        if not page.locator(UNSETTLED).count() and page.locator(REST).count():
            break
    page.wait_for_timeout(1200)


def folder(path: Path) -> Path:
    """A folder of data sets as people bring them: labels from elsewhere with some missing, and 20,000 objects."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(4), 75)
    labels = np.where(rng.random((300, 12)) < 0.15, rng.integers(0, 4, (300, 12)), groups[:, None])
    words = np.where(rng.random(labels.shape) < 0.05, "", np.char.add("group ", labels.astype(str)))
    np.savetxt(path / "own_members.csv", words, fmt="%s", delimiter=",", header=",".join("abcdefghijkl"), comments="")
    centres, where = rng.normal(size=(8, 6)) * 4, rng.integers(0, 8, 20_000)
    np.savetxt(path / "large.csv", centres[where] + rng.normal(size=(20_000, 6)), fmt="%.4f", delimiter=",")
    return path


def look(page: Page, name: str, state: str, size: tuple[int, int], theme: str) -> list[str]:
    """Complaints about one page at one size; its picture is kept."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(1200)
    main = size == LAPTOP and state == next(iter(STATES))
    scene = dict(zip(("picture", "knob", "words"), SCENES.get(name, ()), strict=False)) if main else None
    found = page.evaluate((HERE / "look.js").read_text(encoding="utf-8"), scene or None)
    found += [f"exception: {one.inner_text()[:120]}" for one in page.get_by_test_id("stException").all()]
    page.screenshot(path=SCREENS / f"{name}_{state.replace(' ', '_')}_{size[0]}_{theme}.png")
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


def open_at_rest(browser, server: Server, name: str, query: str, theme: str, troubles: list[str]) -> Page:
    """A page of the app in a browser of its own; errors of its console are added to `troubles`."""
    context = browser.new_context(viewport={"width": LAPTOP[0], "height": LAPTOP[1]}, color_scheme=theme)
    page = context.new_page()
    page.on(
        "console",
        lambda message: troubles.append(f"console: {message.text}") if message.type == "error" else None,
    )
    page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
    page.goto(f"{server.address}/{'' if name == 'start' else name}{query}")
    rest(page)
    return page


def main() -> None:
    """Look at the pages named, or at all; the exit status says whether there was anything to complain about."""
    SCREENS.mkdir(exist_ok=True)
    wanted, complaints = sys.argv[1:] or pages(), 0
    with tempfile.TemporaryDirectory() as scratch, chromium() as browser:
        server = Server(ROOT, scratch, CONCORD_DATA=str(folder(Path(scratch))))
        try:
            for name in wanted:
                complaints += report(name, look_at(browser, server, name))
        finally:
            server.stop()
    print(f"{complaints} complaints about {len(wanted)} pages; pictures in {SCREENS.relative_to(ROOT)}")  # noqa: T201
    raise SystemExit(complaints > 0)


def look_at(browser, server: Server, name: str) -> dict[str, list[str]]:
    """Every complaint about a page, with the states, sizes and themes that have it."""
    found: dict[str, list[str]] = {}
    for (state, query), theme in product(STATES.items(), THEMES):
        first = state == next(iter(STATES))
        troubles: list[str] = []
        page = open_at_rest(browser, server, name, query, theme, troubles)
        for size in SIZES if first else (LAPTOP, PHONE):
            for complaint in look(page, name, state, size, theme):
                found.setdefault(complaint, []).append(f"{state} {size[0]} {theme}")
        for trouble in troubles + (barriers(page) if first else []):
            found.setdefault(trouble, []).append(f"{state} {theme}")
        page.context.close()
    return found


def report(name: str, found: dict[str, list[str]]) -> int:
    """Print the complaints about one page; how many there are."""
    print(f"{name}: {'nothing to complain about' if not found else ''}")  # noqa: T201
    for complaint, where in found.items():
        print(f"  {complaint}  [{', '.join(where)}]")  # noqa: T201
    return len(found)


if __name__ == "__main__":
    main()
