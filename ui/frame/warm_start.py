"""What a server does once: fill the kernel cache in a process of its own, and set aside what stays for ever."""

import gc
import subprocess
import sys

import streamlit as st


@st.cache_resource(show_spinner=False)
def warm_start() -> int:
    """Start `python -m engine.warm` once a server; its process id."""
    return subprocess.Popen([sys.executable, "-m", "engine.warm"], stdout=subprocess.DEVNULL).pid


@st.cache_resource(show_spinner=False)
def set_aside(page: str) -> int:
    """Take what stays for ever out of the garbage collector's sight, once for every page; how many objects that is.

    Streamlit collects garbage after every run of the script. Modules, kernels and plotly's tables are some 300,000
    objects; looking at each of them takes longer than drawing a page.
    """
    gc.collect()
    gc.freeze()
    return gc.get_freeze_count()
