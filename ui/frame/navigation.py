"""The pages in sections, in the order of a lecture, each leading to the next."""

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import streamlit as st

#: Sections and their pages, by the names of their files. A page that stands nowhere comes last.
SECTIONS = {
    "See": ("start", "data", "ensemble", "matrices"),
    "Methods": (
        "consensus",
        "elite_neighbours",
        "trajectories",
        "enhanced_matrix",
        "growing_trees",
        "subspaces",
    ),
    "Decide": ("how_many", "tuning", "compare", "published_tables"),
    "Learn": ("lessons", "methods"),
}
_REST = "More"


def sections(files: Iterable[Path]) -> dict[str, list]:
    """Every page file without a leading underscore, in its section."""
    found = {name_of(path): path for path in sorted(files) if not path.name.startswith("_")}
    placed = {section: [name for name in names if name in found] for section, names in SECTIONS.items()}
    placed[_REST] = [name for name in found if not any(name in names for names in SECTIONS.values())]
    return {section: [_page(found[name]) for name in names] for section, names in placed.items() if names}


def next_question(files: Iterable[Path], pages: dict[str, list], title: str) -> tuple:
    """The page that follows in the order of the sections, and what it asks; None and nothing after the last one."""
    order = [page for section in pages.values() for page in section]
    place = next(place for place, page in enumerate(order) if page.title == title) + 1
    if place == len(order):
        return None, ""
    return order[place], question_of(next(path for path in files if title_of(path) == order[place].title))


@cache
def question_of(path: Path) -> str:
    """What a page asks: the first line of its file, after its name."""
    words = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition(": ")[2]
    return words[:1].upper() + words[1:]


def name_of(path: Path) -> str:
    """Name of a page file without its number."""
    return path.stem.split("_", 1)[1]


def title_of(path: Path) -> str:
    """Title of a page in the navigation."""
    return name_of(path).replace("_", " ").capitalize()


def _page(path: Path):
    return st.Page(path, title=title_of(path), default=name_of(path) == "start")
