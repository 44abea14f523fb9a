"""Waiting for what cannot be hurried, and letting go of it."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

_Result = TypeVar("_Result")
_LOOK = 0.1  # seconds between two looks at whether it is still wanted


def unless_stopped(task: Callable[[], _Result], meanwhile: Callable[[], object] | None) -> _Result:
    """Return what a task returns; `meanwhile` is called ten times a second, and what it raises ends the waiting.

    The task then goes on alone, in a thread that keeps nobody from ending the program.

    Examples
    --------
    >>> unless_stopped(lambda: 3, None), unless_stopped(lambda: 4, lambda: None)
    (3, 4)
    """
    if meanwhile is None:
        return task()
    future: Future[_Result] = Future()
    threading.Thread(target=_run, args=(task, future), name="concord-waiting", daemon=True).start()
    while not wait([future], _LOOK).done:
        meanwhile()
    return future.result()


def _run(task: Callable[[], _Result], future: "Future[_Result]") -> None:
    try:
        future.set_result(task())
    except BaseException as error:  # noqa: BLE001 - goes to whoever waits
        future.set_exception(error)
