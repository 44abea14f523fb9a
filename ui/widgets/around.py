"""Scenes for what stands around a page: they never say what is being made, and wait for it only a moment."""

from typing import Any

from ui.compute.jobs import Job, State
from ui.compute.work import PATIENCE, find, start
from ui.scene import Node, Scene
from ui.scene.scene import PENDING
from ui.session import selection
from ui.session.state import config
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
    chosen = config()
    given = {"picked": selection.picked(), "extent": dots.window(chosen), "earlier": dots.earlier(chosen)}
    return Scene(chosen, run, **given)


def beside() -> Scene:
    """The scene of the session, for what stands around the page."""
    return scene_with(Silently())


def quiet(scene: Scene) -> Scene:
    """The same state as another scene's."""
    return Scene(scene.config, Silently())
