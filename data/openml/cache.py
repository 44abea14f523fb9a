"""Where data sets of OpenML are kept, and which ones are there."""

import contextlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from urllib.parse import quote, urlparse

PREFIX = "openml/"
_INDEX = "names"


@dataclass(frozen=True)
class Entry:
    """A data set that was found: its name in lower case, its version, its number on OpenML, and its files here."""

    name: str
    version: int
    did: int
    files: tuple[str, ...] = ()

    @property
    def catalog_name(self) -> str:
        """The name under which it is loaded, such as "openml/iris/1"."""
        return f"{PREFIX}{self.name}/{self.version}"

    @property
    def is_whole(self) -> bool:
        """Whether its files are still there; somebody may have made room."""
        return all((folder() / file).is_file() for file in self.files)


def folder() -> Path:
    """Return the folder: openml below CONCORD_CACHE, else below concord in the user's cache folder."""
    own = os.environ.get("CONCORD_CACHE")
    if own:
        return Path(own) / "openml"
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "concord" / "openml"


def make_private() -> None:
    """Make the folder, open to its owner alone; whatever is written below it is out of reach for others."""
    folder().mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):  # a folder of somebody else, who decides
        folder().chmod(0o700)


def recall(name: str, version: int | None) -> Entry | None:
    """Return the entry of a set that was loaded before; without a version, there is none to trust."""
    return None if version is None else _read(_path(name, version))


def remember(entry: Entry, url: str) -> None:
    """Note that a set, whose data came from there, is in the cache; a folder that cannot be written forgets it."""
    entry = replace(entry, files=_files(entry.did, url))
    path = _path(entry.name, entry.version)
    with contextlib.suppress(OSError):
        make_private()
        path.parent.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, suffix=".part", delete=False) as file:
            json.dump(asdict(entry), file)
        os.replace(file.name, path)


def cached_names() -> list[str]:
    """Return the catalog names of the sets in the cache, sorted; nothing is asked over the network."""
    entries = (_read(path) for path in (folder() / _INDEX).glob("*.json"))
    return sorted(entry.catalog_name for entry in entries if entry is not None and entry.is_whole)


def _files(did: int, url: str) -> tuple[str, ...]:
    """Return what scikit-learn keeps of a set, below the folder: an answer is named by its path at OpenML."""
    ends = (*(f"/{kind}/{did}.gz" for kind in ("data", "features", "qualities")), f"{urlparse(url).path}.gz")
    kept = (path.relative_to(folder()).as_posix() for path in folder().rglob("*.gz"))
    return tuple(sorted(path for path in kept if f"/{path}".endswith(ends)))


def _path(name: str, version: int) -> Path:
    return folder() / _INDEX / f"{quote(name, safe='')}.{version}.json"


def _read(path: Path) -> Entry | None:
    """Return a noted entry, or None where there is none, or none that can be read."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        files = tuple(map(str, values.get("files", ())))
        entry = Entry(str(values["name"]), int(values["version"]), int(values["did"]), files)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return entry if _path(entry.name, entry.version) == path else None
