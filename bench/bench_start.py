"""Seconds from `streamlit run` to the first picture in a browser: `python -m bench.bench_start [--old FOLDER]`.

With kernels that were compiled before (warm) and with none (cold: an empty cache of numba), in browsers that were never
here, and in one that was. `--old` measures another checkout beside this one, in turns. The machine must be quiet: load
is written down with the result.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path

import numpy as np

from bench.harness import machine, seconds_text
from bench.serving import Server, chromium, free_port

ROOT = Path(__file__).parents[1]
#: A picture is there once its dots are.
_PICTURE = ".js-plotly-plot .main-svg"
_PATIENCE = 180_000  # ms
_LAPTOP = {"width": 1366, "height": 768}


def first_picture(folder: Path, cache: str, context, port: int | None = None) -> float:
    """Seconds until Start has drawn a picture in a tab of its own, the server's own start included."""
    with tempfile.TemporaryDirectory() as scratch:
        began = time.perf_counter()
        os.environ["NUMBA_CACHE_DIR"] = cache
        server = Server(folder, scratch, port)
        try:
            page = context.new_page()
            page.goto(server.address, wait_until="commit")
            page.locator(_PICTURE).first.wait_for(timeout=_PATIENCE)
            found = time.perf_counter() - began
            page.close()
        finally:
            server.stop()
    return found


def _starts(folder: Path, browser) -> list[float]:
    """Cold and warm in a browser that was never here, and warm in one that was, as theirs is who has kernels."""
    with tempfile.TemporaryDirectory() as cache:
        new = [browser.new_context(viewport=_LAPTOP) for _ in range(2)]
        found = [first_picture(folder, cache, context) for context in (new[0], new[0], new[1])]
        port = free_port()  # its files are kept by address
        again = [first_picture(folder, cache, new[1], port) for _ in range(3)]
        for context in new:
            context.close()
    return [found[0], found[2], again[2]]


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    folders = {"now": ROOT} | ({"before": asked.old.resolve()} if asked.old else {})
    load = os.getloadavg()[0]
    kinds = ("cold", "warm", "warm, the browser too")
    found: dict[tuple[str, str], list[float]] = {(name, kind): [] for name in folders for kind in kinds}
    with chromium() as browser:
        for _ in range(asked.repeats):
            for name, folder in folders.items():
                for kind, took in zip(kinds, _starts(folder, browser), strict=True):
                    found[name, kind].append(took)
    print(f"{machine()}; load {load:.1f} at the beginning\n\n| state | kernels | to the first picture |\n|---|---|---|")
    for (name, kind), seconds in found.items():
        print(f"| {name} | {kind} | {seconds_text(np.array(seconds))} |")


if __name__ == "__main__":
    main()
