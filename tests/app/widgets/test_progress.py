"""What is said beside a job that runs."""

import pytest
from streamlit.testing.v1 import AppTest

from ui.compute.jobs import Job
from ui.widgets import progress


def _page():
    from tests.app.widgets.test_progress import RUNNING
    from ui.widgets.progress import _progress

    _progress(RUNNING[0], "Consensus", "test")


#: The job that the page looks at.
RUNNING: list[Job] = []


def test_a_stage_that_is_all_of_the_work_is_said_once(monkeypatch):
    job = Job("key", users={"somebody": "consensus"})
    job.tick("consensus", 3, 8)
    monkeypatch.setattr("tests.app.widgets.test_progress.RUNNING", [job])
    monkeypatch.setattr(progress, "is_left", lambda _: False)
    (bar,) = AppTest.from_function(_page).run().get("progress")
    assert bar.proto.text == "Consensus, 3 of 8"


@pytest.mark.parametrize(("runs", "compiling"), [(True, True), (True, False), (False, True)])
def test_a_first_run_says_that_it_waits_for_kernels(monkeypatch, runs, compiling):
    job = Job("key", users={"somebody": "consensus"})
    if runs:
        job.future.set_running_or_notify_cancel()
    job.tick("growing trees", 3, 8)
    monkeypatch.setattr("tests.app.widgets.test_progress.RUNNING", [job])
    monkeypatch.setattr(progress, "is_compiling", lambda: compiling)
    monkeypatch.setattr(progress, "is_left", lambda _: False)
    (bar,) = AppTest.from_function(_page).run().get("progress")
    said = "Consensus: growing trees, 3 of 8"
    assert bar.proto.text == said + (" (compiling, this first time only)" if runs and compiling else "")
