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


def fragments(messages) -> set[str]:
    """Those that run by themselves."""
    return {message.auto_rerun.fragment_id for message in messages if message.WhichOneof("type") == "auto_rerun"}


def script(plain: bool):
    """A fragment, and something behind it."""
    import streamlit as st

    from ui.widgets.progress import boxed

    def tell() -> None:
        st.write("inside")

    (st.fragment(tell, run_every=1.0) if plain else boxed(run_every=1.0)(tell))()
    st.write("behind")


@pytest.mark.parametrize("plain", [True, False])
def test_a_box_stays_where_a_fragment_is_lost(told, plain):
    app_test.AppTest.from_function(script, kwargs={"plain": plain}).run()
    (fragment,) = fragments(told())
    assert unbuildable(told()) == []
    assert unbuildable(less(told(), fragment)) == ([[0, 1]] if plain else [])


@pytest.mark.parametrize("page", PAGES)
def test_a_page_stands_without_what_runs_by_itself(app, told, monkeypatch, page):
    """A white page, where the server was behind with 20,000 x 100 labels: progress was told before its place."""
    monkeypatch.setattr(progress, "PATIENCE", 0.0)  # whatever is a job is told of by a fragment
    try:
        app(page, data="wine", m="7", seed="4711")
    finally:
        end_all_jobs()
    messages = told()
    assert unbuildable(messages) == []
    for fragment in fragments(messages):
        assert unbuildable(less(messages, fragment)) == [], fragment
