"""Where k starts when no classes are known: at the pick of the criteria that are quick, said with its reason."""

import streamlit as st

from engine import Ensemble, Monitor, Params
from engine.choosing_k import ChosenK, Effort, choose_k, find_criterion, known_criteria
from ui.compute import pipeline
from ui.compute.jobs import Job, State
from ui.compute.work import start
from ui.parts.page_files import page_file
from ui.parts.progress import PATIENCE, settle
from ui.session.run_config import RunConfig
from ui.session.state import change, config

_KEY = "_started_at"
#: Beyond so many microclusters the halves, ten more runs, are not asked.
_MANY = 2_000


def picked(made: Ensemble, method: str, params: Params, seed: int, monitor: Monitor) -> ChosenK:
    """What the criteria that need no features say."""
    left_out = {"halves"} if len(made.microclusters) > _MANY else set()
    keys = [key for key, one in known_criteria().items() if one.quick and "features" not in one.needs]
    asked = [key for key in keys if key not in left_out]
    return choose_k(made, method, params, criteria=asked, seed=seed, monitor=monitor, effort=Effort(2, 0, 5))


def begin() -> None:
    """Before the knobs are drawn: take the pick where nobody chose, and nothing tells how many classes there are."""
    job = _job(config())
    if job is None or not job.wait(PATIENCE) or job.state is not State.DONE:
        return
    found: ChosenK = job.future.result()
    by = [find_criterion(key).title for key in found.counted if found.picks[key] == found.k]
    st.session_state[_KEY] = (config().data, found.k, by)
    change(k=found.k)


def waiting() -> bool:
    """Whether the pick is still being looked for; the page then shows how far that is."""
    job = _job(config())
    if job is None or job.state in (State.DONE, State.FAILED, State.CANCELLED):
        return False
    return settle(job, "Looking for a number of clusters", "starting_k") is None


def remark() -> None:
    """Below the knob: where its value comes from."""
    data, k, by = st.session_state.get(_KEY, ("", None, []))
    if data != config().data or k != config().k:
        return
    words = " and ".join([", ".join(by[:-1]), by[-1]] if len(by) > 1 else by)
    st.caption(f"k = {k}, by {words}." if by else f"k = {k}: no criterion prefers one number.")
    st.page_link(page_file("how_many"), label="Why?")


def _job(chosen: RunConfig) -> Job | None:
    """The job of the pick, where one is wanted and the base clusterings are there."""
    if chosen.k is not None or pipeline.truth(chosen) is not None:
        return None
    ensemble = pipeline.ensemble(chosen)
    if not ensemble.wait(PATIENCE) or ensemble.state is not State.DONE:
        return None
    made = ensemble.future.result()
    if len(made.microclusters) < 2:
        return None
    return start(picked, made, chosen.method, chosen.method_params, chosen.seed)
