"""The file of a store: its owner's alone, and noticed when it is taken away while it is open."""

import os
from contextlib import suppress
from pathlib import Path

#: What a file is told by while it has a name: device and number.
Identity = tuple[int, int]


def make_private(path: Path) -> None:
    """See to it that a file is there and nobody but its owner may read it; its folder too, where it is made.

    Parameters
    ----------
    path : Path
        Of the database; what SQLite keeps beside it has its rights.

    Raises
    ------
    OSError
        If it cannot be made.
    """
    if not path.parent.is_dir():
        path.parent.parent.mkdir(parents=True, exist_ok=True)
        path.parent.mkdir(mode=0o700, exist_ok=True)
    with suppress(FileExistsError):  # never opened where it is there: closing it would end SQLite's locks
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    for file in (path, *companions(path)):
        with suppress(FileNotFoundError, PermissionError):  # of somebody else, who decides
            if file.is_file():  # /dev/null is everybody's
                file.chmod(file.stat().st_mode & 0o700)


def companions(path: Path) -> list[Path]:
    """What SQLite may keep beside a database: the pages that a write is about to change; logs of earlier forms.

    Parameters
    ----------
    path : Path
        Of the database.

    Returns
    -------
    list of Path
        Need not be there.
    """
    return [path.with_name(path.name + ending) for ending in ("-journal", "-wal", "-shm")]


class Watch:
    """Notices when the file under a path is no longer the one that was opened.

    Parameters
    ----------
    path : Path
        Of a database that has just been opened.
    """

    def __init__(self, path: Path):
        self._path, self._opened = path, _identity(path)
        self._said = ""

    def missing(self) -> str:
        """What has happened to the file, in words; empty while it is the one that was opened.

        Returns
        -------
        str
            A sentence's end: "it was removed while it was open".
        """
        self._said = self._said or self._look()
        return self._said

    def _look(self) -> str:
        now = _identity(self._path)
        if now != self._opened:
            return f"it was {'removed' if now is None else 'replaced'} while it was open"
        return ""


def _identity(path: Path) -> Identity | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
