"""Glossary: what do the words mean?"""

from ui.all_methods import glossary
from ui.frame.shell import present
from ui.scene import Scene
from ui.widgets.terms import page_title


def page(_: Scene) -> None:
    """The page, top to bottom."""
    page_title("What do the words mean?")
    glossary()


present(page)
