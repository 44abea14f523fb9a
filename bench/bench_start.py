"""Seconds from `streamlit run` to the first picture in a browser: `python -m bench.bench_start [--old FOLDER]`.

With kernels that were compiled before (warm) and with none (cold: an empty cache of numba). `--old` measures another
checkout beside this one, in turns. The machine must be quiet: load is written down with the result.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path

import numpy as np

from bench.harness import machine, seconds_text
from bench.serving import Server, chromium

ROOT = Path(__file__).parents[1]
#: A picture is there once its dots are.
_PICTURE = ".js-plotly-plot .main-svg"
_PATIENCE = 180_000  # ms


def first_picture(folder: Path, cache: str, browser) -> float:
    """Seconds until Start has drawn a picture, the server's own start included."""
    with tempfile.TemporaryDirectory() as scratch:
        began = time.perf_counter()
        os.environ["NUMBA_CACHE_DIR"] = cache
        server = Server(folder, scratch)
        try:
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            page.goto(server.address, wait_until="commit")
            page.locator(_PICTURE).first.wait_for(timeout=_PATIENCE)
            found = time.perf_counter() - began
            page.close()
        finally:
            server.stop()
    return found


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    folders = {"now": ROOT} | ({"before": asked.old.resolve()} if asked.old else {})
    load = os.getloadavg()[0]
    found: dict[tuple[str, str], list[float]] = {(name, kind): [] for name in folders for kind in ("cold", "warm")}
    with chromium() as browser:
        for _ in range(asked.repeats):
            for name, folder in folders.items():
                with tempfile.TemporaryDirectory() as cache:
                    found[name, "cold"].append(first_picture(folder, cache, browser))
                    found[name, "warm"].append(_warmed(folder, cache, browser))
    print(f"{machine()}; load {load:.1f} at the beginning\n\n| state | kernels | to the first picture |\n|---|---|---|")
    for (name, kind), seconds in found.items():
        print(f"| {name} | {kind} | {seconds_text(np.array(seconds))} |")


def _warmed(folder: Path, cache: str, browser) -> float:
    """The same once the kernels that the page needs are in the cache."""
    first_picture(folder, cache, browser)
    return first_picture(folder, cache, browser)


if __name__ == "__main__":
    main()
