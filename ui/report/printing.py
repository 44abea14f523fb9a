"""A page on paper: PDF by a Chromium, where there is one."""

import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from engine.runtime.errors import EngineError

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
_SECONDS = 120


@cache
def browser() -> str | None:
    """Where a Chromium is; None without one."""
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


def printed(page: str) -> bytes:
    """A page as PDF, from HTML that needs no network; EngineError without a Chromium, or if it fails."""
    program = browser()
    if program is None:
        raise EngineError("a report as PDF needs Chromium or Chrome on the path. Open the HTML and print it instead")
    with tempfile.TemporaryDirectory(prefix="concord-") as aside:
        source, out = Path(aside) / "report.html", Path(aside) / "report.pdf"
        source.write_text(page, encoding="utf-8")
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        command += [
            f"--user-data-dir={aside}/profile",
            "--no-pdf-header-footer",
            f"--print-to-pdf={out}",
            source.as_uri(),
        ]
        try:
            subprocess.run(command, capture_output=True, check=False, timeout=_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise EngineError(f"Chromium did not print the report within {_SECONDS} seconds") from error
        if not out.is_file():
            raise EngineError("Chromium could not print the report. Open the HTML and print it instead")
        return out.read_bytes()
