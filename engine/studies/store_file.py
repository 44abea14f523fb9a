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
    for file in (path, beside(path, "-wal"), beside(path, "-shm")):
        with suppress(FileNotFoundError, PermissionError):  # of somebody else, who decides
            if file.is_file():  # /dev/null is everybody's
                file.chmod(file.stat().st_mode & 0o700)


def beside(path: Path, ending: str) -> Path:
    """A file that SQLite keeps beside the database.

    Parameters
    ----------
    path : Path
        Of the database.
    ending : str
        "-wal" or "-shm".

    Returns
    -------
    Path
    """
    return path.with_name(path.name + ending)


class Watch:
    """Notices when the file under a path is no longer the one that was opened.

    Parameters
    ----------
    path : Path
        Of a database that has just been opened.
    """

    def __init__(self, path: Path):
        self._log = beside(path, "-wal")
        self._path, self._opened = path, _identity(path)
        self._logged: Identity | None = None
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
        log = _identity(self._log)
        if self._logged and log != self._logged:
            return f"{self._log.name} beside it was {'removed' if log is None else 'replaced'} while it was open"
        self._logged = log
        return ""

    def clear_log(self) -> None:
        """Drop the log of the file that is gone: SQLite would write it into the one that took its name."""
        if self._logged and _identity(self._path) != self._opened and _identity(self._log) == self._logged:
            for file in (self._log, beside(self._path, "-shm")):
                file.unlink(missing_ok=True)
        self._logged = None  # its number may be given to the log of the file that comes next


def _identity(path: Path) -> Identity | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
