"""A page opened at an address, without a browser."""

from functools import cache
from pathlib import Path

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from ui.session.state import page_file

MAIN = Path(__file__).parents[2] / "ui" / "frame" / "main.py"

# Streamlit reads the metadata of all installed packages for every AppTest: a quarter of what a page takes.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def opened(page: str | None, query: dict[str, str], timeout: float = 60) -> AppTest:
    """The page of this name after its first run, as a link leads to it: no other page is run before."""
    at = AppTest.from_file(str(MAIN), default_timeout=timeout)
    for name, value in query.items():
        at.query_params[name] = value
    if page:
        at.switch_page(page_file(page))
    return at.run()
