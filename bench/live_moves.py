"""A browser that moves one knob at a time, and a server whose processor time is read: tools of `bench_live`."""

from dataclasses import dataclass

import numpy as np
from playwright.sync_api import Page, TimeoutError

from bench.serving import REST, Server

#: Plotly makes this list anew whenever it draws a figure. A move begins with the last key or button of the mouse.
NOTE = """(key) => { window.concordSeen = document.querySelector(`.st-key-${key} .js-plotly-plot`)?._fullData;
                     const begin = (event) => { window.concordBegun = event.timeStamp; };
                     if (!window.concordBegun)
                         for (const kind of ["keydown", "mouseup"]) window.addEventListener(kind, begin, true);
                     window.concordBegun = performance.now(); }"""
#: Milliseconds from there to the new picture, read when the browser has drawn it; false until then.
DRAWN = """(key) => { const gd = document.querySelector(`.st-key-${key} .js-plotly-plot`);
                      return !!gd && !!gd._fullData && gd._fullData !== window.concordSeen
                             && performance.now() - window.concordBegun; }"""


@dataclass(frozen=True)
class Scene:
    """A page, a knob on it, and the picture that answers.

    Attributes
    ----------
    what : str
        For the table.
    path : str
    knob : str
        Key of the slider. "box" draws a box into the picture instead, "dot" clicks one of its dots, and "leave" leaves
        out the base clustering of such a dot, which was clicked before, "loop" those in a loop.
    picture : str
        Key of the figure.
    moves : int
    before : str
        The path in states from before the page had its name; "-" where they have no such picture.
    """

    what: str
    path: str
    knob: str
    picture: str
    moves: int = 15
    before: str = ""


_PTA = "data=iris&m=20&method=pta"
#: The place in the window of a dot of the map of partitions, another one each time.
DOT = """() => { const gd = document.querySelector(".st-key-partition_map .js-plotly-plot");
                 const { xaxis, yaxis } = gd._fullLayout;
                 const { x, y } = gd._fullData.find((trace) => trace.x && trace.customdata);
                 window.concordDot = (window.concordDot || 0) + 37;
                 const one = window.concordDot % x.length, at = gd.getBoundingClientRect();
                 return [at.x + xaxis._offset + xaxis.d2p(x[one]), at.y + yaxis._offset + yaxis.d2p(y[one])]; }"""
#: The centre of a box in the window around 300 of these dots, and half its side; another one each time.
MANY_DOTS = """() => { const gd = document.querySelector(".st-key-partition_map .js-plotly-plot");
                       const { xaxis, yaxis } = gd._fullLayout, at = gd.getBoundingClientRect();
                       const { x, y } = gd._fullData.find((trace) => trace.name === "base clusterings");
                       const spots = [...x].map((one, i) => [at.x + xaxis._offset + xaxis.d2p(one),
                                                             at.y + yaxis._offset + yaxis.d2p(y[i])]);
                       window.concordDot = (window.concordDot || 0) + 37;
                       const [left, top] = spots[window.concordDot % spots.length];
                       const away = spots.map(([a, b]) => Math.max(Math.abs(a - left), Math.abs(b - top)));
                       return [left, top, away.sort((a, b) => a - b)[300]]; }"""
_MANY, _MARKS = "m=1000&method=lwea&theta=0.1", ("param_theta", "partition_map_marks", 8, "-")
_DOT, _LEAVE = ("dot", "picked_member", 8, "-"), ("leave", "partition_map_rings", 8, "-")
_LOOP, _FOLLOWS = ("loop", "partition_map_rings", 8, "-"), ("loop", "partition_map_marks", 8, "-")
SCENES = (
    Scene("Start, M (new base clusterings)", "/?data=moons&m=10&seed=1", "start_m", "start_strip", 20),
    Scene("Consensus, theta", "/consensus?data=iris&m=20&method=lwea", "param_theta", "dendrogram"),
    Scene("Matrices, theta", "/matrices?data=wine&m=20&method=lwea", "param_theta", "matrix_right"),
    Scene("Matrices, zoom", "/matrices?data=wine&m=20&method=lwea", "box", "matrix_right", 8),
    Scene("Elite neighbours, K", f"/walks?{_PTA}", "param_K", "elite_graph", before=f"/elite_neighbours?{_PTA}"),
    Scene("Enhanced matrix, alpha", "/enhanced_matrix?data=wine&m=100&method=ec_cms", "param_alpha", "residuals", 5),
    Scene("Ensemble, theta (M = 1,000, 569 objects)", f"/ensemble?data=breast_cancer&{_MANY}", *_MARKS),
    Scene("Ensemble, theta (M = 1,000, 1,797 objects)", f"/ensemble?data=digits&{_MANY}", *_MARKS),
    Scene("Ensemble, a dot of 1,000 clicked (569 objects)", f"/ensemble?data=breast_cancer&{_MANY}", *_DOT),
    Scene("Ensemble, a dot of 1,000 clicked (1,797 objects)", f"/ensemble?data=digits&{_MANY}", *_DOT),
    Scene("Ensemble, one of 1,000 left out (569 objects)", f"/ensemble?data=breast_cancer&{_MANY}", *_LEAVE),
    Scene("Ensemble, one of 1,000 left out (1,797 objects)", f"/ensemble?data=digits&{_MANY}", *_LEAVE),
    Scene("Ensemble, 300 of 1,000 left out (569 objects)", f"/ensemble?data=breast_cancer&{_MANY}", *_LOOP),
    Scene("Ensemble, 300 of 1,000 left out (1,797 objects)", f"/ensemble?data=digits&{_MANY}", *_LOOP),
    Scene("Ensemble, consensus of the 700 (569 objects)", f"/ensemble?data=breast_cancer&{_MANY}", *_FOLLOWS),
    Scene("Ensemble, consensus of the 700 (1,797 objects)", f"/ensemble?data=digits&{_MANY}", *_FOLLOWS),
)


