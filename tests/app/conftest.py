"""Pages run without a browser."""

import base64
import contextlib
import gc
import json
import re
import threading
import time
from collections.abc import Hashable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from streamlit import config
from streamlit.testing.v1 import AppTest

from tests.app.opening import opened
from ui.compute import jobs as job_lanes
from ui.compute.jobs import Job
from ui.compute.work import jobs
from ui.figures.spec import Figure
from ui.scene.consensus import TREES
from ui.widgets import chart

ROOT = Path(__file__).parents[2]
job_lanes.NICENESS = 0  # tests wait for jobs, beside other tests
chart._TO_DRAW = 0.0  # no browser draws
config.set_option("client.showErrorDetails", "full")  # a test that fails says why; the app tells its log alone


@pytest.fixture(autouse=True)
def _own_store(tmp_path, monkeypatch):
    """Every test has a store of records of its own."""
    monkeypatch.setenv("CONCORD_STORE", str(tmp_path / "records.sqlite"))


@pytest.fixture(autouse=True)
def _own_trees():
    """No test answers by a tree that another one grew: what is refused, or cancelled, would depend on their order."""
    TREES.clear()


@pytest.fixture(autouse=True)
def _figures_are_checked(monkeypatch):
    """Every figure of every page passes through plotly's own checks, which a page leaves out: those that differ."""
    plain = Figure.as_it_is

    def checked(figure: Figure):
        known = _outline([figure.data, figure.layout, figure.frames])
        if known not in _CHECKED:
            figure.to_plotly()
            _CHECKED.add(known)
        return plain(figure)

    monkeypatch.setattr(Figure, "as_it_is", checked)


#: Outlines of figures that plotly has found right: most runs of a page draw what another has drawn.
_CHECKED: set[Hashable] = set()


def _outline(value: Any) -> Hashable:
    """What plotly's checks could tell apart: names, words and types, of numbers the type, the sign, and if above 1."""
    if isinstance(value, Mapping):
        return tuple((name, _outline(part)) for name, part in value.items())
    if isinstance(value, list | tuple):
        return type(value), tuple(dict.fromkeys(map(_outline, value)))
    if isinstance(value, np.ndarray):
        return value.dtype.kind, value.ndim
    if isinstance(value, int | float | np.number) and not isinstance(value, bool):
        return type(value), np.sign(value) if np.isfinite(value) else str(value), bool(value > 1)
    return value if isinstance(value, str | bool | None) else (type(value), str(value))


def run_app(page: str | None = None, **query: str) -> AppTest:
    """Run the app on a page, with a query string, and insist that nothing failed."""
    at = opened(page, query)
    if page:
        at.run()
    assert not at.exception
    return at


@pytest.fixture
def app():
    """The function that runs the app."""
    return run_app


def end_all_jobs() -> None:
    """Cancel whatever is computed, and wait for it: jobs that were replaced too, and what waits in a thread.

    What was cancelled starts anew for whoever asks for it next.
    """
    under_way = [job for job in list(jobs()._jobs.values()) if not job.future.done()]
    for job in under_way:
        job.cancel()
    deadline = time.monotonic() + 20
    while _still_running() and time.monotonic() < deadline:
        time.sleep(0.05)
    for job in under_way:
        jobs().forget(job.key)


def _still_running() -> bool:
    under_way = any(type(one) is Job and one.future.running() for one in gc.get_objects())
    return under_way or any(thread.name == "concord-waiting" for thread in threading.enumerate())


def at_rest(app, page: str, **query: str) -> AppTest:
    """A page once nothing is computed any more."""
    at = app(page, **query)
    for _ in range(100):
        if not any(button.label == "Cancel" for button in at.button):
            break
        at.run()
    return at


def charts(at: AppTest) -> dict[str, dict]:
    """Every figure on the page under its key, its arrays as arrays."""
    found = {}
    for one in at.get("plotly_chart"):
        held = one.proto.id.rsplit("-", 1)[-1]
        found[held] = json.loads(one.proto.spec, object_hook=_array)
    return found


def _array(held: dict):
    """Plotly sends arrays as bytes."""
    if held.keys() >= {"dtype", "bdata"}:
        return np.frombuffer(base64.b64decode(held["bdata"]), held["dtype"])
    return held


def executed(script: str, folder: Path | None = None) -> dict:
    """What a script of the pages leaves, run in a folder of its own; the package is called as in the source tree."""
    scope: dict = {}
    here = script.replace("from concord.data", "from data").replace("from concord", "from engine")
    with TemporaryDirectory() as empty, contextlib.chdir(folder or empty):
        exec(here, scope)  # the script is what is tested
    return scope


def words(at: AppTest) -> str:
    """All text on the page."""
    kinds = (at.title, at.header, at.subheader, at.markdown, at.caption, at.error, at.warning, at.info)
    text = "\n".join(element.value for kind in kinds for element in kind)
    return unexplained(text)


def unexplained(text: str) -> str:
    """A text without the tooltips of its terms."""
    return re.sub(r'\[([^]]*)\]\(glossary "[^"]*"\)', r"\1", re.sub("</?abbr[^>]*>", "", text))


def finished(study) -> None:
    """Run a study to its end, as the page would."""
    from ui.studies import study_panel

    study_panel.start([study], study_panel.tasks(study)).future.result()
