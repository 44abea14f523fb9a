"""What the first page will need is loaded while the first browser still fetches its scripts."""

import threading
from importlib import import_module

#: Libraries and rooms that Start cannot do without, none of which knows of a session.
NEEDED = ("sklearn.cluster", "sklearn.decomposition", "ui.scene", "ui.pictures")


def load_ahead() -> threading.Thread:
    """Import them in a thread of their own: it takes a second and a half, and whoever comes first would wait for it."""
    thread = threading.Thread(target=_load, name="concord-ahead", daemon=True)
    thread.start()
    return thread


def _load() -> None:
    for name in NEEDED:
        import_module(name)
    from ui.pictures import pictures
    from ui.scene import nodes

    nodes(), pictures()  # found by looking, which imports every topic
