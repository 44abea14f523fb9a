"""What stands around a page: scenes that say nothing and hardly wait, and data sets as menus name them.

No two data sets have one name there, for a menu goes by its words.
"""

from collections.abc import Iterable
from typing import Any

import streamlit as st

import data
from data import DataError
from ui.compute import uploads
from ui.compute.jobs import Job, State
from ui.compute.work import PATIENCE, find, start
from ui.figures.numbering import distinct
from ui.scene import Node, Scene
from ui.scene.scene import PENDING
from ui.session import selection
from ui.session.run_config import RunConfig
from ui.session.state import change, change_by, config
from ui.widgets import dots


class Silently:
    """Makes what takes long in the background."""

    def __call__(self, node: Node, inputs: tuple, slot: str) -> Any:
        """The value, if it is there within a moment."""
        job = start(node.make, *inputs, slot=slot, patient=node.patient)
        job.wait(PATIENCE)
        return result_of(job)

    def known(self, node: Node, inputs: tuple) -> Any:
        """The value if it is there; nothing is begun."""
        return result_of(find(node.make, *inputs))


def result_of(job: Job | None) -> Any:
    """What a job has made; `PENDING` without one, and before."""
    return job.future.result() if job is not None and job.state is State.DONE else PENDING


def scene_with(run: Any) -> Scene:
    """The scene of the session as it is now, with what only the session knows."""
    chosen = config()  # here a page begins, and what stands around it
    given = {"picked": selection.picked(), "extent": dots.window(chosen), "earlier": dots.earlier(chosen)}
    return Scene(chosen, run, **given)


def beside() -> Scene:
    """The scene of the session, for what stands around the page."""
    return scene_with(Silently())


def quiet(scene: Scene) -> Scene:
    """The same state as another scene's."""
    return Scene(scene.config, Silently())


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


def take(name: str, instead_of: Iterable[str] = (), **settings: Any) -> None:
    """Take data of one's own for those of all pages, in place of earlier ones: in the menu, and where sets compare."""
    gone = {*instead_of} - {name}
    known = st.session_state.setdefault("uploads", [])
    known[:] = [one for one in known if one not in gone | {name}] + [name]
    change(data=name, **settings)
    change_by(lambda now: now.with_(sets=tuple(dict.fromkeys(name if one in gone else one for one in now.sets))))
