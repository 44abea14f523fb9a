"""What pages need is loaded while the first browser still fetches its scripts."""

import gc
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module

#: Libraries and rooms that Start cannot do without, and what else imports its own parts; none knows of a session.
NEEDED = "sklearn.cluster sklearn.decomposition ui.scene ui.pictures ui.figures.stills ui.lessons.facts".split()

#: Seconds until an import lets go of the interpreter for who fetches scripts: sixty files, and three turns for each.
_PATIENCE = 0.0002

_at_work: list[threading.Thread] = []


@asynccontextmanager
async def load_ahead(_app: object) -> AsyncIterator[None]:
    """Import them in a thread of their own: it takes a second, and whoever comes first would wait for it.

    Not before the server is about to answer: a browser that is let in sooner has its own second of work to begin with.
    """
    thread = threading.Thread(target=_load, name="concord-ahead", daemon=True)
    _at_work.append(thread)
    thread.start()
    yield


def loaded() -> None:
    """Wait until they are there: of two threads that import a package whose parts import each other, one may find half.

    Python gives it out rather than have both wait for ever, and the first visitor's page ends in an ImportError.
    """
    for thread in _at_work:
        thread.join()


def _load() -> None:
    """Nobody looks for garbage among what stays for ever: while it is made that takes a fifth of the time."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_PATIENCE)
    gc.disable()
    try:
        for name in NEEDED:
            import_module(name)
        from ui.pictures import pictures
        from ui.scene import nodes

        nodes(), pictures()  # found by looking, which imports every topic
        gc.freeze()
    finally:
        gc.enable()
        sys.setswitchinterval(usual)
