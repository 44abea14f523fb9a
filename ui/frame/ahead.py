"""What pages need is loaded while the first browser still fetches its scripts."""

import threading
from importlib import import_module

#: Libraries and rooms that Start cannot do without, and what else imports its own parts; none knows of a session.
NEEDED = "sklearn.cluster sklearn.decomposition ui.scene ui.pictures ui.figures.stills ui.lessons.facts".split()

_at_work: list[threading.Thread] = []


def load_ahead() -> None:
    """Import them in a thread of their own: it takes a second and a half, and whoever comes first would wait for it."""
    thread = threading.Thread(target=_load, name="concord-ahead", daemon=True)
    _at_work.append(thread)
    thread.start()


def loaded() -> None:
    """Wait until they are there: of two threads that import a package whose parts import each other, one may find half.

    Python gives it out rather than have both wait for ever, and the first visitor's page ends in an ImportError.
    """
    for thread in _at_work:
        thread.join()


def _load() -> None:
    for name in NEEDED:
        import_module(name)
    from ui.pictures import pictures
    from ui.scene import nodes

    nodes(), pictures()  # found by looking, which imports every topic