def open_page(browser, server: Server, path: str, words: str = "") -> Page:
    """A page of the app in a browser context of its own, at rest."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(server.address + path)
    if words:
        page.get_by_text(words).first.wait_for(timeout=60_000)
    page.wait_for_selector(REST, timeout=60_000)
    return page


def moved(page: Page, server: Server, scene: Scene) -> tuple[float, float]:
    """Seconds from one move of the knob to the new picture, and the server's processor time until rest.

    Some moves change nothing (no pair of objects between two values of alpha, the same consensus without one of a
    thousand): such a move is made again.
    """
    while True:
        if scene.knob in ("leave", "loop"):
            _pick_one_that_is_on(page) if scene.knob == "leave" else _loop_around_many(page)
            page.wait_for_selector(REST, timeout=60_000)
            page.wait_for_timeout(500)
        page.evaluate(NOTE, scene.picture)
        before = server.cpu_seconds()
        _move(page, scene)
        try:
            seconds = page.wait_for_function(DRAWN, arg=scene.picture, timeout=5_000).json_value() / 1e3
        except TimeoutError:
            continue
        page.wait_for_selector(REST, timeout=60_000)
        page.wait_for_timeout(250)
        return seconds, server.cpu_seconds() - before


def _move(page: Page, scene: Scene) -> None:
    """One step of a slider by its key, a click, or a box drawn into the picture (and the way back each second time)."""
    if scene.knob == "dot":
        _click_a_dot(page)
    elif scene.knob in ("leave", "loop"):
        page.locator(".st-key-drop_members").get_by_role("button").click()
    elif scene.knob != "box":
        page.locator(f".st-key-{scene.knob}").get_by_role("slider").first.press("ArrowRight")
    elif "zoom=" in page.url:
        page.locator(".st-key-reset_zoom").get_by_role("button").click()
    else:
        box = page.locator(f".st-key-{scene.picture} .nsewdrag").first.bounding_box()
        for share, then in ((0.2, page.mouse.down), (0.6, page.mouse.up)):
            page.mouse.move(box["x"] + share * box["width"], box["y"] + share * box["height"], steps=3)
            then()


def _pick_one_that_is_on(page: Page) -> None:
    """Click dots until one can be left out: beneath the hand there may lie one that was."""
    leave = page.locator(".st-key-drop_members button:enabled")
    for _ in range(20):
        _click_a_dot(page)
        try:
            return leave.wait_for(timeout=3_000)
        except TimeoutError:
            continue
    raise AssertionError("no dot could be left out")


def _loop_around_many(page: Page) -> None:
    """All of them again, and a loop around 300."""
    if (again := page.locator(".st-key-all_members button")).count():
        again.click()
        again.wait_for(state="detached")
        page.wait_for_selector(REST, timeout=60_000)
        page.wait_for_timeout(1_000)
    left, top, half = page.evaluate(MANY_DOTS)
    page.mouse.move(left - half, top - half)
    page.mouse.down()
    for x, y in ((1, -1), (1, 1), (-1, 1), (-1, -1)):
        page.mouse.move(left + x * half, top + y * half, steps=4)
    page.mouse.up()
    page.locator(".st-key-drop_members button:enabled").wait_for()


def _click_a_dot(page: Page) -> None:
    page.mouse.click(*page.evaluate(DOT))


def play(browser, servers: list[Server], scene: Scene) -> list[np.ndarray]:
    """Moves of a scene on each server in turn: (moves, 2) seconds and processor time; the first two are not counted."""
    servers = servers[:1] if scene.before == "-" else servers
    paths = [scene.path, *[scene.before or scene.path for _ in servers[1:]]]
    pages = [open_page(browser, server, path) for server, path in zip(servers, paths, strict=True)]
    for page in pages:
        on_the_map = scene.knob in ("dot", "leave", "loop")  # what a click brings comes later
        there = "partition_map" if on_the_map else scene.picture
        page.locator(f".st-key-{there} .js-plotly-plot").first.wait_for(timeout=60_000)
        page.locator(f".st-key-{there}").scroll_into_view_if_needed()
        page.wait_for_timeout(1500)
    rounds = [
        [moved(page, server, scene) for page, server in zip(pages, servers, strict=True)]
        for _ in range(scene.moves + 2)
    ]
    for page in pages:
        page.context.close()
    return list(np.array(rounds[2:]).transpose(1, 0, 2))
