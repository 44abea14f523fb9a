"""The process that reads one file somebody brought: `python -m data.reading_process`, started by the app.

It takes one line of JSON (where the file is, what it is to be read as, how much memory and time it may take), leaves
the table in the same folder, answers with one line of JSON, and ends. Whatever a file does to its reader, it
does not do to the app: the process has limits of its own, and can be killed.
"""

import json
import os
import shutil
import sys
import threading
from pathlib import Path

from . import DataError
from .readers.stored import save_table
from .uploads import open_table

#: The name of the file in its folder, without its ending.
CONTENT = "content"


def main() -> None:
    """Wait for a request, and answer it."""
    answer = _private_stdout()
    _import_readers()
    line = sys.stdin.readline()
    if line:
        request = json.loads(line)
        threading.Thread(target=_end_with_parent, args=(request["folder"],), daemon=True).start()
        os.write(answer, (json.dumps(read(**request)) + "\n").encode())


def read(folder: str, filename: str, kind: str, matrix: str | None, n_bytes: int, seconds: int) -> dict[str, str]:
    """Read the file in a folder under limits, and leave its table there."""
    _limit(n_bytes, seconds)
    place = Path(folder)
    try:
        save_table(open_table(filename, (place / CONTENT).read_bytes(), kind, matrix), place)  # type: ignore[arg-type]
    except DataError as error:
        return {"error": str(error)}
    except MemoryError:
        return {"error": "Reading the file takes more memory than there is. Bring a smaller part."}
    return {}


def _limit(n_bytes: int, seconds: int) -> None:
    """Limit address space and processor time, where the system can; be kind to others."""
    try:
        import resource
    except ImportError:
        return
    os.nice(10)
    own = Path("/proc/self/statm")
    now = int(own.read_text(encoding="ascii").split()[0]) * resource.getpagesize() if own.exists() else 0
    if now:
        resource.setrlimit(resource.RLIMIT_AS, (now + n_bytes, now + n_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _private_stdout() -> int:
    """A descriptor for the answer alone: what libraries print goes nowhere."""
    answer = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    return answer


def _end_with_parent(folder: str) -> None:
    """End once nobody holds the other end of the pipe, folder and all: the app was killed, and nobody waits."""
    sys.stdin.read()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def _import_readers() -> None:
    """Import what takes a second before there is anything to do."""
    for name in ("pyarrow.parquet", "h5py"):
        try:
            __import__(name)
        except ImportError:  # said in words once a file needs it
            continue


if __name__ == "__main__":
    main()
