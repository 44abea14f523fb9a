"""The scene of this session on a page, whose long nodes are jobs it reports on, and parts of a page drawn alone."""

from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Any

import streamlit as st

from ui.compute.jobs import Job, State
from ui.compute.work import asked_here, find, start
from ui.scene import Node, Scene, nodes
from ui.scene.scene import PENDING
from ui.session import state
from ui.session.run_config import RunConfig
from ui.widgets import terms
from ui.widgets.around import Silently, result_of, scene_with
from ui.widgets.progress import P, begun, boxed, settle

#: Which part of a page tells of the job in a slot.
_TELLERS = "_told_by"
#: The part that is being drawn, by its name; empty for the page itself.
_PART: ContextVar[str] = ContextVar("part", default="")


class AsJobs(Silently):
    """Makes what takes long in the background; meanwhile a page shows how far it is, with Cancel.

    It is told once: where a page and a part of it that answers alone wait for the same, by whoever came first.
    """

    def __call__(self, node: Node, inputs: tuple, slot: str) -> Any:
        """The value; without it, there stands on the page what there is to say instead."""
        job = start(node.make, *inputs, slot=slot, patient=node.patient)
        tellers, teller = st.session_state.setdefault(_TELLERS, {}), _PART.get()
        if tellers.get(slot, teller) != teller:
            return job.future.result() if job.state is State.DONE else PENDING
        found = settle(job, node.doing, slot, keeps=node.keeps)
        if found is None:
            tellers[slot] = teller
        return PENDING if found is None else found


def whole() -> Scene:
    """The scene for a page that is drawn from its beginning, when nothing is told there yet."""
    st.session_state[_TELLERS] = {}
    return here()


def here() -> Scene:
    """The scene of the session as it is now, for a page to draw."""
    return scene_with(AsJobs())


def job_of(scene: Scene, name: str) -> Job | None:
    """The job that makes a node, if somebody began it; None also while its inputs are being made."""
    inputs = scene.inputs(name)
    return None if inputs is None else find(nodes()[name].make, *inputs)


def asked_before(scene: Scene, name: str) -> Any:
    """The value of a node that this session asked for, on whatever page; None otherwise, and nothing is begun."""
    if scene.known(name) is None:
        return None
    inputs = scene.inputs(name)
    found = result_of(None if inputs is None else asked_here(nodes()[name].make, *inputs))
    return None if found is PENDING else found


def begin(scene: Scene, name: str) -> Job | None:
    """Begin to make a node: for buttons. None while what it is made from is made again, which a page shows."""
    node, inputs = nodes()[name], scene.inputs(name)
    if inputs is None:
        return None
    return begun(start(node.make, *inputs, slot=scene.slot(name), patient=node.patient))


def part(*own: str) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Make a function that draws a part of a page one that answers alone, and first; the rest of the page follows.

    It does not follow where only the settings `own` changed, which nothing else on the page shows. What the function is
    given is what the whole page was drawn with; what is now, it asks for itself. Drawn again, it explains the terms it
    did before, and a change of settings has its entry in the browser's history.
    """

    def decorate(draw: Callable[P, None]) -> Callable[P, None]:
        @boxed()
        def alone(explained: dict[str, str], drawn_for: RunConfig, *args: P.args, **kwargs: P.kwargs) -> None:
            terms.begin(explained)
            outside = _PART.set(draw.__name__)
            try:
                draw(*args, **kwargs)
            finally:
                _PART.reset(outside)
            state.add_entry()
            if here().config.with_(**{name: getattr(drawn_for, name) for name in own}) != drawn_for:
                st.rerun()

        @wraps(draw)
        def whole(*args: P.args, **kwargs: P.kwargs) -> None:
            alone(terms.explained_above(), here().config, *args, **kwargs)

        return whole

    return decorate
