"""What a page shows while a job runs, after a cancel, after a failure, and where memory does not reach: ways out."""

import math
import re
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import streamlit as st

import data
from data import DataError, Pool
from data.errors import NoRoomError
from engine import EngineError, TooLargeError, consensus_methods
from engine.distributed import METHODS
from engine.runtime.kernel_cache import is_compiling
from engine.similarities.trajectories import WalkParams
from engine.studies.store import StoreError
from ui.compute import data_sets
from ui.compute.jobs import CrowdedError, Job, State
from ui.compute.work import PATIENCE, cancel, forget, is_left, jobs, start, watch
from ui.outside import markdown
from ui.session.state import change, page_file, user
from ui.widgets.around import beside
from ui.widgets.method_menu import LEAST
from ui.widgets.terms import inform, note, refuse, say

P = ParamSpec("P")

#: Methods that are offered at most.
_OFFERED = 3
#: Bytes a pair of microclusters that a method with matrices takes at least: what is refused first may be a small one.
_SQUARES = 8
#: What is to be had may change a little until a button is pressed.
_SPARE = 0.95
#: Refusals that may be no more in a moment.
_PASSING = (CrowdedError, NoRoomError, StoreError)
#: The widgets of the job whose answer can come from a sample.
CONSENSUS = "consensus"
#: Objects of a sample at most: what more of them say takes much longer.
MOST = 20_000


def offer_ways_out(error: TooLargeError, name: str) -> None:
    """Methods that fit, fewer base clusterings, the pictures that need no such matrix, and the command."""
    say("**Ways out**")
    with st.container(horizontal=True):
        for key in [key for key in fitting(error) if _stands_in(key, name)][:_OFFERED]:
            words = f"Use {consensus_methods()[key].title}"
            _button(words, f"way_{key}_{name}", ":material/swap_horiz:", {"method": key})
        if (m := fewer(error)) is not None:
            _button(f"Use {m} base clusterings", f"way_m_{name}", ":material/remove:", {"m": m})
        if name == CONSENSUS and (n := sample(error)) is not None:
            _button(f"Use a sample of {n:,} objects", f"way_sample_{name}", ":material/casino:", {"sample": n})
        st.page_link(page_file("matrices"), label="Matrices, at any size", icon=":material/grid_on:")
    with st.expander("Without the app: labels in files, on this machine or several"):
        st.code(command(), language="bash")
        note("Download the labels on the page Ensemble; `CONCORD_SCHEDULER` names a Dask scheduler.")


def fitting(error: TooLargeError) -> list[str]:
    """Keys of the methods that need no such matrix, the cuts through the clusters first."""
    titles = {method.title: key for key, method in consensus_methods().items()}
    found = [titles[title] for title in error.alternatives if title in titles]
    return sorted(found, key=lambda key: key not in METHODS)


def _stands_in(key: str, name: str) -> bool:
    """Whether a method would show anything where a job was refused: where walks are compared, one that walks."""
    walker = beside().walker
    elsewhere = name == CONSENSUS or walker is None or name != walker.slot(CONSENSUS)
    return elsewhere or issubclass(consensus_methods()[key].params, WalkParams)


def fewer(error: TooLargeError) -> int | None:
    """The most base clusterings, by halving, that tell so few objects apart that it fits; None where none are known to.

    What is refused grows at most with the square of microclusters or of clusters. Generators whose first runs depend
    on how many there are would have to be run to know.
    """
    scene = beside()
    chosen, whole = scene.config, scene.known("ensemble")
    nested = isinstance(scene.source, Pool) or scene.making.made_by.nested
    if whole is None or not nested:
        return None
    m = scene.n_clusterings // 2
    lean = consensus_methods()[chosen.method].title in error.alternatives
    needed = error.needed if lean else max(error.needed, _SQUARES * len(whole.microclusters) ** 2)
    while m >= 2:
        part = scene.varied("fewer", m=m).ensemble
        if part is None:
            return None
        left = max(len(part.microclusters) / len(whole.microclusters), part.n_clusters_total / whole.n_clusters_total)
        if needed * left**2 <= _SPARE * (error.limit - error.in_use):
            return m
        m //= 2
    return None


def sample(error: TooLargeError) -> int | None:
    """Objects for which a square matrix fits with room to spare, in round numbers; None where they are too few."""
    scene = beside()
    n = scene.source.n_objects
    fits = 0.8 * n * math.sqrt(max(0, error.limit - error.in_use) / error.needed)
    found = round_down(min(fits, MOST, n / 2))
    return found if found >= max(LEAST, 2 * scene.wanted_k) else None


