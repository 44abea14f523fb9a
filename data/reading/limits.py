"""What a process that reads somebody's file may do: so much memory and time, and nothing but read it and answer.

Everything here is of the system, and some systems have less of it: `limit` says what it could not do.
"""

import ctypes
import math
import os
import signal
import socket
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

#: A network of one's own, with nobody in it, where the system lets a process have one: that must be asked for before
#: there is any thread, and importing anything of ours starts some.
_APART = """
import ctypes, sys
if sys.platform == "linux":
    ctypes.CDLL(None).unshare(0x50000000)  # CLONE_NEWUSER | CLONE_NEWNET; where it is refused, `limit` says so
"""
#: A program for `python -c FOLDER ahead|now` that reads: of the package in FOLDER, whatever it is called where it is
#: installed, it imports what reads files alone, and nothing above. One has the network there is, the other none.
ONLINE = """
import sys, types
package = sys.modules["data"] = types.ModuleType("data")
package.__path__ = [sys.argv[1]]
from data.reading.process import main
main(sys.argv[2] == "ahead")
"""
ALONE = _APART + ONLINE
#: Open files, standard streams and libraries included.
_MOST_FILES = 64
_NO_NEW_PRIVS = 38  # prctl
#: Calls of Landlock, the same on every processor, and their flags (linux/landlock.h).
_CREATE, _ADD, _RESTRICT = 444, 445, 446
_ASK_VERSION, _BENEATH = 1, 1
_EXECUTE, _WRITE, _REMOVE, _MAKE, _TRUNCATE = 1, 1 << 1, 0b11 << 4, 0b1111111 << 6, 1 << 14
_MAKE_FILES = 1 << 7 | 1 << 8  # folders and plain files


class _Rules(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64),)


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


@dataclass(frozen=True)
class Limits:
    """What a reader may take: bytes of memory, seconds in all, seconds without a word; and how far it stands back."""

    n_bytes: int
    seconds: int
    silence: float
    nice: int = 0


def longer(silence: float) -> None:
    """Have the system end this process some time from now, also where nobody listens any more."""
    try:
        import resource
    except ImportError:
        return
    signal.alarm(math.ceil(10 * silence))
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    wanted = math.ceil(time.process_time() + 2 * silence) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (wanted if most < 0 else min(wanted, most), most))


def limit(folder: Path, limits: Limits, also: Path | None = None, online: bool = False) -> tuple[str, ...]:
    """Limit this process to so much memory and time, and to writing in one folder, and in `also`, a file or folder.

    What is not possible here is returned in words: nothing on a Linux of 2021 or newer that allows namespaces.
    """
    tempfile.tempdir = str(folder)
    try:
        import resource
    except ImportError:
        return ("limits of memory and time",)
    os.nice(limits.nice)
    n_bytes = limits.n_bytes
    own = Path("/proc/self/statm")
    now = int(own.read_text(encoding="ascii").split()[0]) * resource.getpagesize() if own.exists() else 0
    for kind, wanted in (
        *([(resource.RLIMIT_AS, now + n_bytes)] if now else []),
        (resource.RLIMIT_CPU, limits.seconds),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, n_bytes + (also.stat().st_size if also else 0)),
        (resource.RLIMIT_NOFILE, _MOST_FILES),
    ):
        held = resource.getrlimit(kind)  # whoever set it may have allowed less, and only root may ask for more
        most = min([wanted, *(one for one in held if one != resource.RLIM_INFINITY)])
        resource.setrlimit(kind, (most, most))
    lacking = [] if now else ["a limit of memory"]
    lacking += [] if _only_writes_in(folder, also) else ["no writing elsewhere and no other programs (Landlock)"]
    lacking += [] if online or _without_network() else ["no network (namespaces)"]
    return tuple(lacking)


def _without_network() -> bool:
    """Whether there is no way out of this process but its own loop."""
    return sys.platform == "linux" and {name for _, name in socket.if_nameindex()} <= {"lo"}


def _only_writes_in(folder: Path, also: Path | None) -> bool:
    """Let this thread, and those it starts, write there alone, and start no program; whether that worked.

    There is no limit of processes instead: it counts threads, and all those of one user.
    """
    if sys.platform != "linux":
        return False
    system = ctypes.CDLL(None, use_errno=True)
    version = system.syscall(_CREATE, None, ctypes.c_size_t(0), _ASK_VERSION)
    if version < 1 or system.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0):
        return False
    cut = _TRUNCATE if version >= 3 else 0
    rules = _Rules(_EXECUTE | _WRITE | _REMOVE | _MAKE | cut)
    held = system.syscall(_CREATE, ctypes.byref(rules), ctypes.c_size_t(ctypes.sizeof(rules)), 0)
    if held < 0:
        return False
    folders = [folder, *([also] if also and also.is_dir() else [])]
    allowed = [(one, _WRITE | _REMOVE | _MAKE_FILES | cut) for one in folders]
    allowed += [(also, _WRITE | cut)] if also and not also.is_dir() else []
    added = 0
    for path, rights in allowed:
        place = os.open(path, os.O_RDONLY)
        added |= system.syscall(_ADD, held, _BENEATH, ctypes.byref(_Beneath(rights, place)), 0)
        os.close(place)
    restricted = -1 if added else system.syscall(_RESTRICT, held, 0)
    os.close(held)
    return restricted == 0
