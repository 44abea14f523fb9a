"""Small multiples as WebGL, as SVG and as one raster: `python -m bench.bench_small_multiples` (needs chromium).

The same twelve panels three times: Plotly's `scattergl` (what pages draw), Plotly's `scatter`, and dots that numpy
paints at twice the pixels, sent as one PNG an axis. Times are those of a move: a new colouring of all panels.
"""

import base64
import io
import os
import time
from pathlib import Path

import numpy as np
import plotly
from PIL import Image

from bench.harness import arguments, machine, publish, table
from bench.serving import chromium
from ui.figures import small_multiples
from ui.figures.style import cluster_colors

PANELS, COLUMNS, HEIGHT = 12, 6, 120
SIZES, REPEATS = (150, 1000, 5000), 9
SCRIPT = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
VERDICT = """

The pages draw WebGL: about as fast as the raster up to 1,000 objects, a third slower at 5,000, never slower than SVG;
the server does next to nothing, dots stay sharp at any zoom and answer to hover and lasso. A raster is drawn faster in
the browser, but the server paints it, for every visitor and every move, and it knows no objects.
"""
#: Milliseconds until a figure is drawn anew, and a frame is shown.
DRAW = """async (json) => {
    const figure = JSON.parse(json), div = document.getElementById('here'), begun = performance.now()
    await Plotly.react(div, figure.data, figure.layout)
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))
    return performance.now() - begun
}"""


def webgl(points, panels) -> str:
    """As the pages draw them."""
    titles = [f"k = {labels.max() + 1}" for labels in panels]
    return small_multiples(points, panels, titles, "light", columns=COLUMNS, panel_height=HEIGHT).as_it_is().to_json()


def svg(points, panels) -> str:
    """The same with every dot an element of the page."""
    return webgl(points, panels).replace('"scattergl"', '"scatter"')


def raster(points, panels) -> str:
    """The same frame with a painted image in every panel instead of dots."""
    titles = [f"k = {labels.max() + 1}" for labels in panels]
    figure = small_multiples(points, panels, titles, "light", columns=COLUMNS, panel_height=HEIGHT)
    images = []
    for trace, labels in zip(figure.data, panels, strict=True):
        axes = trace.get("xaxis", "x"), trace.get("yaxis", "y")
        trace["x"], trace["y"], trace["marker"], trace["customdata"] = [None], [None], {}, [None]
        images.append(_image(points, labels, axes))
    figure.layout["images"] = images
    return figure.as_it_is().to_json()


def _image(points, labels, axes) -> dict:
    low, high = points.min(axis=0), points.max(axis=0)
    pixels = np.zeros((2 * HEIGHT, 360, 4), np.uint8)
    places = (points - low) / (high - low)
    rows = ((1 - places[:, 1]) * (len(pixels) - 5)).astype(int) + 2
    columns = (places[:, 0] * (pixels.shape[1] - 5)).astype(int) + 2
    colors = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] + [255] for c in cluster_colors(labels)], np.uint8)
    for down in range(-2, 3):
        for right in range(-2, 3):
            if down**2 + right**2 <= 5:
                pixels[rows + down, columns + right] = colors
    held = io.BytesIO()
    Image.fromarray(pixels).save(held, "PNG", compress_level=1)
    source = "data:image/png;base64," + base64.b64encode(held.getvalue()).decode()
    ends = {"x": low[0], "y": high[1], "sizex": high[0] - low[0], "sizey": high[1] - low[1]}
    return {"source": source, "xref": axes[0], "yref": axes[1], "sizing": "stretch", "layer": "above", **ends}


def measured(page, make, n: int) -> list[float]:
    """Median milliseconds of the server and of the browser, and kilobytes sent."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(n, 2)) + 4 * rng.integers(3, size=(n, 1))
    server, browser, sent = [], [], 0
    for turn in range(REPEATS + 1):
        panels = [rng.integers(3 + turn % 2, size=n) for _ in range(PANELS)]
        begun = time.perf_counter()
        text = make(points, panels)
        server.append(1000 * (time.perf_counter() - begun))
        browser.append(page.evaluate(DRAW, text))
        sent = len(text)
    return [float(np.median(server[1:])), float(np.median(browser[1:])), sent / 1000]


def main() -> None:
    """Measure, print, and write where `--out` says; pictures stand in bench/screens."""
    chosen, rows = arguments(), []
    screens = Path(__file__).parent / "screens"
    screens.mkdir(exist_ok=True)
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1366, "height": 768}, device_scale_factor=2)
        page.set_content("<div id='here'></div>")
        page.add_script_tag(path=str(SCRIPT))
        for n in SIZES:
            for name, make in (("WebGL", webgl), ("SVG", svg), ("raster", raster)):
                server, drawn, sent = measured(page, make, n)
                rows.append([f"{n:,}", name, f"{server:.1f}", f"{drawn:.0f}", f"{server + drawn:.0f}", f"{sent:.0f}"])
                page.locator("#here").screenshot(path=screens / f"multiples_{n}_{name}.png")
    header = ["objects", "drawn as", "server, ms", "browser, ms", "both, ms", "sent, kB"]
    text = f"# Small multiples\n\n{machine()}; load {os.getloadavg()[0]:.1f} at the end\n\n"
    text += f"{PANELS} panels, medians of {REPEATS} new colourings; WebGL by software (no graphics card), two pixels a "
    text += "point of the screen.\n\n"
    publish(text + table(header, rows) + VERDICT, chosen.out)


if __name__ == "__main__":
    main()
