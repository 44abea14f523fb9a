"""Data sets as menus and tables name them: no name twice, for a menu goes by its words."""

from collections.abc import Iterable
from typing import Any

import streamlit as st

import data
from data import DataError
from ui.compute import uploads
from ui.figures.numbering import distinct
from ui.session.run_config import RunConfig
from ui.session.state import change, config


def named(chosen: RunConfig, further: Iterable[str] = ()) -> dict[str, str]:
    """Names and titles: the catalog, this session's uploads, what the URL names, and further ones.

    Where two files are called alike, the later one has a number.
    """
    titles = data.titles(graphs=True)
    for name in (*st.session_state.get("uploads", []), chosen.data, *further):
        if name not in titles:
            titles[name] = _title(name)
    return dict(zip(titles, distinct(titles.values()), strict=True))


def _title(name: str) -> str:
    if not name.startswith(uploads.PREFIX):
        try:
            return data.title(name)
        except DataError:
            return f"{name} (not here)"
    try:
        return uploads.find(name).filename
    except uploads.MissingUploadError:
        return "an uploaded file (not here)"


def bring(name: str, instead_of: Iterable[str] = (), **settings: Any) -> None:
    """Take data of one's own for those of all pages, in place of earlier ones: in the menu, and where sets compare."""
    gone = {*instead_of} - {name}
    known = st.session_state.setdefault("uploads", [])
    known[:] = [one for one in known if one not in gone | {name}] + [name]
    sets = tuple(dict.fromkeys(name if one in gone else one for one in config().sets))
    change(data=name, sets=sets, **settings)
