"""All lessons: those of the app, and those of the folder that `CONCORD_LESSONS` names."""

import os
import re
from functools import lru_cache
from pathlib import Path

from ui.lessons.facts import Fact, facts
from ui.lessons.lesson import Broken, Lesson
from ui.lessons.reading import read_file
from ui.pictures import pictures

BUILT_IN = Path(__file__).parent / "built_in"
#: The environment variable that names a lecturer's folder.
FOLDER = "CONCORD_LESSONS"


def lessons() -> list[Lesson]:
    """Every lesson that can be read, the app's own first."""
    return [one for one in _found() if isinstance(one, Lesson)]


def broken() -> list[Broken]:
    """Every file that cannot, with its error."""
    return [one for one in _found() if isinstance(one, Broken)]


def find(key: str) -> Lesson | None:
    """The lesson of this name."""
    return next((one for one in lessons() if one.key == key), None)


def _found() -> list[Lesson | Broken]:
    own = os.environ.get(FOLDER, "")
    return in_folder(BUILT_IN, built_in=True) + (in_folder(Path(own)) if own else [])


def in_folder(folder: Path, built_in: bool = False) -> list[Lesson | Broken]:
    """The lessons of a folder in the order of their names, and what is wrong with the others."""
    if not folder.is_dir():
        return [Broken(str(folder), 1, "there is no such folder", built_in)]
    builtin = [] if built_in else in_folder(BUILT_IN, built_in=True)
    taken = {one.key: "the app" for one in builtin if isinstance(one, Lesson)}
    return [_named(path, built_in, taken) for path in sorted(folder.glob("*.toml"), key=_by_number)]


def _named(path: Path, built_in: bool, taken: dict[str, str]) -> Lesson | Broken:
    """A file, unless another lesson has its name: an address could mean either. `taken` says who has which."""
    found = _read(path, path.stat().st_mtime_ns, built_in)
    if isinstance(found, Lesson):
        if found.key in taken:
            return Broken(path.name, 1, f"a lesson of {taken[found.key]} has this name", built_in)
        taken[found.key] = path.parent.name
    return found


def _by_number(path: Path) -> list[str | int]:
    """Numbers in a name count as such: 10 comes after 9."""
    return [int(part) if part.isdigit() else part for part in re.split("([0-9]+)", path.name)]


@lru_cache(maxsize=256)
def _read(path: Path, changed: int, built_in: bool) -> Lesson | Broken:
    """A file, read anew once it changes."""
    return read_file(path, built_in)


def vocabulary() -> str:
    """All facts and pictures as two tables in Markdown, as they stand in `docs/writing_a_lesson.md`."""
    rows = ["| fact | what it is |", "|---|---|"]
    rows += [f"| `{_called(one)}` | {one.sentence} |" for one in facts().values()]
    rows += ["", "| picture | what it shows |", "|---|---|"]
    rows += [f"| `{one.name}` | {one.what} |" for one in pictures().values()]
    return "\n".join(rows)


def _called(one: Fact) -> str:
    return one.name + (f"({', '.join(one.words)})" if one.words else "")
