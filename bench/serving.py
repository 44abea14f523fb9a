"""The app served from a checkout, and a real Chromium: for benches that measure pages and for the browser tests."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: The browser draws as it does for everybody who has no graphics card; told to imitate one for the whole page
#: (`--use-gl=angle`), it takes half a core for that. WebGL is imitated, as it is there.
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--enable-unsafe-swiftshader", "--disable-background-networking"]
#: The script has come to rest (fragments that poll never do).
REST = '[data-testid="stApp"][data-test-script-state="notRunning"]'


class Server:
    """The app of one checkout, with a store of its own; below `path`, where one is given."""

    def __init__(self, folder: Path, scratch: str | Path, port: int | None = None, path: str = "", **environment: str):
        self.port = port or free_port()
        self.address = f"http://127.0.0.1:{self.port}{path}"
        options = f"--server.headless true --server.port {self.port} --browser.gatherUsageStats false"
        options += f" --server.baseUrlPath {path}" if path else ""
        command = [sys.executable, "-m", "streamlit", "run", "app.py", *options.split()]
        command += ["--server.fileWatcherType", "none"]
        environment = {**os.environ, "CONCORD_STORE": str(Path(scratch) / f"{self.port}.sqlite"), **environment}
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._wait()

    def _wait(self) -> None:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=1)
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the app did not start")

    def cpu_seconds(self) -> float:
        """Processor time this server has used so far."""
        import psutil

        times = psutil.Process(self.process.pid).cpu_times()
        return times.user + times.system

    def stop(self) -> None:
        """End it: politely, and after ten seconds for good."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def chromium_path() -> str | None:
    """Where the browser is; None without one."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def chromium() -> Iterator:
    """A browser, closed at the end."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        yield browser
        browser.close()
