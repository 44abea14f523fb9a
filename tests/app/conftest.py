"""Pages run without a browser."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def app():
    """A function that runs the app on a page, with a query string, and insists that nothing failed."""

    def run(page: str | None = None, **query: str) -> AppTest:
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        for name, value in query.items():
            at.query_params[name] = value
        at.run()
        if page:
            at.switch_page(f"pages/{page}.py").run()
            at.run()
        assert not at.exception
        return at

    return run


def words(at: AppTest) -> str:
    """All text on the page."""
    kinds = (at.title, at.header, at.subheader, at.markdown, at.caption, at.error, at.warning, at.info)
    return "\n".join(element.value for kind in kinds for element in kind)
