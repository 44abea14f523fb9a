"""What a server does once: fill the kernel cache in a process of its own, sweep, and set aside what stays for ever."""

import gc
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil
import streamlit as st

from engine.runtime.memory import ACCOUNT, trim
from ui.compute import reading
from ui.frame.leaving import LEAVING

#: What the system calls the lowest priority.
_LOWEST = getattr(psutil, "IDLE_PRIORITY_CLASS", 19)
#: Seconds in which a first visitor has the machine alone: what is got ready for later waits until they are over.
AFTER = 15.0
ROOT = Path(__file__).parents[2]
#: Seconds between two looks at what nobody is there for any more.
SWEEP_EVERY = 10.0


@st.cache_resource(show_spinner=False)
def warm_start() -> subprocess.Popen:
    """Run `engine.warm` once a server, a little later and below all other work; it ends with whoever has its input."""
    later = f"import time; time.sleep({AFTER}); from engine.warm import main; main()"
    command, nowhere = [sys.executable, "-c", later, "--with-parent"], subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=nowhere, start_new_session=True)
    with suppress(psutil.NoSuchProcess):  # it has ended already
        psutil.Process(process.pid).nice(_LOWEST)
    return process


@st.cache_resource(show_spinner=False)
def keep_swept() -> threading.Thread:
    """Give back, from now on, what closed sessions have left; and have a reader of files ready."""
    thread = threading.Thread(target=_sweep_for_ever, name="concord-sweep", daemon=True)
    thread.start()
    return thread


def _sweep_for_ever() -> None:
    time.sleep(AFTER)
    reading.warm()
    busy = False
    while True:
        time.sleep(SWEEP_EVERY)
        ACCOUNT.sweep()
        if busy and not LEAVING.anybody:
            tidy()
        busy = LEAVING.anybody


def tidy() -> None:
    """Let go of everything that visitors left behind: cycles that were set aside with what stays, and free pages.

    It takes half a second in which nobody is served; it is for when nobody is there.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    trim()


@st.cache_resource(show_spinner=False)
def set_aside(page: str) -> int:
    """Take what stays for ever out of the garbage collector's sight, once for every page; how many objects that is.

    Streamlit collects garbage after every run of the script. Modules, kernels and plotly's tables are some 300,000
    objects; looking at each of them takes longer than drawing a page.
    """
    gc.collect()
    gc.freeze()
    return gc.get_freeze_count()
