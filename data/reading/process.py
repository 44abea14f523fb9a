"""The process that reads one file somebody brought; `data.reading.elsewhere` starts it, asks it, and ends it.

It takes one line of JSON (where the file is, what it is to be read as, how much memory and time it may take), says
with a dot a line that it goes on, leaves what it read in a folder of its own, answers with one line of JSON, and ends.
Whatever a file does to its reader, it does not do to whoever asked: the process has limits of its own
(`data.reading.limits`), and can be killed.
"""

import http.client
import json
import os
import shutil
import sys
import threading
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..errors import DataError
from ..openml import cache
from ..openml.fetching import Heard
from .handed_over import CONTENT, load_results, save_arrays, save_graph, save_table
from .limits import Limits, limit, longer
from .opening import HERE
from .progress import goes_on, listen

#: Libraries that take a moment to import, by the endings of the files that need them.
_LIBRARIES = {
    ".parquet": "pyarrow.parquet",
    ".h5ad": "h5py",
    ".mat": "h5py",
    ".graphml": "igraph",
}
#: Seconds between two words.
_OFTEN = 0.25


def main(ahead: bool = False) -> None:
    """Wait for a request, and answer it; `ahead` imports what a file may need before there is one."""
    answer = _private_stdout()
    if ahead:
        _import(*_LIBRARIES.values())
    line = sys.stdin.readline()
    if line:
        request = json.loads(line)
        limits = Limits(**request.pop("limits"))
        threading.Thread(target=_end_with_parent, args=(request["folder"],), daemon=True).start()
        if request["act"] == "openml":
            _import("sklearn.datasets", "pandas")
            http.client.HTTPConnection.response_class = Heard
        _import(*filter(None, [_LIBRARIES.get(Path(request["filename"]).suffix.lower())]))
        listen(_Words(answer, limits.silence))
        found = json.dumps(read(limits=limits, **request))
        try:
            os.write(answer, f"{found}\n".encode())
        except BrokenPipeError:  # whoever asked is gone: so goes the file
            _remove(request["folder"])


class _Words:
    """Says at most so often that reading goes on, and lets it go on for as long again."""

    def __init__(self, answer: int, silence: float) -> None:
        self._answer, self._silence, self._next = answer, silence, 0.0

    def __call__(self) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + min(_OFTEN, self._silence / 4)
            longer(self._silence)
            with suppress(BrokenPipeError):  # `_end_with_parent` sees to it
                os.write(self._answer, b".\n")


def read(folder: str, filename: str, act: str, limits: Limits, path: str | None = None, **how: Any) -> dict[str, Any]:
    """Read a file under limits, and leave what it holds in the folder; or say which arrays it has."""
    place = Path(folder)
    file = place / CONTENT if path is None else Path(path)
    also = {"annotate": file, "openml": cache.folder()}.get(act)
    lacking = limit(place, limits, also, act == "openml")
    goes_on()
    with warnings.catch_warnings(record=True) as heard:
        answer = _answer(act, place, filename, file, path is not None, how)
    words = [[one.category.__name__, str(one.message)] for one in heard]
    return answer | {"lacking": lacking, "warnings": words}


def _answer(act: str, place: Path, filename: str, file: Path, here: bool, how: dict[str, Any]) -> dict[str, Any]:
    """What the file comes to, or in words why it cannot be read."""
    try:
        if act == "annotate":
            HERE.annotate(file, **load_results(place))
            return {}
        if act == "openml":
            found = HERE.openml(name=filename, **how)
            save_table(found.table, place)
            return {"said": {"target": found.target, "status": found.status, "url": found.url}}
        content = file if here else file.read_bytes()
        if act == "look":
            names, long = HERE.look(filename, file.read_bytes())
            return {"names": names, "long": long}
        if act == "arrays":
            save_arrays(HERE.arrays(filename, file.read_bytes()), place)
        elif act == "graph":
            save_graph(HERE.graph(filename, content, **how), place)
        else:
            save_table(HERE.table(filename, content, **how), place)
    except DataError as error:
        return {"error": str(error), "refusal": type(error).__name__}
    except MemoryError:
        return {"error": "Reading the file takes more memory than there is. Bring a smaller part."}
    except ModuleNotFoundError as error:
        return {"error": f"Reading {filename} needs the package {error.name}. Install it: pip install {error.name}"}
    except OSError as error:
        return {"system": [error.errno, error.strerror or str(error)]}
    return {}


def _private_stdout() -> int:
    """A descriptor for the answer alone: what libraries print goes nowhere."""
    answer = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    return answer


def _end_with_parent(folder: str) -> None:
    """End once nobody holds the other end of the pipe, folder and all: whoever asked was killed, and nobody waits."""
    sys.stdin.read()
    _remove(folder)
    os._exit(1)


def _remove(folder: str) -> None:
    """Take the folder away; the other thread may put something into it meanwhile, until it is gone."""
    for _ in range(100):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            return
        time.sleep(0.02)


def _import(*names: str) -> None:
    """Import what takes memory and time before there are limits of both."""
    for name in names:
        try:
            __import__(name)
        except ImportError:  # said in words once a file needs it
            continue
