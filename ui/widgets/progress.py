"""What a page shows while a job runs, or a set is fetched, after a cancel, and after a failure."""

from collections.abc import Callable
from typing import Any

import streamlit as st

import data
from data import DataError
from engine import EngineError, TooLargeError
from ui.compute import data_sets
from ui.compute.jobs import Job, State
from ui.compute.lanes import CrowdedError
from ui.compute.work import PATIENCE, forget, jobs, start
from ui.outside import markdown
from ui.widgets import ways_out
from ui.widgets.terms import inform, note, refuse


def settle(
    job: Job, what: str, name: str, live: Callable[[], None] | None = None, again: Callable[[], Any] | None = None
) -> Any | None:
    """The job's result, or None after drawing what there is to say instead.

    `what` says in plain words what will appear here; `name` keeps the widgets apart; `live` draws what is there
    already, again and again while the job runs. `again` starts a job that only runs on request; others are started by
    the page itself.
    """
    job.wait(PATIENCE)
    if job.state is State.DONE:
        return job.future.result()
    if job.state is State.FAILED:
        explain(job.future.exception(), name)
        _offer_another_try(job, name, again)
    elif job.state is State.CANCELLED:
        _offer_restart(job, what, name, again)
    elif live is None:
        _watch(job, what, name)
    else:
        _watch_and_fill(job, what, name, live)
    return None


def explain(error: BaseException | None, name: str = "page") -> None:
    """A calm sentence for an error that was foreseen, with ways out of one for memory; any other error goes on.

    `name` keeps the widgets apart.
    """
    if not isinstance(error, EngineError | DataError):
        raise error or RuntimeError("a job failed without a reason")
    text = str(error)
    refuse(markdown(text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")), icon=":material/info:")
    if isinstance(error, TooLargeError):
        ways_out.offer(error, name)


@st.fragment(run_every=0.3)
def _watch(job: Job, what: str, name: str) -> None:
    _progress(job, what, name)


@st.fragment(run_every=1.2)
def _watch_and_fill(job: Job, what: str, name: str, live: Callable[[], None]) -> None:
    """One fragment for both: where two poll beside each other, a click on Cancel can be lost between them."""
    _progress(job, what, name)
    live()


def _progress(job: Job, what: str, name: str) -> None:
    """Progress, time left and Cancel; a full rerun once the job has ended."""
    if job.future.done():
        st.rerun()
    progress = job.progress
    left = progress.seconds_left
    text = f"{what}: {progress.stage}"
    if progress.total > 1:
        text += f", {progress.done:,} of {progress.total:,}"
    if left is not None and left > 1:
        text += f", about {left:.0f} s left"
    st.progress(progress.share, text=text)
    st.button("Cancel", key=f"cancel_{name}", on_click=job.cancel, icon=":material/stop_circle:")


def _offer_restart(job: Job, what: str, name: str, again: Callable[[], Any] | None) -> None:
    inform(f"{what}: stopped. What was finished is kept.", icon=":material/pause_circle:")
    st.button("Continue", key=f"continue_{name}", icon=":material/play_circle:", on_click=_go_on, args=(job, again))


def _offer_another_try(job: Job, name: str, again: Callable[[], Any] | None) -> None:
    """A button where others had what was wanted: they may have given it back."""
    error = job.future.exception()
    if isinstance(error, CrowdedError) or (isinstance(error, TooLargeError) and error.in_use):
        st.button("Try again", key=f"again_{name}", icon=":material/refresh:", on_click=_go_on, args=(job, again))


def _go_on(job: Job, again: Callable[[], Any] | None) -> None:
    jobs().forget(job.key)
    if again is not None:
        again()


def fetched(far: data_sets.FarError, place: str) -> None:
    """Fetch what is far and run the page anew; until then progress, and after a cancel or a failure what to do.

    A link or a file may name a set of OpenML that was never fetched: a job with Cancel, not a page that waits. `place`
    keeps the widgets and jobs of several such places apart.
    """
    is_file = data.is_in_folder(far.name)
    inputs = (data_sets.read, far.name) if is_file else (data_sets.fetch, *data.openml_parts(far.name))
    job = start(*inputs, slot=place)
    found = settle(job, f"{'Reading' if is_file else 'Fetching'} {markdown(data.title(far.name))}", place)
    if found is not None:
        data_sets.keep(far.name, found)
        st.rerun()
    if job.state is State.FAILED:
        st.button("Try again", key=f"again_{place}", icon=":material/refresh:", on_click=forget, args=inputs)
    if job.state in (State.FAILED, State.CANCELLED):
        note("Or choose another data set in the sidebar; those that were fetched before are in its list.")
