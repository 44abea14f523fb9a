"""What the browser is told can be built, also where a fragment ran again before the browser was told of it."""

import pytest
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1 import app_test
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from tests.app.conftest import end_all_jobs
from tests.app.test_pages import PAGES
from ui.widgets import progress


@pytest.fixture
def told(monkeypatch):
    """The messages of the latest run, as the browser would have them."""
    runners = []

    class Kept(LocalScriptRunner):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            runners.append(self)

    monkeypatch.setattr(app_test, "LocalScriptRunner", Kept)
    return lambda: runners[-1].forward_msgs()


def unbuildable(messages) -> list[list[int]]:
    """Paths of what stands behind something that is not there, or in it: the browser ends at the first."""
    children: dict[tuple[int, ...], int] = dict.fromkeys([(root,) for root in range(4)], 0)
    found = []
    for message in messages:
        if message.WhichOneof("type") != "delta":
            continue
        path = tuple(message.metadata.delta_path)
        block, place = path[:-1], path[-1]
        if place > children.get(block, -1):
            found.append(list(path))
            continue
        children[block] = max(children[block], place + 1)
        if message.delta.WhichOneof("type") == "add_block":
            children.setdefault(path, 0)
    return found


def less(messages, fragment: str) -> list:
    """What is left of them in Streamlit's queue once a run of a fragment begins."""
    queue = ForwardMsgQueue()
    for message in messages:
        queue.enqueue(message)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=[fragment])
    return queue.flush()


#: Where something is computed whatever was computed before.
COMPUTING = ("compare", "enhanced_matrix", "walks")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_stands_without_what_runs_by_itself(app, told, monkeypatch, page):
    """A white page, where the server was behind with 20,000 x 100 labels: progress was told before its place."""
    monkeypatch.setattr(progress, "PATIENCE", 0.0)  # whatever is a job is told of by a fragment
    try:
        app(page, data="wine", m="7", seed="4711")
    finally:
        end_all_jobs()
    messages = told()
    fragments = {message.auto_rerun.fragment_id for message in messages if message.WhichOneof("type") == "auto_rerun"}
    assert fragments or page not in COMPUTING
    assert unbuildable(messages) == []
    for fragment in fragments:
        assert unbuildable(less(messages, fragment)) == [], fragment
