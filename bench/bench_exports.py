"""Routes for a picture to leave by, in time and bytes: `python -m bench.bench_exports --out bench/results/exports.md`.

Kaleido, matplotlib and CairoSVG are measured where they are installed; the app needs none of them.
"""

import io
import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import plotly

from bench.harness import arguments, interleaved, machine, publish, table
from bench.serving import chromium
from ui import figures
from ui.export.menu import as_pdf, tones
from ui.figures.spec import Figure, _sent
from ui.figures.stills import still

ROOT = Path(__file__).parents[1]
SCRIPTS = ("files.js", "data.js", "paper.js", "pictures.js")
DRAW = """async ({ figure, format }) => {
    const plot = document.createElement("div")
    document.body.append(plot)
    await Plotly.newPlot(plot, figure.data, { ...figure.layout, width: 640 })
    const start = performance.now()
    const paper = await filled(Plotly, onPaper(plot, 85, "white"))
    const made = format === "png" ? await printed(Plotly, paper, 85, "") : await asSvg(Plotly, paper, 85, "")
    const seconds = (performance.now() - start) / 1000
    Plotly.purge(plot)
    plot.remove()
    return { seconds, size: made.length, text: format === "svg" ? made : "" }
}"""


def drawings() -> dict[str, Figure]:
    """Pictures of every weight."""
    rng = np.random.default_rng(0)

    def cloud(n: int) -> Figure:
        return figures.scatter(rng.normal(size=(n, 2)), rng.integers(5, size=n), "light")

    panels = [rng.integers(5, size=500) for _ in range(12)]
    names = [str(place) for place in range(12)]
    return {
        "500 objects": cloud(500),
        "2,000 objects": cloud(2_000),
        "12 panels of 500 objects": figures.small_multiples(rng.normal(size=(500, 2)), panels, names, "light"),
        "matrix of 400 x 400": figures.matrix_image(rng.random((400, 400)), "light"),
        "curve": figures.score_curve(np.arange(2, 11), rng.random(9), "light", marked=3),
    }


class Visitor:
    """A browser with the library and the scripts of the menu, as at the first click."""

    def __init__(self, page: Any) -> None:
        self.page = page
        page.add_script_tag(path=str(Path(plotly.__file__).parent / "package_data" / "plotly.min.js"))
        code = "\n".join((ROOT / "ui" / "export" / name).read_text() for name in SCRIPTS)
        page.add_script_tag(content=f"const TONES = {json.dumps(tones())}\n{code}")

    def draw(self, figure: Figure, format_: str) -> dict[str, Any]:
        """Seconds, bytes and, of an SVG, the text."""
        sent = _sent({"data": figure.data, "layout": figure.layout})
        return self.page.evaluate(DRAW, {"figure": sent, "format": format_})


def timed(make: Callable[[], bytes | str], repeats: int = 3) -> str:
    """Median seconds, and kB."""
    seconds = interleaved({"it": make}, repeats)["it"]
    return f"{np.median(seconds):.2f} s, {len(make()) / 1000:,.0f} kB"


def others(figure: Figure) -> list[str]:
    """Kaleido and matplotlib, where they are there; matplotlib draws dots and cells alone."""
    found = []
    if find_spec("kaleido"):
        found.append(timed(lambda: figure.to_plotly().to_image("svg", width=447)))
    if find_spec("matplotlib"):
        found.append(timed(lambda: _matplotlib(figure)))
    return found


def _matplotlib(figure: Figure) -> bytes:
    from matplotlib.figure import Figure as Drawing

    first, drawing, held = figure.data[0], Drawing(figsize=(3.35, 2.6)), io.BytesIO()
    axes = drawing.subplots()
    if first["type"] == "heatmap":
        axes.imshow(first["z"], interpolation="nearest")
    for trace in figure.data:
        if trace["type"].startswith("scatter") and "marker" in trace:
            axes.scatter(trace["x"], trace["y"], s=4, rasterized=len(trace["x"]) > 30_000)
    drawing.savefig(held, format="svg")
    return held.getvalue()


def row(visitor: Visitor, name: str, figure: Figure) -> list[str]:
    """All routes for one picture."""
    drawn = {kind: [visitor.draw(figure, kind) for _ in range(3)] for kind in ("svg", "png")}
    cells = [
        f"{np.median([one['seconds'] for one in runs]):.2f} s, {runs[0]['size'] / 1000:,.0f} kB"
        for runs in drawn.values()
    ]
    svg = drawn["svg"][0]["text"]
    cells.append(timed(lambda: as_pdf(svg)))
    if find_spec("cairosvg"):
        from cairosvg import svg2pdf

        cells.append(timed(lambda: svg2pdf(svg.encode())))
    return [name, *cells]


def main() -> None:
    chosen = arguments()
    header = ["picture, 85 mm", "SVG in the browser", "PNG in the browser", "then PDF by typst"]
    header += ["then PDF by CairoSVG"] * bool(find_spec("cairosvg")) + ["SVG by `ui.figures.stills`"]
    header += ["SVG by Kaleido"] * bool(find_spec("kaleido")) + ["SVG by matplotlib"] * bool(find_spec("matplotlib"))
    with chromium() as browser:
        visitor = Visitor(browser.new_page())
        drawn = {name: (figure, row(visitor, name, figure)) for name, figure in drawings().items()}
    rows = [[*cells, timed(lambda one=figure: still(one)), *others(figure)] for figure, cells in drawn.values()]
    words = WORDS + table(header, rows)
    publish(f"# Pictures that leave\n\n{machine()}\n\n{words}", chosen.out)


WORDS = """Median of three, one picture at a time, the library already loaded.

- **SVG and PNG: plotly in the visitor's browser.** The figure that is there is drawn again for paper, by the library
  that plotly's Python package brings: the same picture, zoom and frame included, and nothing to install. Kaleido draws
  the same SVG, but with a Chromium at the server. matplotlib would draw every figure a second time, by other code; the
  column has its dots and cells alone. What is heavy stays sharp: dots of WebGL are circles up to 30,000, beyond that an
  image of four times the resolution; a matrix is an image of whole squares of pixels.
- **PDF: typst**, a wheel without system libraries, from that SVG: words stay text, in fonts the file holds. CairoSVG
  needs libcairo from the system.
- **Reports: `ui.figures.stills`**, the part of plotly's language that our figures speak, in numpy and Pillow: a report
  can be made where no browser is.

"""


if __name__ == "__main__":
    main()
