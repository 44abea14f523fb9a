"""Where a page's file is, for links and leaps to it."""

from pathlib import Path

PAGES = Path(__file__).parents[2] / "pages"


def page_file(name: str) -> Path:
    """File of the page of this name, as its address has it ("how_many")."""
    (path,) = PAGES.glob(f"[0-9]*_{name}.py")
    return path