def round_down(value: float) -> int:
    """The largest number of one digit and zeros below a value.

    >>> round_down(27_345.6), round_down(0.4)
    (20000, 0)
    """
    if value < 1:
        return 0
    unit = 10 ** math.floor(math.log10(value))
    return int(value // unit * unit)


def command() -> str:
    """The line that finds a consensus of labels in files."""
    scene = beside()
    chosen = scene.config
    method = chosen.method if chosen.method in METHODS else METHODS[0]
    k = scene.wanted_k
    return (
        f"python -m engine.distributed run --labels 'FOLDER/*.npy' --method {method} --n-clusters {k} --out LABELS.npy"
    )


def _button(words: str, key: str, icon: str, changes: dict) -> None:
    st.button(words, key=key, icon=icon, on_click=change, kwargs=changes)


def settle(
    job: Job,
    what: str,
    name: str,
    live: Callable[[], None] | None = None,
    again: Callable[[], Any] | None = None,
    keeps: bool = False,
) -> Any | None:
    """The job's result, or None after drawing what there is to say instead.

    `what` says in plain words what will appear here; `name` keeps the widgets apart; `live` draws what is there
    already, again and again while the job runs. `again` starts a job that only runs on request; others are started by
    the page itself. A job that `keeps` what it finished goes on from there after a cancel.
    """
    job.wait(PATIENCE)
    if job.state is State.DONE:
        return job.future.result()
    if job.state is State.FAILED:
        explain(job.future.exception(), name)
        _offer_another_try(job, name, again)
    elif job.state is State.CANCELLED:
        _offer_restart(job, what, name, again, keeps)
    else:
        watch(job)
        if live is None:
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
    refuse(_sentence(error), icon=":material/info:")
    if isinstance(error, TooLargeError):
        offer_ways_out(error, name)


def _sentence(error: Exception) -> str:
    text = str(error)
    if not re.match(r"\S+\.\w", text):  # the name of a file stays as it is
        text = text[:1].upper() + text[1:]
    return markdown(text + ("" if text.endswith(".") else "."))


def begun(job: Job) -> Job:
    """A job that a button began; one that too many others keep from waiting is kept nowhere, so it is said at once."""
    if job.state is State.FAILED and isinstance(error := job.future.exception(), CrowdedError):
        st.toast(_sentence(error), icon=":material/info:")
    return job


def boxed(run_every: float | None = None) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Make a function a fragment in a box of its own; it runs by itself every so many seconds.

    A run of a fragment takes from Streamlit's queue what the run before said of it and the browser was not told yet.
    Where the server is behind, the fragment itself is lost so, and the browser ends at whatever comes behind what is
    not there, with a white page. The box is no part of the fragment, and nothing else is in it.
    """

    def decorate(draw: Callable[P, None]) -> Callable[P, None]:
        alone = st.fragment(draw, run_every=run_every)

        @wraps(draw)
        def in_box(*args: P.args, **kwargs: P.kwargs) -> None:
            with st.container():
                alone(*args, **kwargs)

        return in_box

    return decorate


@boxed(run_every=0.3)
def _watch(job: Job, what: str, name: str) -> None:
    _progress(job, what, name)


@boxed(run_every=1.2)
def _watch_and_fill(job: Job, what: str, name: str, live: Callable[[], None]) -> None:
    """One fragment for both: where two poll beside each other, a click on Cancel can be lost between them."""
    _progress(job, what, name)
    live()


def _progress(job: Job, what: str, name: str) -> None:
    """Progress, time left and Cancel; a full rerun once the job has ended."""
    if job.future.done() or is_left(job):
        st.rerun()
    progress = job.progress
    left = progress.seconds_left
    text = what if progress.stage.casefold() == what.casefold() else f"{what}: {progress.stage}"
    if progress.total > 1:
        text += f", {progress.done:,} of {progress.total:,}"
    if left is not None and left > 1:
        text += f", about {left:.0f} s left"
    if job.state is State.RUNNING and is_compiling():  # who waits for a turn does not wait for kernels
        text += " (compiling, this first time only)"
    st.progress(progress.share, text=text)
    st.button("Cancel", key=f"cancel_{name}", on_click=cancel, args=(job,), icon=":material/stop_circle:")


def _offer_restart(job: Job, what: str, name: str, again: Callable[[], Any] | None, keeps: bool) -> None:
    inform(f"{what}: stopped.{' What was finished is kept.' if keeps else ''}", icon=":material/pause_circle:")
    st.button("Continue", key=f"continue_{name}", icon=":material/play_circle:", on_click=go_on, args=(job, again))


def _offer_another_try(job: Job, name: str, again: Callable[[], Any] | None) -> None:
    """A button where others had what was wanted, memory or the store: they may have given it back."""
    error = job.future.exception()
    if isinstance(error, _PASSING) or (isinstance(error, TooLargeError) and error.in_use):
        st.button("Try again", key=f"again_{name}", icon=":material/refresh:", on_click=go_on, args=(job, again))


def go_on(job: Job, again: Callable[[], Any] | None = None) -> None:
    """Forget that a job was stopped or failed, so that whoever needs it begins it again."""
    jobs().forget(job.key, user())
    if again is not None:
        again()


def fetched(far: data_sets.FarError, place: str) -> None:
    """Fetch what is far and run the page anew; until then progress, and after a cancel or a failure what to do.

    A link or a file may name a set of OpenML that was never fetched: a job with Cancel, not a page that waits. `place`
    keeps the widgets and jobs of several such places apart.
    """
    is_file = far.version != ()
    inputs = (data_sets.read, far.name, far.version) if is_file else (data_sets.fetch, *data.openml_parts(far.name))
    job = start(*inputs, slot=place)
    found = settle(job, f"{'Reading' if is_file else 'Fetching'} {markdown(data.title(far.name))}", place)
    if found is not None:
        data_sets.keep(far.name, found, far.version)
        st.rerun()
    if job.state is State.FAILED:
        st.button("Try again", key=f"again_{place}", icon=":material/refresh:", on_click=forget, args=inputs)
    if job.state in (State.FAILED, State.CANCELLED):
        known = "" if is_file else "; those that were fetched before are in its list"
        note(f"Or choose another data set in the sidebar{known}.")
