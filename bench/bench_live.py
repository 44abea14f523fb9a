"""How a page answers while a study runs in another browser: `python -m bench.bench_live` (needs chromium)."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

from bench.harness import arguments, machine, publish, table

PORT = 8655
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--use-gl=angle", "--use-angle=swiftshader",
         "--enable-unsafe-swiftshader", "--disable-background-networking"]  # fmt: skip
DOTS = """(m) => { const gd = document.querySelector('.st-key-start_strip .js-plotly-plot');
                   return !!gd && gd._fullData.some(t => t.x && t.x.length === m); }"""


def moves(page: Page, start: int, n: int = 20) -> np.ndarray:
    """Seconds from a key press on the Start page's slider to the new figure, n times."""
    seconds = []
    thumb = page.locator(".st-key-start_m").get_by_role("slider").first
    for m in range(start + 1, start + n + 1):
        thumb.focus()
        begun = time.perf_counter()
        thumb.press("ArrowRight")
        page.wait_for_function(DOTS, arg=m, timeout=60_000)
        seconds.append(time.perf_counter() - begun)
        page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]', timeout=60_000)
    return np.array(seconds)


def serve(folder: str) -> subprocess.Popen:
    """The app, with a store of its own."""
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.port",
               str(PORT), "--browser.gatherUsageStats", "false", "--server.fileWatcherType", "none"]  # fmt: skip
    environment = {**os.environ, "CONCORD_STORE": str(Path(folder) / "records.sqlite")}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/_stcore/health", timeout=1)
            return process
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the app did not start")


def open_page(browser, path: str, words: str) -> Page:
    """A page of the app in a browser context of its own."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(f"http://127.0.0.1:{PORT}{path}")
    page.get_by_text(words).first.wait_for(timeout=60_000)
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]', timeout=60_000)
    return page


def measured() -> list[np.ndarray]:
    """Idle, and while a study of thousands of tasks runs. Every m is new in both: base clusterings are made."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        process = serve(folder)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        try:
            page = open_page(browser, "/?data=moons&m=10&seed=1", "The consensus scores")
            moves(page, 10, 5)
            idle = moves(page, 15)
            study = open_page(browser, "/tuning?data=digits&method=lwgp&draws=200&m=10", "Here the score appears")
            study.get_by_role("button", name="Run").first.click()
            study.get_by_text("running tasks").first.wait_for(timeout=60_000)
            page = open_page(browser, "/?data=moons&m=10&seed=2", "The consensus scores")
            moves(page, 10, 5)
            busy = moves(page, 15)
            assert study.get_by_text("running tasks").first.is_visible(), "the study ended too early"
        finally:
            browser.close()
            process.terminate()
            process.wait()
    return [idle, busy]


def main() -> None:
    """Measure, print, and write where `--out` says."""
    chosen = arguments()
    idle, busy = measured()
    rows = [[name, f"{1e3 * np.median(values):.0f} ms", f"{1e3 * values.min():.0f} to {1e3 * values.max():.0f} ms"]
            for name, values in (("idle", idle), ("while a study runs", busy))]  # fmt: skip
    words = (
        "Start page, two moons: 20 moves of the slider M, key press to new figure. Study: LWGP on digits, theta x 8 x "
        f"200 draws, in another browser. Ratio of the medians {np.median(busy) / np.median(idle):.1f}."
    )
    header = ["when", "median", "range"]
    publish(f"# A page while a study runs\n\n{words}\n\n{machine()}\n\n{table(header, rows)}", chosen.out)


if __name__ == "__main__":
    main()
